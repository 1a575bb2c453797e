"""The threads that callbacks of a sync client run in."""

from __future__ import annotations

import inspect
import queue
import threading
from typing import TYPE_CHECKING

from jvmwire import threads
from jvmwire.drivers.delivery import TURN, call_back, log_coroutine, log_delay, log_failure
from jvmwire.drivers.limits import JOIN
from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from jvmwire.mailbox import Mailbox


class CallbackThreads:
    """Run callbacks, each listener in its turn and in one thread at a time.

    A thread is started when more listeners have messages than there are threads, up to `count`.
    """

    def __init__(self, count: int = 1) -> None:
        self._queue: queue.SimpleQueue[Mailbox | None] = queue.SimpleQueue()
        self._queued: set[Mailbox] = set()
        """What is in the queue or is being delivered: each once, however much is in it."""
        self._lock = threading.Lock()
        self._count = count
        self._threads: list[threading.Thread] = []
        self._delayed = False
        """Whether it was said that no thread could be started."""
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Have what is in `mailbox` handed to its callback."""
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
            self._threads.append(threads.start(name, self._run, why="call back"))
        except ConnectFailed as error:  # the next message tries anew
            if not self._delayed:
                log_delay(error)
            self._delayed = True

    def _run(self) -> None:
        while (mailbox := self._queue.get()) is not None:
            self._deliver(mailbox)
            # What comes behind this look queues it again; what came before is seen by it.
            with self._lock:
                if mailbox and not self._closed:
                    self._queue.put(mailbox)
                else:
                    self._queued.discard(mailbox)

    def _deliver(self, mailbox: Mailbox) -> None:
        callback = mailbox.callback
        for _ in range(TURN):
            if not mailbox or callback is None or self._closed:
                return
            try:
                result = call_back(callback, mailbox.take())
                if inspect.iscoroutine(result):
                    result.close()
                    log_coroutine()
            except BaseException:  # nobody else hears of it, and the thread would end: sys.exit()
                log_failure()

    def close(self) -> None:
        """End after the callbacks that run."""
        with self._lock:
            self._closed = True
            ending = list(self._threads)
        for _ in ending:
            self._queue.put(None)
        for thread in ending:
            if thread is not threading.current_thread():
                thread.join(JOIN)
