"""Deadlines of blocking connection attempts."""

import math
import select
import time
from collections.abc import Callable

from jvmwire.errors import ConnectFailed, ConnectTimeout
from jvmwire.transports._transport import never_cancelled

CANCEL_CHECK = 0.05
"""Seconds between two checks whether a connection attempt was cancelled."""


class Deadline:
    """A deadline `timeout` seconds from now, which ends early once `cancelled()` is true."""

    def __init__(self, endpoint: object, timeout: float, cancelled: Callable[[], bool]) -> None:
        self._endpoint = endpoint
        self._timeout = timeout
        self._cancelled = cancelled
        self._end = time.monotonic() + timeout
        self._slice = math.inf if cancelled is never_cancelled else CANCEL_CHECK

    @property
    def left(self) -> float:
        """Seconds until the deadline, at least 0."""
        return max(0.0, self._end - time.monotonic())

    def next_wait(self, until: float | None = None) -> float:
        """Return the seconds to wait before the next `check`, at most until the time `until`."""
        left = self.left if until is None else min(self.left, until - time.monotonic())
        return max(0.0, min(left, self._slice))

    def check(self, progress: str) -> None:
        """Raise `ConnectTimeout` after the deadline, `ConnectFailed` if cancelled, with
        `progress`."""
        if self._cancelled():
            raise ConnectFailed(f"cannot connect to {self._endpoint}: {progress}; cancelled")
        if not self.left:
            raise timeout_error(self._endpoint, progress, self._timeout)

    def wait(self, poll: select.poll, until: float | None = None) -> list[tuple[int, int]]:
        """Poll the descriptors until one is ready, the time `until`, or the next `check` is due."""
        # Rounded up: rounding down would spin during the last millisecond.
        return poll.poll(int(self.next_wait(until) * 1000) + 1)


def timeout_error(endpoint: object, progress: str, timeout: float) -> ConnectTimeout:
    """Return the error of an attempt that took longer than `timeout` seconds."""
    return ConnectTimeout(
        f"cannot connect to {endpoint}: {progress}; no connection within {timeout:g} s"
    )
