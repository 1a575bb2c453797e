"""Finding: what changed since another report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.report._findings.finding import Column, Detail, Finding, Severity, Unit
from jvmwire.report._formatting import latency, plural, rate, ratio, share_of
from jvmwire.report._labels import sanitize_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.report._comparison import Change, Comparison


def find_comparison(comparison: Comparison, name: str) -> Finding:
    """Return the finding about the changes since a report.

    Args:
        comparison: The comparison with the former report.
        name: The name of the former report.
    """
    return Finding(
        kind="comparison",
        question=f"What changed compared with {sanitize_label(name)}?",
        sentence=describe(comparison),
        severity=Severity.NOTICE if comparison.changed else Severity.INFO,
        details=tuple(_details(comparison)),
        clock=None,
        data=comparison,
    )


def describe(comparison: Comparison) -> str:
    """Return the first change as a sentence, and the number of others.

    Args:
        comparison: The comparison.
    """
    of = plural(len(comparison.changes), "number")
    if not comparison.changed:
        return f"Nothing changed beyond noise, in {of}."
    first, others = comparison.changed[0], len(comparison.changed) - 1
    more = f" {plural(others, 'other number')} of {len(comparison.changes):,} changed."
    return _sentence(first, by_share=comparison.by_share) + more * (others > 0)


def _sentence(change: Change, *, by_share: bool) -> str:
    what = sanitize_label(change.name)
    if change.table:
        what = f"{what} ({change.table}, {change.measure})"
    if change.is_latency:
        return (
            f"{what} changed most: {latency(change.after)}, before {latency(change.before)} "
            f"({ratio(change.ratio or 0)})."
        )
    shown = share_of if by_share else rate
    now, then = shown(change.after_rate or 0), shown(change.before_rate or 0)
    most = "at most " * change.is_bound
    if not change.before:
        return f"{what} is new: {plural(change.after, 'call')}, {now}."
    if not change.after:
        return f"{what} is gone: {plural(change.before, 'call')} before, {then}."
    return f"{what} changed most: {now}, before {most}{then} ({ratio(change.ratio or 0)})."


def _details(comparison: Comparison) -> Iterator[Detail]:
    unit = Unit.SHARE if comparison.by_share else Unit.RATE
    counted = [each for each in comparison.changes if not each.is_latency]
    timed = [each for each in comparison.changes if each.is_latency]
    if counted:
        yield Detail.from_rows(
            "Calls" if not comparison.by_share else "Shares of all calls",
            _columns(unit),
            (_row(each, each.before_rate, each.after_rate) for each in counted),
        )
    if timed:
        yield Detail.from_rows(
            "Latencies",
            _columns(Unit.MICROSECONDS),
            (_row(each, each.before, each.after) for each in timed),
        )


def _columns(unit: Unit) -> tuple[Column, ...]:
    return (
        Column("what", "what"),
        Column("table", "of"),
        Column("measure", "measure"),
        Column("before", "before", unit),
        Column("after", "now", unit),
        Column("ratio", "times", Unit.RATIO),
        Column("verdict", "verdict"),
    )


def _row(change: Change, before: float | None, after: float | None) -> tuple[object, ...]:
    return (
        change.name,
        change.table,
        change.measure,
        before,
        after,
        change.ratio,
        change.outcome,
    )
