"""Finding: failed calls by method and error, and their time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report._findings.charts import Bar, Timeline, bars, timeline
from jvmwire.report._findings.finding import (
    TOO_FEW,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.time_skew import find_window
from jvmwire.report._formatting import Clock, number, share
from jvmwire.report._labels import error_label, sanitize_label, status_label
from jvmwire.report._traffic import Status, Total, Traffic, count, totals

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

SHARE_OF_KIND = 0.5
"""Share of all failures from which a kind of failure is the main one."""


@dataclass(frozen=True, slots=True)
class FailuresData:
    """Failed calls by method and error, and over time by error."""

    timeline: Timeline | None
    bars: tuple[Bar, ...]


def find_failures(traffic: Traffic) -> Finding:
    """Find the failed calls, their errors and the time since when they occur."""
    table = traffic.failed
    failed, calls = count(table), traffic.count
    kinds = totals(table, "name", "error_class", "status")
    errors = totals(table, "error_class", "status")
    labels = labels_of(traffic)
    clock = clock_of(traffic)
    return Finding(
        kind="failures",
        question="What fails?",
        sentence=_sentence(traffic, table, kinds, clock),
        severity=_severity(failed, calls, traffic.thresholds.failed_share),
        details=(_detail(traffic, kinds),) if failed else (),
        clock=clock,
        data=FailuresData(
            timeline(
                traffic,
                table,
                ("error_class", "status"),
                errors,
                [error_label(*total.key) for total in errors],
            ),
            bars(kinds, [f"{labels[t.key[0]]}: {error_label(*t.key[1:])}" for t in kinds]),
        ),
    )


def _sentence(
    traffic: Traffic, table: pa.Table, kinds: Sequence[Total], clock: Clock | None
) -> str:
    failed, calls = count(table), traffic.count
    besides = _besides(traffic)
    if not failed:
        if calls == 1:
            return f"The only call did not fail{besides}."
        return f"None of {number(calls)} calls failed{besides}."
    name, error_class, status = kinds[0].key
    labels = labels_of(traffic)
    kind = f"{sanitize_label(labels[name])} ({sanitize_label(error_label(error_class, status))})"
    when = _when(traffic, table, clock)
    if calls == 1:
        return f"The only call failed: {kind}."
    if failed == 1:
        return f"1 of {number(calls)} calls failed: {kind}{when}{besides}."
    head = f"{share(failed, calls)} of {number(calls)} calls failed ({number(failed)})"
    if calls < TOO_FEW:
        head = f"{number(failed)} of {number(calls)} calls failed"
    part = share(kinds[0].calls, failed)
    if len(kinds) == 1:
        what = f"all as {kind}"
    elif kinds[0].calls >= SHARE_OF_KIND * failed:
        what = f"{part} of them as {kind}"
    else:
        what = f"in {number(len(kinds))} ways, {part} of them as {kind}"
    return f"{head}, {what}{when}{besides}."


def _besides(traffic: Traffic) -> str:
    """Return a text on calls that are not failures: refused by design, and still open."""
    refused, still_open = traffic.ended(Status.REFUSED), traffic.ended(Status.OPEN)
    parts = [f"{number(refused)} refused by design"] * (refused > 0)
    parts += [f"{number(still_open)} still open"] * (still_open > 0)
    return f" (not counted: {', '.join(parts)})" if parts else ""


def _when(traffic: Traffic, table: pa.Table, clock: Clock | None) -> str:
    failed, moments = traffic.over_time(table), traffic.moments(table)
    if clock is None or not moments or len(traffic.buckets) < 2:
        return ""
    count = sum(failed.values())
    first, last = (
        clock.moment(pick(each))
        for pick, each in zip((min, max), zip(*moments.values(), strict=True), strict=True)
    )
    if first == last:
        return f", at {first}"
    if count < TOO_FEW:
        return f", between {first} and {last}"
    window = find_window(failed, traffic.over_time())
    if window is None:
        return "; they came when the other calls did"
    part = "all" if window.inside == count else share(window.inside, count)
    return f"; {part} came {window.describe(clock, moments)}"


def _severity(failed: int, calls: int, alarming: float) -> Severity:
    if not failed:
        return Severity.INFO
    return Severity.ALARM if calls >= TOO_FEW and failed >= alarming * calls else Severity.NOTICE


def _detail(traffic: Traffic, kinds: Sequence[Total]) -> Detail:
    made = {total.key[0]: total.calls for total in traffic.methods}
    columns = (
        Column("method", "method"),
        Column("error_class", "error"),
        Column("status", "ended"),
        Column("calls", "failed", Unit.COUNT),
        Column("share_of_method", "of the method", Unit.SHARE),
        Column("first", "first", Unit.MOMENT),
        Column("last", "last", Unit.MOMENT),
    )
    rows = []
    for total in kinds:
        name, error_class, status = total.key
        rows.append(
            (
                name,
                error_class,
                status_label(status),
                total.calls,
                total.calls / made[name],
                total.first,
                total.last,
            )
        )
    return Detail.from_rows("Failed calls by method and error", columns, rows)
