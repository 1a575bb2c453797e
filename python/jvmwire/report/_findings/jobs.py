"""Finding: the jobs with the most calls, and with the most failures, by caller context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.charts import Bar, Timeline, bars, timeline
from jvmwire.report._findings.finding import (
    KEPT,
    TOO_FEW,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.groups import Group, ranked, rows
from jvmwire.report._formatting import number, plural, share
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import Traffic, totals, undercount

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTLIER_RATIO = 1.5
"""Ratio to the mean number of calls per job from which the busiest job stands out."""

CULPRIT_SHARE = 0.5
"""Share of all failed calls from which a job is named for them."""


@dataclass(frozen=True, slots=True)
class JobsData:
    """Calls over time by job, and totals."""

    timeline: Timeline | None
    jobs: tuple[Bar, ...]


def find_jobs(traffic: Traffic) -> Finding | None:
    """Find the busiest job and the one that fails most; None if no call names a job."""
    jobs: dict[str, Group] = {}
    for row in rows(traffic.contexts, "context"):
        text = row["context"] or ""
        jobs.setdefault(text, Group(text)).add(row)
    every = ranked(jobs.values())
    named = [job for job in every if job.text != OTHERS_LABEL]
    if not named:
        return None
    labels = labels_of(traffic)
    calls = sum(job.calls for job in every)
    by_total = totals(traffic.contexts, "context")
    by_total = [total for total in by_total if total.calls]
    names = [str(total.key[0]) for total in by_total]
    culprit = _culprit(named, traffic)
    stands_out = len(named) > 1 and named[0].calls * len(every) >= OUTLIER_RATIO * calls
    return Finding(
        kind="jobs",
        question="Which job?",
        sentence=_sentence(traffic, named, calls, culprit, labels),
        severity=Severity.NOTICE if calls >= TOO_FEW and (stands_out or culprit) else Severity.INFO,
        details=(_detail(named, calls, undercount(traffic.contexts)),),
        clock=clock_of(traffic),
        data=JobsData(
            timeline(traffic, traffic.contexts, ("context",), by_total, names),
            bars(by_total, names),
        ),
    )


def _culprit(named: Sequence[Group], traffic: Traffic) -> Group | None:
    """Return the job with most of the failed calls of the capture."""
    failed = sum(total.calls for total in totals(traffic.failed, "protocol"))
    worst = min(named, key=lambda job: (-job.failed, job.text))
    is_culprit = worst.failed >= TOO_FEW and worst.failed >= CULPRIT_SHARE * failed
    return worst if is_culprit else None


def _sentence(
    traffic: Traffic,
    named: Sequence[Group],
    calls: int,
    culprit: Group | None,
    labels: dict[str | None, str],
) -> str:
    busiest = named[0]
    name = sanitize_label(busiest.text)
    what = sanitize_label(labels.get(busiest.method) or str(busiest.method))
    most = "all" if busiest.methods[busiest.method or ""] == busiest.calls else "mostly"
    if len(named) == 1:
        said = f"The only job is {name}: {plural(busiest.calls, 'call')}, {most} {what}"
    else:
        part = share(busiest.calls, calls)
        said = (
            f"The busiest of {plural(len(named), 'job')} is {name}: {part} of "
            f"{plural(calls, 'call')}, {most} {what}"
        )
    if culprit:
        failed = "all" if culprit.failed == culprit.calls else number(culprit.failed)
        of = f"its {plural(culprit.calls, 'call')}"
        which = "it" if culprit is busiest else sanitize_label(culprit.text)
        said += f"; {which} fails most: {failed} of {of} failed"
    nameless = traffic.count - calls
    if nameless > 0 and nameless >= TOO_FEW:
        said += f". {share(nameless, traffic.count)} of all calls name no job"
    return f"{said}."


def _detail(named: Sequence[Group], calls: int, missing: int) -> Detail:
    title = "Calls by job"
    if missing:
        title += f" (of each, up to {plural(missing, 'call')} more are counted as {OTHERS_LABEL})"
    return Detail.from_rows(
        title,
        COLUMNS,
        (
            (
                job.text,
                job.user,
                job.calls,
                job.calls / calls,
                job.failed,
                job.writes,
                job.mean_us,
                job.latency_max_us,
                job.first,
                job.last,
                job.method,
            )
            for job in named[:KEPT]
        ),
        every=len(named),
    )


COLUMNS = (
    Column("job", "job"),
    Column("user", "user"),
    Column("calls", "calls", Unit.COUNT),
    Column("share", "share", Unit.SHARE),
    Column("failed", "failed", Unit.COUNT),
    Column("write_lock_calls", "write lock", Unit.COUNT),
    Column("mean_us", "mean", Unit.MICROSECONDS),
    Column("max_us", "longest", Unit.MICROSECONDS),
    Column("first", "first", Unit.MOMENT),
    Column("last", "last", Unit.MOMENT),
    Column("method", "mostly", is_key=False),
)
