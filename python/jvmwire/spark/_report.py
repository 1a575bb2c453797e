"""The report as a Spark job: executors decode, count and write calls; the driver merges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from jvmwire.capture._splitting import RANGE_SIZE
from jvmwire.report._job import run_report as run_report_on
from jvmwire.report._options import DEFAULT
from jvmwire.spark._aggregation import AGGREGATE_SCHEMA, count_captures, counted, merge_counts
from jvmwire.spark._planning import plan
from jvmwire.spark._session import summarize_spark_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession

    from jvmwire.report import Report
    from jvmwire.report._options import ReportOptions

TASKS_A_CORE = 4
"""Maximum tasks per core: enough to balance the load, since each task has a cost too."""
FAN_IN = 16
"""Counts that one task, or the driver, merges: the driver may have little memory."""


def run_report(
    spark: SparkSession,
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool = True,
    force: bool = False,
    range_size: int = RANGE_SIZE,
    options: ReportOptions = DEFAULT,
) -> Report:
    """Decode `captures` on the executors and write `index.html`, `summary.json` and the calls.

    `directory` must be the same place for the driver and for every executor, which write the
    calls, a row each, into its `calls.parquet`, unless `keep_calls` is false. What an earlier
    report wrote there is replaced once this one is whole; other files of these names are replaced
    only with `force`. A capture of more than `range_size` bytes may be the work of more tasks than
    one. Files of one ring buffer are one capture, as `group_rotated` detects them.

    Raises:
        ConfigError: the executors cannot decode, or a file would be replaced that is not from a
            report or that is one of `captures`.
    """
    return run_report_on(
        partial(_count, spark),
        captures,
        directory,
        keep_calls=keep_calls,
        force=force,
        range_size=range_size,
        options=options,
    )


def _count(
    spark: SparkSession,
    captures: Sequence[tuple[Path, ...]],
    *,
    calls: Path | None,
    scratch: Path,
    range_size: int,
    where: str | None,
) -> Iterator[pa.RecordBatch]:
    """Yield the traffic that the executors count; a `Counter` of `jvmwire.report._job`."""
    parts = plan(captures, range_size=range_size, index=None, protocol=None, spare_index=scratch)
    tasks = max(1, min(len(parts), TASKS_A_CORE * spark.sparkContext.defaultParallelism))
    rows = spark.range(0, len(parts), 1, numPartitions=tasks)
    rows = rows.mapInArrow(count_captures(parts, calls, where), AGGREGATE_SCHEMA)
    while tasks > FAN_IN:
        tasks = -(-tasks // FAN_IN)
        rows = rows.repartition(tasks).mapInArrow(merge_counts, AGGREGATE_SCHEMA)
    with summarize_spark_errors("the executors cannot decode"):
        batches = rows.toArrow().to_batches()
    yield from counted(batches)
