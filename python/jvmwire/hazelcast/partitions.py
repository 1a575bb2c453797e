"""Which member holds which partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast.members import Address

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PARTITIONS = 1 << 20
"""Partitions of a cluster. Ours: Hazelcast advises against more than some ten thousand."""


@dataclass(frozen=True, slots=True)
class MigrationEvent:
    """A partition has another owner now."""

    partition_id: int
    old_owner: Address | None
    """Where that member listens, or listened; None is nobody."""
    new_owner: Address | None


class PartitionTable:
    """The owners of the partitions, as the cluster told them last."""

    def __init__(self) -> None:
        self.owners: list[Address | None] = []
        self.version: int | None = None
        """Of the table; None of members before 3.9."""
        self.known = False
        """Whether the cluster that we are connected to told it."""

    @property
    def count(self) -> int:
        """How many partitions there are; 0 is not known yet."""
        return len(self.owners)

    def update(
        self, partitions: Iterable[tuple[dict[str, Any], list[int]]], version: int | None
    ) -> list[MigrationEvent]:
        """Take a table that a member told; return what is other than the cluster told before.

        An older one than is known changes nothing.

        Raises:
            RemoteProtocolError: it is no table.
        """
        owned = [(Address.of(address), ids) for address, ids in partitions]
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
                    raise RemoteProtocolError(f"partition {partition_id} of {count} is told twice")
                owners[partition_id] = address
        before = self.owners if self.known and len(self.owners) == count else owners
        self.owners, self.version, self.known = owners, version, True
        both = enumerate(zip(before, owners, strict=True))
        return [MigrationEvent(at, old, new) for at, (old, new) in both if old != new]

    def clear(self) -> None:
        """Have it told again: another cluster counts anew, versions and perhaps partitions."""
        self.version, self.known = None, False
