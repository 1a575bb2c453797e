"""Finding: times at which calls, failures or slow calls were far more frequent than otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import LatencySketch
from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.finding import (
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
)
from jvmwire.report._findings.heat_map import answered, packed
from jvmwire.report._formatting import duration, latency, number, ratio, share
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import count, having, totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from jvmwire.report._formatting import Clock
    from jvmwire.report._traffic import Traffic

    Counts = NDArray[np.float64]

FEWEST_BUCKETS = 8
"""Buckets from which a report looks for changes."""
MOST_BUCKETS = 240
"""Buckets between which changes are looked for; more are joined, as all pairs are compared."""
FEWEST_CALLS = 20
"""Calls of a change, at least."""
CHANGE_RATIO = 3.0
"""The rate within a change is at least this many times the rate of the other time."""
LONGEST_SHARE = 0.6
"""Share of the time that a change may last: a longer one is the usual state."""
EVIDENCE = 12.0
"""Logarithm of the likelihood ratio from which a change is no chance, for counts as scattered as
those of the other time; some 30,000 pairs of times are compared."""
SLOW_FACTOR = 10
"""A call is slow that takes this many times the median of all calls."""
NAMES = 8
"""Jobs, and users, whose calls are looked at."""
URGENT = ("slow", "failures")
"""Kinds of calls of which no more are wanted: their changes come first, in this order."""


@dataclass(frozen=True, slots=True)
class _Series:
    """Numbers of some calls per bucket, and what they are a part of."""

    what: str
    label: str
    counts: Counts
    base: Counts
    """Weight of each bucket: the time, or the number of calls of which these are a part."""
    of: str
    """What the calls are a part of, if not of time."""


@dataclass(frozen=True, slots=True)
class Change:
    """Time in which some calls were far more frequent than otherwise.

    Args:
        what: Kind of the calls: `calls`, `failures`, `slow`, `job` or `user`.
        label: Name of the calls for readers.
        start: First microsecond.
        end: First microsecond after it.
        calls: Number of these calls in that time.
        every: Number of these calls in all.
        times: Rate as a multiple of the rate of the other time; None if there were none.
        evidence: Logarithm of the likelihood ratio.
    """

    what: str
    label: str
    start: int
    end: int
    calls: int
    every: int
    times: float | None
    evidence: float


def find_changes(traffic: Traffic) -> Finding | None:
    """Find what changed when; None if there are too few calls or times to tell."""
    buckets = traffic.buckets
    if traffic.first is None or len(buckets) < FEWEST_BUCKETS:
        return None
    if count(traffic.foreground) < FEWEST_CALLS:
        return None
    joined = -(-len(buckets) // MOST_BUCKETS)
    grid = _Grid(traffic.first, traffic.width * joined, -(-len(buckets) // joined))
    found = [change for series in _series(traffic, grid) if (change := _find(series, grid))]
    found.sort(key=lambda change: (_urgency(change), -change.evidence, change.label))
    clock = clock_of(traffic)
    first = found[0] if found else None
    return Finding(
        kind="changes",
        question="What changed, and when?",
        sentence=_sentence(first, clock, len(found)),
        severity=Severity.NOTICE if first and first.what in URGENT else Severity.INFO,
        details=(_detail(found),) if found else (),
        clock=clock,
        data=None,
    )


def _urgency(change: Change) -> int:
    return URGENT.index(change.what) if change.what in URGENT else len(URGENT)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The buckets in which calls are counted here."""

    first: int
    width: int
    size: int

    def counts(self, table: pa.Table) -> Counts:
        """Return the calls of `table` by bucket, without those that have no clock."""
        rows = table.select(["bucket", "calls"])
        rows = rows.filter(pc.is_valid(rows["bucket"]))
        places = (np.asarray(rows["bucket"]) - self.first) // self.width
        weights = np.asarray(rows["calls"], dtype=np.float64)
        found = np.bincount(np.clip(places, 0, self.size - 1), weights, minlength=self.size)
        return found.astype(np.float64)


def _series(traffic: Traffic, grid: _Grid) -> Iterator[_Series]:
    calls, time = grid.counts(traffic.foreground), np.ones(grid.size)
    yield _Series("calls", "calls", calls, time, "")
    yield _Series("failures", "failures", grid.counts(traffic.failed), calls, "calls")
    yield from _slow(traffic, grid)
    named = (("job", "context", traffic.contexts), ("user", "user", traffic.foreground))
    for what, column, table in named:
        ranked = (each.key[0] for each in totals(table, column) if each.key[0])
        for name in [each for each in ranked if each != OTHERS_LABEL][:NAMES]:
            counts = grid.counts(having(table, column, [name]))
            yield _Series(what, f"calls of {what} {sanitize_label(name)}", counts, time, "")


def _slow(traffic: Traffic, grid: _Grid) -> Iterator[_Series]:
    """Yield the calls that took far longer than most, by bucket."""
    rows = answered(traffic)
    rows = rows.filter(pc.is_valid(rows["bucket"])).sort_by("bucket")
    if not rows.num_rows:
        return
    places = (np.asarray(rows["bucket"]) - grid.first) // grid.width
    bounds: list[int] = np.searchsorted(places, np.arange(grid.size + 1)).tolist()
    [whole] = LatencySketch.pool(packed(rows), (0, rows.num_rows))
    limit = SLOW_FACTOR * whole.quantile(0.5)
    sketches = LatencySketch.pool(packed(rows), bounds)
    slow = np.array([sketch.above(limit) for sketch in sketches], dtype=np.float64)
    every = np.array([sketch.calls for sketch in sketches], dtype=np.float64)
    yield _Series("slow", f"calls longer than {latency(limit)}", slow, every, "calls")


def _find(series: _Series, grid: _Grid) -> Change | None:
    """Return the time with the most evidence that the calls were more frequent, if there is any."""
    every, base = series.counts.sum(), series.base.sum()
    if every < FEWEST_CALLS or not base:
        return None
    sums = np.concatenate(([0.0], np.cumsum(series.counts)))
    weights = np.concatenate(([0.0], np.cumsum(series.base)))
    inside, weight = np.subtract.outer(sums, sums).T, np.subtract.outer(weights, weights).T
    outside, rest = every - inside, base - weight
    lengths = np.subtract.outer(np.arange(grid.size + 1), np.arange(grid.size + 1)).T
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (inside / weight) / (outside / rest)
        expected = every * weight / base
        likelihood = inside * np.log(inside / expected) + np.where(
            outside > 0, outside * np.log(outside / (every - expected)), 0.0
        )
    is_change = (
        (lengths > 0)
        & (lengths <= LONGEST_SHARE * grid.size)
        & (rest > 0)
        & (inside >= FEWEST_CALLS)
        & ((outside == 0) | (ratios >= CHANGE_RATIO))
    )
    likelihood = np.where(is_change, likelihood, -np.inf)
    begin, end = map(int, np.unravel_index(int(np.argmax(likelihood)), likelihood.shape))
    best = float(likelihood[begin, end])
    if not np.isfinite(best):
        return None
    usual = np.concatenate((series.counts[:begin], series.counts[end:]))
    scatter = float(usual.var() / usual.mean()) if usual.size > 1 and usual.mean() else 1.0
    evidence = best / max(1.0, scatter)
    if evidence < EVIDENCE:
        return None
    return Change(
        what=series.what,
        label=series.label,
        start=grid.first + begin * grid.width,
        end=grid.first + end * grid.width,
        calls=int(inside[begin, end]),
        every=int(every),
        times=float(ratios[begin, end]) if outside[begin, end] else None,
        evidence=evidence,
    )


def _sentence(first: Change | None, clock: Clock | None, changes: int) -> str:
    if first is None or clock is None:
        return "Nothing changed: calls, failures and slow calls came at steady rates."
    part = "all" if first.calls == first.every else share(first.calls, first.every)
    rate = "" if first.times is None else f", {ratio(first.times)} the rate of the other time"
    said = (
        f"{part.capitalize()} of the {number(first.every)} {first.label} came within "
        f"{duration(first.end - first.start)} from {clock.moment(first.start)}{rate}"
    )
    more = changes - 1
    return said + (f"; {more} more {'change' if more == 1 else 'changes'} below." if more else ".")


def _detail(found: list[Change]) -> Detail:
    columns = (
        Column("what", "what", is_key=False),
        Column("within", "in that time", Unit.COUNT),
        Column("share", "share", Unit.SHARE),
        Column("first", "from", Unit.MOMENT),
        Column("last", "until", Unit.MOMENT),
        Column("times", "rate", Unit.RATIO),
    )
    rows = (
        (each.label, each.calls, each.calls / each.every, each.start, each.end, each.times)
        for each in found
    )
    return Detail.from_rows("Times with far more than otherwise", columns, rows)
