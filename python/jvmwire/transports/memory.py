"""A connection inside this process, for tests."""

import asyncio
import errno
import os
import socket
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn, cast

from jvmwire._runtime.session import Buffer
from jvmwire.transports.sockets import SocketTransport
from jvmwire.transports.transport import AsyncTransport, Side, Transport, never

HIGH_WATER = 64 * 1024
"""Bytes on their way above which the writer is asked to pause: what asyncio's transports take."""

LOW_WATER = HIGH_WATER // 4
"""Bytes on their way below which it may go on."""


def memory_pair() -> tuple["Memory", "Memory"]:
    """Return two endpoints; what connects to one is connected to what connects to the other.

    The first is the client's. The n-th connection of one is the n-th of the other's; who comes
    first need not wait.
    """
    lock = threading.Lock()
    client, server = Memory("client", lock), Memory("server", lock)
    client.join(server)
    server.join(client)
    return client, server


class Memory:
    """One of a `memory_pair`.

    Blocking transports are a pair of sockets without a name: a driver waits for descriptors, so
    something of the kernel must stand behind them, and this is its memory. For asyncio there
    are no descriptors and no system calls; both sides must use the same loop.
    """

    def __init__(self, side: Side, lock: threading.Lock) -> None:
        self.side: Side = side
        self._lock = lock
        self._other: Memory
        self._sockets: deque[socket.socket] = deque()
        self._ends: deque[AsyncMemory] = deque()
        # A pair is a cycle, of whose sockets a finalizer may find that they are collected first.
        weakref.finalize(self, _close_all, self._sockets)

    def join(self, other: "Memory") -> None:
        """Let what connects here be connected to what connects there."""
        self._other = other

    def __str__(self) -> str:
        return f"memory ({self.side})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an end of a memory_pair stays in its process")

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> Transport:
        """Take the end that the other side left, or leave it one; that takes no time."""
        del timeout, cancelled
        with self._lock:
            if self._sockets:
                return SocketTransport(self._sockets.popleft())
            ours, others = socket.socketpair()
            self._other._sockets.append(others)
            return SocketTransport(ours)

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Take the end that the other side left, or leave it one; that takes no time."""
        del timeout
        if self._ends:
            ours = self._ends.popleft()
        else:
            ours, others = AsyncMemory(), AsyncMemory()
            ours.peer, others.peer = others, ours
            self._other._ends.append(others)
        ours.attach(protocol)
        return ours


def _close_all(sockets: deque[socket.socket]) -> None:
    for sock in sockets:  # nobody came for them
        sock.close()


class AsyncMemory:
    """One end of a connection, whose other is `peer`."""

    def __init__(self) -> None:
        self.peer: AsyncMemory
        self._protocol: asyncio.Protocol | None = None
        self._loop: asyncio.AbstractEventLoop
        self._inbox: deque[bytes] = deque()
        self._waiting = 0
        self._is_due = False
        self._paused = False
        self._full = False
        self._closing = False
        self._failure: ConnectionResetError | None = None

    def attach(self, protocol: asyncio.Protocol) -> None:
        """Tell `protocol` of the connection, and from now on what comes."""
        self._loop = asyncio.get_running_loop()
        self._protocol = protocol
        protocol.connection_made(cast("asyncio.Transport", self))
        if self._closing:  # the other side was reset before we came
            self._loop.call_soon(protocol.connection_lost, self._failure)
        self._schedule()

    def write(self, data: Buffer) -> None:
        """Hand `data` to the peer in the loop's next turn."""
        if self._closing or self.peer._closing or not data:
            return
        self.peer._inbox.append(bytes(data))
        self.peer._waiting += len(data)
        self.peer._schedule()
        if self.peer._waiting > HIGH_WATER and not self._full:
            self._full = True
            self._above.pause_writing()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes the peer has not been handed yet."""
        return self.peer._waiting

    def pause_reading(self) -> None:
        """Hand no more to `data_received`."""
        self._paused = True

    def resume_reading(self) -> None:
        """Hand on again."""
        self._paused = False
        self._schedule()

    def is_closing(self) -> bool:
        """Return whether the connection ended or will."""
        return self._closing

    def close(self) -> None:
        """End the connection; the peer is handed all that was written, then its end."""
        self._lose(None)
        self.peer._schedule()

    def abort(self) -> None:
        """Reset the connection; what the peer was not handed yet is lost."""
        self._lose(None)
        self.peer._lose(ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `default`: there are no addresses."""
        del name
        return default

    @property
    def _above(self) -> asyncio.Protocol:
        assert self._protocol is not None  # noqa: S101 # nobody else can use this end
        return self._protocol

    def _schedule(self) -> None:
        if self._protocol is not None and not (self._is_due or self._paused or self._closing):
            self._is_due = True
            self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        self._is_due = False
        if self._paused or self._closing:
            return
        if self._inbox:
            data = self._inbox.popleft()
            self._waiting -= len(data)
            self.peer._relieve(self._waiting)
            self._above.data_received(data)
            self._schedule()
        elif self.peer._closing:
            self._above.eof_received()
            self.close()

    def _relieve(self, waiting: int) -> None:
        if self._full and waiting <= LOW_WATER:
            self._full = False
            if not self._closing:
                self._above.resume_writing()

    def _lose(self, failure: ConnectionResetError | None) -> None:
        if not self._closing:
            self._closing = True
            self._failure = failure
            self._inbox.clear()
            if self._protocol is not None:
                self._loop.call_soon(self._protocol.connection_lost, failure)
