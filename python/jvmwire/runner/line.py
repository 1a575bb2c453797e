"""A session and the transport that it talks over, shared by the threads of one component."""

from __future__ import annotations

import math
import select
import threading
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic

from jvmwire._runtime.session import (
    NEED_DATA,
    Closed,
    CommandT,
    Event,
    Failed,
    NeedData,
    Reply,
    Session,
)
from jvmwire.errors import ConnectionLost, RemoteProtocolError, TransportError

if TYPE_CHECKING:
    from jvmwire.transports.transport import Transport

FLUSH_AT: Final = 64 * 1024
"""Bytes that are written at once, though there may be more to say: what a pipe holds."""

FLUSH_AFTER: Final = 0.01
"""Seconds after which what was said is written, though there is more to do."""

AHEAD_LIMIT: Final = 8 << 20
"""Bytes that are read ahead while the component is busy; then the peer must wait."""

GLANCE: Final = 0.05
"""Seconds after which who waits looks whether another thread has read what it waits for."""


class Line(Generic[CommandT]):
    """One thread takes the events; any may send.

    What is said is written once there is nothing left to read, once it is much, or once it is old.
    """

    def __init__(self, session: Session[CommandT], transport: Transport) -> None:
        self.session = session
        self.busy_since: float | None = None
        """Since when the component has been at what it does; None while it waits for more."""
        self.last_write = monotonic()
        self._transport = transport
        self._lock = threading.RLock()
        self._backlog: deque[Event] = deque()
        self._ahead = 0
        """Bytes that were read since nothing was left to do."""
        self._replies: dict[int, Any] = {}
        self._forgotten: set[int] = set()
        self._ended = False
        self.failure: RemoteProtocolError | None = None
        """What the peer said that it may not: nothing is said to it any more."""
        self._calls = 0
        self._readable = select.poll()
        self._readable.register(transport.read_fd, select.POLLIN)

    def send(self, command: CommandT, call_id: int = 0) -> None:
        """Queue `command`; what was said before is said before, whichever thread says it."""
        with self._lock:
            session = self.session
            session.send(command, call_id)
            if session.pending_bytes >= FLUSH_AT:
                self.flush()

    def call(self, command: CommandT) -> int:
        """Queue `command`, which is answered, and return what `result` finds the answer by."""
        with self._lock:
            self._calls += 1
            self.send(command, self._calls)
            return self._calls

    def forget(self, call_id: int) -> None:
        """Let the answer to a call go, whenever it comes: nobody will ask for its `result`."""
        with self._lock:
            if call_id in self._replies:
                del self._replies[call_id]
            else:
                self._forgotten.add(call_id)

    def has_result(self, call_id: int) -> bool:
        """Return whether `result` need not wait."""
        return call_id in self._replies

    def result(self, call_id: int) -> Any:
        """Wait for the answer to a call; whatever else comes is kept for `next_event`.

        Raises `ConnectionLost` if the input ends before.
        """
        while call_id not in self._replies:
            if self._ended:
                raise self.failure or ConnectionLost("the input ended before the answer came")
            if not self._read():
                self.flush()
                self._readable.poll(GLANCE * 1000)
        return self._replies.pop(call_id)

    def next_event(self, until: float = math.inf) -> Event | NeedData:
        """Return what comes next; `NEED_DATA` if there is nothing `until` then, by `monotonic`.

        Raises `RemoteProtocolError` once all that came before is handed out.
        """
        self.busy_since = None
        while not self._backlog:
            if self.failure is not None:
                raise self.failure
            if self._ended:
                return Closed()
            self._ahead = 0
            if not self._read():
                self.flush()
                if not self._wait(until):
                    return NEED_DATA
        self.busy_since = monotonic()
        return self._backlog.popleft()

    def went_on(self) -> bool:
        """Note that the component begins another thing; say whether to flush what was said."""
        now = self.busy_since = monotonic()
        return now - self.last_write > FLUSH_AFTER

    def read_ahead(self) -> bool:
        """Read what there is without waiting, unless much was read ahead already."""
        return self._ahead < AHEAD_LIMIT and self._read()

    def flush(self) -> None:
        """Write what was said; what the peer writes meanwhile is taken in: neither waits for ever.

        Raises `ConnectionLost`.
        """
        with self._lock:
            rest = memoryview(self.session.data_to_send(self.last_write))
            if not rest:
                return
            while rest:
                if taken := self._transport.send(rest):
                    rest = rest[taken:]
                else:
                    self._wait_for_room()
            self.last_write = monotonic()

    def pause(self, seconds: float) -> None:
        """Do nothing for so long, or until there is something to do."""
        if not self._backlog:
            self._readable.poll(seconds * 1000)

    def close(self) -> None:
        """Give the transport back."""
        with self._lock:
            self._transport.close()

    def _wait(self, until: float) -> bool:
        left = None if until == math.inf else max(0.0, until - monotonic()) * 1000
        return bool(self._readable.poll(left))

    def _wait_for_room(self) -> None:
        both = select.poll()
        both.register(self._transport.write_fd, select.POLLOUT)
        if not self._ended:
            both.register(self._transport.read_fd, select.POLLIN)
        both.poll()
        self._read()

    def _read(self) -> bool:
        """Take in a chunk, and say whether there was one."""
        with self._lock:
            if self._ended:
                return False
            try:
                data = self._transport.recv()
            except TransportError:  # who started us is gone
                data = b""
            if data is None:
                return False
            self._ahead += len(data)
            self.session.receive_data(data)
            try:
                for event in self.session.events():
                    if isinstance(event, Reply):
                        if event.call_id in self._forgotten:
                            self._forgotten.remove(event.call_id)
                        else:
                            self._replies[event.call_id] = event.message
                        continue
                    self._backlog.append(event)
                    self._ended = isinstance(event, Closed | Failed)
            except RemoteProtocolError as error:
                self.failure = error
                self._ended = True
            return True
