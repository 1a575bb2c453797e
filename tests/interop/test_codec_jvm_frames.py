"""Frames and lines against Netty and Java's reader: the same boundaries, the same refusals."""

import struct
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import codec
from jvmwire.errors import DecodeError
from kit.oracle import WRONG, Answer, Oracle, differing
from kit.scale import seeded, times

SOME = times(5_000)
# As in Forms.java.
LIMIT = 1 << 20

HADOOP = codec.Framing.length(limit=LIMIT)
HAZELCAST = codec.Framing.length(byte_order="little", includes_itself=True, limit=LIMIT)
PRAVEGA = codec.TypedFraming(limit=LIMIT)


def payloads(framing: codec.Framing) -> Callable[[bytes], list[bytes]]:
    return lambda wire: rows(framing.decode_all(wire)[0])


def typed(wire: bytes) -> list[bytes]:
    """Return whole frames: Netty's decoder for Pravega leaves the header in place."""
    kinds, payloads, _ = PRAVEGA.decode_all(wire)
    return [
        struct.pack(">iI", kind, len(payload)) + payload
        for kind, payload in zip(rows(kinds), rows(payloads), strict=True)
    ]


@pytest.mark.parametrize(
    ("form", "frames", "length"),
    [
        ("hadoop", payloads(HADOOP), lambda size: struct.pack(">I", size)),
        ("hazelcast", payloads(HAZELCAST), lambda size: struct.pack("<I", size + 4)),
        ("pravega", typed, lambda size: b"type" + struct.pack(">I", size)),
    ],
    ids=["hadoop", "hazelcast", "pravega"],
)
def test_frames_end_where_netty_ends_them_and_are_refused_where_it_refuses(
    form: str, frames: Any, length: Callable[[int], bytes], oracle: Oracle
) -> None:
    random = seeded(6)
    wires = [b"".join(hostile_frames(random, length)) for _ in range(SOME)]
    theirs = oracle.decode(f"LengthFieldBasedFrameDecoder.{form}", wires)
    ours = []
    for wire in wires:
        try:
            ours.append(Answer(len(wire), told(frames(wire))))
        except DecodeError:
            ours.append(Answer(WRONG, b""))
    assert differing(wires, ours, theirs) == []
    assert 0 < ours.count(Answer(WRONG, b"")) < SOME


def test_lines_end_where_buffered_reader_ends_them(oracle: Oracle) -> None:
    random = seeded(5)
    wires = [bytes(random.choices(b"\r\nab", k=random.randrange(12))) for _ in range(SOME)]
    theirs = oracle.decode("BufferedReader.readLine", wires)
    ours = []
    for wire in wires:
        decoder = codec.Framing.lines().decoder()
        at = random.randrange(len(wire) + 1)
        decoder.feed(wire[:at])
        decoder.feed(wire[at:])
        decoder.finish()
        ours.append(Answer(len(wire), told(rows(decoder.next_batch()))))
    assert differing(wires, ours, theirs) == []


def rows(array: Any) -> list[Any]:
    return list(pa.array(array).to_pylist())


def told(pieces: Iterable[bytes]) -> bytes:
    """Return byte strings as the oracle prints many of them."""
    return b"".join(struct.pack(">i", len(piece)) + piece for piece in pieces)


def hostile_frames(random: Random, length: Callable[[int], bytes]) -> Iterable[bytes]:
    """Yield frames, the last of which may be incomplete, or implausibly long."""
    for _ in range(random.randrange(5)):
        payload = random.randbytes(random.randrange(40))
        yield length(len(payload)) + payload
    if random.randrange(2):
        stated = random.choice((0, 9, LIMIT, LIMIT + 1, 2**31 - 1, 2**31, 2**32 - 5))
        yield (length(stated) + b"torn")[: random.randrange(12)]
