"""Client of a Hazelcast cluster, with every call written once for threads and for asyncio."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

from jvmwire._checks import at_least
from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import (
    AsyncClient,
    Client,
    Connecting,
    Either,
    SyncClient,
    connector,
    factory,
    operation,
)
from jvmwire.errors import StateError
from jvmwire.hazelcast._addresses import seeds_of
from jvmwire.hazelcast._arguments import no_none, text
from jvmwire.hazelcast._cluster import Cluster
from jvmwire.hazelcast._commands import NO_PARTITION, Key, Request
from jvmwire.hazelcast._listener_service import Registration
from jvmwire.hazelcast._members import Address, Lifecycle, Member, MembershipEvent
from jvmwire.hazelcast._options import HazelcastOptions
from jvmwire.hazelcast._proxies.atomic_long import AsyncAtomicLong, AtomicLong
from jvmwire.hazelcast._proxies.cardinality import AsyncCardinalityEstimator, CardinalityEstimator
from jvmwire.hazelcast._proxies.collections import (
    AsyncList,
    AsyncQueue,
    AsyncSet,
    List,
    Queue,
    Set,
)
from jvmwire.hazelcast._proxies.coordination import (
    AsyncCountDownLatch,
    AsyncSemaphore,
    CountDownLatch,
    Semaphore,
)
from jvmwire.hazelcast._proxies.durable_executor import AsyncDurableExecutor, DurableExecutor
from jvmwire.hazelcast._proxies.executor import AsyncExecutor, Executor
from jvmwire.hazelcast._proxies.id_generators import (
    AsyncFlakeIdGenerator,
    AsyncIdGenerator,
    FlakeIdGenerator,
    IdGenerator,
)
from jvmwire.hazelcast._proxies.locks import AsyncLock, Lock
from jvmwire.hazelcast._proxies.map.map import AsyncMap, Map
from jvmwire.hazelcast._proxies.multimap import AsyncMultiMap, MultiMap
from jvmwire.hazelcast._proxies.pn_counter import AsyncPNCounter, PNCounter
from jvmwire.hazelcast._proxies.reference import AsyncAtomicReference, AtomicReference
from jvmwire.hazelcast._proxies.reliable_topic import AsyncReliableTopic, ReliableTopic
from jvmwire.hazelcast._proxies.replicated_map import AsyncReplicatedMap, ReplicatedMap
from jvmwire.hazelcast._proxies.ringbuffer import AsyncRingbuffer, Ringbuffer
from jvmwire.hazelcast._proxies.scheduled_executor import AsyncScheduledExecutor, ScheduledExecutor
from jvmwire.hazelcast._proxies.topic import AsyncTopic, Topic
from jvmwire.hazelcast._proxies.transaction import (
    TIMEOUT,
    AsyncTransaction,
    Transaction,
    TransactionType,
)
from jvmwire.hazelcast.cp._sessions import Sessions
from jvmwire.hazelcast.cp._subsystem import AsyncCPSubsystem, CPSubsystem
from jvmwire.hazelcast.near_cache._caches import NearCaches
from jvmwire.hazelcast.near_cache._map import AsyncNearCachedMap, NearCachedMap
from jvmwire.hazelcast.query_cache._caches import QueryCaches
from jvmwire.options import merge_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta
    from typing import Unpack

    from jvmwire._runtime.operations import Mailbox, Operation
    from jvmwire.hazelcast._invoker import OpenTransaction
    from jvmwire.hazelcast._options import HazelcastKeywords
    from jvmwire.hazelcast._partitions import MigrationEvent
    from jvmwire.transports._addresses import EndpointsLike

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
"""Prefixes of the method names of `Map` requests that change no entry."""


@dataclass(frozen=True, slots=True)
class DistributedObjectEvent:
    """The event that a distributed object was created or destroyed.

    Args:
        name: Name of the object.
        service: Java service that keeps the object, such as `hz:impl:mapService`.
        created: True if it was created, False if it was destroyed.
    """

    name: str
    service: str
    created: bool


@dataclass(frozen=True, slots=True)
class PartitionLost:
    """The event that a partition was lost together with some of its backups.

    Args:
        partition_id: Partition that was lost, from 0.
        lost_backups: Number of backups that were lost with it.
        source: Address of the member that reported the loss, or None.
    """

    partition_id: int
    lost_backups: int
    source: Address | None
    """The member that reported the loss."""


class _HazelcastMethods(Client):
    """Operations of the cluster that the blocking and the asyncio client share."""

    def __init__(
        self,
        addresses: EndpointsLike = "127.0.0.1",
        options: HazelcastOptions | None = None,
        **keywords: Unpack[HazelcastKeywords],
    ) -> None:
        seeds, options = seeds_of(addresses, merge_options(HazelcastOptions, options, keywords))
        super().__init__(options, callbacks=options.event_threads)
        self._seeds = ",".join(seeds)
        self._cluster = cluster = Cluster(seeds, options, awaits=self._awaits)
        self._sessions = Sessions(cluster)
        """Sessions of the CP subsystem."""
        self._near_caches = NearCaches(cluster)
        cluster.observe(self._near_caches)
        self._query_caches = QueryCaches(cluster)
        self._transactions: WeakValueDictionary[int, OpenTransaction] = WeakValueDictionary()
        """Transactions by the number of the thread or task that began them."""

    @connector
    def connect(
        cls,
        addresses: EndpointsLike = "127.0.0.1",
        options: HazelcastOptions | None = None,
        **keywords: Unpack[HazelcastKeywords],
    ) -> Either[Self, Connecting[Self]]:
        """Create a client and connect it to the cluster.

        A client that loses the cluster reconnects; see `HazelcastOptions.reconnect_retry`.

        Args:
            addresses: Addresses of members, as for the class.
            options: Settings of the client; `HazelcastOptions()` by default.
            **keywords: Fields of `HazelcastOptions`, which take precedence over `options`.

        Returns:
            The connected client. An asyncio client is awaited, or used in `async with`.
        """
        return cls._open(addresses, options, **keywords)

    def _target(self) -> str:
        return f"{self._seeds} cluster={self._cluster.options.cluster_name!r}"

    @property
    def members(self) -> tuple[Member, ...]:
        """The members of the cluster, in the order in which they joined."""
        return tuple(self._cluster.members.values())

    @property
    def partition_count(self) -> int:
        """The number of partitions of the cluster."""
        return self._cluster.partitions.count

    def partition_of(self, key: object) -> int:
        """Return the partition of a key, as members compute it.

        Args:
            key: A key of a map or another structure whose entries lie in many partitions.

        Returns:
            A number from 0 to `partition_count - 1`.

        Raises:
            ValueError: the key is None.
            jvmwire.StateError: no cluster has sent its partition table yet.

        Source: HashUtil.hashToIndex and PartitionService.getPartition (Hazelcast 3.12).
        """
        if key is None:
            raise no_none()
        if not self.partition_count:
            raise StateError("no cluster has sent its partition table yet")
        return self._cluster.partition_of(self._cluster.serialization.to_data(key))

    def partition_owner(self, partition_id: int) -> Address | None:
        """Return the address of the member that owns a partition.

        Args:
            partition_id: A number from 0 to `partition_count - 1`.

        Returns:
            The owner's address; None while the partition has no owner.

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
        """The lowest version among the connected members, such as (3, 12, 13)."""
        return self._cluster.oldest_version()

    @property
    def repeated_calls(self) -> int:
        """The number of calls that were sent again since the client was created."""
        return self._cluster.repeated_calls

    @property
    def late_replies(self) -> int:
        """The number of replies that were dropped because no call waited for them any more."""
        return self._cluster.late_replies

    @operation
    def invoke(
        self, name: str, /, *, partition_id: int | None = None, **fields: Any
    ) -> Operation[dict[str, Any]]:
        """Send any request of the protocol by its name and return the fields of the response.

        Fields are named as in the protocol's document, in snake_case; `Data` is serialized bytes.
        The partition is computed from the field that the protocol names for this request, else it
        is `partition_id`, else the request has no partition. If the request has a field
        `partition_id`, the argument fills that field.

        Args:
            name: Name of the request, such as `Map.put`.
            partition_id: Partition that the request is sent to.
            **fields: Fields of the request; fields that later versions added may be left out.

        Returns:
            The fields of the response by name.

        Raises:
            ValueError: `fields` has a field that the request does not have, or lacks one it
                needs.
            HazelcastError: the member answered with an error.
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
        """Invalidate the near cache entries that a request for the map may have changed."""
        service, _, method = name.partition(".")
        # Those of query caches name their map otherwise, and change nothing in it.
        if service == "Map" and not method.startswith(_READS) and "name" in fields:
            changed = fields.get("key")
            keys = [changed] if isinstance(changed, bytes) else None
            self._near_caches.invalidate(fields["name"], keys)

    def _partition_of(
        self, message: HazelcastMessage, fields: dict[str, Any]
    ) -> tuple[int, bytes | str | Key | None]:
        """Return the partition of a request, or the value from which it is computed."""
        picked = message.partition
        if picked == "any":
            return NO_PARTITION, Key.ANY_PARTITION
        value = fields.get("partition_id" if picked == "given" else picked)
        if isinstance(value, (str, bytes)):
            return NO_PARTITION, value
        return value if isinstance(value, int) else NO_PARTITION, None

    @operation
    def ping(self) -> Operation[None]:
        """Send a ping to a member and wait for its reply."""
        yield from self._cluster.ready()
        yield from self._cluster.call(Request(_PING, (), idempotent=True))

    @operation
    def get_distributed_objects(self) -> Operation[list[tuple[str, str]]]:
        """Fetch the service and the name of every distributed object of the cluster.

        Returns:
            Pairs of service, such as `hz:impl:mapService`, and name.

        Source: Client.getDistributedObjects.
        """
        yield from self._cluster.ready()
        request = Request(_GET_DISTRIBUTED_OBJECTS, (), idempotent=True)
        [objects] = yield from self._cluster.call(request)
        return [(found["service_name"], found["name"]) for found in objects]

    @operation
    def add_membership_listener(self, callback: Callable[[MembershipEvent], Any]) -> Operation[str]:
        """Call `callback` with each present member, then with each change of the membership.

        Args:
            callback: Function that takes a `MembershipEvent`.

        Returns:
            The registration id that `remove_listener` takes.
        """
        return (yield from self._listen_locally(callback, self._cluster.add_membership_listener))

    def _listen_locally(
        self,
        callback: Callable[[Any], Any],
        add: Callable[[str, Mailbox], None],
        *,
        at_once: bool = False,
    ) -> Operation[str]:
        """Register `callback` for events that the client itself detects; return the id."""
        wanted = self._cluster.new_mailbox(callback)
        if not at_once:
            yield from self._cluster.ready()
        mailbox: Mailbox = yield wanted
        key = str(uuid.uuid4())
        add(key, mailbox)
        return key

    @operation
    def add_lifecycle_listener(self, callback: Callable[[Lifecycle], Any]) -> Operation[str]:
        """Call `callback` when the cluster is reached or lost, and when the client is closed.

        Args:
            callback: Function that takes a `Lifecycle`.

        Returns:
            The registration id that `remove_listener` takes.
        """
        add = self._cluster.add_lifecycle_listener
        return (yield from self._listen_locally(callback, add, at_once=True))

    @operation
    def add_distributed_object_listener(
        self, callback: Callable[[DistributedObjectEvent], Any]
    ) -> Operation[str]:
        """Call `callback` when any client or member creates or destroys a distributed object.

        Args:
            callback: Function that takes a `DistributedObjectEvent`.

        Returns:
            The registration id that `remove_listener` takes.
        """

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
        """Call `callback` when a partition is lost together with some of its backups.

        Args:
            callback: Function that takes a `PartitionLost`.

        Returns:
            The registration id that `remove_listener` takes.
        """

        def understand(pushed: tuple[int, tuple[int, int, Any]]) -> PartitionLost:
            partition_id, backups, source = pushed[1]
            address = None if source is None else Address.from_fields(source)
            return PartitionLost(partition_id, backups, address)

        mailbox: Mailbox = yield self._cluster.new_mailbox(callback, understand)
        registration = Registration(_LISTEN_LOST, (), _UNLISTEN_LOST, (), mailbox)
        return (yield from self._cluster.register(registration))

    @operation
    def add_migration_listener(self, callback: Callable[[MigrationEvent], Any]) -> Operation[str]:
        """Call `callback` when the owner of a partition changes.

        The client compares successive partition tables of the members, because protocol 1.x has no
        message for the migration itself. Members before 3.9 are polled for their table every ten
        seconds.

        Args:
            callback: Function that takes a `MigrationEvent`.

        Returns:
            The registration id that `remove_listener` takes.
        """
        return (yield from self._listen_locally(callback, self._cluster.add_migration_listener))

    @operation
    def remove_listener(self, registration_id: str) -> Operation[bool]:
        """Remove a listener of the client.

        Args:
            registration_id: Id that the call which added the listener returned.

        Returns:
            True if there was a listener with this id.
        """
        return (yield from self._cluster.remove(registration_id))

    def _last_operations(self) -> Iterator[tuple[str, Operation[None]]]:
        """Close the sessions of the CP subsystem, then notify the lifecycle listeners."""
        if self._sessions:
            yield "end_sessions", self._sessions.close()
        if self._cluster.lifecycle_listeners:
            yield "notify_shutdown", self._cluster.shut_down()

    @operation
    def _connect(self) -> Operation[None]:
        """Connect to the cluster."""
        yield from self._cluster.join()

    @factory
    def transaction(
        self,
        *,
        timeout: float | timedelta = TIMEOUT,
        durability: int = 1,
        kind: TransactionType = TransactionType.TWO_PHASE,
    ) -> Either[Transaction, AsyncTransaction]:
        """Create a transaction, to be used in a `with` or `async with` statement.

        Args:
            timeout: Seconds after which the member rolls the transaction back.
            durability: Number of further members that keep the log of a two-phase transaction,
                in case the coordinating member is lost.
            kind: Type of the transaction, two-phase by default.

        Returns:
            The transaction, which that statement begins.
        """
        return self._styled(Transaction, AsyncTransaction)(
            self,
            self._cluster,
            self._near_caches,
            self._transactions,
            timeout=timeout,
            durability=durability,
            kind=kind,
        )

    @factory
    def get_map(self, name: str) -> Either[Map, AsyncMap]:
        """Return a proxy of the map `name`, which the cluster creates on first use.

        Args:
            name: Name of the map.

        Returns:
            The proxy; with a near cache if `HazelcastOptions.near_caches` has one for this name.
        """
        text("name", name)
        cluster, query_caches = self._cluster, self._query_caches
        if (near := self._near_caches.get(name)) is not None:
            return self._styled(NearCachedMap, AsyncNearCachedMap)(
                self, cluster, name, query_caches, near
            )
        return self._styled(Map, AsyncMap)(self, cluster, name, query_caches)

    @factory
    def get_queue(self, name: str) -> Either[Queue, AsyncQueue]:
        """Return a proxy of the queue `name`.

        Args:
            name: Name of the queue.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Queue, AsyncQueue)(self, self._cluster, name)

    @factory
    def get_list(self, name: str) -> Either[List, AsyncList]:
        """Return a proxy of the list `name`.

        Args:
            name: Name of the list.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(List, AsyncList)(self, self._cluster, name)

    @factory
    def get_set(self, name: str) -> Either[Set, AsyncSet]:
        """Return a proxy of the set `name`.

        Args:
            name: Name of the set.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Set, AsyncSet)(self, self._cluster, name)

    @factory
    def get_multi_map(self, name: str) -> Either[MultiMap, AsyncMultiMap]:
        """Return a proxy of the multimap `name`.

        Args:
            name: Name of the multimap.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(MultiMap, AsyncMultiMap)(self, self._cluster, name)

    @factory
    def get_topic(self, name: str) -> Either[Topic, AsyncTopic]:
        """Return a proxy of the topic `name`.

        Args:
            name: Name of the topic.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Topic, AsyncTopic)(self, self._cluster, name)

    @factory
    def get_reliable_topic(self, name: str) -> Either[ReliableTopic, AsyncReliableTopic]:
        """Return a proxy of the reliable topic `name`.

        Args:
            name: Name of the reliable topic.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(ReliableTopic, AsyncReliableTopic)(self, self._cluster, name)

    @factory
    def get_lock(self, name: str) -> Either[Lock, AsyncLock]:
        """Return a proxy of the lock `name`.

        Args:
            name: Name of the lock.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Lock, AsyncLock)(self, self._cluster, name)

    @factory
    def get_ringbuffer(self, name: str) -> Either[Ringbuffer, AsyncRingbuffer]:
        """Return a proxy of the ringbuffer `name`.

        Args:
            name: Name of the ringbuffer.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Ringbuffer, AsyncRingbuffer)(self, self._cluster, name)

    @factory
    def get_atomic_long(self, name: str) -> Either[AtomicLong, AsyncAtomicLong]:
        """Return a proxy of the atomic 64-bit integer `name`.

        Args:
            name: Name of the atomic 64-bit integer.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(AtomicLong, AsyncAtomicLong)(self, self._cluster, name)

    @factory
    def get_pn_counter(self, name: str) -> Either[PNCounter, AsyncPNCounter]:
        """Return a proxy of the PN counter `name`, which is replicated on several members.

        Args:
            name: Name of the counter.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(PNCounter, AsyncPNCounter)(self, self._cluster, name)

    @factory
    def get_replicated_map(self, name: str) -> Either[ReplicatedMap, AsyncReplicatedMap]:
        """Return a proxy of the replicated map `name`.

        Args:
            name: Name of the replicated map.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(ReplicatedMap, AsyncReplicatedMap)(self, self._cluster, name)

    @factory
    def get_atomic_reference(self, name: str) -> Either[AtomicReference, AsyncAtomicReference]:
        """Return a proxy of the atomic reference `name`.

        Args:
            name: Name of the atomic reference.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(AtomicReference, AsyncAtomicReference)(self, self._cluster, name)

    @factory
    def get_count_down_latch(self, name: str) -> Either[CountDownLatch, AsyncCountDownLatch]:
        """Return a proxy of the count-down latch `name`.

        Args:
            name: Name of the count-down latch.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(CountDownLatch, AsyncCountDownLatch)(self, self._cluster, name)

    @factory
    def get_semaphore(self, name: str) -> Either[Semaphore, AsyncSemaphore]:
        """Return a proxy of the semaphore `name`.

        Args:
            name: Name of the semaphore.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Semaphore, AsyncSemaphore)(self, self._cluster, name)

    @factory
    def get_id_generator(self, name: str) -> Either[IdGenerator, AsyncIdGenerator]:
        """Return a proxy of the id generator `name`.

        Args:
            name: Name of the id generator.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(IdGenerator, AsyncIdGenerator)(self, self._cluster, name)

    @factory
    def get_flake_id_generator(self, name: str) -> Either[FlakeIdGenerator, AsyncFlakeIdGenerator]:
        """Return a proxy of the generator `name` of ids made of time and member.

        Args:
            name: Name of the generator.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(FlakeIdGenerator, AsyncFlakeIdGenerator)(self, self._cluster, name)

    @factory
    def get_cardinality_estimator(
        self, name: str
    ) -> Either[CardinalityEstimator, AsyncCardinalityEstimator]:
        """Return a proxy of the estimator `name` of the number of distinct values.

        Args:
            name: Name of the estimator.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(CardinalityEstimator, AsyncCardinalityEstimator)(
            self, self._cluster, name
        )

    @factory
    def get_executor(self, name: str) -> Either[Executor, AsyncExecutor]:
        """Return a proxy of the executor `name`.

        Args:
            name: Name of the executor.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(Executor, AsyncExecutor)(self, self._cluster, name)

    @factory
    def get_durable_executor(self, name: str) -> Either[DurableExecutor, AsyncDurableExecutor]:
        """Return a proxy of the durable executor `name`.

        Args:
            name: Name of the durable executor.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(DurableExecutor, AsyncDurableExecutor)(self, self._cluster, name)

    @factory
    def get_scheduled_executor(
        self, name: str
    ) -> Either[ScheduledExecutor, AsyncScheduledExecutor]:
        """Return a proxy of the scheduled executor `name`.

        Args:
            name: Name of the scheduled executor.

        Returns:
            The proxy; the cluster creates the structure on first use.
        """
        return self._styled(ScheduledExecutor, AsyncScheduledExecutor)(self, self._cluster, name)


class HazelcastClient(_HazelcastMethods, SyncClient):
    """Blocking client of a Hazelcast cluster; threads may share it.

    Args:
        addresses: Addresses of members: `host`, `host:port`, `hazelcast://host:port`, several of
            them with commas between them or in a list, or `Tcp` objects. One reachable member is
            enough; the default port is 5701. With `hazelcast+tls://`, or `Tcp` objects that have
            `tls`, all members are connected to by TLS, unless `HazelcastOptions.endpoint` is set.
        options: Settings of the client; `HazelcastOptions()` by default.
        **keywords: Fields of `HazelcastOptions`, which take precedence over `options`.
    """

    @property
    def cp(self) -> CPSubsystem:
        """The structures of the CP subsystem."""
        return CPSubsystem(self, self._cluster, self._sessions)


class AsyncHazelcastClient(_HazelcastMethods, AsyncClient):
    """Asyncio client of a Hazelcast cluster.

    Args:
        addresses: Addresses of members: `host`, `host:port`, `hazelcast://host:port`, several of
            them with commas between them or in a list, or `Tcp` objects. One reachable member is
            enough; the default port is 5701. With `hazelcast+tls://`, or `Tcp` objects that have
            `tls`, all members are connected to by TLS, unless `HazelcastOptions.endpoint` is set.
        options: Settings of the client; `HazelcastOptions()` by default.
        **keywords: Fields of `HazelcastOptions`, which take precedence over `options`.
    """

    @property
    def cp(self) -> AsyncCPSubsystem:
        """The structures of the CP subsystem."""
        return AsyncCPSubsystem(self, self._cluster, self._sessions)
