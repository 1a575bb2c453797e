"""Writer of events to one segment: sends blocks, resends after a lost connection, stores each once.

A segment store does not detect duplicates: its reply to `SetupAppend` reports the last event of the
writer that it stored. The reply counts as an acknowledgement; later events are sent again.
"""

from __future__ import annotations

import copy
import uuid
from bisect import insort
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire._core import PRAVEGA_EVENT_LIMIT, PravegaDataAppended, PravegaEvents
from jvmwire._runtime.operations import Call, Future, Listen, NewMailbox, Receive, Spawn
from jvmwire._runtime.retry import RetryStrategy, retry
from jvmwire.errors import (
    ConnectionLost,
    Finished,
    JvmWireError,
    LocalProtocolError,
    OutcomeUnknown,
    RemoteProtocolError,
    ServerError,
    TransportError,
    wrap_error,
)
from jvmwire.pravega._commands import (
    NO_VALUE,
    Append,
    CreateTransientSegment,
    EndAppends,
    MergeSegments,
    SetupAppend,
)
from jvmwire.pravega._session import CURRENT_DIALECT
from jvmwire.pravega.errors import (
    ConditionalCheckFailed,
    ErrorMessage,
    InvalidEventNumber,
    NoSuchSegment,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from jvmwire._runtime.channel import RetryingChannel
    from jvmwire._runtime.operations import Connection, Mailbox, Operation
    from jvmwire._runtime.session import Buffer
    from jvmwire.options import RetryPolicy

BLOCK_BYTES = 256 << 10
"""Bytes of events that make a block worth sending while others are in flight (chosen by
jvmwire).
"""
BYTES_AT_ONCE = 1 << 20
"""Bytes of events above which no more blocks are encoded together (chosen by jvmwire).

A connection holds as many bytes unsent, so that the next blocks are not copied after these.
"""
BYTES_ON_THEIR_WAY = 16 << 20
"""Bytes sent and not acknowledged above which events wait for acknowledgements (chosen by
jvmwire).
"""
FIRST_REQUEST_ID = 1 << 40
"""The request id of the appends of a client's first writer; calls are numbered from 1."""
FILLER = 1 << 41
"""Difference between the request ids of a writer and of its large events (chosen by jvmwire)."""
REPLACE_IF_EQUALS = 4
"""`AttributeUpdateType.ReplaceIfEquals`."""

STORED = True
"""The outcome of a conditional append that was stored."""

T = TypeVar("T")

_WAKEUP = object()
"""Message that there are events to send."""


@dataclass(slots=True)
class _Condition:
    """A conditional append; all events before it are stored."""

    event: bytes
    expected_offset: int
    outcome: Future
    """Whether the event was stored."""
    is_sent: bool = False


@dataclass(slots=True)
class _Large:
    """A large event, stored through a transient segment; all events before it are stored."""

    event: bytes
    is_sent: bool = False


@dataclass(slots=True)
class _AckListener:
    """Listener for the replies to one writer on one connection."""

    writer: Writer
    inbox: Mailbox
    """Queue of the messages that are not handled at once."""

    def push(self, message: Any) -> None:
        """Handle an acknowledgement at once; queue other messages, and those after them."""
        inbox = self.inbox
        # The conditions avoid a call of `__bool__`: this runs for every acknowledgement.
        if inbox.messages or inbox.unreported_drops or type(message) is not PravegaDataAppended:
            inbox.push(message)
        else:
            self.writer.on_ack(inbox, message)

    def end(self, error: JvmWireError | None = None) -> None:
        self.inbox.end(error)


class Writer:
    """The events of one writer, from when they are accepted until they are acknowledged."""

    def __init__(
        self,
        link: RetryingChannel[Any],
        segment: str,
        *,
        writer_id: UUID,
        request_id: int,
        max_bytes: int,
        max_events: int,
        retry: RetryPolicy,
        max_event: int = PRAVEGA_EVENT_LIMIT,
        raw_bytes: bool = False,
    ) -> None:
        self.segment = segment
        self.max_event = max_event
        """Bytes of the largest event that is accepted."""
        self.writer_id = writer_id
        self.accepted = 0
        """The number of the last accepted event; the first is 1."""
        self.acknowledged = 0
        """The number of the last event that is stored."""
        self.write_offset = -1
        """The offset at which the segment ended after that event."""
        self._base: int | None = None
        """The store's number of the event before this writer's first; None is unknown."""
        self._condition: _Condition | None = None
        """A conditional append in progress; events accepted after it wait."""
        self._large: _Large | None = None
        """A large event in progress; events accepted after it wait."""
        self._link = link
        self._request_id = request_id
        self._max_bytes = max_bytes
        self._max_events = max_events
        self._retry = retry
        self._events = PravegaEvents(BLOCK_BYTES, BYTES_AT_ONCE, bare=raw_bytes)
        """Accepted events that are not acknowledged."""
        self._inbox: Mailbox | None = None
        """The mailbox of the connection in use."""
        self._connection: Connection | None = None
        """The connection that was used last."""
        self._is_running = False
        """Whether the task that sends events is running."""
        self._sent_before = 0
        """The number of the last event that was sent over a connection before the present one."""
        self._refused_after: int | None = None
        """After `InvalidEventNumber`: the last event of this writer that the store can have."""
        self._failure: JvmWireError | None = None
        self._waiting: deque[tuple[int, Future]] = deque()
        """Futures of callers that wait for an acknowledgement, by the event's number."""
        self._capacity_waiters: list[Future] = []
        """Futures of callers that wait for room."""
        self._close_waiters: list[Future] = []
        """Futures of callers that wait for the end of the writer."""

    # Calls of the public writers.

    @property
    def is_open(self) -> bool:
        """Whether the writer accepts events."""
        return self._failure is None

    def enqueue(
        self,
        add: Callable[[PravegaEvents, T], int],
        events: T,
        *,
        wait_for_capacity: bool = True,
        wait_until_stored: bool = False,
    ) -> Operation[int]:
        """Accept events once there is room, and return the number of the last one.

        `add` puts `events` into the buffer, and returns their count. With `wait_until_stored` the
        call returns once the last event is stored; without `wait_for_capacity` it does not wait for
        room.

        Raises:
            JvmWireError: the error that ended this writer.
        """
        while wait_for_capacity and not self._has_room() and self._failure is None:
            self._capacity_waiters.append(future := Future())
            yield future
        self._check()
        self.accepted = number = self.accepted + add(self._events, events)
        if (instruction := self._ensure_sending()) is not None:
            yield instruction
        if wait_until_stored and (acknowledgement := self._acknowledgement(number)) is not None:
            yield acknowledgement
        return number

    def take_large(self, event: bytes, taken: Callable[[], None] = lambda: None) -> Operation[int]:
        """Accept an event of more than 8 MiB once all before it are stored; return its number.

        `taken` is called as soon as the event is accepted.

        Raises:
            JvmWireError: the error that ended this writer before it accepted the event.
        """
        event = memoryview(event).tobytes()
        while self.accepted > self.acknowledged:
            yield from self.await_acknowledgement(self.accepted)
        self._check()
        self.accepted += 1
        self._large = _Large(event)
        taken()
        if (instruction := self._ensure_sending()) is not None:
            yield instruction
        return self.accepted

    def await_acknowledgement(self, number: int) -> Operation[None]:
        """Wait until the event of that number is stored."""
        if (acknowledgement := self._acknowledgement(number)) is not None:
            yield acknowledgement

    def await_end(self) -> Operation[JvmWireError]:
        """Wait until the writer has ended, and return the error that ended it."""
        while self._failure is None:
            self._close_waiters.append(future := Future())
            yield future
        return self._failure

    def append_if(self, event: bytes, expected_offset: int) -> Operation[bool]:
        """Append an event if the segment ends at `expected_offset`; return whether it was appended.

        All events that were accepted before are stored first.
        """
        # Other events are checked when they are buffered; this one must not turn out invalid when
        # sent.
        event = memoryview(event).tobytes()
        if len(event) > PRAVEGA_EVENT_LIMIT:
            limit = f"the protocol allows {PRAVEGA_EVENT_LIMIT}"
            raise ValueError(f"{len(event)} bytes do not fit where {limit}")
        while self.accepted > self.acknowledged:
            yield from self.await_acknowledgement(self.accepted)
        self._check()
        self.accepted += 1
        outcome = Future()
        self._condition = _Condition(event, expected_offset, outcome)
        if (instruction := self._ensure_sending()) is not None:
            yield instruction
        stored: bool = yield outcome
        return stored

    def unacknowledged(self) -> list[bytes]:
        """End this writer, and return the events that are not known to be stored.

        After `SegmentIsSealed` or `NoSuchSegment` these events are not stored.
        """
        self.end(self._failure or Finished("the writer was ended"))
        events = self._events.to_list()
        self._events.release(len(events))
        if (condition := self._condition) is not None:
            events.insert(0, condition.event)
            self._condition = None
        if (large := self._large) is not None:
            events.insert(0, large.event)
            self._large = None
        self.accepted = self.acknowledged
        return events

    def end(self, failure: JvmWireError) -> None:
        """Stop accepting and sending events; pending calls raise `failure`."""
        if self._failure is not None:
            return
        self._failure = failure
        waiting = [*(future for _, future in self._waiting), *self._capacity_waiters]
        if self._condition is not None:
            waiting.append(self._condition.outcome)
        for future in waiting:
            future.set_exception(copy.copy(failure))
        self._waiting.clear()
        self._capacity_waiters.clear()
        for waiter in self._close_waiters:
            waiter.set_result()
        if self._inbox is not None:
            self._inbox.end(failure)

    def _check(self) -> None:
        if self._failure is not None:
            raise copy.copy(self._failure)

    def _has_room(self) -> bool:
        return (
            self._events.size < self._max_bytes
            and self.accepted - self.acknowledged < self._max_events
        )

    def _acknowledgement(self, number: int) -> Future | None:
        """Return a future for the acknowledgement of an event; None if it is stored."""
        if number <= self.acknowledged:
            return None
        self._check()
        future, waiting = Future(), self._waiting
        if not waiting or waiting[-1][0] <= number:  # nearly always true
            waiting.append((number, future))
        else:
            insort(waiting, (number, future), key=itemgetter(0))
        return future

    def _ensure_sending(self) -> Spawn | Call | None:
        """Start sending if needed; return the instruction to yield for that, if any."""
        if not self._is_running:
            self._is_running = True
            return Spawn(self._run(), f"append to {self.segment}")
        inbox = self._inbox
        # Handling a queued message also checks for events to send.
        if inbox is None or inbox.messages or inbox.unreported_drops:
            return None
        if self._large is not None and not self._large.is_sent:
            inbox.push(_WAKEUP)
            return None
        if not self._may_send():
            return None
        connection = self._connection
        if connection is None or not connection.is_idle():
            inbox.push(_WAKEUP)
            return None
        # An idle connection takes the call at once, so it cannot be cancelled ahead of later
        # appends.
        call = Call(connection, Append(self._next_append()))
        if self._events.unsent:
            inbox.push(_WAKEUP)
        return call

    # Background task that sends events, as long as the client is open.

    def _run(self) -> Operation[None]:
        is_detached = False
        try:
            is_detached = yield from retry(_Appending(self), self._retry)
        except (
            Exception
        ) as error:  # not of the connection: most likely from the function that returns a token
            self.end(wrap_error(error, f"append to {self.segment}"))
        if not is_detached:
            yield from self._detach()
        self._is_running = False

    def append_until_lost(self) -> Operation[bool]:
        """Send events over one connection; return whether the writer has left it with none to send.

        Raises:
            TransportError: the connection was lost, with events to send.
            ServerError: the store refused the writer or an event.
        """
        if self._failure is not None:
            return False
        try:
            yield from self._run_connection()
        except (TransportError, ServerError) as error:
            self._link.failed(error)
            if isinstance(error, InvalidEventNumber):
                self._refused_after = max(self._sent_before, self.acknowledged)
            self._sent_before = max(self._sent_before, self._last_sent())
            if is_repeatable(error) and self.accepted == self.acknowledged:
                yield from self._detach()
                if self.accepted == self.acknowledged:
                    return True  # the next append connects again
            raise
        return False

    def _detach(self) -> Operation[None]:
        """Deregister this writer from a connection that is still open."""
        connection = self._connection
        if connection is not None and connection.alive:
            yield Listen(connection, self.writer_id.int, None)
            with suppress(JvmWireError):
                yield Call(connection, EndAppends(self.writer_id, self._request_id))

    def _run_connection(self) -> Operation[None]:
        """Send events over one connection until it is lost."""
        connection = self._connection = yield from self._link.connection()
        inbox: Mailbox = yield NewMailbox()
        listener = _AckListener(self, inbox)
        yield Listen(connection, self.writer_id.int, listener, close_with_connection=True)
        setup = SetupAppend(self.writer_id, self.segment)
        number: int = yield Call(connection, setup, self._request_id)
        if self._failure is not None:  # the writer was ended meanwhile
            return
        if self._base is None:
            # The number for a new writer is the minimum of a long.
            self._base = max(number, 0)
        self._check_sole(number)
        self._acknowledge(number)
        # Unacknowledged events did not arrive, or will be refused because of their number.
        self._events.rewind()
        if self._condition is not None:
            self._condition.is_sent = False
        if self._large is not None:
            self._large.is_sent = False
        self._inbox = inbox
        receive = Receive(inbox)
        try:
            while True:
                if self._large is not None:
                    yield from self._send_large(connection, self._large)
                while self._may_send():
                    yield Call(connection, Append(self._next_append()))
                try:
                    message = yield receive
                except ConditionalCheckFailed:
                    self._refuse()
                else:
                    if message is not _WAKEUP:
                        self.write_offset = message.write_offset
                        self._acknowledge(message.event_number)
        finally:
            self._inbox = None

    def _last_sent(self) -> int:
        """Return the number of the last event that was sent, acknowledged or not."""
        alone = self._condition or self._large
        if alone is not None:
            return self.acknowledged + alone.is_sent
        return self.accepted - self._events.unsent

    def _check_sole(self, number: int) -> None:
        """Raise an error if the store's last event of this writer was sent by another appender.

        After `InvalidEventNumber` the store can have events of earlier connections, but no others:
        those of the last connection that it accepted are acknowledged.

        Raises:
            LocalProtocolError: another appender has the same writer id.
        """
        assert self._base is not None  # noqa: S101 - the conversation began by it
        limit = self.accepted if self._refused_after is None else self._refused_after
        self._refused_after = None
        if number - self._base > limit:
            raise LocalProtocolError(
                f"another appender uses the writer id {self.writer_id}: the store has its event "
                f"{number - self._base} of {self.segment!r}, and this one sent {limit}; each "
                f"appender needs an id of its own"
            )

    def on_ack(self, inbox: Mailbox, acknowledged: PravegaDataAppended) -> None:
        """Handle an acknowledgement from the connection with this `inbox`."""
        if inbox is not self._inbox:  # the connection is being set up, or has ended
            inbox.push(acknowledged)
            return
        self.write_offset = acknowledged.write_offset
        try:
            self._acknowledge(acknowledged.event_number)
        except RemoteProtocolError as error:
            inbox.end(error)
        else:
            if self._may_send():
                inbox.push(_WAKEUP)

    def _may_send(self) -> bool:
        """Return whether a block is sent now: at once if none is in flight, or if it is large."""
        if self._failure is not None or self._large is not None:
            return False
        if self._condition is not None:
            return not self._condition.is_sent
        return self._events.is_due(BYTES_ON_THEIR_WAY)

    def _next_append(self) -> Buffer:
        assert self._base is not None  # noqa: S101 - the conversation began by it
        if (condition := self._condition) is None:
            last = self._base + self.accepted - self._events.unsent
            blocks, _ = self._events.next_blocks(self.writer_id, last, self._request_id)
            return blocks
        condition.is_sent = True
        fields = {
            "writer_id": self.writer_id,
            "event_number": self._base + self.acknowledged + 1,
            "expected_offset": condition.expected_offset,
            "event": condition.event,
            "request_id": self._request_id,
        }
        return CURRENT_DIALECT.encode("ConditionalAppend", fields)

    def _send_large(self, connection: Connection, large: _Large) -> Operation[None]:
        """Store a large event through a segment that is merged into this one: `LargeEventWriter`.

        The merge counts the event as one of this writer, on the condition that the event before it
        is the writer's last: so `SetupAppend` reports after a lost connection whether it was
        merged.
        """
        assert self._base is not None  # noqa: S101 - the conversation began by it
        large.is_sent = True
        last = self._base + self.acknowledged
        counted = {
            "attribute_id": self.writer_id,
            "attribute_update_type": REPLACE_IF_EQUALS,
            "new_value": last + 1,
            "old_value": last or NO_VALUE,
        }
        transient = ""
        try:
            made = CreateTransientSegment(uuid.uuid4(), self.segment)
            transient = yield Call(connection, made)
            yield from self._append_event(transient, large.event)
            yield Call(connection, MergeSegments(self.segment, transient, [counted]))
        except OutcomeUnknown as error:
            # The reply to the next `SetupAppend` reports the outcome.
            raise ConnectionLost(str(error)) from error
        except NoSuchSegment as error:
            if transient and error.segment == transient:
                raise ConnectionLost(f"the store has dropped {transient!r}: {error}") from error
            raise
        except ErrorMessage as error:
            raise ConnectionLost(f"{transient!r} was not merged: {error}") from error
        if self._failure is not None:
            return
        # The store's state of this writer on this connection predates the merge.
        setup = SetupAppend(self.writer_id, self.segment)
        number: int = yield Call(connection, setup, self._request_id)
        self._large = None
        # A store before version 0.11 does not count the event.
        self._base = max(number, 0) - self.acknowledged - 1
        self._resolve_up_to(self.acknowledged + 1)

    def _append_event(self, segment: str, event: bytes) -> Operation[None]:
        """Store an event with its header in a segment, in appends of at most 8 MiB."""
        filler = Writer(
            self._link,
            segment,
            writer_id=uuid.uuid4(),
            request_id=self._request_id + FILLER,
            max_bytes=self._max_bytes,
            max_events=self._max_events,
            retry=self._retry,
            raw_bytes=True,
        )
        try:
            yield from filler.enqueue(PravegaEvents.push, len(event).to_bytes(8))
            view = memoryview(event)
            for at in range(0, len(event), PRAVEGA_EVENT_LIMIT):
                piece = view[at : at + PRAVEGA_EVENT_LIMIT]
                yield from filler.enqueue(PravegaEvents.push, piece)
            yield from filler.await_acknowledgement(filler.accepted)
        finally:
            filler.end(Finished(f"{segment!r} is written"))

    def _acknowledge(self, number: int) -> None:
        """Handle the acknowledgement of all events up to a number of the store's count."""
        assert self._base is not None  # noqa: S101 - the conversation began by it
        count = number - self._base - self.acknowledged
        if count <= 0:
            return
        if (large := self._large) is not None and count == large.is_sent:
            # The event was merged over the previous connection.
            self._large = None
            self._resolve_up_to(number - self._base)
            return
        condition = self._condition
        beyond = self._events.acknowledge(count) if condition is None else count - condition.is_sent
        if beyond:
            raise RemoteProtocolError(
                f"event {number} of {self.writer_id} is acknowledged, {beyond} after the last"
            )
        if condition is not None:
            self._condition = None
            condition.outcome.set_result(STORED)
        self._resolve_up_to(number - self._base)

    def _resolve_up_to(self, number: int) -> None:
        """Resolve the futures for events up to a number of this writer, and those for room."""
        self.acknowledged = number
        waiting = self._waiting
        while waiting and waiting[0][0] <= number:
            waiting.popleft()[1].set_result()
        if self._capacity_waiters and self._has_room():
            for future in self._capacity_waiters:
                future.set_result()
            self._capacity_waiters.clear()

    def _refuse(self) -> None:
        """Handle the refusal of a conditional append, which is the only one in flight."""
        if (condition := self._condition) is not None:
            self._condition = None
            self._resolve_up_to(self.acknowledged + 1)
            condition.outcome.set_result(not STORED)


class _Appending(RetryStrategy[bool]):
    """Connections of a writer, one after the other; see `Writer.append_until_lost`."""

    errors = (TransportError, ServerError)

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._acknowledged = 0

    def attempt(self) -> Operation[bool]:
        self._acknowledged = self._writer.acknowledged
        return self._writer.append_until_lost()

    def judge(self, error: TransportError | ServerError) -> int:
        if not is_repeatable(error):
            raise error
        return 0

    def has_progressed(self) -> bool:
        return self._writer.acknowledged > self._acknowledged


def is_repeatable(error: TransportError | ServerError) -> bool:
    """Return whether events are sent again after `error`."""
    # InvalidEventNumber: an append over the previous connection was stored after all.
    return isinstance(error, TransportError | InvalidEventNumber) or error.retryable
