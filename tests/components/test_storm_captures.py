"""Storm's streams as rows: dumps of either side, of both, and recordings of a tap."""

import json
from collections import Counter
from pathlib import Path

import pytest

from jvmwire.capture import redaction_key
from kit.rows import Turn, capture, decode_capture, decode_dump
from kit.scale import seeded
from kit.storm_transcript import messages, recorded

RECORDINGS = Path(__file__).parents[1] / "vectors" / "storm" / "recordings"

SHAKE = b'{"pidDir":"/p","context":{"taskid":3},"conf":{"a.secret":"hidden"}}\nend\n'
BEAT = b'{"comp":null,"tuple":[],"task":-1,"stream":"__heartbeat","id":"1"}\nend\n'
FIRST = (
    '{"comp":"words","tuple":["wörd",1,18446744073709551616,NaN,null,true,{"a":[1]}],'
    '"task":4,"stream":"s","id":"-7"}\nend\n'
).encode()
SECOND = b'{"comp":"words","tuple":[],"task":4,"stream":"s","id":"8"}\nend\n'
THIRD = b'{"comp":"words","tuple":[],"task":4,"stream":"s","id":"9"}\nend\n'
EMIT = b'{"command":"emit","tuple":["out"],"anchors":["-7"],"need_task_ids":true}\nend\n'
TURNS: list[Turn] = [
    ("server", SHAKE),
    ("client", b'{"pid":42}\nend\n'),
    ("server", FIRST + BEAT + SECOND),
    ("client", EMIT + b'{"command":"log","msg":"said","level":2}\nend\n'),
    ("server", b"[5, 6]\nend\n" + THIRD),
    ("client", b'{"command":"sync"}\nend\n{"command":"ack","id":"-7"}\nend\n'),
    ("client", b'{"command":"fail","id":"8"}\nend\n'),
]
STORM = b"".join(data for side, data in TURNS if side == "server")
BOLT = b"".join(data for side, data in TURNS if side == "client")


def fields(decoded, name):
    return [row["fields"] for row in decoded.messages if row["name"] == name]


@pytest.mark.parametrize("both", ["dumps", "capture"])
def test_tuples_are_joined_to_what_became_of_them(both):
    if both == "dumps":
        decoded = decode_dump(BOLT, replies=STORM, protocol="storm")
    else:
        decoded = decode_capture(capture(*TURNS))
    assert decoded.errors() == []
    assert decoded.undecoded == []
    assert {row["protocol"] for row in decoded.messages} == {"storm"}
    assert sorted((row["name"], row["status"], row["target"]) for row in decoded.calls) == [
        ("emit", "ok", None),
        ("heartbeat", "ok", None),
        ("tuple", "error", "words/s"),
        ("tuple", "lost", "words/s"),
        ("tuple", "ok", "words/s"),
    ]
    values = ["wörd", 1, 18446744073709551616, "NaN", None, True, '{"a":[1]}']
    assert fields(decoded, "tuple")[0] == {
        "id": "-7",
        "comp": "words",
        "stream": "s",
        "task": 4,
        "tuple": values,
    }
    assert fields(decoded, "emit") == [{"anchors": ["-7"], "tuple": ["out"], "need_task_ids": True}]
    assert fields(decoded, "task_ids") == [{"task_ids": [5, 6]}]


@pytest.mark.parametrize("name", ["words", "doubler"])
def test_a_component_in_a_real_storm_was_recorded_whole(name):
    decoded = decode_capture((RECORDINGS / f"{name}-2.8.3.pcap").read_bytes())
    both = recorded(name)
    assert decoded.errors() == []
    assert {row["protocol"] for row in decoded.messages} == {"storm"}
    told = len(messages(both.client)) + len(messages(both.server))
    assert len(decoded.messages) == told
    asked = {"words": "next", "doubler": "tuple"}[name]
    answered = [row for row in decoded.calls if row["name"] == asked and row["status"] != "lost"]
    assert len(answered) > 50
    assert all(row["latency_us"] >= 0 for row in answered)
    dumped = decode_dump(both.client, replies=both.server, protocol="storm")
    assert Counter(dumped.names()) == Counter(decoded.names())
    assert outcomes(dumped) == outcomes(decoded)


def test_a_lone_surrogate_in_a_tuple_is_one_in_its_row():
    said = rb'{"comp":"w","tuple":["a\ud83d\t\u00e9\"\ud83d\ude00"],"task":4,"stream":"s","id":"1"}'
    [row] = decode_dump(said + b"\nend\n", side="server", protocol="storm").messages
    assert row["fields"]["tuple"] == ['a\ud83d\té"😀']


def test_a_whole_number_of_any_width_is_one_in_its_row_as_far_as_python_reads_it():
    whole = [str(10**n) for n in (1, 18, 19, 20, 4299)] + ["-" + "9" * 30]
    other = ["1" + "0" * 4300, "007x", "--5"]
    said = f'{{"comp":"w","tuple":[{",".join(whole + other)}],"task":4,"stream":"s","id":"1"}}'
    data = said.encode() + b"\nend\n"
    [row] = decode_dump(data, side="server", protocol="storm").messages
    assert row["fields"]["tuple"] == [*map(int, whole), *other]


def test_what_storm_numbers_is_told_by_its_id_and_the_rest_has_none():
    calls = decode_dump(BOLT, replies=STORM, protocol="storm").calls
    assert {(row["name"], row["id"]) for row in calls} == {
        ("emit", None),
        ("heartbeat", None),
        ("tuple", "-7"),
        ("tuple", "8"),
        ("tuple", "9"),
    }


def outcomes(decoded):
    return sorted((row["name"], row["id"], row["status"]) for row in decoded.calls)


def test_cutting_does_not_matter():
    whole = rows_and_calls(())
    random = seeded(7)
    for _ in range(50):
        cuts = sorted(random.choices(range(min(len(BOLT), len(STORM))), k=random.randint(1, 30)))
        assert rows_and_calls(cuts) == whole


def rows_and_calls(cuts):
    decoded = decode_dump(BOLT, replies=STORM, protocol="storm", cuts=cuts)
    # Rows are returned when complete: only each side's own order is fixed.
    return sorted(decoded.messages, key=lambda row: (row["side"], row["offset"])), outcomes(decoded)


def test_garbage_is_a_row_and_decoding_goes_on():
    garbage = b"Traceback (most recent call last):\n"
    at = BOLT.index(b'{"command":"log"')
    decoded = decode_dump(BOLT[:at] + garbage + BOLT[at:], protocol="storm")
    wrong = [row for row in decoded.messages if row["error"] is not None]
    assert wrong[0]["offset"] == at
    assert decoded.names()[-3:] == ["sync", "ack", "fail"]


def test_what_users_chose_is_redacted():
    decoded = decode_dump(BOLT, replies=STORM, protocol="storm", redact=redaction_key())
    told = json.dumps([row["fields"] for row in decoded.messages], ensure_ascii=False)
    for secret in ("wörd", "out", "said", "hidden", "a.secret", '"/p"'):
        assert secret not in told
