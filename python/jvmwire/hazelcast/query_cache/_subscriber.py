"""Subscription of a query cache to the changes of its map, with recovery of lost events."""

from __future__ import annotations

import enum
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import EndOfMessages, Join, Receive, Sleep, Spawn
from jvmwire.errors import Finished, JvmWireError, LimitExceeded
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._listener_service import Registration
from jvmwire.hazelcast._members import MembershipChange, MembershipEvent
from jvmwire.hazelcast._proxies.entries import EntryEvent, EntryEventType
from jvmwire.hazelcast.query_cache._records import Change, QueryCacheStore
from jvmwire.hazelcast.query_cache._sequences import EventAction, Sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._runtime.operations import Mailbox, Operation, Task
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.query_cache._config import QueryCacheConfig

_named = HazelcastMessage.named

_LISTEN, _UNLISTEN = _named("ContinuousQuery.addListener"), _named("Map.removeEntryListener")
_CREATE = _named("ContinuousQuery.publisherCreate")
_CREATE_WITH_VALUE = _named("ContinuousQuery.publisherCreateWithValue")
_MADE_PUBLISHABLE = _named("ContinuousQuery.madePublishable")
_SET_READ_CURSOR = _named("ContinuousQuery.setReadCursor")
_DESTROY = _named("ContinuousQuery.destroyCache")
_KEYS, _ENTRIES = _named("Map.keySetWithPredicate"), _named("Map.entriesWithPredicate")

MAP_SERVICE = "hz:impl:mapService"
SINGLE, BATCH = 212, 213
"""Types of the events that report changes."""
LISTENER_NAME = "{}::::{}"
"""Format of the listener name, from map name and cache id: `ListenerRegistrationHelper`."""
LOST_EVENT_TIMEOUT = 15.0
"""Seconds to wait for a lost event that its member still has, before the map is read again. (Chosen
by jvmwire: members look for events to send every 5 seconds, `DefaultPublisherContext`.)"""

_log = get_logger("jvmwire.connection")


class _ControlMessage(enum.Enum):
    """Instruction in the mailbox, among the events."""

    READ_AGAIN = enum.auto()
    """Changes were missed that no event will deliver."""
    CREATE_AGAIN = enum.auto()
    """A member has started to send events that may not have the cache's publisher."""


@dataclass(frozen=True, slots=True)
class EventLost:
    """The event that events of a partition were lost; they are requested again, or the map is read.

    Args:
        partition_id: Partition of the lost events.
    """

    partition_id: int


class Subscriber:
    """One query cache of one map, used by the operations of one client, one at a time."""

    def __init__(
        self,
        cluster: Invoker,
        map_name: str,
        name: str,
        config: QueryCacheConfig,
        forget: Callable[[Subscriber], None],
    ) -> None:
        self.map_name = map_name
        self.name = name
        self.config = config
        self.records = QueryCacheStore(
            config.max_entries, cluster.partition_of, include_value=config.include_value
        )
        self._cluster = cluster
        self._forget = forget
        self._sequences = Sequences()
        self._id = str(uuid.uuid4())
        """Id of the cache in the protocol: `UuidUtil` in Java."""
        self._watch = str(uuid.uuid4())
        """Registration id of the membership listener."""
        self._creation: Task | None = None
        self._registration: Registration | None = None
        self._created = self._destroyed = False
        self._entry_listeners: dict[str, tuple[Mailbox, bytes | None]] = {}
        self._lost_listeners: dict[str, Mailbox] = {}

    def ready(self) -> Operation[None]:
        """Wait until the cache is created.

        Raises:
            Finished: the cache was destroyed.
        """
        if self._destroyed:
            raise Finished(f"the query cache {self.name} of {self.map_name} is destroyed")
        if self._creation is None:
            self._creation = yield Spawn(self._create(), f"query cache {self.name}")
        yield Join(self._creation)

    def _create(self) -> Operation[None]:
        cluster, config = self._cluster, self.config
        try:
            yield from cluster.create_proxy(MAP_SERVICE, self.map_name)
            mailbox: Mailbox = yield cluster.new_mailbox()
            listener = LISTENER_NAME.format(self.map_name, self._id)
            self._registration = Registration(
                _LISTEN,
                (listener,),
                _UNLISTEN,
                (listener,),
                mailbox,
                (MAP_SERVICE, self.map_name),
                registered=self._registered,
            )
            yield from cluster.register(self._registration)
            cluster.add_membership_listener(self._watch, mailbox)
            self._created = True
            self._notify(self.records.replace((yield from self._publish(populate=config.populate))))
            if config.populate:
                # Members have held back the events of the meantime until this call.
                yield from self._ask(_MADE_PUBLISHABLE)
        except BaseException:
            # The next caller may pass another configuration.
            self._forget(self)
            self._creation = None
            self._created = False
            yield from cluster.remove(self._watch)  # local: does not wait
            if self._registration is not None:
                cluster.remove_later(self._registration)
            raise
        yield Spawn(self._watch_events(mailbox), f"changes of query cache {self.name}")

    def _registered(self) -> None:
        if self._created and self._registration is not None:
            self._registration.mailbox.push(_ControlMessage.CREATE_AGAIN)

    def _publish(self, *, populate: bool) -> Operation[Iterable[tuple[bytes, bytes | None]]]:
        """Create the publishers on the members; return the current entries if requested."""
        config = self.config
        [found] = yield from self._ask(
            _CREATE_WITH_VALUE if config.include_value else _CREATE,
            self._predicate(),
            config.batch_size,
            config.buffer_size,
            config.delay_seconds,
            populate,
            config.coalesce,
        )
        return self._pairs(found)

    def _read(self) -> Operation[Iterable[tuple[bytes, bytes | None]]]:
        message = _ENTRIES if self.config.include_value else _KEYS
        fields = (self.map_name, self._predicate())
        [found] = yield from self._cluster.request(message, fields)
        return self._pairs(found)

    def _pairs(self, found: Any) -> Iterable[tuple[bytes, bytes | None]]:
        return found if self.config.include_value else ((key, None) for key in found)

    def _predicate(self) -> bytes:
        return self._cluster.serialization.to_data(self.config.predicate)

    def _ask(self, message: HazelcastMessage, *rest: Any) -> Operation[tuple[Any, ...]]:
        # Java retries these requests whatever the message says: they are idempotent.
        request = Request(message, (self.map_name, self._id, *rest), idempotent=True)
        fields: tuple[Any, ...] = yield from self._cluster.call(request)
        return fields

    # Events from members.

    def _watch_events(self, mailbox: Mailbox) -> Operation[None]:
        while True:
            try:
                pushed = yield Receive(mailbox)
            except EndOfMessages:
                return
            except LimitExceeded:
                pushed = _ControlMessage.READ_AGAIN
            match pushed:
                case _ControlMessage() as notice:
                    yield from self._read_again(mailbox, notice)
                case MembershipEvent(change=MembershipChange.REMOVED):
                    # Events that the lost member had not sent are lost.
                    yield from self._read_again(mailbox, _ControlMessage.READ_AGAIN)
                case MembershipEvent():
                    pass
                case (kind, fields) if kind in {SINGLE, BATCH}:
                    for event in fields[0] if kind == BATCH else fields:
                        yield from self._handle_event(event)

    def _handle_event(self, event: dict[str, Any]) -> Operation[None]:
        partition_id, sequence = event["partition_id"], event["sequence"]
        expected = self._sequences.expected(partition_id)
        match self._sequences.classify(partition_id, sequence):
            case EventAction.APPLY:
                kind = EntryEventType(event["event_type"])
                applied = self.records.apply(kind, partition_id, event["key"], event["new_value"])
                self._notify(applied)
            case EventAction.RECOVER | EventAction.READ_AGAIN as verdict:
                _log.warning(
                    "query cache %s of %s: event %d of partition %d came in the place of %s",
                    *(self.name, self.map_name, sequence, partition_id, expected),
                )
                for mailbox in self._lost_listeners.values():
                    mailbox.push(EventLost(partition_id))
                counted = expected if verdict is EventAction.RECOVER else None
                yield Spawn(
                    self._recover(partition_id, counted),
                    f"recovery of query cache {self.name}",
                )

    def _recover(self, partition_id: int, expected: int | None) -> Operation[None]:
        """Request events again from sequence `expected` on, or else have the map read again."""
        registration = self._registration
        if expected is not None:
            fields = (self.map_name, self._id, expected)
            request = Request(_SET_READ_CURSOR, fields, partition_id, idempotent=True)
            try:
                [is_republished] = yield from self._cluster.call(request)
            except JvmWireError as error:
                _log.debug("query cache %s: %s", self.name, error)
                is_republished = False
            if is_republished:
                yield Sleep(LOST_EVENT_TIMEOUT)
                if not self._sequences.awaits(partition_id, expected):
                    return
        if registration is not None:
            registration.mailbox.push(_ControlMessage.READ_AGAIN)

    def _read_again(self, mailbox: Mailbox, notice: _ControlMessage) -> Operation[None]:
        """Replace the entries by the current content of the map."""
        while not self._destroyed:
            try:
                if notice is _ControlMessage.CREATE_AGAIN:
                    yield from self._cluster.create_proxy(MAP_SERVICE, self.map_name)
                    yield from self._publish(populate=False)
                    notice = _ControlMessage.READ_AGAIN
                # Waiting events are older than the content that is read now.
                while mailbox:
                    if mailbox.take() is _ControlMessage.CREATE_AGAIN:
                        notice = _ControlMessage.CREATE_AGAIN
                if notice is _ControlMessage.CREATE_AGAIN:
                    continue
                self._sequences.forget()
                self._notify(self.records.replace((yield from self._read())))
            except JvmWireError as error:
                _log.debug("query cache %s was not read: %s", self.name, error)
                yield Sleep(self._cluster.options.retry_pause)
            else:
                return

    # Local listeners.

    def add_entry_listener(
        self, callback: Callable[[EntryEvent], Any], key: bytes | None, *, include_value: bool
    ) -> Operation[str]:
        """Call `callback` with each change.

        Args:
            callback: Function that takes an `EntryEvent`.
            key: Serialized key whose changes are delivered; None is every key.
            include_value: Whether events contain the values.

        Returns:
            The id that `remove_listener` takes.
        """
        to_object = self._cluster.serialization.to_object

        def understand(change: Change) -> EntryEvent:
            values = (change.value, change.old_value) if include_value else (None, None)
            value, old_value = map(to_object, values)
            key = to_object(change.key)
            return EntryEvent(change.type, key, value, old_value, None, "", change.count)

        mailbox: Mailbox = yield self._cluster.new_mailbox(callback, understand)
        listener = self._cluster.register_locally(mailbox)
        self._entry_listeners[listener] = (mailbox, key)
        return listener

    def add_event_lost_listener(self, callback: Callable[[EventLost], Any]) -> Operation[str]:
        """Call `callback` when events were lost.

        Args:
            callback: Function that takes an `EventLost`.

        Returns:
            The id that `remove_listener` takes.
        """
        mailbox: Mailbox = yield self._cluster.new_mailbox(callback)
        listener = self._cluster.register_locally(mailbox)
        self._lost_listeners[listener] = mailbox
        return listener

    def remove_listener(self, listener: str) -> Operation[bool]:
        """Remove a listener.

        Args:
            listener: Id of the listener.

        Returns:
            True if there was a listener with this id.
        """
        self._entry_listeners.pop(listener, None)
        self._lost_listeners.pop(listener, None)
        return (yield from self._cluster.remove(listener))

    def _notify(self, changes: list[Change]) -> None:
        for mailbox, key in self._entry_listeners.values():
            for change in changes:
                if key is None or change.key in {key, None}:
                    mailbox.push(change)

    def destroy(self) -> Operation[None]:
        """Remove all entries and listeners, and destroy the cache on the members."""
        if self._destroyed:
            return
        self._destroyed, self._created = True, False
        self._forget(self)
        for listener in (self._watch, *self._entry_listeners, *self._lost_listeners):
            yield from self._cluster.remove(listener)
        self._entry_listeners.clear()
        self._lost_listeners.clear()
        self.records.clear()
        if self._registration is not None:
            yield from self._cluster.remove(self._registration.id)
            yield from self._ask(_DESTROY)
