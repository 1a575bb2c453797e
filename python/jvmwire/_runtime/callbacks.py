"""Delivery of pushed messages to callbacks by threads.

Callbacks run off the I/O path: an exception of one is logged, and delivery continues.
"""

from __future__ import annotations

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
