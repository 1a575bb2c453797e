"""The same call over and over: rows of traffic, in runs of buckets that touch.

There may be tens of thousands, of which a page shows a few: only these become objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire.capture.traffic import SECOND
from jvmwire.report.traffic import begins_group, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STORM_CALLS = 20
"""Calls in a row of buckets from which repeating is a storm: clients give up after 10 or so."""

STORM_SHARE = 0.5
"""Share of them that failed or were retries: a poll that succeeds is no storm."""


class Slice(NamedTuple):
    """What a run did in one bucket."""

    start: int | None
    width: int
    calls: int
    retries: int


class Runs:
    """Rows that share a key, without a pause of more than a bucket; the runs go by number."""

    def __init__(self, table: pa.Table, *keys: str, retried: float = 0) -> None:
        """Add up `table` by key and bucket; leave out what was retried to a smaller share."""
        rows = table.group_by([*keys, "bucket", "width"], use_threads=False).aggregate(
            [("calls", "sum"), ("retries", "sum")]
        )
        least: Any = pc.multiply(rows["calls_sum"], pa.scalar(retried))
        rows = plain(rows.filter(pc.greater_equal(rows["retries_sum"], least)))
        self._keys = keys
        self._rows = rows.sort_by([(name, "ascending") for name in (*keys, "bucket", "width")])
        of_another = begins_group(self._rows, *keys)
        self._begins = np.flatnonzero(of_another | _after_a_pause(self._rows))
        self._ends = np.append(self._begins[1:], len(of_another))
        calls, retries = (self._sums(name) for name in ("calls_sum", "retries_sum"))
        storms = (calls >= STORM_CALLS) & (retries >= STORM_SHARE * calls)
        # The most calls first, then by key and time, as they are.
        ranked = np.argsort(-calls, kind="stable")
        others = ranked[~storms[ranked]]
        key = np.cumsum(of_another)[self._begins]
        longest = np.sort(np.unique(key[others], return_index=True)[1])
        self.storms: Sequence[int] = ranked[storms[ranked]].tolist()
        """Runs that look like a retry storm, the most calls first."""
        self.longest: Sequence[int] = others[longest].tolist()
        """Of the others the longest of each key: a poll comes again and again."""

    def key(self, run: int) -> tuple[str | None, ...]:
        """Return what the rows of a run share."""
        at = int(self._begins[run])
        return tuple(self._rows[name][at].as_py() for name in self._keys)

    def slices(self, run: int) -> tuple[Slice, ...]:
        """Return the rows of a run, in order."""
        begin, end = int(self._begins[run]), int(self._ends[run])
        columns = ("bucket", "width", "calls_sum", "retries_sum")
        rows = self._rows.slice(begin, end - begin)
        return tuple(
            Slice(start, width or SECOND, calls, retries)
            for start, width, calls, retries in zip(
                *(rows[name].to_pylist() for name in columns), strict=True
            )
        )

    def _sums(self, name: str) -> NDArray[np.int64]:
        before = np.append(0, np.cumsum(_numbers(self._rows[name])))
        sums: NDArray[np.int64] = before[self._ends] - before[self._begins]
        return sums


def _after_a_pause(rows: pa.Table) -> NDArray[np.bool_]:
    """Say of each row whether more than a bucket lies between it and the one before, or a clock."""
    timed = _numbers(pc.is_valid(rows["bucket"]))
    starts, widths = _numbers(rows["bucket"]), _numbers(rows["width"])
    after = np.zeros(rows.num_rows, dtype=bool)
    after[1:] = (timed[1:] != timed[:-1]) | (starts[1:] > starts[:-1] + widths[:-1] + widths[1:])
    return after


def _numbers(column: Any) -> NDArray[Any]:
    """Take a column to NumPy, with nought for nothing."""
    return np.asarray(pc.fill_null(column, pa.scalar(0).cast(column.type)))
