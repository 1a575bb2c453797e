"""Commands that list the calls behind a table of the page."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any, Final

from jvmwire.capture._aggregates import OTHERS_LABEL
from jvmwire.report._findings.finding import Unit
from jvmwire.report._labels import sanitize_label, status_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.report._findings.finding import Detail
    from jvmwire.report._options import ReportOptions
    from jvmwire.report._source import ReportSource

MAX_FILES: Final = 4
"""Captures that a command names; for more of them, it names their folder."""
MAX_TEXT: Final = 256
"""Maximum characters of a text in a command: of longer ones, a table has an abbreviation."""

_COLUMNS: Final = {
    "user": "user",
    "client": "client",
    "method": "name",
    "target": "target",
    "directory": "target",
    "job": "attributes",
    "error_class": "error_class",
    "status": "status",
}
"""Columns of the table `calls` by the keys of the findings' columns."""


def command_of(detail: Detail, source: ReportSource, options: ReportOptions) -> str | None:
    """Return the command that lists the calls of a table's first row, to be run where captures are.

    Args:
        detail: The table.
        source: The description of the captures.
        options: The calls that the report is about.

    Returns:
        The command for a POSIX shell; None if the row names nothing that calls have, or if a name
        cannot be written.
    """
    if not detail.rows or not source.captures:
        return None
    conditions = [options.condition] if options.condition else []
    named = list(_conditions(detail))
    if not named or None in named:
        return None
    names = [capture.name for capture in source.captures]
    # A path that begins with a dash would be an option.
    files = ["."] if len(names) > MAX_FILES else [f"./{name}" for name in names]
    if any(sanitize_label(name, len(name)) != name for name in names):
        files = ["."]
    where = " and ".join([*conditions, *filter(None, named), *filter(None, [detail.where])])
    return f"{shlex.join(['jvmwire', 'decode', *files])} --table calls --where {_quoted(where)}"


def _quoted(text: str) -> str:
    """Return text as one word of a POSIX shell, in double quotes, since conditions have others."""
    if "!" in text:  # interactive shells take it for history
        return shlex.quote(text)
    escaped = re.sub(r'([\\"$`])', r"\\\1", text)
    return f'"{escaped}"'


def _conditions(detail: Detail) -> Iterator[str | None]:
    """Yield the condition on each text of the first row; None for one that cannot be written."""
    for column, value in zip(detail.columns, detail.rows[0], strict=True):
        if column.unit == Unit.TEXT and column.is_key and column.key in _COLUMNS:
            yield _condition(column.key, value)


def _condition(key: str, value: Any) -> str | None:
    """Return the condition that a column of calls has the value of a row's column."""
    column = _COLUMNS[key]
    if value is None:
        return f"{column} is null"
    text = str(value)
    if text in (OTHERS_LABEL, "(many)") or sanitize_label(text, MAX_TEXT) != text:
        return None
    text = str(status_of(text)) if key == "status" else text
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    match key:
        case "client":
            # Calls have the port, too.
            host = f"[{quoted}]" if ":" in quoted else quoted
            return f"client like '{host}:%'"
        case "directory":
            inside = f"{quoted.rstrip('/')}/"
            return f"(target = '{quoted}' or target like '{inside}%')"
        case "job":
            # A caller context, in JSON, has more than the job.
            return None if set(text) & set('"\\') else f"attributes like '%{quoted}%'"
    return f"{column} = '{quoted}'"
