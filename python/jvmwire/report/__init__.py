"""Report on traffic: findings from the tables of calls as sentences, plots and one HTML page."""

from jvmwire.errors import MissingExtra

try:
    from jvmwire.capture._aggregates import SCHEMA, Aspect, merge
    from jvmwire.report._findings import Finding, Severity, find
    from jvmwire.report._job import report_captures
    from jvmwire.report._page import Report, write_report
    from jvmwire.report._source import Capture, ReportSource
    from jvmwire.report._traffic import Traffic
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] not in {"jinja2", "matplotlib", "numpy", "pyarrow"}:
        raise
    raise MissingExtra(
        f"the report needs {missing.name}: pip install 'jvmwire[report]'", name=missing.name
    ) from missing

__all__ = [
    "SCHEMA",
    "Aspect",
    "Capture",
    "Finding",
    "Report",
    "ReportSource",
    "Severity",
    "Traffic",
    "find",
    "merge",
    "report_captures",
    "write_report",
]
