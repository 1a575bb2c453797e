"""One method's latencies over time, and whether they rose for good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report.findings.change import rise

if TYPE_CHECKING:
    from jvmwire._core import LatencySketch
    from jvmwire.report.findings.quantiles import Series

POINT_CALLS = {"median": 10, "p99": 100}
"""Answered calls in one point of a series: buckets are joined until they hold as many."""

POINTS = 100
"""Points of a series at most; more only add noise."""

QUANTILES = {"median": 0.5, "p99": 0.99}


@dataclass(frozen=True, slots=True)
class Point:
    """A stretch of time with enough calls for a quantile; it lasts until the next."""

    start: int
    p50: int
    p99: int


@dataclass(frozen=True, slots=True)
class Rise:
    """A lasting rise of a method's median or p99."""

    measure: str
    since: int
    before: int
    after: int

    @property
    def ratio(self) -> float:
        """How many times what it was before."""
        return self.after / max(self.before, 1.0)


@dataclass(frozen=True, slots=True)
class History:
    """A method's quantiles over time."""

    label: str
    points: tuple[Point, ...]
    end: int
    rise: Rise | None


def find_rise(series: Series) -> Rise | None:
    """Find the bucket from which a method's median, or else its p99, stays above."""
    for measure, q in QUANTILES.items():
        points = _joined(series, POINT_CALLS[measure])
        cut = rise([part.quantile(q) for _, part in points])
        if cut is not None:
            since = points[cut][0]
            before, after = _sides(series, since, q)
            if measure == "median":
                first, last = points[cut - 1][0], points[min(cut + 1, len(points) - 1)][0]
                since = _boundary(series, first, last + 1, math.sqrt(before * after))
                before, after = _sides(series, since, q)
            return Rise(measure, series.starts[since], before, after)
    return None


def _sides(series: Series, since: int, q: float) -> tuple[int, int]:
    before, after = series.pool((0, since, len(series.starts)))
    return before.quantile(q), after.quantile(q)


def _boundary(series: Series, first: int, end: int, middle: float) -> int:
    """Find the bucket, of some, that parts calls faster than `middle` from slower ones best."""
    slow = [bucket.above(int(middle)) for bucket in series.pool(range(first, end + 1))]
    calls = series.calls[first:end]
    wrong = sum(calls) - sum(slow)
    best, boundary = wrong, first
    for at in range(1, end - first):
        wrong += 2 * slow[at - 1] - calls[at - 1]
        if wrong < best:
            best, boundary = wrong, first + at
    return boundary


def history(label: str, series: Series, *, width: int, found: Rise | None) -> History:
    """Draw up the quantiles of `series`; its buckets are `width` wide."""
    points = tuple(
        Point(series.starts[at], part.quantile(0.5), part.quantile(0.99))
        for at, part in _joined(series, POINT_CALLS["median"])
    )
    return History(label, points, series.starts[-1] + width if series.starts else 0, found)


def _joined(series: Series, least: int) -> list[tuple[int, LatencySketch]]:
    """Join neighbours until each holds `least` calls; a rest smaller than that is left out.

    Returns the number of the first that are joined, too.
    """
    least = max(least, -(-sum(series.calls) // POINTS))
    bounds, answered = [0], 0
    for end, calls in enumerate(series.calls, 1):
        answered += calls
        if answered >= least:
            bounds.append(end)
            answered = 0
    return list(zip(bounds, series.pool(bounds), strict=False))
