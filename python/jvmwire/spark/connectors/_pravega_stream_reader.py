"""The Spark format `pravega` as a stream: appended events, each in exactly one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow

from jvmwire.errors import ConfigError
from jvmwire.spark.connectors._pravega_segments import open_segments, read_slice, slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.streaming.datasource import ReadLimit

    from jvmwire.spark.connectors._pravega_options import EventOptions, Offsets
    from jvmwire.spark.connectors._pravega_segments import Segments

_TAIL: Offsets = {}
"""Start offset of a query from the tail, resolved at the end of its first batch, which is empty.

The tail is not requested for the start offset itself: after a restart it would differ.
"""


class EventStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Stream reader: the driver requests the segments' ends, executors read between two of them.

    An offset is the position of the next event per segment: a batch that is retried gives the same
    rows, unless they were truncated in the meantime, which is an error.
    """

    def __init__(self, options: EventOptions) -> None:
        self._options = options
        self._segments: Segments | None = None
        self._end: Offsets = {}
        """Offsets at which the query ends, for the trigger AvailableNow."""

    def initialOffset(self) -> Offsets:  # noqa: N802 - Spark's name
        """Return the offsets of the first existing events, or the start offset for the tail."""
        return _TAIL if self._options.start == "tail" else self._opened().head()

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Store the current ends of the segments, at which the query ends."""
        self._end = self._opened().tail()

    def latestOffset(  # noqa: N802 - Spark's name
        self,
        start: Offsets,
        limit: ReadLimit,  # noqa: ARG002 - all is taken
    ) -> Offsets:
        """Return the new ends of the segments; successors replace split or merged segments."""
        if start == _TAIL:
            return self._end or self._opened().tail()
        self._check(start)
        return self._opened().advance(start, self._end)

    def partitions(self, start: Offsets, end: Offsets) -> list[InputPartition]:
        """Return a slice per segment with new events."""
        if start == _TAIL:
            return []
        self._check(end)
        return [*slices(start, end)]

    def stop(self) -> None:
        """Close the driver's connections."""
        if self._segments is not None:
            self._segments.__exit__(None, None, None)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the events of one slice."""
        return read_slice(self._options, partition)

    def _check(self, offsets: Offsets) -> None:
        name = self._options.name
        for segment in offsets:
            if (segment.rpartition("/")[0] if self._options.is_stream else segment) != name:
                raise ConfigError(
                    f"the query's checkpoint is of {segment!r}, and it is to read {name!r}: "
                    f"each needs a checkpoint of its own"
                )

    def _opened(self) -> Segments:
        # Opened lazily: Spark also creates readers on executors, which only read.
        if self._segments is None:
            self._segments = open_segments(self._options)
        return self._segments
