"""MultiMap: several values per key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, ClientProxy, milliseconds
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from jvmwire._runtime.operations import Operation
    from jvmwire.hazelcast._proxies.entries import EntryEvent

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


class MultiMapOperations(ClientProxy):
    """Operations of a multimap."""

    service = "hz:impl:multiMapService"

    @operation
    def put(self, key: object, value: object) -> Operation[bool]:
        """Add a value to a key.

        Args:
            key: Key of the value.
            value: Value to add.

        Returns:
            True if the value was added.
        """
        return (yield from self._judged(PUT, key, self._data(value), self._caller_id()))

    @operation
    def get(self, key: object) -> Operation[list[Any]]:
        """Return the values of a key.

        Args:
            key: Key of the values.

        Returns:
            The values; empty if there are none.
        """
        [values] = yield from self._key_request(GET, self._data(key), self._caller_id())
        return self._objects(values)

    @operation
    def remove(self, key: object) -> Operation[list[Any]]:
        """Remove and return the values of a key.

        Args:
            key: Key of the values.

        Returns:
            The removed values.
        """
        [values] = yield from self._key_request(REMOVE, self._data(key), self._caller_id())
        return self._objects(values)

    @operation
    def delete(self, key: object) -> Operation[None]:
        """Remove the values of a key without fetching them; needs members from 3.10 on.

        Args:
            key: Key of the values.
        """
        yield from self._key_request(DELETE, self._data(key), self._caller_id())

    @operation
    def remove_entry(self, key: object, value: object) -> Operation[bool]:
        """Remove one value of a key.

        Args:
            key: Key of the value.
            value: Value to remove.

        Returns:
            True if the key had this value.
        """
        return (yield from self._judged(REMOVE_ENTRY, key, self._data(value), self._caller_id()))

    @operation
    def contains_key(self, key: object) -> Operation[bool]:
        """Return whether a key has any values.

        Args:
            key: Key to search for.

        Returns:
            True if it has a value.
        """
        return (yield from self._judged(CONTAINS_KEY, key, self._caller_id()))

    @operation
    def contains_value(self, value: object) -> Operation[bool]:
        """Return whether any key has the value `value`.

        Args:
            value: Value to search for.

        Returns:
            True if there is such a key.
        """
        found: bool = yield from self._value(CONTAINS_VALUE, self._data(value))
        return found

    @operation
    def contains_entry(self, key: object, value: object) -> Operation[bool]:
        """Return whether `key` has the value `value`.

        Args:
            key: Key to search for.
            value: Value to search for.

        Returns:
            True if there is such an entry.
        """
        return (yield from self._judged(CONTAINS_ENTRY, key, self._data(value), self._caller_id()))

    @operation
    def value_count(self, key: object) -> Operation[int]:
        """Return the number of values of a key.

        Args:
            key: Key of the values.

        Returns:
            The number of values.
        """
        [count] = yield from self._key_request(VALUE_COUNT, self._data(key), self._caller_id())
        return int(count)

    @operation
    def size(self) -> Operation[int]:
        """Return the number of values of all keys.

        Returns:
            The number of values.
        """
        size: int = yield from self._value(SIZE)
        return size

    @operation
    def clear(self) -> Operation[None]:
        """Remove all keys and values."""
        yield from self._ask(CLEAR)

    @operation
    def key_set(self) -> Operation[list[Any]]:
        """Return all keys.

        Returns:
            The keys, in no particular order.
        """
        return self._objects((yield from self._value(KEY_SET)))

    @operation
    def values(self) -> Operation[list[Any]]:
        """Return the values of all keys.

        Returns:
            The values, in no particular order.
        """
        return self._objects((yield from self._value(VALUES)))

    @operation
    def entry_set(self) -> Operation[list[tuple[Any, Any]]]:
        """Return each value with its key.

        Returns:
            Pairs of key and value.
        """
        return self._pairs((yield from self._value(ENTRY_SET)))

    # The lock of a key, as in a map.

    @operation
    def lock(self, key: object, *, lease: float | timedelta | None = None) -> Operation[None]:
        """Wait for the lock of `key` and acquire it; see `Map.lock` for the wait and late grants.

        Args:
            key: Key to lock.
            lease: Seconds after which the cluster releases the lock; None is without limit.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        arguments = data, caller, milliseconds(lease, "lease"), next_id()
        yield from self._acquire(LOCK, *arguments, release=release)

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
            key: Key to lock.
            timeout: Seconds to wait for the lock.
            lease: Seconds after which the cluster releases the lock; None is without limit.

        Returns:
            True if the lock was taken.
        """
        data, caller = self._data(key), self._caller_id()
        next_id = self._cluster.next_reference_id
        release = self._release(UNLOCK, caller, next_id(), key=data)
        times = milliseconds(lease, "lease", absent=MAX_MILLIS), milliseconds(timeout, "timeout")
        arguments = data, caller, *times, next_id()
        return (yield from self._acquire(TRY_LOCK, *arguments, release=release))

    @operation
    def unlock(self, key: object) -> Operation[None]:
        """Release the lock of `key`.

        Args:
            key: Key that the caller has locked.

        Raises:
            IllegalMonitorState: the caller does not hold the lock.
        """
        arguments = self._caller_id(), self._cluster.next_reference_id()
        yield from self._key_request(UNLOCK, self._data(key), *arguments)

    @operation
    def is_locked(self, key: object) -> Operation[bool]:
        """Return whether any thread or task holds the lock of `key`.

        Args:
            key: Key of the lock.

        Returns:
            True if the lock is held.
        """
        return (yield from self._judged(IS_LOCKED, key))

    @operation
    def force_unlock(self, key: object) -> Operation[None]:
        """Release the lock of `key`, regardless of its holder.

        Args:
            key: Key of the lock.
        """
        yield from self._key_request(
            FORCE_UNLOCK, self._data(key), self._cluster.next_reference_id()
        )

    @operation
    def add_entry_listener(
        self,
        callback: Callable[[EntryEvent], Any],
        *,
        key: object = None,
        include_value: bool = True,
    ) -> Operation[str]:
        """Call `callback` with each event of the multimap, or with those of one key.

        Args:
            callback: Function that takes an `EntryEvent`, or an `EventsLost` in the place of
                dropped events.
            key: Key whose events are delivered; None is every key.
            include_value: Whether events contain the values.

        Returns:
            The registration id that `remove_listener` takes.
        """
        arguments: tuple[Any, ...] = (include_value,)
        add = LISTEN
        if key is not None:
            arguments, add = (self._data(key), *arguments), LISTEN_TO_KEY
        registration = yield from self._listen(
            add, UNLISTEN, arguments, self._entry_event, callback
        )
        return registration.id

    def _judged(self, message: HazelcastMessage, key: object, *rest: Any) -> Operation[bool]:
        [judgement] = yield from self._key_request(message, self._data(key), *rest)
        return bool(judgement)


class MultiMap(MultiMapOperations, ThreadIdentity):
    """A multimap of the cluster, for threads."""


class AsyncMultiMap(MultiMapOperations, TaskIdentity):
    """A multimap of the cluster, for asyncio."""
