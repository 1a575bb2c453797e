"""Maps of a real member, read and written by Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.sql.types import (
    BinaryType,
    DataType,
    DecimalType,
    IntegerType,
    StructField,
    StructType,
)

from jvmwire.errors import ConfigError
from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast.serialization import HazelcastJsonValue, Long
from jvmwire.spark.connectors._hazelcast import MapSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.datasource import DataSource

    from kit.hazelcast import Member

ENTRIES = 20_000


@pytest.fixture
def client(hazelcast_member: Member) -> Iterator[Any]:
    with HazelcastClient.connect([hazelcast_member.address]) as client:
        yield client


def read(spark: SparkSession, member: Member, name: str, **options: str) -> DataFrame:
    reader = spark.read.format("hazelcast").option("members", member.address).option("map", name)
    return reader.options(**options).load()


def test_a_map_is_a_table_that_several_tasks_read(
    spark: SparkSession, hazelcast_member: Member, client: Any
) -> None:
    entries = {f"key {number}": number / 8 for number in range(ENTRIES)}
    client.get_map("prices").put_all(entries)
    rows = read(spark, hazelcast_member, "prices", tasks="3")
    assert rows.schema.simpleString() == "struct<key:string,value:double>"
    assert rows.rdd.getNumPartitions() == 3
    assert {row.key: row.value for row in rows.collect()} == entries
    assert min(map(len, rows.rdd.glom().collect())) > ENTRIES // 5


def test_a_schema_chooses_types_and_columns(
    spark: SparkSession, hazelcast_member: Member, client: Any
) -> None:
    client.get_map("widths").put_all({1: 1, Long(2): Long(1 << 40)})
    reader = spark.read.format("hazelcast").option("members", hazelcast_member.address)
    there = reader.option("map", "widths")
    wide = there.schema("key bigint, value bigint").load()
    assert sorted(map(tuple, wide.collect())) == [(1, 1), (2, 1 << 40)]
    assert sorted(row.value for row in there.schema("value string").load().collect()) == [
        "1",
        str(1 << 40),
    ]
    with pytest.raises(
        Exception, match=r"map widths holds key int\d+, value int64, which does not"
    ):
        there.schema("key int, value int").load().collect()


def test_instants_go_and_come_to_the_millisecond(
    spark: SparkSession, hazelcast_member: Member, client: Any
) -> None:
    rows = spark.sql("SELECT 1 AS key, timestamp'2026-02-03 04:05:06.789999' AS value")
    writer = rows.write.format("hazelcast").option("members", hazelcast_member.address)
    writer.option("map", "instants").mode("append").save()
    [row] = read(spark, hazelcast_member, "instants").selectExpr("unix_micros(value)").collect()
    [written] = rows.selectExpr("unix_micros(value)").collect()
    assert row[0] == written[0] // 1000 * 1000


def test_members_judge_a_condition(
    spark: SparkSession, hazelcast_member: Member, client: Any
) -> None:
    client.get_map("ages").put_all({f"name {age}": age for age in range(100)})
    rows = read(spark, hazelcast_member, "ages", where="this >= 90 and __key != 'name 95'")
    assert sorted(row.value for row in rows.collect()) == [90, 91, 92, 93, 94, 96, 97, 98, 99]


def test_what_spark_puts_is_in_the_map(
    spark: SparkSession, hazelcast_member: Member, client: Any
) -> None:
    there = client.get_map("put")
    there.put(Long(-1), "stays")
    rows = spark.range(ENTRIES).selectExpr("concat('caf\xe9 ', id) AS value", "id AS key")
    writer = rows.write.format("hazelcast").option("members", hazelcast_member.address)
    for _ in range(2):  # the same under the same keys
        writer.option("map", "put").mode("append").save()
    assert there.size() == ENTRIES + 1
    assert there.get(Long(4_711)) == "caf\xe9 4711"
    back = read(spark, hazelcast_member, "put")
    assert back.where("key >= 0").exceptAll(rows.select("key", "value")).isEmpty()


def test_each_batch_of_a_stream_is_put(
    spark: SparkSession, hazelcast_member: Member, client: Any, tmp_path: Path
) -> None:
    spark.range(500).selectExpr("id AS key", "id * 2 AS value").write.parquet(f"{tmp_path}/in")
    rows = spark.readStream.schema("key bigint, value bigint").parquet(f"{tmp_path}/in")
    query = (
        rows.writeStream.format("hazelcast")
        .options(members=hazelcast_member.address, map="stream")
        .option("checkpointLocation", f"{tmp_path}/state")
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(100)
    assert client.get_map("stream").size() == 500
    assert client.get_map("stream").get(Long(499)) == 998


def test_an_empty_map_has_no_types_but_those_that_are_said(
    spark: SparkSession, hazelcast_member: Member
) -> None:
    with pytest.raises(Exception, match="map nothing is empty: give the types of its entries"):
        read(spark, hazelcast_member, "nothing")
    there = spark.read.format("hazelcast").options(members=hazelcast_member.address, map="nothing")
    assert there.schema("key string, value binary").load().collect() == []


def test_json_is_text(spark: SparkSession, hazelcast_member: Member, client: Any) -> None:
    client.get_map("json").put("a", HazelcastJsonValue('{"b": [1, 2]}'))
    [row] = (
        read(spark, hazelcast_member, "json").selectExpr("get_json_object(value, '$.b')").collect()
    )
    assert row[0] == "[1,2]"


def fields(*names: str, of: DataType | None = None) -> StructType:
    return StructType([StructField(name, of or IntegerType()) for name in names])


def source(**options: str) -> DataSource:
    return MapSource({"members": "127.0.0.1:1", "map": "m", **options})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"clustername": "dev"}, "knows no option clustername"),
        ({"smart": "yes"}, "option smart cannot be 'yes'"),
        ({"tasks": "0"}, "option tasks is 1 tasks or more"),
        ({"map": ""}, "needs the option map"),
        ({"members": ""}, "needs the option members"),
        ({"cluster_name": ""}, "option cluster_name is empty"),
        ({"password": ""}, "option password is empty"),
    ],
    ids=str,
)
def test_options_that_mean_nothing_are_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        source(**options).schema()


def test_what_is_no_entry_is_refused_before_anything_is_written() -> None:

    entry = fields("key", "value")
    with pytest.raises(ConfigError, match="take mode append"):
        source().writer(entry, overwrite=True)
    with pytest.raises(ConfigError, match="a key and a value, not key, value, name"):
        source().writer(fields("key", "value", "name"), overwrite=False)
    with pytest.raises(ConfigError, match="a map has no column 'name'"):
        source().reader(fields("key", "name"))
    half = StructType([*fields("key").fields, StructField("value", DecimalType(3, 1))])
    with pytest.raises(ConfigError, match=r"column value: no type of .* for Decimal128\(3, 1\)"):
        source().writer(half, overwrite=False)
    with pytest.raises(ConfigError, match="where is for a read"):
        source(where="this > 1").writer(entry, overwrite=False)


def test_a_password_is_not_told() -> None:
    reader = source(password="s3cret").reader(StructType())  # noqa: S106
    assert "s3cret" not in repr(vars(reader))


def test_batches_of_a_few_entries_come_together() -> None:

    reader: Any = source().reader(fields("key", "value"))
    small = pa.RecordBatch.from_pydict({"key": [1, 2], "value": [3, 4]})
    batches = list(reader._coalesce([small] * 50_000))
    assert [batch.num_rows for batch in batches] == [65_536, 34_464]


def test_batches_of_large_entries_come_a_few_at_a_time() -> None:
    reader: Any = source().reader(fields("key", "value", of=BinaryType()))
    large = pa.RecordBatch.from_pydict({"key": [b"k"], "value": [bytes(20 << 20)]})
    batches = list(reader._coalesce([large] * 10))
    assert [batch.num_rows for batch in batches] == [4, 4, 2]
