"""The decoders' arguments, views of their tables, and conditions on rows."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire import ConfigError
from jvmwire.capture import CaptureDecoder, DumpDecoder, RecordBatch, View, make_view, read_tables
from kit import wire
from kit.captures import WRITABLE
from kit.rows import Row, parsed

DUMP = wire.conversation(
    [wire.stat(0, "/a"), wire.stat(1, "/b"), wire.call(2, "getStats"), wire.call(3, retry=4)]
)
REPLIES = wire.reply(0) + wire.failure(1)


def calls(where: str) -> list[Row]:
    decoder = DumpDecoder([make_view("calls", where=where)], protocol="hadoop", of="both")
    decoder.feed("client", DUMP)
    decoder.feed("server", REPLIES)
    decoder.finish()
    return rows(decoder)


def rows(decoder: DumpDecoder) -> list[Row]:
    found = []
    while (batch := decoder.next_batch()) is not None:
        found += [parsed(line) for line in batch[1].to_jsonl().splitlines()]
    return sorted(found, key=lambda row: int(row["id"] or -1))


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("status = 'ok'", "0"),
        ("'ok' = status", "0"),
        ("status <> 'ok'", "123"),
        ("status != 'lost' AND id > '0'", "1"),
        ("retry > 0", "3"),
        ("0 >= retry", "012"),
        ("retry = -1", ""),
        ("target = '/a' OR target = '/b'", "01"),
        # As in SQL: an unknown value is neither equal nor unequal.
        ("target <> '/a'", "1"),
        ("NOT target = '/a'", "1"),
        ("NOT (target = '/a' AND status = 'lost')", "01"),
        ("target IS NULL", "23"),
        ("target IS NOT NULL", "01"),
        ("error_class IN ('x', 'java.io.FileNotFoundException')", "1"),
        ("id NOT IN ('0', '1')", "23"),
        ("retry BETWEEN 1 AND 4", "3"),
        ("retry NOT BETWEEN 1 AND 4", "012"),
        ("name LIKE '%.get_tats'", "2"),
        ("name NOT LIKE '%.get_tats'", "013"),
        ("name ILIKE 'clientprotocol.GETF%'", "013"),
        ("name NOT ILIKE 'clientprotocol.GETF%'", "2"),
        ("name LIKE 'getFileInfo'", ""),
        ("((id = '0'))", "0"),
        ("start IS NULL", "0123"),
        ("start < '2030-01-01T00:00:00Z'", ""),
        ("`id` = '1'", "1"),
        ('id == "1" -- a comment', "1"),
        ("id /* a /* comment */ = '1'", "1"),
        ("! (id = '1') and retry != -0", "3"),
        ("id = '\\'' OR id = '1'", "1"),
        (" OR ".join(["id = '1'"] * 8000), "1"),
    ],
)
def test_a_condition_is_true_of_these_calls(condition: str, ids: str) -> None:
    assert "".join(row["id"] for row in calls(condition)) == ids


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("id", "is not done here"),
        ("id = name", "is not done here"),
        ("id = 1", 'column "id" holds text, which 1 is not'),
        ("retry = 'x'", 'column "retry" holds integers'),
        ("retry = 1.5", "is not done here"),
        ("retry + 1 = 2", "is not done here"),
        ("retry LIKE '1%'", "retry"),
        ("start = 'yesterday'", 'column "start" holds times'),
        ("retry = 99999999999999999999", "is not a 64-bit number"),
        ("retry BETWEEN SYMMETRIC 4 AND 1", "is not done here"),
        ("name LIKE 'a!%' ESCAPE '!'", "is not done here"),
        ("name LIKE ANY ('a', 'b')", "is not done here"),
        ("name RLIKE 'a'", "is not done here"),
        ("retry <=> 4", "is not done here"),
        ("id IN (SELECT id FROM calls)", "is not done here"),
        ("calls.id = '1'", "is not done here"),
        ("id = '1' LIMIT 1", "is not a condition"),
        ("id = '1'; SELECT 1", "is not a condition"),
        ("id = '", "cannot be read: it breaks off inside a quotation"),
        ("", "condition"),
        ("   ", "condition"),
    ],
)
def test_a_condition_that_cannot_be_judged_is_refused(condition: str, said: str) -> None:
    with pytest.raises(ConfigError, match="(?s)" + said.replace("(", r"\(")):
        make_view("calls", where=condition)


@pytest.mark.parametrize(
    "condition",
    [
        "latency_us = " + "9" * 5000,
        "latency_us = -" + "9" * 5000,
        "latency_us = 0x" + "f" * 5000,
        "latency_us = 1e999999999",
        "latency_us = 1" + "0" * 5000 + ".5",
        "connect { map ( exists",
        "name = interval '" + "1" * 50_000 + "' day",
        "name = '\ud800'",
        "name='a' /* " * 8000,
        "'" * 99_999,
        "`" * 99_999,
        "a" * 90_000 + " = 1",
        "if(" * 30_000,
        "- " * 40_000 + "1 = id",
        "(" * 49_000 + "name='a'" + ")" * 49_000,
        "".join("name='a' OR (" for _ in range(5000)) + "name='b'" + ")" * 5000,
        ("(" + " OR ".join(["id='1'"] * 90) + " OR ") * 100 + "id='2'" + ")" * 100,
        "id = '1')",
        "(id = '1'",
        "id = '1' id",
        "id IN ()",
        "id IS",
        "id NOT",
        "= 1",
        "latency_us = ٣",
    ],
    ids=lambda condition: condition[:20],
)
def test_a_hostile_condition_is_one_short_error_of_ours(condition: str) -> None:
    with pytest.raises(ConfigError) as raised:
        make_view("calls", where=condition)
    assert len(str(raised.value)) < 400


_WORDS = [
    *("name", "latency_us", "=", "<>", "<", "(", ")", "and", "or", "not", "in", "like", "between"),
    *("is", "null", "'a'", "1", "-", "%", ",", ".", "::", "case", "exists", "select", "`y`", "/*"),
    *("*/", "--", "\n", "{", "[", "@", "^", "interval", "cast", "0x1", "1e5", "'", '"', "\\", "!"),
]


@given(st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join) | st.text(max_size=30))
def test_whatever_stands_in_a_condition_is_judged_or_an_error_of_ours(condition: str) -> None:
    with suppress(ConfigError):
        make_view("calls", where=condition)


def test_a_condition_that_is_nested_without_end_is_refused() -> None:
    with pytest.raises(ConfigError):
        make_view("calls", where="NOT " * 20_000 + "id = '1'")
    condition = ("is null", "id")
    for _ in range(100_000):
        condition = ("not", condition)  # type: ignore[assignment]
    with pytest.raises(ValueError, match="nested deeper than 500 levels"):
        View("calls", condition=condition)  # type: ignore[arg-type]


def test_a_view_has_its_tables_columns_but_fields_or_those_named() -> None:
    assert "fields" not in View("messages").columns
    assert View("messages").columns[-1] == "error"
    assert View("messages", columns=["fields", "id"]).columns == ["fields", "id"]
    assert View("calls").table == "calls"


@pytest.mark.parametrize(
    ("table", "columns", "said"),
    [
        ("packets", None, "there is no table"),
        ("calls", ["fields"], "there is no column"),
        ("calls", ["id", "id"], "named twice"),
    ],
)
def test_a_view_of_what_there_is_not_is_refused(
    table: str, columns: list[str] | None, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        View(table, columns=columns)
    with pytest.raises(ConfigError, match=said):
        make_view(table, columns=columns)


def test_arguments_of_decoders_are_judged() -> None:
    views = [View("calls")]
    with pytest.raises(ValueError, match="protocol"):
        DumpDecoder(views, protocol="smtp", of="client")
    with pytest.raises(ValueError, match="direction"):
        DumpDecoder(views, protocol="hadoop", of="up")
    with pytest.raises(ValueError, match="protocol"):
        CaptureDecoder(views, protocol="smtp")
    decoder = DumpDecoder(views, protocol="hadoop", of="client")
    with pytest.raises(ValueError, match="side"):
        decoder.feed("nobody", b"")
    with pytest.raises(TypeError):
        decoder.feed("client", "text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        decoder.feed("client", None)  # type: ignore[arg-type]


def test_a_decoder_makes_only_the_tables_that_are_viewed() -> None:
    for table in ("messages", "calls", "streams"):
        reading = read_tables(WRITABLE, [View(table)])
        assert {name for name, _ in reading} == {table}
    assert list(read_tables(WRITABLE, [])) == []


def test_rows_in_order_are_the_same_rows() -> None:
    views = [View("messages"), View("calls"), View("streams")]
    for table in ("messages", "calls", "streams"):
        found = []
        for in_order in (False, True):
            reading = read_tables(WRITABLE, views, in_order=in_order)
            batches: list[RecordBatch] = [batch for name, batch in reading if name == table]
            found.append(b"".join(batch.to_jsonl() for batch in batches).splitlines())
        assert sorted(found[0]) == sorted(found[1])


def test_large_rows_in_order_come_in_batches_of_bounded_size() -> None:
    view = View("messages", columns=["offset", "fields"])
    decoder = DumpDecoder([view], protocol="hadoop", of="client", in_order=True)
    decoder.feed("client", wire.connection_header() + wire.context())
    call = wire.stat(0, "/" + "x" * 100_000)
    for _ in range(300):
        decoder.feed("client", call)
    decoder.finish()
    sizes, offsets = [], []
    while (batch := decoder.next_batch()) is not None:
        lines = batch[1].to_jsonl()
        sizes.append(len(lines))
        offsets += [parsed(line)["offset"] for line in lines.splitlines()]
    assert len(offsets) == 302
    assert offsets == sorted(offsets)
    assert max(sizes) < 2 << 20


def test_streams_are_numbered_from_where_they_shall_be() -> None:
    reading = read_tables(WRITABLE, [View("streams", columns=["stream"])], first_stream=7)
    numbers = [parsed(line)["stream"] for _, batch in reading for line in
               batch.to_jsonl().splitlines()]  # fmt: skip
    assert (sorted(numbers), reading.next_stream) == ([7, 8], 9)
