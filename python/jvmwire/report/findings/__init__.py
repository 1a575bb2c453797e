"""Findings: pure functions from the table of traffic to answers in sentences."""

from jvmwire.report.findings.callers import find_callers
from jvmwire.report.findings.failures import find_failures
from jvmwire.report.findings.finding import Detail, Finding, Severity, Unit
from jvmwire.report.findings.slowness import find_slowness
from jvmwire.report.findings.storms import find_storms
from jvmwire.report.findings.summary import find_summary
from jvmwire.report.source import ReportSource
from jvmwire.report.traffic import Traffic

__all__ = ["Detail", "Finding", "Severity", "Unit", "find"]


def find(traffic: Traffic, source: ReportSource) -> tuple[Finding, ...]:
    """Answer the five questions of the report; only the first if there are no calls."""
    summary = find_summary(traffic, source)
    if not traffic.count:
        return (summary,)
    return (
        summary,
        find_callers(traffic),
        find_slowness(traffic),
        find_failures(traffic),
        find_storms(traffic),
    )
