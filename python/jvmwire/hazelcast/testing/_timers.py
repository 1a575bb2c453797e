"""Timers of a double, by its own clock, in milliseconds."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FEW = 1000
"""Number of cancelled timers that are not worth a sweep."""


class Timer:
    """A function that is called at a time, unless it is cancelled before.

    Args:
        timers: The timers that it belongs to.
        due: The time.
        callback: The function.
    """

    __slots__ = ("callback", "due", "timers")

    def __init__(self, timers: Timers, due: int, callback: Callable[[], None]) -> None:
        self.timers, self.due = timers, due
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Do not call the function; it may have been called already."""
        if self.callback is not None:
            self.callback = None
            self.timers.count_cancelled()


class Timers:
    """All timers of a double."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Timer]] = []
        self._added = 0
        self._cancelled = 0

    def at(self, due: int, callback: Callable[[], None]) -> Timer:
        """Call a function at a time.

        Args:
            due: The time.
            callback: The function.

        Returns:
            The timer.
        """
        timer = Timer(self, due, callback)
        self._added += 1
        heapq.heappush(self._heap, (due, self._added, timer))
        return timer

    def count_cancelled(self) -> None:
        """Note that a timer was cancelled, and drop the cancelled ones if they are the most."""
        self._cancelled += 1
        if self._cancelled > _FEW and 2 * self._cancelled > len(self._heap):
            self._heap = [each for each in self._heap if each[2].callback is not None]
            heapq.heapify(self._heap)
            self._cancelled = 0

    @property
    def earliest(self) -> int | None:
        """The time of the next timer, or None."""
        while self._heap and self._heap[0][2].callback is None:
            heapq.heappop(self._heap)
            self._cancelled = max(0, self._cancelled - 1)
        return self._heap[0][0] if self._heap else None

    def run(self, now: int) -> None:
        """Call the functions that are due.

        Args:
            now: The time.
        """
        while (due := self.earliest) is not None and due <= now:
            callback = heapq.heappop(self._heap)[2].callback
            if callback is not None:
                callback()
