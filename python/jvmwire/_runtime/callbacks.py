"""Delivery of pushed messages to callbacks, by a thread or by an asyncio task.

Callbacks run off the I/O path: an exception of one is logged, and delivery goes on.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime import threads
from jvmwire._runtime.threads import THREAD_JOIN_TIMEOUT
from jvmwire.errors import ConnectFailed, JvmWireError, MessagesLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Mailbox


MAX_MESSAGES_PER_TURN = 64
"""Messages that one listener gets before other listeners have their turn (chosen by jvmwire)."""

_log = get_logger("jvmwire.callbacks")


def call_back(callback: Callable[[Any], Any], message: Any) -> Any:
    """Call a callback with a message and return its result; log the exception it raises."""
    if isinstance(message, MessagesLost):
        _log.warning("%s", message)
    try:
        return callback(message)
    except Exception:
        log_failure()
        return None


def log_thread_unavailable(error: JvmWireError) -> None:
    """Log that no thread could be started for a callback."""
    _log.error("%s: no callback is called before the next message", error)


def log_failure() -> None:
    """Log the exception that a callback raised."""
    _log.exception("a callback failed; the next message is delivered all the same")


def log_coroutine() -> None:
    """Log that a callback of a blocking client returned a coroutine, which cannot be awaited."""
    _log.error("a callback returned a coroutine: a blocking client awaits none")


class CallbackThreads:
    """Run callbacks, each listener in its turn and in one thread at a time.

    A thread is started when more listeners have messages than there are threads, up to `count`.
    """

    def __init__(self, count: int = 1) -> None:
        self._queue: queue.SimpleQueue[Mailbox | None] = queue.SimpleQueue()
        self._queued: set[Mailbox] = set()
        """Mailboxes that are queued or being delivered, each once regardless of their messages."""
        self._lock = threading.Lock()
        self._count = count
        self._threads: list[threading.Thread] = []
        self._delayed = False
        """Whether the failure to start a thread was logged."""
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Schedule the delivery of the messages in `mailbox` to its callback."""
        with self._lock:
            if self._closed:
                return
            if mailbox not in self._queued:
                self._queued.add(mailbox)
                self._queue.put(mailbox)
            elif self._threads:
                return
            if len(self._threads) < min(self._count, len(self._queued)):
                self._start()

    def _start(self) -> None:
        name = "jvmwire-callbacks"
        try:
            self._threads.append(threads.start_thread(name, self._run, purpose="call back"))
        except ConnectFailed as error:  # the next message tries again
            if not self._delayed:
                log_thread_unavailable(error)
            self._delayed = True

    def _run(self) -> None:
        while (mailbox := self._queue.get()) is not None:
            self._deliver(mailbox)
            # Later messages queue the mailbox again; earlier ones are seen here.
            with self._lock:
                if mailbox and not self._closed:
                    self._queue.put(mailbox)
                else:
                    self._queued.discard(mailbox)

    def _deliver(self, mailbox: Mailbox) -> None:
        callback = mailbox.callback
        for _ in range(MAX_MESSAGES_PER_TURN):
            if not mailbox or callback is None or self._closed:
                return
            try:
                result = call_back(callback, mailbox.take())
                if inspect.iscoroutine(result):
                    result.close()
                    log_coroutine()
            # else the error would be lost and the thread would end, as by sys.exit()
            except BaseException:
                log_failure()

    def close(self) -> None:
        """Stop after the running callbacks."""
        with self._lock:
            self._closed = True
            ending = list(self._threads)
        for _ in ending:
            self._queue.put(None)
        for thread in ending:
            if thread is not threading.current_thread():
                thread.join(THREAD_JOIN_TIMEOUT)


class CallbackTasks:
    """Run callbacks, plain functions and coroutine functions alike, each listener in its turn.

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
