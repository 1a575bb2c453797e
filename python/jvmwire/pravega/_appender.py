"""Appender of events to one segment, with exactly-once semantics, for threads and for asyncio."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from jvmwire._core import PRAVEGA_EVENT_LIMIT, PRAVEGA_LARGE_EVENT_LIMIT, PravegaEvents
from jvmwire._runtime.client import operation
from jvmwire.pravega._arguments import check_bytes, check_offset
from jvmwire.pravega._closing import AsyncClosableWriter, ClosableWriter, SyncClosableWriter
from jvmwire.pravega._writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from jvmwire._runtime.operations import Operation
    from jvmwire.codec._arrow import ArrowArray

MAX_BYTES = 16 << 20
"""Bytes of events that an appender buffers before its callers block (chosen by jvmwire)."""
MAX_EVENTS = 1_000_000
"""Events that an appender buffers before its callers block (chosen by jvmwire)."""
MAX_EVENT = PRAVEGA_LARGE_EVENT_LIMIT
"""Bytes of the largest event, unless the option `max_event` sets another limit (chosen by
jvmwire).
"""


def is_large(event: bytes) -> bool:
    """Return whether an event is too large for a single append."""
    return len(event) > PRAVEGA_EVENT_LIMIT


def check_sizes(
    events: list[bytes], max_event: int, allowed_by: str = "the option max_event allows"
) -> None:
    """Raise a `ValueError` if an event is longer than `max_event`, before any event is accepted.

    Raises:
        TypeError: `events` is not a list of bytes; of a list of text only the first use is
            certain to be noticed here.
    """
    try:
        longest = max(map(len, events), default=0)
    except TypeError as error:
        raise TypeError(f"events must be a list of bytes: {error}") from None
    if longest > max_event:
        at, size = next((at, len(each)) for at, each in enumerate(events) if len(each) > max_event)
        raise ValueError(f"value {at}: {size} bytes do not fit where {allowed_by} {max_event}")


def runs(events: list[bytes]) -> Iterator[list[bytes]]:
    """Yield events in order, in runs: each large event alone, the events between them together."""
    for large, run in groupby(events, is_large):
        if large:
            yield from ([event] for event in run)
        else:
            yield list(run)


class _AppenderMethods(ClosableWriter[Writer]):
    _noun = "appender"

    @property
    def writer_id(self) -> UUID:
        """The UUID by which the store identifies this appender."""
        return self._writer.writer_id

    @property
    def segment(self) -> str:
        """The name of the segment."""
        return self._writer.segment

    @operation
    def append(self, event: bytes) -> Operation[int]:
        """Append an event, and return once it is stored.

        Args:
            event: The event's bytes, without a header.

        Returns:
            The number of the event among those of this appender, counted from 1.

        Raises:
            SegmentIsSealed: the segment accepts no more appends. Events that are not acknowledged
                are not stored; `unacknowledged` returns them.
            ValueError: the event is longer than the option `max_event`.
        """
        check_bytes("event", event)
        if is_large(event):
            return self._enqueue_large([event], stored=True)
        return self._writer.enqueue(PravegaEvents.push, event, wait_until_stored=True)

    @operation
    def append_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Append a list or an Arrow array of events, and return once all are stored.

        Args:
            events: A list of byte strings, or an Arrow array of type `binary`.

        Returns:
            The number of the last event among those of this appender, counted from 1.

        Raises:
            SegmentIsSealed: as for `append`.
            ValueError: an event of a list is longer than the option `max_event`, or an event of an
                Arrow array is longer than 8 MiB.
        """
        return self._enqueue(events, stored=True)

    @operation
    def write(self, event: bytes) -> Operation[int]:
        """Enqueue an event without waiting until it is stored.

        The event is sent soon; `flush` waits until it is stored. The call waits while the buffer of
        the appender is full. An event of more than 8 MiB is stored by itself: it waits until all
        events before it are stored, and the events after it are sent once it is stored.

        Args:
            event: The event's bytes, without a header.

        Returns:
            The number of the event among those of this appender, counted from 1.

        Raises:
            SegmentIsSealed: the segment accepts no more appends.
            ValueError: the event is longer than the option `max_event`.
        """
        check_bytes("event", event)
        if is_large(event):
            return self._enqueue_large([event])
        return self._writer.enqueue(PravegaEvents.push, event)

    @operation
    def write_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Enqueue a list or an Arrow array of events without waiting until they are stored.

        Args:
            events: A list of byte strings, or an Arrow array of type `binary`.

        Returns:
            The number of the last event among those of this appender, counted from 1.

        Raises:
            SegmentIsSealed: the segment accepts no more appends.
            ValueError: an event of a list is longer than the option `max_event`, or an event of an
                Arrow array is longer than 8 MiB.
        """
        return self._enqueue(events)

    @operation
    def flush(self) -> Operation[int]:
        """Wait until all events that were enqueued so far are stored.

        Returns:
            The number of the last event, counted from 1; 0 if there was none.
        """
        number = self._writer.accepted
        yield from self._writer.await_acknowledgement(number)
        return number

    @operation
    def append_if(self, event: bytes, expected_offset: int) -> Operation[bool]:
        """Append an event if the segment ends at `expected_offset`.

        Events that were enqueued before are stored first. The result is also correct after a lost
        connection: the store reports on reconnection whether it has the event.

        Args:
            event: The event's bytes, without a header; at most 8 MiB.
            expected_offset: The offset in bytes at which the segment must end.

        Returns:
            Whether the event was appended.

        Raises:
            ValueError: the event is longer than 8 MiB.
        """
        check_bytes("event", event)
        expected_offset = check_offset("expected_offset", expected_offset)
        return (yield from self._writer.append_if(event, expected_offset))

    @operation
    def unacknowledged(self) -> Operation[list[bytes]]:
        """Close the appender to further events, and take back the events not known to be stored.

        Returns:
            Those events, in order.
        """
        yield from ()
        return self._writer.unacknowledged()

    def _enqueue(self, events: list[bytes] | ArrowArray, *, stored: bool = False) -> Operation[int]:
        try:
            return (
                yield from self._writer.enqueue(
                    PravegaEvents.push_all, events, wait_until_stored=stored
                )
            )
        except TypeError as error:  # no event was accepted
            raise TypeError(f"events must be a list of bytes or an Arrow array: {error}") from None
        except ValueError:  # no event was accepted
            if not (isinstance(events, list) and any(map(is_large, events))):
                raise
        return (yield from self._enqueue_large(events, stored=stored))

    def _enqueue_large(self, events: list[bytes], *, stored: bool = False) -> Operation[int]:
        """Enqueue events, some of which are large."""
        check_sizes(events, self._writer.max_event)
        number = self._writer.accepted
        for run in runs(events):
            if is_large(run[0]):
                number = yield from self._writer.take_large(run[0])
            else:
                number = yield from self._writer.enqueue(PravegaEvents.push_all, run)
        if stored:
            yield from self._writer.await_acknowledgement(number)
        return number

    def _store(self) -> Operation[None]:
        yield from self._writer.await_acknowledgement(self._writer.accepted)


class Appender(_AppenderMethods, SyncClosableWriter[Writer]):
    """Appender of events to one segment over its client's connection; thread-safe.

    As a context manager it waits at the end of the block until all events are stored; after an
    exception it ends at once.
    """


class AsyncAppender(_AppenderMethods, AsyncClosableWriter[Writer]):
    """Asyncio counterpart of `Appender`; tasks may share it.

    As an asynchronous context manager it waits at the end of the block until all events are stored;
    after an exception it ends at once.
    """
