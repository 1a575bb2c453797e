"""Captures cut into ranges in Spark: the rows of a sequential decode, made by many tasks."""

from __future__ import annotations

import gzip
import os
import shutil
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark import TaskContext

from jvmwire.errors import ConfigError
from jvmwire.spark import CaptureSource
from jvmwire.spark._planning import plan
from kit.captures import NAMENODE, SASL, decoded
from kit.corrupt_captures import read_packets, write_packets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, Row, SparkSession


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("captures") / "namenode.pcap"
    path.write_bytes(gzip.decompress(NAMENODE.read_bytes()))
    return path


def read(spark: SparkSession, path: Path, **options: str) -> DataFrame:
    return spark.read.format("jvmwire").options(**options).load(str(path))


def tasks_of(rows: DataFrame) -> list[Row]:
    """Return the process in which each part of the rows was decoded."""

    # By value: workers do not find this module.
    def where(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context is not None
        count = sum(batch.num_rows for batch in batches)
        row = {"process": os.getpid(), "part": context.partitionId(), "rows": count}
        yield pa.RecordBatch.from_pylist([row])

    return rows.mapInArrow(where, "process long, part long, rows long").collect()


@pytest.mark.parametrize("table", ["messages", "calls"])
def test_a_capture_in_ranges_equals_the_sequential_decode(
    spark: SparkSession, capture: Path, table: str
) -> None:
    rows = read(spark, capture, table=table, range_size="400000")
    ranges = -(-capture.stat().st_size // 400_000)
    assert ranges > 4
    seen = tasks_of(rows)
    assert sorted(row["part"] for row in seen) == [*range(ranges)]
    assert all(row["rows"] for row in seen)
    assert len({row["process"] for row in seen}) >= 2
    assert rows.toArrow().equals(decoded(capture, table))


def test_rotated_files_are_one_capture(spark: SparkSession, tmp_path: Path) -> None:
    header, packets = read_packets(NAMENODE)
    for number in range(4):
        part = packets[number * 3000 : (number + 1) * 3000]
        write_packets(tmp_path / f"day.pcap{number}", header, part)
    whole = write_packets(tmp_path / "whole.bin", header, packets[:12_000])
    rows = read(spark, tmp_path, table="calls", rotated="true", index=str(tmp_path / "index"))
    assert rows.toArrow().equals(decoded(whole, "calls"))
    apart = read(spark, tmp_path, table="streams").count()
    assert apart > len(decoded(whole, "streams"))


def test_an_overwritten_ring_is_one_capture_in_order_of_time(
    spark: SparkSession, tmp_path: Path
) -> None:
    header, packets = read_packets(NAMENODE)
    for number, place in enumerate((2, 3, 0, 1)):
        part = packets[place * 3000 : (place + 1) * 3000]
        write_packets(tmp_path / f"day.pcap{number}", header, part)
    whole = write_packets(tmp_path / "whole.bin", header, packets[:12_000])
    rows = read(spark, tmp_path, table="calls", rotated="true", index=str(tmp_path / "index"))
    assert rows.toArrow().equals(decoded(whole, "calls"))


def test_the_table_of_files_names_what_cannot_be_read(spark: SparkSession, tmp_path: Path) -> None:
    shutil.copy(SASL, tmp_path / "a.pcap")
    (tmp_path / "b.pcap").touch()
    shutil.copy("/proc/self/status", tmp_path / "c.pcap")
    files = read(spark, tmp_path, table="files", range_size="1024").toArrow().to_pylist()
    assert [file["path"] for file in files] == [
        str(tmp_path / name) for name in ("a.pcap", "b.pcap", "c.pcap")
    ]
    good, empty, foreign = files
    assert good["error"] is None
    assert good["streams"] == len(decoded(SASL, "streams"))
    assert good["ranges"] > 3
    assert good["size"] == SASL.stat().st_size
    assert empty["error"] == "the capture is empty"
    assert (empty["streams"], empty["undecoded"]) == (0, 1)
    assert foreign["error"].startswith("neither pcap nor pcapng")
    assert foreign["first_stream"] == 2 << 32


def test_a_file_that_goes_while_it_is_read_is_counted_and_the_others_are_decoded(
    tmp_path: Path,
) -> None:
    for name in ("a.pcap", "b.pcap"):
        shutil.copy(SASL, tmp_path / name)

    def of(table: str) -> pa.Table:
        source = CaptureSource({"path": str(tmp_path), "table": table})
        reader = source.reader(source.schema())
        parts = reader.partitions()
        (tmp_path / "a.pcap").rename(tmp_path / "moved")
        batches = [batch for part in parts for batch in reader.read(part)]
        (tmp_path / "moved").rename(tmp_path / "a.pcap")
        return pa.Table.from_batches(batches)

    reason = "the capture cannot be read: No such file or directory"
    messages = of("messages").to_pylist()
    [about_file] = [row for row in messages if row["stream"] == -1]
    assert about_file["error"] == f"a.pcap: {reason}"
    assert len(messages) == 1 + len(decoded(SASL, "messages"))
    assert of("calls").equals(decoded(SASL, "calls", number=1))
    assert [file["error"] for file in of("files").to_pylist()] == [reason, None]


def test_a_capture_whose_index_has_no_place_is_read_by_one_task(
    capture: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "no directory"
    blocked.touch()
    options = {"range_size": 400_000, "protocol": None}
    [part] = plan([(capture,)], index=blocked, **options)  # type: ignore[arg-type]
    assert part.index is None
    ring = [tmp_path / f"a.pcap{number}" for number in range(2)]
    for file in ring:
        shutil.copy(SASL, file)
    with pytest.raises(ConfigError, match="name a directory in the option index"):
        plan([tuple(ring)], index=blocked, **options)  # type: ignore[arg-type]
    spared = tmp_path / "spared"
    parts = plan([tuple(ring)], index=blocked, spare_index=spared, **options)  # type: ignore[arg-type]
    assert [part.index for part in parts] == [str(file) for file in spared.iterdir()] * 2


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"range_size": "64 MiB"}, "option range_size is 1024 bytes or more, not '64 MiB'"),
        ({"range_size": "10"}, "option range_size is 1024 bytes or more"),
        ({"rotated": "yes"}, "option rotated cannot be 'yes'"),
        ({"rotated": "true", "protocol": "hadoop", "side": "any"}, "remove the option rotated"),
        ({"table": "files", "where": "size > 0"}, "table files is small"),
        ({"table": "files", "columns": "path,name"}, "table files has no column 'name'"),
    ],
    ids=str,
)
def test_a_wrong_option_of_ranges_is_refused(options: dict[str, str], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        CaptureSource({"path": str(SASL), **options}).schema()
