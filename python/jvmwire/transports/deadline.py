"""Deadlines for connecting, for the blocking and the asyncio style."""

import asyncio
import math
import select
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jvmwire.errors import ConnectFailed, ConnectTimeout
from jvmwire.transports.transport import never

CANCEL_CHECK = 0.05
"""Seconds between two checks whether a connection attempt was cancelled."""


class Deadline:
    """A deadline `timeout` seconds from now, which ends early once `cancelled()` is true."""

    def __init__(self, goal: object, timeout: float, cancelled: Callable[[], bool]) -> None:
        self._goal = goal
        self._timeout = timeout
        self._cancelled = cancelled
        self._end = time.monotonic() + timeout
        self._slice = math.inf if cancelled is never else CANCEL_CHECK

    @property
    def left(self) -> float:
        """Seconds until the deadline, at least 0."""
        return max(0.0, self._end - time.monotonic())

    def slice(self, until: float | None = None) -> float:
        """Return the seconds to wait before the next `check`, at most until the time `until`."""
        left = self.left if until is None else min(self.left, until - time.monotonic())
        return max(0.0, min(left, self._slice))

    def check(self, tried: str) -> None:
        """Raise `ConnectTimeout` after the deadline, `ConnectFailed` if cancelled, with `tried`."""
        if self._cancelled():
            raise ConnectFailed(f"cannot connect to {self._goal}: {tried}; cancelled")
        if not self.left:
            raise _late(self._goal, tried, self._timeout)

    def wait(self, poll: select.poll, until: float | None = None) -> list[tuple[int, int]]:
        """Poll the descriptors until one is ready, the time `until`, or the next `check` is due."""
        # Rounded up: rounding down would spin during the last millisecond.
        return poll.poll(int(self.slice(until) * 1000) + 1)


class AsyncDeadline:
    """A deadline `timeout` seconds from now on the event loop's clock."""

    def __init__(self, goal: object, timeout: float) -> None:
        self._goal = goal
        self._timeout = timeout
        self._end = asyncio.get_running_loop().time() + timeout

    @asynccontextmanager
    async def bounding(self, tried: Callable[[], str]) -> AsyncIterator[None]:
        """Raise `ConnectTimeout`, with the text `tried()`, if the body runs past the deadline."""
        try:
            async with asyncio.timeout_at(self._end):
                yield
        except TimeoutError as error:
            raise _late(self._goal, tried(), self._timeout) from error


def _late(goal: object, tried: str, timeout: float) -> ConnectTimeout:
    return ConnectTimeout(f"cannot connect to {goal}: {tried}; no connection within {timeout:g} s")
