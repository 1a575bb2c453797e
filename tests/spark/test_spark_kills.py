"""Executors and queries that are killed as kill -9 does: no row is lost, none is duplicated."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from kit.captures import NAMENODE, decoded
from kit.corrupt_captures import read_packets, write_packets

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.timeout(1500)  # each job starts a JVM, and the executors theirs
HERE = Path(__file__).parent
DEADLINE = 500.0
"""Seconds for work that takes a few on an idle machine."""
RANGE_SIZE = 1_000_000


@contextmanager
def running(job: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run a job in a separate process group, of which no process is left."""
    command = [sys.executable, str(HERE / job), *map(str, arguments)]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    with subprocess.Popen(command, start_new_session=True, env=environment) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def until_there(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not path.exists():
        assert process.poll() is None, f"the query ended before {path.name} was there"
        assert time.monotonic() < deadline, f"{path} does not come"
        time.sleep(0.01)


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("stream", "ascending"), ("request_offset", "ascending")])


def test_the_calls_are_exact_though_an_executor_is_killed(tmp_path: Path) -> None:
    capture = tmp_path / "namenode.pcap"
    capture.write_bytes(gzip.decompress(NAMENODE.read_bytes()))
    with running(
        "killed_executor_job.py", "local-cluster[2,1,1024]", capture, RANGE_SIZE, tmp_path
    ) as job:
        assert job.wait(DEADLINE) == 0
    tasks = [tuple(map(int, path.name.split("-"))) for path in (tmp_path / "tasks").iterdir()]
    ranges = -(-capture.stat().st_size // RANGE_SIZE)
    assert {part for part, *_ in tasks} == {*range(ranges)}
    # The part that was lost with its executor was decoded again, in another process.
    again = {attempt: (executor, worker) for part, attempt, executor, worker in tasks if part == 2}
    assert again.keys() >= {0, 1}
    assert again[0][0] != again[1][0]
    assert len({worker for *_, worker in tasks}) >= 2
    got = pq.read_table(tmp_path / "calls")
    expected = decoded(capture, "calls")
    assert in_order(got.cast(expected.schema)).equals(in_order(expected))


def test_a_query_that_is_killed_again_and_again_gives_each_row_once(tmp_path: Path) -> None:
    header, packets = read_packets(NAMENODE)
    packets = packets[:4000]
    whole = write_packets(tmp_path / "whole", header, packets)
    captures = tmp_path / "captures"
    captures.mkdir()

    def rotate(number: int, start: int, stop: int | None = None) -> None:
        write_packets(captures / f"day.pcap{number}", header, packets[start:stop])

    rotate(0, 0, 1000)
    checkpoint = tmp_path / "checkpoint"
    # One kill while a batch was planned, one when a batch existed and the next was perhaps running.
    for number, there in enumerate([checkpoint / "offsets" / "0", checkpoint / "commits" / "0"]):
        with running("killed_stream_job.py", tmp_path) as query:
            until_there(there, query)
            os.killpg(query.pid, signal.SIGKILL)
            assert query.wait() == -signal.SIGKILL
        rotate(number + 1, 1000 * (number + 1), 2000 if number == 0 else None)
    with running("killed_stream_job.py", tmp_path) as query:
        assert query.wait(DEADLINE) == 0
    # The files that Spark's own reader of a query's output counts: those of completed batches.
    expected = decoded(whole, "calls")
    written = _finished(tmp_path / "calls").cast(expected.schema)
    # A call that is open when the packets end is lost in a finite capture; this one may go on.
    expected = expected.filter(pc.is_valid(expected["reply_offset"]))
    got = written.filter(pc.is_valid(written["reply_offset"]))
    assert got.num_rows > 500
    assert in_order(got).equals(in_order(expected))


def _finished(directory: Path) -> pa.Table:
    """Read the paths that the log of a query's output names."""
    names: set[Path] = set()
    for log in (directory / "_spark_metadata").iterdir():
        if not log.name.startswith("."):
            _, *lines = log.read_bytes().splitlines()
            names |= {Path(orjson.loads(line)["path"].removeprefix("file:")) for line in lines}
    return pa.concat_tables([pq.ParquetFile(name).read() for name in sorted(names)])
