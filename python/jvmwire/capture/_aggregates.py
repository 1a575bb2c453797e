"""Aggregated traffic in long form: one table with one aspect and one key per row.

- `calls`: the number of calls by kind, outcome and bucket of time. `status` is that of the table
  `calls`, or `open` (nothing ended the call: its connection continued when the capture ended, or
  the call was made to wait) or `refused` (an error that is normal for the method). `pace` is
  `waits` or `background` where time or caller are not those of an ordinary call.
- `latency`: the durations of the answered calls, by bucket and method: a packed `LatencySketch`.
- `repeats`: calls that were made at least 8 times in 16 seconds of the clock, byte for byte, and
  then for as long as they continue: by second. Calls at both ends of the decoded part are included
  from 2 times on, since another part of the capture may add to them.
- `contexts`: the calls of each job (`context`: the part of the caller context that all calls of a
  job share), by bucket, user, method and status.
- `directories`: the calls in each directory (`target`: at most four levels deep; of other
  protocols, the structure, segment or component), by user, method and status. Those of a directory
  are its rows and the rows below it.
- `slowest`: the ten slowest calls, one row each, without those that wait and those of timers.
- `connections`: connections that were opened (`status`; from the middle: seen first) and closed, by
  bucket and protocol.
- `health`: connections by protocol that are incomplete (`status`): `lost` bytes (`request_bytes`
  of the client, `reply_bytes` of the server), `retransmitted` and `differing` bytes, `midstream`
  (their begin was not captured), `one-sided`, `reset` and `evicted` ones.
- `messages`, `streams`: their number (`calls`), by protocol.
- `undecoded`: rows (`calls`) and bytes (`request_bytes`), by reason (`error_class`).
- `span`: from the first message (`bucket`), for `width`.

The size of the table is limited. Of a text longer than 1 KiB, the first 256 bytes, its length and a
hash are kept. If a capture has more clients, users, methods or error classes than fit into 16 MiB
(merged: 64 MiB), or more than 200,000 keys (merged: a million rows), the others are counted in rows
that are labelled `OTHERS_LABEL`; rows beyond the number of keys have no bucket. Sums over all
rows stay exact. Repeats are not combined: beyond their limit, the least frequent ones are dropped.
Jobs and directories beyond theirs are counted as `OTHERS_LABEL` or in the directory above, the
least frequent ones first; a row with `undercount` says how many calls of one of them that are at
most.

A bucket only says where calls are counted. `first` and `last` are the times of the first and the
last of them, in microseconds.
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
"""Microseconds per second: every time in the table is in microseconds."""

MAX_BUCKETS = 400
"""Maximum buckets of a time line: at most one per two pixels of a page 780 px wide."""

CLOCK_END = (1 << 32) * SECOND
"""Times from here on (February 2106) are rejected: classic pcap cannot represent them."""


OTHERS_LABEL = "(others)"
"""The common name of clients, users, methods or error classes that are counted together."""


class Aspect(StrEnum):
    """The quantity that a row of the table counts."""

    CALLS = "calls"
    LATENCY = "latency"
    REPEATS = "repeats"
    CONTEXTS = "contexts"
    DIRECTORIES = "directories"
    SLOWEST = "slowest"
    CONNECTIONS = "connections"
    HEALTH = "health"
    MESSAGES = "messages"
    STREAMS = "streams"
    UNDECODED = "undecoded"
    SPAN = "span"


_MERGE_ROWS = 1 << 18
"""Rows per merge: fewer rows take longer, more rows take too much memory."""

_DICTIONARY_TYPE = pa.dictionary(pa.int32(), pa.string())
"""Dictionary-encoded text, so that rows are compared by numbers."""
_FIELDS: list[pa.Field[Any]] = [
    pa.field("aspect", _DICTIONARY_TYPE, nullable=False),
    pa.field("bucket", pa.int64()),
    pa.field("width", pa.int64()),
    pa.field("protocol", _DICTIONARY_TYPE),
    pa.field("client", _DICTIONARY_TYPE),
    pa.field("user", _DICTIONARY_TYPE),
    pa.field("name", _DICTIONARY_TYPE),
    pa.field("target", _DICTIONARY_TYPE),
    pa.field("pace", _DICTIONARY_TYPE),
    pa.field("status", _DICTIONARY_TYPE),
    pa.field("error_class", _DICTIONARY_TYPE),
    pa.field("context", _DICTIONARY_TYPE),
    pa.field("latencies", pa.binary()),
    pa.field("first", pa.int64()),
    pa.field("last", pa.int64()),
    pa.field("calls", pa.int64()),
    pa.field("retries", pa.int64()),
    pa.field("request_bytes", pa.int64()),
    pa.field("reply_bytes", pa.int64()),
    pa.field("latency_sum_us", pa.int64()),
    pa.field("latency_max_us", pa.int64()),
    pa.field("undercount", pa.int64()),
]
SCHEMA = pa.schema(_FIELDS)

SUMS = ("calls", "retries", "request_bytes", "reply_bytes", "latency_sum_us")
MAXIMA = ("latency_max_us",)
AGGREGATIONS: list[tuple[str, Any]] = [
    *((name, "sum") for name in SUMS),
    *((name, "max") for name in MAXIMA),
    ("first", "min"),
    ("last", "max"),
]


def merge(table: pa.Table) -> pa.Table:
    """Add up rows of the same key, with calls and latencies in buckets of one width.

    The width is the largest in the input, and larger if there would be more than `MAX_BUCKETS`.
    Repeats keep their own buckets of one second, which show how fast the same call came again.

    Args:
        table: Rows with the columns of `SCHEMA`.

    Returns:
        The merged table, with the columns of `SCHEMA`.
    """
    return merge_batches(table.select(SCHEMA.names).cast(SCHEMA).to_batches())


def merge_batches(batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Merge a stream of traffic batches; memory is bounded by about the size of the result.

    Args:
        batches: Record batches with the columns of `SCHEMA`.

    Returns:
        The merged table, with the columns of `SCHEMA`.
    """
    merged = MergedTraffic(buckets=MAX_BUCKETS, clock_end=CLOCK_END)
    for some in _batches_of(batches):
        merged.add(some)
    whole: Any = merged.finish()
    return pa.Table.from_batches([pa.record_batch(whole)]).cast(SCHEMA)


def _batches_of(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    some: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        some.append(batch)
        rows += batch.num_rows
        if rows >= _MERGE_ROWS:
            yield some
            some, rows = [], 0
    yield some


def time_line(table: pa.Table) -> tuple[int, int | None, int | None]:
    """Return the bucket width of a merged table, and the starts of its first and last bucket.

    Args:
        table: A table from `merge`.

    Returns:
        Three times in microseconds; both starts are None if there is no bucket.
    """
    ends = (end.as_py() for end in pc.min_max(table["bucket"]).values())
    first, last = (None if end is None else int(end) for end in ends)
    return int(pc.max(table["width"]).as_py() or SECOND), first, last
