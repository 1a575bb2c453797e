"""Views as pyarrow sees them. The base wheel does without pyarrow: import this where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from jvmwire._core import View


def arrow_schema(view: View) -> pa.Schema:
    """Return the columns that batches of `view` have."""
    return pa.schema(view)  # type: ignore[arg-type]  # the stubs do not know Arrow's capsules
