"""Repeated calls: rows of traffic, grouped into runs without a long pause.

There may be tens of thousands of runs, of which a page shows a few; only these become objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire.capture._aggregates import MAX_BUCKETS, SECOND
from jvmwire.report._traffic import begins_group, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from jvmwire.report._thresholds import Thresholds


REPEATED = 8
"""Calls from which a run is reported even if it is not a storm."""

PAUSE = 8 * SECOND
"""Microseconds without a call that end a run; with wide buckets, at least two bucket widths."""


class BucketSlice(NamedTuple):
    """The calls of a run in one bucket."""

    start: int | None
    width: int
    calls: int
    retries: int
    first: int | None
    """Time of the first call in microseconds; None without a clock."""
    last: int | None


class Runs:
    """Runs of rows that share a key and have no pause longer than `PAUSE`, numbered from 0."""

    def __init__(
        self, table: pa.Table, *keys: str, thresholds: Thresholds, retried: float = 0
    ) -> None:
        """Aggregate `table` by key and bucket; drop rows with a smaller share of retries.

        Rows are dropped if their share of retries is below `retried`.
        """
        rows = table.group_by([*keys, "pace", "bucket", "width"], use_threads=False).aggregate(
            [("calls", "sum"), ("retries", "sum"), ("first", "min"), ("last", "max")]
        )
        least: Any = pc.multiply(rows["calls_sum"], pa.scalar(retried))
        rows = plain(rows.filter(pc.greater_equal(rows["retries_sum"], least)))
        self._keys = keys
        self._rows = rows.sort_by([(name, "ascending") for name in (*keys, "bucket", "width")])
        of_another = begins_group(self._rows, *keys)
        self._begins = np.flatnonzero(of_another | _after_a_pause(self._rows))
        self._ends = np.append(self._begins[1:], len(of_another))
        calls, retries = (self._sums(name) for name in ("calls_sum", "retries_sum"))
        storms = (calls >= thresholds.storm_calls) & (retries >= thresholds.storm_share * calls)
        # Most calls first, then the existing order by key and time.
        ranked = np.argsort(-calls, kind="stable")
        # Long polls and heartbeats repeat by design. Rare repetitions are recorded only at the
        # edges of a capture's parts.
        ordinary = (calls >= REPEATED) & ~np.asarray(pc.is_valid(self._rows["pace"]))[self._begins]
        others = ranked[~storms[ranked] & ordinary[ranked]]
        key = np.cumsum(of_another)[self._begins]
        longest = np.sort(np.unique(key[others], return_index=True)[1])
        self.storms: Sequence[int] = ranked[storms[ranked]].tolist()
        """Numbers of the runs that look like a retry storm, most calls first."""
        self.longest: Sequence[int] = others[longest].tolist()
        """Numbers of other runs: the longest per key, since a poll has many runs."""

    def key(self, run: int) -> tuple[str | None, ...]:
        """Return the key that the rows of a run share."""
        at = int(self._begins[run])
        return tuple(self._rows[name][at].as_py() for name in self._keys)

    def slices(self, run: int) -> tuple[BucketSlice, ...]:
        """Return the calls of a run in order, in at most `MAX_BUCKETS` slices."""
        begin, end = int(self._begins[run]), int(self._ends[run])
        columns = ("bucket", "width", "calls_sum", "retries_sum", "first_min", "last_max")
        rows = self._rows.slice(begin, end - begin)
        return _joined(
            BucketSlice(start, width or SECOND, calls, retries, first, last)
            for start, width, calls, retries, first, last in zip(
                *(rows[name].to_pylist() for name in columns), strict=True
            )
        )

    def worst_second(self, run: int) -> int | None:
        """Return the most calls in a clock second; None if they were counted in longer buckets."""
        begin, end = int(self._begins[run]), int(self._ends[run])
        rows = self._rows.slice(begin, end - begin)
        if rows["first_min"].null_count or _numbers(rows["width"]).max() > SECOND:
            return None
        return int(_numbers(rows["calls_sum"]).max())

    def _sums(self, name: str) -> NDArray[np.int64]:
        before = np.append(0, np.cumsum(_numbers(self._rows[name])))
        sums: NDArray[np.int64] = before[self._ends] - before[self._begins]
        return sums


def _joined(slices: Iterable[BucketSlice]) -> tuple[BucketSlice, ...]:
    """Merge neighbouring slices into wider buckets until there are at most `MAX_BUCKETS`."""
    some = tuple(slices)
    while len(some) > MAX_BUCKETS:
        width = 2 * max(part.width for part in some)
        wider: dict[int | None, BucketSlice] = {}
        for part in some:
            start = None if part.start is None else part.start // width * width
            before = wider.get(start)
            wider[start] = (
                part._replace(start=start, width=width)
                if before is None
                else BucketSlice(
                    start,
                    width,
                    before.calls + part.calls,
                    before.retries + part.retries,
                    min((ts for ts in (before.first, part.first) if ts is not None), default=None),
                    max((ts for ts in (before.last, part.last) if ts is not None), default=None),
                )
            )
        some = tuple(wider.values())
    return some


def _after_a_pause(rows: pa.Table) -> NDArray[np.bool_]:
    """Return per row whether a pause separates it from the row before, or only one has a clock."""
    timed = _numbers(pc.is_valid(rows["first_min"]))
    first, last, width = (_numbers(rows[name]) for name in ("first_min", "last_max", "width"))
    after = np.zeros(rows.num_rows, dtype=bool)
    pause = np.maximum(PAUSE, width[:-1] + width[1:])
    after[1:] = (timed[1:] != timed[:-1]) | (first[1:] - last[:-1] > pause)
    return after


def _numbers(column: Any) -> NDArray[Any]:
    """Convert a column to NumPy, with 0 for null."""
    return np.asarray(pc.fill_null(column, pa.scalar(0).cast(column.type)))
