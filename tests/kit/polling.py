"""Waiting for what must come to pass."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LATEST = 60.0
"""Seconds after which what has not come to pass never will: many, as machines may be busy."""


def eventually(seen: Callable[[], T], *, within: float = LATEST, every: float = 0.01) -> T:
    """Return what `seen` returns once it is true."""
    end = time.monotonic() + within
    while not (so := seen()):
        assert time.monotonic() < end, f"it did not come to pass in {within:g} s"
        time.sleep(every)
    return so


async def comes_true(seen: Callable[[], object], *, every: float = 0.01) -> None:
    """Wait for the same while the loop runs, which bounds how long."""
    while not seen():
        await asyncio.sleep(every)
