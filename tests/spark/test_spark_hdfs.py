"""Directories of a real NameNode as tables of Spark."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documents have it
from pyspark.sql.types import LongType, StructField, StructType

from jvmwire.errors import ConfigError
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop.namenode._status import EARLIEST, EPOCH, LATEST
from jvmwire.spark.connectors._hdfs import ListingSource
from jvmwire.transports import Tcp
from kit.hadoop import SUPERUSER, MiniDfs
from kit.hadoop_scripted import listing, scripted, status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(scope="module")
def tree(minidfs: MiniDfs) -> Iterator[NameNode]:
    """Directories of three levels below /spark, 40 of the lowest."""
    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)) as client:
        for number in range(40):
            client.mkdirs(f"/spark/{number % 3}/{number % 7}/{number}")
        client.set_permission("/spark/0", 0o750)
        yield client


def listed(spark: SparkSession, minidfs: MiniDfs, path: str, **options: str) -> DataFrame:
    reader = spark.read.format("hdfs").option("user", SUPERUSER).options(**options)
    return reader.load(f"hdfs://127.0.0.1:{minidfs.port}{path}")


def test_a_directory_is_a_table(spark: SparkSession, minidfs: MiniDfs, tree: NameNode) -> None:
    rows = {row.path: row for row in listed(spark, minidfs, "/spark").collect()}
    assert sorted(rows) == ["/spark/0", "/spark/1", "/spark/2"]
    status = tree.get_file_info("/spark/0")
    assert status is not None
    row = rows["/spark/0"]
    assert (row.file_type, row.permission, row.owner) == ("IS_DIR", 0o750, SUPERUSER)
    assert row.modification_time.timestamp() == status.modified.timestamp()


@pytest.mark.parametrize("tasks", [1, 2, 8, 30])
def test_a_tree_is_listed_whole_however_many_tasks_there_are(
    spark: SparkSession, minidfs: MiniDfs, tree: NameNode, tasks: int
) -> None:
    rows = listed(spark, minidfs, "/spark", recursive="true", tasks=str(tasks))
    expected = sorted(status.path for status in tree.list_recursively("/spark"))
    assert sorted(row.path for row in rows.select("path").collect()) == expected
    assert rows.rdd.getNumPartitions() == tasks
    depths = rows.groupBy(F.size(F.split("path", "/")).alias("depth")).count().collect()
    assert {row.depth: row["count"] for row in depths} == {3: 3, 4: 21, 5: 40}


def test_what_is_not_there_is_said(spark: SparkSession, minidfs: MiniDfs) -> None:
    with pytest.raises(Exception, match="/nowhere does not exist"):
        listed(spark, minidfs, "/nowhere").collect()


def test_a_schema_chooses_columns(spark: SparkSession, minidfs: MiniDfs, tree: NameNode) -> None:
    there = spark.read.format("hdfs").option("user", SUPERUSER).schema("path string, length bigint")
    rows = there.load(f"hdfs://127.0.0.1:{minidfs.port}/spark").collect()
    assert [(row.path, row.length) for row in rows] == [(f"/spark/{n}", 0) for n in range(3)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "needs the option path"),
        ({"path": "s3://bucket/x"}, "is not a path in HDFS"),
        ({"path": "/x", "recursiv": "true"}, "knows no option recursiv"),
        ({"path": "/x", "recursive": "all"}, "option recursive cannot be 'all'"),
        ({"path": "/x", "tasks": "none"}, "option tasks is 1 tasks or more"),
    ],
    ids=str,
)
def test_options_that_mean_nothing_are_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ListingSource(options).schema()


def test_a_column_that_files_do_not_have_is_refused() -> None:
    with pytest.raises(ConfigError, match="a listing has no column 'size'; it has path, file_type"):
        ListingSource({"path": "/x"}).reader(StructType([StructField("size", LongType())]))


def test_no_time_or_number_of_a_file_ends_the_reading_of_others() -> None:
    times = [0, -1000, 1 << 62, (1 << 63) - 1, -1 << 63]
    files = [
        status(f"f{at}", "IS_FILE", modification_time=time % (1 << 64), length=(1 << 64) - 1)
        for at, time in enumerate(times)
    ]
    with scripted(lambda _method, _request: listing(*files)) as namenode:
        source = ListingSource({"path": f"hdfs://127.0.0.1:{namenode.port}/d", "user": "x"})
        reader = source.reader(source.schema())
        [partition] = reader.partitions()
        [batch] = reader.read(partition)
    found = batch.column("modification_time").cast(pa.int64()).to_pylist()
    latest, earliest = (
        (time - EPOCH) // timedelta(milliseconds=1) * 1000 for time in (LATEST, EARLIEST)
    )
    assert found == [0, -1_000_000, latest, latest, earliest]
    assert batch.column("length").to_pylist() == [-1] * len(times)
