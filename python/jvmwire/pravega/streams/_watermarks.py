"""Watermarks: bounds of the times that writers noted, each at a position of a stream.

Writers note times at the controller, which appends watermarks to a revisioned stream besides the
stream itself. A reader compares its group's position to them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import DecodeError
from jvmwire.pravega.errors import SegmentIsTruncated
from jvmwire.pravega.streams._position import AT_END
from jvmwire.pravega.streams._stream_cut import StreamCut
from jvmwire.pravega.streams._versioned import DOUBLE, LONG, Inline, ListOf, PairOf, RecordFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmwire._runtime.operations import Operation
    from jvmwire.pravega.streams._group_state import Range
    from jvmwire.pravega.streams._revisioned import RevisionedEntry, RevisionedSegment

MARK_PREFIX: Final = "_MARK"
"""The stream of a stream's watermarks is named after it: `NameUtils.getMarkStreamForStream`."""
PIECE: Final = 64 << 10
"""Bytes of watermarks that are read at a time (chosen by jvmwire)."""

_SEGMENT = RecordFormat(((("segment_id", LONG), ("low", DOUBLE), ("high", DOUBLE)),))
WATERMARK: Final = RecordFormat(
    ((("lower", LONG), ("upper", LONG), ("cut", ListOf(PairOf(Inline(_SEGMENT), LONG)))),)
)
"""`io.pravega.shared.watermarks.Watermark`."""

Place = tuple[int, "Range", int]
"""A segment's id, its range of routing positions (None if unknown), and an offset in it."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """Bounds of the times that writers noted near a reader's position.

    Attributes:
        lower: A time at or below those of the events that follow, None near the head of the stream.
        upper: A time at or above all that were noted up to here, None near the tail of the stream.
    """

    lower: int | None
    upper: int | None


@dataclass(frozen=True, slots=True)
class Watermark:
    """Bounds of the times that the writers of a stream had noted when they had reached a cut.

    Attributes:
        lower: The earliest of the times that were noted last by each writer.
        upper: The latest of these times.
        cut: A stream cut at or after the positions of all writers.
    """

    lower: int
    upper: int
    cut: StreamCut
    _ranges: Mapping[int, Range] = field(default_factory=dict, compare=False)

    @classmethod
    def decode(cls, stream: str, data: bytes) -> Watermark:
        """Decode the entry of a stream's watermarks.

        Args:
            stream: The scoped name of the stream.
            data: The entry of its revisioned stream of watermarks.

        Returns:
            The watermark.

        Raises:
            DecodeError: the entry is malformed.
        """
        found: dict[str, Any] = WATERMARK.decode(data)
        positions: dict[int, int] = {}
        ranges: dict[int, Range] = {}
        for segment, offset in found["cut"]:
            positions[segment["segment_id"]] = offset
            ranges[segment["segment_id"]] = segment["low"], segment["high"]
        try:
            cut = StreamCut(stream, positions)
        except ValueError as error:
            raise DecodeError(f"a watermark of {stream!r}: {error}") from error
        return cls(found["lower"], found["upper"], cut, MappingProxyType(ranges))

    def compare(self, places: Iterable[Place]) -> int:
        """Compare a position with this watermark.

        Args:
            places: The segments of the position: number, range of keys and offset of each.

        Returns:
            1 if the position is at or after the watermark, -1 if it is before it, 0 if it is
            before it in some segments and after it in others.
        """
        places = list(places)
        exact = {segment_id for segment_id, _, _ in places} & self.cut.positions.keys()
        is_before = is_after = False
        for segment_id, among, offset in places:
            here = segment_id, _order(offset)
            others = [segment_id] if segment_id in exact else self._overlapping(among, exact)
            for other in others:
                there = other, _order(self.cut.positions[other])
                is_before |= here < there
                is_after |= here > there
        if is_before:
            return 0 if is_after else -1
        return 1

    def _overlapping(self, among: Range, exact: set[int]) -> list[int]:
        return [
            segment_id
            for segment_id, known in self._ranges.items()
            if segment_id not in exact and _overlap(among, known)
        ]


def _order(offset: int) -> float:
    return float("inf") if offset == AT_END else offset


def _overlap(one: Range, other: Range) -> bool:
    return one is None or other is None or (one[0] < other[1] and other[0] < one[1])


class TimeTracker:
    """The time window of a position that moves forward: `WatermarkReaderImpl`."""

    def __init__(self, stream: str, marks: RevisionedSegment) -> None:
        self._stream = stream
        self._marks = marks
        self._lower: int | None = None
        """The lower bound of the last watermark that was passed."""
        self._ahead: deque[Watermark] = deque()
        """Watermarks that were read and not passed; only the last may be entirely ahead."""
        self._read: deque[Watermark] = deque()
        self._revision: int | None = None

    def advance(self, places: list[Place]) -> Operation[TimeWindow]:
        """Return the time window at a position."""
        while self._ahead and self._ahead[0].compare(places) > 0:
            self._lower = self._ahead.popleft().lower
        while not self._ahead or self._ahead[-1].compare(places) >= 0:
            mark = yield from self._next()
            if mark is None:
                break
            if mark.compare(places) > 0:
                self._lower = mark.lower
            else:
                self._ahead.append(mark)
        return TimeWindow(self._lower, self._ahead[-1].upper if self._ahead else None)

    def _next(self) -> Operation[Watermark | None]:
        """Return the next watermark, None if there is no other yet."""
        size = PIECE
        while not self._read:
            info = yield from self._marks.info()
            start = max(info.start_offset, self._revision or 0)
            if start >= info.write_offset:
                return None
            try:
                yield from self._marks.scan(start, self._take, min(start + size, info.write_offset))
            except SegmentIsTruncated:
                continue
            size *= 2  # an entry may be longer than a piece
        return self._read.popleft()

    def _take(self, entry: RevisionedEntry) -> None:
        self._revision = entry.revision
        self._read.append(Watermark.decode(self._stream, entry.data))


def mark_stream(stream: str) -> str:
    """Return the stream that holds the watermarks of a stream."""
    scope, _, name = stream.partition("/")
    return f"{scope}/{MARK_PREFIX}{name}"
