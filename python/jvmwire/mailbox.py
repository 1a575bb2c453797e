"""Where pushed messages wait for a callback or an iterator, bounded."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError, LimitExceeded
from jvmwire.escaping import get_logger

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.drivers.task import Task

CAPACITY = 10_000
"""Messages that wait for a listener before more are dropped. Ours."""

_log = get_logger("jvmwire.callbacks")


class EndOfMessages(Exception):
    """Nothing more will come into this mailbox."""


class Mailbox:
    """Messages for one listener, in order. What finds no room is dropped and counted."""

    def __init__(
        self,
        callback: Callable[[Any], Any] | None,
        capacity: int,
        notify: Callable[[Mailbox], None],
    ) -> None:
        self.callback = callback
        self.dropped = 0
        """Messages that found no room, since the beginning."""
        self.ended = False
        self.error: JvmWireError | None = None
        self.receivers: deque[Task] = deque()
        """Who waits for a message, in order."""
        self._capacity = capacity
        self._notify = notify
        self.messages: deque[Any] = deque()
        """What waits; where some were dropped, `take` says so."""
        self.lost = 0
        """Messages that were dropped, and nobody was told yet."""
        self._full = False
        """Whether what comes is dropped: from when no room is left until half of it is."""
        self._behind = False
        """Whether some were dropped since nothing waited."""
        self._counting = threading.Lock()
        """Of what was lost, and where that is said: callbacks take in a thread of their own."""

    def push(self, message: Any) -> None:
        """Take a message, or drop it."""
        if self.ended:
            return
        if (self.messages or self.lost) and not self._find_room():
            with self._counting:
                self.lost += 1
                self.dropped += 1
        else:
            self.messages.append(message)
            self._notify(self)

    def _find_room(self) -> bool:
        """Return whether there is some behind what waits already."""
        waiting = len(self.messages)
        self._full = waiting >= self._capacity or (self._full and 2 * waiting > self._capacity)
        if not self._full:
            if self.lost:
                with self._counting:
                    if self.lost:  # else it was said meanwhile
                        self.messages.append(self._report_lost())
        elif not self._behind:
            self._behind = True
            _log.warning("a listener is %d messages behind: more are dropped", self._capacity)
        return not self._full

    def end(self, error: JvmWireError | None = None) -> None:
        """Take nothing more; what waits is still handed out."""
        if not self.ended:
            self.ended, self.error = True, error
            self._notify(self)

    def __bool__(self) -> bool:
        return bool(self.messages or self.lost)

    def take(self) -> Any:
        """Return the oldest message; a `LimitExceeded` stands where some were dropped."""
        if not self.messages:
            with self._counting:
                # It may have come ahead of what there was room for again.
                if not self.messages:
                    self._behind = False
                    return self._report_lost()
        return self.messages.popleft()

    def _report_lost(self) -> LimitExceeded:
        lost, self.lost = self.lost, 0
        return LimitExceeded(f"{lost} messages were dropped: {self._capacity} waited already")
