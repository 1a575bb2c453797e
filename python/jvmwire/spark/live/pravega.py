"""The format `pravega`: events of a segment or of a stream, read and appended by the executors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.errors import ConfigError
from jvmwire.spark.live.pravega_options import EventOptions
from jvmwire.spark.live.pravega_segments import (
    SCHEMA,
    open_segments,
    read_slice,
    slices_to_tail,
)
from jvmwire.spark.live.pravega_writing import open_sink
from jvmwire.spark.live.writing import SinkSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.types import StructType

    from jvmwire.spark.live.pravega_following import EventStreamReader
    from jvmwire.spark.live.writing import Sink


class PravegaSource(SinkSource):
    """Events of Pravega: the columns `segment`, `offset` (where it begins there) and `event`.

    Options: `store` (`host:port`) and `segment`, its full name, with `token` if the store wants
    one; or `controller` (`host:port`) and `stream` (`scope/stream`), with `user` and `password`,
    which needs the extra `pravega`. `tls://host:port` is asked by TLS, and `ca_file` says whom to
    trust, under the same path on the driver and on every executor.

    A read is of what there is when it is planned, each segment by one task in its order: where
    events begin is known only from the event before. With `readStream` each event comes in one
    batch, and those of a routing key in their order: successors of a segment are read in a batch
    behind that which came to its end. `start` is `head`, or `tail`: what is appended once the
    query's first batch has been. A batch that is tried again gives the same rows.

    A write appends the column `event` (binary or string), in a stream by the column `routing_key`
    if there is one. To a segment, a task's events are appended while it runs: they stay if it
    fails, and come once more if it is tried again. To a stream, each task has a transaction, and
    all are committed when all tasks are done: a task that is tried again writes nothing twice, and
    of a job that fails nothing is there, unless it fails between two commits. `lease` is for how
    many seconds a task's events wait for the last task (90; controllers allow 600 unless told
    otherwise); if that is over, the job fails and nothing is there. A batch of a query whose driver
    died after the commit, before Spark's checkpoint had it, comes once more. Nothing is ever
    overwritten: mode `overwrite` is refused.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "pravega"

    def schema(self) -> StructType:
        """Return the columns of events."""
        return from_arrow_schema(SCHEMA)

    def reader(self, schema: StructType) -> EventReader:
        """Return what reads the events that there are."""
        _check(schema)
        return EventReader(EventOptions.of_read(self.options))

    def streamReader(self, schema: StructType) -> EventStreamReader:  # noqa: N802 - Spark's name
        """Return what follows a segment or a stream."""
        _check(schema)
        # Spark has what it needs from 4.2 on.
        from jvmwire.spark.live.pravega_following import EventStreamReader

        return EventStreamReader(EventOptions.of_query(self.options))

    def sink(self, schema: StructType, *, overwrite: bool) -> Sink:
        """Return what appends events."""
        return open_sink(EventOptions.of_write(self.options), schema, overwrite=overwrite)


class EventReader(DataSourceReader):
    """Finds out on the driver what there is; a task reads a segment, which never waits for more."""

    def __init__(self, options: EventOptions) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """Return what each task reads."""
        with open_segments(self._options) as segments:
            return [*slices_to_tail(segments)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the events of one segment."""
        return read_slice(self._options, partition)


def _check(schema: StructType) -> None:
    if schema != from_arrow_schema(SCHEMA):
        raise ConfigError(f"events have the columns {', '.join(SCHEMA.names)}: leave out .schema()")
