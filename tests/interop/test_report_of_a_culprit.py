"""A report on recorded traffic of a NameNode names what was planted, in its first sentences."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from jvmwire.hadoop import HadoopError, HadoopOptions, NameNode
from jvmwire.report import ReportOptions, compare, read_summary, report_captures
from kit.recording import recording

TOP = "/planted"
JOB = "application_1700000000001_0042"
HOT, LOST, SMALL = f"{TOP}/hot", f"{TOP}/lost", f"{TOP}/small"
MISSING = f"{LOST}/_SUCCESS"
PAUSES, PAUSE, AT_ONCE = 4, 0.2, 60
APART = 0.007
"""Seconds between calls, so that the recording has some seconds before anything is slow."""


@contextmanager
def paused(pid: int) -> Iterator[None]:
    """Stop a process for a while, and let it continue in any case."""
    resume = Timer(PAUSE, os.kill, (pid, signal.SIGCONT))
    os.kill(pid, signal.SIGSTOP)
    resume.start()
    try:
        yield
    finally:
        resume.cancel()
        os.kill(pid, signal.SIGCONT)


@dataclass(frozen=True)
class Recorded:
    """A capture of a workload: 1,000 steps of steady calls, and then trouble."""

    capture: Path
    begin: datetime
    middle: datetime
    end: datetime
    """When the steady calls began, were half done, and ended."""
    stormed: datetime
    """When the repeated calls ended."""


@pytest.fixture(scope="module")
def recorded(minidfs, tmp_path_factory) -> Recorded:
    """Record a workload with a culprit."""
    directory = tmp_path_factory.mktemp("planted")
    capture = directory / "namenode.pcap"
    with recording(minidfs.port, capture) as port:

        def connect(user: str, context: str) -> NameNode:
            options = HadoopOptions(user=user, caller_context=context)
            return NameNode.connect(f"127.0.0.1:{port}", options)

        with connect("hdfs", "set-up") as admin:
            for path in (HOT, SMALL, f"{TOP}/quiet"):
                admin.mkdirs(path)
                admin.set_permission(path, 0o777)
        with (
            connect("alice", "dashboard") as alice,
            connect("carol", f"SPARK_{JOB}_1_JId_3_SId_4_0_TId_5_0") as carol,
            connect("dave", "import") as dave,
            connect("erin", "lookup") as erin,
        ):
            times = [datetime.now(UTC)]
            for number in range(1000):
                if number == 500:
                    times.append(datetime.now(UTC))
                carol.get_file_info(f"{HOT}/part-{number % 50}")
                if number % 10 == 0:
                    alice.get_file_info(f"{TOP}/quiet/file-{number}")
                    dave.create(f"{SMALL}/{number}")
                time.sleep(APART)
            times.append(datetime.now(UTC))
            for _ in range(300):
                with pytest.raises(HadoopError):
                    erin.get_block_locations(MISSING)
            times.append(datetime.now(UTC))
            for _ in range(PAUSES):
                with paused(minidfs.pid):
                    alice.get_file_infos([f"{TOP}/quiet/{number}" for number in range(AT_ONCE)])
                time.sleep(0.01)
    return Recorded(capture, *times)


def summary(recorded: Recorded, folder: Path, since: datetime, until: datetime) -> dict[str, Any]:
    options = ReportOptions(since=since.isoformat(), until=until.isoformat())
    report_captures([recorded.capture], folder, options=options, keep_calls=False)
    return read_summary(folder)


def test_halves_of_steady_calls_differ_in_nothing_and_a_storm_is_named_first(
    recorded: Recorded, tmp_path: Path
) -> None:
    before = summary(recorded, tmp_path / "before", recorded.begin, recorded.middle)
    after = summary(recorded, tmp_path / "after", recorded.middle, recorded.end)
    # How fast the server answers may change with what else the machine does.
    assert [each for each in compare(before, after).changed if not each.is_latency] == []
    storm = summary(recorded, tmp_path / "storm", recorded.middle, recorded.stormed)
    first = next(each for each in compare(before, storm).changed if not each.is_latency)
    # The repeated call is all that is new of its user, its job, its method and its directory.
    assert first.name.split()[0] in {"erin@127.0.0.1", "lookup", "getBlockLocations", LOST}
    assert first.outcome == "new"


def test_the_first_five_sentences_after_the_summary_name_the_plants(
    recorded: Recorded, tmp_path: Path
) -> None:
    first = "\n".join(report_captures([recorded.capture], tmp_path / "report").lines[1:6])
    assert f"erin@127.0.0.1 (job lookup) asked getBlockLocations of {MISSING} 300 times" in first
    assert f"The busiest of 5 jobs is {JOB}" in first
    assert f"calls with a directory are in {HOT}" in first
    assert re.search(
        r"dave \(job import\) writes small files: 100 files .* in /planted/small", first
    )
    assert re.search(r"of the \d+ calls longer than [\d.]+ ms came within [12] s from", first)
