"""ReplicatedMap: keys and values, all of them on every member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.arguments import mapping
from jvmwire.hazelcast.predicates import without_pages
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy, milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.proxies.entries import EntryEvent

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


class ReplicatedMapOperations(Proxy):
    """What can be done with a replicated map. What was put is on the other members a little later.

    A key is asked for where it was put, so that a client sees what it put; what is asked of the
    whole map, any member answers as far as it knows.
    """

    service = "hz:impl:replicatedMapService"

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None."""
        [value] = yield from self._on_key(GET, self._data(key))
        return self._object(value)

    @operation
    def put(self, key: object, value: object, *, ttl: float | None = None) -> Operation[Any]:
        """Put `value` under `key`, for `ttl` seconds; return what stood there, or None."""
        rest = self._data(value), milliseconds(ttl, "ttl", absent=0)
        [old] = yield from self._on_key(PUT, self._data(key), *rest)
        return self._object(old)

    @operation
    def put_all(self, entries: Mapping[Any, Any]) -> Operation[None]:
        """Put many entries, in one message."""
        mapping("entries", entries)
        keys, values = self._datas(entries.keys()), self._datas(entries.values())
        yield from self._ask(PUT_ALL, list(zip(keys, values, strict=True)))

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove what stands under `key`, and return it."""
        [old] = yield from self._on_key(REMOVE, self._data(key))
        return self._object(old)

    @operation
    def clear(self) -> Operation[None]:
        """Remove every entry."""
        yield from self._ask(CLEAR)

    @operation
    def size(self) -> Operation[int]:
        """Return how many entries there are."""
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def is_empty(self) -> Operation[bool]:
        """Return whether there is no entry."""
        empty: bool = yield from self._value(IS_EMPTY)
        return empty

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether something stands under `key`."""
        [found] = yield from self._on_key(CONTAINS_KEY, self._data(key))
        return bool(found)

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether `value` stands under any key."""
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return the keys."""
        return self._objects((yield from self._value(KEY_SET)))

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return the values."""
        return self._objects((yield from self._value(VALUES)))

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return keys and values."""
        return self._pairs((yield from self._value(ENTRY_SET)))

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        predicate: object = None,
    ) -> Operation[str]:
        """Call `callback` with each event, or those of a key, of what a predicate finds, or both.

        Returns the id that `remove_listener` takes.
        """
        told: tuple[Any, ...] = ()
        add = LISTEN
        if predicate is not None:
            told, add = (self._data(without_pages(predicate)),), LISTEN_WHERE
        if key is not None:
            told = (self._data(key), *told)
            add = LISTEN_TO_KEY if predicate is None else LISTEN_TO_KEY_WHERE
        registration = yield from self._listen(add, UNLISTEN, told, self._entry_event, callback)
        return registration.id


class ReplicatedMap(ReplicatedMapOperations, SyncProxy):
    """A replicated map of the cluster, for threads."""


class AsyncReplicatedMap(ReplicatedMapOperations, AsyncProxy):
    """A replicated map of the cluster, for asyncio."""
