"""A client of a Hazelcast cluster: every call once, for threads and for asyncio."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import AsyncClient, SyncClient, operation
from jvmwire.errors import JvmWireError, LocalProtocolError
from jvmwire.hazelcast.arguments import at_least, text
from jvmwire.hazelcast.cluster import Cluster
from jvmwire.hazelcast.commands import NO_PARTITION, Key, Request
from jvmwire.hazelcast.cp.subsystem import AsyncCPSubsystem, CPSubsystem
from jvmwire.hazelcast.listening import Registration
from jvmwire.hazelcast.members import Address, Lifecycle, Member, MembershipEvent
from jvmwire.hazelcast.near_cache.map import AsyncNearCachedMap, NearCachedMap
from jvmwire.hazelcast.options import HazelcastOptions
from jvmwire.hazelcast.proxies.cardinality import AsyncCardinalityEstimator, CardinalityEstimator
from jvmwire.hazelcast.proxies.collections import (
    AsyncList,
    AsyncQueue,
    AsyncSet,
    List,
    Queue,
    Set,
)
from jvmwire.hazelcast.proxies.coordination import (
    AsyncCountDownLatch,
    AsyncSemaphore,
    CountDownLatch,
    Semaphore,
)
from jvmwire.hazelcast.proxies.durable_executor import AsyncDurableExecutor, DurableExecutor
from jvmwire.hazelcast.proxies.executor import AsyncExecutor, Executor
from jvmwire.hazelcast.proxies.ids import (
    AsyncFlakeIdGenerator,
    AsyncIdGenerator,
    FlakeIdGenerator,
    IdGenerator,
)
from jvmwire.hazelcast.proxies.locks import AsyncLock, Lock
from jvmwire.hazelcast.proxies.map import AsyncMap, Map
from jvmwire.hazelcast.proxies.multimap import AsyncMultiMap, MultiMap
from jvmwire.hazelcast.proxies.numbers import AsyncAtomicLong, AtomicLong
from jvmwire.hazelcast.proxies.pn_counter import AsyncPNCounter, PNCounter
from jvmwire.hazelcast.proxies.reference import AsyncAtomicReference, AtomicReference
from jvmwire.hazelcast.proxies.reliable_topic import AsyncReliableTopic, ReliableTopic
from jvmwire.hazelcast.proxies.replicated_map import AsyncReplicatedMap, ReplicatedMap
from jvmwire.hazelcast.proxies.ringbuffer import AsyncRingbuffer, Ringbuffer
from jvmwire.hazelcast.proxies.scheduled_executor import AsyncScheduledExecutor, ScheduledExecutor
from jvmwire.hazelcast.proxies.topic import AsyncTopic, Topic
from jvmwire.hazelcast.proxies.transaction import (
    TIMEOUT,
    AsyncTransaction,
    Transaction,
    TransactionType,
)
from jvmwire.options import CLOSE_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.operations import Mailbox, Operation
    from jvmwire.hazelcast.partitions import MigrationEvent
    from jvmwire.hazelcast.proxies.proxy import AsyncProxy, SyncProxy

_GET_DISTRIBUTED_OBJECTS = HazelcastMessage.named("Client.getDistributedObjects")
_PING = HazelcastMessage.named("Client.ping")
_LISTEN_OBJECTS = HazelcastMessage.named("Client.addDistributedObjectListener")
_UNLISTEN_OBJECTS = HazelcastMessage.named("Client.removeDistributedObjectListener")
_LISTEN_LOST = HazelcastMessage.named("Client.addPartitionLostListener")
_UNLISTEN_LOST = HazelcastMessage.named("Client.removePartitionLostListener")

_READS = (
    *("get", "contains", "size", "isEmpty", "keySet", "values", "entrySet", "entriesWith"),
    *("fetch", "aggregate", "project", "add", "isLocked", "lock", "tryLock", "unlock"),
    *("removeEntryListener", "removePartitionLostListener", "removeInterceptor"),
)
"""What the names of requests for a map begin with that change no entry."""

SyncProxyT = TypeVar("SyncProxyT", bound="SyncProxy")
AsyncProxyT = TypeVar("AsyncProxyT", bound="AsyncProxy")


@dataclass(frozen=True, slots=True)
class DistributedObjectEvent:
    """A structure was created or destroyed."""

    name: str
    service: str
    created: bool


@dataclass(frozen=True, slots=True)
class PartitionLost:
    """A partition was lost with some of its backups."""

    partition_id: int
    lost_backups: int
    source: Address | None
    """The member that told."""


class _Operations:
    _cluster: Cluster

    @property
    def members(self) -> tuple[Member, ...]:
        """The members of the cluster, as they joined."""
        return tuple(self._cluster.members.values())

    @property
    def partition_count(self) -> int:
        """How many partitions the cluster has."""
        return self._cluster.partitions.count

    def partition_of(self, key: object) -> int:
        """Return the partition of a key, as members compute it.

        Args:
            key: A key of a map or another structure whose entries lie in many partitions.

        Returns:
            A number from 0 to `partition_count - 1`.

        Raises:
            ValueError: the key is None.
            jvmwire.LocalProtocolError: no cluster has told its partitions yet.

        Source: HashUtil.hashToIndex and PartitionService.getPartition (Hazelcast 3.12).
        """
        if key is None:
            raise ValueError("key must not be None")
        if not self.partition_count:
            raise LocalProtocolError("no cluster has told its partitions yet")
        return self._cluster.partition_of(self._cluster.serialization.to_data(key))

    def partition_owner(self, partition_id: int) -> Address | None:
        """Return where the member listens that owns a partition; None if nobody does now.

        Raises:
            ValueError: the cluster has no such partition.
        """
        at_least("partition_id", partition_id, 0)
        if partition_id >= self.partition_count:
            raise ValueError(
                f"partition_id must be below {self.partition_count}, got {partition_id}"
            )
        return self._cluster.partitions.owners[partition_id]

    @property
    def oldest_version(self) -> tuple[int, ...]:
        """The lowest version of the members that are connected, such as (3, 12, 13)."""
        return self._cluster.oldest_version()

    @property
    def repeated_calls(self) -> int:
        """How many calls were sent again, since the beginning."""
        return self._cluster.repeated_calls

    @property
    def late_replies(self) -> int:
        """How many answers were dropped because nobody waited for them any more."""
        return self._cluster.late_replies

    @operation
    def invoke(
        self, name: str, /, *, partition_id: int | None = None, **fields: Any
    ) -> Operation[dict[str, Any]]:
        """Send any request of the protocol, by its name as `Map.put`; return the answer's fields.

        Fields are named as in the protocol's document, in snake_case; `Data` is serialized bytes.
        The partition is that of the field which the protocol names, else `partition_id`, else none;
        where a field is called so, it is that.
        Fields that later versions added may be left out.
        """
        message = HazelcastMessage.named(text("name", name))
        if partition_id is not None and "partition_id" in message.fields:
            fields["partition_id"] = partition_id
        if unknown := fields.keys() - set(message.fields):
            raise ValueError(f"{name} has no field {', '.join(sorted(unknown))}")
        values: list[Any] = []
        for at, field in enumerate(message.fields):
            if field not in fields:
                if at < message.required:
                    raise ValueError(f"{name} needs {field}")
                break
            values.append(fields[field])
        if len(values) < len(fields):
            raise ValueError(f"{name}: all fields before {list(fields)[-1]} are needed")
        yield from self._cluster.ready()
        key: bytes | str | Key | None = None
        if partition_id is None:
            partition_id, key = self._partition_of(message, fields)
        try:
            found = yield from self._cluster.request(message, tuple(values), partition_id, key=key)
        finally:
            self._note_changed(name, fields)
        response = HazelcastMessage.of_type(message.response)
        names = [] if response is None else response.fields
        return dict(zip(names, found, strict=True))

    def _note_changed(self, name: str, fields: dict[str, Any]) -> None:
        """Have a near cache read again what a request for its map may have changed."""
        service, _, method = name.partition(".")
        # Those of query caches name their map otherwise, and change nothing in it.
        if service == "Map" and not method.startswith(_READS) and "name" in fields:
            changed = fields.get("key")
            keys = [changed] if isinstance(changed, bytes) else None
            self._cluster.note_changed(fields["name"], keys)

    def _partition_of(
        self, message: HazelcastMessage, fields: dict[str, Any]
    ) -> tuple[int, bytes | str | Key | None]:
        """Return the partition of a request, or what it is computed of."""
        picked = message.partition
        if picked == "any":
            return NO_PARTITION, Key.ANY
        value = fields.get("partition_id" if picked == "given" else picked)
        if isinstance(value, (str, bytes)):
            return NO_PARTITION, value
        return value if isinstance(value, int) else NO_PARTITION, None

    @operation
    def ping(self) -> Operation[None]:
        """Ask a member for a sign of life."""
        yield from self._cluster.ready()
        yield from self._cluster.call(Request(_PING, (), repeatable=True))

    @operation
    def get_distributed_objects(self) -> Operation[list[tuple[str, str]]]:
        """Return service and name of each structure that the cluster has."""
        yield from self._cluster.ready()
        request = Request(_GET_DISTRIBUTED_OBJECTS, (), repeatable=True)
        [objects] = yield from self._cluster.call(request)
        return [(found["service_name"], found["name"]) for found in objects]

    @operation
    def add_membership_listener(self, callback: Callable[[MembershipEvent], Any]) -> Operation[str]:
        """Call `callback` with each member that is there, then with each change.

        Returns the id that `remove_listener` takes.
        """
        return (yield from self._listen_locally(callback, self._cluster.add_membership_listener))

    def _listen_locally(
        self,
        callback: Callable[[Any], Any],
        add: Callable[[str, Mailbox], None],
        *,
        at_once: bool = False,
    ) -> Operation[str]:
        """Have `callback` hear what the client itself finds out, and return the listener's id."""
        wanted = self._cluster.new_mailbox(callback)
        if not at_once:
            yield from self._cluster.ready()
        mailbox: Mailbox = yield wanted
        key = str(uuid.uuid4())
        add(key, mailbox)
        return key

    @operation
    def add_lifecycle_listener(self, callback: Callable[[Lifecycle], Any]) -> Operation[str]:
        """Call `callback` when the cluster is reached or lost, and when the client is closed."""
        add = self._cluster.add_lifecycle_listener
        return (yield from self._listen_locally(callback, add, at_once=True))

    @operation
    def add_distributed_object_listener(
        self, callback: Callable[[DistributedObjectEvent], Any]
    ) -> Operation[str]:
        """Call `callback` when a structure is created or destroyed, by whomever."""

        def understand(pushed: tuple[int, tuple[str, str, str]]) -> DistributedObjectEvent:
            name, service, what = pushed[1]
            return DistributedObjectEvent(name, service, what == "CREATED")

        mailbox: Mailbox = yield self._cluster.new_mailbox(callback, understand)
        registration = Registration(_LISTEN_OBJECTS, (), _UNLISTEN_OBJECTS, (), mailbox)
        return (yield from self._cluster.register(registration))

    @operation
    def add_partition_lost_listener(
        self, callback: Callable[[PartitionLost], Any]
    ) -> Operation[str]:
        """Call `callback` when a partition is lost with some of its backups."""

        def understand(pushed: tuple[int, tuple[int, int, Any]]) -> PartitionLost:
            partition_id, backups, source = pushed[1]
            told = None if source is None else Address.of(source)
            return PartitionLost(partition_id, backups, told)

        mailbox: Mailbox = yield self._cluster.new_mailbox(callback, understand)
        registration = Registration(_LISTEN_LOST, (), _UNLISTEN_LOST, (), mailbox)
        return (yield from self._cluster.register(registration))

    @operation
    def add_migration_listener(self, callback: Callable[[MigrationEvent], Any]) -> Operation[str]:
        """Call `callback` with each partition that another member owns from now on.

        The client compares the tables that members tell: protocol 1.x has no message for the
        migration itself. Members before 3.9 are asked for theirs each ten seconds.
        """
        return (yield from self._listen_locally(callback, self._cluster.add_migration_listener))

    @operation
    def remove_listener(self, registration_id: str) -> Operation[bool]:
        """Stop a listener of the client; return whether it was one."""
        return (yield from self._cluster.remove(registration_id))

    @operation
    def _end_sessions(self) -> Operation[None]:
        yield from self._cluster.sessions.close()

    @operation
    def _tell_shutdown(self) -> Operation[None]:
        yield from self._cluster.shut_down()

    @operation
    def _connect(self) -> Operation[None]:
        yield from self._cluster.join()


class HazelcastClient(_Operations, SyncClient):
    """Blocking client of a cluster; threads may share it."""

    def __init__(
        self, addresses: Iterable[str] = ("127.0.0.1",), options: HazelcastOptions | None = None
    ) -> None:
        options = options or HazelcastOptions()
        super().__init__(options, callbacks=options.event_threads)
        self._cluster = Cluster(addresses, options, awaits=False)

    @classmethod
    def connect(
        cls, addresses: Iterable[str] = ("127.0.0.1",), options: HazelcastOptions | None = None
    ) -> Self:
        """Return a client that is connected to the cluster; it stays so as well as it can."""
        client = cls(addresses, options)
        return client._connect_or_close(client._connect)

    def close(self, *, linger: float = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give the open ones `linger` seconds, end the rest. Twice is fine."""
        if self._cluster.sessions and linger:
            with suppress(JvmWireError):
                self.within(linger)._end_sessions()
        if self._cluster.lifecycle_listeners and linger:
            with suppress(JvmWireError):
                self.within(linger)._tell_shutdown()
        super().close(linger=linger)

    @property
    def cp(self) -> CPSubsystem:
        """The structures of the CP subsystem."""
        return CPSubsystem(self, self._cluster)

    def _proxy(self, kind: type[SyncProxyT], name: str) -> SyncProxyT:
        return kind(self, self._cluster, name)

    def transaction(
        self,
        *,
        timeout: float = TIMEOUT,
        durability: int = 1,
        kind: TransactionType = TransactionType.TWO_PHASE,
    ) -> Transaction:
        """Return a transaction for `with`: the member gives it up after `timeout` seconds.

        Of one in two phases `durability` members more know, in case the first is lost.
        """
        return Transaction(self, self._cluster, timeout=timeout, durability=durability, kind=kind)

    def get_map(self, name: str) -> Map:
        """Return the map of that name; it comes about when it is used."""
        text("name", name)
        if (near := self._cluster.near_cache(name)) is not None:
            return NearCachedMap(self, self._cluster, name, near)
        return self._proxy(Map, name)

    def get_queue(self, name: str) -> Queue:
        """Return the queue of that name."""
        return self._proxy(Queue, name)

    def get_list(self, name: str) -> List:
        """Return the list of that name."""
        return self._proxy(List, name)

    def get_set(self, name: str) -> Set:
        """Return the set of that name."""
        return self._proxy(Set, name)

    def get_multi_map(self, name: str) -> MultiMap:
        """Return the multimap of that name."""
        return self._proxy(MultiMap, name)

    def get_topic(self, name: str) -> Topic:
        """Return the topic of that name."""
        return self._proxy(Topic, name)

    def get_reliable_topic(self, name: str) -> ReliableTopic:
        """Return the reliable topic of that name."""
        return self._proxy(ReliableTopic, name)

    def get_lock(self, name: str) -> Lock:
        """Return the lock of that name."""
        return self._proxy(Lock, name)

    def get_ringbuffer(self, name: str) -> Ringbuffer:
        """Return the ringbuffer of that name."""
        return self._proxy(Ringbuffer, name)

    def get_atomic_long(self, name: str) -> AtomicLong:
        """Return the number of that name."""
        return self._proxy(AtomicLong, name)

    def get_pn_counter(self, name: str) -> PNCounter:
        """Return the counter of that name that is kept on many members."""
        return self._proxy(PNCounter, name)

    def get_replicated_map(self, name: str) -> ReplicatedMap:
        """Return the replicated map of that name."""
        return self._proxy(ReplicatedMap, name)

    def get_atomic_reference(self, name: str) -> AtomicReference:
        """Return the value of that name."""
        return self._proxy(AtomicReference, name)

    def get_count_down_latch(self, name: str) -> CountDownLatch:
        """Return the latch of that name."""
        return self._proxy(CountDownLatch, name)

    def get_semaphore(self, name: str) -> Semaphore:
        """Return the semaphore of that name."""
        return self._proxy(Semaphore, name)

    def get_id_generator(self, name: str) -> IdGenerator:
        """Return the source of ids of that name."""
        return self._proxy(IdGenerator, name)

    def get_flake_id_generator(self, name: str) -> FlakeIdGenerator:
        """Return the source of ids of time and member of that name."""
        return self._proxy(FlakeIdGenerator, name)

    def get_cardinality_estimator(self, name: str) -> CardinalityEstimator:
        """Return what estimates how many different values there were, of that name."""
        return self._proxy(CardinalityEstimator, name)

    def get_executor(self, name: str) -> Executor:
        """Return the executor of that name."""
        return self._proxy(Executor, name)

    def get_durable_executor(self, name: str) -> DurableExecutor:
        """Return the durable executor of that name."""
        return self._proxy(DurableExecutor, name)

    def get_scheduled_executor(self, name: str) -> ScheduledExecutor:
        """Return the scheduled executor of that name."""
        return self._proxy(ScheduledExecutor, name)


class AsyncHazelcastClient(_Operations, AsyncClient):
    """The same calls, awaited; they may overlap."""

    def __init__(
        self, addresses: Iterable[str] = ("127.0.0.1",), options: HazelcastOptions | None = None
    ) -> None:
        options = options or HazelcastOptions()
        super().__init__(options, callbacks=options.event_threads)
        self._cluster = Cluster(addresses, options, awaits=True)

    @classmethod
    async def connect(
        cls, addresses: Iterable[str] = ("127.0.0.1",), options: HazelcastOptions | None = None
    ) -> Self:
        """Return a client that is connected to the cluster; it stays so as well as it can."""
        client = cls(addresses, options)
        return await client._connect_or_close(client._connect)

    async def close(self, *, linger: float = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give the open ones `linger` seconds, end the rest. Twice is fine."""
        if self._cluster.sessions and linger:
            with suppress(JvmWireError):
                await self.within(linger)._end_sessions()
        if self._cluster.lifecycle_listeners and linger:
            with suppress(JvmWireError):
                await self.within(linger)._tell_shutdown()
        await super().close(linger=linger)

    @property
    def cp(self) -> AsyncCPSubsystem:
        """The structures of the CP subsystem."""
        return AsyncCPSubsystem(self, self._cluster)

    def _proxy(self, kind: type[AsyncProxyT], name: str) -> AsyncProxyT:
        return kind(self, self._cluster, name)

    def transaction(
        self,
        *,
        timeout: float = TIMEOUT,
        durability: int = 1,
        kind: TransactionType = TransactionType.TWO_PHASE,
    ) -> AsyncTransaction:
        """Return a transaction for `async with`: the member gives it up after `timeout` seconds.

        Of one in two phases `durability` members more know, in case the first is lost.
        """
        return AsyncTransaction(
            self, self._cluster, timeout=timeout, durability=durability, kind=kind
        )

    def get_map(self, name: str) -> AsyncMap:
        """Return the map of that name; it comes about when it is used."""
        text("name", name)
        if (near := self._cluster.near_cache(name)) is not None:
            return AsyncNearCachedMap(self, self._cluster, name, near)
        return self._proxy(AsyncMap, name)

    def get_queue(self, name: str) -> AsyncQueue:
        """Return the queue of that name."""
        return self._proxy(AsyncQueue, name)

    def get_list(self, name: str) -> AsyncList:
        """Return the list of that name."""
        return self._proxy(AsyncList, name)

    def get_set(self, name: str) -> AsyncSet:
        """Return the set of that name."""
        return self._proxy(AsyncSet, name)

    def get_multi_map(self, name: str) -> AsyncMultiMap:
        """Return the multimap of that name."""
        return self._proxy(AsyncMultiMap, name)

    def get_topic(self, name: str) -> AsyncTopic:
        """Return the topic of that name."""
        return self._proxy(AsyncTopic, name)

    def get_reliable_topic(self, name: str) -> AsyncReliableTopic:
        """Return the reliable topic of that name."""
        return self._proxy(AsyncReliableTopic, name)

    def get_lock(self, name: str) -> AsyncLock:
        """Return the lock of that name."""
        return self._proxy(AsyncLock, name)

    def get_ringbuffer(self, name: str) -> AsyncRingbuffer:
        """Return the ringbuffer of that name."""
        return self._proxy(AsyncRingbuffer, name)

    def get_atomic_long(self, name: str) -> AsyncAtomicLong:
        """Return the number of that name."""
        return self._proxy(AsyncAtomicLong, name)

    def get_pn_counter(self, name: str) -> AsyncPNCounter:
        """Return the counter of that name that is kept on many members."""
        return self._proxy(AsyncPNCounter, name)

    def get_replicated_map(self, name: str) -> AsyncReplicatedMap:
        """Return the replicated map of that name."""
        return self._proxy(AsyncReplicatedMap, name)

    def get_atomic_reference(self, name: str) -> AsyncAtomicReference:
        """Return the value of that name."""
        return self._proxy(AsyncAtomicReference, name)

    def get_count_down_latch(self, name: str) -> AsyncCountDownLatch:
        """Return the latch of that name."""
        return self._proxy(AsyncCountDownLatch, name)

    def get_semaphore(self, name: str) -> AsyncSemaphore:
        """Return the semaphore of that name."""
        return self._proxy(AsyncSemaphore, name)

    def get_id_generator(self, name: str) -> AsyncIdGenerator:
        """Return the source of ids of that name."""
        return self._proxy(AsyncIdGenerator, name)

    def get_flake_id_generator(self, name: str) -> AsyncFlakeIdGenerator:
        """Return the source of ids of time and member of that name."""
        return self._proxy(AsyncFlakeIdGenerator, name)

    def get_cardinality_estimator(self, name: str) -> AsyncCardinalityEstimator:
        """Return what estimates how many different values there were, of that name."""
        return self._proxy(AsyncCardinalityEstimator, name)

    def get_executor(self, name: str) -> AsyncExecutor:
        """Return the executor of that name."""
        return self._proxy(AsyncExecutor, name)

    def get_durable_executor(self, name: str) -> AsyncDurableExecutor:
        """Return the durable executor of that name."""
        return self._proxy(AsyncDurableExecutor, name)

    def get_scheduled_executor(self, name: str) -> AsyncScheduledExecutor:
        """Return the scheduled executor of that name."""
        return self._proxy(AsyncScheduledExecutor, name)
