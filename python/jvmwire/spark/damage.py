"""Says which of many files was damaged: rows of all of them end up in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire.escaping import path_text

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.errors import DecodeError

DAMAGED = "the capture file is damaged"
"""What sums call it; rows of messages have the reason itself."""


def name_damage(
    rows: pa.RecordBatch, column: str, path: Path, damage: DecodeError | None
) -> pa.RecordBatch:
    """Put the name of the file before the reason, where `column` tells of its `damage`."""
    index = rows.schema.get_field_index(column)
    if damage is None or index < 0:
        return rows
    field = rows.schema.field(index)
    # Arrow chooses among plain texts only.
    reasons: Any = rows.column(index).cast(pa.string())
    about_file = pc.is_in(reasons, value_set=pa.array([str(damage), DAMAGED]))
    named: Any = pc.if_else(about_file, pa.scalar(f"{path_text(path.name)}: {damage}"), reasons)
    return rows.set_column(index, field, named.cast(field.type))
