"""Two pipes as one connection of an asyncio protocol."""

import asyncio
import errno
import io
import os
from typing import Any, Self, cast

from jvmwire._runtime.session import Buffer
from jvmwire.transports.forks import in_child, lead_nowhere


class AsyncPipes(asyncio.Protocol):
    """The pipe to read from and the one to write to, as one transport of `protocol`."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._above = protocol
        self._loop = asyncio.get_running_loop()
        self._reader: asyncio.ReadTransport
        self._writer: asyncio.WriteTransport
        self._closing = False
        self._failure: Exception | None = None
        self._held = {"reader", "writer"}
        """What must be gone before the connection is."""

    async def connect(self, reader: io.FileIO, writer: io.FileIO) -> Self:
        """Begin to pass on what the pipes bring; they are owned from now on."""
        for pipe in (reader, writer):
            in_child(pipe, lead_nowhere)
        try:
            # The writer first: whoever is told of a connection may write.
            self._writer, _ = await self._loop.connect_write_pipe(lambda: _Writer(self), writer)
            await self._loop.connect_read_pipe(lambda: self, reader)
        except BaseException:
            reader.close()
            writer.close()
            raise
        return self

    # The reader calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tell the protocol that there is a connection."""
        self._reader = cast("asyncio.ReadTransport", transport)
        self._above.connection_made(cast("asyncio.Transport", self))

    def data_received(self, data: bytes) -> None:
        """Pass on what came."""
        if not self._closing:
            self._above.data_received(data)

    def eof_received(self) -> None:
        """Pass on that no more comes."""
        if not self._closing:
            self._above.eof_received()
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the reader is gone, and why."""
        self.gone("reader", exc)
        if not self._closing:
            self.close()

    # The writer calls these too.

    def pause_writing(self) -> None:
        """Pass on that much waits to be sent."""
        self._above.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that little does."""
        self._above.resume_writing()

    def gone(self, what: str, error: BaseException | None) -> None:
        """Note that a part of the connection is gone, and why."""
        if isinstance(error, Exception):
            self._failure = self._failure or error
        self._held.discard(what)
        if not self._held:
            self._above.connection_lost(self._failure)

    # The protocol calls these.

    def write(self, data: Buffer) -> None:
        """Take all of `data`, which must not be changed afterwards."""
        if "writer" in self._held:
            self._writer.write(data)
        elif not self._closing:  # what the peer still says may be read, but not after this
            self._failure = BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            self.abort()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""
        return self._writer.get_write_buffer_size() if "writer" in self._held else 0

    def pause_reading(self) -> None:
        """Hand no more to `data_received`."""
        self._reader.pause_reading()

    def resume_reading(self) -> None:
        """Hand on again."""
        self._reader.resume_reading()

    def is_closing(self) -> bool:
        """Return whether the connection ended or will."""
        return self._closing

    def close(self) -> None:
        """End the connection once all was sent."""
        self._closing = True
        self._reader.close()
        self._writer.close()

    def abort(self) -> None:
        """End the connection now."""
        self._closing = True
        self._reader.close()
        self.abort_writer()

    def abort_writer(self) -> None:
        """Forget what waits to be sent."""
        if "writer" in self._held:
            self._writer.abort()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `default`: pipes have no addresses."""
        del name
        return default


class _Writer(asyncio.BaseProtocol):
    """What the pipe to write to tells, told to the whole."""

    def __init__(self, pipes: AsyncPipes) -> None:
        self.pause_writing = pipes.pause_writing  # type: ignore[method-assign]
        self.resume_writing = pipes.resume_writing  # type: ignore[method-assign]
        self._pipes = pipes

    def connection_lost(self, exc: Exception | None) -> None:
        self._pipes.gone("writer", exc)
