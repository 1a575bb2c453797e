"""Reader of a segment, which prefetches in order, and of a table, which reads page by page."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import PravegaEventSplitter
from jvmwire._runtime.operations import Emit, Join, Spawn
from jvmwire.errors import DecodeError, JvmWireError, LimitExceeded, RemoteProtocolError
from jvmwire.pravega._arguments import MAX_INT
from jvmwire.pravega._commands import GetStreamSegmentInfo, GetTableSegmentInfo, ReadSegment
from jvmwire.pravega.errors import SegmentIsSealed

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

    from jvmwire._core import Array
    from jvmwire._runtime.channel import FailoverChannel, RetryingChannel
    from jvmwire._runtime.operations import Operation, OperationStream, Task
    from jvmwire.pravega._commands import ReadTableEntries, ReadTableKeys
    from jvmwire.pravega._responses import SegmentInfo, SegmentRead, TableInfo, TablePage

PIECE = 1 << 20
"""Bytes per read request (chosen by jvmwire); a store returns at most 2 MiB."""
AHEAD = 4
"""Read requests in flight ahead of the first one that was not consumed (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Consecutive events of a segment, as Arrow arrays.

    Attributes:
        events: An array of type `binary`: the events without headers.
        offsets: An array of type `int64`: the offset in the segment at which each event begins.
        next_offset: The offset at which the event after them begins.
    """

    events: Array
    """An Arrow array of type `binary`: the events without headers."""
    offsets: Array
    """An Arrow array of type `int64`: the offset in the segment at which each event begins."""
    next_offset: int

    def __len__(self) -> int:
        return len(self.events)


def read_range(
    link: RetryingChannel[Any], segment: str, start: int, end: int
) -> Operation[list[memoryview]]:
    """Return the bytes between two offsets as chunks, with as many reads as are needed.

    The result is shorter if the segment ends between the offsets.
    """
    pieces = []
    while start < end:
        piece = yield from _piece(link, segment, start, end - start)
        if not piece.data:
            if piece.at_tail or piece.end_of_segment:
                break
            raise _unexpected_chunk(piece, segment, start, end - start)
        pieces.append(piece.data[: end - start])
        start += len(pieces[-1])
    return pieces


def _piece(
    link: RetryingChannel[Any], segment: str, offset: int, length: int
) -> Operation[SegmentRead[memoryview]]:
    piece: SegmentRead[memoryview] = yield from link.call(ReadSegment(segment, offset, length))
    if piece.offset != offset:
        raise _unexpected_chunk(piece, segment, offset, length)
    return piece


def _unexpected_chunk(
    piece: SegmentRead[memoryview], segment: str, offset: int, length: int
) -> RemoteProtocolError:
    return RemoteProtocolError(
        f"{len(piece.data)} bytes at offset {piece.offset} of {segment!r}, "
        f"where {length} at {offset} were asked for"
    )


class EventParser:
    """Incremental parser of the events in a segment's bytes."""

    def __init__(self, segment: str, offset: int, max_event: int) -> None:
        self._segment = segment
        self._max_event = max_event
        self._cutter = PravegaEventSplitter(offset, limit=max_event)

    @property
    def offset(self) -> int:
        """The offset at which the next event begins."""
        return self._cutter.offset

    def events(self, data: memoryview) -> list[bytes]:
        """Return the events completed by `data`, as byte strings."""
        try:
            return self._cutter.feed_list(data)
        except DecodeError as error:
            raise self._size_error(error) from error

    def batch(self, data: memoryview) -> EventBatch:
        """Return the events completed by `data`, as Arrow arrays."""
        try:
            events, offsets = self._cutter.feed(data)
        except DecodeError as error:
            raise self._size_error(error) from error
        return EventBatch(events, offsets, self._cutter.offset)

    def check(self) -> None:
        """Raise the error at the position after the events that were returned last, if any.

        Raises:
            LimitExceeded: the next event is larger than `max_event`.
            RemoteProtocolError: no event begins there.
        """
        try:
            self._cutter.check()
        except DecodeError as error:
            raise self._size_error(error) from error

    def _size_error(self, error: DecodeError) -> LimitExceeded | RemoteProtocolError:
        size = error.value
        if error.what == "frame length" and size is not None and self._max_event < size <= MAX_INT:
            return LimitExceeded(
                f"the event at offset {self.offset} of {self._segment!r} has {size} bytes, and the "
                f"option max_event allows {self._max_event}"
            )
        return RemoteProtocolError(f"{self._segment!r} does not hold events: {error}")


def emit_mapped(
    convert: Callable[[memoryview], Sized], check: Callable[[], None] = lambda: None
) -> Callable[[memoryview], OperationStream[object]]:
    """Return a generator function that emits `convert(data)` for each chunk, unless it is empty.

    `check` is called after the converted chunk was emitted.
    """

    def give(data: memoryview) -> OperationStream[object]:
        if data:
            if converted := convert(data):
                yield Emit(converted)
            check()

    return give


def read_chunks(
    link: RetryingChannel[Any],
    segment: str,
    offset: int,
    *,
    handler: Callable[[memoryview], OperationStream[object]],
    end: int | None = None,
    follow: bool = False,
) -> OperationStream[object]:
    """Pass the bytes from `offset` to `end` to `handler`; by default to the segment's present end.

    Bytes that do not exist yet are waited for. With `follow` reading continues with later bytes
    until the segment is sealed; while none arrive, `b""` is passed from time to time, so that the
    handler can stop.
    """
    if end is None:
        info: SegmentInfo = yield from link.call(GetStreamSegmentInfo(segment))
        end = info.write_offset
    ahead: deque[tuple[Task, int]] = deque()
    start = offset
    while start < end or ahead:
        while len(ahead) < AHEAD and start < end:
            stop = min(start + PIECE, end)
            reading = _whole(read_range(link, segment, start, stop))
            ahead.append(((yield Spawn(reading, f"read {segment} at {start}")), stop))
            start = stop
        task, stop = ahead.popleft()
        found = yield Join(task)
        if isinstance(found, JvmWireError):
            raise found
        for piece in found:
            offset += len(piece)
            yield from handler(piece)
        if offset < stop:
            # The tail is reached: there is nothing to prefetch.
            break
    while follow or offset < end:
        length = PIECE if follow else min(PIECE, end - offset)
        try:
            piece = yield from _piece(link, segment, offset, length)
        except SegmentIsSealed:
            if offset < end:
                raise
            return
        # A store that has no bytes for a minute returns an empty chunk.
        data = piece.data[:length]
        offset += len(data)
        yield from handler(data)
        if piece.end_of_segment:
            if offset < end:
                raise SegmentIsSealed(f"{segment!r} is sealed at {offset}, before {end}")
            return


def pages(
    link: FailoverChannel,
    kind: type[ReadTableKeys | ReadTableEntries],
    table: str,
    *,
    start: bytes,
    end: bytes,
    count: int,
) -> OperationStream[object]:
    """Emit the keys or entries of a table, requested in pages of `count`."""
    info: TableInfo = yield from link.call(GetTableSegmentInfo(table))
    token = b""
    while True:
        page: TablePage[Any] = yield from link.call(kind(table, count, token, start, end))
        for item in page.items:
            yield Emit(item)
        if not page.items or not page.continuation_token:
            return
        if not info.key_length:
            token = page.continuation_token
            continue
        # A table with fixed-length keys is continued by the next key, not by a token.
        last = int.from_bytes(page.items[-1].key, "big")
        if last + 1 == 1 << 8 * info.key_length:
            return
        start = (last + 1).to_bytes(info.key_length, "big")
        if end and start > end:
            return


def _whole(reading: Operation[list[memoryview]]) -> Operation[list[memoryview] | JvmWireError]:
    """Return an error instead of raising it, since perhaps no task joins this one."""
    try:
        return (yield from reading)
    except JvmWireError as error:
        return error
