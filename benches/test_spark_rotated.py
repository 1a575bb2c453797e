"""One capture in many rotated files, in Spark: time by size, and the memory of each worker."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from benches.conftest import RECORDING
from benches.harness import (
    Measurement,
    PreparedRun,
    Target,
    compare,
    cpu_seconds_of_all,
    in_process,
)
from jvmwire.capture import CaptureWriter, View, read_tables
from kit.memory_peaks import watched_workers
from kit.scale import times
from kit.scale_capture import MAX_COPIES, Template

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture

FILES = 50
SIZE = times(1_000_000_000, full=10_000_000_000)
"""Bytes of all files: the target size with DEPTH=full."""
LIMIT = 512 << 20
"""Bytes of memory that a worker may have."""

FEW = "a round reads all files twice"


@dataclass(frozen=True)
class Rotated:
    """Files as tcpdump would have rotated them."""

    directory: Path
    files: list[Path]
    size: int
    calls: int


@pytest.fixture(scope="module")
def rotated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rotated]:
    """Write the files: connections go on from each to the next."""
    directory = tmp_path_factory.mktemp("rotated")
    template = Template.of(RECORDING)
    a_file = -(-SIZE // FILES // template.size)
    copies = a_file * FILES
    records = template.copies(0, copies)
    files = [directory / f"day.pcap{number}" for number in range(FILES)]
    for number, path in enumerate(files):
        with path.open("wb") as out:
            out.write(CaptureWriter().header())
            for at, part in enumerate(records):
                out.write(part)
                if at + 1 == a_file and number + 1 < FILES:
                    break
    view = View("calls", columns=["id"])
    calls = sum(batch.num_rows for _, batch in read_tables(RECORDING, [view]))
    assert copies <= MAX_COPIES
    yield Rotated(directory, files, sum(path.stat().st_size for path in files), copies * calls)
    shutil.rmtree(directory)


def answered(spark: SparkSession, files: list[Path], index: Path) -> int:
    """Count the calls of one capture in these files, which has no index yet."""
    shutil.rmtree(index, ignore_errors=True)
    rows = spark.read.format("jvmwire").options(
        table="calls", columns="latency_us", rotated="true", index=str(index)
    )
    return rows.load([str(path) for path in files]).count()


@pytest.mark.timeout(3600)
def test_time_by_size(
    benchmark: BenchmarkFixture, spark: SparkSession, rotated: Rotated, tmp_path: Path
) -> None:
    tenth = rotated.files[: FILES // 10]
    small = sum(path.stat().st_size for path in tenth)
    compare(
        benchmark,
        {
            f"{FILES} files": lambda _: in_process(
                lambda: answered(spark, rotated.files, tmp_path / "all") == rotated.calls,
                rotated.size / 1e6,
                cpu_seconds=cpu_seconds_of_all,
            ),
            "a tenth of them": lambda _: in_process(
                lambda: answered(spark, tenth, tmp_path / "tenth") > 0,
                small / 1e6,
                cpu_seconds=cpu_seconds_of_all,
            ),
        },
        inputs=lambda _: None,
        check=lambda _, right: right is True,
        unit="MB",
        work=f"Spark local[2]: {SIZE / 1e9:g} GB over {FILES} rotated files, index included",
        targets=[Target("a tenth of them", times=1 / 1.1)],
        rounds=3,
        few_because=FEW,
    )


@pytest.mark.timeout(3600)
def test_memory_of_each_worker(
    benchmark: BenchmarkFixture, spark: SparkSession, rotated: Rotated, tmp_path: Path
) -> None:
    def ready(_: Any) -> PreparedRun:
        told: list[int] = []

        def run() -> Measurement:
            with watched_workers() as peaks:
                told.append(answered(spark, rotated.files, tmp_path / "all"))
            return Measurement(1, 0.0, 0.0, max(peaks.values()))

        return PreparedRun(run, lambda: told == [rotated.calls])

    def nothing(_: np.random.Generator) -> None:
        """All rounds read the same files."""

    compare(
        benchmark,
        {"jvmwire": ready},
        inputs=nothing,
        check=lambda _, right: right is True,
        unit="worker",
        work=f"Memory of the largest worker for {SIZE / 1e9:g} GB over {FILES} rotated files",
        targets=[Target("jvmwire", at_most=LIMIT)],
        rounds=3,
        few_because=FEW,
    )
