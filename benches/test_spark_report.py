"""The report as a Spark job, against its parts and against the same report without Spark."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from benches.conftest import RECORDING, Amplified, Amplify
from benches.harness import (
    FEWEST,
    Measurement,
    PreparedRun,
    Target,
    compare,
    cpu_seconds_of_all,
    in_process,
)
from jvmwire.capture import CaptureWriter, View, read_tables
from jvmwire.report import report_captures
from jvmwire.spark._report import run_report
from kit.command import command

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture


SIZE = 2_000_000_000
"""Bytes of all captures together."""
FILES = 32
"""Number of files: each is smaller than a range; a task reads several."""
CORES = 2
MOST_MEMORY = 1e9
"""Maximum of bytes that a report of that size may take without Spark."""


@pytest.mark.timeout(3600)
def test_a_report_beside_decoding_and_a_small_job(
    benchmark: BenchmarkFixture, spark: SparkSession, amplify: Amplify, tmp_path: Path
) -> None:
    traffic = View("traffic")
    # All findings and plots of one recording, and as many tasks.
    small = [RECORDING, *(tmp_path / f"{number}.pcap" for number in range(1, FILES))]
    for path in small[1:]:
        path.write_bytes(CaptureWriter().header())

    def report(paths: list[Path]) -> None:
        run_report(spark, paths, tmp_path / "report", keep_calls=False)

    def apart(given: Amplified) -> PreparedRun:
        def run() -> Measurement:
            cpu = cpu_seconds_of_all()
            begun = time.perf_counter()
            for path in given.paths:
                for _ in read_tables(path, [traffic]):
                    pass
            decoded = time.perf_counter()
            report(small)
            done = time.perf_counter()
            wall = 1.3 * (decoded - begun) / CORES + (done - decoded)
            return Measurement(given.size / 1e6, wall, cpu_seconds_of_all() - cpu)

        return PreparedRun(run, lambda: None)

    rival = f"1.3 times decoding on {CORES} cores, and a job of as many small files"
    compare(
        benchmark,
        {
            "jvmwire report": lambda given: in_process(
                lambda: report(given.paths), given.size / 1e6, cpu_seconds=cpu_seconds_of_all
            ),
            rival: apart,
        },
        inputs=lambda random: amplify(SIZE, FILES, random),
        check=lambda _, nothing: nothing is None,
        unit="MB",
        work="Spark local[2]: what a report takes longer than its parts",
        targets=[Target(rival, times=1, by="wall")],
        rounds=7,
    )


@pytest.mark.timeout(3600)
def test_a_report_without_spark_beside_the_same_with_it(
    benchmark: BenchmarkFixture, spark: SparkSession, amplify: Amplify, tmp_path: Path
) -> None:
    folders = {name: tmp_path / name for name in ("alone", "spark")}

    def alone(given: Amplified) -> PreparedRun:
        return in_process(
            lambda: report_captures(given.paths, folders["alone"], threads=CORES),
            given.size / 1e6,
            result=lambda _: (folders["alone"] / "summary.json").read_bytes(),
        )

    def in_spark(given: Amplified) -> PreparedRun:
        return in_process(
            lambda: run_report(spark, given.paths, folders["spark"]),
            given.size / 1e6,
            result=lambda _: (folders["spark"] / "summary.json").read_bytes(),
            cpu_seconds=cpu_seconds_of_all,
        )

    rival = f"Spark local[{CORES}], started before"
    compare(
        benchmark,
        {"jvmwire report, in process": alone, rival: in_spark},
        inputs=lambda random: amplify(SIZE, FILES, random),
        check=lambda _, summary: summary == (folders["spark"] / "summary.json").read_bytes(),
        unit="MB",
        work=f"a report on {SIZE // 10**9} GB with all calls, {CORES} cores",
        targets=[Target(rival, times=1, by="wall")],
        rounds=FEWEST,
    )


@pytest.mark.timeout(3600)
def test_memory_of_a_report_without_spark(
    benchmark: BenchmarkFixture, amplify: Amplify, tmp_path: Path
) -> None:
    ours = "jvmwire report, in process"

    def reporting(given: Amplified) -> PreparedRun:
        def run() -> Measurement:
            begun = time.perf_counter()
            started = subprocess.Popen(command("report", *given.paths, "-o", tmp_path / "report"))
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
            taken = time.perf_counter() - begun
            cpu = used.ru_utime + used.ru_stime
            return Measurement(1, taken, cpu, used.ru_maxrss * 1024)

        return PreparedRun(run, lambda: (tmp_path / "report" / "index.html").stat().st_size > 0)

    compare(
        benchmark,
        {ours: reporting},
        inputs=lambda random: amplify(SIZE, FILES, random),
        check=lambda _, written: written is True,
        unit="report",
        work=f"Memory of a report on {SIZE // 10**9} GB",
        targets=[Target(ours, at_most=MOST_MEMORY)],
        rounds=3,
        few_because="the peak is one of two seconds of work, and hardly varies",
    )
