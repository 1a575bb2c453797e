"""Options of a report: which calls it counts, and in which time zone its page is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jvmwire._core import View
from jvmwire.capture import read_tables
from jvmwire.capture._views import make_counting_view
from jvmwire.errors import ConfigError
from jvmwire.report import ReportOptions, ReportSource, Traffic, report_captures, write_report
from kit.captures import NAMENODE, SASL, decoded
from kit.traffic import NOON, busy_cluster, calls, table

if TYPE_CHECKING:
    from pathlib import Path

CONDITIONS = [
    "user = 'bob' and latency_us > 1000",
    "status <> 'ok' or target like '/data/%'",
    "attributes like '%job%' and not (retry > 0)",
    "id = '3' or reply_offset is null or stream = 4",
    "start >= '2026-01-01T00:00:00Z' -- a comment",
]


def counted(where: str | None) -> Traffic:
    batches = [
        pa.record_batch(batch) for _, batch in read_tables(NAMENODE, [make_counting_view(where)])
    ]
    return Traffic.from_table(pa.Table.from_batches(batches))


@pytest.mark.parametrize("where", CONDITIONS)
def test_counted_calls_are_the_rows_that_the_condition_is_true_of(where: str) -> None:
    wanted = len(decoded(NAMENODE, "calls", where=where))
    assert wanted > 0
    assert counted(where).count == wanted


def test_a_condition_on_counted_calls_is_for_traffic_only() -> None:
    with pytest.raises(ValueError, match="table messages does not count calls"):
        View("messages", counted=("=", "user", "bob"))
    with pytest.raises(ConfigError, match=r"no column .usr.*did you mean 'user'"):
        ReportOptions(where="usr = 'bob'")


def test_a_report_of_some_calls_keeps_and_counts_these(tmp_path: Path) -> None:
    options = ReportOptions(where="user = 'erin'", title="Erin's <b>day</b>")
    made = report_captures([NAMENODE], tmp_path, options=options)
    page, summary = made.page.read_text(), json.loads(made.summary.read_bytes())
    assert set(pq.read_table(tmp_path / "calls.parquet")["user"].to_pylist()) == {"erin"}
    assert 0 < summary["findings"][0]["data"]["calls"] < counted(None).count
    assert summary["source"]["where"] == "user = 'erin'"
    assert "Only calls <bdi>that meet user = &#39;erin&#39;</bdi>" in page
    assert "Erin&#39;s &lt;b&gt;day&lt;/b&gt;" in page
    none = report_captures([SASL], tmp_path / "none", options=ReportOptions(where="user = 'x'"))
    assert none.lines[0].startswith("No call meets the condition.")


def test_since_and_until_count_the_calls_between(tmp_path: Path) -> None:
    whole = sorted(start.value for start in decoded(NAMENODE, "calls", columns=["start"])["start"])
    middle = whole[len(whole) // 2]
    half = sum(start < middle for start in whole)
    moment = (
        f"{datetime.fromtimestamp(middle // 10**6, UTC):%Y-%m-%dT%H:%M:%S}.{middle % 10**6:06}Z"
    )
    early = report_captures(
        [NAMENODE],
        tmp_path / "early",
        keep_calls=False,
        options=ReportOptions(until=moment),
    )
    late = report_captures(
        [NAMENODE],
        tmp_path / "late",
        keep_calls=False,
        options=ReportOptions(since=moment),
    )
    first, second = (json.loads(made.summary.read_bytes()) for made in (early, late))
    assert first["findings"][0]["data"]["calls"] == half
    assert second["findings"][0]["data"]["calls"] == len(whole) - half
    assert first["source"]["last"] == second["source"]["first"] == middle


@pytest.mark.parametrize(
    ("since", "until", "zone", "condition"),
    [
        ("1970-01-01T00:00:01Z", None, "UTC", "start >= 1000000"),
        (None, "1970-01-01T01:00:01", "Europe/Berlin", "start < 1000000"),
        (
            "1970-01-01",
            "1970-01-01T00:00:00.5",
            "UTC",
            "(a\n) and start >= 0 and start < 500000",
        ),
    ],
)
def test_times_without_an_offset_are_in_the_time_zone(
    since: str | None, until: str | None, zone: str, condition: str
) -> None:
    where = "user = 'a'" if condition.startswith("(") else None
    options = ReportOptions(where=where, since=since, until=until, timezone=zone)
    assert options.condition == condition.replace("a\n", "user = 'a'\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"since": "yesterday"}, "since: 'yesterday' is not a time"),
        ({"since": "0001-01-01T00:00+23:00", "until": "x"}, "until: 'x' is not a time"),
        ({"since": "2026-01-02", "until": "2026-01-02"}, "is not before"),
        ({"timezone": "Europe/Berlln"}, "did you mean 'Europe/Berlin'"),
        ({"timezone": "../etc/passwd"}, "there is no time zone"),
        ({"timezone": ""}, "there is no time zone"),
        ({"timezone": "Europe"}, "there is no time zone"),
        ({"timezone": "a\0b"}, "there is no time zone"),
        ({"title": "x" * 201}, "a title of 201 characters; expected 1 to 200"),
        ({"title": "\udc80"}, "is not valid Unicode"),
        ({"where": "user = 'a') or (user = 'b'"}, "cannot be read"),
    ],
)
def test_wrong_options_are_one_sentence(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _ = ReportOptions(**options).condition  # type: ignore[arg-type]


def test_all_times_of_a_page_are_in_its_time_zone(tmp_path: Path) -> None:
    source = ReportSource(first=NOON, last=NOON + 603 * 1_000_000, duration=603.0)
    rows = Traffic.from_table(busy_cluster(5_000))
    there = write_report(
        rows, source, tmp_path / "there", options=ReportOptions(timezone="Asia/Kolkata")
    )
    here = write_report(rows, source, tmp_path / "here")
    page, plain = there.page.read_text(), here.page.read_text()
    assert "10:00:00 to 10:10:03 UTC" in here.lines[0]
    assert "15:30:00 to 15:40:03 Asia/Kolkata" in there.lines[0]
    assert "UTC" not in page
    assert "15:40:03\u00a0Asia/\u2060Kolkata" in page  # on one line
    assert ">15:3" in page
    assert ">10:0" not in page
    assert ">10:0" in plain
    numbers = [json.loads(made.summary.read_bytes())["findings"] for made in (there, here)]
    assert [each["data"] for each in numbers[0]] == [each["data"] for each in numbers[1]]


@pytest.mark.parametrize("width", [1, 86_400])
def test_a_time_axis_fits_seconds_and_a_month(tmp_path: Path, width: int) -> None:
    parts = [calls(30, at=at * width, width=width) for at in range(30 if width > 1 else 2)]
    made = write_report(Traffic.from_table(table(*parts)), ReportSource(), tmp_path)
    page = made.page.read_text()
    shown = ">8 Mar<" if width > 1 else ">10:00:01"
    assert shown in page
