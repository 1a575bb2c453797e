"""The numbers of the events that members tell a query cache, partition by partition.

Members count a partition's events from 1. The end of a count, as before a partition moves to
another member, is told by an event of its own (`AccumulatorSweeper`).
"""

from __future__ import annotations

import enum

END = -1
"""In the place of a number: the partition's next event has number 1."""


class Verdict(enum.Enum):
    """What is to be done with an event."""

    APPLY = enum.auto()
    """It is the next."""
    IGNORE = enum.auto()
    """It tells nothing, or what stands before it is awaited."""
    RECOVER = enum.auto()
    """Events before it are lost; the member may have them still."""
    READ_AGAIN = enum.auto()
    """The partition is counted anew: what came to pass between is not known."""


class Sequences:
    """Which event is the next of each partition."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self._counted = True
        """Whether a partition of which nothing was heard begins with 1."""
        self._awaited: set[int] = set()

    def take(self, partition_id: int, sequence: int) -> Verdict:
        """Judge an event by its number."""
        if sequence == END:
            self._last[partition_id] = 0
            self._awaited.discard(partition_id)
            return Verdict.IGNORE
        expected = self.expected(partition_id)
        if expected is None or sequence == expected:
            self._last[partition_id] = sequence
            self._awaited.discard(partition_id)
            return Verdict.APPLY
        if partition_id in self._awaited:
            return Verdict.IGNORE
        self._awaited.add(partition_id)
        return Verdict.RECOVER if sequence > expected else Verdict.READ_AGAIN

    def expected(self, partition_id: int) -> int | None:
        """Return the number of a partition's next event, None if it may be any."""
        if (last := self._last.get(partition_id, 0 if self._counted else None)) is None:
            return None
        return last + 1

    def awaits(self, partition_id: int, sequence: int) -> bool:
        """Return whether a lost event did not come yet."""
        return partition_id in self._awaited and self.expected(partition_id) == sequence

    def forget(self) -> None:
        """Take whatever comes next for the next: all before it is known otherwise."""
        self._last.clear()
        self._awaited.clear()
        self._counted = False
