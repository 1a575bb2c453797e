"""One method's latencies over time, and whether they rose for good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from jvmwire.report.findings.change import rise
from jvmwire.report.findings.quantiles import Series, pool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._core import LatencySketch

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
        points = list(_joined(series, POINT_CALLS[measure]))
        cut = rise([part.quantile(q) for _, part in points])
        if cut is not None:
            since = points[cut][0]
            before, after = _sides(series, since, q)
            if measure == "median":
                first, last = points[cut - 1][0], points[min(cut + 1, len(points) - 1)][0]
                near = [part for part in series if first <= part[0] <= last]
                since = _boundary(near, math.sqrt(before * after))
                before, after = _sides(series, since, q)
            return Rise(measure, since, before, after)
    return None


def _sides(series: Series, since: int, q: float) -> tuple[int, int]:
    before = pool(part for part in series if part[0] < since)
    after = pool(part for part in series if part[0] >= since)
    return before.quantile(q), after.quantile(q)


def _boundary(series: Series, middle: float) -> int:
    """Find the bucket that parts calls faster than `middle` from slower ones with least error."""
    slow = [pool([part]).above(int(middle)) for part in series]
    wrong = sum(calls for _, calls, _ in series) - sum(slow)
    best, at = wrong, series[0][0]
    for above, ((_, calls, _), (start, _, _)) in zip(slow, pairwise(series), strict=False):
        wrong += 2 * above - calls
        if wrong < best:
            best, at = wrong, start
    return at


def history(label: str, series: Series, *, width: int, found: Rise | None) -> History:
    """Draw up the quantiles of `series`; its buckets are `width` wide."""
    points = tuple(
        Point(start, part.quantile(0.5), part.quantile(0.99))
        for start, part in _joined(series, POINT_CALLS["median"])
    )
    return History(label, points, series[-1][0] + width if series else 0, found)


def _joined(series: Series, least: int) -> Iterator[tuple[int, LatencySketch]]:
    """Join neighbours until each holds `least` calls; a rest smaller than that is left out."""
    least = max(least, -(-sum(calls for _, calls, _ in series) // POINTS))
    joined, answered = 0, 0
    for number, (_, calls, _) in enumerate(series, 1):
        answered += calls
        if answered >= least:
            yield series[joined][0], pool(series[joined:number])
            joined, answered = number, 0
