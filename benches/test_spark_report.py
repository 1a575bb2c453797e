"""The report as a Spark job, against decoding alone and a job that has little to decode."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from benches.conftest import RECORDING, Amplified, Amplify
from benches.harness import (
    Measurement,
    PreparedRun,
    Target,
    compare,
    cpu_seconds_of_all,
    in_process,
)
from jvmwire.capture import CaptureWriter, View, read_tables
from jvmwire.spark._report import run_report

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture


SIZE = 2_000_000_000
"""Bytes of all captures together."""
FILES = 32
"""Number of files: each is smaller than a range; a task reads several."""
CORES = 2


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
