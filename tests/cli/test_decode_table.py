"""Rows for people: a table on a terminal, CSV, and no control characters of captures in either."""

import csv
import io
import re
import subprocess
from pathlib import Path

import pytest

from jvmwire._cli.people_table import PeopleTable
from kit import wire
from kit.captures import NAMENODE, SASL, WRITABLE
from kit.command import TIMEOUT, command, decode, jvmwire, shown
from kit.rows import capture

CALLS = ("--table", "calls")
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


def lines(text: bytes) -> list[str]:
    return text.decode().splitlines()


# --- tables


def test_a_terminal_shows_a_table_that_fits_it() -> None:
    done = shown("decode", *CALLS, NAMENODE, columns=120)
    head, *rows = lines(done.stdout)
    assert head.split()[:4] == ["start", "status", "latency_us", "name"]
    assert len(rows) == 6836
    assert max(map(len, rows)) <= 120
    assert re.match(r"2026-11-21T09:20:0\d\.\d{3}\+00:00  ok +", rows[0])
    assert re.search(r"  \d[\d.]* (µs|ms)  ", rows[0])
    [said] = done.stderr.splitlines()
    assert said.startswith("jvmwire: columns that do not fit: ")


def test_times_are_local_with_their_offset() -> None:
    rows = lines(shown("decode", *CALLS, WRITABLE, zone="XYZ-05:30").stdout)
    first = decode(*CALLS, "--columns", "start", WRITABLE).rows[0]["start"]
    assert "+05:30" in rows[1].split()[0]
    assert isinstance(first, int)


def test_columns_that_are_named_are_shown_in_their_order() -> None:
    done = shown("decode", *CALLS, "--columns", "retry,name,id", WRITABLE, columns=20)
    assert lines(done.stdout)[0].split() == ["retry", "name", "id"]
    assert done.stderr == ""


def test_sizes_have_units_and_nulls_are_dashes() -> None:
    columns = "request_bytes,reply_bytes,error_class"
    done = jvmwire("decode", *CALLS, "--format", "table", "--columns", columns, WRITABLE)
    head, first, *_ = lines(done.stdout)
    [row, *_] = decode(*CALLS, "--columns", columns, WRITABLE).rows
    assert head.split() == columns.split(",")
    assert first.split() == [
        str(row["request_bytes"]),
        "bytes",
        str(row["reply_bytes"]),
        "bytes",
        "-",
    ]


def test_numbers_end_and_texts_begin_in_one_column() -> None:
    done = jvmwire("decode", *CALLS, "--format", "table", "--columns", "id,request_offset", SASL)
    head, *rows = lines(done.stdout)
    assert len(rows) == len(decode(*CALLS, SASL).rows)
    assert {len(row) for row in rows} == {len(head)}


def test_an_error_that_comes_late_gets_a_column() -> None:
    file = io.BytesIO()
    columns = ["name", "error", "fields"]
    table = PeopleTable(file, "messages", columns, named=False, width=40, live=False)
    table.write([b'{"name":"Call","error":null,"fields":{"a":1,"b":[1.50,"x"],"c":"d"}}'])
    table.write([b'{"name":null,"error":"damaged","fields":null}'])
    table.write([b'{"name":"Call","error":null,"fields":{"n":123456789012345678901234567890}}'])
    assert file.getvalue().decode().splitlines() == [
        "name  fields",
        'Call  a=1 b=[1.50,"x"] c=d',
        "",
        "name  error    fields",
        "-     damaged  -",
        "Call  -        n=1234567890123456789012…",
    ]


def test_a_name_is_cut_at_its_beginning() -> None:
    rows = lines(shown("decode", *CALLS, "--columns", "name", NAMENODE, columns=20).stdout)
    assert "…l.getContentSummary" in rows
    assert max(map(len, rows)) == 20


def test_pipes_and_files_get_json_lines(tmp_path: Path) -> None:
    piped = decode(*CALLS, WRITABLE).stdout
    assert piped.startswith(b"{")
    done = shown("decode", *CALLS, WRITABLE, "-o", tmp_path / "rows")
    assert (tmp_path / "rows").read_bytes() == piped
    assert done.stdout == b""
    assert shown("decode", *CALLS, "--format", "jsonl", WRITABLE).stdout == piped


def test_a_followed_pipe_shows_a_table_too() -> None:
    done = shown("decode", *CALLS, "-", stdin=WRITABLE.read_bytes(), columns=100)
    assert lines(done.stdout)[0].split()[0] == "start"
    assert len(lines(done.stdout)) == 1 + 28


# --- control characters


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = "/\x1b]0;owned\x07\u202e\x9b31m\r\n=1+1"
    setup = wire.connection_header() + wire.context()
    file = tmp_path / "hostile.pcap"
    file.write_bytes(capture(("client", setup + wire.stat(1, path)), ("server", wire.reply(1))))
    return file


@pytest.mark.parametrize("format_", ["table", "csv", "jsonl"])
@pytest.mark.parametrize("table", ["messages", "calls"])
def test_no_control_character_of_a_capture_reaches_a_terminal(
    hostile: Path, format_: str, table: str
) -> None:
    done = shown("decode", "--table", table, "--format", format_, hostile, columns=1000)
    text = done.stdout.decode()
    assert "owned" in text
    assert not CONTROLS.search(text.replace("\r\n", "\n"))  # the ends of CSV's lines
    assert not CONTROLS.search(done.stderr)


# --- CSV


@pytest.mark.parametrize("table", ["messages", "calls", "streams"])
def test_csv_has_the_values_of_json_lines(table: str, tmp_path: Path) -> None:
    arguments = ("--table", table, SASL)
    text = decode(*arguments, "--format", "csv").stdout.decode()
    assert text.replace("\r\n", "").isprintable()
    [head, *rows] = csv.reader(io.StringIO(text, newline=""))
    expected = decode(*arguments).rows
    assert head == list(expected[0])
    plain = [name for name in head if name not in {"fields", "attributes"}]
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        values = dict(zip(head, row, strict=True))
        assert {name: values[name] for name in plain} == {
            name: "" if wanted[name] is None else str(wanted[name]) for name in plain
        }


def test_csv_quotes_what_needs_it_and_changes_nothing(hostile: Path) -> None:
    text = decode(*CALLS, "--columns", "target", "--format", "csv", hostile).stdout.decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["target"],
        ["/\x1b]0;owned\x07\u202e\x9b31m\r\n=1+1"],
    ]


def test_csv_without_rows_has_a_header() -> None:
    done = decode("--columns", "id,name", "--where", "id = 'none'", "--format", "csv", WRITABLE)
    assert done.stdout == b"id,name\r\n"


# --- a limit


@pytest.mark.parametrize("format_", ["jsonl", "csv", "table"])
def test_a_limit_is_the_number_of_rows(format_: str) -> None:
    done = decode(*CALLS, "--limit", "7", "--format", format_, NAMENODE)
    assert len(lines(done.stdout)) == 7 + (format_ != "jsonl")


def test_a_limit_counts_over_captures_and_in_binary_formats(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    out = tmp_path / "rows.parquet"
    decode(*CALLS, "--limit", "30", "--format", "parquet", "-o", out, WRITABLE, SASL)
    assert pq.read_table(out).num_rows == 30


def test_after_the_limit_nothing_is_read(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pcap"
    damaged.write_bytes(WRITABLE.read_bytes()[:-5])
    assert decode(*CALLS, "--limit", "28", WRITABLE, damaged).stderr == ""
    assert "cut short" in decode(*CALLS, WRITABLE, damaged, status=1).stderr


def test_a_limit_ends_an_input_that_does_not_end() -> None:
    run = command("decode", *CALLS, "--limit", "2", "-")
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(WRITABLE.read_bytes())
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0  # the pipe is still open
        assert len(process.stdout.readlines()) == 2
