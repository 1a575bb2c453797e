"""Writers of Spark for sinks in live systems, for batch and streaming queries."""

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


class CommitMessage(WriterCommitMessage):
    """Commit message of a task, sent after the system has acknowledged all rows of the task."""


class BatchSink(Protocol):
    """Interface of a destination of rows."""

    def store(self, batches: Iterator[pa.RecordBatch]) -> CommitMessage:
        """Store the rows of a task."""

    def commit(self, stored: list[CommitMessage]) -> None:
        """Make the rows visible, after all tasks are done."""

    def abort(self, stored: list[CommitMessage]) -> None:
        """Discard the rows that are not visible yet."""


class WritableSource(DataSource, abc.ABC):
    """Base class of formats that support writing."""

    @abc.abstractmethod
    def sink(self, schema: StructType, *, overwrite: bool) -> BatchSink:
        """Return the sink for rows; raises `ConfigError` if the rows cannot be written."""

    def writer(self, schema: StructType, overwrite: bool) -> SinkWriter:  # noqa: FBT001 - Spark's
        """Return the writer of a batch query."""
        return SinkWriter(self.sink(schema, overwrite=overwrite))

    def streamWriter(  # noqa: N802 - Spark's name
        self,
        schema: StructType,
        overwrite: bool,  # noqa: FBT001 - Spark's
    ) -> SinkStreamWriter:
        """Return the writer of a streaming query."""
        return SinkStreamWriter(self.sink(schema, overwrite=overwrite))


class SinkWriter(DataSourceArrowWriter):
    """Batch writer that stores rows in a sink."""

    def __init__(self, sink: BatchSink) -> None:
        self._sink = sink

    # The iterator yields record batches, although Spark's base class declares otherwise.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> CommitMessage:  # type: ignore[override]
        """Store the rows of a task; they are acknowledged on return."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Make the rows of all tasks visible."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Discard the rows of the tasks that were done."""
        self._sink.abort(_stored(messages))


class SinkStreamWriter(DataSourceStreamArrowWriter):
    """Streaming writer that stores the rows of each batch in a sink."""

    def __init__(self, sink: BatchSink) -> None:
        self._sink = sink

    # The iterator yields record batches, although Spark's base class declares otherwise.
    def write(self, iterator: Iterator[pa.RecordBatch]) -> CommitMessage:  # type: ignore[override]
        """Store the rows of a task; they are acknowledged on return."""
        return self._sink.store(iterator)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Make the rows of all tasks visible."""
        self._sink.commit(_stored(messages))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: ARG002, N803 - Spark's
        """Discard the rows of the tasks that were done."""
        self._sink.abort(_stored(messages))


def _stored(messages: list[WriterCommitMessage | None]) -> list[CommitMessage]:
    # A failed task has no message.
    return [message for message in messages if isinstance(message, CommitMessage)]
