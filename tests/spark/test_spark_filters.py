"""Filters of DataFrames and SQL are judged in Rust where the session lets them be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.sql import datasource as filters
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it

import jvmwire.spark
from jvmwire.capture import View
from jvmwire.capture.arrow import arrow_schema
from jvmwire.spark.pushing import FilteringCaptureSource, condition_of
from kit.captures import NAMENODE, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import Filter

PUSHDOWN = "spark.sql.python.filterPushdown.enabled"


@pytest.fixture
def pushing(spark: SparkSession) -> Iterator[SparkSession]:
    spark.conf.set(PUSHDOWN, "true")
    jvmwire.spark.register(spark)
    yield spark
    spark.conf.unset(PUSHDOWN)
    jvmwire.spark.register(spark)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (filters.EqualTo(("status",), "ok"), "status = 'ok'"),
        (filters.Not(filters.EqualTo(("status",), "ok")), "status <> 'ok'"),
        (filters.GreaterThan(("latency_us",), 500), "latency_us > 500"),
        (filters.LessThanOrEqual(("latency_us",), 500), "latency_us <= 500"),
        (filters.In(("status",), ("error", "lost")), "status IN ('error', 'lost')"),
        (filters.IsNull(("reply_offset",)), "reply_offset IS NULL"),
        (filters.IsNotNull(("error_class",)), "error_class IS NOT NULL"),
        (filters.StringStartsWith(("target",), "/user/"), "target LIKE '/user/%'"),
        (filters.StringEndsWith(("name",), "create"), "name LIKE '%create'"),
        (filters.StringContains(("target",), "alice"), "target LIKE '%alice%'"),
    ],
    ids=str,
)
def test_a_filter_that_is_taken_gives_the_rows_of_its_condition(given: Filter, where: str) -> None:
    source = FilteringCaptureSource({"path": str(NAMENODE), "table": "calls"})
    reader = source.reader(source.schema())
    assert list(reader.pushFilters([given])) == []
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    expected = decoded(NAMENODE, "calls", where=where)
    assert expected.num_rows < 6836
    schema = arrow_schema(View("calls"))
    assert pa.Table.from_batches(batches, schema).equals(expected)


@pytest.mark.parametrize(
    "given",
    [
        filters.EqualNullSafe(("status",), "ok"),
        filters.StringContains(("target",), "100%"),
        filters.EqualTo(("status",), 1.5),
        filters.EqualTo(("a", "b"), 1),
        filters.EqualTo(("status",), 7),
    ],
    ids=str,
)
def test_a_filter_that_is_not_judged_here_stays_with_spark(given: Filter) -> None:
    source = FilteringCaptureSource({"path": str(NAMENODE), "table": "calls"})
    assert list(source.reader(source.schema()).pushFilters([given])) == [given]


def test_a_time_is_compared_by_spark() -> None:
    import datetime

    assert (
        condition_of(filters.GreaterThan(("start",), datetime.datetime.now(datetime.UTC))) is None
    )


def test_spark_pushes_what_a_dataframe_asks_for(pushing: SparkSession) -> None:
    calls = pushing.read.format("jvmwire").option("table", "calls").load(str(NAMENODE))
    slow = calls.where((F.col("status") != "ok") & (F.col("latency_us") > 500))
    where = "status <> 'ok' AND latency_us > 500"
    assert slow.toArrow().equals(decoded(NAMENODE, "calls", where=where))
