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
                near = [(start, part) for start, part in series if first <= start <= last]
                since = _boundary(near, math.sqrt(before * after))
                before, after = _sides(series, since, q)
            return Rise(measure, since, before, after)
    return None


def _sides(series: Series, since: int, q: float) -> tuple[int, int]:
    before = pool(part for start, part in series if start < since)
    after = pool(part for start, part in series if start >= since)
    return before.quantile(q), after.quantile(q)


def _boundary(series: Series, middle: float) -> int:
    """Find the bucket that parts calls faster than `middle` from slower ones with least error."""
    wrong = sum(part.calls - part.above(int(middle)) for _, part in series)
    best, at = wrong, series[0][0]
    for (_, part), (start, _) in pairwise(series):
        wrong += 2 * part.above(int(middle)) - part.calls
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
    least = max(least, -(-sum(part.calls for _, part in series) // POINTS))
    begun, calls = 0, 0
    parts: list[LatencySketch] = []
    for start, part in series:
        begun = begun if parts else start
        calls += part.calls
        parts.append(part)
        if calls >= least:
            yield begun, pool(parts)
            calls, parts = 0, []
