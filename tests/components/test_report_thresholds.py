"""Thresholds of findings: their file, and their effect on severities."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest

from jvmwire.errors import ConfigError
from jvmwire.report import ReportSource, Severity, Thresholds, Traffic, find
from kit.traffic import MISSING, calls, repeats, table

if TYPE_CHECKING:
    from pathlib import Path


def severities(rows: Traffic, **thresholds: float) -> dict[str, Severity]:
    changed = replace(rows, thresholds=Thresholds(**thresholds))  # type: ignore[arg-type]
    return {each.kind: each.severity for each in find(changed, ReportSource())}


def test_printed_thresholds_are_a_file_that_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.toml"
    path.write_text(Thresholds().toml)
    assert Thresholds.read(path) == Thresholds()
    assert tomllib.loads(Thresholds().toml) == asdict(Thresholds())
    path.write_text("storm_calls = 50\n")
    assert Thresholds.read(path) == Thresholds(storm_calls=50)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("storm_cals = 3", "there is no threshold 'storm_cals'; did you mean 'storm_calls'?"),
        ("x = 3", "there is no threshold 'x'; there are outlier_ratio, "),
        ("failed_share = 5", "threshold failed_share: 5 is not a number from 0 to 1 (share"),
        ("failed_share = true", "threshold failed_share: True is not a number"),
        ("failed_share = nan", "threshold failed_share: nan is not a number"),
        ("storm_calls = 2.5", "threshold storm_calls: 2.5 is not a whole number from 2 to 1,000"),
        ("storm_calls = '9'", "threshold storm_calls: '9' is not a whole number"),
        ("rise_ratio = [1]", "threshold rise_ratio: [1] is not a number"),
        ("[failures]", "there is no threshold 'failures'"),
        ("storm_calls =", "Invalid value"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "thresholds.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=f"^{re.escape(f'{path}: {message}')}"):
        Thresholds.read(path)


def test_thresholds_change_the_severity_of_findings() -> None:
    rows = Traffic.from_table(
        table(
            *(calls(30, at=at, took=1000 if at < 30 else 1800) for at in range(60)),
            calls(60, at=1, user="bob", status="error", error_class=MISSING),
            repeats(30, at=1, user="bob", retries=20),
        )
    )
    usual = severities(rows)
    assert (usual["callers"], usual["failures"]) == (Severity.NOTICE, Severity.NOTICE)
    assert (usual["slowness"], usual["storms"]) == (Severity.ALARM, Severity.ALARM)
    assert severities(rows, outlier_ratio=2)["callers"] == Severity.INFO
    assert severities(rows, failed_share=0.03)["failures"] == Severity.ALARM
    assert severities(rows, rise_ratio=2)["slowness"] == Severity.INFO
    assert severities(rows, storm_calls=31)["storms"] == Severity.INFO
    assert severities(rows, storm_share=0.7)["storms"] == Severity.INFO
