"""PNCounter: a counter that is replicated on several members and eventually consistent."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire._runtime.operations import Sleep
from jvmwire.errors import ConnectFailed, TransportError
from jvmwire.hazelcast._arguments import integer
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.errors import ConsistencyLost, HazelcastError

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hazelcast._members import Address

GET = HazelcastMessage.named("PNCounter.get")
ADD = HazelcastMessage.named("PNCounter.add")
REPLICA_COUNT = HazelcastMessage.named("PNCounter.getConfiguredReplicaCount")

_BEFORE, _AFTER = True, False
"""Values of `getBeforeUpdate`: whether to return the value before or after the update."""


@dataclass(eq=False, slots=True)
class _ObservedClock:
    """State that a client keeps of a counter."""

    seen: dict[str, int] = field(default_factory=dict)
    """Vector clock of the observed state: timestamp by replica UUID."""
    replica: Address | None = None
    shunned: Address | None = None
    """Replica that did not answer in time; it is avoided if there is another one."""
    replica_count: int | None = None


class PNCounterOperations(ClientProxy):
    """Operations of a counter, with read-your-writes and monotonic reads per client.

    The client keeps to one replica while that answers. If no remaining replica has the state that
    the client has observed, calls raise `ConsistencyLost` until `reset`.
    """

    service = "hz:impl:PNCounterService"

    @property
    def _known(self) -> _ObservedClock:
        return self._cluster.shared(self.service, self.name, _ObservedClock)

    @operation
    def get(self) -> Operation[int]:
        """Return the value.

        Returns:
            The value.

        Raises:
            ConsistencyLost: no replica has the state that the client has observed.
        """
        return (yield from self._ask_replica(GET))

    @operation
    def add_and_get(self, delta: int) -> Operation[int]:
        """Add to the value and return the new value.

        Args:
            delta: Number to add.

        Returns:
            The new value.

        Raises:
            ConsistencyLost: no replica has the state that the client has observed.
        """
        return (yield from self._ask_replica(ADD, integer("delta", delta), _AFTER))

    @operation
    def get_and_add(self, delta: int) -> Operation[int]:
        """Add to the value and return the old value.

        Args:
            delta: Number to add.

        Returns:
            The old value.

        Raises:
            ConsistencyLost: no replica has the state that the client has observed.
        """
        return (yield from self._ask_replica(ADD, integer("delta", delta), _BEFORE))

    @operation
    def reset(self) -> Operation[None]:
        """Forget the observed state, so that any replica may answer."""
        self._known.seen.clear()
        yield from self._cluster.ready()

    def _ask_replica(self, message: HazelcastMessage, *rest: Any) -> Operation[int]:
        cluster = self._cluster
        idempotent = message.retryable or cluster.options.redo
        tried: set[Address] = set()

        def choose() -> Operation[tuple[Connection, Request]]:
            while True:
                replica = yield from self._choose(tried)
                tried.add(replica)
                where = {"host": replica.host, "port": replica.port}
                fields = (self.name, *rest, list(self._known.seen.items()), where)
                try:
                    connection = yield from cluster.connection_at(replica)
                except TransportError:
                    if tried.issuperset(self._replicas()):
                        yield Sleep(cluster.options.retry_pause)
                else:
                    return connection, Request(message, fields, idempotent=idempotent)

        while True:
            try:
                value, seen, _ = yield from cluster.call_with_selector(choose)
                break
            except HazelcastError as error:
                # A replica that lacks the observed state has not applied the update.
                again = message is GET or isinstance(error, ConsistencyLost)
                if not again or tried.issuperset(self._replicas()):
                    raise
            except BaseException:
                # The replica may stay unresponsive for long.
                self._known.shunned, self._known.replica = self._known.replica, None
                raise
        for uuid, timestamp in seen:
            self._known.seen[uuid] = max(timestamp, self._known.seen.get(uuid, timestamp))
        return int(value)

    def _choose(self, tried: set[Address]) -> Operation[Address]:
        """Return the replica in use, or another one if that was tried."""
        cluster = self._cluster
        yield from cluster.create_proxy(self.service, self.name)
        if self._known.replica_count is None:
            self._known.replica_count = yield from self._value(REPLICA_COUNT)
        replicas = self._replicas()
        if not replicas:
            raise ConnectFailed("the cluster has no member that keeps data")
        if tried.issuperset(replicas):
            tried.clear()
        if self._known.replica not in replicas or self._known.replica in tried:
            left = [replica for replica in replicas if replica not in tried]
            better = [replica for replica in left if replica != self._known.shunned]
            self._known.replica = random.choice(better or left)  # noqa: S311 - any will do
        return self._known.replica

    def _replicas(self) -> list[Address]:
        """Return the addresses of the replicas: the data members that joined first."""
        members = self._cluster.members.values()
        return [member.address for member in members if not member.lite][
            : self._known.replica_count
        ]


class PNCounter(PNCounterOperations, ThreadIdentity):
    """A PN counter of the cluster, for threads."""


class AsyncPNCounter(PNCounterOperations, TaskIdentity):
    """A PN counter of the cluster, for asyncio."""
