"""What the codec takes for an Arrow array: pyarrow's, polars', its own."""

from __future__ import annotations

from typing import Protocol


class ArrowArray(Protocol):
    """Whatever hands over its values by Arrow's PyCapsule interface."""

    def __arrow_c_array__(
        self, requested_schema: object | None = None, /
    ) -> tuple[object, object]: ...
