"""Operations of a map on one key, and on the lock of the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.entries import EntryView
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, ClientProxy, milliseconds

if TYPE_CHECKING:
    from datetime import timedelta
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


class MapEntries(ClientProxy):
    """Operations of a map on one key, and on the lock of the key."""

    @operation
    def get(self, key: object) -> Operation[Any]:
        """Return the value under `key`.

        Args:
            key: Key of the entry.

        Returns:
            The value, or None if there is no entry.
        """
        [value] = yield from self._key_request(GET, self._data(key), self._caller_id())
        return self._object(value)

    @operation
    def put(
        self,
        key: object,
        value: object,
        *,
        ttl: float | timedelta | None = None,
        max_idle: float | timedelta | None = None,
    ) -> Operation[Any]:
        """Put `value` under `key` and return the old value.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; None takes the map's configuration.
            max_idle: Seconds without access until the entry expires; needs members from 3.11 on.

        Returns:
            The old value, or None.
        """
        [old] = yield from self._put(PUT, PUT_MAX_IDLE, key, value, ttl, max_idle)
        return self._object(old)

    @operation
    def set(
        self,
        key: object,
        value: object,
        *,
        ttl: float | timedelta | None = None,
        max_idle: float | timedelta | None = None,
    ) -> Operation[None]:
        """Put `value` under `key` without fetching the old value.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; see `put`.
            max_idle: Seconds without access until the entry expires; see `put`.
        """
        yield from self._put(SET, SET_MAX_IDLE, key, value, ttl, max_idle)

    @operation
    def put_if_absent(
        self,
        key: object,
        value: object,
        *,
        ttl: float | timedelta | None = None,
        max_idle: float | timedelta | None = None,
    ) -> Operation[Any]:
        """Put `value` under `key` if there is no entry.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; see `put`.
            max_idle: Seconds without access until the entry expires; see `put`.

        Returns:
            None if `value` was put, otherwise the existing value.
        """
        [old] = yield from self._put(
            PUT_IF_ABSENT, PUT_IF_ABSENT_MAX_IDLE, key, value, ttl, max_idle
        )
        return self._object(old)

    @operation
    def put_transient(
        self,
        key: object,
        value: object,
        *,
        ttl: float | timedelta | None = None,
        max_idle: float | timedelta | None = None,
    ) -> Operation[None]:
        """Put `value` under `key`, but not into the map's store.

        Args:
            key: Key of the entry.
            value: New value.
            ttl: Seconds until the entry expires; see `put`.
            max_idle: Seconds without access until the entry expires; see `put`.
        """
        yield from self._put(PUT_TRANSIENT, PUT_TRANSIENT_MAX_IDLE, key, value, ttl, max_idle)

    def _put(
        self,
        message: HazelcastMessage,
        with_max_idle: HazelcastMessage,
        key: object,
        value: object,
        ttl: float | timedelta | None,
        max_idle: float | timedelta | None,
    ) -> Operation[tuple[Any, ...]]:
        rest: tuple[Any, ...] = (self._data(value), self._caller_id(), milliseconds(ttl, "ttl"))
        if max_idle is not None:
            message, rest = with_max_idle, (*rest, milliseconds(max_idle, "max_idle"))
        return (yield from self._key_request(message, self._data(key), *rest))

    @operation
    def try_put(
        self, key: object, value: object, *, timeout: float | timedelta = 0.0
    ) -> Operation[bool]:
        """Put `value` under `key` if the key's lock is free within `timeout` seconds.

        Args:
            key: Key of the entry.
            value: New value.
            timeout: Seconds to wait for the lock.

        Returns:
            True if the value was put.
        """
        rest = (self._data(value), self._caller_id(), milliseconds(timeout, "timeout"))
        [done] = yield from self._key_request(TRY_PUT, self._data(key), *rest)
        return bool(done)

    @operation
    def remove(self, key: object) -> Operation[Any]:
        """Remove the entry of `key` and return its value.

        Args:
            key: Key of the entry.

        Returns:
            The removed value, or None.
        """
        [old] = yield from self._key_request(REMOVE, self._data(key), self._caller_id())
        return self._object(old)

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove the entry of `key` without fetching its value.

        Args:
            key: Key of the entry.
        """
        yield from self._key_request(DELETE, self._data(key), self._caller_id())

    @operation
    def try_remove(self, key: object, *, timeout: float | timedelta = 0.0) -> Operation[bool]:
        """Remove the entry of `key` if the key's lock is free within `timeout` seconds.

        Args:
            key: Key of the entry.
            timeout: Seconds to wait for the lock.

        Returns:
            True if the entry was removed.
        """
        rest = (self._caller_id(), milliseconds(timeout, "timeout"))
        [done] = yield from self._key_request(TRY_REMOVE, self._data(key), *rest)
        return bool(done)

    @operation
    def remove_if_same(self, key: object, value: object) -> Operation[bool]:
        """Remove the entry of `key` if its value equals `value`.

        Args:
            key: Key of the entry.
            value: Value that the entry must have.

        Returns:
            True if the entry was removed.
        """
        rest = (self._data(value), self._caller_id())
        [done] = yield from self._key_request(REMOVE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def replace(self, key: object, value: object) -> Operation[Any]:
        """Replace the value under `key` if there is an entry.

        Args:
            key: Key of the entry.
            value: New value.

        Returns:
            The old value, or None if there was no entry.
        """
        rest = (self._data(value), self._caller_id())
        [old] = yield from self._key_request(REPLACE, self._data(key), *rest)
        return self._object(old)

    @operation
    def replace_if_same(self, key: object, old: object, new: object) -> Operation[bool]:
        """Replace the value under `key` if it equals `old`.

        Args:
            key: Key of the entry.
            old: Value that the entry must have.
            new: New value.

        Returns:
            True if the value was replaced.
        """
        rest = (self._data(old), self._data(new), self._caller_id())
        [done] = yield from self._key_request(REPLACE_IF_SAME, self._data(key), *rest)
        return bool(done)

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether the map has an entry of `key`.

        Args:
            key: Key of the entry.

        Returns:
            True if there is an entry.
        """
        [found] = yield from self._key_request(CONTAINS_KEY, self._data(key), self._caller_id())
        return bool(found)

    @operation
    def set_ttl(self, key: object, ttl: float | timedelta) -> Operation[bool]:
        """Set the time to live of an entry; needs members from 3.11 on.

        Args:
            key: Key of the entry.
            ttl: Seconds until the entry expires.

        Returns:
            True if there is an entry.
        """
        [done] = yield from self._key_request(SET_TTL, self._data(key), milliseconds(ttl, "ttl"))
        return bool(done)

    @operation
    def evict(self, key: object) -> Operation[bool]:
        """Remove the entry of `key` from memory, but not from the map's store.

        Args:
            key: Key of the entry.

        Returns:
            True if the entry was evicted.
        """
        [done] = yield from self._key_request(EVICT, self._data(key), self._caller_id())
        return bool(done)

    @operation
    def get_entry_view(self, key: object) -> Operation[EntryView | None]:
        """Return the entry of `key` with its metadata.

        Args:
            key: Key of the entry.

        Returns:
            The entry, or None if there is none.
        """
        rest = self._caller_id()
        view, max_idle = yield from self._key_request(ENTRY_VIEW, self._data(key), rest)
        if view is None:
            return None
        view.pop("eviction_criteria_number")
        known = {name: view[name] for name in view if name not in ("key", "value")}
        return EntryView(
            self._object(view["key"]), self._object(view["value"]), **known, max_idle=max_idle
        )

    # The lock of a key belongs to the thread, or in asyncio to the task, that took it.

    @operation
    def lock(self, key: object, *, lease: float | timedelta | None = None) -> Operation[None]:
        """Wait for the lock of `key` and acquire it.

        No other thread or task can change the entry while the lock is held. The client's timeout
        limits the wait: `client.within(None)` waits without limit. If the lock is granted after the
        caller has stopped waiting, the client releases it as soon as the reply arrives.

        Args:
            key: Key to lock; an entry need not exist.
            lease: Seconds after which the cluster releases the lock; None is without limit.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        rest = (data, caller, milliseconds(lease, "lease"), next_id())
        yield from self._acquire(LOCK, *rest, release=release)

    @operation
    def try_lock(
        self,
        key: object,
        *,
        timeout: float | timedelta = 0.0,
        lease: float | timedelta | None = None,
    ) -> Operation[bool]:
        """Take the lock of `key` if it is free within `timeout` seconds.

        Args:
            key: Key to lock; an entry need not exist.
            timeout: Seconds to wait for the lock.
            lease: Seconds after which the cluster releases the lock; None is without limit.

        Returns:
            True if the lock was taken.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        times = milliseconds(lease, "lease", absent=MAX_MILLIS), milliseconds(timeout, "timeout")
        rest = (data, caller, *times, next_id())
        return (yield from self._acquire(TRY_LOCK, *rest, release=release))

    @operation
    def unlock(self, key: object) -> Operation[None]:
        """Release the lock of `key`.

        Args:
            key: Key that the caller has locked.

        Raises:
            IllegalMonitorState: the caller does not hold the lock.
        """
        rest = (self._caller_id(), self._cluster.next_reference_id())
        yield from self._key_request(UNLOCK, self._data(key), *rest)

    @operation
    def is_locked(self, key: object) -> Operation[bool]:
        """Return whether any thread or task holds the lock of `key`.

        Args:
            key: Key of the lock.

        Returns:
            True if the lock is held.
        """
        [locked] = yield from self._key_request(IS_LOCKED, self._data(key))
        return bool(locked)

    @operation
    def force_unlock(self, key: object) -> Operation[None]:
        """Release the lock of `key`, regardless of its holder.

        Args:
            key: Key of the lock.
        """
        yield from self._key_request(
            FORCE_UNLOCK, self._data(key), self._cluster.next_reference_id()
        )
