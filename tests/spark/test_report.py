"""The report job in Spark."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from jvmwire.capture._aggregates import SCHEMA, merge_batches
from jvmwire.capture._index import index_capture
from jvmwire.report._traffic import plain
from jvmwire.spark import _aggregation, _report
from jvmwire.spark._aggregation import count_captures, counted
from jvmwire.spark._planning import CapturePart
from jvmwire.spark._report import run_report
from kit.captures import NAMENODE, SASL, WRITABLE, cut_short, decoded
from kit.corrupt_captures import read_packets, write_packets


def calls_of(directory: Path) -> pa.Table:
    return ds.dataset(directory / "calls.parquet", format="parquet").to_table()


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_report_is_a_page_a_summary_and_the_calls(spark: SparkSession, tmp_path: Path) -> None:
    captures = [NAMENODE, SASL, WRITABLE]
    made = run_report(spark, captures, tmp_path)
    assert names_in(tmp_path) == ["calls.parquet", "index.html", "summary.json"]
    assert names_in(tmp_path / "calls.parquet") == [
        "_SUCCESS", "part-00000.parquet", "part-00001.parquet", "part-00002.parquet",
    ]  # fmt: skip
    expected = [decoded(path, "calls", number=number) for number, path in enumerate(captures)]
    assert calls_of(tmp_path).equals(pa.concat_tables(expected))
    # Spark reads the files that its workers wrote.
    assert spark.read.parquet(str(tmp_path / "calls.parquet")).count() == sum(map(len, expected))
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


def test_files_of_a_ring_are_one_capture_of_a_report(spark: SparkSession, tmp_path: Path) -> None:
    header, packets = read_packets(NAMENODE)
    whole = write_packets(tmp_path / "whole.pcap", header, packets[:9000])
    ring = [
        write_packets(tmp_path / f"ring.pcap{number}", header, packets[start : start + 3000])
        for number, start in enumerate(range(0, 9000, 3000))
    ]
    made = run_report(spark, [*ring, SASL], tmp_path / "report")
    expected = [decoded(whole, "calls"), decoded(SASL, "calls", number=1)]
    assert calls_of(tmp_path / "report").equals(pa.concat_tables(expected))
    source = json.loads(made.summary.read_bytes())["source"]
    assert source["streams"] == len(decoded(whole, "streams")) + len(decoded(SASL, "streams"))
    assert names_in(tmp_path / "report") == ["calls.parquet", "index.html", "summary.json"]


def test_a_report_made_again_replaces_the_first(spark: SparkSession, tmp_path: Path) -> None:
    run_report(spark, [SASL, WRITABLE], tmp_path)
    (tmp_path / "mine.txt").touch()
    made = run_report(spark, [WRITABLE], tmp_path)
    assert names_in(tmp_path) == ["calls.parquet", "index.html", "mine.txt", "summary.json"]
    assert calls_of(tmp_path).equals(decoded(WRITABLE, "calls"))
    assert SASL.name not in made.page.read_text()


def test_a_report_that_keeps_no_calls_counts_the_same_and_leaves_none_of_an_earlier_one(
    spark: SparkSession, tmp_path: Path
) -> None:
    kept = json.loads(run_report(spark, [SASL, WRITABLE], tmp_path).summary.read_bytes())
    made = run_report(spark, [SASL, WRITABLE], tmp_path, keep_calls=False)
    assert names_in(tmp_path) == ["index.html", "summary.json"]
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
    spark: SparkSession, tmp_path: Path
) -> None:
    captures = [tmp_path / name for name in ("cut.pcap", "empty.pcap", "good.pcap", "gone.pcap")]
    captures[0].write_bytes(cut_short(NAMENODE))
    captures[1].touch()
    shutil.copy(SASL, captures[2])
    out = tmp_path / "report"
    made = run_report(spark, captures, out)
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
    assert names_in(out) == ["calls.parquet", "index.html", "summary.json"]
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
