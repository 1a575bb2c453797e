"""summary.json keeps to its JSON Schema, and summary.md shows names as they are."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from markdown_it import MarkdownIt

from jvmwire.report import (
    ReportOptions,
    ReportSource,
    Traffic,
    report_captures,
    summary_schema,
    write_report,
)
from kit.captures import HAMA_TASK, SASL, STORM_BOLT
from kit.traffic import MISSING, busy_cluster, calls, repeats, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVIL = "<b>*a*|`b`\n_c_ [x](http://y) #&amp;"


def summaries(directory: Path) -> Iterator[dict[str, Any]]:
    for number, capture in enumerate((SASL, STORM_BOLT, HAMA_TASK)):
        made = report_captures([capture], directory / str(number), keep_calls=False)
        yield json.loads(made.summary.read_bytes())
    for name, rows in (("busy", busy_cluster(5_000)), ("none", table())):
        baseline = directory / "busy" if name == "none" else None
        options = ReportOptions(baseline=baseline, since="2026-01-01")
        made = write_report(
            Traffic.from_table(rows), ReportSource(), directory / name, options=options
        )
        yield json.loads(made.summary.read_bytes())


def test_the_summaries_of_five_reports_keep_to_the_schema(tmp_path: Path) -> None:
    schema = summary_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    found = list(summaries(tmp_path))
    for summary in found:
        validator.validate(summary)
    described = schema["$defs"]["source"]["properties"]
    assert set(found[0]["source"]) <= set(described)
    for path, value in (
        (("version",), 1),
        (("findings", 0, "severity"), "bad"),
        (("evidence", "calls"), -1),
        (("source", "streams"), None),
    ):
        broken: Any = copy.deepcopy(found[0])
        *parents, last = path
        inner = broken
        for key in parents:
            inner = inner[key]
        inner[last] = value
        with pytest.raises(ValidationError):
            validator.validate(broken)


def test_notes_have_the_sentences_and_tables_as_markdown(tmp_path: Path) -> None:
    rows = table(
        *(calls(30, at=at, user=EVIL) for at in range(20)),
        *(calls(1, at=at, user=f"u{at}") for at in range(9)),
        calls(90, at=1, status="error", error_class=MISSING),
        repeats(40, at=1, target="/a|b", retries=40),
    )
    made = write_report(
        Traffic.from_table(rows),
        ReportSource(),
        tmp_path,
        options=ReportOptions(title="# Night | shift", timezone="Europe/Berlin"),
    )
    text = made.notes.read_text()
    assert text.startswith("<!-- jvmwire report -->\n## \\# Night \\| shift\n")
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    shown = html.partition("\n")[2]
    assert "<h2># Night | shift</h2>" in shown
    assert shown.count("<li>") == len(made.findings) - 1
    assert "<em>" not in shown
    assert "<a " not in shown
    assert "<code>" not in shown
    assert "&lt;b&gt;*a*|`b`" in shown
    assert "/a|b</td>" in shown
    assert "<strong>alarm:</strong>" in shown
    assert "(the first 5 of 11)" in shown
    assert "11:00:01" in shown
