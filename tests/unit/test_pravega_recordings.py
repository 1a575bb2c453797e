"""Recordings and dumps of Pravega: every byte is a message, every request has its reply."""

import base64
from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from jvmwire._core import PravegaDialect
from kit.captures import VECTORS
from kit.pravega_scenario import EVENTS, SEGMENT
from kit.rows import covered, decode_capture, decode_dump

RECORDING = VECTORS / "pravega" / "recordings" / "segmentstore-0.13.0.pcap"
EARLY = PravegaDialect.early()
TODAY = PravegaDialect.today()
CONNECTION = UUID(int=7)
OTHER = UUID(int=8)


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
    assert {call["target"] for call in recorded.calls if call["name"] == "ReadSegment"} == {SEGMENT}


def test_what_was_appended_is_in_the_appends(recorded):
    appended = [row["fields"] for row in recorded.messages if row["name"] == "AppendBlockEnd"]
    data = b"".join(base64.b64decode(fields["data"]["base64"]) for fields in appended)
    assert all(event in data for event in EVENTS)
    assert sum(fields["num_events"] for fields in appended) == len(EVENTS) + 1


def test_cutting_a_recording_changes_no_row(recorded):
    content = RECORDING.read_bytes()
    again = decode_capture(content, cuts=range(1, len(content), 997))
    assert again == recorded


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


def test_an_early_type_that_is_not_known_is_a_row_and_the_next_message_follows():
    wire = b"\0\0\0\x63\0\0\0\2??" + early("KeepAlive", data=b"")
    decoded = decode_dump(wire, "any", protocol="pravega-early")
    assert decoded.names() == ["unknown", "KeepAlive"]
    assert decoded.errors() == ["type at offset 0: its layout is not known"]
