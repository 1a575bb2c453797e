"""Latencies of one method over time, and the detection of a lasting rise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report._findings.change_point import find_change_point

if TYPE_CHECKING:
    from jvmwire._core import LatencySketch
    from jvmwire.report._findings.quantiles import Series

POINT_CALLS = {"median": 10, "p99": 100}
"""Minimum answered calls per point of a series: buckets are joined to reach the number."""

POINTS = 100
"""Maximum points of a series; more points only add noise."""

QUANTILES = {"median": 0.5, "p99": 0.99}


@dataclass(frozen=True, slots=True)
class Point:
    """A period with enough calls for a quantile; it lasts until the next point."""

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
        """Ratio of the value after the rise to the value before."""
        return self.after / max(self.before, 1.0)


@dataclass(frozen=True, slots=True)
class History:
    """A method's quantiles over time."""

    label: str
    points: tuple[Point, ...]
    end: int
    rise: Rise | None


def find_rise(series: Series, ratio: float) -> Rise | None:
    """Return the lasting rise, by at least `ratio`, of a method's median, or else of its p99."""
    for measure, q in QUANTILES.items():
        points = _joined(series, POINT_CALLS[measure])
        cut = find_change_point([part.quantile(q) for _, part in points], ratio)
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
    """Return the bucket that best separates calls faster than `middle` from slower calls."""
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
    """Return the quantiles of `series` over time; its buckets are `width` microseconds wide."""
    points = tuple(
        Point(series.starts[at], part.quantile(0.5), part.quantile(0.99))
        for at, part in _joined(series, POINT_CALLS["median"])
    )
    return History(label, points, series.starts[-1] + width if series.starts else 0, found)


def _joined(series: Series, least: int) -> list[tuple[int, LatencySketch]]:
    """Join adjacent buckets until each part has `least` calls; a smaller remainder is left out.

    Each part comes with the index of its first bucket.
    """
    least = max(least, -(-sum(series.calls) // POINTS))
    bounds, answered = [0], 0
    for end, calls in enumerate(series.calls, 1):
        answered += calls
        if answered >= least:
            bounds.append(end)
            answered = 0
    return list(zip(bounds, series.pool(bounds), strict=False))
