"""A recorded member and its client: every byte is in a row, every call has its reply."""

import json
from collections import Counter
from pathlib import Path

from kit.captures import VECTORS, decoded
from kit.corrupt_captures import read_packets, shuffled, write_packets

RECORDING = VECTORS / "hazelcast" / "recordings" / "member-3.12.13.pcap"


def test_every_message_is_decoded_and_the_rows_cover_both_directions():
    rows = decoded(RECORDING, "messages").to_pylist()
    assert {row["protocol"] for row in rows} == {"hazelcast"}
    assert {row["error"] for row in rows} == {None}
    for side in ("client", "server"):
        offset = 0
        for row in rows:
            if row["side"] == side:
                assert row["offset"] == offset
                offset += row["length"]
    names = Counter(row["name"] for row in rows)
    assert names["Preamble"] == names["Client.authentication"] == 1
    assert names["Event.MemberList"] == 1
    assert names["Event.Entry"] > 30
    assert names["Fragment"] == 0


def test_every_call_is_joined_with_its_answer():
    calls = decoded(RECORDING, "calls").to_pylist()
    assert {call["status"] for call in calls} == {"ok", "error"}
    [refused] = [call for call in calls if call["status"] == "error"]
    assert (refused["name"], refused["target"]) == ("Lock.unlock", "lock")
    assert refused["error_class"] == "java.lang.IllegalMonitorStateException"
    assert {call["user"] for call in calls} == {"dev"}
    long = [call for call in calls if call["name"] == "Map.put"][-1]
    assert long["request_bytes"] > 3000
    assert long["target"] == "map"


def test_an_answer_that_was_captured_before_its_call_is_joined_with_it(tmp_path: Path):
    header, packets = read_packets(RECORDING)
    variant = write_packets(tmp_path / "variant.pcap", header, shuffled(packets, 1))
    joined = ["id", "name", "request_offset", "reply_offset", "status", "error_class"]
    calls, before = (
        decoded(path, "calls").sort_by("request_offset") for path in (variant, RECORDING)
    )
    assert calls.select(joined).equals(before.select(joined))
    # Their durations are not known from any clock.
    assert calls["latency_us"].to_pylist().count(0) > 10


def test_fields_are_told_by_their_names_and_no_password_is():
    rows = decoded(RECORDING, "messages", columns=["name", "kind", "fields"]).to_pylist()
    fields = {row["name"]: json.loads(row["fields"]) for row in rows}
    told = fields["Client.authentication"]
    assert (told["username"], told["password"]) == ("dev", "(hidden)")
    assert (told["client_name"], told["labels"]) == ("recorded", ["label"])
    assert told["header"]["partition_id"] == -1
    assert fields["Map.put"]["name"] == "map"
    assert set(fields["Map.put"]["key"]) == {"base64"}
    assert fields["Response.Exception"]["error_code"] == 28
    assert {row["kind"] for row in rows} == {"request", "reply", "event", "control"}
