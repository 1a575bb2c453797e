"""Queries of maps by predicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.testing import _predicate_reader
from jvmwire.hazelcast.testing._entries import Entries, Entry
from jvmwire.hazelcast.testing._key_locks import KeyLocks
from jvmwire.hazelcast.testing._predicates import Candidate, InPartition, Paging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire.hazelcast.testing._calls import Call


class MapQueries(KeyLocks[Entries]):
    """The calls that select entries of a map by a predicate."""

    def _remove(self, name: str, entry: Entry, event: EntryEventType) -> None:
        """Remove an entry."""
        raise NotImplementedError

    def _predicate(self, data: bytes) -> Callable[[bytes, bytes], bool]:
        """Return whether a key and a value match a serialized predicate."""
        found = _predicate_reader.read(data)
        return lambda key, value: found.matches(Candidate(key, value))

    def _select(self, name: str, data: bytes) -> list[Candidate]:
        """Return the entries that match a serialized predicate."""
        predicate = _predicate_reader.read(data)
        entries: Iterable[Entry] = self._find(name)
        if isinstance(predicate, InPartition):
            partition_id = predicate.partition_id(self._cluster.partitions.count)
            entries = self._find(name).of_partition(partition_id)
        candidates = (Candidate(entry.key, entry.value) for entry in entries)
        found = [each for each in candidates if predicate.matches(each)]
        return predicate.select(found) if isinstance(predicate, Paging) else found

    def key_set_with_predicate(self, call: Call, name: str, predicate: bytes) -> list[bytes]:
        return [each.key_data for each in self._select(name, predicate)]

    def values_with_predicate(self, call: Call, name: str, predicate: bytes) -> list[bytes]:
        return [each.value_data for each in self._select(name, predicate)]

    def entries_with_predicate(
        self, call: Call, name: str, predicate: bytes
    ) -> list[tuple[bytes, bytes]]:
        return [(each.key_data, each.value_data) for each in self._select(name, predicate)]

    key_set_with_paging_predicate = key_set_with_predicate
    values_with_paging_predicate = entries_with_predicate
    entries_with_paging_predicate = entries_with_predicate

    def remove_all(self, call: Call, name: str, predicate: bytes) -> None:
        for each in self._select(name, predicate):
            entry = self._find(name).get(
                self._cluster.partitions.of_key(each.key_data), each.key_data
            )
            lock = self._lock_key(name, each.key_data)
            if entry is not None and self._cluster.locks.get(lock) is None:
                self._remove(name, entry, EntryEventType.REMOVED)
