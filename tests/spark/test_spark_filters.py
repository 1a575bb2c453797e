"""Spark applies the filters of a frame itself, so that its scans share none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it

import jvmwire.spark
from kit.captures import NAMENODE, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

PUSHDOWN = "spark.sql.python.filterPushdown.enabled"
EVERY, ERRORS = 6836, decoded(NAMENODE, "calls", where="status = 'error'").num_rows


@pytest.fixture
def calls(spark: SparkSession) -> Iterator[DataFrame]:
    spark.conf.set(PUSHDOWN, "true")
    jvmwire.spark.register(spark)
    yield spark.read.format("jvmwire").option("table", "calls").load(str(NAMENODE))
    spark.conf.unset(PUSHDOWN)
    jvmwire.spark.register(spark)


def test_conditions_of_one_frame_do_not_stay_in_it(calls: DataFrame) -> None:
    errors, others = calls.where("status = 'error'"), calls.where("status <> 'error'")
    counts = [frame.count() for frame in (calls, errors, calls, others, calls)]
    assert counts == [EVERY, ERRORS, EVERY, EVERY - ERRORS, EVERY]


def test_a_union_and_a_join_of_one_frame_have_each_their_own_condition(calls: DataFrame) -> None:
    errors, others = calls.where(F.col("status") == "error"), calls.where("status = 'ok'")
    ok = decoded(NAMENODE, "calls", where="status = 'ok'").num_rows
    by_status = errors.union(others).groupBy("status").count().collect()
    assert {row["status"]: row["count"] for row in by_status} == {"error": ERRORS, "ok": ok}
    streams = [
        decoded(NAMENODE, "calls", where=f"status = '{status}'")["stream"].to_pylist()
        for status in ("error", "ok")
    ]
    pairs = sum(streams[1].count(stream) for stream in streams[0])
    assert errors.join(others, "stream").count() == pairs


def test_subqueries_of_one_view_have_each_their_own_condition(
    spark: SparkSession, calls: DataFrame
) -> None:
    calls.createOrReplaceTempView("shared_calls")
    [row] = spark.sql("""
        SELECT (SELECT count(*) FROM shared_calls WHERE status = 'error') AS errors,
               (SELECT count(*) FROM shared_calls) AS every,
               (SELECT count(*) FROM shared_calls WHERE status <> 'error') AS others
    """).collect()
    assert (row.errors, row.every, row.others) == (ERRORS, EVERY, EVERY - ERRORS)
