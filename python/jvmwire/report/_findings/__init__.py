"""Findings of the report: pure functions from the table of traffic to answers in sentences."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING

from jvmwire.report._findings.callers import find_callers
from jvmwire.report._findings.changes import find_changes
from jvmwire.report._findings.connection_use import find_connection_use
from jvmwire.report._findings.directories import find_directories
from jvmwire.report._findings.failures import find_failures
from jvmwire.report._findings.finding import Detail, Finding, Severity, Unit
from jvmwire.report._findings.jobs import find_jobs
from jvmwire.report._findings.lock_use import find_lock_use
from jvmwire.report._findings.retry_storms import StormsData, find_storms
from jvmwire.report._findings.slowest_calls import find_slowest_calls
from jvmwire.report._findings.slowness import find_slowness
from jvmwire.report._findings.small_files import find_small_files
from jvmwire.report._findings.summary import find_summary
from jvmwire.report._traffic import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.report._source import ReportSource
    from jvmwire.report._traffic import Traffic

__all__ = ["Detail", "Finding", "Severity", "Unit", "find"]


def find(traffic: Traffic, source: ReportSource) -> tuple[Finding, ...]:
    """Answer the questions of the report; only the first if there are no calls.

    Questions to which the traffic has no answer are left out, such as that for the job if no call
    names one.

    Args:
        traffic: The merged traffic.
        source: The description of the captures.

    Returns:
        The findings: the summary first, then alarms before notices before the rest.
    """
    summary = find_summary(traffic, source)
    if not traffic.count:
        return (summary,)
    # Most of the work is done by Arrow, which releases the GIL.
    with ThreadPoolExecutor() as threads:
        # Each in a context of its own, which has the time zone.
        waiting = [threads.submit(copy_context().run, answer, traffic) for answer in _ANSWERS]
        answers = [found for found in (each.result() for each in waiting) if found]
    in_storms = sum(
        run.calls
        for found in answers
        if isinstance(found.data, StormsData)
        for run in found.data.runs
        if run.is_storm
    )
    shown_as_storms = 2 * in_storms > count(traffic.failed)
    return (
        summary,
        *sorted(answers, key=lambda finding: _rank(finding, shown_as_storms=shown_as_storms)),
    )


def _rank(finding: Finding, *, shown_as_storms: bool) -> int:
    """Return the place of a finding; storms that have most failures tell of them."""
    if finding.kind == "failures" and shown_as_storms:
        return _URGENCY.index(Severity.NOTICE)
    return _URGENCY.index(finding.severity)


_URGENCY = (Severity.ALARM, Severity.NOTICE, Severity.INFO)

_ANSWERS: Sequence[Callable[[Traffic], Finding | None]] = (
    find_storms,
    find_jobs,
    find_directories,
    find_changes,
    find_small_files,
    find_callers,
    find_failures,
    find_slowness,
    find_lock_use,
    find_slowest_calls,
    find_connection_use,
)
