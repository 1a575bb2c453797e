"""`jvmwire query`: SQL over captures, its formats, its limits, and what it must not touch."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kit.captures import NAMENODE, SASL, WRITABLE
from kit.command import TIMEOUT, Done, command, decode, jvmwire, shown

CALLS = ("--table", "calls")


def query(*arguments: str | Path, status: int = 0) -> Done:
    return jvmwire("query", *arguments, status=status)


def refused(sql: str, *options: str) -> str:
    done = query(*options, WRITABLE, sql, status=2)
    assert done.stdout == b""
    [line] = done.stderr.splitlines()
    return line.removeprefix("jvmwire: ")


def test_a_query_answers_from_the_rows_of_decode() -> None:
    sql = "select user, count(*) as n from calls where status = 'error' group by user order by n"
    rows = query(NAMENODE, sql).rows
    errors = decode(*CALLS, "--where", "status = 'error'", NAMENODE).rows
    assert {row["user"]: row["n"] for row in rows} == Counter(row["user"] for row in errors)


def test_a_query_may_begin_with_a_comment_and_a_capture_named_twice_counts_once() -> None:
    sql = "-- how many\nselect count(*) as n from calls"
    assert query(NAMENODE, NAMENODE, sql).rows == [{"n": 6836}]


@pytest.mark.parametrize("table", ["messages", "calls", "streams"])
def test_all_columns_of_all_tables_are_there(table: str) -> None:
    expected = decode("--table", table, SASL).rows
    rows = query(SASL, f"select * from {table}").rows  # noqa: S608
    for row in expected:
        for name in ("fields", "attributes"):
            row.pop(name, None)
    for row in rows:
        for name in ("fields", "attributes"):
            row.pop(name, None)
    assert sorted(map(str, rows)) == sorted(map(str, expected))


def test_traffic_is_there() -> None:
    [row] = query(NAMENODE, "select sum(calls) as n from traffic where aspect = 'calls'").rows
    assert row == {"n": 6836}


def test_tables_are_joined_and_captures_are_together() -> None:
    sql = (
        "select count(*) as n from calls c join messages m on c.stream = m.stream "
        "and c.request_offset = m.offset and m.side = 'client' and m.parent is null"
    )
    assert query(SASL, WRITABLE, sql).rows[0]["n"] > 28
    assert query(SASL, WRITABLE, "select count(distinct stream) as n from streams").rows == [
        {"n": 8}
    ]


def test_only_the_columns_that_a_query_needs_are_decoded() -> None:
    sql = "select name from calls where latency_us > 5"
    done = jvmwire("--log-level", "info", "query", WRITABLE, sql)
    [line] = done.stderr.splitlines()
    assert line == "INFO jvmwire.query: decoding calls: name, latency_us where (latency_us > 5)"


CONDITIONS = [
    ("status = 'error' and latency_us > 100", "(latency_us > 100) AND (status = 'error')"),
    ("user is not null and latency_us % 2 = 0", "(user IS NOT NULL)"),
    ("(status = 'error' or user in ('hdfs', 'bob')) and retry < 1", None),
    ("name like '%get%' and not (status = 'ok')", "(status != 'ok')"),
    ("status <> 'ok' and target <> 'a\\b' and target <> 'it''s) AND ('", "(status != 'ok')"),
    ("target <> '/a\\nb'", ""),
    ("start > '2026-01-01' and user = 'alice'", "(user = 'alice')"),
]


@pytest.mark.parametrize(("condition", "pushed"), CONDITIONS)
def test_conditions_that_a_decode_can_check_are_checked_there(
    condition: str, pushed: str | None
) -> None:
    columns = "select name, user, target, latency_us"
    sql = " ".join((columns, "from calls where", condition, "order by all"))
    apart = " ".join(
        ("with c as materialized (from calls)", columns, "from c where", condition, "order by all")
    )
    done = jvmwire("--log-level", "info", "query", NAMENODE, sql)
    plain = jvmwire("query", NAMENODE, apart)
    assert done.stdout == plain.stdout
    assert done.stdout
    told = done.stderr.partition(" where ")[2].rstrip()
    assert told == pushed if pushed is not None else told


def test_conditions_of_a_table_that_is_used_twice_are_left_to_duckdb() -> None:
    sql = (
        "select count(*) as n from calls a join calls b on a.id = b.id "
        "where a.status = 'error' and b.status = 'ok'"
    )
    done = jvmwire("--log-level", "info", "query", NAMENODE, sql)
    assert " where " not in done.stderr
    assert done.stderr.count("decoding calls") == 2


@pytest.mark.parametrize(
    "sql",
    [
        "select * from calls where false",
        "select * from (select * from calls) limit 0",
        "select * exclude (id) from calls where false",
    ],
)
def test_columns_that_are_not_decoded_are_columns_nevertheless(sql: str) -> None:
    head = query(WRITABLE, sql, "--format", "csv").stdout.decode().strip().split(",")
    expected = list(decode(*CALLS, WRITABLE).rows[0])
    assert head == [name for name in expected if name != "id" or "exclude" not in sql]


def test_a_terminal_shows_a_table_with_units() -> None:
    sql = "select max(latency_us) as latency_us, min(start) as first, count(*) as n from calls"
    done = shown("query", WRITABLE, sql)
    head, row = done.stdout.decode().splitlines()
    assert head.split() == ["latency_us", "first", "n"]
    assert row.split()[1] in {"µs", "ms"}
    assert "+00:00" in row
    assert row.endswith(" 28")


@pytest.mark.parametrize("format_", ["table", "csv"])
def test_a_terminal_shows_no_control_character_of_a_name(format_: str) -> None:
    sql = "select chr(27) || '[31m' as \"\x1b[31m日本\""
    head, row = shown("query", WRITABLE, sql, "--format", format_).stdout.decode().splitlines()
    assert head.strip() == r"\x1b[31m日本"
    assert row.strip() == r"\x1b[31m"


def test_results_have_the_formats_of_decode(tmp_path: Path) -> None:
    sql = "select name, count(*) as n, list(distinct status) as s from calls group by 1 order by 1"
    out = tmp_path / "result.parquet"
    query(WRITABLE, sql, "--format", "parquet", "-o", out)
    rows = query(WRITABLE, sql).rows
    assert pq.read_table(out).to_pylist() == rows
    head, *lines = query(WRITABLE, sql, "--format", "csv").stdout.decode().split("\r\n")
    assert head == "name,n,s"
    assert lines[0] == f'{rows[0]["name"]},{rows[0]["n"]},"[""{rows[0]["s"][0]}""]"'


def test_a_result_without_rows_has_its_columns() -> None:
    done = query(WRITABLE, "select id, name from calls where false", "--format", "csv")
    assert done.stdout == b"id,name\r\n"


def test_numbers_that_are_large_stay_exact() -> None:
    sql = "select sum(9007199254740993) as n from calls"
    assert query(WRITABLE, sql).rows == [{"n": 28 * 9007199254740993}]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("interval '1 month 3 seconds'", "1 month 00:00:03"),
        ("340282366920938463463374607431768211455::uhugeint", str((1 << 128) - 1)),
        ("'10101'::bit", "10101"),
        ("'12:34:56+02'::timetz", "12:34:56+02"),
        ("union_value(n := 2)", "2"),
        ("[interval '1 day']", "[1 day]"),
    ],
)
def test_values_without_a_type_in_arrow_are_text(value: str, text: str, tmp_path: Path) -> None:
    sql = f'select {value} as a, 1 as "A"'
    assert query(WRITABLE, sql).rows == [{"a": text, "A": 1}]
    assert query(WRITABLE, sql, "--format", "csv").stdout.decode() == f"a,A\r\n{text},1\r\n"
    out = tmp_path / "out.parquet"
    query(WRITABLE, sql, "--format", "parquet", "-o", out)
    assert pq.read_table(out).to_pylist() == [{"a": text, "A": 1}]


def test_csv_and_tables_have_the_values_of_json_lines() -> None:
    sql = (
        "select timestamp_ns '2020-01-01 00:00:00.123456789' as t, timestamp_s '2020-01-01' as s, "
        "true as b, '\\xAA'::blob as x"
    )
    micros = 1_577_836_800_000_000
    assert query(WRITABLE, sql).rows == [
        {"t": micros + 123_456, "s": micros, "b": True, "x": {"base64": "qg=="}}
    ]
    assert query(WRITABLE, sql, "--format", "csv").stdout.decode() == (
        f't,s,b,x\r\n{micros + 123_456},{micros},true,"{{""base64"":""qg==""}}"\r\n'
    )
    table = query(WRITABLE, sql, "--format", "table").stdout.decode()
    assert '  true  {"base64":"qg==' in table


# --- what is refused


@pytest.mark.parametrize(
    ("value", "format_", "said"),
    [
        ("'infinity'::date", "jsonl", "days=2147483647; must have magnitude <= 999999999"),
        ("[date '0044-01-01 (BC)']", "csv", "date value out of range"),
        ("[" * 500 + "1" + "]" * 500, "jsonl", "maximum recursion depth exceeded"),
        ("struct_pack()", "parquet", "Cannot write struct type 'a' with no child field"),
    ],
)
def test_a_value_that_a_format_lacks_is_one_sentence(
    value: str, format_: str, said: str, tmp_path: Path
) -> None:
    output = ("--format", format_, "-o", tmp_path / "out")
    done = query(*output, WRITABLE, f"select {value} as a", status=2)
    assert done.stderr.startswith(f"jvmwire: the result cannot be written: {said}")
    assert done.stderr.endswith("; cast such columns to VARCHAR\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select nope from calls", 'the query cannot be run: Referenced column "nope" not found'),
        ("select * from nope", "there is no table nope; the tables are calls, messages, streams"),
        ("selec", 'the query cannot be run: syntax error at or near "selec"'),
        ("select * from nope.calls", 'there is no table "nope.calls"; the tables are calls'),
        ('select * from "no pe"', "there is no table no pe; the tables are calls"),
        ("select * from memory.calls", "the query cannot be run: Table with name calls does not"),
        ("", "the query is empty"),
        (" ; ", "the query is empty"),
        ("select 1; select 2", "one query is run at a time, got 2 statements"),
        ("set threads = 1", "the query must be a SELECT, got 'set threads = 1'"),
        ("select 1 as a, 2 as a", "two columns of the result are named 'a'"),
        ("select * from queries", "there is no table queries"),
    ],
)
def test_a_wrong_query_is_one_sentence(sql: str, said: str) -> None:
    assert refused(sql).startswith(said)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('secret.csv')",
        "select * from 'secret.csv'",
        "select * from read_text('secret.csv')",
        "select * from glob('*')",
        "select * from read_csv('https://127.0.0.1:1/secret.csv')",
    ],
)
def test_a_query_reads_no_other_file(
    sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    assert refused(sql) == "the query reads or writes a file, which needs --allow-files"


@pytest.mark.parametrize(
    "sql",
    [
        "copy calls to 'out.csv'",
        "attach 'out.db'",
        "export database 'out'",
        "install httpfs",
        "create table x as select 1",
    ],
)
def test_a_query_writes_no_file(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(sql).startswith("the query must be a SELECT, got ")
    assert list(tmp_path.iterdir()) == []


def test_files_are_allowed_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "users.csv").write_text("user,team\nalice,data\n")
    sql = "select team, count(*) as n from calls join 'users.csv' using (user) group by team"
    rows = query("--allow-files", NAMENODE, sql).rows
    assert [row["team"] for row in rows] == ["data"]
    query("--allow-files", WRITABLE, "copy (select id from calls) to 'ids.csv'")
    assert len((tmp_path / "ids.csv").read_text().splitlines()) == 1 + 28


@pytest.mark.parametrize(
    "sql",
    [
        "copy calls to 'a''b/in.pcap'",
        "explain analyze copy (select 1) TO 'a''b/in.pcap'",
        "copy calls to $$a'b/in.pcap$$ (format csv)",
        "copy calls to '{}/in.pcap'",
        "copy calls to 'file://{}/in.pcap'",
        "copy calls to 'a''b' (format parquet, partition_by (user), overwrite true)",
    ],
)
def test_a_capture_is_not_overwritten_by_copy(
    sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "a'b"
    folder.mkdir()
    file = folder / "in.pcap"
    file.write_bytes(WRITABLE.read_bytes())
    sql = sql.format(str(folder).replace("'", "''"))
    assert "the input" in query("--allow-files", file, sql, status=2).stderr
    assert file.read_bytes() == WRITABLE.read_bytes()
    assert list(folder.iterdir()) == [file]


def test_memory_is_limited() -> None:
    sql = "select a.id from calls a, range(20000000) order by random()"
    assert refused(sql, "--memory-limit", "64") == (
        "the query needs more than 64 MiB of memory: select less, or pass a larger --memory-limit"
    )


def test_standard_input_is_refused() -> None:
    assert "may read its captures more than once" in query("-", "select 1", status=2).stderr


def test_an_interrupt_ends_a_long_query_silently(tmp_path: Path) -> None:
    sql = "select count(*) from calls, range(1000000) a, range(1000000) b where a.range < b.range"
    run: list[str | Path] = ["--log-level", "info", "query", WRITABLE, sql, "-o", tmp_path / "out"]
    with subprocess.Popen(command(*run), stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert b"decoding calls" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 130
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


# --- captures that are damaged


def test_damage_is_said_once_and_the_status_is_1(tmp_path: Path) -> None:
    file = tmp_path / "cut.pcap"
    file.write_bytes(WRITABLE.read_bytes()[:-5])
    sql = "select count(*) as n from calls a join calls b using (stream, request_offset)"
    done = query(file, sql, status=1)
    assert done.stderr.count("cut short") == 1
    assert done.rows[0]["n"] > 0


def test_a_capture_that_cannot_be_read_is_its_own_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.pcap").symlink_to("/proc/self/mem")
    done = query(tmp_path / "a.pcap", "select * from calls", status=2)
    assert done.stderr == "jvmwire: Input/output error\n"


MISSING = """
import sys
sys.modules[{absent!r}] = None
sys.argv = ["jvmwire", "query", {file!r}, "select 1"]
from jvmwire._cli import main
main()
"""


@pytest.mark.parametrize("absent", ["duckdb", "pyarrow"])
def test_a_missing_extra_is_named(absent: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING.format(absent=absent, file=str(WRITABLE))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"jvmwire: jvmwire query needs {absent}: pip install 'jvmwire[query]'\n"
