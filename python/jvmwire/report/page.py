"""The page: one file without scripts or network, and the same numbers for programs."""

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

from jvmwire.escaping import escape_json
from jvmwire.report import wording
from jvmwire.report.findings import Finding, Unit, find
from jvmwire.report.findings.finding import ROWS
from jvmwire.report.folder import MARKER, PAGE, SUMMARY, check_folder, replace_report
from jvmwire.report.naming import shown
from jvmwire.report.plots import plots

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.report.folder import Unfinished
    from jvmwire.report.source import ReportSource
    from jvmwire.report.traffic import Traffic
    from jvmwire.report.wording import Clock

SUMMARY_VERSION = 2
"""Of the layout of summary.json: goes up when a key changes its meaning or goes away."""

IN_A_CELL = 120
"""Characters of a name in a table; summary.json has it whole."""

_DATE = re.compile(
    rf"\b\d{{1,2}} (?:{'|'.join([*month_name[1:], *month_abbr[1:]])})\b(?: \d{{4}}\b)?"
)
"""As `wording` says it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written, and what it says."""

    page: Path
    summary: Path
    findings: tuple[Finding, ...]
    undecoded: int
    """How many rows say why something could not be decoded."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The findings for a terminal, one a line: five, or one if there are no calls.

        Names in them are escaped and cut, so no terminal obeys them.
        """
        return tuple(finding.sentence for finding in self.findings)


def write_report(
    traffic: Traffic, source: ReportSource, directory: Path, *, force: bool = False
) -> Report:
    """Write `index.html` and `summary.json` into `directory`, made if it does not exist.

    Args:
        traffic: What was counted.
        source: What it was counted of.
        directory: The report's folder.
        force: Replace files of these names also if no report wrote them.

    Raises:
        ConfigError: a file of such a name was not written by a report.
    """
    check_folder(directory, force=force)
    with replace_report(directory, keeps_calls=None, force=force) as unfinished:
        return fill_report(traffic, source, directory, unfinished)


def fill_report(
    traffic: Traffic, source: ReportSource, directory: Path, unfinished: Unfinished
) -> Report:
    """Write the page and the summary of a report that is not finished."""
    findings = find(traffic, source)
    unfinished.page.write(render(findings, source).encode())
    unfinished.summary.write(summarize(findings, source))
    return Report(directory / PAGE, directory / SUMMARY, findings, source.undecoded_rows)


def render(findings: tuple[Finding, ...], source: ReportSource) -> str:
    """Make the page. All text is escaped but our own style and SVG."""
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {
        "shown": lambda text: shown(text, IN_A_CELL),
        "size": wording.size,
        "number": wording.number,
        "duration": wording.duration,
        "cell": _cell,
        "set": _set,
    }
    summary, *answers = findings
    reasons = sorted(source.undecoded.items(), key=lambda reason: (-reason[1], reason[0]))
    return environment.from_string(
        _resource("page.html.j2")
    ).render(
        style=Markup(_resource("page.css")),  # noqa: S704 (ours)
        source=source,
        summary=summary,
        failed=wording.share(summary.data.failed, summary.data.calls),
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


def summarize(findings: tuple[Finding, ...], source: ReportSource) -> bytes:
    """Make summary.json: every number of the page, times in microseconds, names whole."""
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
    }
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return escape_json(orjson.dumps(summary, default=_plain, option=options))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):  # a NamedTuple
        return value._asdict() if hasattr(value, "_asdict") else list(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _cell(value: Any, unit: Unit, clock: Clock | None) -> str:
    if value is None:
        return "–"  # noqa: RUF001 (a dash for nothing)
    match unit:
        case Unit.COUNT:
            return f"{value:,}"
        case Unit.SHARE:
            return wording.share_of(value)
        case Unit.BYTES:
            return wording.size(value)
        case Unit.MICROSECONDS:
            return wording.latency(value)
        case Unit.MOMENT:
            return clock.moment(value) if clock else "–"  # noqa: RUF001
        case Unit.FLAG:
            return "yes" if value else ""
        case Unit.RATIO:
            return wording.ratio(value)
        case _:
            return _breakable(shown(str(value), IN_A_CELL), "./")


def _set(sentence: str) -> Markup:
    """Set a sentence: a number and its unit, or a date, on one line; paths break after a slash."""
    glued = re.sub(r"(?<=\d) (?=(?:%|µs|ms|s|min|h|calls?|UTC)(?:\W|$))", "\u00a0", sentence)
    glued = _DATE.sub(lambda date: date[0].replace(" ", "\u00a0"), glued)
    return _breakable(glued, "/")


def _breakable(text: str, after: str) -> Markup:
    return Markup("<wbr>").join(re.split(rf"(?<=\w[{after}])(?=\w)", text))


def _resource(name: str) -> str:
    return files("jvmwire.report").joinpath(name).read_text(encoding="utf-8")
