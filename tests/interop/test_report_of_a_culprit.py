"""A report on recorded traffic of a NameNode names what was planted, in its first sentences."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

import pytest

from jvmwire.hadoop import HadoopError, HadoopOptions, NameNode
from jvmwire.report import report_captures
from kit.recording import recording

TOP = "/planted"
JOB = "application_1700000000001_0042"
HOT, MISSING, SMALL = f"{TOP}/hot", f"{TOP}/lost/_SUCCESS", f"{TOP}/small"
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


@pytest.fixture(scope="module")
def lines(minidfs, tmp_path_factory) -> list[str]:
    """Record a workload with a culprit, and return the sentences of the report."""
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
            for number in range(1000):
                carol.get_file_info(f"{HOT}/part-{number % 50}")
                if number % 10 == 0:
                    alice.get_file_info(f"{TOP}/quiet/file-{number}")
                    dave.create(f"{SMALL}/{number}")
                time.sleep(APART)
            for _ in range(300):
                with pytest.raises(HadoopError):
                    erin.get_block_locations(MISSING)
            for _ in range(PAUSES):
                with paused(minidfs.pid):
                    alice.get_file_infos([f"{TOP}/quiet/{number}" for number in range(AT_ONCE)])
                time.sleep(0.01)
    return list(report_captures([capture], directory / "report").lines)


def test_the_first_five_sentences_after_the_summary_name_the_plants(lines: list[str]) -> None:
    first = "\n".join(lines[1:6])
    assert f"erin@127.0.0.1 (job lookup) asked getBlockLocations of {MISSING} 300 times" in first
    assert f"The busiest of 5 jobs is {JOB}" in first
    assert f"calls with a directory are in {HOT}" in first
    assert re.search(
        r"dave \(job import\) writes small files: 100 files .* in /planted/small", first
    )
    assert re.search(r"of the \d+ calls longer than [\d.]+ ms came within [12] s from", first)
