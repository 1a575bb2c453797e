"""Aggregated traffic in long form: one table, an aspect and a key a row.

- `calls`: how many calls of which kind ended how, by bucket of time.
- `latency`: how long the answered ones took, by bucket and method: the bins of a `LatencySketch`.
- `repeats`: calls that were made at least 8 times in a bucket, word for word.
- `messages`, `streams`: how many (`calls`), by protocol.
- `undecoded`: rows (`calls`) and bytes (`request_bytes`), by reason (`error_class`).
- `span`: from the first message (`bucket`), for `width`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Status(StrEnum):
    """How a call ended."""

    OK = "ok"
    ERROR = "error"
    FATAL = "fatal"
    LOST = "lost"


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
_HOW: list[tuple[str, Any]] = [
    *((name, "sum") for name in SUMS),
    *((name, "max") for name in MAXIMA),
]

KEYS = tuple(name for name in SCHEMA.names if name not in SUMS + MAXIMA)


class Total(NamedTuple):
    """The measures of all rows that share a key."""

    key: tuple[Any, ...]
    calls: int
    retries: int
    request_bytes: int
    reply_bytes: int
    latency_sum_us: int
    latency_max_us: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """The merged table, by aspect, and its time line."""

    calls: pa.Table
    latency: pa.Table
    repeats: pa.Table
    width: int
    first: int | None
    """Start of the first bucket; None if nothing has a clock."""
    last: int | None
    """Start of the last bucket."""

    @classmethod
    def of(cls, table: pa.Table) -> Traffic:
        """Merge `table` and lay out its time line."""
        merged = merge(table)
        calls = aspect(merged, Aspect.CALLS)
        width, first, last = _time_line(calls)
        return cls(
            calls=calls,
            latency=aspect(merged, Aspect.LATENCY),
            repeats=aspect(merged, Aspect.REPEATS),
            width=width,
            first=first,
            last=last,
        )

    @property
    def failed(self) -> pa.Table:
        """The rows of calls that ended in an error or in nothing."""
        bad = pa.array([Status.ERROR, Status.FATAL, Status.LOST], pa.string())
        return self.calls.filter(pc.is_in(self.calls["status"], value_set=bad))

    @property
    def retries(self) -> int:
        """How many calls carried a retry count."""
        return int(pc.sum(self.calls["retries"]).as_py() or 0)

    @property
    def count(self) -> int:
        """How many calls there are."""
        return count(self.calls)

    def over_time(self, table: pa.Table | None = None) -> dict[int, int]:
        """Add up the calls of `table`, or all, by bucket; those without a clock are left out."""
        by_bucket = totals(self.calls if table is None else table, "bucket")
        return {total.key[0]: total.calls for total in by_bucket if total.key[0] is not None}

    @property
    def buckets(self) -> range:
        """The starts of all buckets from the first to the last, quiet ones too."""
        if self.first is None or self.last is None:
            return range(0)
        return range(self.first, self.last + 1, self.width)


def aspect(table: pa.Table, wanted: Aspect) -> pa.Table:
    """Keep the rows of one aspect."""
    return table.filter(pc.equal(table["aspect"], pa.scalar(wanted.value)))


def count(table: pa.Table) -> int:
    """Add up the calls of `table`."""
    return int(pc.sum(table["calls"]).as_py() or 0)


def totals(table: pa.Table, *keys: str) -> list[Total]:
    """Add up the rows of `table` by `keys`: most calls first, then in the order of the keys."""
    grouped = table.group_by(list(keys), use_threads=False).aggregate(_HOW)
    # There may be hundreds of thousands, which Arrow sorts at once; nulls come last.
    by_key: list[tuple[str, Literal["ascending", "descending"]]] = [
        (key, "ascending") for key in keys
    ]
    grouped = grouped.sort_by([("calls_sum", "descending"), *by_key])
    columns = [[value or 0 for value in grouped[f"{name}_{how}"].to_pylist()] for name, how in _HOW]
    return [
        Total(key, *values)
        for key, values in zip(
            zip(*(grouped[key].to_pylist() for key in keys), strict=True),
            zip(*columns, strict=True),
            strict=True,
        )
    ]


def sort_key(key: Sequence[Any]) -> tuple[tuple[bool, Any], ...]:
    """Make a key with nulls in it comparable: nulls last."""
    return tuple((part is None, 0 if part is None else part) for part in key)


def merge(table: pa.Table) -> pa.Table:
    """Add up rows of the same key, with calls and latencies in buckets all of one width.

    That width is the widest there is, and wider while there are more than `MAX_BUCKETS`.
    Repeats keep their own buckets: they tell how fast the same call came again.
    """
    table = _without_wild_clocks(table.select(SCHEMA.names).cast(SCHEMA))
    on_time_line = pc.is_in(table["aspect"], value_set=pa.array([Aspect.CALLS, Aspect.LATENCY]))
    width, _, _ = _time_line(table.filter(on_time_line))
    coarse = pc.multiply(pc.divide(table["bucket"], width), width)
    table = _with(table, "bucket", pc.if_else(on_time_line, coarse, table["bucket"]))
    table = _with(table, "width", pc.if_else(on_time_line, width, table["width"]))
    grouped = table.group_by(list(KEYS), use_threads=False).aggregate(_HOW)
    names = {f"{name}_{how}": name for name, how in _HOW}
    return grouped.rename_columns([names.get(name, name) for name in grouped.column_names]).select(
        SCHEMA.names
    )


def _time_line(table: pa.Table) -> tuple[int, int | None, int | None]:
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
