"""Entries as members show them: events of maps, and what is known of one."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class EntryEventType(enum.IntFlag):
    """What came to pass with an entry, or with the whole map."""

    ADDED = 1
    REMOVED = 2
    UPDATED = 4
    EVICTED = 8
    EVICT_ALL = 16
    CLEAR_ALL = 32
    MERGED = 64
    EXPIRED = 128
    INVALIDATION = 256
    LOADED = 512


ALL_EVENTS = (
    EntryEventType.ADDED
    | EntryEventType.REMOVED
    | EntryEventType.UPDATED
    | EntryEventType.EVICTED
    | EntryEventType.EVICT_ALL
    | EntryEventType.CLEAR_ALL
    | EntryEventType.MERGED
    | EntryEventType.EXPIRED
    | EntryEventType.LOADED
)


@dataclass(frozen=True, slots=True)
class EntryEvent:
    """An entry was added, changed or removed; or the whole map was cleared or evicted."""

    type: EntryEventType
    key: Any
    """None where the whole map is meant."""
    value: Any
    """None if values were not asked for."""
    old_value: Any
    merging_value: Any
    member: str
    """UUID of the member where it happened."""
    count: int
    """Entries affected, where the whole map is meant."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry and what its member knows of it; times are milliseconds since 1970."""

    key: Any
    value: Any
    cost: int
    creation_time: int
    expiration_time: int
    hits: int
    last_access_time: int
    last_stored_time: int
    last_update_time: int
    version: int
    ttl: int
    """Milliseconds."""
    max_idle: int | None
    """Milliseconds; None of members before 3.11."""


@dataclass(frozen=True, slots=True)
class PartitionLostEvent:
    """A partition of the map was lost, with all its backups."""

    partition_id: int
    member: str
