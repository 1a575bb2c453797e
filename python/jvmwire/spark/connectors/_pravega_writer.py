"""Sink that appends events to a segment or a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import BinaryType, StringType

from jvmwire.errors import ConfigError
from jvmwire.pravega import SegmentStore
from jvmwire.spark.connectors._pravega_options import EVENT, ROUTING_KEY, events_of
from jvmwire.spark.connectors._writer import CommitMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.types import StructType

    from jvmwire.spark.connectors._pravega_options import EventOptions
    from jvmwire.spark.connectors._writer import BatchSink


class SegmentSink:
    """A sink that appends to one segment: events stay even if the job fails."""

    def __init__(self, options: EventOptions) -> None:
        self._options = options

    def store(self, batches: Iterator[pa.RecordBatch]) -> CommitMessage:
        """Append a task's events in order."""
        options = self._options
        with (
            SegmentStore(options.store, options.store_options()) as store,
            store.appender(options.name) as appender,
        ):
            for batch in batches:
                appender.write_all(events_of(batch))
            appender.flush()
        return CommitMessage()

    def commit(self, stored: list[CommitMessage]) -> None:
        """Do nothing, since all events are stored."""

    def abort(self, stored: list[CommitMessage]) -> None:
        """Do nothing: events cannot be removed from a segment."""


def open_sink(options: EventOptions, schema: StructType, *, overwrite: bool) -> BatchSink:
    """Return the sink for events; raises `ConfigError` if the rows are not events."""
    if overwrite:
        raise ConfigError("events are only ever appended: take mode append")
    columns = [EVENT, *([ROUTING_KEY] if ROUTING_KEY in schema.names and options.is_stream else [])]
    if sorted(schema.names) != columns:
        expected = "an event, and in a stream a routing_key"
        raise ConfigError(f"the columns must be {expected}, got {', '.join(schema.names)}")
    if not isinstance(schema[EVENT].dataType, BinaryType | StringType):
        kind = schema[EVENT].dataType.simpleString()
        raise ConfigError(f"column event is binary or string, not {kind}")
    if ROUTING_KEY in columns and not isinstance(schema[ROUTING_KEY].dataType, StringType):
        kind = schema[ROUTING_KEY].dataType.simpleString()
        raise ConfigError(f"column routing_key is string, not {kind}")
    if not options.is_stream:
        return SegmentSink(options)
    # Imported here: a segment does not need the extra with gRPC.
    from jvmwire.spark.connectors._pravega_transactions import TransactionSink

    return TransactionSink(options)
