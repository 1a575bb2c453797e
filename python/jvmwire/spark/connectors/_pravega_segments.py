"""Access to segments for tasks: current offsets, and reads between two offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

import pyarrow as pa

from jvmwire.errors import RemoteProtocolError
from jvmwire.pravega import SegmentStore
from jvmwire.spark.connectors._pravega_options import Offsets, SegmentRange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql.datasource import InputPartition

    from jvmwire.pravega import EventBatch
    from jvmwire.spark.connectors._pravega_options import EventOptions

_FIELDS: list[pa.Field[Any]] = [
    pa.field("segment", pa.string()),
    pa.field("offset", pa.int64()),
    pa.field("event", pa.binary()),
]
SCHEMA = pa.schema(_FIELDS)


class Segments(Protocol):
    """Interface to one segment, or the segments of a stream, with their client."""

    def head(self) -> Offsets:
        """Return the offsets of the first events that are not truncated."""

    def tail(self) -> Offsets:
        """Return the offsets at which the next events will be appended."""

    def advance(self, start: Mapping[str, int], end: Mapping[str, int]) -> Offsets:
        """Return offsets after `start`, at most those of `end` where it has any.

        The events between both may be read in any order of the segments.
        """

    def batches(self, part: SegmentRange) -> Iterator[EventBatch]:
        """Yield the events between two offsets of a segment."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class OneSegment:
    """A segment of a store, without a controller."""

    def __init__(self, options: EventOptions) -> None:
        self._name = options.name
        self._store = SegmentStore(options.store, options.store_options())

    def head(self) -> Offsets:
        """Return the offset of the first event that is not truncated."""
        return {self._name: self._store.get_segment_info(self._name).start_offset}

    def tail(self) -> Offsets:
        """Return the offset at which the next event will be appended."""
        return {self._name: self._store.get_segment_info(self._name).write_offset}

    def advance(self, start: Mapping[str, int], end: Mapping[str, int]) -> Offsets:
        """Return `end`, or else the current end of the segment."""
        return {**start, **(end or self.tail())}

    def batches(self, part: SegmentRange) -> Iterator[EventBatch]:
        """Yield the events between two offsets."""
        return self._store.read_batches(part.segment, part.start, end=part.end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._store.close()


def open_segments(options: EventOptions) -> Segments:
    """Return the segments that the options name; the caller must close them."""
    if not options.is_stream:
        return OneSegment(options)
    # Imported here: a segment does not need the extra with gRPC.
    from jvmwire.spark.connectors._pravega_streams import StreamSegments

    return StreamSegments(options)


def slices(start: Mapping[str, int], end: Mapping[str, int]) -> list[SegmentRange]:
    """Return the slices between two sets of offsets; a segment missing in `start` begins at 0."""
    spans = [SegmentRange(name, start.get(name, 0), offset) for name, offset in end.items()]
    return [span for span in spans if span.start < span.end]


def slices_to_tail(segments: Segments) -> list[SegmentRange]:
    """Return slices with all existing events, each segment once."""
    end = segments.tail()
    at = segments.head()
    found: list[SegmentRange] = []
    while (further := segments.advance(at, end)) != at:
        found += slices(at, further)
        at = further
    return found


def read_slice(options: EventOptions, part: InputPartition) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a slice; nothing for Spark's own empty partitions.

    Raises:
        RemoteProtocolError: the slice does not end at the end of an event.
    """
    if not isinstance(part, SegmentRange):
        return
    reached = part.start
    with open_segments(options) as segments:
        for batch in segments.batches(part):
            reached = batch.next_offset
            events = pa.array(batch.events, pa.binary())
            offsets = pa.array(batch.offsets, pa.int64())
            names = pa.repeat(part.segment, len(events))
            yield pa.RecordBatch.from_arrays([names, offsets, events], schema=SCHEMA)
    # Otherwise the next slice would begin within an event.
    if reached != part.end:
        raise RemoteProtocolError(
            f"{part.segment!r} ended at offset {part.end}, and the last whole event before it "
            f"ends at {reached}: who writes there does not append events whole"
        )
