"""Asyncio transport over two pipes."""

import asyncio
import errno
import io
import os
from typing import Any, Self, cast

from jvmwire._runtime.session import Buffer
from jvmwire.transports._fork_safety import redirect_to_devnull, register_after_fork


class AsyncPipes(asyncio.Protocol):
    """One pipe to read from and one pipe to write to, combined into a transport of `protocol`."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._upper = protocol
        self._loop = asyncio.get_running_loop()
        self._reader: asyncio.ReadTransport
        self._writer: asyncio.WriteTransport
        self._closing = False
        self._failure: Exception | None = None
        self._open_parts = {"reader", "writer"}
        """The parts that must be closed before the connection counts as lost."""

    async def connect(self, reader: io.FileIO, writer: io.FileIO) -> Self:
        """Connect the pipes, which this object owns from now on, to the event loop."""
        for pipe in (reader, writer):
            register_after_fork(pipe, redirect_to_devnull)
        try:
            # The writer first: a protocol may write as soon as `connection_made` is called.
            self._writer, _ = await self._loop.connect_write_pipe(
                lambda: _WriterProtocol(self), writer
            )
            await self._loop.connect_read_pipe(lambda: self, reader)
        except BaseException:
            reader.close()
            writer.close()
            raise
        return self

    # Protocol methods, called by the read transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the read transport, and forward that the connection is open."""
        self._reader = cast("asyncio.ReadTransport", transport)
        self._upper.connection_made(cast("asyncio.Transport", self))

    def data_received(self, data: bytes) -> None:
        """Forward received data."""
        if not self._closing:
            self._upper.data_received(data)

    def eof_received(self) -> None:
        """Forward the end of the stream, and close the connection."""
        if not self._closing:
            self._upper.eof_received()
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Mark the read pipe as closed, with its error, and close the connection."""
        self.part_closed("reader", exc)
        if not self._closing:
            self.close()

    # Flow control methods, also called by the write transport.

    def pause_writing(self) -> None:
        """Forward that the write buffer is above its high-water mark."""
        self._upper.pause_writing()

    def resume_writing(self) -> None:
        """Forward that the write buffer is below its low-water mark."""
        self._upper.resume_writing()

    def part_closed(self, what: str, error: BaseException | None) -> None:
        """Mark one part as closed, with its error; report the loss after the last part."""
        if isinstance(error, Exception):
            self._failure = self._failure or error
        self._open_parts.discard(what)
        if not self._open_parts:
            self._upper.connection_lost(self._failure)

    # Transport methods, called by the protocol.

    def write(self, data: Buffer) -> None:
        """Accept all of `data`, which the caller must not change afterwards."""
        if "writer" in self._open_parts:
            self._writer.write(data)
        elif not self._closing:  # received data can still be read until a write fails
            self._failure = BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            self.abort()

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that wait to be sent."""
        return self._writer.get_write_buffer_size() if "writer" in self._open_parts else 0

    def pause_reading(self) -> None:
        """Stop calling `data_received`."""
        self._reader.pause_reading()

    def resume_reading(self) -> None:
        """Resume calling `data_received`."""
        self._reader.resume_reading()

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing."""
        return self._closing

    def close(self) -> None:
        """Close the connection after all data is sent."""
        self._closing = True
        self._reader.close()
        self._writer.close()

    def abort(self) -> None:
        """Close the connection at once; unsent data is lost."""
        self._closing = True
        self._reader.close()
        self.abort_writer()

    def abort_writer(self) -> None:
        """Close the write pipe at once; unsent data is lost."""
        if "writer" in self._open_parts:
            self._writer.abort()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `default`, since pipes have no addresses."""
        del name
        return default


class _WriterProtocol(asyncio.BaseProtocol):
    """Protocol of the write pipe, which forwards its events to `AsyncPipes`."""

    def __init__(self, pipes: AsyncPipes) -> None:
        self.pause_writing = pipes.pause_writing  # type: ignore[method-assign]
        self.resume_writing = pipes.resume_writing  # type: ignore[method-assign]
        self._pipes = pipes

    def connection_lost(self, exc: Exception | None) -> None:
        self._pipes.part_closed("writer", exc)
