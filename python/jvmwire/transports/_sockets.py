"""Blocking-style transport over a connected socket."""

import socket
import struct
from collections import deque
from contextlib import suppress
from itertools import repeat

from jvmwire._runtime.session import Buffer
from jvmwire.transports._fork_safety import close_inherited, register_after_fork
from jvmwire.transports._transport import (
    LARGE_READ,
    SMALL_READ,
    Address,
    format_address_pair,
    transport_error,
)

RECV_TIMEOUT = 0.005
"""Receive timeout of `recv_with_timeout` in seconds (chosen by jvmwire): most replies arrive
sooner."""

_NO_WAIT = socket.MSG_DONTWAIT


class SocketTransport:
    """A transport that owns a connected stream socket."""

    def __init__(self, sock: socket.socket) -> None:
        # The socket blocks, for at most `RECV_TIMEOUT`, except for calls with MSG_DONTWAIT.
        sock.settimeout(None)
        timeval = struct.pack("@ll", 0, round(RECV_TIMEOUT * 1_000_000))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeval)
        register_after_fork(sock, close_inherited)
        self._sock = sock
        self._recv_small = map(sock.recv, repeat(SMALL_READ))
        self._recv_large = map(sock.recv, repeat(LARGE_READ))
        self._last_was_large = False
        """Whether the last chunk filled the small buffer, as chunks of a long reply do."""
        self.unsent, self.pending = 0, False
        self.read_fd = self.write_fd = sock.fileno()

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """The local address and the peer's address, or None once the connection is closed."""
        with suppress(OSError):
            return format_address_pair(self._sock.getsockname(), self._sock.getpeername())
        return None

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while no data is available."""
        try:
            data = self._sock.recv(LARGE_READ if self._last_was_large else SMALL_READ, _NO_WAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise transport_error(error) from error
        self._last_was_large = len(data) >= SMALL_READ
        return data

    def recv_with_timeout(self, inbox: deque[bytes]) -> None:
        """Wait up to `RECV_TIMEOUT` for a chunk or the end of the stream; see `Patient`."""
        try:
            # Iterating `map(sock.recv, ...)` is one step for signal handlers: an exception raised
            # by a handler cannot lose a received chunk.
            for chunk in self._recv_large if self._last_was_large else self._recv_small:
                inbox.append(chunk)
                self._last_was_large = len(chunk) >= SMALL_READ
                return
        except BlockingIOError:
            pass
        except OSError as error:
            raise transport_error(error) from error

    def send(self, data: Buffer) -> int:
        """Write `data`, and return the number of bytes that the kernel accepted."""
        if not data:
            return 0
        try:
            return self._sock.send(data, _NO_WAIT)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise transport_error(error) from error

    def close(self) -> None:
        """Send the data in the kernel's buffer, then FIN; safe to call twice."""
        with suppress(OSError):  # the peer closed first, or the socket is closed
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()
