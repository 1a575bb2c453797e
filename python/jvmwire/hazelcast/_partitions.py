"""Partition table: the owner of each partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast._members import Address

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PARTITIONS = 1 << 20
"""Partitions of a cluster. (Chosen by jvmwire; Hazelcast advises against more than some ten
thousand.)"""


@dataclass(frozen=True, slots=True)
class MigrationEvent:
    """The event that a partition has a new owner.

    Args:
        partition_id: Partition, from 0.
        old_owner: Address of the previous owner, or None.
        new_owner: Address of the new owner, or None.
    """

    partition_id: int
    old_owner: Address | None
    """Address of the previous owner, which may have left; None if there was no owner."""
    new_owner: Address | None


class PartitionTable:
    """The owners of the partitions, by the latest table of the cluster."""

    def __init__(self) -> None:
        self.owners: list[Address | None] = []
        self.version: int | None = None
        """Version of the table; None from members before 3.9."""
        self.known = False
        """Whether the table is from the cluster that the client is connected to now."""

    @property
    def count(self) -> int:
        """The number of partitions; 0 if it is unknown."""
        return len(self.owners)

    def update(
        self, partitions: Iterable[tuple[dict[str, Any], list[int]]], version: int | None
    ) -> list[MigrationEvent]:
        """Apply a partition table of a member, and return the differences to the previous table.

        A table that is older than the current one changes nothing.

        Args:
            partitions: Pairs of an owner's address and its partition ids.
            version: Version of the table; None from members before 3.9.

        Returns:
            The partitions that have a new owner.

        Raises:
            RemoteProtocolError: the table is invalid, or has more than `MAX_PARTITIONS`
                partitions.
        """
        owned = [(Address.from_fields(address), ids) for address, ids in partitions]
        count = sum(len(ids) for _, ids in owned)
        if not count:
            return []  # the cluster has not assigned them yet
        if version is not None and self.version is not None and version < self.version:
            return []
        if count > MAX_PARTITIONS:
            raise RemoteProtocolError(f"a table of {count} partitions")
        owners: list[Address | None] = [None] * count
        for address, ids in owned:
            for partition_id in ids:
                if not 0 <= partition_id < count or owners[partition_id] is not None:
                    raise RemoteProtocolError(
                        f"partition {partition_id} of {count} is listed twice"
                    )
                owners[partition_id] = address
        before = self.owners if self.known and len(self.owners) == count else owners
        self.owners, self.version, self.known = owners, version, True
        both = enumerate(zip(before, owners, strict=True))
        return [MigrationEvent(at, old, new) for at, (old, new) in both if old != new]

    def clear(self) -> None:
        """Mark the table as unknown, because another cluster has other versions and counts."""
        self.version, self.known = None, False
