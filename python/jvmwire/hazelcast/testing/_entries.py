"""Entries of maps: what a map keeps for each key, and when that expires."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.hazelcast.testing._timers import Timer

UNLIMITED = (1 << 63) - 1
"""Milliseconds of an entry that does not expire (`Long.MAX_VALUE`)."""
HEADER = 4
"""Bytes of a `Data` before what it is compared by: the partition hash (`HeapData.equals`)."""


def identity(data: bytes) -> bytes:
    """Return the part of a `Data` by which members compare it.

    Args:
        data: The serialized value.

    Returns:
        Its type and its payload.
    """
    return data[HEADER:]


class Entry:
    """Entry of a map: `Record`; all times are milliseconds.

    Args:
        key: The serialized key.
        value: The serialized value.
        now: The time.
    """

    __slots__ = (
        *("accessed", "created", "hits", "key", "max_idle", "timer", "ttl", "updated", "value"),
        *("expires", "version"),
    )

    def __init__(self, key: bytes, value: bytes, now: int) -> None:
        self.key, self.value = key, value
        self.created = self.updated = self.accessed = now
        self.hits = self.version = 0
        self.ttl = self.max_idle = self.expires = UNLIMITED
        self.timer: Timer | None = None

    def set_expiry(self, ttl: int, max_idle: int, now: int) -> None:
        """Let the entry expire.

        Args:
            ttl: Milliseconds from now.
            max_idle: Milliseconds without a use. Of either, 0 is without end, less leaves it.
            now: The time.
        """
        if ttl >= 0:
            self.ttl = ttl if 0 < ttl < UNLIMITED - now else UNLIMITED
        if max_idle >= 0:
            self.max_idle = max_idle if 0 < max_idle < UNLIMITED - now else UNLIMITED
        self.expires = UNLIMITED if self.ttl == UNLIMITED else now + self.ttl

    @property
    def due(self) -> int:
        """The time at which the entry expires unless it is used."""
        if self.max_idle == UNLIMITED:
            return self.expires
        return min(self.expires, max(self.accessed, self.updated) + self.max_idle)

    def use(self, now: int) -> None:
        """Count a use.

        Args:
            now: The time.
        """
        self.accessed = now
        self.hits += 1

    def set_value(self, value: bytes, now: int) -> None:
        """Put another value.

        Args:
            value: The serialized value.
            now: The time.
        """
        self.value = value
        self.updated = now
        self.version += 1
        self.use(now)

    def cancel(self) -> None:
        """Let the entry not expire any more, since it is gone."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    @property
    def size(self) -> int:
        """The number of bytes of key and value."""
        return len(self.key) + len(self.value)


class Entries:
    """The entries of one map by partition and key."""

    def __init__(self) -> None:
        self._partitions: dict[int, dict[bytes, Entry]] = {}
        self._listed: dict[int, list[Entry]] = {}
        """The entries of partitions that are iterated over, until one is added or removed."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        for partition in list(self._partitions.values()):
            yield from list(partition.values())

    def get(self, partition_id: int, key: bytes) -> Entry | None:
        """Return an entry.

        Args:
            partition_id: Partition of the key.
            key: The serialized key.

        Returns:
            The entry, or None.
        """
        partition = self._partitions.get(partition_id)
        return None if partition is None else partition.get(identity(key))

    def add(self, partition_id: int, entry: Entry) -> None:
        """Add an entry, whose key has none.

        Args:
            partition_id: Partition of the key.
            entry: The entry.
        """
        self._listed.pop(partition_id, None)
        self._partitions.setdefault(partition_id, {})[identity(entry.key)] = entry
        self._count += 1

    def remove(self, partition_id: int, entry: Entry) -> None:
        """Remove an entry.

        Args:
            partition_id: Partition of the key.
            entry: The entry.
        """
        self._listed.pop(partition_id, None)
        partition = self._partitions[partition_id]
        del partition[identity(entry.key)]
        if not partition:
            del self._partitions[partition_id]
        self._count -= 1

    def of_partition(self, partition_id: int) -> list[Entry]:
        """Return the entries of a partition, the oldest first.

        Args:
            partition_id: The partition.

        Returns:
            The entries, in a list that the caller does not change.
        """
        if partition_id not in self._partitions:
            return []
        if (found := self._listed.get(partition_id)) is None:
            found = self._listed[partition_id] = list(self._partitions[partition_id].values())
        return found
