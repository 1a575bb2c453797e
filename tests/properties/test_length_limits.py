"""Every length that a peer states is checked before it is used."""

import struct
from collections.abc import Callable

import pytest

from kit import wire
from kit.rows import Decoded, decode_dump

MESSAGE_LIMIT = 128 << 20
OLD_STRING_LIMIT = 64 << 10
HUGE = 2**31 - 1

SETUP = wire.connection_header() + wire.context()
CALLS_BEHIND = b"".join(wire.stat(id_, "/behind") for id_ in range(5, 9))
REPLIES_BEHIND = b"".join(wire.reply(id_) for id_ in range(5, 9))
CLAIMS = [-1, 0, MESSAGE_LIMIT, MESSAGE_LIMIT + 1, HUGE]

# Frames whose own length is right: one inside claims something else.
HEADER = wire.request_header(0)
CONTEXT, SASL = wire.request_header(-3, retry=-1), wire.request_header(-33, retry=-1)
ANSWER, SASL_ANSWER = wire.response_header(0), wire.response_header(-33)
CALLED = wire.content(1, "getFileInfo") + wire.content(2, wire.CLIENT_PROTOCOL)
BEGINNING = wire.number(1, 2) + wire.number(2, 0) + wire.number(3, 0)
Claim = Callable[[bytes], bytes]
OF_CLIENT: dict[str, Claim] = {
    "header": lambda n: n + HEADER[1:] + b"\0\0",
    "client id": lambda n: wire.delimited(BEGINNING + b"\x22" + n + b"client id"),
    "call header": lambda n: HEADER + n + CALLED + b"\0",
    "method": lambda n: HEADER + wire.delimited(b"\x0a" + n + b"name") + b"\0",
    "request": lambda n: HEADER + wire.delimited(CALLED) + n + wire.content(1, "/a"),
    "context": lambda n: CONTEXT + n + b"\x1a\0",
    "user": lambda n: CONTEXT + wire.delimited(b"\x12" + n + b"\x0f"),
    "SASL message": lambda n: SASL + n + wire.number(2, 1),
    "SASL token": lambda n: SASL + wire.delimited(wire.number(2, 2) + b"\x1a" + n + b"token"),
}
OF_SERVER: dict[str, Claim] = {
    "header": lambda n: n + ANSWER[1:] + b"\0",
    "error class": lambda n: wire.delimited(
        wire.number(1, 0) + wire.number(2, 1) + b"\x22" + n + b"java"
    ),
    "response": lambda n: ANSWER + n + wire.content(1, "/a"),
    "SASL message": lambda n: SASL_ANSWER + n + wire.number(2, 1),
}


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("name", OF_CLIENT)
def test_a_length_in_a_frame_of_the_client_harms_that_frame_only(name: str, claim: int) -> None:
    wrong = wire.frame(OF_CLIENT[name](wire.varint(claim)))
    decoded = decode_dump(SETUP + wrong + CALLS_BEHIND)
    assert _ids(decoded)[-4:] == ["5", "6", "7", "8"]
    _assert_said(decoded, "client", len(SETUP), len(wrong))


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("name", OF_SERVER)
def test_a_length_in_a_frame_of_the_server_harms_that_frame_only(name: str, claim: int) -> None:
    wrong = wire.frame(OF_SERVER[name](wire.varint(claim)))
    before = wire.reply(4)
    client = wire.conversation([wire.stat(id_, "/") for id_ in (4, 0, 5, 6, 7, 8)])
    decoded = decode_dump(client, replies=before + wrong + REPLIES_BEHIND)
    assert _ids(decoded)[-4:] == ["5", "6", "7", "8"]
    _assert_said(decoded, "server", len(before), len(wrong))
    assert [call["status"] for call in decoded.calls if call["id"] != "0"] == ["ok"] * 5


@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("claim", [-1, MESSAGE_LIMIT + 1, HUGE, -(2**31)])
def test_a_frame_length_that_cannot_be_is_refused_at_once(side: str, claim: int) -> None:
    if (side, claim) == ("client", -1):
        claim = -2  # four bytes of ones are an old client's ping
    before, behind = _around(side)
    decoded = decode_dump(before + struct.pack(">i", claim) + behind, side)
    assert _ids(decoded)[-4:] == ["5", "6", "7", "8"]
    [error] = [row for row in decoded.messages if row["error"]]
    assert (error["offset"], error["length"]) == (len(before), 4)
    said = "is negative" if claim < 0 else f"is over the limit of {MESSAGE_LIMIT}"
    assert f"{claim} {said}" in error["error"]


@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("claim", [0, 1, MESSAGE_LIMIT - 1, MESSAGE_LIMIT])
def test_a_frame_length_that_can_be_does_not_hide_what_is_behind(side: str, claim: int) -> None:
    before, behind = _around(side)
    decoded = decode_dump(before + struct.pack(">i", claim) + behind, side)
    assert _ids(decoded)[-3:] == ["6", "7", "8"]
    assert decoded.errors() != []


@pytest.mark.parametrize("claim", [-1, 0, OLD_STRING_LIMIT, OLD_STRING_LIMIT + 1, HUGE])
@pytest.mark.parametrize("before", [b"", struct.pack(">i", 1) + b"x"], ids=["class", "text"])
@pytest.mark.parametrize("head", [b"\xff" * 8, b"\0\0\0\0\x01"], ids=["version 3", "version 2"])
def test_a_length_in_an_old_versions_answer_is_judged(
    head: bytes, before: bytes, claim: int
) -> None:
    answer = head + before + struct.pack(">i", claim) + b"java"
    decoded = decode_dump(answer, "server")
    assert sum(row["length"] for row in decoded.messages) == len(answer)
    assert decoded.errors() != []


def test_a_message_of_the_largest_size_is_decoded() -> None:
    path = "/" + "x" * (MESSAGE_LIMIT - 200)
    call = wire.stat(0, path)
    assert MESSAGE_LIMIT - 200 < len(call) - 4 <= MESSAGE_LIMIT
    decoded = decode_dump(wire.conversation([call, wire.stat(1, "/")]))
    assert decoded.errors() == []
    assert [call["target"] for call in decoded.calls] == [path, "/"]


def _around(side: str) -> tuple[bytes, bytes]:
    return (SETUP, CALLS_BEHIND) if side == "client" else (wire.reply(4), REPLIES_BEHIND)


def _ids(decoded: Decoded) -> list[str]:
    """Return the ids of calls, or of replies where there are any."""
    for name in ("Reply", "Call"):
        if ids := [row["id"] for row in decoded.messages if row["name"] == name]:
            return ids
    return []


def _assert_said(decoded: Decoded, side: str, offset: int, length: int) -> None:
    wrong = [
        row
        for row in decoded.messages
        if row["side"] == side and offset <= row["offset"] < offset + length
    ]
    assert sum(row["length"] for row in wrong) == length
    assert any(row["error"] for row in wrong)
