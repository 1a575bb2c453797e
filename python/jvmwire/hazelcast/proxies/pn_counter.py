"""PNCounter: a number that every replica counts by itself, and that comes to be the same on all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire.client import operation
from jvmwire.errors import ConnectFailed, TransportError
from jvmwire.hazelcast.commands import Request
from jvmwire.hazelcast.errors import ConsistencyLost, HazelcastError
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy
from jvmwire.operations import Sleep

if TYPE_CHECKING:
    from jvmwire.client import AsyncCaller, SyncCaller
    from jvmwire.drivers.connection import Connection
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.hazelcast.members import Address
    from jvmwire.operations import Operation

GET = HazelcastMessage.named("PNCounter.get")
ADD = HazelcastMessage.named("PNCounter.add")
REPLICA_COUNT = HazelcastMessage.named("PNCounter.getConfiguredReplicaCount")

_BEFORE, _AFTER = True, False
"""What `getBeforeUpdate` says to return."""


class PNCounterOperations(Proxy):
    """What can be done with a counter. A client sees what it did, and never less than it saw.

    It keeps to one replica while that answers. If no replica is left that knows what the client has
    seen, it is told `ConsistencyLost`, until `reset`.
    """

    service = "hz:impl:PNCounterService"

    def _begin(self) -> None:
        self._seen: dict[str, int] = {}
        """What of each replica the client has seen: a vector clock."""
        self._replica: Address | None = None
        self._shunned: Address | None = None
        """The replica that did not answer in time, if another will do."""
        self._replica_count: int | None = None

    @operation
    def get(self) -> Operation[int]:
        """Return the number."""
        return (yield from self._ask_replica(GET))

    @operation
    def add_and_get(self, delta: int) -> Operation[int]:
        """Add to it; return what it is now."""
        return (yield from self._ask_replica(ADD, delta, _AFTER))

    @operation
    def get_and_add(self, delta: int) -> Operation[int]:
        """Add to it; return what it was."""
        return (yield from self._ask_replica(ADD, delta, _BEFORE))

    @operation
    def reset(self) -> Operation[None]:
        """Forget what was seen, so that any replica will do."""
        self._seen.clear()
        yield from self._cluster.ready()

    def _ask_replica(self, message: HazelcastMessage, *rest: Any) -> Operation[int]:
        cluster = self._cluster
        repeatable = message.retryable or cluster.options.redo
        tried: set[Address] = set()

        def choose() -> Operation[tuple[Connection, Request]]:
            while True:
                replica = yield from self._choose(tried)
                tried.add(replica)
                where = {"host": replica.host, "port": replica.port}
                fields = (self.name, *rest, list(self._seen.items()), where)
                try:
                    connection = yield from cluster.connection_at(replica)
                except TransportError:
                    if tried.issuperset(self._replicas()):
                        yield Sleep(cluster.options.retry_pause)
                else:
                    return connection, Request(message, fields, repeatable=repeatable)

        while True:
            try:
                value, seen, _ = yield from cluster.call_chosen(choose)
                break
            except HazelcastError as error:
                # Who knows too little has done nothing.
                again = message is GET or isinstance(error, ConsistencyLost)
                if not again or tried.issuperset(self._replicas()):
                    raise
            except BaseException:
                # It may owe an answer for long.
                self._shunned, self._replica = self._replica, None
                raise
        for uuid, timestamp in seen:
            self._seen[uuid] = max(timestamp, self._seen.get(uuid, timestamp))
        return int(value)

    def _choose(self, tried: set[Address]) -> Operation[Address]:
        """Return the replica that we keep to, or another one if it was tried."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        if self._replica_count is None:
            self._replica_count = yield from self._value(REPLICA_COUNT)
        replicas = self._replicas()
        if not replicas:
            raise ConnectFailed("the cluster has no member that keeps data")
        if tried.issuperset(replicas):
            tried.clear()
        if self._replica not in replicas or self._replica in tried:
            left = [replica for replica in replicas if replica not in tried]
            better = [replica for replica in left if replica != self._shunned]
            self._replica = random.choice(better or left)  # noqa: S311 - any will do
        return self._replica

    def _replicas(self) -> list[Address]:
        """Return where replicas are: on the members with data that joined first."""
        members = self._cluster.members.values()
        return [member.address for member in members if not member.lite][: self._replica_count]


class PNCounter(PNCounterOperations, SyncProxy):
    """A counter of the cluster, for threads."""

    def __init__(self, client: SyncCaller, cluster: Cluster, name: str) -> None:
        super().__init__(client, cluster, name)
        self._begin()


class AsyncPNCounter(PNCounterOperations, AsyncProxy):
    """A counter of the cluster, for asyncio."""

    def __init__(self, client: AsyncCaller, cluster: Cluster, name: str) -> None:
        super().__init__(client, cluster, name)
        self._begin()
