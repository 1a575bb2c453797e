"""Waiting for a condition to come true."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LATEST = 60.0
"""Seconds after which a condition has failed: generous, since machines may be busy."""


def eventually(seen: Callable[[], T], *, within: float = LATEST, every: float = 0.01) -> T:
    """Return the result of `seen` once it is true."""
    end = time.monotonic() + within
    while not (so := seen()):
        assert time.monotonic() < end, f"it did not come to pass in {within:g} s"
        time.sleep(every)
    return so


async def comes_true(seen: Callable[[], object], *, every: float = 0.01) -> None:
    """Wait for a condition while the loop runs, which limits the time."""
    while not seen():
        await asyncio.sleep(every)
