"""The report as a Spark job: workers decode and count, and write the calls; sums come back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it
from pyspark.sql.pandas.types import from_arrow_schema

from jvmwire.capture import View, read_capture
from jvmwire.capture.arrow import arrow_schema
from jvmwire.report import Report, ReportSource, write_report
from jvmwire.report.traffic import KEYS, MAXIMA, SUMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

CALLS = "calls.parquet"
"""The folder that the workers write, in the report's."""


def run_report(spark: SparkSession, captures: Sequence[Path], directory: Path) -> Report:
    """Decode `captures` on the executors and write `index.html`, `summary.json` and the calls.

    `directory` must be the same place for the driver and for every executor. What an earlier report
    wrote there is replaced.
    """
    calls = directory.resolve() / CALLS
    shutil.rmtree(calls, ignore_errors=True)
    calls.mkdir(parents=True)
    paths = [str(capture.resolve()) for capture in captures]
    view = View("traffic")
    rows = spark.range(0, len(paths), 1, numPartitions=max(1, len(paths))).mapInArrow(
        _work(paths, str(calls)), from_arrow_schema(arrow_schema(view))
    )
    sums = [F.sum(name).alias(name) for name in SUMS]
    maxima = [F.max(name).alias(name) for name in MAXIMA]
    traffic = rows.groupBy(*KEYS).agg(*sums, *maxima).toArrow()
    (calls / "_SUCCESS").touch()
    return write_report(traffic, ReportSource.of(traffic, captures), directory)


def _work(
    paths: list[str], directory: str
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def work(tasks: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in tasks:
            for number in map(int, batch.column("id").to_numpy()):
                yield from _decode(Path(paths[number]), number, Path(directory))

    return work


def _decode(path: Path, number: int, directory: Path) -> Iterator[pa.RecordBatch]:
    """Write the calls of one capture; yield what they add up to."""
    context = TaskContext.get()
    attempt = context.taskAttemptId() if context else 0
    # A task may be tried twice, even at once: each writes a file of its own, one of them stays.
    unfinished = directory / f".part-{number:05}.{attempt}"
    calls = View("calls")
    with pq.ParquetWriter(unfinished, arrow_schema(calls), compression="zstd") as writer:
        for table, batch in read_capture(path, [calls, View("traffic")], first_stream=number << 32):
            rows = pa.record_batch(batch)
            if table == "calls":
                writer.write_batch(rows)
            else:
                yield rows
    os.replace(unfinished, directory / f"part-{number:05}.parquet")  # noqa: PTH105 - atomic
