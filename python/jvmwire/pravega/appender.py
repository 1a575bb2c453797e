"""Appends to a segment, each stored once: for threads and for asyncio."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from jvmwire._core import PRAVEGA_EVENT_LIMIT, PRAVEGA_LARGE_EVENT_LIMIT, PravegaEvents
from jvmwire._runtime.client import operation
from jvmwire.pravega.arguments import check_offset
from jvmwire.pravega.closing import AsyncEnding, ClosableWriter, SyncClosableWriter
from jvmwire.pravega.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from jvmwire._runtime.operations import Operation
    from jvmwire.codec.arrow import ArrowArray

MAX_BYTES = 16 << 20
"""Bytes of events that an appender holds before it lets who appends wait. Ours."""
MAX_EVENTS = 1_000_000
"""Events that it holds. Ours."""
MAX_EVENT = PRAVEGA_LARGE_EVENT_LIMIT
"""Bytes of the largest event, unless the option `max_event` says otherwise. Ours."""


def is_large(event: bytes) -> bool:
    """Return whether an event is too large for an append."""
    return len(event) > PRAVEGA_EVENT_LIMIT


def check_sizes(
    events: list[bytes], max_event: int, whose: str = "the option max_event allows"
) -> None:
    """Raise a `ValueError` if an event is longer than `max_event`, before any is taken."""
    if max(map(len, events), default=0) > max_event:
        at, size = next((at, len(each)) for at, each in enumerate(events) if len(each) > max_event)
        raise ValueError(f"value {at}: {size} bytes do not fit where {whose} {max_event}")


def runs(events: list[bytes]) -> Iterator[list[bytes]]:
    """Yield events in their order: each large one alone, those between them together."""
    for large, run in groupby(events, is_large):
        if large:
            yield from ([event] for event in run)
        else:
            yield list(run)


class _Appends(ClosableWriter[Writer]):
    _noun = "appender"

    @property
    def writer_id(self) -> UUID:
        """By what the store knows this appender."""
        return self._writer.writer_id

    @property
    def segment(self) -> str:
        """What it appends to."""
        return self._writer.segment

    @operation
    def append(self, event: bytes) -> Operation[int]:
        """Append `event`; return its number once it is stored.

        Raises:
            SegmentIsSealed: what is not acknowledged is not stored; `unacknowledged` has it.
            ValueError: it is longer than the option `max_event`.
        """
        if is_large(event):
            return self._enqueue_large([event], stored=True)
        return self._writer.enqueue(PravegaEvents.push, event, wait_until_stored=True)

    @operation
    def append_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Append a list or an Arrow array of `binary`; return the last number once it is stored.

        Raises:
            ValueError: one is longer than the option `max_event`; of an Arrow array, than 8 MiB.
        """
        return self._enqueue(events, stored=True)

    @operation
    def write(self, event: bytes) -> Operation[int]:
        """Take `event` and return its number: it is sent soon; `flush` waits until it is stored.

        Waits while the appender holds as much as it may. An event of more than 8 MiB also waits
        until all before it is stored, and those after it are sent once it is stored.
        """
        if is_large(event):
            return self._enqueue_large([event])
        return self._writer.enqueue(PravegaEvents.push, event)

    @operation
    def write_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Take a list, or an Arrow array of `binary`; return the number of the last."""
        return self._enqueue(events)

    @operation
    def flush(self) -> Operation[int]:
        """Return once all that was taken so far is stored; the number of the last event."""
        number = self._writer.accepted
        yield from self._writer.await_acknowledgement(number)
        return number

    @operation
    def append_if(self, event: bytes, expected_offset: int) -> Operation[bool]:
        """Append `event` if the segment ends at `expected_offset`; return whether it did.

        What was taken before is stored first. After a lost connection the answer is still true:
        the store says whether it has the event.

        Raises:
            ValueError: it is longer than 8 MiB.
        """
        expected_offset = check_offset("expected_offset", expected_offset)
        return (yield from self._writer.append_if(event, expected_offset))

    @operation
    def unacknowledged(self) -> Operation[list[bytes]]:
        """Take back, in order, what is not known to be stored; the appender takes nothing more."""
        yield from ()
        return self._writer.unacknowledged()

    def _enqueue(self, events: list[bytes] | ArrowArray, *, stored: bool = False) -> Operation[int]:
        try:
            return (
                yield from self._writer.enqueue(
                    PravegaEvents.push_all, events, wait_until_stored=stored
                )
            )
        except ValueError:  # none was taken
            if not (isinstance(events, list) and any(map(is_large, events))):
                raise
        return (yield from self._enqueue_large(events, stored=stored))

    def _enqueue_large(self, events: list[bytes], *, stored: bool = False) -> Operation[int]:
        """Take events of which some are large."""
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


class Appender(_Appends, SyncClosableWriter[Writer]):
    """Appends to one segment over its client's connection; threads may share it."""


class AsyncAppender(_Appends, AsyncEnding[Writer]):
    """The same, awaited; tasks may share it."""
