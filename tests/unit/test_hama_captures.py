"""Hama's streams as rows: dumps of either side, of both, and recordings of a tap."""

import json

import pytest

from jvmwire.capture import redaction_key
from kit.environment import ROOT
from kit.rows import Turn, capture, decode_capture, decode_dump
from kit.scale import seeded

SEED = ROOT / "tests" / "vectors" / "hama" / "seed"

TASK = (
    b"%0%=\n0\n%1%=\n4\nuser.name\nbob\na.key\na value\n%3%=\n%4%=\n"
    b"0\nfirst\nlocal:1\n2\nlocal:0\nlocal:1\n%11%=_SUCCESS\n1\n%4%=\n\x12%5%=\n"
)
CHILD = (
    "%ACK_0%=\n%ACK_3%=\n%6%=\n%13%=\n1\n%12%=\n%31%=a=b é\n%10%=\nlocal:0\nhi\n%11%=\n%9%=\n%8%=\n"
    "%7%=\nk\nv\n%17%=\n%18%=\n%ACK_4%=\n%ACK_5%=\n%22%=\n%21%=\n"
).encode()
TURNS: list[Turn] = [
    ("server", TASK[: TASK.index(b"%3%=")]),
    ("client", b"%ACK_0%=\n"),
    ("server", b"%3%=\n"),
    ("client", b"%ACK_3%=\n"),
    ("server", b"%4%=\n"),
    ("client", CHILD[CHILD.index(b"%6%=") : CHILD.index(b"%ACK_4%=")]),
    ("server", TASK[TASK.index(b"0\nfirst") : TASK.index(b"%5%=")]),
    ("client", b"%ACK_4%=\n"),
    ("server", b"%5%=\n"),
    ("client", b"%ACK_5%=\n%22%=\n%21%=\n"),
]


def fields(decoded, name):
    return [row["fields"] for row in decoded.messages if row["name"] == name]


def test_the_documents_dialogue_has_a_row_a_message():
    task = decode_dump((SEED / "task.txt").read_bytes(), "server", protocol="hama")
    assert task.names() == ["START", "SET_BSPJOB_CONF", "RUN_SETUP", "RUN_BSP", "RUN_CLEANUP"]
    assert fields(task, "SET_BSPJOB_CONF") == [
        {"count": 2, "configuration": [{"key": "hama.bsp.child.opts", "value": "-Xmx512m"}]}
    ]
    child = decode_dump((SEED / "child.txt").read_bytes(), "client", protocol="hama")
    assert child.names() == ["ACK"] * 4 + ["TASK_DONE", "DONE"]
    assert fields(child, "ACK") == [
        {"operation": name} for name in ("START", "RUN_SETUP", "RUN_BSP", "RUN_CLEANUP")
    ]


@pytest.mark.parametrize("both", ["dumps", "capture"])
def test_answers_are_joined_to_what_was_asked(both):
    if both == "dumps":
        decoded = decode_dump(CHILD, replies=TASK, protocol="hama")
    else:
        decoded = decode_capture(capture(*TURNS))
    assert decoded.errors() == []
    assert decoded.undecoded == []
    assert {row["protocol"] for row in decoded.messages} == {"hama"}
    assert [(row["name"], row["status"], row["target"]) for row in decoded.calls] == [
        ("READ_KEYVALUE", "ok", None),
        ("GET_PEERNAME", "ok", "1"),
        ("GET_ALL_PEERNAME", "ok", None),
        ("SYNC", "ok", None),
        ("GET_MSG_COUNT", "ok", None),
        ("GET_MSG", "ok", None),
        ("CLEAR", "ok", None),
    ]
    assert {row["user"] for row in decoded.calls} == {"bob"}
    # A message that looks like an operation is a message: the child had requested one.
    assert fields(decoded, "REPLY") == [
        {"operation": "READ_KEYVALUE", "key": "0", "value": "first"},
        {"operation": "GET_PEERNAME", "peer_name": "local:1"},
        {"operation": "GET_ALL_PEERNAME", "count": 2, "peer_names": ["local:0", "local:1"]},
        {"operation": "GET_MSG_COUNT", "value": 1},
        {"operation": "GET_MSG", "message": "%4%="},
    ]
    assert fields(decoded, "LOG") == [{"text": "a=b é"}]
    assert fields(decoded, "SEND_MSG") == [{"peer_name": "local:0", "message": "hi"}]


def test_cutting_does_not_matter():
    whole = rows_and_calls(())
    random = seeded(7)
    for _ in range(50):
        cuts = sorted(random.choices(range(min(len(CHILD), len(TASK))), k=random.randint(1, 30)))
        assert rows_and_calls(cuts) == whole


def rows_and_calls(cuts):
    decoded = decode_dump(CHILD, replies=TASK, protocol="hama", cuts=cuts)
    # Rows are returned when complete: only each side's own order is fixed.
    return sorted(decoded.messages, key=lambda row: (row["side"], row["offset"])), decoded.calls


def test_garbage_is_a_row_and_decoding_goes_on():
    garbage = b"Traceback (most recent call last):\n  File x\n"
    at = CHILD.index(b"%31%=")
    decoded = decode_dump(CHILD[:at] + garbage + CHILD[at:], protocol="hama")
    wrong = [row for row in decoded.messages if row["error"] is not None]
    assert [(row["offset"], row["length"]) for row in wrong] == [(at, len(garbage))]
    assert decoded.names().count("LOG") == 1


def test_what_users_chose_is_redacted():
    decoded = decode_dump(CHILD, replies=TASK, protocol="hama", redact=redaction_key())
    told = json.dumps([row["fields"] for row in decoded.messages])
    for secret in ("first", "a value", "a=b", 'hi"', "bob"):
        assert secret not in told


def test_a_child_of_a_real_hama_was_recorded_whole():
    recording = ROOT / "tests" / "vectors" / "hama" / "recordings" / "copy-0.7.1.pcap"
    decoded = decode_capture(recording.read_bytes())
    assert decoded.errors() == []
    assert {row["protocol"] for row in decoded.messages} == {"hama"}
    written = [row["value"] for row in fields(decoded, "WRITE_KEYVALUE")]
    assert written == [f"line {number}" for number in range(30)]
    assert {row["status"] for row in decoded.calls} == {"ok"}
    (configuration,) = fields(decoded, "SET_BSPJOB_CONF")
    assert len(configuration["configuration"]) > 500
