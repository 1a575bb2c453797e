"""Captures that tcpdump rotates, as a stream in Spark: rows are exact over a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from jvmwire.errors import ConfigError
from jvmwire.spark import CaptureSource
from kit.captures import NAMENODE, SASL, decoded
from kit.corrupt_captures import read_packets, write_packets
from kit.queries import follow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from jvmwire.spark._capture_stream import CaptureStreamReader


def run(spark: SparkSession, directory: Path, work: Callable[[StreamingQuery], object]) -> None:
    """Follow `directory`/captures into `directory`/calls, and run `work` with the query."""
    stream = spark.readStream.format("jvmwire").options(
        table="calls", journal=str(directory / "journal"), range_size="100000"
    )
    rows = stream.load(str(directory / "captures"))
    writer = rows.writeStream.format("parquet").option("path", str(directory / "calls"))
    writer = writer.option("checkpointLocation", str(directory / "checkpoint"))
    follow(writer, work)


@pytest.mark.timeout(600)  # each batch waits for new processes
def test_a_query_that_is_stopped_and_started_again_gives_each_row_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    header, packets = read_packets(NAMENODE)
    packets = packets[:4000]
    whole = write_packets(tmp_path / "whole", header, packets)
    captures = tmp_path / "captures"
    captures.mkdir()
    for number in range(2):
        part = packets[number * 1000 : (number + 1) * 1000]
        write_packets(captures / f"day.pcap{number}", header, part)
    run(spark, tmp_path, lambda query: query.processAllAvailable())
    write_packets(captures / "day.pcap2", header, packets[2000:])
    run(spark, tmp_path, lambda query: query.processAllAvailable())
    got = spark.read.parquet(str(tmp_path / "calls")).toArrow()
    expected = decoded(whole, "calls")
    # A call that is open when the packets end is lost in a finite capture; this one may go on.
    expected = expected.filter(pc.is_valid(expected["reply_offset"]))
    got = got.filter(pc.is_valid(got["reply_offset"]))
    assert got.num_rows > 500
    assert in_order(got).equals(in_order(expected))


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("stream", "ascending"), ("request_offset", "ascending")])


def reader(path: Path, journal: Path, **options: str) -> CaptureStreamReader:
    source = CaptureSource({"path": str(path), "journal": str(journal), **options})
    return source.streamReader(source.schema())


def test_offsets_count_the_ranges_that_were_found(tmp_path: Path) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    following = reader(captures, tmp_path / "journal", range_size="2000")
    begin = following.initialOffset()
    assert following.latestOffset(begin, None) == begin  # type: ignore[arg-type]
    (captures / "a.pcap").write_bytes(SASL.read_bytes())
    end = following.latestOffset(begin, None)  # type: ignore[arg-type]
    parts = following.partitions(begin, end)
    assert len(parts) > 3
    batches = [batch for part in parts for batch in following.read(part)]
    assert pa.Table.from_batches(batches).equals(decoded(SASL, "messages"))
    assert following.partitions(end, end) == []
    following.commit(end)
    following.stop()
    again = reader(captures, tmp_path / "journal", range_size="2000")
    assert again.latestOffset(end, None) == end  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="each query needs a journal of its own"):
        again.latestOffset(begin, None)  # type: ignore[arg-type]
    again.stop()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "a stream needs a journal"),
        ({"journal": "/nowhere", "rotated": "true"}, "a stream takes no side"),
        ({"journal": "/nowhere", "table": "files"}, "a stream takes no side"),
    ],
    ids=str,
)
def test_options_that_a_stream_does_not_have_are_refused(
    tmp_path: Path, options: dict[str, str], sentence: str
) -> None:
    source = CaptureSource({"path": str(tmp_path), **options})
    with pytest.raises(ConfigError, match=sentence):
        source.streamReader(source.schema())


def test_a_stream_is_of_a_directory_and_a_journal_of_a_stream(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a stream is of one directory"):
        reader(SASL, tmp_path)
    source = CaptureSource({"path": str(SASL), "journal": str(tmp_path)})
    with pytest.raises(ConfigError, match="a journal is for readStream"):
        source.reader(source.schema())
