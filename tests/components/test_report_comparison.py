"""Comparison of reports: a planted change is named first, and the same traffic has none."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from jvmwire.errors import ConfigError
from jvmwire.report import (
    Comparison,
    ReportOptions,
    ReportSource,
    Significance,
    Traffic,
    compare,
    find,
    is_summary,
    read_summary,
    write_report,
)
from jvmwire.report._evidence import dispersion, evidence
from jvmwire.report._findings.comparison import describe
from jvmwire.report._page import summarize
from kit.traffic import GET, LIST, MISSING, Rows, calls, repeats, table

if TYPE_CHECKING:
    from pathlib import Path

USERS = ("alice", "bob", "carol", "dave")
METHODS = (GET, LIST, "ClientProtocol.create", "ClientProtocol.delete")


def summary(*parts: Rows, duration: float | None = 600.0) -> dict[str, Any]:
    traffic = Traffic.from_table(table(*parts))
    source = ReportSource(duration=duration)
    found = find(traffic, source)
    content = summarize(found, source, evidence(found, traffic, source))
    return dict(orjson.loads(content))


def steady(seed: int, seconds: int = 600, *, burst: int = 1, slower: float = 1) -> list[Rows]:
    """Make calls of 16 kinds at their own rates; bursts have so many calls at once."""
    chance = random.Random(seed)  # noqa: S311
    rows: list[Rows] = []
    for number, (user, name) in enumerate((user, name) for user in USERS for name in METHODS):
        for at in range(0, seconds, 10):
            events = sum(chance.random() < 0.5 for _ in range(2 + number))
            if made := events * burst:
                took = [round(chance.lognormvariate(7, 0.4) * slower) for _ in range(made)]
                rows.append(calls(made, at=at, width=10, user=user, name=name, took=took))
        if number % 4 == 0:
            failed = [at for at in range(0, seconds, 10) if chance.random() < 0.3]
            rows += [
                calls(at=at, width=10, name=name, status="error", error_class=MISSING)
                for at in failed
            ]
    return rows


@pytest.mark.parametrize("burst", [1, 20])
def test_the_same_traffic_has_no_change(burst: int) -> None:
    made = [summary(*steady(seed, burst=burst)) for seed in range(10)]
    for before, after in zip(made[:5], made[5:], strict=True):
        comparison = compare(before, after)
        assert len(comparison.changes) > 15
        assert comparison.changed == ()
        assert describe(comparison).startswith("Nothing changed beyond noise, in ")


def test_rates_are_compared_when_durations_differ() -> None:
    long, short = summary(*steady(1)), summary(*steady(2, seconds=300), duration=300.0)
    assert compare(long, short).changed == ()
    half = summary(*steady(2, seconds=300), duration=600.0)
    changed = compare(long, half).changed
    assert {round(each.ratio or 0, 1) for each in changed} <= {0.4, 0.5, 0.6}
    assert [each.name for each in changed[:1]] == ["all calls"]


def first(before: dict[str, Any], after: dict[str, Any]) -> str:
    comparison = compare(before, after)
    assert comparison.changes[0].verdict == Significance.CHANGE
    return f"{comparison.changes[0].name}: {comparison.changes[0].outcome}"


def test_a_planted_change_is_named_first() -> None:
    before, usual = summary(*steady(1)), steady(2)
    new = [calls(3, at=at, width=10, user="mallory", client="h") for at in range(0, 600, 10)]
    assert first(before, summary(*usual, *new)) == "mallory@h: new"
    storm = [calls(40, at=300, user="mallory"), repeats(40, at=300, user="mallory", retries=40)]
    assert first(before, summary(*usual, *storm)).startswith("mallory@10.0.0.7 getFileInfo ")
    failing = [
        calls(2, at=at, width=10, status="error", error_class="x.Denied")
        for at in range(0, 600, 10)
    ]
    assert first(before, summary(*usual, *failing)) == "getFileInfo (Denied): new"
    without = [rows for rows in usual if rows[0]["user"] != "dave"]
    assert first(before, summary(*without)) == "dave@10.0.0.7: gone"


def test_slower_methods_are_changes_of_latency() -> None:
    comparison = compare(summary(*steady(1)), summary(*steady(2, slower=1.5)))
    assert {each.name for each in comparison.changed} == {
        "getFileInfo",
        "getListing",
        "create",
        "delete",
    }
    assert all(each.is_latency and 1.3 < (each.ratio or 0) < 1.8 for each in comparison.changed)
    assert compare(summary(*steady(1)), summary(*steady(2, slower=1.02))).changed == ()


def test_recordings_without_a_clock_are_compared_by_shares() -> None:
    before = summary(calls(900, at=None), calls(100, at=None, user="bob"), duration=None)
    after = summary(calls(1800, at=None), calls(200, at=None, user="bob"), duration=None)
    comparison = compare(before, after)
    assert comparison.by_share
    assert comparison.changed == ()
    worse = summary(calls(500, at=None), calls(500, at=None, user="bob"), duration=None)
    assert compare(before, worse).changed[0].name == "bob@10.0.0.7"


@pytest.mark.parametrize("parts", [[], [calls(1)], [calls(3, at=None)]])
def test_small_recordings_are_compared(parts: list[Rows]) -> None:
    little = summary(*parts, duration=None)
    for before, after in ((little, little), (little, summary(*steady(1))), (little, summary())):
        assert isinstance(compare(before, after), Comparison)


def test_dispersion_is_1_for_independent_calls_and_the_size_of_bursts() -> None:
    assert dispersion([0, 0]) is None
    assert dispersion([5, 5, 5]) == 0
    chance = random.Random(7)  # noqa: S311
    series = [sum(chance.random() < 0.01 for _ in range(1000)) for _ in range(400)]
    assert 0.8 < (dispersion(series) or 0) < 1.2
    assert 24 < (dispersion([30 * value for value in series]) or 0) < 36


def test_a_report_has_a_section_on_its_baseline(tmp_path: Path) -> None:
    write_report(Traffic.from_table(table(*steady(1))), ReportSource(duration=600), tmp_path / "a")
    new = [calls(3, at=at, width=10, user="<eve>", client="h") for at in range(0, 600, 10)]
    for baseline in (tmp_path / "a", tmp_path / "a" / "summary.json"):
        made = write_report(
            Traffic.from_table(table(*steady(2), *new)),
            ReportSource(duration=600),
            tmp_path / "b",
            options=ReportOptions(baseline=baseline),
        )
        assert made.lines[-1].startswith("<eve>@h (Callers, calls) is new: 180 calls, 18/min.")
        page = made.page.read_text()
        assert '<section id="comparison"' in page
        assert "&lt;eve&gt;@h" in page
        assert "<eve>" not in page
    rows = json.loads(made.summary.read_bytes())["findings"][-1]["details"][0]["rows"]
    assert rows[0] == {
        "what": "<eve>@h",
        "table": "Callers",
        "measure": "calls",
        "before": 0.0,
        "after": 0.3,
        "ratio": None,
        "verdict": "new",
    }


def test_other_files_are_no_summaries(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    for content, message in (
        (b"{", "is not the summary.json of a report"),
        (b"[]", "is not the summary.json of a report"),
        (b'{"generator": "jvmwire report"}', "make its report again"),
    ):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=message):
            read_summary(path)
    assert is_summary(tmp_path)
    path.write_bytes(b"\xd4\xc3\xb2\xa1")
    assert not is_summary(path)
    whole = summary(calls(3))
    for broken in ({}, {**whole["evidence"], "counts": [1]}, {**whole["evidence"], "slices": None}):
        with pytest.raises(ConfigError, match="no evidence for a comparison"):
            compare(whole, {**whole, "evidence": broken})
