"""Events that Spark appends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import BinaryType, StringType

from jvmwire.errors import ConfigError
from jvmwire.pravega import SegmentStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from pyspark.sql.types import StructType

    from jvmwire.spark.live.pravega_options import EventOptions

EVENT = "event"
ROUTING_KEY = "routing_key"


@dataclass
class Stored(WriterCommitMessage):
    """What a task says when the store has acknowledged all of its events."""

    events: int
    transaction: UUID | None = None
    """Which has them until it is committed; None if they are appended, or none."""


class Sink(Protocol):
    """Where events go."""

    def store(self, batches: Iterator[pa.RecordBatch]) -> Stored:
        """Store a task's events."""

    def commit(self, stored: list[Stored]) -> None:
        """Have them appear, once all tasks are done."""

    def abort(self, stored: list[Stored]) -> None:
        """Forget them, if they have not appeared."""


class EventWriter(DataSourceArrowWriter):
    """Writes events to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Stored:  # type: ignore[override]
        """Store a task's events; they are acknowledged when this returns."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Have the events of all tasks appear."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Forget what the tasks stored that were done."""
        self._sink.abort(_stored(messages))


class EventStreamWriter(DataSourceStreamArrowWriter):
    """Writes the events of each batch of a stream to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Stored:  # type: ignore[override]
        """Store a task's events; they are acknowledged when this returns."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Have the events of all tasks appear."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Forget what the tasks stored that were done."""
        self._sink.abort(_stored(messages))


class SegmentSink:
    """Appends to one segment: what a task stored is there, whatever becomes of the others."""

    def __init__(self, options: EventOptions) -> None:
        self._options = options

    def store(self, batches: Iterator[pa.RecordBatch]) -> Stored:
        """Append a task's events in their order."""
        options = self._options
        events = 0
        with (
            SegmentStore(options.server, options.of_store()) as store,
            store.appender(options.name) as appender,
        ):
            for batch in batches:
                appender.write_all(events_of(batch))
                events += batch.num_rows
            appender.flush()
        return Stored(events)

    def commit(self, stored: list[Stored]) -> None:
        """Know that all are there."""

    def abort(self, stored: list[Stored]) -> None:
        """Leave what is there: a segment forgets nothing."""


def open_sink(options: EventOptions, schema: StructType, *, overwrite: bool) -> Sink:
    """Return where events go; raises `ConfigError` for what is no write of events."""
    if overwrite:
        raise ConfigError("events are only ever appended: take mode append")
    columns = [EVENT, *([ROUTING_KEY] if ROUTING_KEY in schema.names and options.is_stream else [])]
    if sorted(schema.names) != columns:
        told = "an event, and in a stream a routing_key"
        raise ConfigError(f"what is written is {told}, not {', '.join(schema.names)}")
    if not isinstance(schema[EVENT].dataType, BinaryType | StringType):
        kind = schema[EVENT].dataType.simpleString()
        raise ConfigError(f"column event is binary or string, not {kind}")
    if ROUTING_KEY in columns and not isinstance(schema[ROUTING_KEY].dataType, StringType):
        kind = schema[ROUTING_KEY].dataType.simpleString()
        raise ConfigError(f"column routing_key is string, not {kind}")
    if not options.is_stream:
        return SegmentSink(options)
    # The extra that has gRPC is not needed for a segment.
    from jvmwire.spark.live.pravega_transactions import TransactionSink

    return TransactionSink(options)


def events_of(batch: pa.RecordBatch) -> pa.Array[Any]:
    """Return the events as bytes.

    Raises:
        ValueError: one is null.
    """
    events = batch.column(EVENT)
    if events.null_count:
        raise ValueError(f"column event has {events.null_count} nulls: an event is bytes or a text")
    return events.cast(pa.binary())


def _stored(messages: list[WriterCommitMessage | None]) -> list[Stored]:
    # Of a task that failed there is none.
    return [message for message in messages if isinstance(message, Stored)]
