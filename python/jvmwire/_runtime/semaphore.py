"""Semaphore for operations: at most so many of them do something at the same time."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from jvmwire._runtime.operations import Future

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class Semaphore:
    """Permits that operations of one client acquire and release, first come, first served.

    Args:
        count: Number of permits.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[Future] = deque()

    def acquire(self) -> Operation[None]:
        """Go on with a permit, which `release` returns."""
        if self._free:
            self._free -= 1
            return
        turn = Future()
        self._waiting.append(turn)
        try:
            yield turn
        except BaseException:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:  # the permit had been granted: the next one gets it
                self.release()
            raise

    def release(self) -> None:
        """Return a permit; the operation that has waited longest gets it."""
        if self._waiting:
            self._waiting.popleft().set_result()
        else:
            self._free += 1
