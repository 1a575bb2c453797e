"""The codec against Pravega's own classes: every command, and the streams of appends."""

import base64
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jvmwire._core import (
    PravegaAppendAssembler,
    PravegaBlockEncoder,
    PravegaDialect,
    PravegaEvents,
    PravegaEventSplitter,
)
from kit.pravega import WireOracle
from kit.pravega_values import optional, values
from kit.rows import Decoded, decode_dump
from kit.scale import seeded, times

TODAY = PravegaDialect.today()
# Of version 17, which the classes at hand do not have.
NEWER = {"LocateOffset", "OffsetLocated"}
# Java reads an event only within an append.
WITHIN = {"Event"}
COMMANDS = [name for _, name, _, _ in TODAY.commands() if name not in NEWER | WITHIN]
EXAMPLES = times(12)

WRITER = UUID(int=7)
OTHER = UUID(int=8 << 64)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    with WireOracle(tmp_path_factory.mktemp("wire")) as oracle:
        yield oracle


def examples(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Draw the same examples each time."""
    drawn: list[Any] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(value):
        drawn.append(value)

    draw()
    return drawn


def leaves(value: Any) -> Iterator[Any]:
    """Yield the leaves of a value, as the oracle prints them."""
    match value:
        case str():
            for at in range(0, len(units := value.encode("utf-16-be", "surrogatepass")), 2):
                yield int.from_bytes(units[at : at + 2], "big")
        case bytes():
            yield value.hex()
        case UUID():
            yield str(value)
        case dict():
            for one in value.values():
                yield from leaves(one)
        case list():
            for one in value:
                yield from leaves(one)
        case _:
            yield value


def told_leaves(value: Any) -> Iterator[Any]:
    """Yield the leaves of the oracle's output."""
    match value:
        case dict():
            for one in value.values():
                yield from told_leaves(one)
        case list():
            for one in value:
                yield from told_leaves(one)
        case _:
            yield value


def java_name(name: str) -> str:
    return re.sub("_(.)", lambda found: found[1].upper(), name)


def assert_told(given_fields: dict[str, Any], told: dict[str, Any]) -> None:
    """Check each field of Java's that has a name of jvmwire's, and the rest together."""
    ours = {java_name(name): value for name, value in given_fields.items()}
    common = ours.keys() & told.keys()
    for name in common:
        assert sorted(map(repr, leaves(ours[name]))) == sorted(map(repr, told_leaves(told[name])))
    mine = [leaf for name in ours.keys() - common for leaf in leaves(ours[name])]
    theirs = [leaf for name in told.keys() - common for leaf in told_leaves(told[name])]
    assert sorted(map(repr, mine)) == sorted(map(repr, theirs))


def decoded(frame: bytes) -> tuple[str | None, dict[str, Any]]:
    decoder = TODAY.decoder()
    decoder.feed(frame)
    received = decoder.next_command()
    assert received is not None
    assert decoder.buffered == 0
    return received[1:]


def test_each_command_is_read_and_written_as_java_does(oracle):
    cases = [
        (name, fields) for name in COMMANDS for fields in examples(values(TODAY, name), EXAMPLES)
    ]
    frames = [TODAY.encode(name, fields) for name, fields in cases]
    for (name, fields), frame, told in zip(cases, frames, oracle.tell(frames), strict=True):
        assert "refused" not in told, (name, fields, told)
        assert told["name"] == name
        assert_told(fields, told["fields"])
        # The data of a block is written by the channel, not by the command.
        again = TODAY.encode(name, fields | {"data": b""}) if name == "AppendBlock" else frame
        assert told["again"] == again.hex(), (name, fields)
        assert decoded(frame) == (name, fields)


def test_what_older_peers_leave_out_java_takes_for_its_defaults(oracle):
    cases = [
        (name, fields)
        for name in COMMANDS
        for left_out in range(1, optional(TODAY, name) + 1)
        for fields in examples(values(TODAY, name, left_out), 3)
    ]
    assert len({name for name, _ in cases}) > 20
    frames = [TODAY.encode(name, fields) for name, fields in cases]
    for (name, fields), frame, told in zip(cases, frames, oracle.tell(frames), strict=True):
        assert "refused" not in told, (name, fields, told)
        assert decoded(frame) == (name, fields)
        again, completed = decoded(bytes.fromhex(told["again"]))
        assert again == name
        assert completed.items() >= fields.items()
        for field in completed.keys() - fields.keys():
            assert completed[field] in (-1, 0, "", b"", [], False), (name, field)


def test_commands_that_are_cut_short_are_refused_by_both(oracle):
    random = seeded(9)
    frames = []
    for name in COMMANDS:
        for fields in examples(values(TODAY, name), 4):
            frame = TODAY.encode(name, fields)
            if len(frame) > 8:
                length = random.randrange(len(frame) - 8)
                frames.append(frame[:4] + length.to_bytes(4, "big") + frame[8 : 8 + length])
    for frame, told in zip(frames, oracle.tell(frames), strict=True):
        try:
            decoded(frame)
        except ValueError:
            assert "refused" in told, (frame.hex(), told)
        else:
            assert "refused" not in told, (frame.hex(), told)


def events_in(stored: bytes) -> list[bytes]:
    cutter = PravegaEventSplitter()
    events = cutter.feed_list(stored)
    assert cutter.buffered == 0
    return events


def test_blocks_that_a_java_client_writes_decode_to_its_events(oracle):
    random = seeded(3)
    wanted: dict[UUID, list[bytes]] = {WRITER: [], OTHER: []}
    asked: list[dict[str, Any]] = [{"do": "setup", "writer": str(writer)} for writer in wanted]
    for number in range(1, times(400)):
        writer = random.choice([WRITER, WRITER, OTHER])
        event = random.randbytes(random.choice([0, 1, 30, 150, 191, 192, 193, 400]))
        wanted[writer].append(event)
        asked.append({"do": "append", "writer": str(writer), "number": number, "data": event.hex()})
        if random.random() < 0.1:
            asked.append({"do": "keep alive", "writer": str(writer)})
    asked.append({"do": "keep alive", "writer": str(WRITER)})
    wire = oracle.encode(asked)
    decoder = TODAY.decoder()
    decoder.feed(wire)
    assembler = PravegaAppendAssembler()
    found: dict[UUID, list[bytes]] = {WRITER: [], OTHER: []}
    kinds = set()
    while (received := decoder.next_command()) is not None:
        _, name, fields = received
        kinds.add(name)
        if name == "AppendBlock":
            assembler.begin(fields["writer_id"], fields["data"])
            kinds.add("PartialEvent" if b"\xff\xff\xff\xfe" in fields["data"] else None)
            kinds.add("Padding" if b"\xff\xff\xff\xff" in fields["data"] else None)
        elif name == "AppendBlockEnd":
            stored = assembler.end(
                fields["writer_id"],
                fields["size_of_whole_events"],
                fields["data"],
                fields["num_events"],
            )
            found[fields["writer_id"]] += events_in(stored)
    assert {"AppendBlock", "AppendBlockEnd", "PartialEvent", "Padding"} <= kinds
    assert found == wanted
    captured = decode_dump(wire, protocol="pravega", cuts=range(1, len(wire), 61))
    assert captured.errors() == []
    assert events_by_writer(captured) == wanted


@pytest.mark.parametrize("size", [200, 8])
@pytest.mark.parametrize("writers", [[WRITER], [WRITER, OTHER]], ids=["alone", "two"])
def test_blocks_of_ours_are_those_of_a_java_client_byte_by_byte(oracle, size, writers):
    random = seeded(5)
    asked: list[dict[str, Any]] = [{"do": "setup", "writer": str(writer)} for writer in writers]
    setup = {"request_id": 7, "segment": "a/b/0", "delegation_token": ""}
    ours = b"".join(
        TODAY.encode("SetupAppend", setup | {"writer_id": writer}) for writer in writers
    )
    encoder = PravegaBlockEncoder(size)
    for number in range(1, times(400)):
        writer = random.choice(writers)
        event = random.randbytes(random.choice([0, 1, 30, 150, 191, 192, 193, 400, 3000]))
        asked.append({"do": "append", "writer": str(writer), "number": number, "data": event.hex()})
        ours += encoder.append(writer, 7, number, event)
        if random.random() < 0.1:
            asked.append({"do": "keep alive", "writer": str(writer)})
            ours += encoder.finish() + TODAY.encode("KeepAlive", {})
    asked.append({"do": "keep alive", "writer": str(WRITER)})
    ours += encoder.finish() + TODAY.encode("KeepAlive", {})
    assert ours == oracle.encode(asked, block=size)


def events_by_writer(captured: Decoded) -> dict[UUID, list[bytes]]:
    """Return the rows of events, by the writer of the append that contains them."""
    writers = {row["offset"]: row["fields"].get("writer_id") for row in captured.messages}
    found = defaultdict(list)
    for row in captured.messages:
        if row["name"] == "Event":
            data = base64.b64decode(row["fields"]["data"]["base64"])
            found[UUID(writers[row["parent"]])].append(data)
    return found


def test_appends_of_ours_are_what_a_java_server_makes_of_them(oracle):
    random = seeded(4)
    events = [random.randbytes(random.choice([0, 1, 30, 150, 400])) for _ in range(times(300))]
    waiting = PravegaEvents(1000, 3000)
    waiting.push_all(events)
    wire = TODAY.encode(
        "SetupAppend",
        {"request_id": 7, "writer_id": WRITER, "segment": "a/b/0", "delegation_token": ""},
    )
    last, counts = 0, []
    while waiting.unsent:
        blocks, count = waiting.next_blocks(WRITER, last, 7)
        last += count
        counts.append(count)
        wire += blocks
    appends = oracle.decode(wire)
    assert [event for it in appends for event in events_in(bytes.fromhex(it["data"]))] == events
    assert [it["number"] for it in appends] == list(accumulate(it["events"] for it in appends))
    assert appends[-1]["number"] == last == sum(counts) == len(events)
    assert len(appends) > len(counts) > 1


@pytest.mark.parametrize("tail", ["partial", "padding", "whole"])
def test_blocks_of_every_end_mean_the_same_to_a_java_server(oracle, tail):
    setup = {"request_id": 7, "writer_id": WRITER, "segment": "a/b/0", "delegation_token": ""}
    event = TODAY.encode("Event", {"data": b"whole"})
    torn = TODAY.encode("Event", {"data": b"torn in two"})
    data, end, stored = event, b"", event
    if tail == "partial":
        data, end = event + TODAY.encode("PartialEvent", {"data": torn[:10]}), torn[10:]
        stored = event + torn
    elif tail == "padding":
        data += TODAY.encode("Padding", {"length": 9})
    block_end = {
        "writer_id": WRITER,
        "size_of_whole_events": len(event),
        "data": end,
        "num_events": 2,
        "last_event_number": 2,
        "request_id": 7,
    }
    wire = (
        TODAY.encode("SetupAppend", setup)
        + TODAY.encode("AppendBlock", {"writer_id": WRITER, "data": data})
        + TODAY.encode("AppendBlockEnd", block_end)
    )
    [append] = oracle.decode(wire)
    assert bytes.fromhex(append["data"]) == stored
    assembler = PravegaAppendAssembler()
    assembler.begin(WRITER, data)
    assert assembler.end(WRITER, len(event), end, 2) == stored
