"""Queries of findings and plots on the merged table of traffic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire.capture._aggregates import AGGREGATIONS, OTHERS_LABEL, Aspect, merge, time_line
from jvmwire.report._thresholds import DEFAULTS, Thresholds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


class Status(StrEnum):
    """The outcome of a call."""

    OK = "ok"
    ERROR = "error"
    FATAL = "fatal"
    LOST = "lost"
    OPEN = "open"
    """Not ended: the capture ended first, or the call was made to wait."""
    REFUSED = "refused"
    """Ended with an error that is normal for the method, such as a lookup of a missing entry."""


FAILED = (Status.ERROR, Status.FATAL, Status.LOST)
"""Outcomes of failed calls."""


class Pace(StrEnum):
    """The dependency of a call's duration, if it is not an ordinary call."""

    WAITS = "waits"
    """Depends on another client: a long poll, a lock, a barrier, a task."""
    BACKGROUND = "background"
    """Depends on a timer of the system: heartbeats and periodic reports."""


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
    """Time of the first call in microseconds; None without a clock."""
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Traffic:
    """The merged table by aspect, and its time line.

    Args:
        calls: Rows of the aspect `calls`.
        methods: Totals of each method, most calls first.
        latency: Rows of the aspect `latency`.
        repeats: Rows of the aspect `repeats`.
        contexts: Rows of the aspect `contexts`.
        directories: Rows of the aspect `directories`.
        others: Rows of all other aspects.
        width: Width of a bucket in microseconds.
        first: Start of the first bucket in microseconds; None without a clock.
        last: Start of the last bucket in microseconds; None without a clock.
        thresholds: The thresholds of findings on this traffic.
    """

    calls: pa.Table
    methods: Sequence[Total]
    latency: pa.Table
    repeats: pa.Table
    contexts: pa.Table
    directories: pa.Table
    others: pa.Table
    """The rows of all other aspects."""
    width: int
    first: int | None
    last: int | None
    thresholds: Thresholds = DEFAULTS
    """The thresholds of findings on this traffic."""

    @classmethod
    def from_table(cls, table: pa.Table) -> Traffic:
        """Merge `table` and lay out its time line.

        Args:
            table: Rows with the columns of `SCHEMA`.

        Returns:
            The traffic, by aspect.
        """
        return cls.from_merged(merge(table))

    @classmethod
    def from_merged(cls, merged: pa.Table, thresholds: Thresholds = DEFAULTS) -> Traffic:
        """Lay out the time line of a merged table.

        Args:
            merged: A table from `merge`.
            thresholds: The thresholds of findings. Default: those of a report that is given none.

        Returns:
            The traffic, by aspect.
        """
        calls = aspect(merged, Aspect.CALLS)
        width, first, last = time_line(calls)
        return cls(
            calls=calls,
            methods=totals(calls, "name"),
            latency=aspect(merged, Aspect.LATENCY),
            repeats=aspect(merged, Aspect.REPEATS),
            contexts=aspect(merged, Aspect.CONTEXTS),
            directories=aspect(merged, Aspect.DIRECTORIES),
            others=aspect(merged, *_OTHERS),
            width=width,
            first=first,
            last=last,
            thresholds=thresholds,
        )

    @property
    def ends(self) -> tuple[int, int] | None:
        """Times of the first and the last call in microseconds; None without a clock."""
        first, last = (pc.min(self.calls["first"]).as_py(), pc.max(self.calls["last"]).as_py())
        return None if first is None or last is None else (first, last)

    @property
    def foreground(self) -> pa.Table:
        """The rows of calls that are not made by timers of the system."""
        return having(self.calls, "pace", [None, Pace.WAITS])

    @property
    def failed(self) -> pa.Table:
        """The rows of calls that ended in an unexpected error or without a reply."""
        return having(self.calls, "status", FAILED)

    def ended(self, status: Status) -> int:
        """Return the number of calls with an outcome.

        Args:
            status: The outcome.

        Returns:
            The number of calls.
        """
        return count(having(self.calls, "status", [status]))

    @property
    def retries(self) -> int:
        """Number of calls that carried a retry count."""
        return int(pc.sum(self.calls["retries"]).as_py() or 0)

    @property
    def count(self) -> int:
        """Number of calls."""
        return count(self.calls)

    @property
    def counted_together(self) -> int:
        """Number of calls with a client, user, method or error class counted with others."""
        rows = self.calls
        columns = ("client", "user", "name", "error_class")
        are_together = [is_one_of(rows, column, [OTHERS_LABEL]) for column in columns]
        return count(rows.filter(reduce(pc.or_, are_together)))

    def over_time(self, table: pa.Table | None = None) -> dict[int, int]:
        """Return the calls by bucket, without those that have no clock.

        Args:
            table: The rows to add up; None (the default) is all calls.

        Returns:
            The numbers of calls by bucket.
        """
        by_bucket = counts(self.calls if table is None else table, "bucket")
        return {bucket: calls for bucket, calls in by_bucket if bucket is not None}

    def moments(self, table: pa.Table) -> dict[int, tuple[int, int]]:
        """Return the times of the first and the last call by bucket of `table`.

        Args:
            table: Rows of calls.

        Returns:
            Pairs of the first and the last time, by bucket.
        """
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
        """The starts of all buckets from the first to the last, including empty ones."""
        if self.first is None or self.last is None:
            return range(0)
        return range(self.first, self.last + 1, self.width)


_OTHERS = (
    Aspect.SLOWEST,
    Aspect.CONNECTIONS,
    Aspect.HEALTH,
    Aspect.MESSAGES,
    Aspect.STREAMS,
    Aspect.UNDECODED,
    Aspect.SPAN,
)


def aspect(table: pa.Table, *wanted: Aspect) -> pa.Table:
    """Return the rows of some aspects of a merged table."""
    return having(table, "aspect", wanted)


def having(table: pa.Table, column: str, wanted: Sequence[str | None]) -> pa.Table:
    """Return the rows of a merged table with one of the `wanted` values in `column`."""
    return table.filter(is_one_of(table, column, wanted))


def is_one_of(table: pa.Table, column: str, wanted: Sequence[str | None]) -> Any:
    """Return per row of a merged table whether `column` has one of the `wanted` values."""
    words: Any = table[column].combine_chunks()
    # Searched in the small dictionary, not in each row.
    is_wanted = pc.is_in(words.dictionary, value_set=pa.array(wanted, pa.string()))
    return pc.fill_null(is_wanted.take(words.indices), None in wanted)


def plain(table: pa.Table) -> pa.Table:
    """Decode dictionary columns of `table`, which Arrow can neither sort nor convert quickly."""
    fields = [
        pa.field(field.name, field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def count(table: pa.Table) -> int:
    """Return the sum of the calls of `table`."""
    return int(pc.sum(table["calls"]).as_py() or 0)


def counts(table: pa.Table, *keys: str) -> Iterator[tuple[Any, ...]]:
    """Yield the keys and the sum of the calls of `table` per key, unordered, without a list.

    There may be tens of thousands, and the garbage collector repeatedly visits stored objects.
    """
    grouped = plain(table.group_by(list(keys), use_threads=False).aggregate([("calls", "sum")]))
    return zip(*(grouped[name].to_pylist() for name in (*keys, "calls_sum")), strict=True)


def undercount(table: pa.Table) -> int:
    """Return the most calls of one job or directory that rows of `table` count elsewhere."""
    return int(pc.sum(table["undercount"]).as_py() or 0)


def totals(table: pa.Table, *keys: str) -> list[Total]:
    """Return the totals of `table` by `keys`: most calls first, then in the order of the keys."""
    grouped = plain(table.group_by(list(keys), use_threads=False).aggregate(AGGREGATIONS))
    # Sorted by Arrow, since there may be hundreds of thousands; nulls come last.
    by_key: list[tuple[str, Literal["ascending", "descending"]]] = [
        (key, "ascending") for key in keys
    ]
    grouped = grouped.sort_by([("calls_sum", "descending"), *by_key])
    measures: list[Any] = [grouped[f"{name}_{how}"] for name, how in AGGREGATIONS]
    columns = [
        (measure if name in {"first", "last"} else pc.fill_null(measure, 0)).to_pylist()
        for measure, (name, _) in zip(measures, AGGREGATIONS, strict=True)
    ]
    of_keys = zip(*(grouped[key].to_pylist() for key in keys), strict=True)
    return list(map(Total, of_keys, *columns))


def groups(table: pa.Table, *keys: str) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each group of rows of `table`, which is sorted by `keys`."""
    begins: list[int] = np.flatnonzero(begins_group(table, *keys)).tolist()
    return pairwise([*begins, table.num_rows])


def begins_group(table: pa.Table, *keys: str) -> NDArray[np.bool_]:
    """Return per row whether its key differs from that of the row before."""
    another = np.zeros(table.num_rows, dtype=bool)
    another[:1] = True
    for name in keys:
        texts: Any = table[name].combine_chunks()
        codes = np.asarray(texts.dictionary_encode("encode").indices)
        another[1:] |= codes[1:] != codes[:-1]
    return another


def sort_key(key: Sequence[Any]) -> tuple[tuple[bool, Any], ...]:
    """Return a comparable key for a key with nulls: nulls come last."""
    return tuple((part is None, 0 if part is None else part) for part in key)
