"""Cluster state of one client, and the routing and retrying of its calls.

All operations are run by a driver, one step at a time: see `jvmwire._runtime.operations`.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire._core import HazelcastMessage, hazelcast_partition_list
from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import Call, EndOfMessages, NewMailbox, Receive, Sleep, Spawn
from jvmwire._runtime.retry import AT_ONCE, UNLIMITED_ATTEMPTS, RetryStrategy, retry, steady_policy
from jvmwire.errors import (
    ConfigError,
    JvmWireError,
    MessagesLost,
    RemoteProtocolError,
    TransportError,
    outcome_unknown,
)
from jvmwire.hazelcast._commands import NO_PARTITION, Command, Key, Request
from jvmwire.hazelcast._connection_manager import CLIENT_TYPE, ConnectionManager
from jvmwire.hazelcast._events import RECEIVED, new_mailbox
from jvmwire.hazelcast._listener_service import Registration
from jvmwire.hazelcast._members import Address
from jvmwire.hazelcast._statistics import statistics_text
from jvmwire.hazelcast.errors import HazelcastError, MemberLost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.operations import Connection, Mailbox, Operation, Task
    from jvmwire.hazelcast._invoker import StructureObserver
    from jvmwire.hazelcast._listener_service import Kept
    from jvmwire.hazelcast._member_connections import MemberConnection
    from jvmwire.hazelcast._members import Member
    from jvmwire.hazelcast._options import HazelcastOptions
    from jvmwire.hazelcast.serialization import SerializationService

    Selector = Callable[[], Operation[tuple[Connection, Command]]]
    """Function that returns a connection and a command, once there is a connection."""

T = TypeVar("T")

_GET_PARTITIONS = HazelcastMessage.named("Client.getPartitions")
_CREATE_PROXY = HazelcastMessage.named("Client.createProxy")

_LISTEN_OBJECTS = HazelcastMessage.named("Client.addDistributedObjectListener")
_UNLISTEN_OBJECTS = HazelcastMessage.named("Client.removeDistributedObjectListener")

RENEWALS = (0.0, 0.1, 1.0, 5.0, 30.0)
"""Seconds between looking whether a member has dropped the listeners of a structure that was
destroyed. (Chosen by jvmwire: members wait up to 30 seconds for a map's partitions.)"""
MAX_NAMES = 1 << 16
"""Names of structures whose hash is cached. (Chosen by jvmwire.)"""

_log = get_logger("jvmwire.connection")


def _keys_by_partition(serialization: SerializationService, count: int) -> list[int]:
    """Return a key for each of `count` partitions: each must be found, by trying."""
    found: dict[int, int] = {}
    tried = 0
    while len(found) < count:
        numbers = range(tried, tried + 4 * count)
        places = hazelcast_partition_list(serialization.to_data_all(numbers), count)
        for number, partition_id in zip(numbers, places, strict=True):
            found.setdefault(partition_id, number)
        tried = numbers.stop
    return [found[partition_id] for partition_id in range(count)]


class Cluster:
    """The state of a cluster in one client."""

    def __init__(
        self, addresses: Iterable[str], options: HazelcastOptions, *, awaits: bool
    ) -> None:
        self.options = options
        self._awaits = awaits
        """Whether callbacks may be coroutine functions."""
        self.serialization = options.serialization
        seeds = [Address.parse(address) for address in addresses]
        if not seeds:
            raise ConfigError("there must be the address of at least one member")
        self._joining = ConnectionManager(seeds, options, self._statistics)
        self._links = self._joining.links
        self._membership = self._joining.membership
        self.partitions = self._membership.partitions
        """The partition table."""
        self._listeners = self._joining.listeners
        self._proxies = self._joining.proxies
        self._observer: StructureObserver | None = None
        self._shared: dict[tuple[str, str], Any] = {}
        self._watch: Registration | None = None
        """Listener for destroyed structures."""
        self._renewals: dict[tuple[str, str], bool] = {}
        """Structures whose listeners are being renewed, and whether they were destroyed again."""
        self._turn = 0
        self._reference_ids = itertools.count(1)
        self._names: dict[str, int] = {}
        self._keys_by_partition: list[int] = []
        # The timeout of a call ends it.
        self._retry_policy = steady_policy(UNLIMITED_ATTEMPTS, options.retry_pause)
        self.repeated_calls = 0
        """Number of calls that were sent again."""

    @property
    def name(self) -> str:
        """The name of the client as members show it."""
        return self._joining.name

    @property
    def members(self) -> dict[str, Member]:
        """The members by UUID, in the order in which they joined."""
        return self._membership.members

    # Calls.

    def call(self, command: Request, *, connection: Connection | None = None) -> Operation[Any]:
        """Send `command`, retry it where that is safe, and return its result.

        A retry is safe if the connection was lost before the command was sent, if it was lost
        with a repeatable command, or if the member refused the command without any effect. Any
        other loss of a member raises `OutcomeUnknown`. With `connection`, only that connection is
        used.

        Raises:
            ValueError: the command is for a partition that the cluster does not have.
        """
        return retry(_Invocation(self, command, connection), self._retry_policy)

    def require_partition(self, partition_id: int) -> Operation[None]:
        """Go on if there is that partition: members never answer for others."""
        while not self._membership.partitions.known:
            yield from self.join()
        count = self.partitions.count
        if not 0 <= partition_id < count:
            raise ValueError(f"there is no partition {partition_id}: the cluster has {count}")

    def call_with_selector(self, selector: Selector) -> Operation[Any]:
        """Send the command that `selector` returns on its connection, and return the result.

        Each attempt calls `selector` again; otherwise as `call`.
        """
        return retry(_SelectedInvocation(self, selector), self._retry_policy)

    def call_member(self, address: Address, command: Command) -> Operation[Any]:
        """Send a command to the member at `address` and return the result; otherwise as `call`.

        The command names its member: if that member is not connected, another one forwards the
        command.

        Raises:
            ValueError: no member of the cluster listens at the address, or none any more.
        """

        def choose() -> Operation[tuple[Connection, Command]]:
            yield from self.ready()
            if not self._membership.is_member(address):
                raise ValueError(f"no member of the cluster listens at {address}")
            link = (self._links.get(address) if self.options.smart else None) or (
                yield from self._link()
            )
            return link.connection, command

        return self.call_with_selector(choose)

    def retry_delay(
        self,
        error: JvmWireError,
        command: Command,
        connection: Connection,
        *,
        fixed: Connection | None = None,
    ) -> float:
        """Return the seconds before a failed command is retried, or raise its final error."""
        pause = self.options.retry_pause
        match error:
            case MemberLost():
                if not command.idempotent:
                    raise outcome_unknown(command, error) from error
            case HazelcastError():
                if not error.retryable:
                    raise error
            case TransportError():
                if fixed is not None:
                    raise error
                # Another member may do it at once; without one, joining waits long enough.
                pause = 0.0
            case RemoteProtocolError():
                if fixed is not None or connection.alive or not command.idempotent:
                    raise error
            case _:
                raise error
        self.repeated_calls += 1
        return pause

    def request(
        self,
        message: HazelcastMessage,
        fields: tuple[Any, ...],
        partition_id: int = NO_PARTITION,
        *,
        key: bytes | str | Key | None = None,
        structure: tuple[str, str] | None = None,
    ) -> Operation[tuple[Any, ...]]:
        """Send a request and return the fields of the response."""
        idempotent = message.retryable or self.options.redo
        return self.call(
            Request(message, fields, partition_id, idempotent, key=key, structure=structure)
        )

    def release_if_granted(self, release: Request, fields: tuple[Any, ...]) -> Operation[Any]:
        """Send `release` if `fields` are a grant, and return the fields of its response.

        None if there was nothing to release: the request was refused, or the grant was released
        already.
        """
        if fields and not fields[0]:
            return None
        try:
            return (yield from self.call(release))
        except HazelcastError as error:
            _log.debug("%s gives nothing back: %s", release, error)
            return None

    def choose_connection(self, command: Command) -> Connection | None:
        """Return an open connection for a command, or None."""
        if self.options.smart and isinstance(command, Request):
            partition_id, owners = command.partition_id, self._membership.partitions.owners
            if 0 <= partition_id < len(owners):
                owner = owners[partition_id]
                if owner is not None and (link := self._links.get(owner)) is not None:
                    return link.connection
        link = self._links.any(self.members.values())
        return None if link is None else link.connection

    def connection_to(self, partition_id: int) -> Connection | None:
        """Return the connection that calls for a partition use now."""
        return self.choose_connection(Request(_GET_PARTITIONS, (), partition_id))

    def any_partition(self) -> int:
        """Return a partition, in turn."""
        self._turn += 1
        return self._turn % self.partitions.count

    def oldest_version(self) -> tuple[int, ...]:
        """Return the lowest version among the connected members."""
        return self._links.oldest_version()

    @property
    def late_replies(self) -> int:
        """The number of replies that were dropped because their call had been abandoned."""
        there = sum(link.connection.late_replies for link in self._links.all())
        return self._links.late_replies + there

    def partition_of(self, data: bytes) -> int:
        """Return the partition of a serialized key; the table must be known."""
        owners = self._membership.partitions.owners
        return self.serialization.partition_id(data, len(owners))

    def key_in_partition(self, partition_id: int) -> int:
        """Return a key that lies in a partition; the table must be known."""
        count = self.partitions.count
        if len(self._keys_by_partition) != count:
            self._keys_by_partition = _keys_by_partition(self.serialization, count)
        return self._keys_by_partition[partition_id]

    def partition_of_name(self, name: str) -> int:
        """Return the partition of a structure that lies in one."""
        if (hashed := self._names.get(name)) is None:
            # StringPartitioningStrategy: the key is the text after the first @, even if empty.
            _, at, behind = name.partition("@")
            key = behind if at else name
            hashed = self.serialization.partition_hash(self.serialization.to_data(key))
            if len(self._names) < MAX_NAMES:
                self._names[name] = hashed
        count = self.partitions.count
        return 0 if hashed == -(1 << 31) else abs(hashed) % count

    def next_reference_id(self) -> int:
        """Return an id by which the cluster recognises a repeated lock request."""
        return next(self._reference_ids)

    def ready(self) -> Operation[None]:
        """Wait until the cluster's partitions are known."""
        while not (self._joining.joined and self.partitions.known):
            yield from self._joining.join()

    def join(self) -> Operation[None]:
        """Connect to the cluster; see `ConnectionManager.join`."""
        yield from self._joining.join()

    def create_proxy(self, service: str, name: str) -> Operation[None]:
        """Create the proxy of a structure in the cluster, once."""
        if (service, name) in self._proxies:
            return
        link = yield from self._link()
        at = link.address
        fields = (name, service, {"host": at.host, "port": at.port})
        yield from self.call(Request(_CREATE_PROXY, fields, idempotent=True))
        self._proxies.add((service, name))

    def _link(self) -> Operation[MemberConnection]:
        yield from self.ready()
        while (link := self._links.any(self.members.values())) is None:
            yield from self._joining.join()
        return link

    def connection(self) -> Operation[Connection]:
        """Return a connection that can take any request."""
        return (yield from self._link()).connection

    def connection_at(self, address: Address) -> Operation[Connection]:
        """Return the connection to a member, made if there is none; or else the only one.

        Raises:
            ConnectFailed: it cannot be made.
        """
        if not self.options.smart:
            return (yield from self.connection())
        if (link := self._links.get(address)) is None:
            link = yield from self._joining.connect(address)
        return link.connection

    def observe(self, observer: StructureObserver) -> None:
        """Notify the near caches about destroyed structures, and report their statistics."""
        self._observer = observer

    def forget_proxy(self, service: str, name: str) -> None:
        """Make the next use of a structure create its proxy in the cluster again."""
        self._proxies.discard((service, name))
        self._shared.pop((service, name), None)

    def shared(self, service: str, name: str, new: Callable[[], T]) -> T:
        """Return the state that all proxies of a structure share."""
        known: T | None = self._shared.get((service, name))
        if known is None:
            known = self._shared.setdefault((service, name), new())
        return known

    def _statistics(self, now: float) -> str:
        near_caches = {} if self._observer is None else self._observer.statistics()
        return statistics_text(now, self.name, CLIENT_TYPE, near_caches)

    # Listeners.

    def new_mailbox(
        self,
        callback: Callable[[Any], Any] = RECEIVED,
        understand: Callable[[Any], Any] | None = None,
    ) -> NewMailbox:
        """Return the instruction that makes the queue of a listener; see `events.new_mailbox`."""
        return new_mailbox(self.options, callback, understand, awaits=self._awaits)

    def register(self, registration: Registration) -> Operation[str]:
        """Register a listener on all members where needed; return its id in this client."""
        yield from self.ready()
        if registration.structure is not None and self._watch is None:
            yield from self._watch_structures()
        return (yield from self._listeners.register(registration))

    # Members drop all listeners of a structure that is destroyed, and it may come about again.

    def _watch_structures(self) -> Operation[None]:
        mailbox: Mailbox = yield self.new_mailbox()
        if self._watch is not None:
            return  # a concurrent call has registered it
        self._watch = Registration(_LISTEN_OBJECTS, (), _UNLISTEN_OBJECTS, (), mailbox)
        try:
            yield from self._listeners.register(self._watch)
        except HazelcastError as error:
            # The listener itself may be allowed.
            _log.warning("what others destroy is not heard of, nor listened to again: %s", error)
            return
        except BaseException:
            self._watch = None
            raise
        yield Spawn(self._handle_structure_events(mailbox), "destroyed structures")

    def _handle_structure_events(self, mailbox: Mailbox) -> Operation[None]:
        while True:
            try:
                _, (name, service, what) = yield Receive(mailbox)
            except EndOfMessages:
                return
            except MessagesLost:
                for structure in self._listeners.structures():
                    yield from self._note_destroyed(structure)
                continue
            if what != "CREATED":
                yield from self._note_destroyed((service, name))

    def _note_destroyed(self, structure: tuple[str, str]) -> Operation[None]:
        """Drop the state of a destroyed structure, and renew its listeners."""
        service, name = structure
        self.forget_proxy(service, name)
        if self._observer is not None:
            self._observer.note_destroyed(service, name)
        if structure in self._renewals:
            self._renewals[structure] = True  # destroyed again: it begins anew
            return
        if structure in self._listeners.structures():
            self._renewals[structure] = False
            yield Spawn(self._renew(structure), f"listen to {name} again")

    def _renew(self, structure: tuple[str, str]) -> Operation[None]:
        """Listen to a structure again.

        A member tells that it destroys a structure and drops its listeners then, at once or after
        seconds. So it is done again until the member has dropped a registration.
        """
        kept: Kept | None = None
        waits = iter(RENEWALS)
        try:
            while (wait := next(waits, None)) is not None:
                yield Sleep(wait)
                if self._renewals[structure]:
                    self._renewals[structure] = False
                    kept, waits = None, iter(RENEWALS)
                try:
                    kept = yield from self._listeners.renew(structure, kept)
                except JvmWireError as error:
                    _log.debug("%s is not listened to again yet: %s", structure[1], error)
                    continue
                if not kept and not self._renewals[structure]:
                    return
        finally:
            self._renewals.pop(structure, None)

    def register_locally(self, mailbox: Mailbox, producer_task: Task | None = None) -> str:
        """Register a listener of client-side events, with its feeder task; return its id."""
        return self._listeners.register_locally(mailbox, producer_task)

    def remove(self, registration_id: str) -> Operation[bool]:
        """Remove a listener; return whether the id was registered."""
        if self._membership.remove_listener(registration_id):
            return True
        return (yield from self._listeners.remove(registration_id))

    def remove_later(self, registration: Registration) -> None:
        """Remove a listener in the background, for callers that must not wait."""
        self._listeners.remove_later(registration)

    def add_membership_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of the present members and of each change."""
        self._membership.add_membership_listener(key, mailbox)

    def add_migration_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of each partition with a new owner."""
        self._membership.add_migration_listener(key, mailbox)

    @property
    def lifecycle_listeners(self) -> int:
        """The number of lifecycle listeners."""
        return self._membership.lifecycle_listeners

    def shut_down(self) -> Operation[None]:
        """Notify lifecycle listeners that the client is closed; see `Membership.shut_down`."""
        return self._membership.shut_down()

    def add_lifecycle_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of lifecycle changes of the client."""
        self._membership.add_lifecycle_listener(key, mailbox)


class _Invocation(RetryStrategy[Any]):
    """Request to the owner of its partition, or to any member; see `Cluster.call`."""

    # Defaults of the class: an object is made for every call.
    _connection: Connection | None = None
    """The connection of this attempt; None until the command is sent."""
    _misread = False
    """Whether the last attempt was answered by a malformed response."""

    def __init__(self, cluster: Cluster, command: Request, fixed: Connection | None) -> None:
        self._cluster = cluster
        self._command: Command = command
        self._request = command
        self._fixed = fixed

    def attempt(self) -> Operation[Any]:
        cluster, command = self._cluster, self._request
        while True:
            if (structure := command.structure) is not None and structure not in cluster._proxies:
                # Invalid arguments must raise before anything is sent.
                command.message.encode(0, NO_PARTITION, command.fields)
                yield from cluster.create_proxy(*structure)
            if (key := command.key) is not None:
                while not cluster.partitions.known:
                    yield from cluster.join()
                if isinstance(key, bytes):
                    command.partition_id = cluster.partition_of(key)
                elif isinstance(key, str):
                    command.partition_id = cluster.partition_of_name(key)
                else:
                    command.partition_id = cluster.any_partition()
            elif command.partition_id != NO_PARTITION:
                yield from cluster.require_partition(command.partition_id)
            connection = self._fixed or cluster.choose_connection(command)
            if connection is not None:
                break
            yield from cluster.join()
        self._connection = connection
        # By position: it is made for every call.
        return (yield Call(connection, command, None, 0, command.on_abandoned_reply))

    def judge(self, error: JvmWireError) -> int:
        if (connection := self._connection) is None:
            raise error  # of the preparation, which makes its own attempts
        self._connection = None
        if self._misread and isinstance(error, RemoteProtocolError):
            raise error  # members answer this very command with malformed responses
        self._misread = isinstance(error, RemoteProtocolError)
        delay = self._cluster.retry_delay(error, self._command, connection, fixed=self._fixed)
        return 0 if delay else AT_ONCE


class _SelectedInvocation(_Invocation):
    """Command that a function selects with its connection for each attempt."""

    def __init__(self, cluster: Cluster, selector: Selector) -> None:
        self._cluster = cluster
        self._fixed = None
        self._selector = selector

    def attempt(self) -> Operation[Any]:
        connection, self._command = yield from self._selector()
        self._connection = connection
        return (yield Call(connection, self._command))
