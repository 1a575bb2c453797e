"""The table `files`: one row per capture file, with its streams and its damage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmwire._escaping import path_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmwire.capture import DecodeSession

_FIELDS: list[pa.Field[Any]] = [
    pa.field("path", pa.string(), nullable=False),
    pa.field("size", pa.int64()),
    pa.field("ranges", pa.int64(), nullable=False),
    pa.field("first_stream", pa.int64(), nullable=False),
    pa.field("streams", pa.int64(), nullable=False),
    pa.field("undecoded", pa.int64(), nullable=False),
    pa.field("undecoded_bytes", pa.int64(), nullable=False),
    pa.field("error", pa.string()),
]
FILES = pa.schema(_FIELDS)
"""Schema of the table `files`.

`first_stream` is the number of the first of the `streams` that begin in the file; `undecoded` is
the number of rows that report undecoded data; `error` is the damage of the file.
"""


def row_of(path: Path, readings: Sequence[DecodeSession]) -> dict[str, object]:
    """Return the row of a file whose ranges were all read."""
    undecoded = [piece for reading in readings for piece in reading.undecoded]
    damages = [str(reading.damage) for reading in readings if reading.damage is not None]
    first_stream = readings[0].first_stream
    return {
        "path": path_text(path),
        "size": path.stat().st_size if path.exists() else None,
        "ranges": len(readings),
        "first_stream": first_stream,
        "streams": readings[-1].next_stream - first_stream,
        "undecoded": sum(rows for _, rows, _ in undecoded),
        "undecoded_bytes": sum(size for _, _, size in undecoded),
        "error": damages[0] if damages else None,
    }
