"""Delivery of pushed messages to callbacks by asyncio tasks."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

from jvmwire._runtime.callbacks import MAX_MESSAGES_PER_TURN, call_back, log_failure
from jvmwire._runtime.threads import THREAD_JOIN_TIMEOUT

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Mailbox


class CallbackTasks:
    """Run callbacks, plain functions and coroutine functions, each listener in its turn.

    At most `count` listeners are called at the same time, each in one task.
    """

    def __init__(self, count: int = 1) -> None:
        self._queue: dict[Mailbox, None] = {}
        """Mailboxes in order, each once, however many messages they hold."""
        self._count = count
        self._delivering: set[Mailbox] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Schedule the delivery of the messages in `mailbox` to its callback, from the loop."""
        if self._closed or mailbox in self._delivering:
            return
        self._queue[mailbox] = None
        if len(self._tasks) < self._count:
            task = asyncio.get_running_loop().create_task(self._run())
            self._tasks.add(task)

    async def _run(self) -> None:
        try:
            while self._queue:
                mailbox = next(iter(self._queue))
                del self._queue[mailbox]
                self._delivering.add(mailbox)
                try:
                    await self._deliver(mailbox)
                finally:
                    self._delivering.discard(mailbox)
                if mailbox and not self._closed:
                    self._queue[mailbox] = None
        finally:
            if (task := asyncio.current_task()) is not None:
                self._tasks.discard(task)

    async def _deliver(self, mailbox: Mailbox) -> None:
        callback = mailbox.callback
        for _ in range(MAX_MESSAGES_PER_TURN):
            if not mailbox or callback is None or self._closed:
                return
            try:
                result = call_back(callback, mailbox.take())
                if inspect.isawaitable(result):
                    await result
            except Exception:
                log_failure()
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log_failure()  # not this task was cancelled, but an awaitable of the callback
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Wait for running callbacks, then cancel late ones, except a callback that calls this."""
        self._closed = True
        self._queue.clear()
        tasks = self._tasks - {asyncio.current_task()}
        if tasks:
            await asyncio.wait(tasks, timeout=THREAD_JOIN_TIMEOUT)
            ending = {task for task in tasks if task.cancel()}
            if ending:
                await asyncio.wait(ending, timeout=THREAD_JOIN_TIMEOUT)
