"""Spark's messages of captures: the format `jvmwire` against binaryFiles and plain Python."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it

from benches.duel import Rival, duel
from benches.plain import capture as plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture

SIZE = 250_000_000
"""Bytes of the captures: starting a job takes half a second, whoever runs it."""
FILES = 8
ROUNDS = 3


def jvmwire_messages(spark: SparkSession, paths: list[Path]) -> DataFrame:
    return spark.read.format("jvmwire").load([str(path) for path in paths])


def plain_messages(spark: SparkSession, paths: list[Path]) -> DataFrame:
    """Read whole files, decode them in Python, and give Spark the rows."""
    names = ",".join(map(str, paths))
    files = spark.sparkContext.binaryFiles(names, minPartitions=len(paths))
    return spark.createDataFrame(
        files.flatMap(lambda file: _rows(file[1])), plain.COLUMNS, verifySchema=False
    )


def _rows(data: bytes) -> Iterator[tuple[object, ...]]:
    for stream, side, offset, length, ts, name, number in plain.decode(data):
        yield stream, side, offset, length, datetime.fromtimestamp(ts, UTC), name, number


def scan(frame: DataFrame) -> None:
    frame.write.format("noop").mode("overwrite").save()


@pytest.mark.timeout(1200)
def test_messages(
    benchmark: BenchmarkFixture,
    spark: SparkSession,
    amplified: Callable[[int, int], list[Path]],
) -> None:
    paths = amplified(SIZE, FILES)
    size = sum(path.stat().st_size for path in paths) / 1e6
    duel(
        benchmark,
        {
            "jvmwire": Rival(lambda: scan(jvmwire_messages(spark, paths)), size),
            "binaryFiles, dpkt and Python": Rival(lambda: scan(plain_messages(spark, paths)), size),
        },
        unit="MB",
        work="Spark local[2]: scan of messages into the noop sink",
        rounds=ROUNDS,
        target=10,
    )
    same = ["side", "offset", "length", "ts", "name", "id"]
    left, right = (
        frame.groupBy("name").agg(F.count("*"), F.sum(F.xxhash64(*same).cast("decimal(38)")))
        for frame in (jvmwire_messages(spark, paths), plain_messages(spark, paths))
    )
    assert sorted(left.collect()) == sorted(right.collect())
