"""Connections of a client to its cluster: joining, reconnecting, and tracking its state."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import (
    MAX_CONNECTS,
    Call,
    Cancel,
    Close,
    EndOfMessages,
    Future,
    Gather,
    Join,
    NewMailbox,
    Open,
    Receive,
    Sleep,
    Spawn,
    WaitClosed,
    WallTime,
)
from jvmwire._runtime.retry import RetryStrategy, retry
from jvmwire._runtime.semaphore import OperationSemaphore
from jvmwire.errors import (
    CallCancelled,
    ConnectFailed,
    ConnectionLost,
    JvmWireError,
    LocalProtocolError,
    RemoteProtocolError,
    TransportError,
)
from jvmwire.hazelcast._cluster_service import Membership
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._listener_service import ListenerService, subscribe
from jvmwire.hazelcast._member_connections import MemberConnection, MemberConnections
from jvmwire.hazelcast._members import Lifecycle
from jvmwire.hazelcast._session import (
    AUTHENTICATION_ID,
    HazelcastClientSession,
    authenticated,
)
from jvmwire.hazelcast.errors import AuthenticationFailed, HazelcastError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire._runtime.operations import Connection, Mailbox, Operation, Task
    from jvmwire.hazelcast._members import Address
    from jvmwire.hazelcast._options import HazelcastOptions

_AUTHENTICATE = HazelcastMessage.named("Client.authentication")
_AUTHENTICATE_CUSTOM = HazelcastMessage.named("Client.authenticationCustom")
_ADD_MEMBERSHIP_LISTENER = HazelcastMessage.named("Client.addMembershipListener")
_ADD_PARTITION_LISTENER = HazelcastMessage.named("Client.addPartitionListener")
_STATISTICS = HazelcastMessage.named("Client.statistics")
_GET_PARTITIONS = HazelcastMessage.named("Client.getPartitions")

TELLS_PARTITIONS = (3, 9)
"""First version of members that push partition tables: protocol 1.5."""
TAKES_STATISTICS = (3, 9)
"""First version of members that accept statistics: protocol 1.5."""
POLL_PARTITIONS = 10.0
"""Seconds between two polls of an older member's partition table, as in Java's client."""
FIRST_TRIES = 2.0
"""Seconds that `connect` waits for the members besides the first one: calls reach those that cannot
be connected to by another member. (Chosen by jvmwire.)"""
SERIALIZATION_VERSION = 1
"""Serialization version of Hazelcast 3: `InternalSerializationService.VERSION_1`."""
CLIENT_TYPE = "PYH"
"""Client type of Python clients: `ClientTypes.PYTHON`."""
SPOKEN_VERSION = "3.12"
"""Version of the protocol that the client announces."""

_log = get_logger("jvmwire.connection")
_numbers = itertools.count(1)


def _reason(address: Address, failure: JvmWireError) -> str:
    """Return why there is no connection, without the address, which errors of transports name."""
    return str(failure).removeprefix(f"cannot connect to {address}: ")


class ConnectionManager:
    """The connections of a client, and the cluster state received on them."""

    def __init__(
        self,
        seeds: Sequence[Address],
        options: HazelcastOptions,
        statistics: Callable[[float], str],
    ) -> None:
        self._statistics = statistics
        self._reporter: Task | None = None
        self.name = options.client_name or f"jvmwire-{next(_numbers)}"
        self.membership = Membership()
        self.links = MemberConnections(options.load_balancer if options.smart else None)
        self.listeners = ListenerService(options, self._listener_connections)
        self.joined = False
        """Whether the cluster was ever reached."""
        self._connected = False
        """The connection state that lifecycle listeners were last notified of."""
        self.proxies: set[tuple[str, str]] = set()
        """Structures whose proxy was created in the cluster, by service and name."""
        self._options = options
        self._seeds = seeds
        self._opening: dict[Address, Task] = {}
        self._turns = OperationSemaphore(MAX_CONNECTS // 2)
        """Limit of concurrent connection attempts to members without a call for them."""
        self._trying: dict[Address, Task] = {}
        """Attempts of such connections, running or waiting for their turn."""
        self._connecting: dict[Address, Task] = {}
        """Tasks that retry the connection to a member."""
        self.is_refused_by_all = False
        """Whether every failure of the last round was a refusal."""
        self._uuid: str | None = None
        self._owner_uuid: str | None = None
        self._joining: Task | None = None
        self._authentication_ids = itertools.count(AUTHENTICATION_ID)
        self._polling: Task | None = None
        self._housekeeper: Task | None = None

    def join(self) -> Operation[None]:
        """Connect to the cluster; concurrent callers share one attempt.

        Raises:
            ConnectFailed: no member could be reached, after as many rounds as the options allow.
            AuthenticationFailed: no member accepts the client, and one rejects its credentials.
        """
        # Without a connection no caller may continue: each one that needs it joins again.
        settled = self.links and self.links.owner is not None and self.membership.partitions.known
        if self.joined and settled:
            return
        if self._joining is None or self._joining.done:
            self._joining = yield Spawn(self._join(), f"join {self._options.cluster_name}")
        yield Join(self._joining)

    def _join(self) -> Operation[None]:
        again = self.joined
        policy = self._options.reconnect_retry if again else self._options.connect_retry
        yield from retry(_JoinAttempt(self, again=again), policy)
        if not self._connected:
            self._connected = True
            self.membership.fire_lifecycle(Lifecycle.CONNECTED)

    def join_once(self) -> Operation[None]:
        """Make a member the owner of the client, and load the state of the cluster from it."""
        try:
            link = yield from self._connect_owner()
            yield from self._bootstrap(link)
        except (TransportError, RemoteProtocolError, HazelcastError):
            self.links.owner = None
            raise
        # The task that watches the connection does not rejoin while this attempt runs.
        if not link.connection.alive:
            raise ConnectionLost(f"{link.address} was lost: {link.connection.failure}")

    def _connect_owner(self) -> Operation[MemberConnection]:
        """Make a member the owner of the client: a connected one, else one that can be reached.

        Raises:
            AuthenticationFailed: no member accepts the client, and one rejects its credentials.
            ConnectFailed: no member accepts the client.
        """
        for link in self.links.all():
            try:
                return (yield from self._promote_to_owner(link))
            except (TransportError, HazelcastError, RemoteProtocolError) as error:
                _log.debug("%s does not look after us: %s", link.connection.endpoint, error)
        failures: dict[Address, JvmWireError] = {}
        # Members without data last.
        members = sorted(self.membership.members.values(), key=lambda member: member.lite)
        known = [member.address for member in members]
        for address in dict.fromkeys([*known, *self._seeds]):
            try:
                return (yield from self._open(address, as_owner=True))
            except JvmWireError as error:
                failures[address] = error
        refusals = [one for one in failures.values() if isinstance(one, AuthenticationFailed)]
        self.is_refused_by_all = len(refusals) == len(failures)
        if refusals:
            raise refusals[0]
        reasons = "; ".join(f"{at}: {_reason(at, failure)}" for at, failure in failures.items())
        raise ConnectFailed(
            f"no member lets us in: {reasons} (check that members listen at these addresses"
            " and that cluster_name is theirs)"
        )

    def _promote_to_owner(self, link: MemberConnection) -> Operation[MemberConnection]:
        """Make an already connected member the owner of the client.

        The member has the same time limit as for accepting a connection.
        """
        request = self._authentication(as_owner=True)
        watching = yield Spawn(self._give_up(link), f"wait for {link.address}")
        try:
            fields = yield Call(link.connection, request, next(self._authentication_ids))
        except JvmWireError:
            yield Cancel(watching)
            raise
        yield Cancel(watching)
        adopted = MemberConnection(link.connection, authenticated(fields))
        yield from self._note(adopted, as_owner=True)
        return adopted

    def _give_up(self, link: MemberConnection) -> Operation[None]:
        try:
            yield Sleep(self._options.connect_timeout)
        except CallCancelled:
            return  # the member has answered
        reason = f"{link.address} did not answer in time whether it looks after us"
        yield Close(link.connection, ConnectionLost(reason))

    def _authentication(self, *, as_owner: bool) -> Request:
        options = self._options
        proof: tuple[object, ...] = (options.cluster_name, options.password)
        message = _AUTHENTICATE
        if options.credentials is not None:
            credentials = options.credentials()
            proof, message = (options.serialization.to_data(credentials),), _AUTHENTICATE_CUSTOM
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
        return Request(message, fields, idempotent=True)

    def _open(self, address: Address, *, as_owner: bool) -> Operation[MemberConnection]:
        options = self._options
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
            raise LocalProtocolError(f"{address} is open and not authenticated")
        link = MemberConnection(connection, session.authentication)
        yield Spawn(self._on_connection_lost(link), f"watch {address}")
        yield from self._note(link, as_owner=as_owner)
        return link

    def _note(self, link: MemberConnection, *, as_owner: bool) -> Operation[None]:
        identity = link.authentication
        if as_owner:
            self._uuid, self._owner_uuid = identity.uuid, identity.owner_uuid
        surplus = self.links.add(link, as_owner=as_owner)
        if surplus is not None:
            reason = f"another connection to {link.address} took its place"
            yield Close(surplus.connection, ConnectionLost(reason))

    def _on_connection_lost(self, link: MemberConnection) -> Operation[None]:
        """Wait until a connection is lost, then remove it and reconnect."""
        yield WaitClosed(link.connection)
        was_owner = self.links.drop(link)
        self.listeners.forget(link.connection)
        if not self.joined:
            return
        if not self.links:
            self.proxies.clear()
            self.membership.partitions.clear()
            if self._connected:
                self._connected = False
                self.membership.fire_lifecycle(Lifecycle.DISCONNECTED)
        if was_owner:
            yield Spawn(self.join(), "join again")
        elif self._options.smart and self.membership.is_member(link.address):
            yield from self._schedule_connect(link.address)

    def _bootstrap(self, owner: MemberConnection) -> Operation[None]:
        """Fetch members and partitions, and register the listeners again."""
        mailbox: Mailbox = yield NewMailbox(None)
        try:
            yield from self._load_cluster_state(owner, mailbox)
        except BaseException:
            # The connection may live, and be tried again.
            mailbox.end()
            raise
        self.links.owner = owner
        if self._housekeeper is None:
            self._housekeeper = yield Spawn(self.listeners.cleanup_loop(), "housekeeping")
        if self._reporter is None and self._options.statistics_period is not None:
            report = self._report(self._options.statistics_period)
            self._reporter = yield Spawn(report, "statistics")
        first, self.joined = not self.joined, True
        yield from self.listeners.register_all(owner.connection)
        if self._options.smart:
            yield from self._connect_to_all(wait=first)

    def _load_cluster_state(self, owner: MemberConnection, mailbox: Mailbox) -> Operation[None]:
        """Fetch members and partitions, and subscribe to their changes."""
        pause = self._options.retry_pause
        joining = Request(_ADD_MEMBERSHIP_LISTENER, (False,), idempotent=True)
        yield from subscribe(owner.connection, joining, mailbox, pause)
        # The first list comes before the answer.
        while mailbox:
            kind, fields = mailbox.take()
            self.membership.apply_event(kind, fields)
        yield Spawn(self._watch_cluster_events(owner, mailbox), "membership")
        yield from self._ask_for_partitions(owner)
        if owner.version >= TELLS_PARTITIONS:
            request = Request(_ADD_PARTITION_LISTENER, (), idempotent=True)
            yield from subscribe(owner.connection, request, mailbox, pause)
        elif self._polling is None or self._polling.done:
            self._polling = yield Spawn(self._poll_partitions(), "poll partitions")

    def _ask_for_partitions(self, link: MemberConnection) -> Operation[None]:
        while True:
            fields = yield Call(link.connection, Request(_GET_PARTITIONS, (), idempotent=True))
            self.membership.take_partitions(*fields)
            if self.membership.partitions.known:
                return
            yield Sleep(self._options.retry_pause / 10)  # a cluster that has just begun

    def _poll_partitions(self) -> Operation[None]:
        """Poll the partition table of members that do not push it."""
        while True:
            yield Sleep(POLL_PARTITIONS)
            owner = self.links.owner
            if owner is None or owner.version >= TELLS_PARTITIONS:
                continue
            try:
                yield from self._ask_for_partitions(owner)
            except JvmWireError as error:
                _log.debug("no partitions from %s: %s", owner.connection.endpoint, error)

    def _report(self, period: float) -> Operation[None]:
        """Send statistics to the owner periodically."""
        while True:
            yield Sleep(period)
            owner = self.links.owner
            if owner is None or owner.version < TAKES_STATISTICS:
                continue
            text = self._statistics((yield WallTime()))
            request = Request(_STATISTICS, (text,), idempotent=True)
            try:
                yield Call(owner.connection, request)
            except JvmWireError as error:
                _log.debug("%s takes no statistics: %s", owner.connection.endpoint, error)

    def _watch_cluster_events(self, owner: MemberConnection, mailbox: Mailbox) -> Operation[None]:
        """Process membership and partition events of the owner until it is lost."""
        yield Spawn(self._close_mailbox_with(owner.connection, mailbox), "end of membership")
        while True:
            try:
                kind, fields = yield Receive(mailbox)
                before = set(self.membership.members)
                self.membership.apply_event(kind, fields)
            except EndOfMessages:
                return
            except JvmWireError as error:
                # What is known is not what there is any more; who joins again is told all.
                yield Close(owner.connection, error)
                return
            if set(self.membership.members) == before:
                continue
            if owner.version < TELLS_PARTITIONS and owner.connection.alive:
                yield Spawn(self._ask_for_partitions(owner), "ask for partitions")
            for link in self.links.all():
                if not self.membership.is_member(link.address):
                    # What it answers from now on is not the cluster's.
                    reason = f"{link.address} is no longer a member"
                    yield Close(link.connection, ConnectionLost(reason))
            if self._options.smart:
                yield from self._connect_to_all(wait=False)

    def _close_mailbox_with(self, connection: Connection, mailbox: Mailbox) -> Operation[None]:
        yield WaitClosed(connection)
        mailbox.end()

    def _connect_to_all(self, *, wait: bool) -> Operation[None]:
        """Connect to all members, soon; with `wait`, after one try at each, or `FIRST_TRIES`."""
        if wait and (missing := self._missing()):
            tried = Future()
            yield Spawn(self._try_all(missing, tried), "connect to all members")
            waiting = yield Spawn(self._resolve_after_timeout(tried), "wait for the members")
            yield tried
            yield Cancel(waiting)
        for address in self._missing():
            yield from self._schedule_connect(address)

    def _try_all(self, addresses: list[Address], tried: Future) -> Operation[None]:
        yield Gather([self._try_to_connect(address) for address in addresses])
        tried.set_result()

    def _resolve_after_timeout(self, future: Future) -> Operation[None]:
        try:
            yield Sleep(min(FIRST_TRIES, self._options.connect_timeout))
        except CallCancelled:
            return  # all were tried
        future.set_result()

    def _missing(self) -> list[Address]:
        """Return the addresses of members without a connection."""
        addresses = [member.address for member in self.membership.members.values()]
        return [address for address in addresses if address not in self.links]

    def connect(self, address: Address) -> Operation[MemberConnection]:
        """Connect to a member; concurrent callers share one attempt."""
        task = self._opening.get(address)
        if task is None or task.done:
            task = yield Spawn(self._open_non_owner(address), f"open {address}")
            self._opening[address] = task
        link: MemberConnection = yield Join(task)
        return link

    def _open_non_owner(self, address: Address) -> Operation[MemberConnection]:
        try:
            link = yield from self._open(address, as_owner=False)
            yield from self.listeners.register_all(link.connection)
        finally:
            self._opening.pop(address, None)
        return link

    def _schedule_connect(self, address: Address) -> Operation[None]:
        """Start a task that retries the connection to a member, first without delay."""
        task = self._connecting.get(address)
        if task is None or task.done:
            task = yield Spawn(self._connect_again(address), f"connect to {address}")
            self._connecting[address] = task
        elif (
            address not in self._opening and address not in self._trying
        ):  # it waits, by now perhaps for long
            yield Spawn(self._try_to_connect(address), f"connect to {address} at once")

    def _connect_again(self, address: Address) -> Operation[None]:
        """Retry the connection to a member as long as it is a member."""
        for wait in self._options.reconnect_retry.waits():
            if (
                address in self.links
                or not self.membership.is_member(address)
                or self.links.owner is None
            ):
                break
            yield from self._try_to_connect(address)
            if address not in self.links:
                yield Sleep(wait)
        self._connecting.pop(address, None)

    def _try_to_connect(self, address: Address) -> Operation[None]:
        """Connect to a member in its turn, so that calls do not wait for all members."""
        task = self._trying.get(address)
        if task is None or task.done:
            task = yield Spawn(self._try_in_turn(address), f"connect to {address} in turn")
            self._trying[address] = task
        yield Join(task)

    def _try_in_turn(self, address: Address) -> Operation[None]:
        try:
            yield from self._turns.acquire()
            try:
                if address not in self.links and self.membership.is_member(address):
                    yield from self.connect(address)
            except JvmWireError as error:
                _log.debug("no connection to %s: %s", address, error)
            finally:
                self._turns.release()
        finally:
            self._trying.pop(address, None)

    def _listener_connections(self) -> list[Connection]:
        if self._options.smart:
            return [link.connection for link in self.links.all()]
        owner = self.links.owner
        return [] if owner is None else [owner.connection]


class _JoinAttempt(RetryStrategy[None]):
    """Join of a cluster, with any member; a client that all members refuse does not try again."""

    errors = (TransportError, RemoteProtocolError, HazelcastError)

    def __init__(self, manager: ConnectionManager, *, again: bool) -> None:
        self._manager = manager
        self._again = again

    def attempt(self) -> Operation[None]:
        return self._manager.join_once()

    def judge(self, error: JvmWireError) -> int:
        # A client that was accepted before may be again, as by a member that is still starting.
        if self._manager.is_refused_by_all and not self._again:
            raise error
        _log.debug("not joined: %s", error)
        return 0
