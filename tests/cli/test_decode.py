"""`jvmwire decode`: every option, on recordings and on dumps."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kit import wire
from kit.captures import NAMENODE, RECORDINGS, SASL, SEED, WRITABLE
from kit.command import TIMEOUT, decode, jvmwire
from kit.rows import capture, decode_capture, decode_dump, explain_dump

CALL, PING, REPLY = (SEED / f"{name}.bin" for name in ("client-call", "ping", "reply"))
SEED_AGAIN = RECORDINGS / "writable-3.5.0.seed.pcapng"
DUMP = ("--protocol", "hadoop", "--side")
MESSAGE_COLUMNS = [
    "protocol", "stream", "side", "offset", "length", "ts", "name", "kind", "id", "parent",
    "fields", "error",
]  # fmt: skip
CALL_COLUMNS = [
    "protocol", "stream", "client", "server", "id", "user", "name", "target", "request_offset",
    "reply_offset", "request_bytes", "reply_bytes", "start", "latency_us", "status",
    "error_class", "retry", "attributes",
]  # fmt: skip


# --- dumps


@pytest.mark.parametrize(
    ("file", "side"),
    [(CALL, "client"), (PING, "client"), (REPLY, "server")],
    ids=["call", "ping", "reply"],
)
def test_a_dump_of_the_seed_is_its_messages(file: Path, side: str) -> None:
    expected = decode_dump(file.read_bytes(), side).messages
    assert decode(*DUMP, side, file).rows == expected
    assert decode(*DUMP, "any", file).rows == expected
    assert decode(*DUMP, side, "-", stdin=file.read_bytes()).rows == expected


def test_a_reply_file_gives_the_other_side() -> None:
    rows = decode("--protocol", "hadoop", "--reply-file", REPLY, CALL).rows
    told = [(row["side"], row["offset"], row["name"]) for row in rows]
    assert told == [
        ("client", 0, "ConnectionHeader"),
        ("server", 0, "Reply"),
        ("client", 7, "ConnectionContext"),
        ("client", 61, "Call"),
    ]
    both = (*DUMP, "client", "--reply-file", REPLY, "--table", "calls", CALL)
    [call] = decode(*both).rows
    assert (call["name"], call["status"], call["reply_bytes"]) == ("ping.ping", "ok", 55)


def test_an_explanation_is_the_annotated_dump() -> None:
    printed = decode(*DUMP, "client", "--explain", CALL).stdout.decode()
    assert printed == explain_dump(CALL.read_bytes())
    assert "0x00, 0x00, 0x00, 0x32, // = 50\n" in printed
    shown = bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2}),", printed))
    assert shown == CALL.read_bytes()


def test_an_explanation_goes_to_a_file_and_takes_captures(tmp_path: Path) -> None:
    out = tmp_path / "explained"
    assert decode("--explain", "-o", out, SEED_AGAIN).stdout == b""
    text = out.read_text()
    assert text.count("// ----") == 4
    assert '// = "pong"' in text


# --- captures and rows


def test_the_messages_of_a_capture_have_all_columns_in_order_and_are_sorted() -> None:
    rows = decode(WRITABLE).rows
    assert list(rows[0]) == MESSAGE_COLUMNS
    places = [(row["stream"], row["offset"], row["side"] == "server") for row in rows]
    assert places == sorted(places)
    whole = decode_capture(WRITABLE.read_bytes()).messages
    assert sorted(map(str, rows)) == sorted(map(str, whole))


def test_the_calls_of_a_capture_have_all_columns_in_order_and_are_sorted() -> None:
    rows = decode("--table", "calls", NAMENODE).rows
    assert len(rows) == 6836
    assert list(rows[0]) == CALL_COLUMNS
    places = [(row["stream"], row["request_offset"]) for row in rows]
    assert places == sorted(places)


def test_the_streams_of_a_capture_are_sorted() -> None:
    rows = decode("--table", "streams", NAMENODE).rows
    assert [row["stream"] for row in rows] == list(range(16))
    assert sum(row["messages"] for row in rows) == 13709
    assert {row["ended"] for row in rows} == {"fin", "reset"}


def test_columns_are_those_named_in_that_order() -> None:
    rows = decode("--columns", "error, name,id", WRITABLE).rows
    assert {tuple(row) for row in rows} == {("error", "name", "id")}
    rows = decode("--table", "calls", "--columns", "latency_us", WRITABLE).rows
    assert {tuple(row) for row in rows} == {("latency_us",)}


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("status = 'error'", 407),
        ("status <> 'ok' AND user = 'erin'", 300),
        ("error_class LIKE '%FileNotFound%' OR status = 'fatal'", 304),
        ("retry BETWEEN 1 AND 11", 82),
        ("target IS NULL AND name ILIKE '%getfsstats'", 46),
        ("user IN ('carol', 'dave') AND NOT status = 'error'", 254),
        ("attributes LIKE '%lookup%' AND latency_us >= 0", 1280),
        ("start < '2026-11-21T09:20:01Z'", 8),
        ("user = 'nobody'", 0),
    ],
)
def test_a_condition_keeps_the_rows_that_it_is_true_of(condition: str, count: int) -> None:
    rows = decode("--table", "calls", "--where", condition, NAMENODE).rows
    assert len(rows) == count


def test_a_condition_may_judge_by_what_is_not_shown() -> None:
    arguments = ("--columns", "id", "--where", "fields LIKE '%GREEN%'", WRITABLE)
    assert decode(*arguments).rows == [{"id": "21"}]


def test_a_condition_hides_rows_and_not_what_was_not_decoded() -> None:
    done = decode(*DUMP, "client", "--where", "name = 'Call'", "-", status=1, stdin=b"junk" * 9)
    assert done.rows == []
    assert "36 bytes in one place" in done.stderr


def test_the_protocol_may_be_taken_for_granted(tmp_path: Path) -> None:
    file = tmp_path / "junk first.pcap"
    calls = [wire.stat(id_, "/") for id_ in range(3)]
    file.write_bytes(capture(("client", b"none of ours\n" + b"".join(calls))))
    assert [row["name"] for row in decode(file, status=1).rows] == [None]
    rows = decode("--protocol", "hadoop", file, status=1).rows
    assert [row["name"] for row in rows] == [None, "Call", "Call", "Call"]


# --- formats


@pytest.mark.parametrize("table", ["messages", "calls", "streams"])
def test_arrow_and_parquet_have_the_rows_of_json_lines(table: str, tmp_path: Path) -> None:
    arrow, parquet = tmp_path / "rows.arrow", tmp_path / "rows.parquet"
    arguments = ("--table", table, SASL)
    lines = decode(*arguments).rows
    decode(*arguments, "--format", "arrow", "-o", arrow)
    decode(*arguments, "--format", "parquet", "-o", parquet)
    read = pa.ipc.open_stream(arrow.read_bytes()).read_all()
    assert read.equals(pq.read_table(parquet))
    assert read.num_rows == len(lines)
    # JSON of the fields is made on demand; JSON lines are for people.
    assert [name for name in lines[0] if name != "fields"] == read.column_names
    for name in read.column_names:
        if not pa.types.is_timestamp(read.schema.field(name).type):
            assert read.column(name).to_pylist() == [row[name] for row in lines]


def test_times_are_microseconds_of_utc_in_arrow_and_integers_in_json(tmp_path: Path) -> None:
    out = tmp_path / "rows.arrow"
    decode("--columns", "ts,fields", "--format", "arrow", "-o", out, WRITABLE)
    read = pa.ipc.open_stream(out.read_bytes()).read_all()
    assert read.schema.field("ts").type == pa.timestamp("us", tz="UTC")
    assert read.schema.field("fields").type == pa.string()
    lines = decode("--columns", "ts", WRITABLE).rows
    assert read.column("ts").cast(pa.int64()).to_pylist() == [row["ts"] for row in lines]


def test_arrow_goes_to_standard_output_too() -> None:
    done = decode("--table", "calls", "--format", "arrow", WRITABLE)
    assert pa.ipc.open_stream(done.stdout).read_all().num_rows == 28


def test_a_table_without_rows_is_written_with_its_columns(tmp_path: Path) -> None:
    out = tmp_path / "none.parquet"
    nothing = ("--table", "calls", "--where", "id = 'none'")
    decode(*nothing, "--format", "parquet", "-o", out, WRITABLE)
    assert pq.read_table(out).num_rows == 0
    assert pq.read_table(out).column_names == CALL_COLUMNS


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert decode("-o", out, WRITABLE).stdout == b""
    assert out.read_bytes() == decode(WRITABLE).stdout


# --- files


def test_several_files_number_their_streams_on(tmp_path: Path) -> None:
    copy = shutil.copy(WRITABLE, tmp_path)
    rows = decode("--table", "streams", WRITABLE, SASL, copy).rows
    assert [row["stream"] for row in rows] == list(range(2 + 6 + 2))
    rows = decode("--columns", "stream,name", WRITABLE, SASL).rows
    assert [row["stream"] for row in rows] == sorted(row["stream"] for row in rows)
    assert len({row["stream"] for row in rows}) == 8


def test_a_folder_is_its_captures_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    shutil.copy(SASL, tmp_path / "ring.pcap10")
    shutil.copy(WRITABLE, tmp_path / "ring.pcap9")
    (tmp_path / "ring.pcap11.gz").write_bytes(gzip.compress(SEED_AGAIN.read_bytes()))
    (tmp_path / "notes.txt").write_text("no capture")
    together = decode("--table", "calls", tmp_path).stdout
    one_by_one = [tmp_path / f"ring.{end}" for end in ("pcap9", "pcap10", "pcap11.gz")]
    assert together == decode("--table", "calls", *one_by_one).stdout


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_a_compressed_capture_is_told_by_its_content(
    codec: Literal["gzip", "zstd"], tmp_path: Path
) -> None:
    file = tmp_path / "named like nothing"
    file.write_bytes(pa.compress(WRITABLE.read_bytes(), codec=codec, asbytes=True))
    assert decode(file).stdout == decode(WRITABLE).stdout


def test_help_and_version_say_what_there_is() -> None:
    text = jvmwire("decode", "--help").stdout.decode()
    for option in ("--table", "--where", "--explain", "--redact", "--follow", "--reply-file"):
        assert option in text
    assert re.fullmatch(rb"jvmwire, version [0-9.]+\n", jvmwire("--version").stdout)


def test_the_package_runs_as_the_command() -> None:
    run = [sys.executable, "-m", "jvmwire", "decode", "--table", "calls", str(WRITABLE)]
    done = subprocess.run(run, capture_output=True, timeout=TIMEOUT, check=True)
    assert done.stdout == decode("--table", "calls", WRITABLE).stdout
