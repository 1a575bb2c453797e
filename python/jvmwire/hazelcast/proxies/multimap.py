"""MultiMap: many values under a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.proxies.proxy import (
    FOREVER,
    AsyncProxy,
    Proxy,
    SyncProxy,
    milliseconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast.proxies.entries import EntryEvent

_named = HazelcastMessage.named

PUT, GET, REMOVE = _named("MultiMap.put"), _named("MultiMap.get"), _named("MultiMap.remove")
REMOVE_ENTRY, DELETE = _named("MultiMap.removeEntry"), _named("MultiMap.delete")
KEY_SET, VALUES = _named("MultiMap.keySet"), _named("MultiMap.values")
ENTRY_SET, SIZE, CLEAR = (
    _named("MultiMap.entrySet"),
    _named("MultiMap.size"),
    _named("MultiMap.clear"),
)
CONTAINS_KEY = _named("MultiMap.containsKey")
CONTAINS_VALUE = _named("MultiMap.containsValue")
CONTAINS_ENTRY = _named("MultiMap.containsEntry")
VALUE_COUNT = _named("MultiMap.valueCount")
LOCK, TRY_LOCK, UNLOCK = (
    _named("MultiMap.lock"),
    _named("MultiMap.tryLock"),
    _named("MultiMap.unlock"),
)
IS_LOCKED, FORCE_UNLOCK = _named("MultiMap.isLocked"), _named("MultiMap.forceUnlock")
LISTEN, LISTEN_TO_KEY = (
    _named("MultiMap.addEntryListener"),
    _named("MultiMap.addEntryListenerToKey"),
)
UNLISTEN = _named("MultiMap.removeEntryListener")


class MultiMapOperations(Proxy):
    """What can be done with a multimap."""

    service = "hz:impl:multiMapService"

    @operation
    def put(self, key: object, value: object) -> Operation[bool]:
        """Add `value` under `key`; return whether it was added."""
        return (yield from self._judged(PUT, key, self._data(value), self._caller_id()))

    @operation
    def get(self, key: object) -> Operation[list[Any]]:
        """Return the values under `key`."""
        [values] = yield from self._on_key(GET, self._data(key), self._caller_id())
        return self._objects(values)

    @operation
    def remove(self, key: object) -> Operation[list[Any]]:
        """Remove the values under `key`, and return them."""
        [values] = yield from self._on_key(REMOVE, self._data(key), self._caller_id())
        return self._objects(values)

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove the values under `key`. Needs members from 3.10 on."""
        yield from self._on_key(DELETE, self._data(key), self._caller_id())

    @operation
    def remove_entry(self, key: object, value: object) -> Operation[bool]:
        """Remove `value` under `key`; return whether it was there."""
        return (yield from self._judged(REMOVE_ENTRY, key, self._data(value), self._caller_id()))

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether anything stands under `key`."""
        return (yield from self._judged(CONTAINS_KEY, key, self._caller_id()))

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether `value` stands under any key."""
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def contains_entry(self, key: object, value: object) -> Operation[bool]:
        """Return whether `value` stands under `key`."""
        return (yield from self._judged(CONTAINS_ENTRY, key, self._data(value), self._caller_id()))

    @operation
    def value_count(self, key: object) -> Operation[int]:
        """Return how many values stand under `key`."""
        [count] = yield from self._on_key(VALUE_COUNT, self._data(key), self._caller_id())
        return int(count)

    @operation
    def size(self) -> Operation[int]:
        """Return how many values there are, under all keys."""
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def clear(self) -> Operation[None]:
        """Remove everything."""
        yield from self._ask(CLEAR)

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return the keys."""
        return self._objects((yield from self._value(KEY_SET)))

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return the values under all keys."""
        return self._objects((yield from self._value(VALUES)))

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return each value with its key."""
        return self._pairs((yield from self._value(ENTRY_SET)))

    # Locks of a key, as those of a map.

    @operation
    def lock(self, key: object, *, lease: float | None = None) -> Operation[None]:
        """Wait for the key's lock and take it; it frees itself after `lease` seconds.

        How long this waits, and of who waits no longer, see `Map.lock`.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        told = data, caller, milliseconds(lease, "lease"), next_id()
        yield from self._take(LOCK, *told, release=release)

    @operation
    def try_lock(
        self, key: object, *, timeout: float = 0.0, lease: float | None = None
    ) -> Operation[bool]:
        """Take the key's lock if it is free within `timeout` seconds."""
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        times = milliseconds(lease, "lease", absent=FOREVER), milliseconds(timeout, "timeout")
        told = data, caller, *times, next_id()
        return (yield from self._take(TRY_LOCK, *told, release=release))

    @operation
    def unlock(self, key: object) -> Operation[None]:
        """Give the key's lock back."""
        told = self._caller_id(), self._cluster.next_reference_id()
        yield from self._on_key(UNLOCK, self._data(key), *told)

    @operation
    def is_locked(self, key: object) -> Operation[bool]:
        """Return whether anyone holds the key's lock."""
        return (yield from self._judged(IS_LOCKED, key))

    @operation
    def force_unlock(self, key: object) -> Operation[None]:
        """Free the key's lock, whoever holds it."""
        yield from self._on_key(FORCE_UNLOCK, self._data(key), self._cluster.next_reference_id())

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        include_value: bool = True,
    ) -> Operation[str]:
        """Call `callback` with each event, or those of a key; see `remove_listener`."""
        told: tuple[Any, ...] = (include_value,)
        add = LISTEN
        if key is not None:
            told, add = (self._data(key), *told), LISTEN_TO_KEY
        registration = yield from self._listen(add, UNLISTEN, told, self._entry_event, callback)
        return registration.id

    def _judged(self, message: HazelcastMessage, key: object, *rest: Any) -> Operation[bool]:
        [judgement] = yield from self._on_key(message, self._data(key), *rest)
        return bool(judgement)


class MultiMap(MultiMapOperations, SyncProxy):
    """A multimap of the cluster, for threads."""


class AsyncMultiMap(MultiMapOperations, AsyncProxy):
    """A multimap of the cluster, for asyncio."""
