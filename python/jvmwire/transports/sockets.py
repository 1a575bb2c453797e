"""A connected socket as a transport."""

import socket
from contextlib import suppress

from jvmwire.transports.transport import (
    CHUNK,
    Address,
    Buffer,
    both_addresses,
    transport_error,
)


class SocketTransport:
    """A stream socket, which this owns from now on."""

    unsent = 0
    pending = False

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(0)
        self._sock = sock
        self.read_fd = self.write_fd = sock.fileno()

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """Ours and the peer's, while the connection lives."""
        with suppress(OSError):
            return both_addresses(self._sock.getsockname(), self._sock.getpeername())
        return None

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while there is nothing."""
        try:
            return self._sock.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError as error:
            raise transport_error(error) from error

    def send(self, data: Buffer) -> int:
        """Return how much of `data` the kernel took."""
        if not data:
            return 0
        try:
            return self._sock.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise transport_error(error) from error

    def close(self) -> None:
        """Send what the kernel holds, then FIN; twice is fine."""
        with suppress(OSError):  # the peer was faster, or it is closed
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()

    def abandon(self) -> None:
        """Close this process's copy; no FIN goes out while another holds one."""
        self._sock.close()
