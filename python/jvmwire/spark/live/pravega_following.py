"""The format `pravega` as a stream: events as they are appended, each in one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow

from jvmwire.errors import ConfigError
from jvmwire.spark.live.pravega_segments import open_segments, read_slice, slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.streaming.datasource import ReadLimit

    from jvmwire.spark.live.pravega_options import EventOptions, Offsets
    from jvmwire.spark.live.pravega_segments import Segments

_TAIL: Offsets = {}
"""Where a query begins that is to read only what comes: the end of its first batch, an empty one.

Asked again after a restart the tail would be another.
"""


class EventStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Asks on the driver how far segments go; executors read what lies between two answers.

    An offset is where in each segment the next event begins: a batch that is tried again gives the
    same rows, unless they were truncated meanwhile, which is an error.
    """

    def __init__(self, options: EventOptions) -> None:
        self._options = options
        self._segments: Segments | None = None
        self._end: Offsets = {}
        """Beyond which nothing is read of these segments, if the query is to end."""

    def initialOffset(self) -> Offsets:  # noqa: N802 - Spark's name
        """Begin with the first events, or with those to come."""
        return _TAIL if self._options.start == "tail" else self._opened().head()

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Note what there is by now: the query ends with it."""
        self._end = self._opened().tail()

    def latestOffset(  # noqa: N802 - Spark's name
        self,
        start: Offsets,
        limit: ReadLimit,  # noqa: ARG002 - all is taken
    ) -> Offsets:
        """Look what is new; of segments that were split or merged, what comes after them."""
        if start == _TAIL:
            return self._end or self._opened().tail()
        self._check(start)
        return self._opened().advance(start, self._end)

    def partitions(self, start: Offsets, end: Offsets) -> list[InputPartition]:
        """Return a slice of each segment in which there is something new."""
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
        # Not when it is made: Spark makes readers that only read, on executors too.
        if self._segments is None:
            self._segments = open_segments(self._options)
        return self._segments
