"""How long it may take to connect, in both styles."""

import asyncio
import math
import select
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jvmwire.errors import ConnectFailed, ConnectTimeout
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
        self._slice = math.inf if cancelled is never else CANCEL_CHECK

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self._end - time.monotonic())

    def slice(self, until: float | None = None) -> float:
        """Return how long to wait at most before the next `check`, and not beyond `until`."""
        left = self.left if until is None else min(self.left, until - time.monotonic())
        return max(0.0, min(left, self._slice))

    def check(self, tried: str) -> None:
        """Raise `ConnectTimeout` if the time is over, saying what was `tried`."""
        if self._cancelled():
            raise ConnectFailed(f"cannot connect to {self._goal}: {tried}; cancelled")
        if not self.left:
            raise _late(self._goal, tried, self._timeout)

    def wait(self, poll: select.poll, until: float | None = None) -> list[tuple[int, int]]:
        """Wait for `poll`, or until a time or the next time to `check`."""
        # Rounded up: rounded down, the last millisecond would be spent spinning.
        return poll.poll(int(self.slice(until) * 1000) + 1)


class AsyncDeadline:
    """The end of `timeout` seconds from now."""

    def __init__(self, goal: object, timeout: float) -> None:
        self._goal = goal
        self._timeout = timeout
        self._end = asyncio.get_running_loop().time() + timeout

    @asynccontextmanager
    async def bounding(self, tried: Callable[[], str]) -> AsyncIterator[None]:
        """Raise `ConnectTimeout` if what is inside takes too long, saying what was `tried`."""
        try:
            async with asyncio.timeout_at(self._end):
                yield
        except TimeoutError as error:
            raise _late(self._goal, tried(), self._timeout) from error


def _late(goal: object, tried: str, timeout: float) -> ConnectTimeout:
    return ConnectTimeout(f"cannot connect to {goal}: {tried}; no connection within {timeout:g} s")
