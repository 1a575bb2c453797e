"""Conversion of views to pyarrow schemas, for installations that have pyarrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from jvmwire._core import View


def arrow_schema(view: View) -> pa.Schema:
    """Return the pyarrow schema of the batches of `view`."""
    return pa.schema(view)  # type: ignore[arg-type]  # the stubs do not know Arrow's capsules
