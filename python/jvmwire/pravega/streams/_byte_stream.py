"""Byte streams: bytes without event boundaries, in a stream that has one segment at a time.

A stream that was scaled one to one continues in the only successor of its segment. An offset counts
bytes from the beginning of the segment that is the stream's first when it is looked up: that is
Java's offset for a stream that was never scaled, and it stays the same until a truncation removes
that whole segment.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from jvmwire._checks import check_range
from jvmwire._core import PRAVEGA_EVENT_LIMIT
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
)
from jvmwire.errors import ConfigError
from jvmwire.pravega._arguments import MAX_INT, check_bytes, check_offset
from jvmwire.pravega._closing import AsyncClosableWriter, ClosableWriter, SyncClosableWriter
from jvmwire.pravega._segment_reader import read_range
from jvmwire.pravega.streams._names import segment_name
from jvmwire.pravega.streams._stream_cut import StreamCut
from jvmwire.pravega.streams._writer import StreamWriter
from jvmwire.pravega.streams.errors import SEALED, StreamIsSealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jvmwire._runtime.operations import Operation
    from jvmwire.pravega._responses import SegmentInfo
    from jvmwire.pravega.streams._store_locator import SegmentLine

T = TypeVar("T")

ANYWHERE = 0.0
"""The routing position of all bytes: the only segment covers every key."""


def only(stream: str, segments: Iterable[T]) -> T:
    """Return the only segment of a byte stream.

    Raises:
        ConfigError: there are several segments, or none.
    """
    found = list(segments)
    if len(found) != 1:
        raise ConfigError(f"{stream!r} has {len(found)} segments: a stream of bytes has one")
    return found[0]


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """One segment of a byte stream, and the range of stream offsets that it holds."""

    segment_id: int
    base: int
    """The offset in the stream of the segment's offset 0."""
    info: SegmentInfo

    @property
    def end(self) -> int:
        """The offset in the stream after the segment's last byte."""
        return self.base + self.info.write_offset


@dataclass(frozen=True, slots=True)
class ByteSegments:
    """The segments of one byte stream, looked up at the controller and at the stores."""

    stream: str
    head: Callable[[], Operation[StreamCut]]
    info: Callable[[int], Operation[SegmentInfo]]
    successors: Callable[[int], Operation[Iterable[int]]]
    """Returns the ids of the segments after one; none if it is open, or if the stream is sealed."""
    line: Callable[[int], SegmentLine]
    truncate: Callable[[StreamCut], Operation[None]]

    def first(self) -> Operation[ByteSpan]:
        """Return the segment with the first byte that was not truncated."""
        head = yield from self.head()
        segment_id = only(self.stream, head.positions)
        return ByteSpan(segment_id, 0, (yield from self.info(segment_id)))

    def after(self, span: ByteSpan) -> Operation[ByteSpan | None]:
        """Return the segment after one, None if there is none (yet).

        Raises:
            ConfigError: there are several.
        """
        if not span.info.is_sealed:
            return None
        found = list((yield from self.successors(span.segment_id)))
        if not found:
            return None
        segment_id = only(self.stream, found)
        return ByteSpan(segment_id, span.end, (yield from self.info(segment_id)))

    def last(self) -> Operation[ByteSpan]:
        """Return the segment that accepts bytes, or accepted them last."""
        span = yield from self.first()
        while (following := (yield from self.after(span))) is not None:
            span = following
        return span

    def find(self, offset: int) -> Operation[ByteSpan]:
        """Return the segment that holds the byte at `offset`, or will hold it.

        Raises:
            ValueError: the stream ends before `offset`.
        """
        span = yield from self.first()
        while offset >= span.end and (following := (yield from self.after(span))) is not None:
            span = following
        if offset > span.end:
            raise ValueError(f"offset {offset} is after the end of {self.stream!r}, {span.end}")
        return span


class _OffsetMethods:
    """Calls for the first and the last offset of a byte stream."""

    _segments: ByteSegments

    @operation
    def head_offset(self) -> Operation[int]:
        """Fetch the offset of the first byte that was not truncated.

        Returns:
            The offset in bytes.
        """
        span = yield from self._segments.first()
        return span.info.start_offset

    @operation
    def tail_offset(self) -> Operation[int]:
        """Fetch the offset at which the next byte will be stored.

        Returns:
            The offset in bytes.
        """
        span = yield from self._segments.last()
        return span.end


class _ByteWriterMethods(_OffsetMethods, ClosableWriter[StreamWriter]):
    def __init__(self, client: Caller, writer: StreamWriter, segments: ByteSegments) -> None:
        super().__init__(client, writer)
        self._segments = segments

    @operation
    def write(self, data: bytes) -> Operation[None]:
        """Enqueue bytes without waiting until they are stored.

        The bytes are sent soon; `flush` waits until they are stored. The call waits while the
        writer's buffer is full. After the stream was scaled one to one, bytes go to the successor
        of its segment.

        Args:
            data: The bytes, of any number.

        Raises:
            StreamIsSealed: the stream accepts no more bytes.
            ConfigError: the stream's segment was split: a byte stream has one segment.
        """
        check_bytes("data", data)
        view = memoryview(data).cast("B")
        with _telling(self._segments.stream):
            for at in range(0, len(view), PRAVEGA_EVENT_LIMIT):
                piece = view[at : at + PRAVEGA_EVENT_LIMIT].tobytes()
                yield from self._writer.enqueue([piece], [ANYWHERE])

    @operation
    def flush(self) -> Operation[None]:
        """Wait until all bytes that were enqueued so far are stored."""
        yield from self._store()

    @operation
    def truncate(self, offset: int) -> Operation[None]:
        """Drop the bytes before `offset`; offsets within the same segment do not change.

        Args:
            offset: The offset at which the stream will begin.

        Raises:
            ValueError: the stream ends before `offset`.
        """
        span = yield from self._segments.find(check_offset("offset", offset))
        cut = StreamCut(self._segments.stream, {span.segment_id: offset - span.base})
        yield from self._segments.truncate(cut)

    def _store(self) -> Operation[None]:
        with _telling(self._segments.stream):
            yield from self._writer.flush()


@contextmanager
def _telling(stream: str) -> Iterator[None]:
    """Convert the error of a sealed segment to that of the stream."""
    try:
        yield
    except SEALED as error:
        raise StreamIsSealed(f"{stream!r} is sealed") from error


class ByteWriter(_ByteWriterMethods, SyncClosableWriter[StreamWriter]):
    """Writer of bytes to one stream; thread-safe.

    As a context manager it waits at the end of the block until all bytes are stored; after an
    exception it ends at once.
    """


class AsyncByteWriter(_ByteWriterMethods, AsyncClosableWriter[StreamWriter]):
    """Asyncio counterpart of `ByteWriter`; tasks may share it.

    As an asynchronous context manager it waits at the end of the block until all bytes are stored;
    after an exception it ends at once.
    """


class _ByteReaderMethods(_OffsetMethods, Resource):
    _offset: int | None = None
    """The offset of the next read; None is the head, which is not looked up yet."""
    _span: ByteSpan | None = None
    """The segment that holds this offset."""

    def __init__(self, client: Caller, segments: ByteSegments) -> None:
        super().__init__(client)
        self._segments = segments

    @operation
    def read(self, size: int) -> Operation[bytes]:
        """Read up to `size` bytes and advance the offset.

        At the end of the stream the call returns `b""`; use `StreamClient.read_bytes` with `follow`
        to wait for later bytes.

        Args:
            size: The maximum number of bytes.

        Returns:
            The bytes, `b""` at the end of the stored bytes.

        Raises:
            SegmentIsTruncated: the bytes were truncated; `start_offset` is the first offset that
                can be read.
        """
        size = check_range("size", size, 0, MAX_INT)
        span = yield from self._locate()
        assert self._offset is not None  # noqa: S101 - it was located
        start = self._offset - span.base
        stop = min(start + size, span.info.write_offset)
        line = self._segments.line(span.segment_id)
        name = segment_name(self._segments.stream, span.segment_id)
        pieces = yield from read_range(line, name, start, stop)
        data = b"".join(pieces)
        self._offset += len(data)
        return data

    @operation
    def seek(self, offset: int) -> Operation[None]:
        """Set the offset of the next read.

        Args:
            offset: The offset in bytes.

        Raises:
            ValueError: the stream ends before `offset`.
        """
        self._span = yield from self._segments.find(check_offset("offset", offset))
        self._offset = offset

    @operation
    def tell(self) -> Operation[int]:
        """Return the offset of the next read.

        Returns:
            The offset in bytes.
        """
        if self._offset is None:
            yield from self._locate()
            assert self._offset is not None  # noqa: S101 - it was located
        return self._offset

    def _locate(self) -> Operation[ByteSpan]:
        """Return the segment of the next byte; refresh its end once all known bytes are read."""
        span = self._span
        if span is None or self._offset is None:
            span = yield from self._segments.first()
            self._offset = span.info.start_offset
        elif self._offset >= span.end:
            info = yield from self._segments.info(span.segment_id)
            span = ByteSpan(span.segment_id, span.base, info)
        while self._offset >= span.end:
            if (following := (yield from self._segments.after(span))) is None:
                break
            span = following
        self._span = span
        return span


class ByteReader(_ByteReaderMethods, SyncResource):
    """Reader of the bytes of one stream from any offset; for one thread at a time."""


class AsyncByteReader(_ByteReaderMethods, AsyncResource):
    """Asyncio counterpart of `ByteReader`; for one task at a time."""
