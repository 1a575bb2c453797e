"""Captures that tcpdump rotates, as a stream in Spark: no row lost, none twice, over a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import jvmwire.spark  # noqa: F401 - names the extra
from jvmwire.errors import ConfigError
from jvmwire.spark import CaptureSource
from kit.captures import NAMENODE, SASL, decoded
from kit.damaging import read_packets, write_packets
from kit.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from jvmwire.spark.streaming import CaptureStreamReader

JOB = Path(__file__).with_name("stream_job.py")
pytestmark = pytest.mark.timeout(300)  # two sessions start here


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The job, in a group of processes of its own."""
    (tmp_path / "captures").mkdir()
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "tests" / "spark")])
    with (tmp_path / "job.log").open("wb") as log:
        job = subprocess.Popen(
            [sys.executable, str(JOB), str(tmp_path)],
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": paths},
            stderr=log,
        )
    yield job
    if job.poll() is None:
        os.killpg(job.pid, signal.SIGKILL)
    job.wait()


def test_a_query_that_is_killed_and_started_again_gives_each_row_once(
    spark: SparkSession, tmp_path: Path, killable: subprocess.Popen[bytes]
) -> None:
    from stream_job import start  # type: ignore[import-not-found]

    header, packets = read_packets(NAMENODE)
    packets = packets[:9000]
    whole = write_packets(tmp_path / "whole", header, packets)
    captures = tmp_path / "captures"
    for number in range(3):
        part = packets[number * 1500 : (number + 1) * 1500]
        write_packets(captures / f"day.pcap{number}", header, part)
    committed = tmp_path / "checkpoint" / "commits" / "0"
    while not committed.exists():
        assert killable.poll() is None, (tmp_path / "job.log").read_text()
        time.sleep(0.1)
    write_packets(captures / "day.pcap3", header, packets[4500:6000])
    os.killpg(killable.pid, signal.SIGKILL)
    killable.wait()
    query = start(spark, tmp_path)
    try:
        query.processAllAvailable()
        write_packets(captures / "day.pcap4", header, packets[6000:])
        query.processAllAvailable()
    finally:
        query.stop()
    got = spark.read.parquet(str(tmp_path / "calls")).toArrow()
    expected = decoded(whole, "calls")
    # What is open when the packets end is lost in a capture that ends; this one may go on.
    expected = expected.filter(pc.is_valid(expected["reply_offset"]))
    got = got.filter(pc.is_valid(got["reply_offset"]))
    assert got.num_rows > 1000
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
