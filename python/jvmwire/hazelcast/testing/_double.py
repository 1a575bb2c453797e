"""A double of a Hazelcast cluster: members in one thread of this process."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from jvmwire._checks import at_least
from jvmwire._faults import Fault, Faults
from jvmwire._runtime import threads
from jvmwire._times import to_seconds
from jvmwire.errors import ConfigError, NotStarted
from jvmwire.hazelcast.testing._cluster import DoubleCluster
from jvmwire.hazelcast.testing._limits import MAX_BYTES, MAX_ENTRIES, MAX_MEMBERS, Budget
from jvmwire.hazelcast.testing._members import DoubleMember
from jvmwire.hazelcast.testing._server import DoubleServer

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Coroutine, Mapping
    from datetime import timedelta
    from typing import Self

PARTITIONS = 271
"""The default of `partition_count` (`hazelcast.partition.count`)."""
MAX_PARTITIONS = 100_000
CLIENT_REMOVAL_DELAY = 60.0
"""The default of `client_removal_delay` (`hazelcast.client.endpoint.remove.delay.seconds`)."""


class HazelcastDouble:
    """Double of a cluster of Hazelcast 3.12, for tests of programs that are its clients.

    It is no cluster: all members are in this process and share what they store, so nothing is lost
    when one of them is stopped. What they answer is held by the tests that real members pass.

    Args:
        host: Address to listen at. Default: 127.0.0.1.
        port: Port of the first member; the others have the next ones. Default: 0, for free ports.
        members: Number of members. Default: 1.
        cluster_name: Name of the cluster, of its group in Hazelcast 3. Default: `dev`.
        password: Password of the group. Default: None; any is accepted, as by real members.
        partition_count: Number of partitions. Default: 271.
        client_removal_delay: Seconds after which a client that is gone loses its locks and permits,
            or a `timedelta`. Default: 60.
        ring_capacities: Capacities of ring buffers by a pattern of their names, such as `small*`.
            Default: 10,000 for all.
        max_entries: Largest number of entries and items of all structures.
        max_bytes: Largest number of bytes of them.

    Raises:
        ConfigError: a value is out of its range.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        members: int = 1,
        cluster_name: str = "dev",
        password: str | None = None,
        partition_count: int = PARTITIONS,
        client_removal_delay: float | timedelta = CLIENT_REMOVAL_DELAY,
        ring_capacities: Mapping[str, int] | None = None,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        _between("members", members, MAX_MEMBERS)
        _between("partition_count", partition_count, MAX_PARTITIONS)
        at_least("max_entries", max_entries, 1)
        at_least("max_bytes", max_bytes, 1)
        if port and port + members - 1 > 65535:
            raise ConfigError(f"port must leave room for {members} members, got {port}")
        for pattern, capacity in (ring_capacities or {}).items():
            at_least(f"ring_capacities[{pattern!r}]", capacity, 1)
        delay = to_seconds("client_removal_delay", client_removal_delay)
        self.host = host
        self.faults = Faults()
        """The failures that calls have."""
        self._advanced = 0.0
        self._members = [
            DoubleMember(host, port + number if port else 0) for number in range(members)
        ]
        self._cluster = DoubleCluster(
            self._members,
            cluster_name=cluster_name,
            password=password,
            partition_count=partition_count,
            budget=Budget(max_entries, max_bytes),
            client_removal_delay=round(delay * 1000),
            ring_capacities=dict(ring_capacities or {}),
            now=self._now,
        )
        # The clock of the machine may be set back; that of the double only goes on.
        self._epoch = time.time() - time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: DoubleServer | None = None
        self._thread: threading.Thread | None = None

    # Life

    def start(self) -> Self:
        """Start to serve.

        Returns:
            This double.

        Raises:
            TransportError: a port is in use, or the address is not one of this machine.
        """
        if self._thread is None:
            started: Future[None] = Future()
            self._thread = threads.start_thread(
                "jvmwire hazelcast double", self._run, started, purpose="serve"
            )
            try:
                started.result()
            except BaseException:
                self._thread.join()
                self._thread = self._server = self._loop = None
                raise
        return self

    def _run(self, started: Future[None]) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            self._ended = asyncio.Event()
            self._server = server = DoubleServer(self._cluster, self.faults)
            try:
                for member in self._members:
                    await server.start(member)
            except BaseException as error:
                await server.close()
                started.set_exception(error)
                return
            started.set_result(None)
            await self._ended.wait()
            await server.close()

        asyncio.run(serve())

    def stop(self) -> None:
        """Stop to serve; what is stored stays, and `start` serves it again at the same ports."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()
            self._thread = self._server = self._loop = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def ports(self) -> list[int]:
        """The ports of all members, of those that are stopped too."""
        return [member.port for member in self._members]

    @property
    def port(self) -> int:
        """The port of the first member."""
        return self.ports[0]

    @property
    def addresses(self) -> list[str]:
        """The addresses of all members, as `host:port`."""
        return [f"{self.host}:{port}" for port in self.ports]

    @property
    def address(self) -> str:
        """The address of the first member, as `host:port`."""
        return self.addresses[0]

    @property
    def uuids(self) -> list[str]:
        """The UUIDs of all members; a member has a new one each time that it is started."""
        return [member.uuid for member in self._members]

    # Control

    def fail(self, fault: Fault) -> None:
        """Let calls fail.

        Args:
            fault: The failure, with the name of a message such as `Map.put` for its `method`.
        """
        self.faults.add(fault)

    def advance(self, by: float | timedelta) -> None:
        """Move the clock of the double on: entries expire, leases and waits end.

        Args:
            by: Seconds, or a `timedelta`.

        Raises:
            ConfigError: it is negative.
        """
        self._advanced += to_seconds("by", by)
        server = self._server
        if server is not None:

            async def run() -> None:
                server.run_timers()

            self._within(run)

    def stop_member(self, number: int) -> None:
        """Stop one member: its connections are closed, and the others own its partitions.

        Args:
            number: Number of the member, from 0.

        Raises:
            ConfigError: there is no such member, it is stopped, or it is the last one.
            NotStarted: the double was not started.
        """
        server = self._started()
        member = self._member(number)

        async def stop() -> None:
            if not member.is_running:
                raise ConfigError(f"member {number} is stopped")
            if len(self._cluster.partitions.running) == 1:
                raise ConfigError(f"member {number} is the last one: stop the double")
            server.stop(member)

        self._within(stop)

    def start_member(self, number: int) -> None:
        """Start a member that was stopped: as another member, at the same port.

        Args:
            number: Number of the member, from 0.

        Raises:
            ConfigError: there is no such member, or it is running.
            NotStarted: the double was not started.
            TransportError: its port is in use.
        """
        server = self._started()
        member = self._member(number)

        async def start() -> None:
            if member.is_running:
                raise ConfigError(f"member {number} is running")
            await server.start(member)

        self._within(start)

    def _member(self, number: int) -> DoubleMember:
        if not 0 <= number < len(self._members):
            raise ConfigError(f"there are {len(self._members)} members, and none is {number}")
        return self._members[number]

    def _started(self) -> DoubleServer:
        if self._server is None:
            raise NotStarted("this double was not started")
        return self._server

    def _within(self, do: Callable[[], Coroutine[Any, Any, None]]) -> None:
        assert self._loop is not None  # it runs  # noqa: S101
        asyncio.run_coroutine_threadsafe(do(), self._loop).result()

    def _now(self) -> int:
        return round((self._epoch + time.monotonic() + self._advanced) * 1000)

    def __repr__(self) -> str:
        places = ", ".join(self.addresses) if self._thread is not None else "not started"
        return f"<HazelcastDouble {places}>"


def _between(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ConfigError(f"{name} must be 1 to {most}, got {value}")
