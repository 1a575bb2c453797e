"""What a near cache knows of each partition: whether it heard all that has changed there.

Members number the invalidations of a partition, under a UUID that changes when the numbers begin
anew. Who missed some reads again what was read before (`RepairingHandler`, `RepairingTask`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmwire.hazelcast.near_cache.records import Record


@dataclass(eq=False, slots=True)
class PartitionState:
    """The invalidations of one partition, as far as they were heard."""

    uuid: bytes | None = None
    sequence: int = 0
    """Of the last invalidation."""
    stale_sequence: int = 0
    """What was asked for before this one is to be read again."""
    missed: int = 0


class Repairing:
    """The partitions' states."""

    def __init__(self, max_tolerated_miss_count: int) -> None:
        self._tolerated = max_tolerated_miss_count
        self._states: dict[int, PartitionState] = {}

    def state(self, partition_id: int) -> PartitionState:
        """Return what is known of a partition."""
        if (state := self._states.get(partition_id)) is None:
            state = self._states[partition_id] = PartitionState()
        return state

    def is_stale(self, record: Record) -> bool:
        """Return whether a record may be of before what was missed."""
        state = self.state(record.partition_id)
        return record.partition_uuid != state.uuid or record.sequence < state.stale_sequence

    def take(self, partition_id: int, uuid: bytes, sequence: int) -> None:
        """Note that an invalidation came."""
        self.take_uuid(partition_id, uuid)
        self._take_sequence(partition_id, sequence, on_abandoned_reply=0)

    def take_uuid(self, partition_id: int, uuid: bytes) -> None:
        """Note under which UUID a partition numbers; of another, all is to be read again."""
        state = self.state(partition_id)
        if state.uuid != uuid:
            state.uuid = uuid
            state.sequence = state.stale_sequence = state.missed = 0

    def reconcile(self, partition_id: int, sequence: int) -> None:
        """Note which invalidation was the last, as the member says."""
        self._take_sequence(partition_id, sequence, on_abandoned_reply=1)

    def begin(self, partition_id: int, sequence: int) -> None:
        """Note which invalidation was the last before any was heard."""
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
        """Forget all: another cluster numbers anew."""
        self._states.clear()
