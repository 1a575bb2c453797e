"""The Spark format `pravega`: events of segments and streams, read and appended by executors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.errors import ConfigError
from jvmwire.spark.connectors._pravega_options import EventOptions
from jvmwire.spark.connectors._pravega_segments import (
    SCHEMA,
    open_segments,
    read_slice,
    slices_to_tail,
)
from jvmwire.spark.connectors._pravega_writer import open_sink
from jvmwire.spark.connectors._writer import WritableSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.types import StructType

    from jvmwire.spark.connectors._pravega_stream_reader import EventStreamReader
    from jvmwire.spark.connectors._writer import BatchSink


class PravegaSource(WritableSource):
    """Events of Pravega, with the columns `segment`, `offset` (the start of the event) and `event`.

    Options:

    - `store` (`host:port`) and `segment` (its full name), with `token` if the store requires one.
    - `controller` (`host:port`) and `stream` (`scope/stream`) instead, with `user` and `password`;
      this needs the extra `pravega`. Several controllers (`one:9090,two:9090`) are equivalent: one
      that does not answer is left for the next; `pravega://one:9090` asks those listed for all.
    - `ca_file`: trusted authorities for `tls://host:port` (`pravegas://`), under the same path on
      the driver and on every executor.
    - `start`: `head`, or `tail` to stream only events that are appended after the query's first
      batch.
    - `lease`: for writes to a stream, seconds that a task's events wait for the last task (90 by
      default; controllers allow 600 unless configured otherwise).

    A read returns the events that exist when it is planned, each segment by one task in order,
    since the begin of an event is known only from the event before. With `readStream` each event
    arrives in one batch, and the events of a routing key in order: successors of a segment are read
    in a batch after the batch that reached its end. A batch that is retried gives the same rows.

    A write appends the column `event` (binary or string), in a stream by the column `routing_key`
    if it exists. For a segment, a task's events are appended while the task runs: they stay if it
    fails, and are appended again if it is retried. For a stream, each task has a transaction, and
    all are committed when all tasks are done: a retried task writes nothing twice, and a failed job
    leaves no events, unless it fails between two commits. If a lease ends before the commit, the
    job fails and leaves no events. If the driver of a query dies after a commit, before Spark's
    checkpoint is written, that batch is written again. Events are never overwritten: mode
    `overwrite` is refused.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "pravega"

    def schema(self) -> StructType:
        """Return the columns of events."""
        return from_arrow_schema(SCHEMA)

    def reader(self, schema: StructType) -> EventReader:
        """Return the reader of existing events."""
        _check(schema)
        return EventReader(EventOptions.of_read(self.options))

    def streamReader(self, schema: StructType) -> EventStreamReader:  # noqa: N802 - Spark's name
        """Return the stream reader that follows a segment or a stream."""
        _check(schema)
        # Imported here: it needs Spark 4.2 or later.
        from jvmwire.spark.connectors._pravega_stream_reader import EventStreamReader

        return EventStreamReader(EventOptions.of_query(self.options))

    def sink(self, schema: StructType, *, overwrite: bool) -> BatchSink:
        """Return the sink that appends events."""
        return open_sink(EventOptions.of_write(self.options), schema, overwrite=overwrite)


class EventReader(DataSourceReader):
    """Reader of existing events: the driver gets the offsets, each task reads one segment."""

    def __init__(self, options: EventOptions) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """Return the slices, one per task."""
        with open_segments(self._options) as segments:
            return [*slices_to_tail(segments)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the events of one slice."""
        return read_slice(self._options, partition)


def _check(schema: StructType) -> None:
    if schema != from_arrow_schema(SCHEMA):
        raise ConfigError(f"events have the columns {', '.join(SCHEMA.names)}: leave out .schema()")
