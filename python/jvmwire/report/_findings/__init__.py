"""Findings of the report: pure functions from the table of traffic to answers in sentences."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING

from jvmwire.report._findings.callers import find_callers
from jvmwire.report._findings.failures import find_failures
from jvmwire.report._findings.finding import Detail, Finding, Severity, Unit
from jvmwire.report._findings.retry_storms import find_storms
from jvmwire.report._findings.slowness import find_slowness
from jvmwire.report._findings.summary import find_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.report._source import ReportSource
    from jvmwire.report._traffic import Traffic

__all__ = ["Detail", "Finding", "Severity", "Unit", "find"]


def find(traffic: Traffic, source: ReportSource) -> tuple[Finding, ...]:
    """Answer the five questions of the report; only the first if there are no calls.

    Args:
        traffic: The merged traffic.
        source: The description of the captures.

    Returns:
        The findings, the summary first.
    """
    summary = find_summary(traffic, source)
    if not traffic.count:
        return (summary,)
    # Most of the work is done by Arrow, which releases the GIL.
    with ThreadPoolExecutor() as threads:
        # Each in a context of its own, which has the time zone.
        waiting = [threads.submit(copy_context().run, answer, traffic) for answer in _ANSWERS]
        return (summary, *(each.result() for each in waiting))


_ANSWERS: Sequence[Callable[[Traffic], Finding]] = (
    find_callers,
    find_slowness,
    find_failures,
    find_storms,
)
