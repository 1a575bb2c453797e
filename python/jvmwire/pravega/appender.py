"""Appends to a segment, each stored once: for threads and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import PravegaEvents
from jvmwire.client import operation
from jvmwire.pravega.arguments import check_offset
from jvmwire.pravega.ending import AsyncEnding, Ending, SyncEnding
from jvmwire.pravega.writer import Writer

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire.codec.arrow import ArrowArray
    from jvmwire.operations import Operation

MAX_BYTES = 16 << 20
"""Bytes of events that an appender holds before it lets who appends wait. Ours."""
MAX_EVENTS = 1_000_000
"""Events that it holds. Ours."""


class _Appends(Ending[Writer]):
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
            ValueError: it is longer than 8 MiB.
        """
        return self._writer.take(PravegaEvents.push, event, stored=True)

    @operation
    def append_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Append a list or an Arrow array of `binary`; return the last number once it is stored."""
        return self._writer.take(PravegaEvents.push_all, events, stored=True)

    @operation
    def write(self, event: bytes) -> Operation[int]:
        """Take `event` and return its number: it is sent soon; `flush` waits until it is stored.

        Waits while the appender holds as much as it may.
        """
        return self._writer.take(PravegaEvents.push, event)

    @operation
    def write_all(self, events: list[bytes] | ArrowArray) -> Operation[int]:
        """Take a list, or an Arrow array of `binary`, whole; return the number of the last."""
        return self._writer.take(PravegaEvents.push_all, events)

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

    def _store(self) -> Operation[None]:
        yield from self._writer.await_acknowledgement(self._writer.accepted)


class Appender(_Appends, SyncEnding[Writer]):
    """Appends to one segment over its client's connection; threads may share it."""


class AsyncAppender(_Appends, AsyncEnding[Writer]):
    """The same, awaited; tasks may share it."""
