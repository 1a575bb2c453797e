"""Aggregated traffic in long form: one table, an aspect and a key a row.

- `calls`: how many calls of which kind ended how, by bucket of time.
- `latency`: how long the answered ones took, by bucket and method: the bins of a `LatencySketch`.
- `repeats`: calls that were made at least 8 times in a bucket, word for word.
- `messages`, `streams`: how many (`calls`), by protocol.
- `undecoded`: rows (`calls`) and bytes (`request_bytes`), by reason (`error_class`).
- `span`: from the first message (`bucket`), for `width`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

SECOND = 1_000_000
"""Microseconds: every time in the table is in them."""

MAX_BUCKETS = 400
"""Buckets of a time line: a page 780 px wide shows no more than one for every two pixels."""

CLOCK_END = (1 << 32) * SECOND
"""Times from here on (February 2106) are not believed: no classic pcap can state them."""


class Aspect(StrEnum):
    """What a row of the table counts."""

    CALLS = "calls"
    LATENCY = "latency"
    REPEATS = "repeats"
    MESSAGES = "messages"
    STREAMS = "streams"
    UNDECODED = "undecoded"
    SPAN = "span"


_FIELDS: list[pa.Field[Any]] = [
    pa.field("aspect", pa.string(), nullable=False),
    pa.field("bucket", pa.int64()),
    pa.field("width", pa.int64()),
    pa.field("protocol", pa.string()),
    pa.field("client", pa.string()),
    pa.field("user", pa.string()),
    pa.field("name", pa.string()),
    pa.field("target", pa.string()),
    pa.field("status", pa.string()),
    pa.field("error_class", pa.string()),
    pa.field("latency_upper_us", pa.int64()),
    pa.field("calls", pa.int64()),
    pa.field("retries", pa.int64()),
    pa.field("request_bytes", pa.int64()),
    pa.field("reply_bytes", pa.int64()),
    pa.field("latency_sum_us", pa.int64()),
    pa.field("latency_max_us", pa.int64()),
]
SCHEMA = pa.schema(_FIELDS)

SUMS = ("calls", "retries", "request_bytes", "reply_bytes", "latency_sum_us")
_UNKNOWN: Any = pa.scalar(None, pa.int64())

MAXIMA = ("latency_max_us",)
HOW: list[tuple[str, Any]] = [
    *((name, "sum") for name in SUMS),
    *((name, "max") for name in MAXIMA),
]

KEYS = tuple(name for name in SCHEMA.names if name not in SUMS + MAXIMA)


def merge(table: pa.Table) -> pa.Table:
    """Add up rows of the same key, with calls and latencies in buckets all of one width.

    That width is the widest there is, and wider while there are more than `MAX_BUCKETS`.
    Repeats keep their own buckets: they tell how fast the same call came again.
    """
    table = _without_wild_clocks(table.select(SCHEMA.names).cast(SCHEMA))
    ontime_line = pc.is_in(table["aspect"], value_set=pa.array([Aspect.CALLS, Aspect.LATENCY]))
    width, _, _ = time_line(table.filter(ontime_line))
    coarse = pc.multiply(pc.divide(table["bucket"], width), width)
    table = _with(table, "bucket", pc.if_else(ontime_line, coarse, table["bucket"]))
    table = _with(table, "width", pc.if_else(ontime_line, width, table["width"]))
    grouped = table.group_by(list(KEYS), use_threads=False).aggregate(HOW)
    names = {f"{name}_{how}": name for name, how in HOW}
    return (
        grouped.rename_columns([names.get(name, name) for name in grouped.column_names])
        .select(SCHEMA.names)
        .cast(SCHEMA)
    )


def time_line(table: pa.Table) -> tuple[int, int | None, int | None]:
    """Return the width of the buckets of `table`, and the starts of the first and the last."""
    timed = table.filter(pc.is_valid(table["bucket"]))
    if not timed.num_rows:
        return SECOND, None, None
    width = int(pc.max(timed["width"]).as_py() or SECOND)
    first, last = (int(end.as_py()) for end in pc.min_max(timed["bucket"]).values())
    while last // width - first // width >= MAX_BUCKETS:
        width *= 2
    return width, first // width * width, last // width * width


def _without_wild_clocks(table: pa.Table) -> pa.Table:
    bucket = table["bucket"]
    start, end = pa.scalar(0, pa.int64()), pa.scalar(CLOCK_END, pa.int64())
    believed = pc.and_(pc.greater_equal(bucket, start), pc.less(bucket, end))
    table = _with(table, "bucket", pc.if_else(believed, bucket, _UNKNOWN))
    for name in SUMS + MAXIMA:
        column: Any = table[name]
        table = _with(table, name, pc.fill_null(column, 0))
    return table


def _with(table: pa.Table, name: str, column: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), SCHEMA.field(name), column)
