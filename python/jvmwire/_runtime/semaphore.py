"""Semaphore for operations of one client."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from jvmwire._runtime.operations import Future

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class OperationSemaphore:
    """Permits that operations of one client acquire and release, first come, first served.

    Args:
        count: Number of permits.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[Future] = deque()

    def acquire(self) -> Operation[None]:
        """Wait for a permit, which `release` returns."""
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
            else:  # the permit was granted already: pass it on
                self.release()
            raise

    def release(self) -> None:
        """Return a permit, which goes to the operation that has waited longest."""
        if self._waiting:
            self._waiting.popleft().set_result()
        else:
            self._free += 1
