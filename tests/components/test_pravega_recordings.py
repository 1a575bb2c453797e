"""Recordings and dumps of Pravega: every byte is in a message, every request has its reply."""

import asyncio
import base64
import operator
from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from jvmwire._core import PravegaDialect
from jvmwire.pravega.early import AsyncEarlyClient, EarlyOptions, EarlyServer
from jvmwire.transports import Recorder, Tap, Tcp
from kit.captures import VECTORS
from kit.command import decode, jvmwire
from kit.corrupt_captures import read_packets, shuffled, write_packets
from kit.pravega_scenario import EVENTS, MERGED, SEGMENT
from kit.rows import Turn, capture, covered, decode_capture, decode_dump

RECORDING = VECTORS / "pravega" / "recordings" / "segmentstore-0.13.0.pcap"
EARLY = PravegaDialect.early()
TODAY = PravegaDialect.today()
CONNECTION = UUID(int=7)
OTHER = UUID(int=8)
REQUESTS = {"SetupAppend", "EndAppendBlock", "ReadSegment"}
"""Requests of the first protocol that get a reply."""


@pytest.fixture(scope="module")
def recorded():
    return decode_capture(RECORDING.read_bytes())


def test_the_content_tells_that_it_is_pravega(recorded):
    assert {row["protocol"] for row in recorded.messages} == {"pravega"}
    assert recorded.errors() == []
    assert recorded.undecoded == []


def test_rows_cover_both_directions(recorded):
    for ranges in covered(recorded).values():
        ends = 0
        for start, end in ranges:
            assert start == ends
            ends = end


def test_each_request_but_the_hello_is_a_call_that_was_answered(recorded):
    requests = [row for row in recorded.messages if row["kind"] == "request"]
    assert len(recorded.calls) == len(requests)
    assert all(call["reply_offset"] is not None for call in recorded.calls)
    refused = Counter(call["error_class"] for call in recorded.calls if call["status"] == "error")
    assert refused == {
        "SegmentAlreadyExists": 1,
        "ConditionalCheckFailed": 1,
        "NoSuchSegment": 2,
    }
    by_name = Counter(call["name"] for call in recorded.calls)
    assert by_name["CreateSegment"] == 3
    assert by_name["ConditionalAppend"] == 1
    assert by_name["AppendBlockEnd"] >= 3
    targets = {
        name: [call["target"] for call in recorded.calls if call["name"] == name]
        for name in ("ReadSegment", "AppendBlockEnd", "ConditionalAppend")
    }
    assert set(targets["ReadSegment"]) == {SEGMENT}
    # An append does not name its segment; its writer's setup did.
    assert targets["AppendBlockEnd"] == [SEGMENT, SEGMENT, MERGED]
    assert targets["ConditionalAppend"] == [SEGMENT]


def test_what_was_appended_is_in_the_appends(recorded):
    appended = [row["fields"] for row in recorded.messages if row["name"] == "AppendBlockEnd"]
    data = b"".join(base64.b64decode(fields["data"]["base64"]) for fields in appended)
    assert all(event in data for event in EVENTS)
    assert sum(fields["num_events"] for fields in appended) == len(EVENTS) + 1
    of = {row["offset"]: row["name"] for row in recorded.messages if row["side"] == "client"}
    rows = [row for row in recorded.messages if row["name"] == "Event"]
    told = [base64.b64decode(row["fields"]["data"]["base64"]) for row in rows]
    assert sorted(told) == sorted([*EVENTS, b"of another writer"])
    assert {of[row["parent"]] for row in rows} == {"AppendBlockEnd"}


def test_bytes_of_a_byte_stream_are_no_events_and_no_error():
    end = {
        "writer_id": CONNECTION,
        "size_of_whole_events": 5,
        "data": b"bytes",
        "num_events": 1,
        "last_event_number": 1,
        "request_id": 7,
    }
    decoded = decode_dump(TODAY.encode("AppendBlockEnd", end), protocol="pravega")
    assert (decoded.names(), decoded.errors()) == (["AppendBlockEnd"], [])


def test_an_event_whose_end_does_not_come_is_a_row_that_says_so():
    torn = TODAY.encode("Event", {"data": b"torn in two"})
    data = TODAY.encode("PartialEvent", {"data": torn[:10]})
    end = {
        "writer_id": CONNECTION,
        "size_of_whole_events": 0,
        "data": torn[10:12],
        "num_events": 1,
        "last_event_number": 1,
        "request_id": 7,
    }
    wire = TODAY.encode("AppendBlock", {"writer_id": CONNECTION, "data": data})
    decoded = decode_dump(wire + TODAY.encode("AppendBlockEnd", end), protocol="pravega")
    assert decoded.names() == ["AppendBlock", "AppendBlockEnd", None]
    assert decoded.errors() == ["the stream ends inside a message"]


def test_cutting_a_recording_changes_no_row(recorded):
    content = RECORDING.read_bytes()
    again = decode_capture(content, cuts=range(1, len(content), 997))
    assert again == recorded


def test_replies_that_were_captured_before_their_requests_are_joined_with_them(tmp_path, recorded):
    header, packets = read_packets(RECORDING)
    variant = write_packets(tmp_path / "variant.pcap", header, shuffled(packets, 1))
    calls = decode_capture(variant.read_bytes()).calls
    joined = operator.itemgetter("request_offset", "name", "reply_offset", "status", "error_class")
    assert sorted(map(joined, calls)) == sorted(map(joined, recorded.calls))
    # Their durations are not known from any clock.
    assert [call["latency_us"] for call in calls].count(0) > 5


def appends_of_today(numbers: range) -> tuple[bytes, bytes]:
    """Return the bytes of a client and a store for appends of so many numbers, one event each."""
    setup = {"request_id": 7, "segment": "s", "writer_id": CONNECTION}
    client = TODAY.encode("SetupAppend", setup | {"delegation_token": ""})
    server = TODAY.encode("AppendSetup", setup | {"last_event_number": 0})
    for number in numbers:
        end = {"size_of_whole_events": 108, "data": TODAY.encode("Event", {"data": bytes(100)})}
        about = {"writer_id": CONNECTION, "num_events": 1, "request_id": 7}
        client += TODAY.encode("AppendBlockEnd", end | about | {"last_event_number": number})
        acknowledged = {"writer_id": CONNECTION, "event_number": number, "request_id": 7}
        before = {"previous_event_number": number - 1, "current_segment_write_offset": -1}
        server += TODAY.encode("DataAppended", acknowledged | before)
    return client, server


def appends_at_first(numbers: range) -> tuple[bytes, bytes]:
    """Return the same for the first protocol, and reads of the bytes."""
    setup = {"connection_id": CONNECTION, "segment": "s"}
    client = early("SetupAppend", **setup)
    server = early("AppendSetup", **setup, connection_offset_ack_level=0)
    for number in numbers:
        place = {"connection_id": CONNECTION, "connection_offset": 100 * (number - 1)}
        client += early("BeginAppendBlock", **place, length=100)
        client += early("Event", data=bytes(100))
        client += early("EndAppendBlock", **place, block_length=100)
        level = {"connection_id": CONNECTION, "connection_offset_ack_level": 100 * number}
        server += early("DataAppended", **level)
        read = {"segment": "s", "offset": 100 * (number - 1)}
        client += early("ReadSegment", **read, suggested_length=100)
        server += early("SegmentRead", **read, at_tail=True, end_of_segment=False, data=bytes(9))
    return client, server


@pytest.mark.parametrize("appends", [appends_of_today, appends_at_first])
def test_replies_of_a_dump_wait_for_their_requests(appends):
    client, server = appends(range(1, 200))
    protocol = "pravega" if appends is appends_of_today else "pravega-early"
    told = {}
    # All replies come with the first of the requests, or each after its request.
    for cuts in [len(server)], range(1, len(client), 50):
        decoded = decode_dump(client, replies=server, protocol=protocol, cuts=cuts)
        assert decoded.errors() == []
        told[type(cuts)] = [
            (call["name"], call["request_offset"], call["reply_offset"], call["status"])
            for call in sorted(decoded.calls, key=operator.itemgetter("request_offset"))
        ]
    assert told[list] == told[range]
    assert {status for *_, status in told[list]} == {"ok"}


def test_early_replies_that_were_captured_before_their_requests_are_joined_with_them():
    pairs = list(appends_at_first(range(1, 2)))
    asked, answered = (decode_dump(said, protocol="pravega-early") for said in pairs)
    turns: list[Turn] = []
    for request, reply in zip(
        (row for row in asked.messages if row["name"] in REQUESTS), answered.messages, strict=True
    ):
        end = request["offset"] + request["length"]
        said = sum(len(turn) for side, turn in turns if side == "client")
        place = slice(reply["offset"], reply["offset"] + reply["length"])
        turns += [("server", pairs[1][place]), ("client", pairs[0][said:end])]
    decoded = decode_capture(capture(*turns), protocol="pravega-early")
    assert decoded.errors() == []
    assert [(call["name"], call["status"], call["latency_us"]) for call in decoded.calls] == [
        ("SetupAppend", "ok", 0),
        ("EndAppendBlock", "ok", 0),
        ("ReadSegment", "ok", 0),
    ]


def test_pieces_of_an_early_read_may_be_captured_before_it():
    piece = {"segment": "s", "at_tail": False, "end_of_segment": False}
    decoded = decode_capture(
        capture(
            ("server", early("SegmentRead", **piece, offset=0, data=bytes(60))),
            ("client", early("ReadSegment", segment="s", offset=0, suggested_length=100)),
            ("server", early("SegmentRead", **piece, offset=60, data=bytes(40))),
            # An empty reply cannot be assigned to a request.
            ("server", early("SegmentRead", **piece | {"at_tail": True}, offset=100, data=b"")),
            ("client", early("ReadSegment", segment="s", offset=100, suggested_length=100)),
        ),
        protocol="pravega-early",
    )
    assert [(call["status"], call["latency_us"]) for call in decoded.calls] == [
        ("ok", 1),
        ("lost", None),
    ]


def test_a_dump_decodes_without_its_beginning():
    request = {"request_id": 5, "segment": "a/b/0", "delegation_token": ""}
    wire = b"".join(TODAY.encode("SealSegment", request | {"request_id": n}) for n in range(5))
    decoded = decode_dump(b"\0\0\1" + wire[3:], "client", protocol="pravega")
    assert decoded.names() == [None, *["SealSegment"] * 4]
    assert [row["id"] for row in decoded.messages[1:]] == ["1", "2", "3", "4"]


def early(name: str, **fields: Any) -> bytes:
    return EARLY.encode(name, fields)


def test_an_early_conversation_decodes_with_its_calls():
    event = early("Event", data=b"torn in two")
    client = [
        early("SetupAppend", connection_id=CONNECTION, segment="s"),
        early("BeginAppendBlock", connection_id=CONNECTION, connection_offset=0, length=100),
        early("Event", data=b"whole"),
        early("PartialMessage", part="Begin", data=event[:9]),
        early("EndAppendBlock", connection_id=CONNECTION, connection_offset=0, block_length=16),
        early("PartialMessage", part="End", data=event[9:]),
        early("KeepAlive", data=b"any"),
        early("ReadSegment", segment="s", offset=5, suggested_length=100),
        early("SetupAppend", connection_id=OTHER, segment="s"),
    ]
    server = [
        early("AppendSetup", segment="s", connection_id=CONNECTION, connection_offset_ack_level=0),
        early("DataAppended", connection_id=CONNECTION, connection_offset_ack_level=16),
        early("SegmentRead", segment="s", offset=5, at_tail=True, end_of_segment=False, data=b"x"),
    ]
    decoded = decode_dump(b"".join(client), replies=b"".join(server), protocol="pravega-early")
    assert decoded.errors() == []
    assert decoded.names("client") == [
        "SetupAppend",
        "BeginAppendBlock",
        "Event",
        "PartialMessage",
        "EndAppendBlock",
        "PartialMessage",
        "Event",
        "KeepAlive",
        "ReadSegment",
        "SetupAppend",
    ]
    answered = {(call["name"], call["status"]) for call in decoded.calls}
    assert answered == {
        ("SetupAppend", "ok"),
        ("EndAppendBlock", "ok"),
        ("ReadSegment", "ok"),
        ("SetupAppend", "lost"),
    }
    [read] = [row["fields"] for row in decoded.messages if row["name"] == "SegmentRead"]
    assert (read["at_tail"], read["end_of_segment"]) == (True, False)
    [piece, _] = [row["offset"] for row in decoded.messages if row["name"] == "PartialMessage"]
    assembled = [row for row in decoded.messages if row["parent"] is not None]
    [(parent, offset, length)] = [(it["parent"], it["offset"], it["length"]) for it in assembled]
    assert (parent, offset, length) == (piece, piece + 8 + 1, len(event))
    assert assembled[0]["fields"] == {"data": {"base64": base64.b64encode(b"torn in two").decode()}}


def test_pieces_that_make_no_message_are_rows_that_say_so():
    event = early("Event", data=b"torn")
    inner = early("PartialMessage", part="Begin", data=b"")
    client = [
        early("PartialMessage", part="End", data=b"of nothing"),
        early("PartialMessage", part="Begin", data=event[:5]),
        early("PartialMessage", part="Begin", data=event[:9]),
        early("PartialMessage", part="Middle", data=event[9:10]),
        early("PartialMessage", part="End", data=event[10:]),
        early("PartialMessage", part="Begin", data=inner),
        early("PartialMessage", part="End", data=b""),
        early("KeepAlive", data=b""),
    ]
    decoded = decode_dump(b"".join(client), protocol="pravega-early")
    assert decoded.names()[-1] == "KeepAlive"
    assert decoded.errors() == [
        "part at offset 8: 2 is not the first piece of a message",
        "part at offset 8: 0 is not the next piece of a message",
        "the stream ends inside a message",
        "not what the protocol allows: type at offset 0: "
        "0 is not a message that is no piece of another",
    ]
    whole = decode_dump(b"".join(client), protocol="pravega-early", cuts=range(1, 90, 7))
    assert whole.messages == decoded.messages


def test_an_early_read_ends_with_its_last_piece_and_is_known_by_its_range():
    reads = [(0, 100), (200, 50), (0, 10)]
    client = [
        early("ReadSegment", segment="s", offset=offset, suggested_length=length)
        for offset, length in reads
    ]
    server = [
        early("SegmentRead", segment="s", offset=at, data=data, at_tail=tail, end_of_segment=False)
        for at, data, tail in [
            (0, bytes(60), False),
            (220, bytes(30), False),  # the bytes before were not captured
            (60, bytes(40), False),
            (0, b"", True),
        ]
    ]
    decoded = decode_dump(b"".join(client), replies=b"".join(server), protocol="pravega-early")
    offsets = [sum(map(len, server[:number])) for number in range(4)]
    answered = {call["request_offset"]: call["reply_offset"] for call in decoded.calls}
    length = len(client[0])
    assert answered == {0: offsets[2], length: offsets[1], 2 * length: offsets[3]}


def test_types_of_other_numbers_decode_by_a_file_of_them(tmp_path):
    dialect = PravegaDialect.early({"KeepAlive": 70, "Event": 1})
    (tmp_path / "dump").write_bytes(dialect.encode("KeepAlive", {"data": b"x"}))
    types = tmp_path / "types.toml"
    types.write_text("KeepAlive = 70\nEvent = 1\n")
    told = ("--protocol", "pravega-early", "--types", types, "--side", "client", tmp_path / "dump")
    assert [row["name"] for row in decode(*told).rows] == ["KeepAlive"]
    for text, why in [
        ("KeepAlive = 3", "3 is the type of more than one message"),
        ("Hello = 3", "there is no early message"),
        ("KeepAlive", "types.toml"),
    ]:
        types.write_text(text)
        assert why in jvmwire("decode", *told, status=2).stderr
    types.write_text("KeepAlive = 70")
    today = ("--protocol", "pravega", "--types", types, tmp_path / "dump")
    assert "--types is for" in jvmwire("decode", *today, status=2).stderr


def test_what_an_early_client_said_to_its_server_is_calls_of_a_capture(tmp_path):
    numbers = {"Event": 70, "SegmentRead": 71}
    types, recording = tmp_path / "types.toml", tmp_path / "early.pcap"
    types.write_text("".join(f"{name} = {code}\n" for name, code in numbers.items()))
    dialect = PravegaDialect.early(numbers)

    async def converse() -> None:
        async with EarlyServer(dialect) as server:
            with recording.open("wb") as file:
                endpoint = Tap(Tcp("127.0.0.1", await server.start()), Recorder(file))
                async with AsyncEarlyClient(endpoint, EarlyOptions(dialect=dialect)) as client:
                    one, other = client.appender("s"), client.appender("t")
                    for _ in range(3):
                        await asyncio.gather(one.append([b"12345"]), other.append([b"123"]))
                    assert (await client.read("s", 5)).data == b"1234512345"

    asyncio.run(converse())
    told = ("--protocol", "pravega-early", "--types", types, "--table", "calls", recording)
    calls = Counter((row["name"], row["target"], row["status"]) for row in decode(*told).rows)
    assert calls == {
        ("SetupAppend", "s", "ok"): 1,
        ("SetupAppend", "t", "ok"): 1,
        ("EndAppendBlock", "s", "ok"): 3,
        ("EndAppendBlock", "t", "ok"): 3,
        ("ReadSegment", "s", "ok"): 1,
    }


def test_an_early_type_that_is_not_known_is_a_row_and_the_next_message_follows():
    wire = b"\0\0\0\x63\0\0\0\2??" + early("KeepAlive", data=b"")
    decoded = decode_dump(wire, "any", protocol="pravega-early")
    assert decoded.names() == ["unknown", "KeepAlive"]
    assert decoded.errors() == ["type at offset 0: its layout is not known"]
