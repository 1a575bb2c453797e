"""Connections inside this process, for tests."""

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
from jvmwire.transports._sockets import SocketTransport
from jvmwire.transports._transport import AsyncTransport, Side, Transport, never_cancelled

HIGH_WATER = 64 * 1024
"""Unread bytes above which the writer is paused, the default of asyncio's transports."""

LOW_WATER = HIGH_WATER // 4
"""Unread bytes at which a paused writer resumes: a quarter of `HIGH_WATER`."""


def memory_pair() -> tuple["Memory", "Memory"]:
    """Return two endpoints that connect to each other within this process.

    The n-th connection of one endpoint is paired with the n-th connection of the other; neither
    side has to wait for the other to connect.

    Returns:
        The client's endpoint and the server's endpoint.
    """
    lock = threading.Lock()
    client, server = Memory("client", lock), Memory("server", lock)
    client.pair_with(server)
    server.pair_with(client)
    return client, server


class Memory:
    """One endpoint of a `memory_pair`.

    A blocking transport is one socket of an unnamed socket pair, since a driver waits for
    descriptors. An asyncio transport uses no descriptors and no system calls; both sides must run
    on the same event loop.
    """

    def __init__(self, side: Side, lock: threading.Lock) -> None:
        self.side: Side = side
        self._lock = lock
        self._other: Memory
        self._sockets: deque[socket.socket] = deque()
        self._ends: deque[AsyncMemory] = deque()
        # A pair is a reference cycle: with `__del__`, its sockets could be collected before the
        # pair.
        weakref.finalize(self, _close_all, self._sockets)

    def pair_with(self, other: "Memory") -> None:
        """Set the other endpoint of the pair."""
        self._other = other

    def __str__(self) -> str:
        return f"memory ({self.side})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an end of a memory_pair stays in its process")

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        """Return the waiting end of a connection, or create a connection; never blocks."""
        del timeout, cancelled
        with self._lock:
            if self._sockets:
                return SocketTransport(self._sockets.popleft())
            ours, others = socket.socketpair()
            self._other._sockets.append(others)
            return SocketTransport(ours)

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Return the waiting end of a connection, or create a connection; never waits."""
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
    for sock in sockets:  # sockets that were never claimed by the other side
        sock.close()


class AsyncMemory:
    """One end of an in-memory asyncio connection; the other end is `peer`."""

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
        """Connect `protocol`: call its `connection_made`, then deliver data to it."""
        self._loop = asyncio.get_running_loop()
        self._protocol = protocol
        protocol.connection_made(cast("asyncio.Transport", self))
        if self._closing:  # the other side was reset before this end was connected
            self._loop.call_soon(protocol.connection_lost, self._failure)
        self._schedule()

    def write(self, data: Buffer) -> None:
        """Deliver `data` to the peer in a later turn of the event loop."""
        if self._closing or self.peer._closing or not data:
            return
        self.peer._inbox.append(bytes(data))
        self.peer._waiting += len(data)
        self.peer._schedule()
        if self.peer._waiting > HIGH_WATER and not self._full:
            self._full = True
            self._upper.pause_writing()

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that the peer has not received yet."""
        return self.peer._waiting

    def pause_reading(self) -> None:
        """Stop calling `data_received`."""
        self._paused = True

    def resume_reading(self) -> None:
        """Resume calling `data_received`."""
        self._paused = False
        self._schedule()

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing."""
        return self._closing

    def close(self) -> None:
        """Close the connection; the peer receives all written data, then the end of the stream."""
        self._lose(None)
        self.peer._schedule()

    def abort(self) -> None:
        """Reset the connection; data that the peer has not received is lost."""
        self._lose(None)
        self.peer._lose(ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return `default`, since there are no addresses."""
        del name
        return default

    @property
    def _upper(self) -> asyncio.Protocol:
        assert self._protocol is not None  # noqa: S101 # this end is used only after `attach`
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
            self.peer._resume_writer(self._waiting)
            self._upper.data_received(data)
            self._schedule()
        elif self.peer._closing:
            self._upper.eof_received()
            self.close()

    def _resume_writer(self, waiting: int) -> None:
        if self._full and waiting <= LOW_WATER:
            self._full = False
            if not self._closing:
                self._upper.resume_writing()

    def _lose(self, failure: ConnectionResetError | None) -> None:
        if not self._closing:
            self._closing = True
            self._failure = failure
            self._inbox.clear()
            if self._protocol is not None:
                self._loop.call_soon(self._protocol.connection_lost, failure)
