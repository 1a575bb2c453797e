"""The task that callbacks of an asyncio client run in."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from typing import TYPE_CHECKING

from jvmwire.drivers.delivery import call_back, log_failure

if TYPE_CHECKING:
    from jvmwire.mailbox import Mailbox


class CallbackTask:
    """Runs callbacks one after the other, plain functions and coroutine functions alike."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: deque[Mailbox] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Have what is in `mailbox` handed to its callback."""
        if self._closed:
            return
        self._queue.append(mailbox)
        if self._task is None:
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                mailbox = self._queue.popleft()
                while mailbox and mailbox.callback is not None and not self._closed:
                    result = call_back(mailbox.callback, mailbox.take())
                    if inspect.isawaitable(result):
                        await self._finish(result)
                    await asyncio.sleep(0)
        finally:
            self._task = None

    async def _finish(self, result: object) -> None:
        try:
            await result  # type: ignore[misc]  # inspect.isawaitable has told
        except Exception:
            log_failure()

    async def close(self) -> None:
        """End after the callback that runs, unless it is the one that asks."""
        self._closed = True
        self._queue.clear()
        if self._task is not None and self._task is not asyncio.current_task():
            await asyncio.gather(self._task, return_exceptions=True)
