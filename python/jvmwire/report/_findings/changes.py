"""Finding: times at which calls, failures or slow calls were far more frequent than otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.finding import (
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
)
from jvmwire.report._findings.heat_map import answered, sketches_over_time, timed, whole_sketch
from jvmwire.report._formatting import duration, latency, number, plural, ratio, share
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import count, having, totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
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


@dataclass(frozen=True, slots=True)
class Burst:
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
    foreground = traffic.foreground
    if count(foreground) < FEWEST_CALLS:
        return None
    joined = -(-len(buckets) // MOST_BUCKETS)
    grid = _Grid(traffic.first, traffic.width * joined, -(-len(buckets) // joined))
    found = [
        change for series in _series(traffic, foreground, grid) if (change := _find(series, grid))
    ]
    found.sort(key=lambda burst: (_urgency(burst), -burst.evidence, burst.label))
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


def _urgency(burst: Burst) -> int:
    return URGENT.index(burst.what) if burst.what in URGENT else len(URGENT)


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


def _series(traffic: Traffic, foreground: pa.Table, grid: _Grid) -> Iterator[_Series]:
    calls, time = grid.counts(foreground), np.ones(grid.size)
    yield _Series("calls", "calls", calls, time)
    yield _Series("failures", "failures", grid.counts(traffic.failed), calls)
    yield from _slow(traffic, grid)
    named = (("job", "context", traffic.contexts), ("user", "user", foreground))
    for what, column, table in named:
        ranked = (each.key[0] for each in totals(table, column) if each.key[0])
        for name in [each for each in ranked if each != OTHERS_LABEL][:NAMES]:
            counts = grid.counts(having(table, column, [name]))
            yield _Series(what, f"calls of {what} {sanitize_label(name)}", counts, time)


def _slow(traffic: Traffic, grid: _Grid) -> Iterator[_Series]:
    """Yield the calls that took far longer than most, by bucket."""
    rows = timed(answered(traffic))
    if not rows.num_rows:
        return
    limit = SLOW_FACTOR * whole_sketch(rows).quantile(0.5)
    sketches = sketches_over_time(rows, grid.first, grid.width, grid.size)
    slow = np.array([sketch.above(limit) for sketch in sketches], dtype=np.float64)
    every = np.array([sketch.calls for sketch in sketches], dtype=np.float64)
    yield _Series("slow", f"calls longer than {latency(limit)}", slow, every)


def _find(series: _Series, grid: _Grid) -> Burst | None:
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
    return Burst(
        what=series.what,
        label=series.label,
        start=grid.first + begin * grid.width,
        end=grid.first + end * grid.width,
        calls=int(inside[begin, end]),
        every=int(every),
        times=float(ratios[begin, end]) if outside[begin, end] else None,
        evidence=evidence,
    )


def _sentence(first: Burst | None, clock: Clock | None, changes: int) -> str:
    if first is None or clock is None:
        return "Nothing changed: calls, failures and slow calls came at steady rates."
    part = "all" if first.calls == first.every else share(first.calls, first.every)
    rate = "" if first.times is None else f", {ratio(first.times)} the rate of the other time"
    said = (
        f"{part.capitalize()} of the {number(first.every)} {first.label} came within "
        f"{duration(first.end - first.start)} from {clock.moment(first.start)}{rate}"
    )
    more = changes - 1
    return said + (f"; {plural(more, 'more change')} below." if more else ".")


def _detail(found: list[Burst]) -> Detail:
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
