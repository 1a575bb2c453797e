"""Says which of many files was damaged: rows of all of them end up in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

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
    reasons: Any = rows.column(index)
    about_file = pc.is_in(reasons, value_set=pa.array([str(damage), DAMAGED]))
    named = pa.scalar(f"{path.name}: {damage}")
    return rows.set_column(index, rows.schema.field(index), pc.if_else(about_file, named, reasons))
