"""Summary of a report in Markdown, to be pasted into an incident or a chat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmwire.report._findings import Severity, Unit
from jvmwire.report._folder import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from jvmwire.report._findings import Finding
    from jvmwire.report._findings.finding import Detail
    from jvmwire.report._formatting import Clock
    from jvmwire.report._options import ReportOptions

ROWS: Final = 5
"""Rows of a table: a summary is short."""

_MARKS: Final = {Severity.ALARM: "**alarm:** ", Severity.NOTICE: "", Severity.INFO: ""}
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&]|^(?:[-+#]|\d+[.)])")


def write_notes(
    findings: tuple[Finding, ...],
    options: ReportOptions,
    filtered: str,
    cell: Callable[[Any, Unit, Clock | None], str],
) -> str:
    """Return the sentences of a report, and the first rows of the tables of notices and alarms.

    Args:
        findings: The findings, the summary first.
        options: The title and the time zone.
        filtered: What the calls have in common if not all are counted, or an empty string.
        cell: The function that formats a value of a table as plain text.
    """
    lines = [
        f"<!-- {MARKER.decode()} -->",
        f"## {_plain(options.title or 'jvmwire report')}",
        "",
        _plain(findings[0].sentence),
        "",
    ]
    if filtered:
        lines += [f"Only calls {_plain(filtered)}.", ""]
    lines += [f"- {_MARKS[each.severity]}{_plain(each.sentence)}" for each in findings[1:]]
    for finding in findings[1:]:
        if finding.severity != Severity.INFO:
            for detail in finding.details:
                lines += ["", *_table(detail, finding.clock, cell)]
    return "\n".join(lines).rstrip() + "\n"


def _table(
    detail: Detail, clock: Clock | None, cell: Callable[[Any, Unit, Clock | None], str]
) -> Iterator[str]:
    rest = len(detail.rows) - ROWS + detail.left_out
    more = f" (the first {ROWS} of {len(detail.rows) + detail.left_out:,})" if rest > 0 else ""
    yield f"{_plain(detail.title)}{more}"
    yield ""
    yield f"| {' | '.join(_plain(column.title) for column in detail.columns)} |"
    sides = ["---" if column.unit == Unit.TEXT else "---:" for column in detail.columns]
    yield f"| {' | '.join(sides)} |"
    for row in detail.rows[:ROWS]:
        cells = [
            _plain(cell(value, column.unit, clock))
            for value, column in zip(row, detail.columns, strict=True)
        ]
        yield f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Return text for Markdown that is shown as it is, on one line."""
    return _SPECIAL.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", " ".join(text.split()))
