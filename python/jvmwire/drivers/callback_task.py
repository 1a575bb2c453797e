"""The task that callbacks of an asyncio client run in."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

from jvmwire.drivers.delivery import TURN, call_back, log_failure
from jvmwire.drivers.limits import JOIN

if TYPE_CHECKING:
    from jvmwire.mailbox import Mailbox


class CallbackTask:
    """Runs callbacks, plain functions and coroutine functions alike, each listener in its turn."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: dict[Mailbox, None] = {}
        """In their order, each once, however much is in it."""
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Have what is in `mailbox` handed to its callback."""
        if self._closed:
            return
        self._queue[mailbox] = None
        if self._task is None:
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                mailbox = next(iter(self._queue))
                del self._queue[mailbox]
                await self._deliver(mailbox)
                if mailbox and not self._closed:
                    self._queue[mailbox] = None
        finally:
            self._task = None

    async def _deliver(self, mailbox: Mailbox) -> None:
        callback = mailbox.callback
        for _ in range(TURN):
            if not mailbox or callback is None or self._closed:
                return
            try:
                result = call_back(callback, mailbox.take())
                if inspect.isawaitable(result):
                    await result
            except Exception:
                log_failure()
            except asyncio.CancelledError:
                if self._task is None or self._task.cancelling():
                    raise
                log_failure()  # not we were cancelled, but what it waited for
            await asyncio.sleep(0)

    async def close(self) -> None:
        """End after the callback that runs, or end it, unless it is the one that asks."""
        self._closed = True
        self._queue.clear()
        task = self._task
        if task is not None and task is not asyncio.current_task():
            await asyncio.wait({task}, timeout=JOIN)
            if task.cancel():
                await asyncio.wait({task}, timeout=JOIN)
