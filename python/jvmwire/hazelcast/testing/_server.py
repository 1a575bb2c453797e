"""Listening sockets, connections and timers of a double, on one event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmwire.hazelcast.testing._connection import ClientConnection
from jvmwire.hazelcast.testing._limits import MAX_BUFFERED, MAX_CONNECTIONS
from jvmwire.transports._listen import ListeningSocket, listen

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._faults import Faults
    from jvmwire.hazelcast.testing._cluster import DoubleCluster
    from jvmwire.hazelcast.testing._members import DoubleMember


class DoubleServer:
    """The I/O of a double; its methods are called on the event loop.

    Args:
        cluster: The cluster of the double.
        faults: The failures that calls have.
    """

    def __init__(self, cluster: DoubleCluster, faults: Faults) -> None:
        self.cluster, self.faults = cluster, faults
        self._loop = asyncio.get_running_loop()
        self._listeners: dict[DoubleMember, ListeningSocket] = {}
        self._connections: set[ClientConnection] = set()
        self._unflushed: set[ClientConnection] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._due: int | None = None
        self._delays: set[asyncio.TimerHandle] = set()
        self._buffered = 0

    # Members

    async def start(self, member: DoubleMember) -> None:
        """Start a member.

        Args:
            member: The member.

        Raises:
            ConnectFailed: its port is in use, or its host is not an address of this machine.
        """
        listener = await listen(lambda: ClientConnection(self, member), member.host, member.port)
        self._listeners[member] = listener
        self.cluster.member_started(member, listener.port)

    def stop(self, member: DoubleMember) -> None:
        """Stop a member: its connections are closed.

        Args:
            member: The member.
        """
        self._listeners.pop(member).close()
        for connection in [each for each in self._connections if each.member is member]:
            connection.flush()
            connection.abort()
            self.disconnected(connection)
        self.cluster.member_stopped(member)

    async def close(self) -> None:
        """Stop all members."""
        for member in list(self._listeners):
            self.stop(member)
        for handle in (*self._delays, *([self._timer] if self._timer else [])):
            handle.cancel()
        await asyncio.sleep(0)  # the transports close now

    # Connections

    def connected(self, connection: ClientConnection) -> bool:
        """Count a connection.

        Args:
            connection: The connection.

        Returns:
            Whether there is room for it.
        """
        if len(self._connections) >= MAX_CONNECTIONS:
            return False
        self._connections.add(connection)
        return True

    def disconnected(self, connection: ClientConnection) -> None:
        """Forget a connection.

        Args:
            connection: The connection.
        """
        if connection in self._connections:
            self._connections.discard(connection)
            self._buffered -= connection.buffered
            connection.buffered = 0
            self.cluster.client_disconnected(connection)
            self.set_timer()

    def executed(self, connection: ClientConnection, buffered: int) -> None:
        """Count the bytes that wait, and set the timer, after requests were executed.

        Args:
            connection: The connection.
            buffered: The bytes of its incomplete message.
        """
        if connection in self._connections:
            self._buffered += buffered - connection.buffered
            connection.buffered = buffered
            if self._buffered > MAX_BUFFERED:
                connection.abort()
        self.set_timer()

    def flush_soon(self, connection: ClientConnection) -> None:
        """Write what a connection has queued by the end of this iteration of the loop.

        Args:
            connection: The connection.
        """
        if not self._unflushed:
            self._loop.call_soon(self._flush)
        self._unflushed.add(connection)

    def _flush(self) -> None:
        unflushed, self._unflushed = self._unflushed, set()
        for connection in unflushed:
            connection.flush()

    # Time

    def later(self, delay: float, function: Callable[[], None]) -> None:
        """Call a function after a delay.

        Args:
            delay: Seconds.
            function: The function.
        """

        def run() -> None:
            self._delays.discard(handle)
            function()
            self.set_timer()

        handle = self._loop.call_later(delay, run)
        self._delays.add(handle)

    def set_timer(self) -> None:
        """Wait for the next timer of the cluster, if that has changed."""
        due = self.cluster.timers.earliest
        if due == self._due and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due, self._timer = due, None
        if due is not None:
            delay = max(0, due - self.cluster.now()) / 1000
            self._timer = self._loop.call_later(min(delay, 3600.0), self.run_timers)

    def run_timers(self) -> None:
        """Do what is due by now, after the clock was moved too."""
        self._due = None
        self.cluster.run_timers()
        self.set_timer()
