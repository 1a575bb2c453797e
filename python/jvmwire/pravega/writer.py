"""What one writer has to say to one segment: sent in blocks, again after a break, stored once.

A segment store does not look for what it has already: it tells at `SetupAppend` which event of the
writer it stored last. That is an acknowledgement; what is behind it is sent again.
"""

from __future__ import annotations

import copy
import heapq
import itertools
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import PravegaEvents, pravega_data_of, pravega_events_of
from jvmwire.errors import JvmWireError, LocalProtocolError, ServerError, TransportError
from jvmwire.operations import AwaitLoss, Call, Listen, MakeMailbox, Receive, Sleep, Spawn
from jvmwire.pravega.commands import Append, SetupAppend
from jvmwire.pravega.errors import ConditionalCheckFailed, InvalidEventNumber
from jvmwire.pravega.session import TODAY, Acknowledged

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from jvmwire.drivers.connection import Connection
    from jvmwire.drivers.task import Task
    from jvmwire.link import Line
    from jvmwire.mailbox import Mailbox
    from jvmwire.operations import Operation
    from jvmwire.retry import RetryPolicy

BLOCK_BYTES = 256 << 10
"""Bytes of events from which on a block is worth sending while others are on their way. Ours."""
BYTES_ON_THEIR_WAY = 4 << 20
"""Bytes sent and not acknowledged beyond which events wait for acknowledgements. Ours."""
FIRST_REQUEST_ID = 1 << 40
"""Of the appends of a client's first writer; calls are numbered from 1 on."""

STORED = True
"""What became of a conditional append, to who waits for it."""

_MORE = object()
"""Says that there is something to send."""


@dataclass(slots=True)
class _Block:
    """An append that was sent and is not acknowledged."""

    frame: bytes
    last: int
    """The number of its last event."""
    events: int
    condition: _Condition | None = None
    """What else is known of its one event, if it is conditional."""


@dataclass(frozen=True, slots=True)
class _Condition:
    """An event that is to stand at an offset, or nowhere."""

    event: bytes
    expected_offset: int
    outcome: Mailbox
    """Who waits for what becomes of it."""


class Writer:
    """The events of one writer, from when they are taken until they are acknowledged."""

    def __init__(
        self,
        link: Line[Any],
        segment: str,
        *,
        writer_id: UUID,
        request_id: int,
        max_bytes: int,
        max_events: int,
        retry: RetryPolicy,
        bare: bool = False,
    ) -> None:
        self.segment = segment
        self.writer_id = writer_id
        self.accepted = 0
        """The number of the last event taken; the first is 1."""
        self.acknowledged = 0
        """The number of the last event that is stored."""
        self.write_offset = -1
        """Where the segment ended behind it."""
        self._base: int | None = None
        """What the store adds to our numbers: what the writer had stored; None is unknown."""
        self._condition: _Condition | None = None
        """Taken and not sent; all before it is stored."""
        self._link = link
        self._request_id = request_id
        self._max_bytes = max_bytes
        self._max_events = max_events
        self._retry = retry
        self._bare = bare
        self._events = PravegaEvents(bare=bare)
        """Taken and not sent."""
        self._blocks: deque[_Block] = deque()
        """Sent and not acknowledged."""
        self._bytes_sent = 0
        """Of these."""
        self._inbox: Mailbox | None = None
        """What the conversation that lives is told."""
        self._connection: Connection | None = None
        """Over which we conversed last."""
        self._running: Task | None = None
        self._failure: JvmWireError | None = None
        self._waiting: list[tuple[int, int, Mailbox]] = []
        """Who waits for an acknowledgement, by the event's number."""
        self._sequence = itertools.count()
        self._crowd: deque[Mailbox] = deque()
        """Who waits for room."""
        self._mourners: list[Mailbox] = []
        """Who waits for the end."""

    # What callers do.

    def take(self, push: Callable[[PravegaEvents], object], *, room: bool = True) -> Operation[int]:
        """Have `push` add events, if `room` once there is some; return the number of the last.

        Raises:
            JvmWireError: what ended this writer.
        """
        while room and self._failure is None and not self._has_room():
            mailbox = yield MakeMailbox()
            self._crowd.append(mailbox)
            yield Receive(mailbox)
        self._check()
        before = len(self._events)
        push(self._events)
        self.accepted += len(self._events) - before
        number = self.accepted
        yield from self._wake()
        return number

    def await_acknowledgement(self, number: int) -> Operation[None]:
        """Return once the event of that number is stored."""
        if number > self.acknowledged:
            self._check()
            mailbox = yield MakeMailbox()
            if number > self.acknowledged:
                self._check()
                heapq.heappush(self._waiting, (number, next(self._sequence), mailbox))
                yield Receive(mailbox)

    def await_end(self) -> Operation[JvmWireError]:
        """Return what ended this writer, once it has ended."""
        while self._failure is None:
            mailbox = yield MakeMailbox()
            if self._failure is None:
                self._mourners.append(mailbox)
                yield Receive(mailbox)
        return self._failure

    def append_if(self, event: bytes, expected_offset: int) -> Operation[bool]:
        """Append if the segment ends at that offset; return whether it did.

        All that was taken before is stored first.
        """
        outcome = yield MakeMailbox()
        while self.accepted > self.acknowledged:
            yield from self.await_acknowledgement(self.accepted)
        self._check()
        self.accepted += 1
        self._condition = _Condition(event, expected_offset, outcome)
        yield from self._wake()
        stored: bool = yield Receive(outcome)
        return stored

    def unacknowledged(self) -> list[bytes]:
        """Take back the events that are not known to be stored, and end this writer.

        After `SegmentIsSealed` or `NoSuchSegment` none of them is stored.
        """
        self.end(self._failure or LocalProtocolError("the writer was ended"))
        events: list[bytes] = []
        while self._blocks:
            block = self._blocks.popleft()
            condition = block.condition
            events += [condition.event] if condition else self._events_of(block.frame)
        if self._condition is not None:
            events.append(self._condition.event)
            self._condition = None
        while self._events:
            frame, _ = self._events.take_block(self.writer_id, 0, 0, BLOCK_BYTES)
            events += self._events_of(frame)
        self.accepted = self.acknowledged
        return events

    def end(self, failure: JvmWireError) -> None:
        """Take and send nothing more; who waits is thrown `failure`."""
        if self._failure is not None:
            return
        self._failure = failure
        waiting = [mailbox for _, _, mailbox in self._waiting]
        conditions = [self._condition, *(block.condition for block in self._blocks)]
        outcomes = [condition.outcome for condition in conditions if condition is not None]
        for mailbox in [*waiting, *outcomes, *self._crowd]:
            mailbox.end(copy.copy(failure))
        self._waiting.clear()
        self._crowd.clear()
        for mourner in self._mourners:
            mourner.push(None)
        if self._inbox is not None:
            self._inbox.end(failure)

    def _events_of(self, frame: bytes) -> list[bytes]:
        return [pravega_data_of(frame)] if self._bare else pravega_events_of(frame)

    def _check(self) -> None:
        if self._failure is not None:
            raise copy.copy(self._failure)

    def _has_room(self) -> bool:
        return (
            self._bytes_sent + self._events.size < self._max_bytes
            and self.accepted - self.acknowledged < self._max_events
        )

    def _wake(self) -> Operation[None]:
        """See to it that what was taken is sent."""
        if self._running is None:
            self._running = yield Spawn(self._run(), f"append to {self.segment}")
        elif self._inbox is not None and self._may_send():
            self._inbox.push(_MORE)

    # What goes on behind them, for as long as the client lives.

    def _run(self) -> Operation[None]:
        waits = self._retry.waits()
        while self._failure is None:
            before = self.acknowledged
            try:
                yield from self._converse()
            except (TransportError, ServerError) as error:
                self._link.failed(error)
                if self.acknowledged > before:
                    waits = self._retry.waits()
                # InvalidEventNumber: an append of the connection before was stored after all.
                again = isinstance(error, TransportError | InvalidEventNumber) or error.retryable
                wait = next(waits, None) if again else None
                if wait is None:
                    self.end(error)
                else:
                    yield Sleep(wait)
            except JvmWireError as error:
                self.end(error)
        if self._connection is not None:
            yield Listen(self._connection, self.writer_id, None)

    def _converse(self) -> Operation[None]:
        """Send all there is over one connection, until that is lost."""
        connection = self._connection = yield from self._link.connection()
        inbox = yield MakeMailbox()
        yield Listen(connection, self.writer_id, inbox)
        yield Spawn(_tell_of_loss(connection, inbox), f"watch {connection.endpoint}")
        setup = SetupAppend(self.writer_id, self.segment)
        number: int = yield Call(connection, setup, self._request_id)
        if self._base is None:
            # Of a new writer it is the least there is.
            self._base = max(number, 0)
        self._acknowledge(number)
        self._cut(number)
        self._inbox = inbox
        try:
            for block in list(self._blocks):
                yield Call(connection, Append(block.frame))
            while True:
                yield from self._send(connection)
                try:
                    message = yield Receive(inbox)
                except ConditionalCheckFailed:
                    self._refuse()
                else:
                    if isinstance(message, Acknowledged):
                        self.write_offset = message.write_offset
                        self._acknowledge(message.event_number)
        finally:
            self._inbox = None

    def _may_send(self) -> bool:
        """Few blocks, none of them late: a block goes at once if it is alone or large."""
        if not self._blocks:
            return bool(self._events) or self._condition is not None
        return (
            self._events.size >= BLOCK_BYTES
            and self._bytes_sent < BYTES_ON_THEIR_WAY
            and self._condition is None
            and self._blocks[-1].condition is None
        )

    def _send(self, connection: Connection) -> Operation[None]:
        while self._may_send():
            block = self._next_block()
            self._blocks.append(block)
            self._bytes_sent += len(block.frame)
            yield Call(connection, Append(block.frame))

    def _next_block(self) -> _Block:
        assert self._base is not None  # noqa: S101 - the conversation began by it
        last = self._base + self.accepted - len(self._events)
        if (condition := self._condition) is None:
            frame, count = self._events.take_block(
                self.writer_id, last, self._request_id, BLOCK_BYTES
            )
            return _Block(frame, last + count, count)
        self._condition = None
        fields = {
            "writer_id": self.writer_id,
            "event_number": last,
            "expected_offset": condition.expected_offset,
            "event": condition.event,
            "request_id": self._request_id,
        }
        return _Block(TODAY.encode("ConditionalAppend", fields), last, 1, condition)

    def _drop(self) -> _Block:
        block = self._blocks.popleft()
        self._bytes_sent -= len(block.frame)
        return block

    def _acknowledge(self, number: int) -> None:
        """Up to the event of that number, by the store's count, all is stored."""
        while self._blocks and self._blocks[0].last <= number:
            block = self._drop()
            self._reach(block)
            if block.condition is not None:
                block.condition.outcome.push(STORED)

    def _reach(self, block: _Block) -> None:
        assert self._base is not None  # noqa: S101 - there are no blocks before
        self.acknowledged = block.last - self._base
        while self._waiting and self._waiting[0][0] <= self.acknowledged:
            _, _, mailbox = heapq.heappop(self._waiting)
            mailbox.push(None)
        if self._crowd and self._has_room():
            for mailbox in self._crowd:
                mailbox.push(None)
            self._crowd.clear()

    def _cut(self, number: int) -> None:
        """Drop those events of the first block that are stored."""
        # A block of bare bytes is one append to the store: stored whole, or not at all.
        if not self._blocks or self._bare or self._blocks[0].condition is not None:
            return
        block = self._blocks[0]
        stored = block.events - (block.last - number)
        if stored > 0:
            self._drop()
            rest = PravegaEvents()
            rest.push_all(pravega_events_of(block.frame, stored))
            limit = len(block.frame)
            frame, count = rest.take_block(self.writer_id, number, self._request_id, limit)
            self._blocks.appendleft(_Block(frame, number + count, count))
            self._bytes_sent += len(frame)

    def _refuse(self) -> None:
        """The one append on its way was conditional, and its condition does not hold."""
        if self._blocks and (condition := self._blocks[0].condition) is not None:
            self._reach(self._drop())
            condition.outcome.push(not STORED)


def _tell_of_loss(connection: Connection, inbox: Mailbox) -> Operation[None]:
    inbox.end((yield AwaitLoss(connection)))
