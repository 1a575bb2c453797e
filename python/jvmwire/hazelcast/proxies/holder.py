"""Who holds what is locked: to the cluster a thread, here a thread or in asyncio a task."""

from __future__ import annotations

import abc
import asyncio
import itertools
import threading
import weakref
from typing import Any, Self

_threads = threading.local()
_next_thread_id = itertools.count(1)
_task_ids: weakref.WeakKeyDictionary[asyncio.Task[Any], int] = weakref.WeakKeyDictionary()
_next_task_id = itertools.count(1)


class Holder(abc.ABC):
    """What is asked for in the name of who calls."""

    @abc.abstractmethod
    def _caller_id(self) -> int:
        """Return what the cluster takes for the thread that calls."""


class ThreadHolder(Holder):
    """Tells threads apart."""

    def _caller_id(self) -> int:
        # Not `threading.get_ident()`: the next thread may get the number of one that has ended, and
        # with it the locks that that one still holds.
        try:
            known: int = _threads.id
        except AttributeError:
            known = _threads.id = next(_next_thread_id)
        return known


class TaskHolder(Holder):
    """Tells the tasks of asyncio apart."""

    _loop: asyncio.AbstractEventLoop

    def _caller_id(self) -> int:
        task = asyncio.current_task(self._loop)  # to look for the loop takes a system call
        if task is None:
            return 0
        if (known := _task_ids.get(task)) is None:
            known = _task_ids[task] = next(_next_task_id)
        return known


class SyncHeld:
    """What `with` takes, and gives back at its end."""

    _take_hold: Any
    """The operation that takes it, without arguments; so `_let_go`."""
    _let_go: Any

    def __enter__(self) -> Self:
        self._take_hold()
        return self

    def __exit__(self, *exc: object) -> None:
        self._let_go()


class AsyncHeld:
    """What `async with` takes, and gives back at its end."""

    _take_hold: Any
    _let_go: Any

    async def __aenter__(self) -> Self:
        await self._take_hold()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._let_go()
