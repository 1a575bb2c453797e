"""The data source `jvmwire` in Spark gives the rows of a decode in this process."""

import gzip
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import ByteType, StructField, StructType

from jvmwire.capture import View, find_captures, redaction_key
from jvmwire.capture._arrow import arrow_schema
from jvmwire.errors import ConfigError
from jvmwire.spark import CaptureSource
from kit.captures import (
    HAMA_TASK,
    NAMENODE,
    RECORDINGS,
    SASL,
    SEED,
    STORM_BOLT,
    STORM_SPOUT,
    WRITABLE,
    cut_short,
    decoded,
)

TABLES = ("messages", "calls", "streams")


def read(spark: SparkSession, path: Path | list[Path], **options: str) -> DataFrame:
    paths = [str(p) for p in path] if isinstance(path, list) else str(path)
    return spark.read.format("jvmwire").options(**options).load(paths)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "capture",
    [NAMENODE, SASL, WRITABLE, STORM_BOLT, STORM_SPOUT, HAMA_TASK],
    ids=lambda path: path.name,
)
def test_a_table_equals_the_sequential_decode_row_for_row(
    spark: SparkSession, capture: Path, table: str
) -> None:
    expected = decoded(capture, table)
    assert expected.num_rows
    assert read(spark, capture, table=table).toArrow().equals(expected)


@pytest.mark.parametrize("table", TABLES)
def test_types_are_those_of_the_arrow_schema(spark: SparkSession, table: str) -> None:
    columns = View(table).columns + (["fields"] if table == "messages" else [])
    got = read(spark, SASL, table=table, columns=",".join(columns)).toArrow().schema
    assert got == arrow_schema(View(table, columns=columns))
    times = [field for field in got if pa.types.is_timestamp(field.type)]
    assert times
    assert {field.type for field in times} == {pa.timestamp("us", "UTC")}


def test_messages_come_without_fields_unless_asked_for(spark: SparkSession) -> None:
    assert "fields" not in read(spark, SASL).columns
    columns = ["fields", "name", "stream", "offset"]
    got = read(spark, SASL, columns="fields, name, stream, offset").toArrow()
    assert got.equals(decoded(SASL, "messages", columns=columns))
    assert all(json.loads(fields) is not None for fields in got["fields"].to_pylist() if fields)


def test_where_lets_only_its_rows_through(spark: SparkSession) -> None:
    where = "status <> 'ok' AND latency_us > 500"
    got = read(spark, NAMENODE, table="calls", where=where).toArrow()
    assert got.equals(decoded(NAMENODE, "calls", where=where))
    every = decoded(NAMENODE, "calls")
    kept = every.filter((pc.field("status") != "ok") & (pc.field("latency_us") > 500))
    assert 0 < kept.num_rows < every.num_rows
    assert got.equals(kept)


@pytest.mark.parametrize(
    ("file", "side", "names"),
    [
        ("client-call.bin", "client", ["ConnectionHeader", "ConnectionContext", "Call"]),
        ("client-call.bin", "any", ["ConnectionHeader", "ConnectionContext", "Call"]),
        ("reply.bin", "server", ["Reply"]),
    ],
)
def test_a_raw_dump_is_read_with_protocol_and_side(
    spark: SparkSession, file: str, side: str, names: list[str]
) -> None:
    rows = read(spark, SEED / file, protocol="hadoop", side=side).collect()
    assert [row["name"] for row in rows] == names
    assert {row["ts"] for row in rows} == {None}
    assert sum(row["length"] for row in rows) == (SEED / file).stat().st_size


def test_redacted_rows_hold_nothing_that_users_chose(spark: SparkSession) -> None:
    secret = {"redact": "true", "redact_secret": "of this test"}
    clear, hidden, again = (
        read(spark, NAMENODE, table="calls", **redact).toArrow()
        for redact in ({"redact": "false"}, secret, {"redact": "true"})
    )
    assert hidden.equals(decoded(NAMENODE, "calls", redact=redaction_key(b"of this test")))
    assert hidden.num_rows == clear.num_rows
    assert b"/user/alice" in _bytes(clear)
    assert b"/user/alice" not in _bytes(hidden)
    # A read without a secret has its own.
    assert not again.select(["user"]).equals(hidden.select(["user"]))


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


def test_files_of_a_directory_have_streams_of_their_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    for name in ("day.pcap10", "day.pcap9"):
        shutil.copy(SASL, tmp_path / name)
    shutil.copy(WRITABLE, tmp_path / "writable.pcap")
    (tmp_path / "notes.txt").write_text("no capture")
    files = find_captures([tmp_path])
    assert [file.name for file in files] == ["day.pcap9", "day.pcap10", "writable.pcap"]
    streams = read(spark, tmp_path, table="streams").toArrow()
    expected = [decoded(file, "streams", number=number) for number, file in enumerate(files)]
    assert streams.equals(pa.concat_tables(expected))
    assert len(set(streams["stream"].to_pylist())) == streams.num_rows
    assert read(spark, files, table="streams").toArrow().equals(streams)


def test_empty_and_damaged_files_are_named_and_the_others_decoded(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "a.pcap").touch()
    (tmp_path / "b.pcap").write_bytes(b"This is not the capture that you are looking for.")
    (tmp_path / "c.pcap").write_bytes(cut_short(NAMENODE))
    shutil.copy(SASL, tmp_path / "d.pcap")
    packed = gzip.compress(WRITABLE.read_bytes())
    (tmp_path / "e.pcap.gz").write_bytes(packed[:-1000])
    messages = read(spark, tmp_path).toArrow()
    about_files = messages.filter(pc.field("stream") == -1)
    reasons = [str(reason) for reason in about_files["error"].to_pylist()]
    assert [reason.partition(": ")[0] for reason in reasons] == [
        "a.pcap", "b.pcap", "c.pcap", "e.pcap.gz",
    ]  # fmt: skip
    assert reasons[0] == "a.pcap: the capture is empty"
    assert of_file(messages, 3).equals(decoded(tmp_path / "d.pcap", "messages", number=3))
    for number, name in ((2, "c.pcap"), (4, "e.pcap.gz")):
        found = decoded(tmp_path / name, "messages", number=number)
        assert found.num_rows > 1
        assert of_file(messages, number).equals(found.filter(pc.field("stream") != -1))


def of_file(table: pa.Table, number: int) -> pa.Table:
    first, end = number << 32, (number + 1) << 32
    return table.filter((pc.field("stream") >= first) & (pc.field("stream") < end))


def test_sql_over_calls_counts_what_the_client_logged(spark: SparkSession) -> None:
    log = (RECORDINGS / "namenode-3.5.0.client-log.jsonl.gz").read_bytes()
    logged = Counter(
        (call["user"], call["method"], call["error"])
        for call in map(json.loads, gzip.decompress(log).splitlines())
    )
    read(spark, NAMENODE, table="calls").createOrReplaceTempView("calls")
    rows = spark.sql(
        """
        SELECT user, substring_index(name, '.', -1) AS method, error_class, count(*) AS calls
        FROM calls WHERE user <> 'frank' GROUP BY ALL
        """
    ).collect()
    assert {tuple(row)[:3]: row["calls"] for row in rows} == logged


def test_only_record_batches_leave_the_reader() -> None:
    source = CaptureSource({"path": str(NAMENODE), "table": "calls"})
    reader = source.reader(source.schema())
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    assert {type(batch) for batch in batches} == {pa.RecordBatch}
    assert sum(batch.num_rows for batch in batches) == 6836


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"colums": "name"}, "knows no option colums"),
        ({"columns": "name,size"}, "size"),
        ({"table": "packets"}, "packets"),
        ({"where": "length >"}, "the condition 'length >' cannot be read"),
        ({"protocol": "http"}, "option protocol cannot be 'http'"),
        ({"protocol": "hadoop", "side": "left"}, "option side cannot be 'left'"),
        ({"side": "client"}, "set the option protocol"),
        ({"redact_secret": "a"}, "a redact_secret is of use with redact true only"),
        ({"redact": "yes"}, "option redact cannot be 'yes'; it is one of true, false"),
        ({"path": "hdfs://nn/captures"}, "not hdfs://nn/captures"),
    ],
    ids=str,
)
def test_a_wrong_option_is_refused_with_its_reason(options: Mapping[str, str], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        CaptureSource({"path": str(SASL), **options}).schema()


def test_a_path_is_needed() -> None:
    with pytest.raises(ConfigError, match="needs a path"):
        CaptureSource({}).schema()


def test_spark_says_our_reason(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(PySparkException, match="format jvmwire knows no option colums"):
        read(spark, SASL, colums="name").schema  # noqa: B018
    with pytest.raises(PySparkException, match="gone does not exist"):
        read(spark, tmp_path / "gone").collect()


def test_a_relative_path_and_a_url_are_files_too(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one day"
    folder.mkdir()
    shutil.copy(SASL, folder / "a.pcap")
    assert read(spark, [Path(folder.as_uri().replace("///", "/"))]).count()
    monkeypatch.chdir(tmp_path)
    reader = CaptureSource({"path": "one day"}).reader(CaptureSource({"path": "one day"}).schema())
    [part] = reader.partitions()
    assert part.paths[0] == str(folder / "a.pcap")  # type: ignore[attr-defined]


def test_a_schema_chooses_and_casts_columns_by_name(spark: SparkSession) -> None:
    schema = "target string, name string NOT NULL, latency_us double, stream int"
    calls = spark.read.format("jvmwire").options(
        table="calls", columns="name,stream,target,latency_us"
    )
    got = calls.schema(schema).load(str(NAMENODE)).toArrow()
    expected = decoded(NAMENODE, "calls", columns=["target", "name", "latency_us", "stream"])
    assert got.to_pylist() == expected.to_pylist()
    assert got.schema.field("latency_us").type == pa.float64()
    assert got.schema.field("stream").type == pa.int32()


def test_a_schema_makes_the_fields_that_it_names(spark: SparkSession) -> None:
    got = spark.read.format("jvmwire").schema("fields string, name string").load(str(SASL))
    assert got.toArrow().equals(decoded(SASL, "messages", columns=["fields", "name"]))


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("nam string", "table calls has no column 'nam'"),
        ("name int", "column 'name' of table calls holds string, which cannot be cast to int32"),
        ("start array<int>", "column 'start' of table calls holds"),
        ("name string, NAME string", "table calls has no column 'NAME'"),
    ],
)
def test_a_schema_that_does_not_fit_is_refused_when_the_read_is_planned(
    spark: SparkSession,
    schema: str,
    reason: str,
) -> None:
    # The reader is created where Spark plans, before there are tasks.
    asked = StructType.fromDDL(schema)
    assert isinstance(asked, StructType)
    source = CaptureSource({"path": str(NAMENODE), "table": "calls"})
    with pytest.raises(ConfigError, match=re.escape(reason)):
        source.reader(asked)


def test_a_refused_schema_fails_the_query_in_one_sentence(spark: SparkSession) -> None:
    calls = spark.read.format("jvmwire").option("table", "calls").schema("nam string")
    with pytest.raises(PySparkException, match="table calls has no column 'nam'; it has protocol"):
        calls.load(str(NAMENODE)).count()


def test_a_value_that_does_not_go_into_its_type_is_said() -> None:
    schema = StructType([StructField("reply_offset", ByteType())])
    reader = CaptureSource({"path": str(NAMENODE), "table": "calls"}).reader(schema)
    with pytest.raises(ConfigError, match="which does not fit the schema"):
        [batch for part in reader.partitions() for batch in reader.read(part)]


def test_copies_and_hidden_files_are_not_read(spark: SparkSession, tmp_path: Path) -> None:
    shutil.copy(SASL, tmp_path / "a.pcap")
    (tmp_path / "a.pcap.gz").write_bytes(gzip.compress(SASL.read_bytes()))
    for name in (".a.pcap", "_a.pcap"):
        shutil.copy(SASL, tmp_path / name)
    assert read(spark, tmp_path, table="calls").toArrow().equals(decoded(SASL, "calls"))


def test_rows_about_a_file_whose_name_is_not_utf_8_are_valid_text(tmp_path: Path) -> None:
    (tmp_path / "\udcff\udcfe.pcap").write_bytes(SASL.read_bytes()[:1000])

    def rows(**options: str) -> list[dict[str, Any]]:
        source = CaptureSource({"path": str(tmp_path), **options})
        reader = source.reader(source.schema())
        return [
            row
            for part in reader.partitions()
            for batch in reader.read(part)
            for row in batch.to_pylist()
        ]

    name = r"\udcff\udcfe.pcap"
    assert [row["path"] for row in rows(table="files")] == [f"{tmp_path}/{name}"]
    assert [row["error"] for row in rows() if row["error"]][-1].startswith(f"{name}: ")
