"""Entries of a near cache, limited in number and in time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._times import to_seconds
from jvmwire.hazelcast.near_cache._config import EvictionPolicy, NearCacheConfig

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta


@dataclass(slots=True)
class NearCacheStatistics:
    """Statistics of a near cache.

    Args:
        entries: Current number of entries.
        hits: Number of reads from the cache.
        misses: Number of reads from the cluster.
        evictions: Entries removed to make room for others.
        expirations: Entries removed because their time to live or idle time ended.
        invalidations: Entries removed because they had changed.
        invalidation_requests: Keys that were invalidated, whether cached or not.
    """

    entries: int = 0
    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0
    invalidations: int = 0
    invalidation_requests: int = 0


@dataclass(eq=False, slots=True)
class CachedRecord:
    """A cached value, with the partition state at the time of its request."""

    value: Any
    partition_id: int
    partition_uuid: bytes | None
    sequence: int
    created: float
    read: float
    hits: int = 0


@dataclass(eq=False, slots=True)
class Reservation:
    """A key whose value is being fetched; an invalidation removes the reservation."""

    key: bytes
    record: CachedRecord


MISSING: Any = object()
"""Marker for a key that is not cached, because None is a value."""


def _optional_seconds(name: str, value: float | timedelta | None) -> float | None:
    return None if value is None else to_seconds(name, value)


class NearCacheStore:
    """Records by key."""

    def __init__(self, config: NearCacheConfig, clock: Callable[[], float]) -> None:
        self._config = config
        self._ttl = _optional_seconds("time_to_live", config.time_to_live)
        self._max_idle = _optional_seconds("max_idle", config.max_idle)
        self._clock = clock
        self._statistics = NearCacheStatistics()
        self._reserved: dict[bytes, Reservation] = {}
        # By number of hits where the policy counts them, else all under 0; oldest first.
        self._by_hits: dict[int, OrderedDict[bytes, CachedRecord]] = {}
        self._records: dict[bytes, CachedRecord] = {}

    @property
    def statistics(self) -> NearCacheStatistics:
        """The statistics so far."""
        self._statistics.entries = len(self._records)
        return self._statistics

    def find(self, key: bytes, is_stale: Callable[[CachedRecord], bool]) -> Any:
        """Return the value of a key, or `MISSING`, and count the read.

        Args:
            key: Serialized key.
            is_stale: Function that returns whether a record is stale.

        Returns:
            The value or `MISSING`.
        """
        record = self._records.get(key)
        if record is None:
            self._statistics.misses += 1
            return MISSING
        now = self._clock()
        if self._is_expired(record, now):
            self._statistics.expirations += 1
        elif is_stale(record):
            self._statistics.invalidations += 1
        else:
            self._statistics.hits += 1
            self._take_out(key, record)
            record.hits += 1
            record.read = now
            self._put_in(key, record)
            return record.value
        self._take_out(key, record)
        self._statistics.misses += 1
        return MISSING

    def _is_expired(self, record: CachedRecord, now: float) -> bool:
        ttl, idle = self._ttl, self._max_idle
        return (ttl is not None and now - record.created >= ttl) or (
            idle is not None and now - record.read >= idle
        )

    def reserve(
        self, key: bytes, partition_id: int, partition_uuid: bytes | None, sequence: int
    ) -> Reservation | None:
        """Reserve a key before its value is fetched.

        Args:
            key: Serialized key.
            partition_id: Partition of the key.
            partition_uuid: UUID of the partition's invalidation sequence.
            sequence: Sequence of the partition's last invalidation.

        Returns:
            The reservation, or None if the key is reserved already.
        """
        if key in self._reserved:
            return None
        now = self._clock()
        record = CachedRecord(None, partition_id, partition_uuid, sequence, now, now)
        reservation = self._reserved[key] = Reservation(key, record)
        return reservation

    def cancel(self, reservation: Reservation | None) -> None:
        """Cancel a reservation whose value could not be fetched.

        Args:
            reservation: Result of `reserve`.
        """
        if reservation is not None and self._reserved.get(reservation.key) is reservation:
            del self._reserved[reservation.key]

    def publish(self, reservation: Reservation | None, value: object) -> None:
        """Cache a fetched value if it was not invalidated meanwhile and there is room.

        Args:
            reservation: Result of `reserve`.
            value: Value to cache.
        """
        if reservation is None or self._reserved.get(reservation.key) is not reservation:
            return
        key, record = reservation.key, reservation.record
        del self._reserved[key]
        if len(self._records) >= self._config.max_entries and not self._make_room():
            return
        record.value = value
        record.created = record.read = self._clock()
        self._put_in(key, record)

    def _make_room(self) -> bool:
        if self._config.eviction_policy is EvictionPolicy.NONE:
            return False
        records = self._by_hits[min(self._by_hits)]
        key = next(iter(records))
        self._take_out(key, records[key])
        self._statistics.evictions += 1
        return True

    def _put_in(self, key: bytes, record: CachedRecord) -> None:
        self._records[key] = record
        self._by_hits.setdefault(self._rank(record), OrderedDict())[key] = record

    def _take_out(self, key: bytes, record: CachedRecord) -> None:
        del self._records[key]
        rank = self._rank(record)
        del self._by_hits[rank][key]
        if not self._by_hits[rank]:
            del self._by_hits[rank]

    def _rank(self, record: CachedRecord) -> int:
        return record.hits if self._config.eviction_policy is EvictionPolicy.LFU else 0

    def invalidate(self, key: bytes) -> None:
        """Remove a key and its reservation, because its entry may have changed.

        Args:
            key: Serialized key.
        """
        self._statistics.invalidation_requests += 1
        self._reserved.pop(key, None)
        if (record := self._records.get(key)) is not None:
            self._take_out(key, record)
            self._statistics.invalidations += 1

    def clear(self) -> None:
        """Remove all keys and reservations, because any entry may have changed."""
        self._statistics.invalidations += len(self._records)
        self._reserved.clear()
        self._records.clear()
        self._by_hits.clear()
