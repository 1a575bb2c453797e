"""Events and metadata of map entries, as members report them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class EntryEventType(enum.IntFlag):
    """The kind of an event of an entry or of the whole map, as bit flags."""

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
    """The event that an entry was added, changed or removed, or the whole map cleared or evicted.

    Args:
        type: Kind of the event.
        key: Key of the entry, or None for an event of the whole map.
        value: New value, or None if the listener does not include values.
        old_value: Old value, or None.
        merging_value: Value that was merged in after a split of the cluster, or None.
        member: UUID of the member on which it happened.
        count: Number of affected entries, for an event of the whole map.
    """

    type: EntryEventType
    key: Any
    """None for an event of the whole map."""
    value: Any
    """None if the listener does not include values."""
    old_value: Any
    merging_value: Any
    member: str
    count: int


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with its metadata; times are milliseconds since 1970.

    Args:
        key: Key of the entry.
        value: Value of the entry.
        cost: Memory cost of the entry in bytes, as the member estimates it.
        creation_time: Time of the creation.
        expiration_time: Time of the expiration.
        hits: Number of accesses.
        last_access_time: Time of the last access.
        last_stored_time: Time at which the map's store wrote the entry.
        last_update_time: Time of the last update.
        version: Version of the entry.
        ttl: Time to live in milliseconds.
        max_idle: Maximum idle time in milliseconds; None from members before 3.11.
    """

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
    max_idle: int | None


@dataclass(frozen=True, slots=True)
class PartitionLostEvent:
    """The event that a partition of the map was lost together with all its backups.

    Args:
        partition_id: Partition that was lost, from 0.
        member: UUID of the member that reports it.
    """

    partition_id: int
    member: str
