"""The thread that callbacks of a sync client run in."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from jvmwire.drivers.delivery import call_back
from jvmwire.drivers.limits import JOIN

if TYPE_CHECKING:
    from jvmwire.mailbox import Mailbox


class CallbackThread:
    """Runs callbacks one after the other; started by the first message."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Mailbox | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def dispatch(self, mailbox: Mailbox) -> None:
        """Have what is in `mailbox` handed to its callback."""
        if self._closed:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="jvmwire-callbacks", daemon=True)
            self._thread.start()
        self._queue.put(mailbox)

    def _run(self) -> None:
        while (mailbox := self._queue.get()) is not None:
            while mailbox and mailbox.callback is not None and not self._closed:
                call_back(mailbox.callback, mailbox.take())

    def close(self) -> None:
        """End after the callback that runs."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            if self._thread is not threading.current_thread():
                self._thread.join(JOIN)
