"""Report on traffic: findings from the tables of calls as sentences, plots and one HTML page."""

from jvmwire.errors import MissingExtra

try:
    from jvmwire.capture._aggregates import SCHEMA, Aspect, merge
    from jvmwire.report._baseline import is_summary, read_summary
    from jvmwire.report._comparison import Change, Comparison, Significance, compare
    from jvmwire.report._findings import Finding, Severity, find
    from jvmwire.report._job import report_captures, summarize_captures
    from jvmwire.report._options import ReportOptions
    from jvmwire.report._page import Report, summary_schema, write_report
    from jvmwire.report._source import Capture, ReportSource
    from jvmwire.report._thresholds import Thresholds
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
    "Change",
    "Comparison",
    "Finding",
    "Report",
    "ReportOptions",
    "ReportSource",
    "Severity",
    "Significance",
    "Thresholds",
    "Traffic",
    "compare",
    "find",
    "is_summary",
    "merge",
    "read_summary",
    "report_captures",
    "summarize_captures",
    "summary_schema",
    "write_report",
]
