"""Names of damaged files in error messages, since rows of many files share one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._escaping import path_text

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.errors import DecodeError

DAMAGED = "the capture file is damaged"
"""Reason of damage in sums; rows of messages have the specific reason."""


def annotate_damage(
    rows: pa.RecordBatch, column: str, path: Path, damage: DecodeError | None
) -> pa.RecordBatch:
    """Prepend the name of the file to the reasons in `column` that report its `damage`."""
    index = rows.schema.get_field_index(column)
    if damage is None or index < 0:
        return rows
    field = rows.schema.field(index)
    # Arrow's `if_else` needs plain strings.
    reasons: Any = rows.column(index).cast(pa.string())
    about_file = pc.is_in(reasons, value_set=pa.array([str(damage), DAMAGED]))
    named: Any = pc.if_else(about_file, pa.scalar(f"{path_text(path.name)}: {damage}"), reasons)
    return rows.set_column(index, field, named.cast(field.type))
