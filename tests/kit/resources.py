"""Check for resources that a long run leaks: threads, descriptors, tasks, memory."""

import asyncio
import gc
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from kit.memory_peaks import resident_of_no_file

MIB = 1 << 20
GROWTH = 8 * MIB
"""Bytes of memory that allocators may keep, by default."""
SETTLING = 10.0
"""Seconds within which asynchronous work must have ended, by default."""
PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources that this process holds at one moment."""

    threads: Counter[str]
    descriptors: Counter[str]
    tasks: Counter[str]
    memory: int
    """Resident bytes without those of mapped files."""

    @classmethod
    def now(cls) -> Self:
        """Take a snapshot after a garbage collection; tasks are those of the running loop."""
        gc.collect()
        return cls(
            Counter(thread.name for thread in threading.enumerate()),
            _descriptors(),
            _tasks(),
            resident_of_no_file(),
        )

    def more_than(self, before: "Resources", *, growth: int) -> list[str]:
        """Return a line for each resource that did not exist `before`."""
        lines = [
            f"{kind}: {count} more: {name}"
            for kind in ("threads", "descriptors", "tasks")
            for name, count in sorted((getattr(self, kind) - getattr(before, kind)).items())
        ]
        if self.memory - before.memory > growth:
            lines.append(
                f"memory: {before.memory / MIB:.1f} MiB before, {self.memory / MIB:.1f} MiB after, "
                f"{growth / MIB:.1f} MiB more are allowed"
            )
        return lines


class steady:  # noqa: N801 - it reads as a statement
    """Context manager that requires a block to leak nothing; in a coroutine, by `async with`.

        with steady():
            soak()

    Pools and caches, which are made once and kept, must be warm before.
    """

    def __init__(self, *, growth: int = GROWTH, settling: float = SETTLING) -> None:
        self._growth = growth
        self._settling = settling

    def __enter__(self) -> Self:
        self._before = Resources.now()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        end = time.monotonic() + self._settling
        while error is None and not self._settled(last=time.monotonic() > end):
            time.sleep(PAUSE)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        end = time.monotonic() + self._settling
        while error is None and not self._settled(last=time.monotonic() > end):
            await asyncio.sleep(PAUSE)

    def _settled(self, *, last: bool) -> bool:
        left = Resources.now().more_than(self._before, growth=self._growth)
        if left and last:
            raise AssertionError("\n".join(["left behind:", *left]))
        return not left


def _descriptors() -> Counter[str]:
    found: Counter[str] = Counter()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except FileNotFoundError:  # the descriptor that lists them
            continue
        # The numbers of sockets and pipes have no meaning, and a replaced one is not a leak.
        found[target.partition(":[")[0]] += 1
    return found


def _tasks() -> Counter[str]:
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:  # no loop runs in this thread
        return Counter()
    return Counter(_coroutine(task) for task in tasks)


def _coroutine(task: "asyncio.Task[object]") -> str:
    coroutine = task.get_coro()
    return getattr(coroutine, "__qualname__", repr(coroutine))
