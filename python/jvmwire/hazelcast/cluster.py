"""The cluster as one client sees it: connections, members, partitions, calls that find their way.

Everything here is run by a driver, one step at a time: see `jvmwire.operations`.
"""

from __future__ import annotations

import itertools
import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire.errors import (
    ConfigError,
    ConnectFailed,
    JvmWireError,
    LocalProtocolError,
    OutcomeUnknown,
    RemoteProtocolError,
    TransportError,
)
from jvmwire.hazelcast.commands import NO_PARTITION, Command, Request
from jvmwire.hazelcast.errors import (
    AuthenticationFailed,
    HazelcastError,
    MemberLost,
)
from jvmwire.hazelcast.listening import NO_EVENTS, Registration, next_event_id
from jvmwire.hazelcast.members import (
    Address,
    Lifecycle,
    Member,
    MembershipChange,
    MembershipEvent,
)
from jvmwire.hazelcast.partitions import PartitionTable
from jvmwire.hazelcast.session import (
    AUTHENTICATION_ID,
    Authentication,
    HazelcastClientSession,
    authenticated,
)
from jvmwire.mailbox import EndOfMessages
from jvmwire.operations import (
    AwaitLoss,
    Call,
    Close,
    Join,
    Listen,
    MakeMailbox,
    Open,
    Receive,
    Sleep,
    Spawn,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.drivers.connection import Connection
    from jvmwire.drivers.task import Task
    from jvmwire.hazelcast.options import HazelcastOptions
    from jvmwire.mailbox import Mailbox
    from jvmwire.operations import Operation

_AUTHENTICATE = HazelcastMessage.named("Client.authentication")
_AUTHENTICATE_CUSTOM = HazelcastMessage.named("Client.authenticationCustom")
_ADD_MEMBERSHIP_LISTENER = HazelcastMessage.named("Client.addMembershipListener")
_ADD_PARTITION_LISTENER = HazelcastMessage.named("Client.addPartitionListener")
_GET_PARTITIONS = HazelcastMessage.named("Client.getPartitions")
_CREATE_PROXY = HazelcastMessage.named("Client.createProxy")

MEMBER, MEMBER_LIST, ATTRIBUTE_CHANGE, PARTITIONS = 200, 201, 202, 217
"""Types of the events that the cluster tells of itself with."""
ADDED, REMOVED = 1, 2
"""`MemberAttributeEvent` and `MembershipEvent` number what came to pass."""
TELLS_PARTITIONS = (3, 9)
"""Members from this version on tell of partitions by themselves: protocol 1.5."""
POLL_PARTITIONS = 10.0
"""Seconds after which an older member is asked for the partitions again, as Java's client does."""
SERIALIZATION_VERSION = 1
"""Of Hazelcast 3: `InternalSerializationService.VERSION_1`."""
CLIENT_TYPE = "PYH"
"""What Hazelcast calls clients in Python: `ClientTypes.PYTHON`."""
SPOKEN_VERSION = "3.12"
"""The version whose protocol we speak, for members that ask."""
MAX_NAMES = 1 << 16
"""Names of structures whose hash is remembered. Ours."""
HOUSEKEEPING = 1.0
"""Seconds between looking for listeners that nobody hears any more. Ours."""

_log = logging.getLogger("jvmwire.connection")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class _Link:
    """A connection that lets us in, and to whom."""

    connection: Connection
    authentication: Authentication

    @property
    def version(self) -> tuple[int, ...]:
        """The member's version; (3, 6) stands for what is too old to say."""
        found = re.match(r"(\d+)\.(\d+)", self.authentication.server_version)
        return tuple(map(int, found.groups())) if found else (3, 6)


class Cluster:
    """One client's connections to the members of a cluster."""

    def __init__(self, addresses: Iterable[str], options: HazelcastOptions) -> None:
        self.options = options
        self.serialization = options.serialization
        self.name = options.client_name or f"jvmwire-{next(_numbers)}"
        self.members: dict[str, Member] = {}
        """By UUID, in the order in which they joined."""
        self.partitions = PartitionTable()
        self._seeds = [Address.parse(address) for address in addresses]
        if not self._seeds:
            raise ConfigError("there must be the address of at least one member")
        self._links: dict[Address, _Link] = {}
        self._opening: dict[Address, Task] = {}
        self._owner: _Link | None = None
        self._uuid: str | None = None
        self._owner_uuid: str | None = None
        self._joining: Task | None = None
        self._joined = False
        self._registrations: dict[str, Registration] = {}
        self._proxies: set[tuple[str, str]] = set()
        """Structures that the cluster was told of, by service and name."""
        self._turn = 0
        self._membership_listeners: dict[str, Mailbox] = {}
        self._lifecycle_listeners: dict[str, Mailbox] = {}
        self._reference_ids = itertools.count(1)
        self._authentication_ids = itertools.count(AUTHENTICATION_ID)
        self._polling: Task | None = None
        self._let_go: list[Registration] = []
        self._housekeeper: Task | None = None
        self._names: dict[str, int] = {}
        self.repeated_calls = 0
        """Calls that were sent again."""
        self._late_replies = 0
        """Of connections that are lost."""

    # Calls.

    def call(self, command: Command, *, connection: Connection | None = None) -> Operation[Any]:
        """Return what `command` is answered; repeat it where that is safe.

        Safe are a connection that was lost before the command left, one that was lost with a
        command that is repeatable, and refusals that say that nothing was done. Anything else that
        a lost member leaves open is an `OutcomeUnknown`. With `connection`, only that one is asked.
        """
        fixed = connection
        while True:
            connection = fixed or self._pick(command)
            if connection is None:
                yield from self.join()
                continue
            try:
                return (yield Call(connection, command))
            except MemberLost as error:
                if not command.repeatable:
                    raise OutcomeUnknown(f"{command} may have been carried out: {error}") from error
            except HazelcastError as error:
                if not error.retryable:
                    raise
            except TransportError:
                if fixed is not None:
                    raise
                # Another member may do it at once; without one, joining waits long enough.
                self.repeated_calls += 1
                if self._pick(command) is not None:
                    continue
                yield from self.join()
                continue
            except RemoteProtocolError:
                if fixed is not None or connection.alive or not command.repeatable:
                    raise
            self.repeated_calls += 1
            yield Sleep(self.options.retry_pause)

    def request(
        self,
        message: HazelcastMessage,
        fields: tuple[Any, ...],
        partition_id: int = NO_PARTITION,
    ) -> Operation[tuple[Any, ...]]:
        """Return the fields of what a request is answered."""
        repeatable = message.retryable or self.options.redo
        return self.call(Request(message, fields, partition_id, repeatable))

    def _pick(self, command: Command) -> Connection | None:
        """Return the connection for a command, None if there is none that lives."""
        if self.options.smart and isinstance(command, Request):
            partition_id = command.partition_id
            if 0 <= partition_id < self.partitions.count:
                owner = self.partitions.owners[partition_id]
                if owner is not None and (link := self._links.get(owner)) is not None:
                    return link.connection
        return self.any_connection()

    def any_connection(self) -> Connection | None:
        """Return a connection to a member that may be asked anything."""
        if not self._links:
            return None
        balancer = self.options.load_balancer
        if balancer is not None and self.options.smart:
            known = [member for member in self.members.values() if member.address in self._links]
            if known:
                return self._links[balancer(known).address].connection
        self._turn += 1
        links = list(self._links.values())
        return links[self._turn % len(links)].connection

    def connection_to(self, partition_id: int) -> Connection | None:
        """Return the connection that calls of a partition go to now."""
        return self._pick(Request(_GET_PARTITIONS, (), partition_id))

    def connection_at(self, address: Address) -> Operation[Connection]:
        """Return the connection to a member; make it if there is none.

        Raises:
            ConnectFailed: it cannot be made.
        """
        if (link := self._links.get(address)) is None:
            link = yield from self._connect(address)
        return link.connection

    def any_partition(self) -> int:
        """Return a partition, in turn."""
        self._turn += 1
        return self._turn % self.partitions.count

    def oldest_version(self) -> tuple[int, ...]:
        """Return the lowest version of the members that are connected."""
        return min((link.version for link in self._links.values()), default=(3, 6))

    @property
    def late_replies(self) -> int:
        """How many answers were dropped because their call had been given up."""
        return self._late_replies + sum(one.late_replies for one in self.connections)

    @property
    def connections(self) -> list[Connection]:
        """The connections that live."""
        return [link.connection for link in self._links.values()]

    def partition_of(self, data: bytes) -> int:
        """Return the partition of a serialized key; the table must be known."""
        return self.serialization.partition_id(data, self.partitions.count)

    def partition_of_name(self, name: str) -> int:
        """Return the partition of a structure that lies in one."""
        if (hashed := self._names.get(name)) is None:
            # StringPartitioningStrategy: what follows the first @ is the key.
            key = name.partition("@")[2] or name
            hashed = self.serialization.partition_hash(self.serialization.to_data(key))
            if len(self._names) < MAX_NAMES:
                self._names[name] = hashed
        count = self.partitions.count
        return 0 if hashed == -(1 << 31) else abs(hashed) % count

    def next_reference_id(self) -> int:
        """Return an id that tells the cluster a repeated lock request from a second one."""
        return next(self._reference_ids)

    def ready(self) -> Operation[None]:
        """Go on once the cluster's partitions are known."""
        if not (self._joined and self.partitions.count):
            yield from self.join()

    def create_proxy(self, service: str, name: str) -> Operation[None]:
        """Tell the cluster of a structure, once."""
        if (service, name) in self._proxies:
            return
        yield from self.ready()
        connection = self.any_connection()
        while connection is None:
            yield from self.join()
            connection = self.any_connection()
        address = next(
            (at for at, link in self._links.items() if link.connection is connection),
            self._seeds[0],
        )
        fields = (name, service, {"host": address.host, "port": address.port})
        yield from self.call(Request(_CREATE_PROXY, fields, repeatable=True))
        self._proxies.add((service, name))

    def forget_proxy(self, service: str, name: str) -> None:
        """Tell the cluster of a structure again before it is used again."""
        self._proxies.discard((service, name))

    # Joining: the first connection, and those that make good for lost ones.

    def join(self) -> Operation[None]:
        """Be connected: who comes meanwhile shares the attempt.

        Raises:
            ConnectFailed: no member could be reached, as often as the options say.
            AuthenticationFailed: the cluster does not take our credentials.
        """
        if self._joined and self._owner is not None and self._links:
            return
        if self._joining is None or self._joining.done:
            self._joining = yield Spawn(self._join(), f"join {self.options.cluster_name}")
        yield Join(self._joining)

    def _join(self) -> Operation[None]:
        again = self._joined
        policy = self.options.reconnect_retry if again else self.options.connect_retry
        waits = policy.waits()
        while True:
            link = yield from self._find_owner()
            if isinstance(link, _Link):
                try:
                    yield from self._settle(link)
                except (TransportError, RemoteProtocolError) as error:
                    link = error
                else:
                    return
            wait = next(waits, None)
            if wait is None or isinstance(link, AuthenticationFailed):
                raise link
            yield Sleep(wait)

    def _find_owner(self) -> Operation[_Link | JvmWireError]:
        """Have one member look after us: one that is connected, else one that can be."""
        for link in list(self._links.values()):
            try:
                return (yield from self._adopt(link))
            except (TransportError, HazelcastError, RemoteProtocolError) as error:
                _log.debug("%s does not look after us: %s", link.connection.endpoint, error)
        failures = []
        candidates = [member.address for member in self.members.values() if not member.lite]
        candidates += [member.address for member in self.members.values() if member.lite]
        for address in dict.fromkeys([*candidates, *self._seeds]):
            try:
                return (yield from self._open(address, as_owner=True))
            except AuthenticationFailed as error:
                return error
            except JvmWireError as error:
                failures.append(f"{address}: {error}")
        return ConnectFailed(f"no member lets us in: {'; '.join(failures)}")

    def _adopt(self, link: _Link) -> Operation[_Link]:
        """Have a member look after us that we are connected to already."""
        request = self._authentication(as_owner=True)
        fields = yield Call(link.connection, request, next(self._authentication_ids))
        adopted = _Link(link.connection, authenticated(fields))
        self._note(adopted, as_owner=True)
        return adopted

    def _authentication(self, *, as_owner: bool) -> Request:
        options = self.options
        proof: tuple[object, ...] = (options.cluster_name, options.password)
        message = _AUTHENTICATE
        if options.credentials is not None:
            credentials = options.credentials()
            proof, message = (self.serialization.to_data(credentials),), _AUTHENTICATE_CUSTOM
        fields = (
            *proof,
            self._uuid,
            self._owner_uuid,
            as_owner,
            CLIENT_TYPE,
            SERIALIZATION_VERSION,
            SPOKEN_VERSION,
            self.name,
            list(options.labels),
            None,
            None,
        )
        return Request(message, fields, repeatable=True)

    def _open(self, address: Address, *, as_owner: bool) -> Operation[_Link]:
        options = self.options
        session = HazelcastClientSession(
            self._authentication(as_owner=as_owner),
            authentication_id=next(self._authentication_ids),
            heartbeat_interval=options.heartbeat_interval,
            heartbeat_timeout=options.heartbeat_timeout,
            message_limit=options.message_limit,
            fragment_limit=options.fragment_limit,
        )
        connection = yield Open(options.endpoint(address), session, options.connect_timeout)
        if session.authentication is None:
            raise LocalProtocolError(f"{address} is open and nobody was let in")
        link = _Link(connection, session.authentication)
        yield Spawn(self._mourn(link), f"watch {address}")
        self._note(link, as_owner=as_owner)
        return link

    def _note(self, link: _Link, *, as_owner: bool) -> None:
        told = link.authentication
        if as_owner:
            self._uuid, self._owner_uuid = told.uuid, told.owner_uuid
            self._owner = link
        address = Address(*told.address)
        former = self._links.get(address)
        if former is None or not former.connection.alive or former.connection is link.connection:
            self._links[address] = link

    def _mourn(self, link: _Link) -> Operation[None]:
        """Take a connection out once it is lost, and make good for it."""
        yield AwaitLoss(link.connection)
        self._late_replies += link.connection.late_replies
        address = Address(*link.authentication.address)
        known = self._links.get(address)
        if known is not None and known.connection is link.connection:
            del self._links[address]
        for registration in self._registrations.values():
            registration.on.pop(link.connection, None)
        if not self._links and self._joined:
            self._tell_lifecycle(Lifecycle.DISCONNECTED)
            self._proxies.clear()
            self.partitions.clear()
        if self._owner is not None and self._owner.connection is link.connection:
            self._owner = None
            if self._joined:
                yield Spawn(self.join(), "join again")
        elif self._joined and self.options.smart and self._is_member(address):
            yield Spawn(self._connect_again(address), f"connect to {address} again")

    def _settle(self, owner: _Link) -> Operation[None]:
        """Learn the members and the partitions, and listen to what was listened to."""
        lost = not self._joined or len(self._links) == 1
        mailbox: Mailbox = yield MakeMailbox(None)
        joining = Request(_ADD_MEMBERSHIP_LISTENER, (False,))
        yield from self._subscribe(owner.connection, joining, mailbox)
        # The first list comes before the answer.
        while mailbox:
            kind, fields = mailbox.take()
            self._on_cluster_event(kind, fields)
        yield Spawn(self._hear(owner, mailbox), "membership")
        yield from self._ask_for_partitions(owner)
        if owner.version >= TELLS_PARTITIONS:
            request = Request(_ADD_PARTITION_LISTENER, ())
            yield from self._subscribe(owner.connection, request, mailbox)
        elif self._polling is None or self._polling.done:
            self._polling = yield Spawn(self._poll_partitions(), "poll partitions")
        if self._housekeeper is None:
            self._housekeeper = yield Spawn(self._keep_house(), "housekeeping")
        first, self._joined = not self._joined, True
        yield from self._register_all(owner.connection)
        if self.options.smart:
            yield from self._connect_to_all(wait=first)
        if lost:
            self._tell_lifecycle(Lifecycle.CONNECTED)

    def _subscribe(
        self, connection: Connection, request: Request, mailbox: Mailbox
    ) -> Operation[tuple[int, tuple[Any, ...]]]:
        """Have a member send events to `mailbox`; return their id and what it answered.

        A member that has just lost another may refuse, though it has kept the registration: each
        try has its own id, so that what a refused one brings is nobody's.
        """
        while True:
            event_id = next_event_id()
            yield Listen(connection, event_id, mailbox)
            try:
                return event_id, (yield Call(connection, request, event_id))
            except TransportError:
                raise
            except HazelcastError as error:
                yield Listen(connection, event_id, None)
                if not (error.retryable or isinstance(error, MemberLost)):
                    raise
                _log.debug("%s refuses %s for now: %s", connection.endpoint, request, error)
            except BaseException:
                yield Listen(connection, event_id, None)
                raise
            yield Sleep(self.options.retry_pause)

    def _ask_for_partitions(self, link: _Link) -> Operation[None]:
        while True:
            fields = yield Call(link.connection, Request(_GET_PARTITIONS, (), repeatable=True))
            self.partitions.update(*fields)
            if self.partitions.count:
                return
            yield Sleep(self.options.retry_pause / 10)  # a cluster that has just begun

    def _poll_partitions(self) -> Operation[None]:
        """Ask members that do not tell by themselves."""
        while True:
            yield Sleep(POLL_PARTITIONS)
            owner = self._owner
            if owner is None or owner.version >= TELLS_PARTITIONS:
                continue
            try:
                yield from self._ask_for_partitions(owner)
            except JvmWireError as error:
                _log.debug("no partitions from %s: %s", owner.connection.endpoint, error)

    def _hear(self, owner: _Link, mailbox: Mailbox) -> Operation[None]:
        """Take what the owner tells of members and partitions until it is lost."""
        yield Spawn(self._end_with(owner.connection, mailbox), "end of membership")
        while True:
            try:
                kind, fields = yield Receive(mailbox)
            except EndOfMessages:
                return
            before = set(self.members)
            self._on_cluster_event(kind, fields)
            if set(self.members) == before:
                continue
            if owner.version < TELLS_PARTITIONS and owner.connection.alive:
                yield Spawn(self._ask_for_partitions(owner), "ask for partitions")
            gone = [at for at in self._links if not self._is_member(at)]
            for address in gone:
                # What it answers from now on is not the cluster's.
                yield Close(self._links[address].connection)
            if self.options.smart:
                yield from self._connect_to_all(wait=False)

    def _end_with(self, connection: Connection, mailbox: Mailbox) -> Operation[None]:
        yield AwaitLoss(connection)
        mailbox.end()

    def _on_cluster_event(self, kind: int, fields: tuple[Any, ...]) -> None:
        if kind == MEMBER_LIST:
            told = [Member.of(member) for member in fields[0]]
            before, self.members = self.members, {member.uuid: member for member in told}
            for member in before.values():
                if member.uuid not in self.members:
                    self._tell_membership(MembershipChange.REMOVED, member)
            for member in told:
                if member.uuid not in before:
                    self._tell_membership(MembershipChange.ADDED, member)
        elif kind == MEMBER:
            member = Member.of(fields[0])
            if fields[1] == ADDED:
                self.members[member.uuid] = member
                self._tell_membership(MembershipChange.ADDED, member)
            elif self.members.pop(member.uuid, None) is not None:
                self._tell_membership(MembershipChange.REMOVED, member)
        elif kind == ATTRIBUTE_CHANGE:
            uuid, key, operation, value = fields
            if (known := self.members.get(uuid)) is None:
                return
            attributes = dict(known.attributes)
            if operation == ADDED:
                attributes[key] = value
            else:
                attributes.pop(key, None)
            member = Member(known.uuid, known.address, known.lite, attributes)
            self.members[uuid] = member
            self._tell_membership(MembershipChange.ATTRIBUTE_CHANGED, member, key)
        elif kind == PARTITIONS:
            self.partitions.update(*fields)

    def _is_member(self, address: Address) -> bool:
        return any(member.address == address for member in self.members.values())

    def _connect_to_all(self, *, wait: bool) -> Operation[None]:
        tasks = []
        for member in list(self.members.values()):
            address = member.address
            if address not in self._links:
                tasks.append((yield Spawn(self._connect_again(address), f"connect to {address}")))
        for task in tasks if wait else ():
            yield Join(task)

    def _connect(self, address: Address) -> Operation[_Link]:
        """Connect to a member; who comes meanwhile shares the attempt."""
        task = self._opening.get(address)
        if task is None or task.done:
            task = yield Spawn(self._open_beside(address), f"open {address}")
            self._opening[address] = task
        link: _Link = yield Join(task)
        return link

    def _open_beside(self, address: Address) -> Operation[_Link]:
        try:
            link = yield from self._open(address, as_owner=False)
            yield from self._register_all(link.connection)
        finally:
            self._opening.pop(address, None)
        return link

    def _connect_again(self, address: Address) -> Operation[None]:
        """Connect to a member for as long as it is one."""
        for wait in self.options.reconnect_retry.waits():
            if address in self._links or not self._is_member(address) or self._owner is None:
                return
            try:
                yield from self._connect(address)
            except JvmWireError as error:
                _log.debug("no connection to %s: %s", address, error)
                if not self._joined:
                    return
            else:
                return
            yield Sleep(wait)

    # Listeners.

    def register(self, registration: Registration) -> Operation[str]:
        """Listen on every member that must be listened to; return our id."""
        yield from self.ready()
        self._registrations[registration.id] = registration
        try:
            for connection in self._listening_posts():
                yield from self._register(registration, connection)
        except BaseException:
            self._registrations.pop(registration.id, None)
            raise
        return registration.id

    def _listening_posts(self) -> list[Connection]:
        if self.options.smart:
            return self.connections
        return [self._owner.connection] if self._owner is not None else []

    def _register_all(self, connection: Connection) -> Operation[None]:
        if connection not in self._listening_posts():
            return
        for registration in list(self._registrations.values()):
            yield from self._register(registration, connection)

    def _register(self, registration: Registration, connection: Connection) -> Operation[None]:
        if connection in registration.on:
            return
        registration.on[connection] = (NO_EVENTS, "")
        fields = registration.request_fields(local_only=self.options.smart)
        request = Request(registration.add, fields, repeatable=True)
        try:
            event_id, [member_id] = yield from self._subscribe(
                connection, request, registration.mailbox
            )
        except TransportError:
            # Whoever replaces the connection will be asked.
            registration.on.pop(connection, None)
            return
        except BaseException:
            registration.on.pop(connection, None)
            raise
        if registration.id in self._registrations:
            registration.on[connection] = (event_id, member_id)
        else:
            yield from self._unregister(registration, connection, event_id, member_id)

    def remove(self, registration_id: str) -> Operation[bool]:
        """Stop listening; return whether that id was listening."""
        for local in (self._membership_listeners, self._lifecycle_listeners):
            if (mailbox := local.pop(registration_id, None)) is not None:
                mailbox.end()
                return True
        registration = self._registrations.pop(registration_id, None)
        if registration is None:
            return False
        registration.mailbox.end()
        for connection, (event_id, member_id) in list(registration.on.items()):
            if member_id:
                yield from self._unregister(registration, connection, event_id, member_id)
        return True

    def let_go(self, registration: Registration) -> None:
        """Stop listening, soon: for who may not wait."""
        if self._registrations.pop(registration.id, None) is not None:
            registration.mailbox.end()
            self._let_go.append(registration)

    def _keep_house(self) -> Operation[None]:
        """Remove from members what nobody listens to any more."""
        while True:
            yield Sleep(HOUSEKEEPING)
            while self._let_go:
                registration = self._let_go.pop()
                for connection, (event_id, member_id) in list(registration.on.items()):
                    if member_id:
                        yield from self._unregister(registration, connection, event_id, member_id)

    def _unregister(
        self, registration: Registration, connection: Connection, event_id: int, member_id: str
    ) -> Operation[None]:
        yield Listen(connection, event_id, None)
        if registration.remove is None:
            return
        fields = (*registration.remove_fields, member_id)
        try:
            yield Call(connection, Request(registration.remove, fields, repeatable=True))
        except (TransportError, HazelcastError) as error:
            _log.debug("a listener was not removed from %s: %s", connection.endpoint, error)

    def add_membership_listener(self, key: str, mailbox: Mailbox) -> None:
        """Tell `mailbox` of members that come and go, and of those that are there."""
        members: list[Member] = []
        for member in self.members.values():
            members.append(member)
            mailbox.push(MembershipEvent(MembershipChange.ADDED, member, tuple(members)))
        self._membership_listeners[key] = mailbox

    def add_lifecycle_listener(self, key: str, mailbox: Mailbox) -> None:
        """Tell `mailbox` of the client's ups and downs."""
        self._lifecycle_listeners[key] = mailbox

    def _tell_membership(
        self, change: MembershipChange, member: Member, attribute: str | None = None
    ) -> None:
        _log.debug("member %s at %s: %s", member.uuid, member.address, change.name)
        event = MembershipEvent(change, member, tuple(self.members.values()), attribute)
        for mailbox in self._membership_listeners.values():
            mailbox.push(event)

    def _tell_lifecycle(self, what: Lifecycle) -> None:
        for mailbox in self._lifecycle_listeners.values():
            mailbox.push(what)
