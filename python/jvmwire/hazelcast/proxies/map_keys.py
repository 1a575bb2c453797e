"""A map, one key at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.proxies.entries import EntryView
from jvmwire.hazelcast.proxies.proxy import FOREVER, Proxy, milliseconds

if TYPE_CHECKING:
    from typing import TypeVar

    from jvmwire._runtime.operations import Operation

    T = TypeVar("T")

_named = HazelcastMessage.named

PUT = _named("Map.put")
PUT_MAX_IDLE = _named("Map.putWithMaxIdle")
SET = _named("Map.set")
SET_MAX_IDLE = _named("Map.setWithMaxIdle")
PUT_IF_ABSENT = _named("Map.putIfAbsent")
PUT_IF_ABSENT_MAX_IDLE = _named("Map.putIfAbsentWithMaxIdle")
PUT_TRANSIENT = _named("Map.putTransient")
PUT_TRANSIENT_MAX_IDLE = _named("Map.putTransientWithMaxIdle")
TRY_PUT = _named("Map.tryPut")
TRY_REMOVE = _named("Map.tryRemove")
GET = _named("Map.get")
REMOVE = _named("Map.remove")
DELETE = _named("Map.delete")
REPLACE = _named("Map.replace")
REPLACE_IF_SAME = _named("Map.replaceIfSame")
REMOVE_IF_SAME = _named("Map.removeIfSame")
CONTAINS_KEY = _named("Map.containsKey")
SET_TTL = _named("Map.setTtl")
EVICT = _named("Map.evict")
ENTRY_VIEW = _named("Map.getEntryView")
LOCK = _named("Map.lock")
TRY_LOCK = _named("Map.tryLock")
UNLOCK = _named("Map.unlock")
IS_LOCKED = _named("Map.isLocked")
FORCE_UNLOCK = _named("Map.forceUnlock")


class KeyOperations(Proxy):
    """What can be done with one key of a map, and with its lock."""

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return what stands under `key`, or None."""
        [value] = yield from self._on_key(GET, self._data(key), self._caller_id())
        return self._object(value)

    @operation
    def put(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[Any]:
        """Put `value` under `key`; return what stood there, or None.

        The entry goes after `ttl` seconds, and after `max_idle` seconds in which nobody looked at
        it; `max_idle` needs members from 3.11 on.
        """
        [old] = yield from self._put(PUT, PUT_MAX_IDLE, key, value, ttl, max_idle)
        return self._object(old)

    @operation
    def set(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[None]:
        """Put `value` under `key`, and do not ask what stood there; see `put`."""
        yield from self._put(SET, SET_MAX_IDLE, key, value, ttl, max_idle)

    @operation
    def put_if_absent(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[Any]:
        """Put `value` under `key` if nothing stands there, else return what does; see `put`."""
        [old] = yield from self._put(
            PUT_IF_ABSENT, PUT_IF_ABSENT_MAX_IDLE, key, value, ttl, max_idle
        )
        return self._object(old)

    @operation
    def put_transient(
        self, key: object, value: object, *, ttl: float | None = None, max_idle: float | None = None
    ) -> Operation[None]:
        """Put `value` under `key` and not into the map's store; see `put`."""
        yield from self._put(PUT_TRANSIENT, PUT_TRANSIENT_MAX_IDLE, key, value, ttl, max_idle)

    def _put(
        self,
        message: HazelcastMessage,
        with_max_idle: HazelcastMessage,
        key: object,
        value: object,
        ttl: float | None,
        max_idle: float | None,
    ) -> Operation[tuple[Any, ...]]:
        rest: tuple[Any, ...] = (self._data(value), self._caller_id(), milliseconds(ttl, "ttl"))
        if max_idle is not None:
            message, rest = with_max_idle, (*rest, milliseconds(max_idle, "max_idle"))
        return (yield from self._on_key(message, self._data(key), *rest))

    @operation
    def try_put(self, key: object, value: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Put `value` under `key` if the key's lock is free within `timeout` seconds."""
        rest = (self._data(value), self._caller_id(), milliseconds(timeout, "timeout"))
        [done] = yield from self._on_key(TRY_PUT, self._data(key), *rest)
        return bool(done)

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove what stands under `key`, and return it."""
        [old] = yield from self._on_key(REMOVE, self._data(key), self._caller_id())
        return self._object(old)

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove what stands under `key`, and do not ask what it was."""
        yield from self._on_key(DELETE, self._data(key), self._caller_id())

    @operation
    def try_remove(self, key: object, *, timeout: float = 0.0) -> Operation[bool]:
        """Remove what stands under `key` if its lock is free within `timeout` seconds."""
        rest = (self._caller_id(), milliseconds(timeout, "timeout"))
        [done] = yield from self._on_key(TRY_REMOVE, self._data(key), *rest)
        return bool(done)

    @operation
    def remove_if_same(self, key: object, value: object) -> Operation[bool]:
        """Remove what stands under `key` if it is `value`; return whether it was."""
        rest = (self._data(value), self._caller_id())
        [done] = yield from self._on_key(REMOVE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def replace(self, key: object, value: object) -> Operation[Any]:
        """Put `value` in the place of what stands under `key`, if something does; return that."""
        rest = (self._data(value), self._caller_id())
        [old] = yield from self._on_key(REPLACE, self._data(key), *rest)
        return self._object(old)

    @operation
    def replace_if_same(self, key: object, old: object, new: object) -> Operation[bool]:
        """Put `new` under `key` if `old` stands there; return whether it did."""
        rest = (self._data(old), self._data(new), self._caller_id())
        [done] = yield from self._on_key(REPLACE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether something stands under `key`."""
        [found] = yield from self._on_key(CONTAINS_KEY, self._data(key), self._caller_id())
        return bool(found)

    @operation
    def set_ttl(self, key: object, ttl: float) -> Operation[bool]:
        """Let an entry live for `ttl` seconds; return whether there is one. From 3.11 on."""
        [done] = yield from self._on_key(SET_TTL, self._data(key), milliseconds(ttl, "ttl"))
        return bool(done)

    @operation
    def evict(self, key: object) -> Operation[bool]:
        """Remove what stands under `key` from memory, not from the map's store."""
        [done] = yield from self._on_key(EVICT, self._data(key), self._caller_id())
        return bool(done)

    @operation
    def get_entry_view(self, key: object) -> Operation[EntryView | None]:
        """Return an entry and what its member knows of it, or None."""
        rest = self._caller_id()
        view, max_idle = yield from self._on_key(ENTRY_VIEW, self._data(key), rest)
        if view is None:
            return None
        view.pop("eviction_criteria_number")
        known = {name: view[name] for name in view if name not in ("key", "value")}
        return EntryView(
            self._object(view["key"]), self._object(view["value"]), **known, max_idle=max_idle
        )

    # Locks of a key: they belong to the thread, or in asyncio to the task, that took them.

    @operation
    def lock(self, key: object, *, lease: float | None = None) -> Operation[None]:
        """Wait for the key's lock and take it; it frees itself after `lease` seconds.

        Others cannot change what stands under the key while it is held. How long this waits, the
        client's timeout says: `client.within(None)` waits for ever. What is granted to who waits no
        longer is given back as soon as the client hears of it.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        rest = (data, caller, milliseconds(lease, "lease"), next_id())
        yield from self._take(LOCK, *rest, release=release)

    @operation
    def try_lock(
        self, key: object, *, timeout: float = 0.0, lease: float | None = None
    ) -> Operation[bool]:
        """Take the key's lock if it is free within `timeout` seconds."""
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        times = milliseconds(lease, "lease", absent=FOREVER), milliseconds(timeout, "timeout")
        rest = (data, caller, *times, next_id())
        return (yield from self._take(TRY_LOCK, *rest, release=release))

    @operation
    def unlock(self, key: object) -> Operation[None]:
        """Give the key's lock back.

        Raises:
            IllegalMonitorState: the caller does not hold it.
        """
        rest = (self._caller_id(), self._cluster.next_reference_id())
        yield from self._on_key(UNLOCK, self._data(key), *rest)

    @operation
    def is_locked(self, key: object) -> Operation[bool]:
        """Return whether anyone holds the key's lock."""
        [locked] = yield from self._on_key(IS_LOCKED, self._data(key))
        return bool(locked)

    @operation
    def force_unlock(self, key: object) -> Operation[None]:
        """Free the key's lock, whoever holds it."""
        yield from self._on_key(FORCE_UNLOCK, self._data(key), self._cluster.next_reference_id())
