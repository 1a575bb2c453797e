"""Blocking-style transport over two pipes."""

import io
import os

from jvmwire._runtime.session import Buffer
from jvmwire.transports._fork_safety import close_inherited, register_after_fork
from jvmwire.transports._transport import SMALL_READ, transport_error


class PipeTransport:
    """A non-blocking transport that owns one pipe to read from and one pipe to write to."""

    addresses = None
    unsent = 0
    pending = False

    def __init__(self, reader: io.FileIO, writer: io.FileIO) -> None:
        self._reader = reader
        self._writer = writer
        self.read_fd = reader.fileno()
        self.write_fd = writer.fileno()
        for pipe in (reader, writer):
            register_after_fork(pipe, close_inherited)
            os.set_blocking(pipe.fileno(), False)

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while no data is available."""
        try:
            return self._reader.read(SMALL_READ)
        except (OSError, ValueError) as error:  # ValueError: the file is closed
            raise transport_error(error) from error

    def send(self, data: Buffer) -> int:
        """Write `data`, and return the number of bytes that the pipe accepted."""
        try:
            return self._writer.write(data) or 0
        except (OSError, ValueError) as error:
            raise transport_error(error) from error

    def close(self) -> None:
        """Close both pipes; safe to call twice."""
        self._writer.close()
        self._reader.close()
