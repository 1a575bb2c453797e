"""Listeners and event iterators of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.client import event_stream, operation
from jvmwire._runtime.operations import Emit, EndOfMessages, Failure, Receive
from jvmwire.errors import MessagesLost
from jvmwire.hazelcast._events import RECEIVED
from jvmwire.hazelcast._proxies.entries import (
    ALL_EVENTS,
    EntryEvent,
    EntryEventType,
    PartitionLostEvent,
)
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast.predicates import without_pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.hazelcast._listener_service import Registration

    T = TypeVar("T")

_named = HazelcastMessage.named

_log = get_logger("jvmwire.callbacks")

LISTEN = _named("Map.addEntryListener")
LISTEN_TO_KEY = _named("Map.addEntryListenerToKey")
LISTEN_WHERE = _named("Map.addEntryListenerWithPredicate")
LISTEN_TO_KEY_WHERE = _named("Map.addEntryListenerToKeyWithPredicate")
UNLISTEN = _named("Map.removeEntryListener")
LISTEN_PARTITION_LOST = _named("Map.addPartitionLostListener")
UNLISTEN_PARTITION_LOST = _named("Map.removePartitionLostListener")


class EventOperations(ClientProxy):
    """Operations of a map that deliver its events."""

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        predicate: object = None,
        include_value: bool = True,
        events: EntryEventType = ALL_EVENTS,
    ) -> Operation[str]:
        """Call `callback` with each event of the map, optionally filtered by key and predicate.

        Events of one key are in order. If more events wait than `HazelcastOptions.event_queue`
        allows, the callback gets one `EventsLost` in the place of the dropped ones.

        Args:
            callback: Function that takes an `EntryEvent`.
            key: Key whose events are delivered; None is every key.
            predicate: Predicate that selects the entries; None selects all.
            include_value: Whether events contain the values.
            events: Kinds of events to deliver; `INVALIDATION` is left out by default.

        Returns:
            The registration id that `remove_listener` takes.
        """
        registration = yield from self._listen_to(callback, key, predicate, include_value, events)
        return registration.id

    @event_stream
    def entry_events(
        self,
        *,
        key: object = None,
        predicate: object = None,
        include_value: bool = True,
        events: EntryEventType = ALL_EVENTS,
    ) -> OperationStream[EntryEvent]:
        """Yield each event of the map until the iterator is closed; see `add_entry_listener`.

        Args:
            key: Key whose events are delivered; None is every key.
            predicate: Predicate that selects the entries; None selects all.
            include_value: Whether events contain the values.
            events: Kinds of events to deliver; `INVALIDATION` is left out by default.

        Yields:
            The events; those of one key are in order.

        Raises:
            MessagesLost: events were dropped at this point, because more waited than
                `HazelcastOptions.event_queue` allows; the iterator can be continued.
        """
        registration = yield from self._listen_to(RECEIVED, key, predicate, include_value, events)
        yield from self._received(registration)

    @operation
    def _open_entry_events(self) -> Operation[Registration]:
        """Register an iterator of all events; members deliver events once this has returned."""
        return (yield from self._listen_to(RECEIVED, None, None, True, ALL_EVENTS))  # noqa: FBT003  # internal

    @event_stream
    def _entry_events_of(self, registration: Registration) -> OperationStream[EntryEvent]:
        """Yield the events of an iterator that `_open_entry_events` has registered."""
        yield from self._received(registration)

    def _received(self, registration: Registration) -> OperationStream[EntryEvent]:
        try:
            while True:
                try:
                    _, fields = yield Receive(registration.mailbox)
                except EndOfMessages:
                    return
                except MessagesLost as error:
                    yield Emit(cast("EntryEvent", Failure(error)))
                    continue
                try:
                    event = self._entry_event(fields)
                except Exception:  # as in a callback: the next event is still delivered
                    _log.exception("an event cannot be read; the next one is told all the same")
                    continue
                yield Emit(event)
        finally:
            self._cluster.remove_later(registration)

    def _listen_to(
        self,
        callback: Callable[[EntryEvent], Any],
        key: object,
        predicate: object,
        include_value: bool,  # noqa: FBT001  # internal
        events: EntryEventType,
    ) -> Operation[Registration]:
        fields: tuple[Any, ...] = (include_value, int(events))
        add = LISTEN
        if predicate is not None:
            fields, add = (self._data(without_pages(predicate)), *fields), LISTEN_WHERE
        if key is not None:
            fields = (self._data(key), *fields)
            add = LISTEN_TO_KEY if predicate is None else LISTEN_TO_KEY_WHERE
        return (yield from self._listen(add, UNLISTEN, fields, self._entry_event, callback))

    @operation
    def add_partition_lost_listener(
        self, callback: Callable[[PartitionLostEvent], Any]
    ) -> Operation[str]:
        """Call `callback` when a partition of the map is lost with all its backups.

        Args:
            callback: Function that takes a `PartitionLostEvent`.

        Returns:
            The registration id that `remove_listener` takes.
        """
        registration = yield from self._listen(
            LISTEN_PARTITION_LOST,
            UNLISTEN_PARTITION_LOST,
            (),
            lambda fields: PartitionLostEvent(*fields),
            callback,
        )
        return registration.id
