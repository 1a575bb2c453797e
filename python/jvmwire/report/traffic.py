"""The merged table of traffic, as findings and plots ask it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire.capture.traffic import HOW, TOGETHER, Aspect, merge, time_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


class Status(StrEnum):
    """How a call ended."""

    OK = "ok"
    ERROR = "error"
    FATAL = "fatal"
    LOST = "lost"
    OPEN = "open"
    """Nothing ended it: the capture did, or it was made to wait."""
    REFUSED = "refused"
    """Its error is normal for the method, as when something is looked up that is not there."""


class Pace(StrEnum):
    """What the time of a call depends on, if it is no ordinary one."""

    WAITS = "waits"
    """Another client: a long poll, a lock, a barrier, a task."""
    BACKGROUND = "background"
    """A timer of the system: heartbeats and periodic reports."""


class Total(NamedTuple):
    """The measures of all rows that share a key."""

    key: tuple[Any, ...]
    calls: int
    retries: int
    request_bytes: int
    reply_bytes: int
    latency_sum_us: int
    latency_max_us: int
    first: int | None = None
    """When the first call was made, in microseconds; None without a clock."""
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Traffic:
    """The merged table, by aspect, and its time line."""

    calls: pa.Table
    methods: Sequence[Total]
    """The calls of each method: the most called first."""
    latency: pa.Table
    repeats: pa.Table
    others: pa.Table
    """The rows of all other aspects."""
    width: int
    first: int | None
    """Start of the first bucket; None if nothing has a clock."""
    last: int | None
    """Start of the last bucket."""

    @classmethod
    def of(cls, table: pa.Table) -> Traffic:
        """Merge `table` and lay out its time line."""
        return cls.of_merged(merge(table))

    @classmethod
    def of_merged(cls, merged: pa.Table) -> Traffic:
        """Lay out the time line of a table that is merged."""
        calls = aspect(merged, Aspect.CALLS)
        width, first, last = time_line(calls)
        return cls(
            calls=calls,
            methods=totals(calls, "name"),
            latency=aspect(merged, Aspect.LATENCY),
            repeats=aspect(merged, Aspect.REPEATS),
            others=aspect(merged, *_OTHERS),
            width=width,
            first=first,
            last=last,
        )

    @property
    def ends(self) -> tuple[int, int] | None:
        """When the first and the last call were made, in microseconds; None without a clock."""
        first, last = (pc.min(self.calls["first"]).as_py(), pc.max(self.calls["last"]).as_py())
        return None if first is None or last is None else (first, last)

    @property
    def foreground(self) -> pa.Table:
        """The rows of calls that somebody made: no timer of the system."""
        return having(self.calls, "pace", [None, Pace.WAITS])

    @property
    def failed(self) -> pa.Table:
        """The rows of calls that ended in an error or in nothing, and should not have."""
        return having(self.calls, "status", [Status.ERROR, Status.FATAL, Status.LOST])

    def ended(self, status: Status) -> int:
        """How many calls ended so."""
        return count(having(self.calls, "status", [status]))

    @property
    def retries(self) -> int:
        """How many calls carried a retry count."""
        return int(pc.sum(self.calls["retries"]).as_py() or 0)

    @property
    def count(self) -> int:
        """How many calls there are."""
        return count(self.calls)

    @property
    def counted_together(self) -> int:
        """How many calls have a client, user, method or error class that is counted with others."""
        rows = self.calls
        columns = ("client", "user", "name", "error_class")
        are_together = [is_one_of(rows, column, [TOGETHER]) for column in columns]
        return count(rows.filter(reduce(pc.or_, are_together)))

    def over_time(self, table: pa.Table | None = None) -> dict[int, int]:
        """Add up the calls of `table`, or all, by bucket; those without a clock are left out."""
        by_bucket = counts(self.calls if table is None else table, "bucket")
        return {bucket: calls for bucket, calls in by_bucket if bucket is not None}

    def moments(self, table: pa.Table) -> dict[int, tuple[int, int]]:
        """Return when the first and the last call of each bucket of `table` were made."""
        by_bucket = table.group_by(["bucket"], use_threads=False)
        rows = by_bucket.aggregate([("first", "min"), ("last", "max")])
        columns = (rows[name].to_pylist() for name in ("bucket", "first_min", "last_max"))
        return {
            bucket: (first, last)
            for bucket, first, last in zip(*columns, strict=True)
            if bucket is not None and first is not None and last is not None
        }

    @property
    def buckets(self) -> range:
        """The starts of all buckets from the first to the last, quiet ones too."""
        if self.first is None or self.last is None:
            return range(0)
        return range(self.first, self.last + 1, self.width)


_OTHERS = (Aspect.MESSAGES, Aspect.STREAMS, Aspect.UNDECODED, Aspect.SPAN)


def aspect(table: pa.Table, *wanted: Aspect) -> pa.Table:
    """Keep the rows of some aspects of a merged table."""
    return having(table, "aspect", wanted)


def having(table: pa.Table, column: str, wanted: Sequence[str | None]) -> pa.Table:
    """Keep the rows of a merged table that have one of some words in `column`."""
    return table.filter(is_one_of(table, column, wanted))


def is_one_of(table: pa.Table, column: str, wanted: Sequence[str | None]) -> Any:
    """Return for each row of a merged table whether it has one of some words in `column`."""
    words: Any = table[column].combine_chunks()
    # Looked for among the words, which are few, and not in each row.
    is_wanted = pc.is_in(words.dictionary, value_set=pa.array(wanted, pa.string()))
    return pc.fill_null(is_wanted.take(words.indices), None in wanted)


def plain(table: pa.Table) -> pa.Table:
    """Write out the words of `table`, which Arrow can neither sort nor make Python's at once."""
    fields = [
        pa.field(field.name, field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def count(table: pa.Table) -> int:
    """Add up the calls of `table`."""
    return int(pc.sum(table["calls"]).as_py() or 0)


def counts(table: pa.Table, *keys: str) -> Iterator[tuple[Any, ...]]:
    """Add up the calls of `table` by `keys`: yield both, in no order, and make no list of them.

    There may be tens of thousands, and the garbage collector looks at what is kept again and again.
    """
    grouped = plain(table.group_by(list(keys), use_threads=False).aggregate([("calls", "sum")]))
    return zip(*(grouped[name].to_pylist() for name in (*keys, "calls_sum")), strict=True)


def totals(table: pa.Table, *keys: str) -> list[Total]:
    """Add up the rows of `table` by `keys`: most calls first, then in the order of the keys."""
    grouped = plain(table.group_by(list(keys), use_threads=False).aggregate(HOW))
    # There may be hundreds of thousands, which Arrow sorts at once; nulls come last.
    by_key: list[tuple[str, Literal["ascending", "descending"]]] = [
        (key, "ascending") for key in keys
    ]
    grouped = grouped.sort_by([("calls_sum", "descending"), *by_key])
    measures: list[Any] = [grouped[f"{name}_{how}"] for name, how in HOW]
    columns = [
        (measure if name in {"first", "last"} else pc.fill_null(measure, 0)).to_pylist()
        for measure, (name, _) in zip(measures, HOW, strict=True)
    ]
    of_keys = zip(*(grouped[key].to_pylist() for key in keys), strict=True)
    return list(map(Total, of_keys, *columns))


def groups(table: pa.Table, *keys: str) -> Iterator[tuple[int, int]]:
    """Yield where rows that share `keys` begin and end, of a table that is sorted by them."""
    begins: list[int] = np.flatnonzero(begins_group(table, *keys)).tolist()
    return pairwise([*begins, table.num_rows])


def begins_group(table: pa.Table, *keys: str) -> NDArray[np.bool_]:
    """Say of each row whether it has another key than the one before."""
    another = np.zeros(table.num_rows, dtype=bool)
    another[:1] = True
    for name in keys:
        texts: Any = table[name].combine_chunks()
        codes = np.asarray(texts.dictionary_encode("encode").indices)
        another[1:] |= codes[1:] != codes[:-1]
    return another


def sort_key(key: Sequence[Any]) -> tuple[tuple[bool, Any], ...]:
    """Make a key with nulls in it comparable: nulls last."""
    return tuple((part is None, 0 if part is None else part) for part in key)
