"""The report as a Spark job: workers decode and count, and write the calls; sums come back."""

from __future__ import annotations

import shutil
import uuid
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from jvmwire.capture.cutting import RANGE_SIZE
from jvmwire.capture.traffic import merge_batches
from jvmwire.report import Report, ReportSource, Traffic, write_report
from jvmwire.spark.counting import COUNTED, count_captures, counted, merge_counts
from jvmwire.spark.planning import plan
from jvmwire.spark.session import in_one_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

CALLS = "calls.parquet"
"""The folder that the workers write, in the report's."""
TASKS_A_CORE = 4
"""At most: enough that no core waits long for the last; each task has a cost too."""
FAN_IN = 16
"""Counts that one task merges, or the driver: it may have little memory."""


def run_report(
    spark: SparkSession,
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool = True,
    range_size: int = RANGE_SIZE,
) -> Report:
    """Decode `captures` on the executors and write `index.html`, `summary.json` and the calls.

    `directory` must be the same place for the driver and for every executor, which write the
    calls, a row each, into its `calls.parquet`, unless `keep_calls` is false. What an earlier
    report wrote there is replaced once this one is whole. A capture of more than `range_size`
    bytes may be the work of more tasks than one. Raises `ConfigError` where the executors cannot
    do it.
    """
    parts = plan(
        [capture.absolute() for capture in captures],
        range_size=range_size,
        index=None,
        protocol=None,
        rotated=False,
    )
    folder = directory.absolute() / CALLS
    with _replacing(folder) if keep_calls else nullcontext() as calls:
        tasks = max(1, min(len(parts), TASKS_A_CORE * spark.sparkContext.defaultParallelism))
        rows = spark.range(0, len(parts), 1, numPartitions=tasks)
        rows = rows.mapInArrow(count_captures(parts, calls), COUNTED)
        while tasks > FAN_IN:
            tasks = -(-tasks // FAN_IN)
            rows = rows.repartition(tasks).mapInArrow(merge_counts, COUNTED)
        with in_one_sentence("the executors cannot decode"):
            merged = merge_batches(counted(rows.toArrow().to_batches()))
    if not keep_calls:
        shutil.rmtree(folder, ignore_errors=True)
    traffic = Traffic.of_merged(merged)
    return write_report(traffic, ReportSource.of(traffic, captures), directory)


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Give an empty folder that takes the place of `folder` if all goes well, and goes if not."""
    unfinished = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}")
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
        (unfinished / "_SUCCESS").touch()
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
