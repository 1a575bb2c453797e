"""Sequences of the events that members send to a query cache, per partition.

Members number a partition's events from 1. A separate event marks the end of a sequence, for
example before a partition moves to another member (`AccumulatorSweeper`).
"""

from __future__ import annotations

import enum

END = -1
"""Value in the place of a sequence: the partition's next event has sequence 1."""


class EventAction(enum.Enum):
    """Action for an event."""

    APPLY = enum.auto()
    """The event is the next one."""
    IGNORE = enum.auto()
    """The event has no content, or an earlier event is still awaited."""
    RECOVER = enum.auto()
    """Earlier events are lost; the member may still have them."""
    READ_AGAIN = enum.auto()
    """The partition's sequence has restarted: intermediate changes are unknown."""


class Sequences:
    """The next expected sequence of each partition."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self._counted = True
        """Whether the first event of an unseen partition must have sequence 1."""
        self._awaited: set[int] = set()

    def classify(self, partition_id: int, sequence: int) -> EventAction:
        """Return the action for an event by its sequence.

        Args:
            partition_id: Partition of the event.
            sequence: Sequence of the event.

        Returns:
            The action.
        """
        if sequence == END:
            self._last[partition_id] = 0
            self._awaited.discard(partition_id)
            return EventAction.IGNORE
        expected = self.expected(partition_id)
        if expected is None or sequence == expected:
            self._last[partition_id] = sequence
            self._awaited.discard(partition_id)
            return EventAction.APPLY
        if partition_id in self._awaited:
            return EventAction.IGNORE
        self._awaited.add(partition_id)
        return EventAction.RECOVER if sequence > expected else EventAction.READ_AGAIN

    def expected(self, partition_id: int) -> int | None:
        """Return the sequence of a partition's next event.

        Args:
            partition_id: Partition.

        Returns:
            The sequence, or None if any is valid.
        """
        if (last := self._last.get(partition_id, 0 if self._counted else None)) is None:
            return None
        return last + 1

    def awaits(self, partition_id: int, sequence: int) -> bool:
        """Return whether a lost event is still awaited.

        Args:
            partition_id: Partition of the event.
            sequence: Sequence of the event.

        Returns:
            True if it has not arrived.
        """
        return partition_id in self._awaited and self.expected(partition_id) == sequence

    def forget(self) -> None:
        """Accept any sequence as the next one, after the current state was read otherwise."""
        self._last.clear()
        self._awaited.clear()
        self._counted = False
