"""The report as a Spark job: executors decode, count and write calls; the driver merges."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jvmwire.capture import group_rotated
from jvmwire.capture._aggregates import merge_batches
from jvmwire.capture._splitting import RANGE_SIZE
from jvmwire.report import Report, ReportSource, Traffic
from jvmwire.report._folder import check_folder, replace_report
from jvmwire.report._page import fill_report
from jvmwire.spark._aggregation import AGGREGATE_SCHEMA, count_captures, counted, merge_counts
from jvmwire.spark._planning import plan
from jvmwire.spark._session import summarize_spark_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

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
) -> Report:
    """Decode `captures` on the executors and write `index.html`, `summary.json` and the calls.

    `directory` must be the same place for the driver and for every executor, which write the
    calls, a row each, into its `calls.parquet`, unless `keep_calls` is false. What an earlier
    report wrote there is replaced once this one is whole; other files of these names are replaced
    only with `force`. A capture of more than `range_size` bytes may be the work of more tasks than
    one. Files of one ring buffer are one capture, as `group_rotated` tells them.

    Raises:
        ConfigError: the executors cannot decode, or a file would be replaced that is not from a
            report or that is one of `captures`.
    """
    check_folder(directory, captures, force=force)
    with (
        replace_report(directory.absolute(), keeps_calls=keep_calls, force=force) as unfinished,
        TemporaryDirectory(prefix=".index-", dir=directory) as spare_index,
    ):
        parts = plan(
            group_rotated([capture.absolute() for capture in captures]),
            range_size=range_size,
            index=None,
            protocol=None,
            spare_index=Path(spare_index).absolute(),
        )
        tasks = max(1, min(len(parts), TASKS_A_CORE * spark.sparkContext.defaultParallelism))
        rows = spark.range(0, len(parts), 1, numPartitions=tasks)
        rows = rows.mapInArrow(count_captures(parts, unfinished.calls), AGGREGATE_SCHEMA)
        while tasks > FAN_IN:
            tasks = -(-tasks // FAN_IN)
            rows = rows.repartition(tasks).mapInArrow(merge_counts, AGGREGATE_SCHEMA)
        with summarize_spark_errors("the executors cannot decode"):
            merged = merge_batches(counted(rows.toArrow().to_batches()))
        traffic = Traffic.from_merged(merged)
        return fill_report(
            traffic, ReportSource.from_traffic(traffic, captures), directory, unfinished
        )
