"""HTML page of the report, one file without scripts or network, and its numbers as JSON."""

from __future__ import annotations

import re
from calendar import month_abbr, month_name
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jinja2
import orjson
from markupsafe import Markup

from jvmwire._escaping import escape_json, path_text
from jvmwire.report import _formatting
from jvmwire.report._commands import command_of
from jvmwire.report._comparison import compare
from jvmwire.report._evidence import Evidence, evidence
from jvmwire.report._findings import Finding, Severity, Unit, find
from jvmwire.report._findings.comparison import find_comparison
from jvmwire.report._findings.finding import ROWS
from jvmwire.report._folder import MARKER, NOTES, PAGE, SUMMARY, check_folder, replace_report
from jvmwire.report._formatting import in_zone
from jvmwire.report._labels import sanitize_label
from jvmwire.report._notes import write_notes
from jvmwire.report._options import DEFAULT, ReportOptions
from jvmwire.report._plots import plots

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.report._folder import Unfinished
    from jvmwire.report._formatting import Clock
    from jvmwire.report._source import ReportSource
    from jvmwire.report._traffic import Traffic

SUMMARY_VERSION = 2
"""Version of the layout of summary.json, increased when a key is removed or redefined."""

MAX_CELL_LABEL = 120
"""Maximum characters of a name in a table cell; summary.json has the full name."""

LONG_NAME = 16
"""Characters up to which a name is not broken between its words."""

MAX_CONDITION = 300
"""Maximum characters of a condition on the page; summary.json has all of it."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATE = re.compile(
    rf"\b\d{{1,2}} (?:{'|'.join([*month_name[1:], *month_abbr[1:]])})\b(?: \d{{4}}\b)?"
)
"""Dates in the format of `wording`."""


@dataclass(frozen=True, slots=True)
class Report:
    """The written files of a report, and its findings.

    Args:
        page: The HTML page.
        summary: The JSON file.
        notes: The Markdown file.
        findings: The findings, the summary first.
        undecoded: Number of rows that report undecoded data.
        reasons: Reasons why data was not decoded and the number of rows of each, most frequent
            first.
    """

    page: Path
    summary: Path
    notes: Path
    findings: tuple[Finding, ...]
    undecoded: int
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """One line per finding for a terminal; only one if there are no calls.

        Names in the lines are escaped and cut, so that they cannot control the terminal.
        """
        return tuple(finding.sentence for finding in self.findings)

    def has(self, severity: Severity) -> bool:
        """Return whether a finding is at least this severe.

        Args:
            severity: The lowest severity that counts.

        Returns:
            Whether there is one.
        """
        order = list(Severity)
        return any(order.index(each.severity) >= order.index(severity) for each in self.findings)


def write_report(
    traffic: Traffic,
    source: ReportSource,
    directory: Path,
    *,
    force: bool = False,
    options: ReportOptions = DEFAULT,
) -> Report:
    """Write `index.html` and `summary.json` into `directory`, created if it does not exist.

    Args:
        traffic: The merged traffic.
        source: The description of the captures.
        directory: The folder of the report.
        force: Whether files of these names that are not from a report may be replaced.
        options: The form of the page. Default: UTC, without a title of its own.

    Returns:
        The written files, and the findings.

    Raises:
        ConfigError: a file of such a name is not from a report.
    """
    check_folder(directory, force=force)
    with replace_report(directory, keeps_calls=None, force=force) as unfinished:
        return fill_report(traffic, source, directory, unfinished, options)


def fill_report(
    traffic: Traffic,
    source: ReportSource,
    directory: Path,
    unfinished: Unfinished,
    options: ReportOptions,
) -> Report:
    """Write the page and the summary into the temporary entries of a report."""
    with in_zone(options.zone):
        findings = find(traffic, source)
        proof = evidence(findings, traffic, source)
        if options.former_summary is not None and options.baseline is not None:
            comparison = compare(options.former_summary, {"evidence": as_json(proof)})
            findings += (find_comparison(comparison, path_text(options.baseline)),)
        unfinished.page.write(render(findings, source, options).encode())
        notes = write_notes(findings, options, _filtered(source), _plain_cell)
        unfinished.notes.write(notes.encode())
    unfinished.summary.write(summarize(findings, source, proof))
    return Report(
        directory / PAGE,
        directory / SUMMARY,
        directory / NOTES,
        findings,
        source.undecoded_rows,
        tuple(source.reasons),
    )


def render(findings: tuple[Finding, ...], source: ReportSource, options: ReportOptions) -> str:
    """Return the HTML page; all text is escaped except for built-in style and SVG."""
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {
        "shown": lambda text: sanitize_label(text, MAX_CELL_LABEL),
        "size": _formatting.size,
        "number": _formatting.number,
        "duration": _formatting.duration,
        "cell": _cell,
        "set": _typeset,
    }
    summary, *answers = findings
    reasons = source.reasons
    return environment.from_string(
        _resource("page.html.j2")
    ).render(
        style=Markup(_resource("page.css")),  # noqa: S704 (ours)
        source=source,
        options=options,
        filtered=_filtered(source),
        rows=ROWS,
        command_of=lambda detail: command_of(detail, source, options),
        summary=summary,
        failed=_formatting.share(summary.data.failed, summary.data.calls),
        findings=answers,
        plots={
            finding.kind: [
                (plot.title, Markup(plot.wide), Markup(plot.narrow))  # noqa: S704 (escaped in SVG)
                for plot in plots(finding)
            ]
            for finding in answers
        },
        reasons=reasons[:ROWS],
        other_reasons=sum(rows for _, rows in reasons[ROWS:]),
    )


def summarize(findings: tuple[Finding, ...], source: ReportSource, proof: Evidence) -> bytes:
    """Return summary.json: all numbers of the page, times in microseconds, full names.

    Args:
        findings: The findings, the summary first.
        source: The description of the captures.
        proof: The evidence for comparisons with other reports.
    """
    summary = {
        "version": SUMMARY_VERSION,
        "generator": MARKER.decode(),
        "source": source,
        "findings": [
            {
                "kind": finding.kind,
                "question": finding.question,
                "sentence": finding.sentence,
                "severity": finding.severity,
                "details": [
                    {
                        "title": detail.title,
                        "rows": [
                            {
                                column.key: value
                                for column, value in zip(detail.columns, row, strict=True)
                            }
                            for row in detail.rows
                        ],
                        "left_out": detail.left_out,
                    }
                    for detail in finding.details
                ],
                "data": finding.data,
            }
            for finding in findings
        ],
        "evidence": proof,
    }
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return escape_json(orjson.dumps(summary, default=_json_default, option=options))


def _filtered(source: ReportSource) -> str:
    """Return the start of a sentence on the calls that a filter leaves, or an empty string."""
    parts = []
    if source.where is not None:
        parts.append(f"that meet {sanitize_label(source.where, MAX_CONDITION)}")
    times = (("since", source.since), ("before", source.until))
    parts += [f"{word} {_moment(at)}" for word, at in times if at is not None]
    return " ".join(parts)


def _moment(microseconds: int) -> str:
    when = _formatting.local(microseconds)
    fraction = f".{when.microsecond:06}".rstrip("0") if when.microsecond else ""
    return f"{_formatting.day(microseconds)}, {when:%H:%M:%S}{fraction}"


def as_json(proof: Evidence) -> Any:
    """Return evidence as it is when it is read from a summary.

    Args:
        proof: The evidence.
    """
    return orjson.loads(orjson.dumps(proof, default=_json_default))


def _json_default(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):  # a NamedTuple
        return value._asdict() if hasattr(value, "_asdict") else list(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _cell(value: Any, unit: Unit, clock: Clock | None) -> str:
    """Return a value of a table as HTML."""
    text = _plain_cell(value, unit, clock)
    is_name = unit == Unit.TEXT and value is not None
    return _breakable(text, "./", words=True) if is_name else text


def _plain_cell(value: Any, unit: Unit, clock: Clock | None) -> str:
    """Return a value of a table as text."""
    if value is None:
        return "–"  # noqa: RUF001 (a dash for nothing)
    match unit:
        case Unit.COUNT:
            return f"{value:,}"
        case Unit.SHARE:
            return _formatting.share_of(value)
        case Unit.BYTES:
            return _formatting.size(value)
        case Unit.MICROSECONDS:
            return _formatting.latency(value)
        case Unit.MOMENT:
            return clock.moment(value) if clock else "–"  # noqa: RUF001
        case Unit.FLAG:
            return "yes" if value else ""
        case Unit.RATE:
            return _formatting.rate(value)
        case Unit.RATIO:
            return _formatting.ratio(value)
        case _:
            return sanitize_label(str(value), MAX_CELL_LABEL)


def _typeset(sentence: str) -> Markup:
    """Return a sentence as HTML that keeps numbers with their units, and dates, on one line.

    Paths may be broken after a slash.
    """
    glued = re.sub(r"(?<=\d) (?=(?:%|µs|ms|s|min|h|calls?|UTC)(?:\W|$))", "\u00a0", sentence)
    glued = _DATE.sub(lambda date: date[0].replace(" ", "\u00a0"), glued)
    zone = _formatting.zone_name()
    glued = glued.replace(f" {zone}", "\u00a0" + zone.replace("/", "/\u2060"))
    return _breakable(glued, "/")


def _breakable(text: str, after: str, *, words: bool = False) -> Markup:
    """Return text as HTML that may be broken after some signs, and between words of a longName."""
    parts = re.split(rf"(?<=\w[{after}])(?=\w)", text)
    if words:
        parts = [
            piece
            for part in parts
            for piece in (_HUMP.split(part) if len(part) > LONG_NAME else [part])
        ]
    return Markup("<wbr>").join(parts)


def summary_schema() -> dict[str, Any]:
    """Return the JSON Schema of summary.json.

    Returns:
        The schema, of draft 2020-12.
    """
    schema: dict[str, Any] = orjson.loads(_resource("summary.schema.json"))
    return schema


def _resource(name: str) -> str:
    return files("jvmwire.report").joinpath(name).read_text(encoding="utf-8")
