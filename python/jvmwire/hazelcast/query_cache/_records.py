"""Entries of a query cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.hazelcast._proxies.entries import EntryEventType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SET = EntryEventType.ADDED | EntryEventType.UPDATED | EntryEventType.MERGED | EntryEventType.LOADED
_WHOLE = EntryEventType.CLEAR_ALL | EntryEventType.EVICT_ALL


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one entry, or of all entries of a partition."""

    type: EntryEventType
    key: bytes | None = None
    value: bytes | None = None
    old_value: bytes | None = None
    count: int = 1
    """Number of affected entries, for a change of a partition."""


class QueryCacheStore:
    """Serialized keys and values, ordered from the least to the most recently read."""

    def __init__(
        self, max_entries: int, partition_of: Callable[[bytes], int], *, include_value: bool
    ) -> None:
        self._max_entries = max_entries
        self._partition_of = partition_of
        self._include_value = include_value
        self._entries: dict[bytes, bytes | None] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: bytes) -> bool:
        return key in self._entries

    @property
    def entries(self) -> Mapping[bytes, bytes | None]:
        """All entries; values are None if they are not cached."""
        return self._entries

    def read(self, key: bytes) -> bytes | None:
        """Return the value of a key, and mark it as the most recently read.

        Args:
            key: Serialized key.

        Returns:
            The serialized value, or None.
        """
        if key not in self._entries:
            return None
        value = self._entries[key] = self._entries.pop(key)
        return value

    def apply(
        self,
        kind: EntryEventType,
        partition_id: int,
        key: bytes | None,
        value: bytes | None,
    ) -> list[Change]:
        """Apply an event and return the resulting changes.

        Args:
            kind: Kind of the event.
            partition_id: Partition of the event.
            key: Serialized key, or None for a whole partition.
            value: Serialized value.

        Returns:
            The changes.
        """
        if kind & _WHOLE or key is None:
            removed = [key for key in self._entries if self._partition_of(key) == partition_id]
            for one in removed:
                del self._entries[one]
            return [Change(kind, count=len(removed))] if removed else []
        if kind & _SET:
            return self._set(kind, key, value)
        if key not in self._entries:
            return []
        return [Change(kind, key, old_value=self._entries.pop(key))]

    def _set(self, kind: EntryEventType, key: bytes, value: bytes | None) -> list[Change]:
        value = value if self._include_value else None
        changes = [Change(kind, key, value, self._entries.pop(key, None))]
        self._entries[key] = value
        if len(self._entries) > self._max_entries:
            oldest = next(iter(self._entries))
            old_value = self._entries.pop(oldest)
            changes.append(Change(EntryEventType.EVICTED, oldest, old_value=old_value))
        return changes

    def replace(self, found: Iterable[tuple[bytes, bytes | None]]) -> list[Change]:
        """Replace all entries and return the differences.

        Args:
            found: New entries.

        Returns:
            The changes.
        """
        before, self._entries = self._entries, {}
        fetched: dict[bytes, bytes | None] = dict(found)
        changes = []
        for key, value in fetched.items():
            if len(self._entries) == self._max_entries:
                break
            self._entries[key] = value
            if key not in before:
                changes.append(Change(EntryEventType.ADDED, key, value))
            elif value != before[key]:
                changes.append(Change(EntryEventType.UPDATED, key, value, before[key]))
        for key, old_value in before.items():
            if key not in self._entries:
                kind = EntryEventType.EVICTED if key in fetched else EntryEventType.REMOVED
                changes.append(Change(kind, key, old_value=old_value))
        return changes

    def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()
