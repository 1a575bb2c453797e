"""Blocking connection between a session and its transport, shared by a component's threads."""

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
    from jvmwire.transports._transport import Transport

FLUSH_AT: Final = 64 * 1024
"""Unsent bytes at which `send` writes before more is queued: the capacity of a pipe."""

FLUSH_AFTER: Final = 0.01
"""Seconds after which queued data is written although the component has more work."""

READ_AHEAD_LIMIT: Final = 8 << 20
"""Bytes that are read ahead while the component is busy; further data waits in the pipe."""

REPLY_POLL_INTERVAL: Final = 0.05
"""Seconds between two checks of a waiting thread whether another thread has read its reply."""


class ComponentChannel(Generic[CommandT]):
    """A session over a blocking transport: one thread takes the events, any thread may send.

    Queued data is written when no more input is available, when it exceeds `FLUSH_AT` bytes, or
    when it is older than `FLUSH_AFTER` seconds.
    """

    def __init__(self, session: Session[CommandT], transport: Transport) -> None:
        self.session = session
        self.busy_since: float | None = None
        """Monotonic time at which the component's current work began; None while it is idle."""
        self.last_write = monotonic()
        self._transport = transport
        self._lock = threading.RLock()
        self._backlog: deque[Event] = deque()
        self._read_ahead_bytes = 0
        """Bytes read since `next_event` last found no event queued."""
        self._replies: dict[int, Any] = {}
        self._forgotten: set[int] = set()
        self._ended = False
        self.failure: RemoteProtocolError | None = None
        """The peer's protocol error, after which nothing is sent."""
        self._calls = 0
        self._readable = select.poll()
        self._readable.register(transport.read_fd, select.POLLIN)

    def send(self, command: CommandT, call_id: int = 0) -> None:
        """Queue `command` after all commands that any thread queued before."""
        with self._lock:
            session = self.session
            session.send(command, call_id)
            if session.pending_bytes >= FLUSH_AT:
                self.flush()

    def call(self, command: CommandT) -> int:
        """Queue a command that has a reply, and return the call ID for `result`."""
        with self._lock:
            self._calls += 1
            self.send(command, self._calls)
            return self._calls

    def forget(self, call_id: int) -> None:
        """Discard the reply to a call, now or when it arrives; never call `result` for it again."""
        with self._lock:
            if call_id in self._replies:
                del self._replies[call_id]
            else:
                self._forgotten.add(call_id)

    def has_result(self, call_id: int) -> bool:
        """Return whether `result` would return without waiting."""
        return call_id in self._replies

    def result(self, call_id: int) -> Any:
        """Wait for the reply to a call and return it; other events are kept for `next_event`.

        Raises:
            ConnectionLost: the input ended before the reply.
            RemoteProtocolError: the peer violated the protocol before the reply.
        """
        while call_id not in self._replies:
            if self._ended:
                raise self.failure or ConnectionLost("the input ended before the answer came")
            if not self._read():
                self.flush()
                if call_id not in self._replies and not self._ended:
                    self._readable.poll(REPLY_POLL_INTERVAL * 1000)
        return self._replies.pop(call_id)

    def next_event(self, until: float = math.inf) -> Event | NeedData:
        """Return the next event, or `NEED_DATA` if none arrives before the monotonic time `until`.

        Raises:
            RemoteProtocolError: the peer violated the protocol, and all earlier events were
                returned.
        """
        self.busy_since = None
        while not self._backlog:
            if self.failure is not None:
                raise self.failure
            if self._ended:
                return Closed()
            self._read_ahead_bytes = 0
            if not self._read():
                self.flush()
                # What arrived while the output was full was read by `flush`: nothing is readable.
                if not self._backlog and not self._ended and not self._wait(until):
                    return NEED_DATA
        self.busy_since = monotonic()
        return self._backlog.popleft()

    def mark_progress(self) -> bool:
        """Record that the component begins another piece of work; return whether a flush is due."""
        now = self.busy_since = monotonic()
        return now - self.last_write > FLUSH_AFTER

    def read_ahead(self) -> bool:
        """Read available data without waiting, up to `READ_AHEAD_LIMIT`; return whether any was
        read."""
        return self._read_ahead_bytes < READ_AHEAD_LIMIT and self._read()

    def flush(self) -> None:
        """Write all queued data, and read incoming data meanwhile so that no side can deadlock.

        Raises:
            ConnectionLost: the peer closed its end.
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
        """Wait up to `seconds`, or until an event or input is available."""
        if not self._backlog:
            self._readable.poll(seconds * 1000)

    def close(self) -> None:
        """Close the transport."""
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
        """Read and parse a chunk, and return whether there was one."""
        with self._lock:
            if self._ended:
                return False
            try:
                data = self._transport.recv()
            except TransportError:  # the process that started this one is gone
                data = b""
            if data is None:
                return False
            self._read_ahead_bytes += len(data)
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
