"""Arrow's C stream of answers that are one record batch."""

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
        pa = import_extra("pyarrow", "an Arrow stream needs", "'jvmwire[arrow]'")
        batch: Any = pa.record_batch(self)
        reader: Any = pa.RecordBatchReader.from_batches(batch.schema, [batch])
        return reader.__arrow_c_stream__(requested_schema)
