"""Revisioned streams: entries that are appended on the condition of the revision before them.

A revision is the offset after an entry in the stream's only segment, which is the offset of the
next entry. The framing is that of events, so Java's `RevisionedStreamClient` reads and writes the
same.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from jvmwire._core import PRAVEGA_EVENT_LIMIT, PravegaEvents
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit
from jvmwire.pravega._arguments import check_bytes, check_offset
from jvmwire.pravega._closing import AsyncClosableWriter, ClosableWriter, SyncClosableWriter
from jvmwire.pravega._commands import (
    NO_VALUE,
    GetSegmentAttribute,
    GetStreamSegmentInfo,
    TruncateSegment,
    UpdateSegmentAttribute,
)
from jvmwire.pravega._segment_reader import EventParser, read_chunks
from jvmwire.pravega.streams.errors import SEALED, StreamIsSealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.errors import JvmWireError
    from jvmwire.pravega._responses import SegmentInfo
    from jvmwire.pravega._writer import Writer
    from jvmwire.pravega.streams._store_locator import SegmentLine

MARK = UUID("7df9a874-246c-c9d6-9397-cdd19ead68c5")
"""The attribute that holds a segment's mark: `SegmentAttribute.RevisionStreamClientMark`."""
HEADER = 8
"""Bytes before each entry: `WireCommands.TYPE_PLUS_LENGTH_SIZE`."""


@dataclass(frozen=True, slots=True)
class RevisionedEntry:
    """An entry of a revisioned stream.

    Attributes:
        revision: The revision after this entry.
        data: The entry's bytes.
    """

    revision: int
    data: bytes


class RevisionedSegment:
    """The segment of a revisioned stream, with one writer to it."""

    def __init__(
        self,
        stream: str,
        segment: str,
        *,
        line: SegmentLine,
        new_writer: Callable[[], Writer],
        max_event: int,
    ) -> None:
        self.stream = stream
        self._segment = segment
        self._line = line
        self._new_writer = new_writer
        self._max_event = max_event
        self._writer: Writer | None = None
        self._failure: JvmWireError | None = None

    def info(self) -> Operation[SegmentInfo]:
        """Fetch the offsets at which the segment begins and ends."""
        info: SegmentInfo = yield from self._line.call(GetStreamSegmentInfo(self._segment))
        return info

    def append_if(self, entry: bytes, revision: int) -> Operation[int | None]:
        """Append an entry if `revision` is the latest one; return the next revision, or None."""
        _check_size(entry)
        with self._writing() as writer:
            stored = yield from writer.append_if(entry, revision)
        return revision + HEADER + len(entry) if stored else None

    def append(self, entry: bytes) -> Operation[None]:
        """Append an entry unconditionally, and return once it is stored."""
        _check_size(entry)
        with self._writing() as writer:
            yield from writer.enqueue(PravegaEvents.push, entry, wait_until_stored=True)

    def mark(self) -> Operation[int | None]:
        """Fetch the marked revision, None if there is no mark."""
        request = GetSegmentAttribute(self._segment, MARK)
        marked: int | None = yield from self._line.call(request)
        return marked

    def set_mark(self, revision: int | None, expected: int | None) -> Operation[bool]:
        """Mark `revision` if `expected` is the marked one; return whether it was."""
        new, old = (NO_VALUE if each is None else each for each in (revision, expected))
        request = UpdateSegmentAttribute(self._segment, MARK, new, old)
        success: bool = yield from self._line.call(request)
        return success

    def truncate(self, revision: int) -> Operation[None]:
        """Drop the entries before a revision."""
        yield from self._line.call(TruncateSegment(self._segment, revision))

    def entries(
        self,
        start: int,
        end: int | None,
        convert: Callable[[RevisionedEntry], object] = lambda entry: entry,
    ) -> OperationStream[Any]:
        """Emit the converted entries between two revisions.

        These are the entries up to the latest one if `end` is None.
        """
        info = yield from self.info()
        latest = info.write_offset if end is None else end
        if start > latest:
            raise ValueError(f"revision {start} of {self.stream!r} is after {latest}")
        cutter = EventParser(self._segment, start, self._max_event)

        def give(data: memoryview) -> OperationStream[object]:
            for entry in _cut(cutter, data):
                yield Emit(convert(entry))
            cutter.check()

        yield from read_chunks(self._line, self._segment, start, end=latest, handler=give)

    def scan(
        self, start: int, take: Callable[[RevisionedEntry], None], end: int | None = None
    ) -> Operation[None]:
        """Call `take` with each entry from a revision to the latest one, or to an offset."""
        cutter = EventParser(self._segment, start, self._max_event)

        def give(data: memoryview) -> OperationStream[object]:
            for entry in _cut(cutter, data):
                take(entry)
            cutter.check()
            yield from ()

        # The handler emits nothing.
        yield from read_chunks(self._line, self._segment, start, end=end, handler=give)  # type: ignore[misc]

    def end(self, failure: JvmWireError) -> None:
        """Stop writing; pending calls raise `failure`."""
        self._failure = failure
        if self._writer is not None:
            self._writer.end(failure)

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        """Yield the writer; after an error the next call creates a new one."""
        if self._failure is not None:
            raise self._failure
        writer = self._writer = self._writer or self._new_writer()
        try:
            yield writer
        except BaseException as error:
            if not writer.is_open and self._writer is writer:
                self._writer = None
            if isinstance(error, SEALED):
                raise StreamIsSealed(f"{self.stream!r} is sealed") from error
            raise


def _check_size(entry: bytes) -> None:
    check_bytes("entry", entry)
    if len(entry) > PRAVEGA_EVENT_LIMIT:
        raise ValueError(
            f"an entry of a revisioned stream has at most {PRAVEGA_EVENT_LIMIT} bytes, got"
            f" {len(entry)}"
        )


def _cut(cutter: EventParser, data: memoryview) -> Iterator[RevisionedEntry]:
    revision = cutter.offset
    for entry in cutter.events(data):
        revision += HEADER + len(entry)
        yield RevisionedEntry(revision, entry)


class _RevisionedMethods(ClosableWriter[RevisionedSegment]):
    _noun = "revisioned stream"

    @operation
    def head(self) -> Operation[int]:
        """Fetch the oldest revision that was not truncated.

        Returns:
            The revision.
        """
        info = yield from self._writer.info()
        return info.start_offset

    @operation
    def tail(self) -> Operation[int]:
        """Fetch the latest revision, after which the next entry will be appended.

        Returns:
            The revision.
        """
        info = yield from self._writer.info()
        return info.write_offset

    @operation
    def append_if(self, entry: bytes, revision: int) -> Operation[int | None]:
        """Append an entry if `revision` is the latest one.

        The result is also correct after a lost connection: the store reports on reconnection
        whether it has the entry.

        Args:
            entry: The entry's bytes, at most 8 MiB.
            revision: A revision returned by `tail`, `read` or an earlier call.

        Returns:
            The revision after the entry, or None if another entry was appended before.

        Raises:
            StreamIsSealed: the stream accepts no more entries.
            ValueError: the entry is too large, or the revision is negative.

        Source: RevisionedStreamClient.writeConditionally (Pravega 0.13).
        """
        return self._writer.append_if(entry, check_offset("revision", revision))

    @operation
    def append(self, entry: bytes) -> Operation[None]:
        """Append an entry unconditionally, and return once it is stored.

        Args:
            entry: The entry's bytes, at most 8 MiB.

        Raises:
            StreamIsSealed: the stream accepts no more entries.
            ValueError: the entry is larger than 8 MiB.

        Source: RevisionedStreamClient.writeUnconditionally (Pravega 0.13).
        """
        return self._writer.append(entry)

    @operation_stream
    def read(
        self, start: int | None = None, end: int | None = None
    ) -> OperationStream[RevisionedEntry]:
        """Read the entries between two revisions.

        Args:
            start: The revision before the first entry; by default the oldest one.
            end: The revision after the last entry; by default the latest one at the time of the
                call.

        Yields:
            The entries, each with the revision after it.

        Raises:
            SegmentIsTruncated: entries after `start` were truncated.
            ValueError: `start` is after `end`, or after the latest revision.

        Source: RevisionedStreamClient.readFrom, readRange (Pravega 0.13).
        """
        if end is not None:
            check_offset("end", end)
        if start is None:
            start = (yield from self._writer.info()).start_offset
        yield from self._writer.entries(check_offset("start", start), end)

    @operation
    def get_mark(self) -> Operation[int | None]:
        """Fetch the marked revision.

        Returns:
            The revision, None if there is no mark.

        Source: RevisionedStreamClient.getMark (Pravega 0.13).
        """
        return self._writer.mark()

    @operation
    def set_mark(self, revision: int | None, *, expected: int | None) -> Operation[bool]:
        """Mark a revision if the present mark is the expected one (compare-and-set).

        Args:
            revision: The revision to mark; None removes the mark.
            expected: The revision that must be marked; None if there must be no mark.

        Returns:
            Whether the mark was set.

        Source: RevisionedStreamClient.compareAndSetMark (Pravega 0.13).
        """
        for name, value in (("revision", revision), ("expected", expected)):
            if value is not None:
                check_offset(name, value)
        return self._writer.set_mark(revision, expected)

    @operation
    def truncate(self, revision: int) -> Operation[None]:
        """Drop the entries before a revision.

        Args:
            revision: The revision at which the stream will begin.
        """
        yield from self._writer.truncate(check_offset("revision", revision))

    def _store(self) -> Operation[None]:
        yield from ()


class RevisionedStream(_RevisionedMethods, SyncClosableWriter[RevisionedSegment]):
    """Revisioned stream, for conditional and unconditional appends; thread-safe."""


class AsyncRevisionedStream(_RevisionedMethods, AsyncClosableWriter[RevisionedSegment]):
    """Asyncio counterpart of `RevisionedStream`; tasks may share it."""
