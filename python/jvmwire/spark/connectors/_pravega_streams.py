"""Access to the segments of a stream, by its controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from jvmwire.pravega.streams import StreamClient, StreamCut
from jvmwire.pravega.streams._names import segment_id_of, segment_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmwire.pravega import EventBatch
    from jvmwire.spark.connectors._pravega_options import EventOptions, Offsets, SegmentRange


class StreamSegments:
    """The segments of a stream; successors replace segments that were split or merged."""

    def __init__(self, options: EventOptions) -> None:
        self._stream = options.name
        self._client = StreamClient(options.server, options.of_streams())

    def head(self) -> Offsets:
        """Return the offsets of the first events that are not truncated."""
        return self._offsets(self._client.head(self._stream))

    def tail(self) -> Offsets:
        """Return the offsets at which the next events will be appended; none if it is sealed."""
        return self._offsets(self._client.tail(self._stream))

    def advance(self, start: Mapping[str, int], end: Mapping[str, int]) -> Offsets:
        """Return the current end, or the end to read to, of each segment from `start` on.

        A successor appears only after all its predecessors are at their ends in `start`.
        """
        return self._offsets(self._client.advance(self._cut(start), end=self._cut(end)))

    def batches(self, part: SegmentRange) -> Iterator[EventBatch]:
        """Yield the events between two offsets."""
        start, end = (self._cut({part.segment: offset}) for offset in (part.start, part.end))
        for batch in self._client.read_batches(self._stream, start=start, end=end):
            yield batch.events

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.close()

    def _offsets(self, cut: StreamCut) -> Offsets:
        return {segment_name(cut.stream, each): offset for each, offset in cut.positions.items()}

    def _cut(self, offsets: Mapping[str, int]) -> StreamCut:
        return StreamCut(self._stream, {segment_id_of(name): at for name, at in offsets.items()})
