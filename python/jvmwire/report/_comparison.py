"""Comparison of two reports: what changed, by how much, and whether it may be noise.

Counts are compared as rates. Given both counts of a row, the later one is binomial if nothing
changed, with the share of the later recording's time as its probability; its variance is multiplied
by the dispersion that both recordings show for this row (a quasi-Poisson test). The quantiles of
latencies are compared by the intervals of their errors. The level of `LEVEL` is divided by the
number of comparisons, so that two recordings of the same traffic have a change in at most one of
a hundred cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist, median
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError
from jvmwire.report._evidence import QUANTILE_Z
from jvmwire.report._labels import caller, error_label, method_labels, status_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LEVEL: Final = 0.01
"""The probability of a change in two recordings of the same traffic (chosen by jvmwire)."""
SMALL: Final = 0.1
"""The change relative to the former value up to which it is called small (chosen by jvmwire)."""
BIN: Final = math.log(17 / 16)
"""The error of a quantile that is read from a histogram."""

_ABSENT: Final = 0
_EXACT: Final = 1e9
"""Degrees of freedom of counts whose scatter nothing tells: they are taken as independent calls."""


class Significance(StrEnum):
    """The judgement on a difference."""

    CHANGE = "change"
    SMALL = "small"
    """Not by chance, but less than `SMALL`."""
    NOISE = "noise"


@dataclass(frozen=True, slots=True)
class Change:
    """The difference of one number between two reports.

    Args:
        section: The kind of the finding.
        table: The title of its table.
        measure: The title of its column.
        key: The texts of the row, by the keys of their columns.
        before: The former value: calls, or microseconds.
        after: The value now.
        before_rate: Calls per second before; None for latencies, and without clocks.
        after_rate: Calls per second now.
        ratio: The rate, latency or share of calls now relative to before; None from 0.
        z_score: The difference in standard errors.
        verdict: Whether it is a change.
        is_bound: Whether the value of one of the reports is only known to be at most the given one,
            since its table leaves rows out.
        is_latency: Whether the values are microseconds.
    """

    section: str
    table: str
    measure: str
    key: Mapping[str, str | None]
    before: int
    after: int
    before_rate: float | None
    after_rate: float | None
    ratio: float | None
    z_score: float
    verdict: Significance
    is_bound: bool = False
    is_latency: bool = False

    @property
    def outcome(self) -> str:
        """The verdict in a word: new, gone, change, small or noise."""
        if self.verdict == Significance.CHANGE and not self.is_latency:
            if not self.before:
                return "new"
            if not self.after:
                return "gone"
        return self.verdict.value

    @property
    def name(self) -> str:
        """The texts of the row in one, with short names of methods and errors."""
        parts = dict(self.key)
        user, client = parts.pop("user", None), parts.pop("client", None)
        method, error, status = (
            parts.pop(key, None) for key in ("method", "error_class", "status")
        )
        shown = [caller(user, client)] * ("user" in self.key or "client" in self.key)
        shown += [label for label in method_labels([method]).values() if label] if method else []
        if error or status:
            shown.append(f"({error_label(error, status_of(status))})")
        return " ".join([*shown, *filter(None, parts.values())]) or "all calls"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one report to another.

    Args:
        changes: All compared numbers: changes first, those with the most standard errors first.
        by_share: Whether shares of all calls are compared instead of rates, because a recording has
            no clock.
    """

    changes: tuple[Change, ...]
    by_share: bool

    @property
    def changed(self) -> tuple[Change, ...]:
        """The changes that are neither noise nor small."""
        return tuple(each for each in self.changes if each.verdict == Significance.CHANGE)


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two summaries.

    Args:
        before: The content of a `summary.json`.
        after: The content of a later one.

    Returns:
        The comparison.

    Raises:
        ConfigError: a summary has no evidence for comparisons.
    """
    try:
        return _compare(_Side(before["evidence"]), _Side(after["evidence"]))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ConfigError(
            "a summary has no evidence for a comparison: make its report again with this version"
        ) from error


class _Side:
    """The evidence of one report, by row."""

    def __init__(self, evidence: Mapping[str, Any]) -> None:
        self.period: int | None = evidence["period_us"] or None
        self.calls = int(evidence["calls"])
        self.slices = int(evidence["slices"])
        self.dispersion: float | None = evidence["dispersion"]
        self.counts = {_identity(row): row for row in evidence["counts"]}
        self.quantiles = {_identity(row): row for row in evidence["quantiles"]}
        self.least = {(section, table): count for section, table, count in evidence["least"]}
        known = [row["dispersion"] for row in evidence["counts"] if row["dispersion"] is not None]
        self.usual = max(1.0, median(known)) if known else 1.0
        """The dispersion of a row for which it is not known."""

    def count(self, row: Mapping[str, Any]) -> tuple[int, bool]:
        """Return the count of a row, and whether it is only a bound."""
        if (own := self.counts.get(_identity(row))) is not None:
            return int(own["count"]), False
        bound = self.least.get((row["section"], row["table"]), _ABSENT)
        return bound, bool(bound)


def _identity(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (row["section"], row["table"], row["measure"], *sorted(row["key"].items()))


def _compare(before: _Side, after: _Side) -> Comparison:
    by_share = before.period is None or after.period is None
    weights = (before.calls, after.calls) if by_share else (before.period, after.period)
    every = {
        "section": "summary",
        "table": "",
        "measure": "calls",
        "key": {},
    }
    rows = {**before.counts, **after.counts}
    compared = len(rows) + len({*before.quantiles} & {*after.quantiles}) + 1
    limit = NormalDist().inv_cdf(1 - LEVEL / 2 / compared)
    changes: list[Change] = []
    if all(weights):
        pair = (float(weights[0] or 0), float(weights[1] or 0))
        if not by_share:
            of_all = _Counted(before.calls, after.calls, before.dispersion, after.dispersion)
            changes.append(_count_change(every, of_all, pair, (before, after), limit))
        for identity, row in rows.items():
            (first, bound), (second, other_bound) = before.count(row), after.count(row)
            if (bound and second < first) or (other_bound and first < second):
                continue  # it need not have changed
            counted = _Counted(
                first,
                second,
                before.counts.get(identity, {}).get("dispersion"),
                after.counts.get(identity, {}).get("dispersion"),
                bound or other_bound,
            )
            made = _count_change(row, counted, pair, (before, after), limit, by_share=by_share)
            changes.append(made)
    changes += _quantile_changes(before, after, limit)
    order = list(Significance)
    changes.sort(key=lambda each: (order.index(each.verdict), -abs(each.z_score), each.name))
    return Comparison(tuple(changes), by_share)


@dataclass(frozen=True, slots=True)
class _Counted:
    before: int
    after: int
    dispersion_before: float | None
    dispersion_after: float | None
    is_bound: bool = False


def _count_change(
    row: Mapping[str, Any],
    counted: _Counted,
    weights: tuple[float, float],
    sides: tuple[_Side, _Side],
    limit: float,
    *,
    by_share: bool = False,
) -> Change:
    both = counted.before + counted.after
    share = weights[1] / sum(weights)
    scatter, freedom = _pooled(counted, sides)
    error = math.sqrt(scatter * both * share * (1 - share))
    z_score = _as_normal((counted.after - both * share) / error, freedom) if error else 0.0
    rates = (counted.before / weights[0], counted.after / weights[1])
    ratio = rates[1] / rates[0] if rates[0] else None
    per_second = 1.0 if by_share else 1e6
    return Change(
        section=row["section"],
        table=row["table"],
        measure=row["measure"],
        key=row["key"],
        before=counted.before,
        after=counted.after,
        before_rate=rates[0] * per_second,
        after_rate=rates[1] * per_second,
        ratio=ratio,
        z_score=z_score,
        verdict=_verdict(z_score, ratio, limit),
        is_bound=counted.is_bound,
    )


def _pooled(counted: _Counted, sides: tuple[_Side, _Side]) -> tuple[float, float]:
    """Return the dispersion of a row in both reports, and its degrees of freedom."""
    known = [
        (dispersion, side.slices - 1)
        for dispersion, side in zip(
            (counted.dispersion_before, counted.dispersion_after), sides, strict=True
        )
        if dispersion is not None and side.slices > 1
    ]
    if not known:
        freedom = sum(max(0, side.slices - 1) for side in sides)
        return max(side.usual for side in sides), freedom or _EXACT
    freedom = sum(of for _, of in known)
    return max(1.0, sum(each * of for each, of in known) / freedom), freedom


def _as_normal(t_score: float, freedom: float) -> float:
    """Return the normal deviate that is as likely as a deviate of Student's t (Wallace 1959)."""
    size = math.sqrt(freedom * math.log1p(t_score * t_score / freedom))
    size *= (8 * freedom + 1) / (8 * freedom + 3)
    return math.copysign(size, t_score)


def _quantile_changes(before: _Side, after: _Side, limit: float) -> Iterator[Change]:
    for identity, row in after.quantiles.items():
        former = before.quantiles.get(identity)
        if former is None:
            continue
        ratio = max(row["value"], 1) / max(former["value"], 1)
        error = math.hypot(_relative_error(former), _relative_error(row))
        z_score = math.log(ratio) / error
        is_apart = row["low"] > former["high"] or row["high"] < former["low"]
        yield Change(
            section=row["section"],
            table=row["table"],
            measure=row["measure"],
            key=row["key"],
            before=former["value"],
            after=row["value"],
            before_rate=None,
            after_rate=None,
            ratio=ratio,
            z_score=z_score,
            verdict=_verdict(z_score, ratio, limit) if is_apart else Significance.NOISE,
            is_latency=True,
        )


def _relative_error(row: Mapping[str, Any]) -> float:
    """Return the standard error of a quantile, as a logarithm."""
    width = math.log(max(row["high"], 1) / max(row["low"], 1))
    return max(width / (2 * QUANTILE_Z), BIN)


def _verdict(z_score: float, ratio: float | None, limit: float) -> Significance:
    if abs(z_score) < limit:
        return Significance.NOISE
    if ratio is not None and 1 / (1 + SMALL) <= ratio <= 1 + SMALL:
        return Significance.SMALL
    return Significance.CHANGE
