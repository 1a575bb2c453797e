"""The commands of a page: each lists the calls that its table counts in the first row."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import jvmwire
from jvmwire._cli import cli
from jvmwire.report import (
    Capture,
    ReportOptions,
    ReportSource,
    Traffic,
    find,
    report_captures,
    write_report,
)
from jvmwire.report._commands import command_of
from jvmwire.report._findings.finding import Column, Detail, Unit
from kit.captures import NAMENODE
from kit.traffic import calls, repeats, table

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_COMMAND = {
    "Calls by lock",
    "Percentiles of all answered calls",
    "Connections by protocol",
    "Incomplete connections",
    "Times with far more than otherwise",
}
"""Tables whose rows name nothing that a call has."""
COUNT_COLUMNS = {
    "Answered calls by method": "answered",
    "Writers of files of one block or none": "files",
}
"""The column with the number of calls, where it is another one."""
NOT_COUNTED = {"Callers": 2, "Methods": 2, "Calls by directory, with those below": 3}
"""Calls that a command lists too: of the background, and those that change a directory itself."""
SOURCE = ReportSource(captures=(Capture("-a b.pcap", 1),))


def commands(page: str) -> list[str]:
    return [
        html.unescape(each)
        for each in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    ]


def details_of(kind: str, *rows: Any) -> tuple[Detail, ...]:
    """Return the tables of one finding."""
    findings = find(Traffic.from_table(table(*rows)), SOURCE)
    return next(each.details for each in findings if each.kind == kind)


@pytest.mark.parametrize("where", [None, "user <> 'alice' -- a comment"])
def test_each_command_of_a_page_runs_as_shown_and_lists_the_first_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str | None
) -> None:
    recording = tmp_path / "it's here" / NAMENODE.name
    recording.parent.mkdir()
    recording.symlink_to(NAMENODE)
    monkeypatch.chdir(recording.parent)
    made = report_captures(
        [recording], tmp_path / "out", keep_calls=False, options=ReportOptions(where=where)
    )
    details = [
        (detail["title"], detail["rows"][0])
        for finding in json.loads(made.summary.read_bytes())["findings"]
        for detail in finding["details"]
    ]
    found = commands(made.page.read_text())
    assert len(found) >= 8
    commanded = iter(found)
    for title, row in details:
        if title in WITHOUT_COMMAND:
            continue
        command = next(commanded)
        program, *arguments = shlex.split(command)
        assert program == "jvmwire"
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert (done.exit_code, done.stderr) == (0, ""), command
        expected = 1 if title == "The slowest calls" else row[COUNT_COLUMNS.get(title, "calls")]
        listed = [json.loads(line) for line in done.stdout.splitlines()]
        assert expected <= len(listed) <= expected + NOT_COUNTED.get(title, 0), command
        if not title.startswith("Calls by "):  # there it is only the usual method
            assert "method" not in row or {call["name"] for call in listed} == {row["method"]}
    assert next(commanded, None) is None


def test_names_are_quoted_for_the_condition_and_the_shell() -> None:
    evil = "a'b\\c $(touch x) `y` \"z"
    [callers, methods] = details_of("callers", calls(20, user=evil, client="::1", name="x.y"))
    shown = command_of(callers, SOURCE, ReportOptions())
    assert shown is not None
    words = shown.replace("jvmwire", "printf '%s\\n'", 1)
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=True)
    *head, where = done.stdout.splitlines()
    assert head == ["decode", "./-a b.pcap", "--table", "calls", "--where"]
    assert where == "user = 'a\\'b\\\\c $(touch x) `y` \"z' and client like '[::1]:%'"
    assert jvmwire.capture.make_view("calls", where=where)
    loud = details_of("callers", calls(20, user="a!b"))[0]
    assert shlex.split(command_of(loud, SOURCE, ReportOptions()) or "")[-1].startswith(
        "user = 'a!b'"
    )
    many = ReportSource(captures=(Capture("a.pcap", 1),) * 5)
    assert "decode . --table calls" in (command_of(methods, many, ReportOptions()) or "")


@pytest.mark.parametrize("user", ["x" * 300, "a\x1b[31mb", "(others)"])
def test_a_name_that_cannot_be_written_has_no_command(user: str) -> None:
    rows = table(calls(20, user=user), repeats(30, user=user, retries=30))
    details = [each for one in find(Traffic.from_table(rows), SOURCE) for each in one.details]
    shown = [command_of(detail, SOURCE, ReportOptions()) for detail in details]
    assert [text for text in shown if text and "user" in text] == []


def test_rows_that_are_left_out_open_without_a_script(tmp_path: Path) -> None:
    parts = [calls(300 - at, name=f"P.m{at}") for at in range(250)]
    page = write_report(Traffic.from_table(table(*parts)), SOURCE, tmp_path).page.read_text()
    assert "<summary>and 230 more</summary>" in page
    assert "and 50 more, which a page does not list: it lists 200 rows of a table." in page
    assert page.count("P.<wbr>m") == 2 * 200  # by calls, and by latency
    for section in re.findall(r'<section id="(\w+)"', page):
        assert f'<a href="#{section}">' in page
    assert 'id="callers-2"' in page


def test_a_job_and_a_directory_are_conditions_and_a_usual_method_is_none() -> None:
    columns = (
        Column("job", "job"),
        Column("directory", "directory"),
        Column("calls", "calls", Unit.COUNT),
        Column("method", "mostly", is_key=False),
    )
    shown = command_of(
        Detail.from_rows("Jobs", columns, [("app_1", "/data", 9, "x.y")]), SOURCE, ReportOptions()
    )
    assert shlex.split(shown or "")[-1] == (
        "attributes like '%app_1%' and (target = '/data' or target like '/data/%')"
    )
    named = Detail.from_rows("Jobs", columns, [('a"b', "/", 9, "x.y")])
    assert command_of(named, SOURCE, ReportOptions()) is None
