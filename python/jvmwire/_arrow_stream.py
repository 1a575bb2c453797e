"""Arrow's C stream of answers that are one record batch, which pyarrow makes."""

from __future__ import annotations

from typing import Any, Protocol

from jvmwire._extras import import_extra


class _ArrowBatch(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...


class ArrowStream:
    """Base of sequences that Arrow imports as one record batch, and so as a stream of one."""

    def __arrow_c_stream__(self: _ArrowBatch, requested_schema: object | None = None) -> object:
        """Export the record batch as a stream, which pyarrow makes.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        return stream_of(pyarrow().record_batch(self), requested_schema)


def pyarrow() -> Any:
    """Return the module pyarrow.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    return import_extra("pyarrow", "an Arrow stream needs", "'jvmwire[arrow]'")


def stream_of(batch: Any, requested_schema: object | None) -> object:
    """Export a record batch of pyarrow as a stream of one batch."""
    reader: Any = pyarrow().RecordBatchReader.from_batches(batch.schema, [batch])
    return reader.__arrow_c_stream__(requested_schema)
