"""Spark's messages of captures: the format `jvmwire` against binaryFiles and plain Python."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it

from benches.duel import Target, Work, cpu_seconds_of_all, duel, here
from benches.plain import capture as plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.conftest import Amplified, Amplify

SIZE = 250_000_000
"""Bytes of the captures: starting a job takes half a second, whoever runs it."""
FILES = 8


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
def test_messages(benchmark: BenchmarkFixture, spark: SparkSession, amplify: Amplify) -> None:
    def scanning(
        messages: Callable[[SparkSession, list[Path]], DataFrame],
    ) -> Callable[[Amplified], Work]:
        return lambda given: here(
            lambda: scan(messages(spark, given.paths)),
            given.size / 1e6,
            cpu_seconds=cpu_seconds_of_all,
        )

    last: list[Path] = []

    def captures(random: np.random.Generator) -> Amplified:
        made = amplify(SIZE, FILES, random)
        last[:] = made.paths
        return made

    duel(
        benchmark,
        {
            "jvmwire": scanning(jvmwire_messages),
            "binaryFiles, dpkt and Python": scanning(plain_messages),
        },
        inputs=captures,
        check=lambda _, nothing: nothing is None,  # the sink drops it: see below
        unit="MB",
        work="Spark local[2]: scan of messages into the noop sink",
        targets=[Target("binaryFiles, dpkt and Python", times=10)],
        rounds=3,
        few_because="a round of the rival takes most of a minute",
    )
    same = ["side", "offset", "length", "ts", "name", "id"]
    left, right = (
        frame.groupBy("name").agg(F.count("*"), F.sum(F.xxhash64(*same).cast("decimal(38)")))
        for frame in (jvmwire_messages(spark, last), plain_messages(spark, last))
    )
    assert sorted(left.collect()) == sorted(right.collect())
