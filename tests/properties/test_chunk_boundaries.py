"""Rows do not depend on how the bytes are cut into pieces."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import wire
from kit.captures import SASL, SEED, WRITABLE
from kit.directions import directions
from kit.rows import (
    Decoded,
    Side,
    Turn,
    capture,
    decode_capture,
    decode_dump,
    explain_capture,
    explain_dump,
    midway,
)
from kit.samples import CLIENT_PIECES, CLIENT_STREAM, SERVER_PIECES, SERVER_STREAM
from kit.scale import seeded, times

SEED_CLIENT = (SEED / "client-call.bin").read_bytes() + (SEED / "ping.bin").read_bytes()
SEED_SERVER = (SEED / "reply.bin").read_bytes()
BROKEN_CLIENT = CLIENT_STREAM[:40] + CLIENT_STREAM[55:] + b"\0\0\0\x30" + CLIENT_STREAM[-5:]
BROKEN_SERVER = SERVER_STREAM[:50] + b"\0\0\0" + SERVER_STREAM[60:-3]
ANSWER_TO_2, ANSWER_TO_3 = (wire.old_answer(version, "java.lang.Error", "no") for version in (2, 3))

DUMPS: dict[str, tuple[bytes, str]] = {
    "seed": (SEED_CLIENT, "client"),
    "seed's reply": (SEED_SERVER, "server"),
    "seed's both": (SEED_CLIENT + SEED_SERVER + SEED_CLIENT[7:], "any"),
    "client": (CLIENT_STREAM, "client"),
    "server": (SERVER_STREAM, "server"),
    "any": (CLIENT_STREAM + SERVER_STREAM, "any"),
    "client midway": (CLIENT_STREAM[30:], "client"),
    "server midway": (SERVER_STREAM[30:], "server"),
    "broken client": (BROKEN_CLIENT, "client"),
    "broken server": (BROKEN_SERVER, "server"),
    "broken any": (BROKEN_CLIENT + BROKEN_SERVER, "any"),
    "answer to version 2": (ANSWER_TO_2, "server"),
    "answer to version 2, any": (ANSWER_TO_2, "any"),
    "answer to version 3": (ANSWER_TO_3, "server"),
    "answer to version 3, any": (ANSWER_TO_3, "any"),
    "half an answer to version 2": (ANSWER_TO_2[:20], "server"),
    "half an answer to version 3": (ANSWER_TO_3[:20], "server"),
    "web page": (b"HTTP/1.1 404 Not Found\r\n\r\nno", "server"),
    "web request": (b"GET / HTTP/1.0\r\n\r\n", "client"),
    "TLS": (b"\x16\x03\x01\x02\0" * 20, "client"),
    "old version": (wire.connection_header(version=4) + b"more", "client"),
}


@pytest.mark.parametrize("name", DUMPS)
def test_a_dump_may_be_cut_anywhere(name: str) -> None:
    dump, side = DUMPS[name]
    whole = decode_dump(dump, side)
    for cut in range(len(dump) + 1):
        assert decode_dump(dump, side, cuts=[cut]) == whole, cut
    assert decode_dump(dump, side, cuts=range(1, len(dump))) == whole


@pytest.mark.parametrize("name", DUMPS)
def test_an_explanation_may_be_cut_anywhere(name: str) -> None:
    dump, side = DUMPS[name]
    whole = explain_dump(dump, side)
    for cut in range(len(dump) + 1):
        assert explain_dump(dump, side, cuts=[cut]) == whole, cut
    assert explain_dump(dump, side, cuts=range(1, len(dump))) == whole


@pytest.mark.parametrize(
    ("client", "server"),
    [
        (SEED_CLIENT, SEED_SERVER),
        (CLIENT_STREAM, SERVER_STREAM),
        (BROKEN_CLIENT, BROKEN_SERVER),
        (
            wire.conversation([wire.call(id_) for id_ in range(6)]),
            wire.reply(3) + wire.failure(0) + wire.failure(-1, status=wire.FATAL),
        ),
        (wire.connection_header(version=5), ANSWER_TO_3),
    ],
    ids=["seed", "all kinds", "broken", "fatal", "old version"],
)
def test_two_dumps_may_be_cut_anywhere(client: bytes, server: bytes) -> None:
    whole = _in_order(decode_dump(client, replies=server))
    longest = max(len(client), len(server))
    for cut in range(longest + 1):
        assert _in_order(decode_dump(client, replies=server, cuts=[cut])) == whole, cut
    assert _in_order(decode_dump(client, replies=server, cuts=range(1, longest))) == whole


FILES = {
    "from the start": capture(("client", CLIENT_STREAM), ("server", SERVER_STREAM)),
    "midway": midway(("server", SERVER_STREAM[40:]), ("client", CLIENT_STREAM[40:])),
    "broken": capture(("client", BROKEN_CLIENT), ("server", BROKEN_SERVER)),
    "cut short": capture(("client", CLIENT_STREAM), ("server", SERVER_STREAM))[:-30],
    "nothing known": capture(("client", b"\x01\x02\x03" * 20), ("server", b"220 hello\r\n")),
}


@pytest.mark.parametrize("name", FILES)
def test_a_capture_may_be_cut_anywhere(name: str) -> None:
    file = FILES[name]
    whole, text = decode_capture(file), explain_capture(file)
    for cut in range(0, len(file) + 1, 3):
        assert decode_capture(file, cuts=[cut]) == whole, cut
    assert decode_capture(file, cuts=range(1, len(file))) == whole
    assert explain_capture(file, cuts=range(1, len(file))) == text


@pytest.mark.parametrize("packer", ["gzip", "zstd", "two gzips"])
@pytest.mark.parametrize("name", FILES)
def test_a_compressed_capture_may_be_cut_anywhere(packer: str, name: str) -> None:
    file = FILES[name]
    match packer:
        case "gzip":
            packed = gzip.compress(file)
        case "zstd":
            packed = pa.compress(file, codec="zstd", asbytes=True)
        case _:
            packed = gzip.compress(file[:200]) + gzip.compress(file[200:])
    whole = decode_capture(file)
    for cut in range(0, len(packed) + 1, 3):
        assert decode_capture(packed, cuts=[cut]) == whole, cut
    assert decode_capture(packed, cuts=range(1, len(packed))) == whole


def test_segments_may_be_of_any_size() -> None:
    rng = seeded(1)
    whole = _without_times(decode_capture(FILES["from the start"]))
    for size in [1, 2, 3, *(rng.randrange(4, 200) for _ in range(times(20)))]:
        turns = [*_turns("client", CLIENT_STREAM, size), *_turns("server", SERVER_STREAM, size)]
        assert _without_times(decode_capture(capture(*turns))) == whole, size


@pytest.mark.parametrize("path", [WRITABLE, SASL], ids=["writable", "sasl"])
def test_a_recording_may_be_cut_anywhere(path: Path) -> None:
    file = path.read_bytes()
    rng = seeded(2)
    whole = decode_capture(file)
    for _ in range(times(40)):
        cuts = _cuts(rng, len(file))
        assert decode_capture(file, cuts=cuts) == whole, cuts


def test_the_directions_of_a_recording_may_be_cut_anywhere() -> None:
    rng = seeded(3)
    for way in directions(WRITABLE) + directions(SASL):
        for side, dump in [("client", way.client), ("server", way.server)]:
            whole = decode_dump(dump, side)
            for _ in range(times(10)):
                assert decode_dump(dump, side, cuts=_cuts(rng, len(dump))) == whole
        both = _in_order(decode_dump(way.client, replies=way.server))
        for _ in range(times(10)):
            cuts = _cuts(rng, len(way.client))
            assert _in_order(decode_dump(way.client, replies=way.server, cuts=cuts)) == both


@given(st.lists(st.sampled_from(CLIENT_PIECES) | st.binary(max_size=12), max_size=8), st.data())
def test_any_stream_of_a_client_may_be_cut_anywhere(
    parts: list[bytes], data: st.DataObject
) -> None:
    _try_cuts(b"".join(parts), data, ["client", "any"])


@given(st.lists(st.sampled_from(SERVER_PIECES) | st.binary(max_size=12), max_size=8), st.data())
def test_any_stream_of_a_server_may_be_cut_anywhere(
    parts: list[bytes], data: st.DataObject
) -> None:
    _try_cuts(b"".join(parts), data, ["server", "any"])


def _try_cuts(dump: bytes, data: st.DataObject, sides: Sequence[str]) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(dump)), max_size=6))
    for side in sides:
        assert decode_dump(dump, side, cuts=cuts) == decode_dump(dump, side)
        assert explain_dump(dump, side, cuts=cuts) == explain_dump(dump, side)


def _cuts(rng: Random, length: int) -> list[int]:
    return [rng.randrange(length + 1) for _ in range(rng.randrange(1, 30))]


def _turns(side: Side, said: bytes, size: int) -> list[Turn]:
    return [(side, said[at : at + size]) for at in range(0, len(said), size)]


def _in_order(decoded: Decoded) -> Decoded:
    decoded.messages.sort(key=lambda row: (row["stream"], row["side"], row["offset"]))
    decoded.calls.sort(key=lambda row: (row["stream"], row["request_offset"]))
    return decoded


def _without_times(decoded: Decoded) -> Decoded:
    for row in decoded.messages:
        row["ts"] = None
    for row in decoded.calls:
        row["start"] = row["latency_us"] = None
    for row in decoded.streams:
        row["end"] = row["client_packets"] = row["server_packets"] = None
    return _in_order(decoded)
