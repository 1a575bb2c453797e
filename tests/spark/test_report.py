"""The report on captures, in threads of one process and in Spark."""

import json
import re
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from jvmwire.capture import find_captures
from jvmwire.capture._aggregates import SCHEMA, merge_batches
from jvmwire.capture._index import index_capture
from jvmwire.capture._splitting import RANGE_SIZE
from jvmwire.report import Report, ReportOptions, report_captures
from jvmwire.report._job import ThreadedCounter
from jvmwire.report._job import run_report as run_report_on
from jvmwire.report._traffic import plain
from jvmwire.spark import _aggregation, _report
from jvmwire.spark._aggregation import count_captures, counted
from jvmwire.spark._planning import CapturePart
from jvmwire.spark._report import run_report
from kit.captures import (
    HAMA_TASK,
    NAMENODE,
    SASL,
    STORM_BOLT,
    VECTORS,
    WRITABLE,
    cut_short,
    decoded,
)
from kit.corrupt_captures import read_packets, write_packets

RECORDINGS_OF_ALL = [
    NAMENODE,
    STORM_BOLT,
    HAMA_TASK,
    VECTORS / "hazelcast" / "recordings" / "member-3.12.13.pcap",
    VECTORS / "pravega" / "recordings" / "segmentstore-0.13.0.pcap",
]
"""A recording of each protocol."""


class Run(Protocol):
    """A function that writes a report."""

    def __call__(
        self, captures: Sequence[Path], directory: Path, *, keep_calls: bool = True
    ) -> Report: ...


@pytest.fixture(params=["in process", "spark"])
def run(request: pytest.FixtureRequest) -> Run:
    """A report by each engine."""
    if request.param == "in process":
        return report_captures
    return partial(run_report, request.getfixturevalue("spark"))


def calls_of(directory: Path) -> pa.Table:
    return ds.dataset(directory / "calls.parquet", format="parquet").to_table()


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_report_is_a_page_a_summary_and_the_calls(run: Run, tmp_path: Path) -> None:
    captures = [NAMENODE, SASL, WRITABLE]
    made = run(captures, tmp_path)
    assert names_in(tmp_path) == ["calls.parquet", "index.html", "summary.json", "summary.md"]
    assert names_in(tmp_path / "calls.parquet") == [
        "_SUCCESS", "part-00000.parquet", "part-00001.parquet", "part-00002.parquet",
    ]  # fmt: skip
    expected = [decoded(path, "calls", number=number) for number, path in enumerate(captures)]
    assert calls_of(tmp_path).equals(pa.concat_tables(expected))
    summary = json.loads(made.summary.read_bytes())
    assert [capture["name"] for capture in summary["source"]["captures"]] == [
        path.name for path in captures
    ]
    assert summary["findings"][0]["data"]["calls"] == sum(map(len, expected))
    streams = [len(decoded(path, "streams")) for path in captures]
    assert summary["source"]["streams"] == sum(streams)
    messages = [decoded(path, "messages") for path in captures]
    assert summary["source"]["messages"] == sum(
        len(table.filter(table["error"].is_null())) for table in messages
    )
    assert made.page.read_text().startswith("<!doctype html>")


def test_files_of_a_ring_are_one_capture_of_a_report(run: Run, tmp_path: Path) -> None:
    header, packets = read_packets(NAMENODE)
    whole = write_packets(tmp_path / "whole.pcap", header, packets[:9000])
    ring = [
        write_packets(tmp_path / f"ring.pcap{number}", header, packets[start : start + 3000])
        for number, start in enumerate(range(0, 9000, 3000))
    ]
    made = run([*ring, SASL], tmp_path / "report")
    expected = [decoded(whole, "calls"), decoded(SASL, "calls", number=1)]
    assert calls_of(tmp_path / "report").equals(pa.concat_tables(expected))
    source = json.loads(made.summary.read_bytes())["source"]
    assert source["streams"] == len(decoded(whole, "streams")) + len(decoded(SASL, "streams"))
    assert names_in(tmp_path / "report") == [
        "calls.parquet",
        "index.html",
        "summary.json",
        "summary.md",
    ]


def test_spark_reads_the_calls_that_its_workers_wrote(spark: SparkSession, tmp_path: Path) -> None:
    run_report(spark, [SASL, WRITABLE], tmp_path)
    rows = spark.read.parquet(str(tmp_path / "calls.parquet")).count()
    assert rows == len(decoded(SASL, "calls")) + len(decoded(WRITABLE, "calls"))


@pytest.mark.parametrize("range_size", [20_000, RANGE_SIZE])
def test_both_engines_write_the_same_bytes(
    spark: SparkSession, tmp_path: Path, range_size: int
) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    for recording in RECORDINGS_OF_ALL:
        shutil.copy(recording, captures)
    header, packets = read_packets(NAMENODE)
    for number, start in enumerate(range(0, 9000, 3000)):
        write_packets(captures / f"ring.pcap{number}", header, packets[start : start + 3000])
    (captures / "cut.pcap").write_bytes(cut_short(NAMENODE))
    found = find_captures([captures])
    count = ThreadedCounter(threads=3)
    in_process = run_report_on(count, found, tmp_path / "a", range_size=range_size)
    in_spark = run_report(spark, found, tmp_path / "b", range_size=range_size)
    assert in_process.findings[0].data.calls > 15_000
    assert len(json.loads(in_process.summary.read_bytes())["source"]["protocols"]) == 5
    assert in_process.summary.read_bytes() == in_spark.summary.read_bytes()
    assert in_process.page.read_bytes() == in_spark.page.read_bytes()
    assert calls_of(tmp_path / "a").equals(calls_of(tmp_path / "b"))
    assert names_in(tmp_path / "a" / "calls.parquet") == names_in(tmp_path / "b" / "calls.parquet")
    assert (in_process.lines, in_process.reasons) == (in_spark.lines, in_spark.reasons)


def test_both_engines_count_the_same_calls_of_a_condition(
    spark: SparkSession, tmp_path: Path
) -> None:
    options = ReportOptions(where="user = 'erin' or status <> 'ok'", timezone="Asia/Tokyo")
    count = ThreadedCounter(threads=2)
    in_process = run_report_on(count, [NAMENODE, SASL], tmp_path / "a", options=options)
    in_spark = run_report(spark, [NAMENODE, SASL], tmp_path / "b", options=options)
    assert in_process.findings[0].data.calls > 300
    assert in_process.page.read_bytes() == in_spark.page.read_bytes()
    assert in_process.summary.read_bytes() == in_spark.summary.read_bytes()
    assert calls_of(tmp_path / "a").equals(calls_of(tmp_path / "b"))
    assert calls_of(tmp_path / "a").num_rows == in_process.findings[0].data.calls


def test_a_report_made_again_replaces_the_first(run: Run, tmp_path: Path) -> None:
    run([SASL, WRITABLE], tmp_path)
    (tmp_path / "mine.txt").touch()
    made = run([WRITABLE], tmp_path)
    assert names_in(tmp_path) == [
        "calls.parquet",
        "index.html",
        "mine.txt",
        "summary.json",
        "summary.md",
    ]
    assert calls_of(tmp_path).equals(decoded(WRITABLE, "calls"))
    assert SASL.name not in made.page.read_text()


def test_a_report_that_keeps_no_calls_counts_the_same_and_leaves_none_of_an_earlier_one(
    run: Run, tmp_path: Path
) -> None:
    kept = json.loads(run([SASL, WRITABLE], tmp_path).summary.read_bytes())
    made = run([SASL, WRITABLE], tmp_path, keep_calls=False)
    assert names_in(tmp_path) == ["index.html", "summary.json", "summary.md"]
    assert json.loads(made.summary.read_bytes()) == kept


def test_tasks_merge_what_tasks_counted_and_the_report_is_the_same(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captures = [NAMENODE, SASL, WRITABLE, SASL, WRITABLE]
    flat = json.loads(run_report(spark, captures, tmp_path, keep_calls=False).summary.read_bytes())
    monkeypatch.setattr(_report, "FAN_IN", 2)
    monkeypatch.setattr(_report, "TASKS_A_CORE", 9)
    tree = json.loads(run_report(spark, captures, tmp_path, keep_calls=False).summary.read_bytes())
    assert tree == flat


def test_a_task_merges_what_it_counted_once_that_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    captures = [NAMENODE, SASL, NAMENODE, WRITABLE]
    parts = [CapturePart((str(path),), number) for number, path in enumerate(captures)]

    def handed_on() -> list[pa.RecordBatch]:
        task = pa.RecordBatch.from_pydict({"id": list(range(len(parts)))})
        return list(counted(count_captures(parts, None)(iter([task]))))

    little = handed_on()
    assert len(little) == len(captures)
    monkeypatch.setattr(_aggregation, "_MERGE_THRESHOLD_ROWS", little[0].num_rows)
    [merged] = handed_on()
    assert merged.num_rows < sum(batch.num_rows for batch in little)
    keys: list[tuple[str, Any]] = [(name, "ascending") for name in SCHEMA.names]
    once, twice = (plain(merge_batches(of)).sort_by(keys) for of in (little, [merged]))
    assert once == twice


def test_a_damaged_capture_is_counted_and_named_and_the_others_decoded(
    run: Run, tmp_path: Path
) -> None:
    captures = [tmp_path / name for name in ("cut.pcap", "empty.pcap", "good.pcap", "gone.pcap")]
    captures[0].write_bytes(cut_short(NAMENODE))
    captures[1].touch()
    shutil.copy(SASL, captures[2])
    out = tmp_path / "report"
    made = run(captures, out)
    assert made.undecoded >= 2
    summary = json.loads(made.summary.read_bytes())
    reasons = summary["source"]["undecoded"]
    assert reasons["empty.pcap: the capture is empty"] == 1
    assert reasons["gone.pcap: the capture cannot be read: No such file or directory"] == 1
    [cut] = [
        reason for reason in reasons if reason.startswith("cut.pcap: the capture is cut short")
    ]
    page = made.page.read_text()
    assert "empty.pcap: the capture is empty" in re.sub(r"<wbr>", "", page)
    assert cut in re.sub(r"<wbr>", "", page)
    expected = [decoded(path, "calls", number=number) for number, path in enumerate(captures[:3])]
    assert len(expected[0])
    assert calls_of(out).equals(pa.concat_tables(expected))


def test_a_report_that_fails_leaves_the_earlier_one(spark: SparkSession, tmp_path: Path) -> None:
    out = tmp_path / "report"
    run_report(spark, [WRITABLE], out)
    capture = tmp_path / "a.pcap"
    shutil.copy(SASL, capture)
    index = index_capture([capture], size=2000, protocol=None, directory=None)
    with pa.OSFile(str(index), "r") as file:
        ranges = pa.ipc.open_file(file).read_all()
    states = pa.array([None, *(b"no state" for _ in range(len(ranges) - 1))])
    damaged = ranges.set_column(ranges.column_names.index("state"), "state", states)
    with pa.ipc.new_file(str(index), damaged.schema) as writer:
        writer.write_table(damaged, max_chunksize=1)
    with pytest.raises(Exception, match=r"the executors cannot decode: .* is damaged: range . is"):
        run_report(spark, [capture], out, range_size=2000)
    assert names_in(out) == ["calls.parquet", "index.html", "summary.json", "summary.md"]
    assert calls_of(out).equals(decoded(WRITABLE, "calls"))


def test_a_task_tried_twice_leaves_one_file(tmp_path: Path) -> None:
    work = count_captures([CapturePart((str(SASL),), 0)], tmp_path)
    task = pa.RecordBatch.from_pydict({"id": [0]})
    first = list(work(iter([task])))
    second = list(work(iter([task])))
    assert first == second
    assert names_in(tmp_path) == ["part-00000.parquet"]


def test_a_task_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        assert names_in(tmp_path)
        raise OSError("no room left")

    monkeypatch.setattr(pq.ParquetWriter, "write_batch", fail)
    work = count_captures([CapturePart((str(SASL),), 0)], tmp_path)
    with pytest.raises(OSError, match="no room left"):
        list(work(iter([pa.RecordBatch.from_pydict({"id": [0]})])))
    assert not names_in(tmp_path)
