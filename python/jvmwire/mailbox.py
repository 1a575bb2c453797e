"""Where pushed messages wait for a callback or an iterator, bounded."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError, MessagesLost
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
        *,
        max_bytes: int | None = None,
        size: Callable[[Any], int] | None = None,
        hint: str = "",
    ) -> None:
        self.callback = callback
        self.dropped = 0
        """Messages that found no room, since the beginning."""
        self.ended = False
        self.error: JvmWireError | None = None
        self.receivers: deque[Task] = deque()
        """Who waits for a message, in order."""
        self._capacity = capacity
        self._max_bytes = max_bytes
        """Bytes that wait, as `size` says, before more are dropped; None is no limit."""
        self._size = size
        self._hint = hint
        """What an error says to do."""
        self._sizes: deque[int] = deque()
        """Of what waits, where bytes are limited."""
        self._pushed = self._taken = 0
        """Bytes since the beginning: each has one writer, which may be a thread of its own."""
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
        size = 0 if self._size is None else self._size(message)
        if (self.messages or self.lost) and not self._find_room(size):
            with self._counting:
                self.lost += 1
                self.dropped += 1
        else:
            self._append(message, size)
            self._notify(self)

    def _append(self, message: Any, size: int) -> None:
        if self._size is not None:  # first: who takes the message takes its size too
            self._sizes.append(size)
            self._pushed += size
        self.messages.append(message)

    def _find_room(self, size: int) -> bool:
        """Return whether there is some for `size` bytes more behind what waits already."""
        self._full = self._is_beyond(2 if self._full else 1, size)
        if not self._full:
            if self.lost:
                with self._counting:
                    if self.lost:  # else it was said meanwhile
                        self._append(self._report_lost(), 0)
        elif not self._behind:
            self._behind = True
            _log.warning("a listener is %d messages behind: more are dropped", len(self.messages))
        return not self._full

    def _is_beyond(self, part: int, size: int) -> bool:
        """Return whether what waits has reached a limit, or exceeds one `part`-th of it."""
        waiting = part * len(self.messages)
        if waiting >= self._capacity and (part == 1 or waiting > self._capacity):
            return True
        if self._max_bytes is None:
            return False
        return part * (self._pushed - self._taken) + size > self._max_bytes

    def end(self, error: JvmWireError | None = None) -> None:
        """Take nothing more; what waits is still handed out."""
        if not self.ended:
            self.ended, self.error = True, error
            self._notify(self)

    def __bool__(self) -> bool:
        return bool(self.messages or self.lost)

    def take(self) -> Any:
        """Return the oldest message; a `MessagesLost` stands where some were dropped."""
        if not self.messages:
            with self._counting:
                # It may have come ahead of what there was room for again.
                if not self.messages:
                    self._behind = False
                    return self._report_lost()
        message = self.messages.popleft()
        if self._size is not None:
            self._taken += self._sizes.popleft()
        return message

    def _report_lost(self) -> MessagesLost:
        lost, self.lost = self.lost, 0
        room = f"{self._capacity} messages"
        if self._max_bytes is not None:
            room += f" or {self._max_bytes} bytes"
        return MessagesLost(
            f"{lost} messages were dropped: the queue has room for {room}{self._hint}", lost
        )
