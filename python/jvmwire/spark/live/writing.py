"""What Spark writes to a live system, in one batch or in those of a stream."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Protocol

from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql.types import StructType


class Stored(WriterCommitMessage):
    """What a task says when the system has acknowledged all of its rows."""


class Sink(Protocol):
    """Where rows go."""

    def store(self, batches: Iterator[pa.RecordBatch]) -> Stored:
        """Store a task's rows."""

    def commit(self, stored: list[Stored]) -> None:
        """Have them appear, once all tasks are done."""

    def abort(self, stored: list[Stored]) -> None:
        """Forget them, if they have not appeared."""


class SinkSource(DataSource, abc.ABC):
    """A format that is written to."""

    @abc.abstractmethod
    def sink(self, schema: StructType, *, overwrite: bool) -> Sink:
        """Return where rows go; raises `ConfigError` for what cannot be written."""

    def writer(self, schema: StructType, overwrite: bool) -> SinkWriter:  # noqa: FBT001 - Spark's
        """Return what stores rows."""
        return SinkWriter(self.sink(schema, overwrite=overwrite))

    def streamWriter(  # noqa: N802 - Spark's name
        self,
        schema: StructType,
        overwrite: bool,  # noqa: FBT001 - Spark's
    ) -> SinkStreamWriter:
        """Return what stores the rows of each batch of a stream."""
        return SinkStreamWriter(self.sink(schema, overwrite=overwrite))


class SinkWriter(DataSourceArrowWriter):
    """Writes to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    # What crosses are record batches, whatever the base of Spark's own Arrow writers says.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Stored:  # type: ignore[override]
        """Store a task's rows; they are acknowledged when this returns."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Have the rows of all tasks appear."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Forget what the tasks stored that were done."""
        self._sink.abort(_stored(messages))


class SinkStreamWriter(DataSourceStreamArrowWriter):
    """Writes each batch of a stream to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    # What crosses are record batches, whatever the base of Spark's own Arrow writers says.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Stored:  # type: ignore[override]
        """Store a task's rows; they are acknowledged when this returns."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Have the rows of all tasks appear."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Forget what the tasks stored that were done."""
        self._sink.abort(_stored(messages))


def _stored(messages: list[WriterCommitMessage | None]) -> list[Stored]:
    # Of a task that failed there is none.
    return [message for message in messages if isinstance(message, Stored)]
