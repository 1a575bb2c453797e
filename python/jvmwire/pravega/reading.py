"""A segment, read ahead and in order; a table, page by page."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError, RemoteProtocolError
from jvmwire.operations import Emit, Join, Spawn
from jvmwire.pravega.commands import GetStreamSegmentInfo, GetTableSegmentInfo, ReadSegment
from jvmwire.pravega.errors import SegmentIsSealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import Array
    from jvmwire.drivers.task import Task
    from jvmwire.link import Link
    from jvmwire.operations import Emission, Operation
    from jvmwire.pravega.commands import ReadTableEntries, ReadTableKeys
    from jvmwire.pravega.results import SegmentInfo, SegmentPiece, TableInfo, TablePage

PIECE = 1 << 20
"""Bytes asked for at once; a store gives 2 MiB at most. Ours."""
AHEAD = 4
"""Pieces asked for before the first of them was taken. Ours."""


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events that stand one behind the other in a segment."""

    events: Array
    """Arrow's `binary`: what was appended, without headers."""
    offsets: Array
    """Arrow's `int64`: where each begins in the segment."""
    next_offset: int
    """Where the event behind them begins."""


def read_range(link: Link, segment: str, start: int, end: int) -> Operation[list[bytes]]:
    """Return what stands between two offsets, as pieces, however many reads it takes."""
    pieces = []
    while start < end:
        piece: SegmentPiece = yield from link.call(ReadSegment(segment, start, end - start))
        if piece.offset != start or not piece.data:
            raise RemoteProtocolError(
                f"{len(piece.data)} bytes at offset {piece.offset} of {segment!r}, "
                f"where {end - start} at {start} were asked for"
            )
        pieces.append(piece.data[: end - start])
        start += len(pieces[-1])
    return pieces


def pieces(
    link: Link,
    segment: str,
    offset: int,
    *,
    follow: bool,
    take: Callable[[bytes], object],
) -> Emission[object]:
    """Emit what `take` makes of the bytes from `offset` on, to the end or while more come."""
    info: SegmentInfo = yield from link.call(GetStreamSegmentInfo(segment))
    end = info.write_offset
    ahead: deque[Task] = deque()
    start = offset
    while start < end or ahead:
        while len(ahead) < AHEAD and start < end:
            stop = min(start + PIECE, end)
            reading = _whole(read_range(link, segment, start, stop))
            ahead.append((yield Spawn(reading, f"read {segment} at {start}")))
            start = stop
        found = yield Join(ahead.popleft())
        if isinstance(found, JvmWireError):
            raise found
        for piece in found:
            yield Emit(take(piece))
    while follow:
        try:
            piece = yield from link.call(ReadSegment(segment, start, PIECE))
        except SegmentIsSealed:
            return
        # A store that has nothing for a minute says so by an empty piece.
        if piece.data:
            start += len(piece.data)
            yield Emit(take(piece.data))
        if piece.end_of_segment:
            return


def pages(
    link: Link,
    kind: type[ReadTableKeys | ReadTableEntries],
    table: str,
    *,
    start: bytes,
    end: bytes,
    count: int,
) -> Emission[object]:
    """Emit what is in a table, `count` asked for at once."""
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
        # A table with keys of one length takes no token, but the first key that is wanted.
        last = int.from_bytes(page.items[-1].key, "big")
        if last + 1 == 1 << 8 * info.key_length:
            return
        start = (last + 1).to_bytes(info.key_length, "big")
        if end and start > end:
            return


def _whole(reading: Operation[list[bytes]]) -> Operation[list[bytes] | JvmWireError]:
    """Tell an error to whoever comes for the result: perhaps nobody does."""
    try:
        return (yield from reading)
    except JvmWireError as error:
        return error
