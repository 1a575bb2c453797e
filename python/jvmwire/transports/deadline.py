"""How long a blocking `connect` may take."""

import select
import time
from collections.abc import Callable

from jvmwire.errors import ConnectFailed
from jvmwire.transports.transport import never

CANCEL_CHECK = 0.05
"""Seconds between two questions whether the connection is still wanted."""


class Deadline:
    """The end of `timeout` seconds from now, or `cancelled` if that comes first."""

    def __init__(self, goal: object, timeout: float, cancelled: Callable[[], bool]) -> None:
        self._goal = goal
        self._timeout = timeout
        self._cancelled = cancelled
        self._end = time.monotonic() + timeout
        self._slice = self._end if cancelled is never else CANCEL_CHECK

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self._end - time.monotonic())

    def slice(self, until: float | None = None) -> float:
        """Return how long to wait at most before the next `check`, and not beyond `until`."""
        left = self.left if until is None else min(self.left, until - time.monotonic())
        return max(0.0, min(left, self._slice))

    def check(self, tried: str = "") -> None:
        """Raise `ConnectFailed` if the time is over, saying what was `tried`."""
        if self._cancelled():
            why = "cancelled"
        elif not self.left:
            why = f"no connection within {self._timeout:g} s"
        else:
            return
        raise ConnectFailed(
            f"cannot connect to {self._goal}: " + "; ".join(filter(None, (tried, why)))
        )

    def wait(self, poll: select.poll, until: float | None = None) -> list[tuple[int, int]]:
        """Wait for `poll`, or until a time or the next time to `check`."""
        # Rounded up: rounded down, the last millisecond would be spent spinning.
        return poll.poll(int(self.slice(until) * 1000) + 1)
