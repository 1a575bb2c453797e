"""A connected socket as a transport."""

import socket
import struct
from collections import deque
from contextlib import suppress
from itertools import repeat

from jvmwire._runtime.session import Buffer
from jvmwire.transports.forks import in_child, leave
from jvmwire.transports.transport import (
    CHUNK,
    FEW,
    Address,
    both_addresses,
    transport_error,
)

PATIENCE = 0.005
"""Seconds that `recv_soon` waits: a reply mostly comes sooner. Ours."""

_NO_WAIT = socket.MSG_DONTWAIT


class SocketTransport:
    """A stream socket, which this owns from now on."""

    def __init__(self, sock: socket.socket) -> None:
        # It waits, if not told otherwise each time, but not for long.
        sock.settimeout(None)
        timeval = struct.pack("@ll", 0, round(PATIENCE * 1_000_000))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeval)
        in_child(sock, leave)
        self._sock = sock
        self._few = map(sock.recv, repeat(FEW))
        self._many = map(sock.recv, repeat(CHUNK))
        self._much = False
        """Whether the last chunk was as large as those of a long reply are."""
        self.unsent, self.pending = 0, False
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
            data = self._sock.recv(CHUNK if self._much else FEW, _NO_WAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise transport_error(error) from error
        self._much = len(data) >= FEW
        return data

    def recv_soon(self, inbox: deque[bytes]) -> None:
        """Wait for a chunk, or the end of the stream, but for `PATIENCE` only; see `Patient`."""
        try:
            # In one step, as signals see it: a chunk that a handler's exception overtakes is kept.
            for chunk in self._many if self._much else self._few:
                inbox.append(chunk)
                self._much = len(chunk) >= FEW
                return
        except BlockingIOError:
            pass
        except OSError as error:
            raise transport_error(error) from error

    def send(self, data: Buffer) -> int:
        """Return how much of `data` the kernel took."""
        if not data:
            return 0
        try:
            return self._sock.send(data, _NO_WAIT)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise transport_error(error) from error

    def close(self) -> None:
        """Send what the kernel holds, then FIN; twice is fine."""
        with suppress(OSError):  # the peer was faster, or it is closed
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()
