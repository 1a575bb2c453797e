"""Identity of a lock's holder: a thread to the cluster, here a thread or an asyncio task."""

from __future__ import annotations

import abc
import functools
import itertools
import threading
import weakref
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime.cleanup import cleanup_after
from jvmwire._runtime.client import AsyncResource, Resource, SyncResource

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

_threads = threading.local()
_next_thread_id = itertools.count(1)
_task_ids: weakref.WeakKeyDictionary[asyncio.Task[Any], int] = weakref.WeakKeyDictionary()
_next_task_id = itertools.count(1)


@functools.cache
def _current_task() -> Callable[[asyncio.AbstractEventLoop], asyncio.Task[Any] | None]:
    """Return `asyncio.current_task`, imported at first use: blocking clients need no asyncio."""
    from asyncio import current_task

    return current_task


class CallerIdentity(Resource):
    """Base of objects whose requests carry the id of the calling thread or task."""

    @abc.abstractmethod
    def _caller_id(self) -> int:
        """Return the thread id that the cluster uses for the caller."""


class ThreadIdentity(CallerIdentity, SyncResource):
    """Base of structures of a blocking client, where a thread is the holder of a lock."""

    def _caller_id(self) -> int:
        # Not `threading.get_ident()`: a new thread may reuse the number of one that has ended, and
        # would then own the locks that the ended thread still holds.
        try:
            known: int = _threads.id
        except AttributeError:
            known = _threads.id = next(_next_thread_id)
        return known


class TaskIdentity(CallerIdentity, AsyncResource):
    """Base of structures of an asyncio client, where a task is the holder of a lock."""

    def _caller_id(self) -> int:
        task = _current_task()(self._loop)  # finding the loop would take a system call
        if task is None:
            return 0
        if (known := _task_ids.get(task)) is None:
            known = _task_ids[task] = next(_next_task_id)
        return known


class SyncLockContext:
    """Context manager that takes a lock or permit, and releases it at the end of `with`."""

    _enter_lock: Any
    """Operation that takes it, without arguments; `_exit_lock` is the one that releases it."""
    _exit_lock: Any

    def __enter__(self) -> Self:
        self._enter_lock()
        return self

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, "releasing"):
            self._exit_lock()


class AsyncLockContext:
    """Context manager that takes a lock or permit, and releases it at the end of `async with`."""

    _enter_lock: Any
    _exit_lock: Any

    async def __aenter__(self) -> Self:
        await self._enter_lock()
        return self

    async def __aexit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, "releasing"):
            await self._exit_lock()
