"""Counts of rows by columns."""

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jvmwire._cli import counts
from jvmwire.capture import make_view, read_tables
from kit.captures import NAMENODE, WRITABLE
from kit.command import decode

CALLS = ("--table", "calls")


@pytest.mark.parametrize("columns", ["user", "user,status", "retry"])
def test_counts_are_those_of_the_rows(columns: str) -> None:
    names = columns.split(",")
    rows = decode(*CALLS, "--columns", columns, NAMENODE).rows
    expected = Counter(tuple(row[name] for name in names) for row in rows)
    top = decode(*CALLS, "--top", columns, NAMENODE).rows
    assert {tuple(row[name] for name in names): row["count"] for row in top} == expected
    assert [row["count"] for row in top] == sorted(expected.values(), reverse=True)
    assert all(row["share"] == round(row["count"] / len(rows), 6) for row in top)


def test_a_limit_says_how_many_and_a_condition_which() -> None:
    where = ("--where", "status = 'error'")
    [first, _] = decode(*CALLS, "--top", "user", "--limit", "2", *where, NAMENODE).rows
    assert first == {"user": "erin", "count": 300, "share": round(300 / 407, 6)}
    assert len(decode(*CALLS, "--top", "target", NAMENODE).rows) == counts.DEFAULT_LIMIT


@pytest.mark.parametrize("format_", ["table", "csv"])
def test_counts_have_the_formats_of_rows(format_: str) -> None:
    done = decode(*CALLS, "--top", "status", "--format", format_, WRITABLE)
    head, first, *_ = done.stdout.decode().splitlines()
    assert head.replace(",", " ").split() == ["status", "count", "share"]
    assert first.startswith("ok")


def test_counts_go_to_parquet(tmp_path: Path) -> None:
    out = tmp_path / "top.parquet"
    decode(*CALLS, "--top", "start,attributes", "--format", "parquet", "-o", out, NAMENODE)
    table = pq.read_table(out)
    assert table.column_names == ["start", "attributes", "count", "share"]
    assert table.num_rows == counts.DEFAULT_LIMIT


def test_values_beyond_the_limit_are_counted_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(counts, "MAX_KEYS", 5)
    view = make_view("calls", columns=["id"])
    counted = counts.Counts(view)
    counted.add(read_tables(WRITABLE, [view]))
    counted.warn_of_others()
    kept = counted.most_frequent(100)
    assert kept.num_rows == 5
    rows = [
        int(line.rpartition(b'count":')[2].split(b",")[0]) for line in kept.to_jsonl().splitlines()
    ]
    [said] = capsys.readouterr().err.splitlines()
    assert said == (
        f"jvmwire: --top counts 5 different values apart; {28 - sum(rows)} rows have others, "
        "which may be as frequent"
    )
