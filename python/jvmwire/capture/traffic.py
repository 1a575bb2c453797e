"""Aggregated traffic in long form: one table, an aspect and a key a row.

- `calls`: how many calls of which kind ended how, by bucket of time. `status` is that of the table
  `calls`, or `open` (nothing ended the call: its connection went on when the capture ended, or it
  was made to wait) or `refused` (an error that is normal for the method). `pace` is `waits` or
  `background` where time or caller are not those of an ordinary call.
- `latency`: how long the answered ones took, by bucket and method: a packed
  `LatencySketch`.
- `repeats`: calls that were made at least 8 times in 16 seconds of the clock, word for word, and
  then for as long as they go on: by second. Those at both ends of what was decoded are there from
  2 times on, for what another part of the capture adds.
- `messages`, `streams`: how many (`calls`), by protocol.
- `undecoded`: rows (`calls`) and bytes (`request_bytes`), by reason (`error_class`).
- `span`: from the first message (`bucket`), for `width`.

The table has a limit. Of a text longer than 1 KiB, the first 256 bytes are kept, its length and a
hash. Where a capture has more clients, users, methods or error classes than fit into 16 MiB
(merged: 64 MiB), or more than 200,000 keys (merged: a million rows), the others are counted in rows
in which `TOGETHER` stands for them; rows beyond the number of keys have no bucket. Sums over all
rows stay exact. Repeats are not counted together: beyond their limit, those that came least often
are left out.

A bucket only says where calls are counted. When the first and the last of them were made, to the
microsecond, `first` and `last` say.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import MergedTraffic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECOND = 1_000_000
"""Microseconds: every time in the table is in them."""

MAX_BUCKETS = 400
"""Buckets of a time line: a page 780 px wide shows no more than one for every two pixels."""

CLOCK_END = (1 << 32) * SECOND
"""Times from here on (February 2106) are not believed: no classic pcap can state them."""


TOGETHER = "(others)"
"""The name of all clients, users, methods or error classes that are counted together."""


class Aspect(StrEnum):
    """What a row of the table counts."""

    CALLS = "calls"
    LATENCY = "latency"
    REPEATS = "repeats"
    MESSAGES = "messages"
    STREAMS = "streams"
    UNDECODED = "undecoded"
    SPAN = "span"


_AT_ONCE = 1 << 18
"""Rows that are merged together: fewer would take longer, more too much memory."""

_WORD = pa.dictionary(pa.int32(), pa.string())
"""Texts that come again and again: each once, so that rows are told apart by numbers."""
_FIELDS: list[pa.Field[Any]] = [
    pa.field("aspect", _WORD, nullable=False),
    pa.field("bucket", pa.int64()),
    pa.field("width", pa.int64()),
    pa.field("protocol", _WORD),
    pa.field("client", _WORD),
    pa.field("user", _WORD),
    pa.field("name", _WORD),
    pa.field("target", _WORD),
    pa.field("pace", _WORD),
    pa.field("status", _WORD),
    pa.field("error_class", _WORD),
    pa.field("latencies", pa.binary()),
    pa.field("first", pa.int64()),
    pa.field("last", pa.int64()),
    pa.field("calls", pa.int64()),
    pa.field("retries", pa.int64()),
    pa.field("request_bytes", pa.int64()),
    pa.field("reply_bytes", pa.int64()),
    pa.field("latency_sum_us", pa.int64()),
    pa.field("latency_max_us", pa.int64()),
]
SCHEMA = pa.schema(_FIELDS)

SUMS = ("calls", "retries", "request_bytes", "reply_bytes", "latency_sum_us")
MAXIMA = ("latency_max_us",)
HOW: list[tuple[str, Any]] = [
    *((name, "sum") for name in SUMS),
    *((name, "max") for name in MAXIMA),
    ("first", "min"),
    ("last", "max"),
]


def merge(table: pa.Table) -> pa.Table:
    """Add up rows of the same key, with calls and latencies in buckets all of one width.

    That width is the widest there is, and wider while there are more than `MAX_BUCKETS`.
    Repeats keep their own buckets, a second each: they tell how fast the same call came again.
    """
    return merge_batches(table.select(SCHEMA.names).cast(SCHEMA).to_batches())


def merge_batches(batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Merge traffic as it comes: not much more is kept than what is merged."""
    merged = MergedTraffic(buckets=MAX_BUCKETS, clock_end=CLOCK_END)
    for some in _many(batches):
        merged.add(some)
    whole: Any = merged.finish()
    return pa.Table.from_batches([pa.record_batch(whole)]).cast(SCHEMA)


def _many(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    some: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        some.append(batch)
        rows += batch.num_rows
        if rows >= _AT_ONCE:
            yield some
            some, rows = [], 0
    yield some


def time_line(table: pa.Table) -> tuple[int, int | None, int | None]:
    """Return the width of the buckets of a merged table, and the starts of both ends."""
    ends = (end.as_py() for end in pc.min_max(table["bucket"]).values())
    first, last = (None if end is None else int(end) for end in ends)
    return int(pc.max(table["width"]).as_py() or SECOND), first, last
