"""ReplicatedMap: keys and values, replicated to every member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._arguments import mapping
from jvmwire.hazelcast._proxies.proxy import ClientProxy, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.predicates import without_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._proxies.entries import EntryEvent

_named = HazelcastMessage.named

PUT, GET, REMOVE = (
    _named("ReplicatedMap.put"),
    _named("ReplicatedMap.get"),
    _named("ReplicatedMap.remove"),
)
PUT_ALL, CLEAR = _named("ReplicatedMap.putAll"), _named("ReplicatedMap.clear")
SIZE, IS_EMPTY = _named("ReplicatedMap.size"), _named("ReplicatedMap.isEmpty")
CONTAINS_KEY = _named("ReplicatedMap.containsKey")
CONTAINS_VALUE = _named("ReplicatedMap.containsValue")
KEY_SET, VALUES = _named("ReplicatedMap.keySet"), _named("ReplicatedMap.values")
ENTRY_SET = _named("ReplicatedMap.entrySet")
LISTEN = _named("ReplicatedMap.addEntryListener")
LISTEN_TO_KEY = _named("ReplicatedMap.addEntryListenerToKey")
LISTEN_WHERE = _named("ReplicatedMap.addEntryListenerWithPredicate")
LISTEN_TO_KEY_WHERE = _named("ReplicatedMap.addEntryListenerToKeyWithPredicate")
UNLISTEN = _named("ReplicatedMap.removeEntryListener")


class ReplicatedMapOperations(ClientProxy):
    """Operations of a replicated map, which is eventually consistent across the members.

    Requests for a key go to the member that its writes go to, so that a client reads its own
    writes. Requests for the whole map go to any member, which answers with the entries that it has
    so far.
    """

    service = "hz:impl:replicatedMapService"

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return the value under `key`.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if there is no entry.
        """
        [value] = yield from self._key_request(GET, self._data(key))
        return self._object(value)

    @operation
    def put(
        self, key: object, value: object, *, ttl: float | timedelta | None = None
    ) -> Operation[Any]:
        """Put `value` under `key` and return the old value.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; None is without limit.

        Returns:
            The old value, or None.
        """
        rest = self._data(value), milliseconds(ttl, "ttl", absent=0)
        [old] = yield from self._key_request(PUT, self._data(key), *rest)
        return self._object(old)

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries in one message.

        Args:
            entries: Values by key.
        """
        mapping("entries", entries)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
        yield from self._ask(PUT_ALL, list(zip(keys, values, strict=True)))

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove the entry of `key` and return its value.

        Args:
            key: Key of the entry.

        Returns:
            The removed value, or None.
        """
        [old] = yield from self._key_request(REMOVE, self._data(key))
        return self._object(old)

    @operation
    def clear(self) -> Operation[None]:
        """Remove all entries."""
        yield from self._ask(CLEAR)

    @operation
    def size(self) -> Operation[int]:
        """Return the number of entries.

        Returns:
            The number of entries.
        """
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether the map has no entries.

        Returns:
            True if there is no entry.
        """
        empty: bool = yield from self._value(IS_EMPTY)
        return empty

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the map has an entry of `key`.

        Args:
            key: Key of the entry.

        Returns:
            True if there is an entry.
        """
        [found] = yield from self._key_request(CONTAINS_KEY, self._data(key))
        return bool(found)

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether any entry has the value `value`.

        Args:
            value: Value to search for.

        Returns:
            True if there is such an entry.
        """
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return all keys.

        Returns:
            The keys, in no particular order.
        """
        return self._objects((yield from self._value(KEY_SET)))

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return all values.

        Returns:
            The values, in no particular order.
        """
        return self._objects((yield from self._value(VALUES)))

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return all entries.

        Returns:
            Pairs of key and value, in no particular order.
        """
        return self._pairs((yield from self._value(ENTRY_SET)))

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        predicate: object = None,
    ) -> Operation[str]:
        """Call `callback` with each event of the map, optionally filtered by key and predicate.

        Args:
            callback: Function that takes an `EntryEvent`, or an `EventsLost` in the place of
                dropped events.
            key: Key whose events are delivered; None is every key.
            predicate: Predicate that selects the entries; None selects all.

        Returns:
            The registration id that `remove_listener` takes.
        """
        fields: tuple[Any, ...] = ()
        add = LISTEN
        if predicate is not None:
            fields, add = (self._data(without_pages(predicate)),), LISTEN_WHERE
        if key is not None:
            fields = (self._data(key), *fields)
            add = LISTEN_TO_KEY if predicate is None else LISTEN_TO_KEY_WHERE
        registration = yield from self._listen(add, UNLISTEN, fields, self._entry_event, callback)
        return registration.id


class ReplicatedMap(ReplicatedMapOperations, ThreadIdentity):
    """A replicated map of the cluster, for threads."""


class AsyncReplicatedMap(ReplicatedMapOperations, TaskIdentity):
    """A replicated map of the cluster, for asyncio."""
