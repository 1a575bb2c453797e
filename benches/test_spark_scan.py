"""Spark's messages of captures: against plain Python, and against Spark and decoding each alone."""

from __future__ import annotations

from datetime import UTC, datetime
from operator import itemgetter
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it

from benches.constant_source import ConstantSource
from benches.harness import FEWEST, PreparedRun, Target, compare, cpu_seconds_of_all, in_process
from jvmwire.capture import View, read_tables
from reference.plain import capture as plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from pyspark.sql import SparkSession
    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.conftest import Amplified, Amplify

LARGE, LARGE_FILES = 2_000_000_000, 32
"""Bytes and number of files; each file is the work of one task."""
SMALL, SMALL_FILES = 250_000_000, 8
"""The plain baseline takes some seconds for these: the start of a job is one in thirty of them."""


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
        which: Callable[[tuple[Amplified, Amplified]], Amplified],
    ) -> Callable[[tuple[Amplified, Amplified]], PreparedRun]:
        return lambda given: in_process(
            lambda: scan(messages(spark, which(given).paths)),
            which(given).size / 1e6,
            cpu_seconds=cpu_seconds_of_all,
        )

    last: list[Path] = []

    def captures(random: np.random.Generator) -> tuple[Amplified, Amplified]:
        large, small = amplify(LARGE, LARGE_FILES, random), amplify(SMALL, SMALL_FILES, random)
        last[:] = small.paths
        return large, small

    compare(
        benchmark,
        {
            "jvmwire": scanning(jvmwire_messages, itemgetter(0)),
            "binaryFiles, dpkt and Python": scanning(plain_messages, itemgetter(1)),
        },
        inputs=captures,
        check=lambda _, nothing: nothing is None,  # the sink drops it: see below
        unit="MB",
        work="Spark local[2]: scan of messages into the noop sink",
        targets=[Target("binaryFiles, dpkt and Python", times=15)],
        rounds=FEWEST,
    )
    same = ["side", "offset", "length", "ts", "name", "id"]
    left, right = (
        frame.groupBy("name").agg(F.count("*"), F.sum(F.xxhash64(*same).cast("decimal(38)")))
        for frame in (jvmwire_messages(spark, last), plain_messages(spark, last))
    )
    assert sorted(left.collect()) == sorted(right.collect())


@pytest.mark.timeout(3600)
def test_messages_beside_spark_and_decoding_apart(
    benchmark: BenchmarkFixture, spark: SparkSession, amplify: Amplify, tmp_path: Path
) -> None:
    spark.dataSource.register(ConstantSource)
    columns = spark.read.format("jvmwire").load(str(tmp_path)).columns
    view = View("messages", columns=columns)

    def in_spark(given: Amplified) -> PreparedRun:
        messages = jvmwire_messages(spark, given.paths)
        return in_process(lambda: scan(messages), given.size / 1e6, cpu_seconds=cpu_seconds_of_all)

    def apart(given: Amplified) -> PreparedRun:
        batches = [
            [pa.record_batch(b) for _, b in read_tables(path, [view])] for path in given.paths
        ]
        constant = tmp_path / "constant.arrow"
        with pa.ipc.new_file(str(constant), batches[0][0].schema) as file:
            file.write_batch(max(batches[0], key=len))
        counts = ",".join(str(sum(map(len, each))) for each in batches)
        rows = spark.read.format("constant").options(path=str(constant), rows=counts).load()

        def both() -> None:
            scan(rows)
            for path in given.paths:
                for _ in read_tables(path, [view]):
                    pass

        return in_process(both, given.size / 1e6, cpu_seconds=cpu_seconds_of_all)

    compare(
        benchmark,
        {
            "jvmwire in Spark": in_spark,
            "Spark with rows that are there, then decoding alone": apart,
        },
        inputs=lambda random: amplify(LARGE, LARGE_FILES, random),
        check=lambda _, nothing: nothing is None,  # tests compare the rows
        unit="MB",
        work="Spark local[2]: what a scan of messages costs more than its parts",
        targets=[Target("Spark with rows that are there, then decoding alone", times=1 / 1.15)],
        rounds=FEWEST,
    )
