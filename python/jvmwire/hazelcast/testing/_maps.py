"""Maps of a double: `com.hazelcast.map.impl`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.testing._entries import Entries, Entry, identity
from jvmwire.hazelcast.testing._key_locks import KeyLocks
from jvmwire.hazelcast.testing._map_listeners import MapListeners
from jvmwire.hazelcast.testing._map_queries import MapQueries

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

ADDED, REMOVED, UPDATED = EntryEventType.ADDED, EntryEventType.REMOVED, EntryEventType.UPDATED
EVICTED, EXPIRED = EntryEventType.EVICTED, EntryEventType.EXPIRED
UNSET = -1
"""Milliseconds in place of a time that is not given."""


class Maps(MapQueries, MapListeners, KeyLocks[Entries]):
    """Maps, and the calls of clients to them."""

    name = "hz:impl:mapService"

    def _new(self, name: str) -> Entries:
        return Entries()

    def _drop(self, name: str, structure: Entries) -> None:
        for entry in structure:
            entry.cancel()
            self._cluster.budget.give_back(1, entry.size)

    def _entry(self, name: str, key: bytes, *, uses: bool = False) -> Entry | None:
        found = self._find(name).get(self._cluster.partitions.of_key(key), key)
        if found is not None and uses:
            found.use(self._cluster.now())
        return found

    # Changes

    def _put(
        self,
        name: str,
        key: bytes,
        value: bytes,
        ttl: int = UNSET,
        max_idle: int = UNSET,
        *,
        names_old: bool = True,
    ) -> bytes | None:
        """Put a value, and return the old one, which the event names too."""
        cluster, now = self._cluster, self._cluster.now()
        entry = self._entry(name, key)
        if entry is None:
            cluster.budget.take(1, len(key) + len(value))
            entry, old = Entry(key, value, now), None
            self._find(name).add(cluster.partitions.of_key(key), entry)
        else:
            cluster.budget.take(0, len(value) - len(entry.value))
            old = entry.value
            entry.set_value(value, now)
        entry.set_expiry(ttl, max_idle, now)
        self._watch(name, entry)
        named = old if names_old else None
        self._tell(name, ADDED if named is None else UPDATED, key, value, named)
        return old

    def _watch(self, name: str, entry: Entry) -> None:
        """Set the timer of an entry by when it expires."""
        entry.cancel()
        if entry.due != (1 << 63) - 1:
            entry.timer = self._cluster.timers.at(entry.due, lambda: self._expire(name, entry))

    def _expire(self, name: str, entry: Entry) -> None:
        entry.timer = None
        if entry.due > self._cluster.now():
            self._watch(name, entry)  # it was used meanwhile
        else:
            self._remove(name, entry, EXPIRED)

    def _remove(self, name: str, entry: Entry, event: EntryEventType, *, old: bool = True) -> None:
        cluster = self._cluster
        entry.cancel()
        self._find(name).remove(cluster.partitions.of_key(entry.key), entry)
        cluster.budget.give_back(1, entry.size)
        self._tell(name, event, entry.key, None, entry.value if old else None)

    def _replace(self, name: str, entry: Entry, value: bytes) -> None:
        old, now = entry.value, self._cluster.now()
        self._cluster.budget.take(0, len(value) - len(old))
        entry.set_value(value, now)
        self._watch(name, entry)
        self._tell(name, UPDATED, entry.key, value, old)

    # Calls for one key

    def put(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int, ttl: int
    ) -> bytes | None:
        return self.put_with_max_idle(call, name, key, value, thread_id, ttl, UNSET)

    def put_with_max_idle(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int, ttl: int, idle: int
    ) -> bytes | None:
        self._check_lock(call, name, key, thread_id)
        return self._put(name, key, value, ttl, idle)

    set = put_transient = put
    set_with_max_idle = put_transient_with_max_idle = put_with_max_idle

    def put_if_absent(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int, ttl: int
    ) -> bytes | None:
        return self.put_if_absent_with_max_idle(call, name, key, value, thread_id, ttl, UNSET)

    def put_if_absent_with_max_idle(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int, ttl: int, idle: int
    ) -> bytes | None:
        self._check_lock(call, name, key, thread_id)
        if (entry := self._entry(name, key, uses=True)) is not None:
            return entry.value
        return self._put(name, key, value, ttl, idle)

    def try_put(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int, timeout: int
    ) -> bool:
        self._check_lock(call, name, key, thread_id, max(0, timeout), expired=False)
        self._put(name, key, value, names_old=False)  # as members do
        return True

    def get(self, call: Call, name: str, key: bytes, thread_id: int) -> bytes | None:
        entry = self._entry(name, key, uses=True)
        return None if entry is None else entry.value

    def contains_key(self, call: Call, name: str, key: bytes, thread_id: int) -> bool:
        return self._entry(name, key, uses=True) is not None

    def remove(self, call: Call, name: str, key: bytes, thread_id: int) -> bytes | None:
        self._check_lock(call, name, key, thread_id)
        entry = self._entry(name, key)
        if entry is None:
            return None
        self._remove(name, entry, REMOVED)
        return entry.value

    def delete(self, call: Call, name: str, key: bytes, thread_id: int) -> None:
        self._check_lock(call, name, key, thread_id)
        if (entry := self._entry(name, key)) is not None:
            self._remove(name, entry, REMOVED, old=False)  # as members do

    def try_remove(self, call: Call, name: str, key: bytes, thread_id: int, timeout: int) -> bool:
        self._check_lock(call, name, key, thread_id, max(0, timeout), expired=False)
        return self.remove(call, name, key, thread_id) is not None

    def remove_if_same(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int
    ) -> bool:
        self._check_lock(call, name, key, thread_id)
        entry = self._entry(name, key)
        if entry is None or identity(entry.value) != identity(value):
            return False
        self._remove(name, entry, REMOVED)
        return True

    def replace(
        self, call: Call, name: str, key: bytes, value: bytes, thread_id: int
    ) -> bytes | None:
        self._check_lock(call, name, key, thread_id)
        entry = self._entry(name, key)
        if entry is None:
            return None
        old = entry.value
        self._replace(name, entry, value)
        return old

    def replace_if_same(
        self, call: Call, name: str, key: bytes, expected: bytes, value: bytes, thread_id: int
    ) -> bool:
        self._check_lock(call, name, key, thread_id)
        entry = self._entry(name, key)
        if entry is None or identity(entry.value) != identity(expected):
            return False
        self._replace(name, entry, value)
        return True

    def set_ttl(self, call: Call, name: str, key: bytes, ttl: int) -> bool:
        entry = self._entry(name, key)
        if entry is None:
            return False
        now = self._cluster.now()
        entry.set_expiry(ttl, UNSET, now)
        entry.updated = now
        self._watch(name, entry)
        return True

    def evict(self, call: Call, name: str, key: bytes, thread_id: int) -> bool:
        self._check_lock(call, name, key, thread_id)
        entry = self._entry(name, key)
        if entry is None:
            return False
        self._remove(name, entry, EVICTED)
        return True

    def get_entry_view(
        self, call: Call, name: str, key: bytes, thread_id: int
    ) -> tuple[dict[str, Any] | None, int]:
        entry = self._entry(name, key)
        if entry is None:
            return None, 0
        view = {
            "key": entry.key,
            "value": entry.value,
            "cost": entry.size,
            "creation_time": entry.created,
            "expiration_time": entry.due,
            "hits": entry.hits,
            "last_access_time": entry.accessed,
            "last_stored_time": 0,
            "last_update_time": entry.updated,
            "version": entry.version,
            "eviction_criteria_number": 0,
            "ttl": entry.ttl,
        }
        return view, entry.max_idle

    # Calls for the whole map

    def size(self, call: Call, name: str) -> int:
        return len(self._find(name))

    def is_empty(self, call: Call, name: str) -> bool:
        return not len(self._find(name))

    def contains_value(self, call: Call, name: str, value: bytes) -> bool:
        return any(identity(entry.value) == identity(value) for entry in self._find(name))

    def put_all(self, call: Call, name: str, entries: list[tuple[bytes, bytes]]) -> None:
        for key, value in entries:
            self._put(name, key, value)

    def get_all(self, call: Call, name: str, keys: list[bytes]) -> list[tuple[bytes, bytes]]:
        found = (self._entry(name, key, uses=True) for key in keys)
        return [(entry.key, entry.value) for entry in found if entry is not None]

    def key_set(self, call: Call, name: str) -> list[bytes]:
        return [entry.key for entry in self._find(name)]

    def values(self, call: Call, name: str) -> list[bytes]:
        return [entry.value for entry in self._find(name)]

    def entry_set(self, call: Call, name: str) -> list[tuple[bytes, bytes]]:
        return [(entry.key, entry.value) for entry in self._find(name)]

    def clear(self, call: Call, name: str) -> None:
        self._remove_unlocked(name, EntryEventType.CLEAR_ALL)

    def evict_all(self, call: Call, name: str) -> None:
        self._remove_unlocked(name, EntryEventType.EVICT_ALL)

    def _remove_unlocked(self, name: str, event: EntryEventType) -> None:
        """Remove all entries but those whose keys are locked."""
        cluster, entries = self._cluster, self._find(name)
        removed = 0
        for entry in entries:
            if cluster.locks.get(self._lock_key(name, entry.key)) is None:
                entry.cancel()
                entries.remove(cluster.partitions.of_key(entry.key), entry)
                cluster.budget.give_back(1, entry.size)
                removed += 1
        if removed:
            self._tell_of_all(name, event, removed)

    def flush(self, call: Call, name: str) -> None: ...  # a double has no stores of maps

    def load_all(self, call: Call, name: str, replaces: bool) -> None: ...

    def load_given_keys(self, call: Call, name: str, keys: list[bytes], replaces: bool) -> None: ...

    def add_index(self, call: Call, name: str, attribute: str, ordered: bool) -> None: ...

    # Iteration: the index is the number of entries that are left

    def fetch_entries(
        self, call: Call, name: str, partition_id: int, index: int, batch: int
    ) -> tuple[int, list[tuple[bytes, bytes]]]:
        left, found = self._fetch(name, partition_id, index, batch)
        return left, [(entry.key, entry.value) for entry in found]

    def fetch_keys(
        self, call: Call, name: str, partition_id: int, index: int, batch: int
    ) -> tuple[int, list[bytes]]:
        left, found = self._fetch(name, partition_id, index, batch)
        return left, [entry.key for entry in found]

    def _fetch(
        self, name: str, partition_id: int, index: int, batch: int
    ) -> tuple[int, list[Entry]]:
        """Return entries of a partition from the youngest on, whose index is the largest."""
        # What is removed meanwhile moves younger ones down: they are repeated, and none is missed.
        entries = self._find(name).of_partition(partition_id)
        end = min(max(index, 0), len(entries))
        start = max(0, end - max(batch, 1))
        return start or -1, entries[start:end]
