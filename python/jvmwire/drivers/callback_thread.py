"""The thread that callbacks of a sync client run in."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from jvmwire import threads
from jvmwire.drivers.delivery import TURN, call_back, log_delay, log_failure
from jvmwire.drivers.limits import JOIN
from jvmwire.errors import ConnectFailed

if TYPE_CHECKING:
    from jvmwire.mailbox import Mailbox


class CallbackThread:
    """Runs callbacks, each listener in its turn; started by the first message."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Mailbox | None] = queue.SimpleQueue()
        self._queued: set[Mailbox] = set()
        """What is in the queue: each once, however much is in it."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
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
        if self._thread is None:
            self._start()

    def _start(self) -> None:
        try:
            self._thread = threads.start("jvmwire-callbacks", self._run, why="call back")
        except ConnectFailed as error:  # the next message tries anew
            if not self._delayed:
                log_delay(error)
            self._delayed = True

    def _run(self) -> None:
        while (mailbox := self._queue.get()) is not None:
            # Before it is looked into: what comes from now on queues it again.
            with self._lock:
                self._queued.discard(mailbox)
            self._deliver(mailbox)
            if mailbox:
                self.dispatch(mailbox)

    def _deliver(self, mailbox: Mailbox) -> None:
        callback = mailbox.callback
        for _ in range(TURN):
            if not mailbox or callback is None or self._closed:
                return
            try:
                call_back(callback, mailbox.take())
            except BaseException:  # nobody else hears of it, and the thread would end: sys.exit()
                log_failure()

    def close(self) -> None:
        """End after the callback that runs."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            if self._thread is not threading.current_thread():
                self._thread.join(JOIN)
