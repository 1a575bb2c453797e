"""Detection of missed invalidations, per partition.

Members number the invalidations of a partition under a UUID that changes when the numbers restart.
If too many were missed, records from before are stale (`RepairingHandler`, `RepairingTask`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmwire.hazelcast.near_cache._records import CachedRecord


@dataclass(eq=False, slots=True)
class PartitionState:
    """Invalidation state of one partition."""

    uuid: bytes | None = None
    sequence: int = 0
    """Sequence of the last invalidation."""
    stale_sequence: int = 0
    """Records that were requested before this sequence are stale."""
    missed: int = 0


class Repairing:
    """Invalidation states of all partitions."""

    def __init__(self, max_tolerated_miss_count: int) -> None:
        self._tolerated = max_tolerated_miss_count
        self._states: dict[int, PartitionState] = {}

    def state(self, partition_id: int) -> PartitionState:
        """Return the state of a partition.

        Args:
            partition_id: Partition.

        Returns:
            The state, which is created on first use.
        """
        if (state := self._states.get(partition_id)) is None:
            state = self._states[partition_id] = PartitionState()
        return state

    def is_stale(self, record: CachedRecord) -> bool:
        """Return whether a record may predate missed invalidations.

        Args:
            record: Record to check.

        Returns:
            True if it must be fetched again.
        """
        state = self.state(record.partition_id)
        return record.partition_uuid != state.uuid or record.sequence < state.stale_sequence

    def handle_event(self, partition_id: int, uuid: bytes, sequence: int) -> None:
        """Process a received invalidation.

        Args:
            partition_id: Partition of the key.
            uuid: UUID of the partition's sequence.
            sequence: Sequence of the invalidation.
        """
        self.take_uuid(partition_id, uuid)
        self._take_sequence(partition_id, sequence, on_abandoned_reply=0)

    def take_uuid(self, partition_id: int, uuid: bytes) -> None:
        """Set the UUID of a partition's sequence; a new UUID makes all its records stale.

        Args:
            partition_id: Partition.
            uuid: UUID of the partition's sequence.
        """
        state = self.state(partition_id)
        if state.uuid != uuid:
            state.uuid = uuid
            state.sequence = state.stale_sequence = state.missed = 0

    def reconcile(self, partition_id: int, sequence: int) -> None:
        """Process the last sequence of a partition as fetched from its member.

        Args:
            partition_id: Partition.
            sequence: Sequence of the last invalidation.
        """
        self._take_sequence(partition_id, sequence, on_abandoned_reply=1)

    def begin(self, partition_id: int, sequence: int) -> None:
        """Set the last sequence from before the listener was registered.

        Args:
            partition_id: Partition.
            sequence: Sequence of the last invalidation.
        """
        state = self.state(partition_id)
        state.sequence = max(state.sequence, sequence)

    def _take_sequence(self, partition_id: int, sequence: int, *, on_abandoned_reply: int) -> None:
        state = self.state(partition_id)
        if sequence <= state.sequence:
            return
        state.missed += sequence - state.sequence - 1 + on_abandoned_reply
        state.sequence = sequence
        if state.missed > self._tolerated:
            state.stale_sequence = sequence
            state.missed = 0

    def clear(self) -> None:
        """Forget all states, because another cluster has other sequences."""
        self._states.clear()
