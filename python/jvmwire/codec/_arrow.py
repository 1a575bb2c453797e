"""The array interface that the codec accepts: arrays of pyarrow, polars and jvmwire."""

from __future__ import annotations

from typing import Protocol


class ArrowArray(Protocol):
    """An array that exports its values by Arrow's PyCapsule interface."""

    def __arrow_c_array__(
        self, requested_schema: object | None = None, /
    ) -> tuple[object, object]: ...
