"""The hex dumps of "Hadoop RPC walkthrough": each annotated value, next to its bytes."""

import re
from itertools import pairwise

import pytest

from kit.captures import SEED
from kit.rows import Row, decode_dump, explain_dump

CALL = (SEED / "client-call.bin").read_bytes()
PING = (SEED / "ping.bin").read_bytes()
REPLY = (SEED / "reply.bin").read_bytes()

# The document's own dump of the client's bytes, with its comments.
ANNOTATED_CALL = """
//h   r     p     c
0x68, 0x72, 0x70, 0x63,
// version, service class, AuthProtocol
0x09, 0x00, 0x00,
// size of next two size delimited protobuf objets:
// RpcRequestHeader and IpcConnectionContext
0x00, 0x00, 0x00, 0x32, // = 50
// varint encoding of RpcRequestHeader length
0x1e, // = 30
0x08, 0x02, 0x10, 0x00, 0x18, 0xfd, 0xff, 0xff, 0xff, 0x0f,
0x22, 0x10, 0x87, 0xeb, 0x86, 0xd4, 0x9c, 0x95, 0x4c, 0x15,
0x8a, 0xb0, 0xd7, 0xbc, 0x2e, 0xca, 0xca, 0x37, 0x28, 0x01,
// varint encoding of IpcConnectionContext length
0x12, // = 18
0x12, 0x0a, 0x0a, 0x08, 0x65, 0x6c, 0x65, 0x69, 0x62, 0x6f,
0x76, 0x69, 0x1a, 0x04, 0x70, 0x69, 0x6e, 0x67,
// Size of size delimited
// RpcRequestHeader + RpcRequest protobuf objects
0x00, 0x00, 0x00, 0x3f, // = 63
// varint size of RpcRequest Header
0x1a, // = 26
0x08, 0x01, 0x10, 0x00, 0x18, 0x00, 0x22, 0x10, 0x87, 0xeb,
0x86, 0xd4, 0x9c, 0x95, 0x4c, 0x15, 0x8a, 0xb0, 0xd7, 0xbc,
0x2e, 0xca, 0xca, 0x37, 0x28, 0x00,
// RPC Request writable. It's not size delimited
// long - RPC version
0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, // = 2
// utf8 string - protocol name
0x00, 0x04, // string legnth = 4
// p     i     n     g
0x70, 0x69, 0x6e, 0x67,
// utf8 string - method name
0x00, 0x04, // string legnth = 4
// p     i     n     g
0x70, 0x69, 0x6e, 0x67,
// long - client version
0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, // = 1
// int - client method hash
0xa0, 0xbd, 0x17, 0xcc,
// int - parameter class length
0x00, 0x00, 0x00, 0x00,
"""
ANNOTATED_REPLY = """
// size of entire request
0x00, 0x00, 0x00, 0x33,
// varint size of RpcResponseHeader
0x1a, // 16 + 10 = 26
0x08, 0x00, 0x10, 0x00, 0x18, 0x09, 0x3a, 0x10, 0x9b, 0x19,
0x9b, 0x41, 0x4d, 0x86, 0x42, 0xd7, 0x94, 0x79, 0x3f, 0x4b,
0x16, 0xa0, 0x22, 0x7c, 0x40, 0x00,
// Writable response
// short - length of declared class
0x00, 0x10,
// j     a     v     a     .     l     a     n     g     .
0x6a, 0x61, 0x76, 0x61, 0x2e, 0x6c, 0x61, 0x6e, 0x67, 0x2e,
// S     t     r     i     n     g
0x53, 0x74, 0x72, 0x69, 0x6e, 0x67,
// short - length of value
0x00, 0x04,
// p     o     n     g
0x70, 0x6f, 0x6e, 0x67,
"""
ANNOTATED_PING = """
// ping request
0xff, 0xff, 0xff, 0xff,
"""


def test_the_connection_header_says_version_nine_and_no_authentication() -> None:
    header = _rows(CALL)[0]
    assert (header["name"], header["kind"], header["id"]) == ("ConnectionHeader", "control", None)
    assert (header["offset"], header["length"]) == (0, 7)
    assert header["fields"] == {"version": 9, "service_class": 0, "auth_protocol": "NONE"}


def test_the_connection_context_names_the_user_and_the_protocol() -> None:
    context = _rows(CALL)[1]
    told = (context["name"], context["kind"], context["id"])
    assert told == ("ConnectionContext", "control", "-3")
    assert (context["offset"], context["length"]) == (7, 4 + 50)
    assert context["fields"] == {
        "rpc_kind": "RPC_PROTOCOL_BUFFER",
        "rpc_op": "RPC_FINAL_PACKET",
        "call_id": -3,
        "client_id": "87eb86d4-9c95-4c15-8ab0-d7bc2ecaca37",
        "retry_count": -1,
        "user_info": {"effective_user": "eleibovi"},
        "protocol": "ping",
    }


def test_the_call_is_ping_of_ping_without_parameters() -> None:
    call = _rows(CALL)[2]
    assert (call["name"], call["kind"], call["id"]) == ("Call", "request", "0")
    assert (call["offset"], call["length"]) == (61, 4 + 63)
    assert call["fields"] == {
        "rpc_kind": "RPC_WRITABLE",
        "rpc_op": "RPC_FINAL_PACKET",
        "call_id": 0,
        "client_id": "87eb86d4-9c95-4c15-8ab0-d7bc2ecaca37",
        "retry_count": 0,
        "rpc_version": 2,
        "protocol": "ping",
        "method": "ping",
        "client_version": 1,
        "client_methods_hash": 0xA0BD17CC - (1 << 32),
        "parameters": [],
    }


def test_four_bytes_of_ones_are_a_ping() -> None:
    [ping] = _rows(PING)
    assert (ping["name"], ping["kind"], ping["side"]) == ("Ping", "control", "client")
    assert (ping["offset"], ping["length"], ping["fields"]) == (0, 4, {})


def test_the_reply_is_the_string_pong() -> None:
    [reply] = _rows(REPLY, "server")
    assert (reply["name"], reply["kind"], reply["id"]) == ("Reply", "reply", "0")
    assert (reply["offset"], reply["length"]) == (0, 55)
    assert reply["fields"] == {
        "call_id": 0,
        "status": "SUCCESS",
        "server_ipc_version_num": 9,
        "client_id": "9b199b41-4d86-42d7-9479-3f4b16a0227c",
        "retry_count": 0,
        "response": {"class": "java.lang.String", "value": "pong"},
    }


def test_a_ping_after_the_call_is_one_more_message() -> None:
    decoded = decode_dump(CALL + PING + PING)
    assert decoded.names() == ["ConnectionHeader", "ConnectionContext", "Call", "Ping", "Ping"]
    assert decoded.errors() == []


@pytest.mark.parametrize(
    ("dump", "side"),
    [(CALL, "client"), (PING, "client"), (REPLY, "server")],
    ids=["call", "ping", "reply"],
)
def test_each_message_judged_by_itself_is_the_same(dump: bytes, side: str) -> None:
    assert _rows(dump, "any") == _rows(dump, side)


def test_call_and_reply_in_one_dump_are_told_apart() -> None:
    decoded = decode_dump(CALL + REPLY + PING, "any")
    assert [row["side"] for row in decoded.messages] == ["client"] * 3 + ["server", "client"]
    assert decoded.errors() == []


def test_both_dumps_together_make_the_call() -> None:
    decoded = decode_dump(CALL, replies=REPLY)
    assert decoded.errors() == []
    [call] = decoded.calls
    assert call == {
        "protocol": "hadoop",
        "stream": 0,
        "client": None,
        "server": None,
        "id": "0",
        "user": "eleibovi",
        "name": "ping.ping",
        "target": None,
        "request_offset": 61,
        "reply_offset": 0,
        "request_bytes": 67,
        "reply_bytes": 55,
        "start": None,
        "latency_us": None,
        "status": "ok",
        "error_class": None,
        "retry": 0,
        "attributes": None,
    }


def test_a_call_without_a_reply_is_lost() -> None:
    [call] = decode_dump(CALL).calls
    assert (call["status"], call["reply_offset"], call["reply_bytes"]) == ("lost", None, None)


@pytest.mark.parametrize(
    ("annotated", "dump", "side"),
    [
        (ANNOTATED_CALL, CALL, "client"),
        (ANNOTATED_PING, PING, "client"),
        (ANNOTATED_REPLY, REPLY, "server"),
    ],
    ids=["call", "ping", "reply"],
)
def test_the_explanation_has_the_documents_bytes_and_values_in_its_order(
    annotated: str, dump: bytes, side: str
) -> None:
    explained = explain_dump(dump, side)
    assert _bytes_of(explained) == _bytes_of(annotated) == dump
    values = iter(_values_of(explained))
    assert [value for value in _values_of(annotated) if value not in values] == []


@pytest.mark.parametrize("dump", [CALL, PING, REPLY], ids=["call", "ping", "reply"])
def test_the_explanation_has_ten_bytes_a_line_and_the_value_behind_the_last(dump: bytes) -> None:
    for line in explain_dump(dump, "any").splitlines():
        assert re.fullmatch(r"(//.*|(0x[0-9a-f]{2},( |$)){1,10}(// = .*)?)?", line), line


def test_the_explanation_names_what_the_document_names() -> None:
    lines = explain_dump(CALL).splitlines()
    for name, line in [
        ("// frame length", "0x00, 0x00, 0x00, 0x32, // = 50"),
        ("// RpcRequestHeader length", "0x1e, // = 30"),
        ("// call id", "0x18, 0xfd, 0xff, 0xff, 0xff, 0x0f, // = -3"),
        ("// IpcConnectionContext length", "0x12, // = 18"),
        ("// frame length", "0x00, 0x00, 0x00, 0x3f, // = 63"),
        ("// RpcRequestHeader length", "0x1a, // = 26"),
        ("// rpc version", "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, // = 2"),
        ("// string length", "0x00, 0x04, // = 4"),
        ("// protocol", '0x70, 0x69, 0x6e, 0x67, // = "ping"'),
        ("// method", '0x70, 0x69, 0x6e, 0x67, // = "ping"'),
        ("// client version", "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, // = 1"),
        ("// client methods hash", "0xa0, 0xbd, 0x17, 0xcc, // = -1598220340"),
    ]:
        assert (name, line) in pairwise(lines)
    last_of_class = '0x53, 0x74, 0x72, 0x69, 0x6e, 0x67, // = "java.lang.String"'
    assert last_of_class in explain_dump(REPLY, "server")


def _rows(dump: bytes, side: str = "client") -> list[Row]:
    decoded = decode_dump(dump, side)
    assert decoded.errors() == []
    assert {row["protocol"] for row in decoded.messages} == {"hadoop"}
    return decoded.messages


def _bytes_of(text: str) -> bytes:
    return bytes(int(byte, 16) for byte in re.findall(r"\b0x([0-9a-f]{2}),", text))


def _values_of(text: str) -> list[str]:
    return re.findall(r"^0x.*// .*= (\S+)$", text, re.MULTILINE)
