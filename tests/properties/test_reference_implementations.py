"""Rust, Cython and plain Python agree on every primitive: on values and on refusals."""

from array import array
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire import codec
from jvmwire._core import PravegaEvents
from jvmwire.errors import DecodeError
from reference.cython import fragments as cython_fragments
from reference.cython import framing as cython_framing
from reference.cython import mutf8 as cython_mutf8
from reference.cython import pravega as cython_pravega
from reference.cython import varint as cython_varint
from reference.plain import fragments as plain_fragments
from reference.plain import framing as plain_framing
from reference.plain import mutf8 as plain_mutf8
from reference.plain import pravega as plain_pravega
from reference.plain import varint as plain_varint

VARINTS = {
    "Unsigned64": codec.UNSIGNED64,
    "ZigZag64": codec.ZIGZAG64,
    "ProtobufInt32": codec.PROTOBUF_INT32,
    "VLong": codec.VLONG,
}
RANGES = {"Unsigned64": (0, (1 << 64) - 1), "ProtobufInt32": (-1 << 31, (1 << 31) - 1)}
INT64 = (-1 << 63, (1 << 63) - 1)
BULK = {"Unsigned64": (pa.uint64(), "Q"), "ProtobufInt32": (pa.int32(), "i")}
"""Types of many values, in Arrow and in an array."""
TEXT = codec.Text("modified-utf-8")
LIMIT = 12


class Refusal(NamedTuple):
    """A refusal, with the offset of the fault."""

    offset: int | None


def outcome(function: Callable[..., Any], *arguments: Any) -> object:
    """Return the outcome of a call, in a form that can be compared."""
    try:
        made = function(*arguments)
    except DecodeError as error:
        return Refusal(error.offset)
    return listed(made)


def listed(made: Any) -> Any:
    if hasattr(made, "__arrow_c_array__"):
        return pa.array(made).to_pylist()
    if isinstance(made, tuple):
        return [listed(part) for part in made]
    return list(made) if isinstance(made, Iterable) and not isinstance(made, str | bytes) else made


def agreed(*outcomes: Any) -> Any:
    """Return the outcome that all implementations share."""
    assert all(one == outcomes[0] for one in outcomes), outcomes
    return outcomes[0]


def mostly(*pieces: bytes) -> st.SearchStrategy[bytes]:
    """Bytes that are valid or nearly valid, with random bytes between."""
    piece = st.sampled_from(pieces) | st.binary(min_size=1, max_size=3)
    return st.lists(piece, max_size=12).map(b"".join)


# Bytes that end a varint, bytes that do not, and first bytes of a VLong.
VARINT_BYTES = mostly(b"\0", b"\x7f", b"\x80", b"\x80" * 8, b"\xff", b"\xff" * 9, b"\x88\x8f\x90")
LENGTHS = mostly(
    b"\0\0\0\0", b"\0\0\0\2ab", b"\2\0\0\0ab", b"\0\0\0\6ab", b"\6\0\0\0ab", b"\0\0\0\3abc",
    b"\0\0\0\x0c", b"\x0c\0\0\0", b"\0\0\0\x10", b"\0\0\0\x11", b"\xff\xff\xff\xff", b"\x7f",
)  # fmt: skip
TEXTS = mostly(
    b"a", b"\0", b"\xc0\x80", b"\xc1\x81", b"\xe0\x80\x80", b"\xc3\xa9", b"\xe4\xb8\xad",
    b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xf0\x9f\x98\x80", b"\xed",
)  # fmt: skip
STRINGS = st.text(st.characters(codec="utf-8") | st.sampled_from("\0a\u07ff\u0800\U0001f600"))


@pytest.mark.parametrize("name", VARINTS)
@given(data=VARINT_BYTES, offset=st.integers(0, 20))
def test_a_varint_is_the_same_value_or_refusal_to_all(name, data, offset):
    ours, twins = VARINTS[name], twins_of(name)
    offset = min(offset, len(data))
    agreed(*[outcome(one.decode, data, offset) for one in (ours, *twins)])
    agreed(*[outcome(one.decode_all, data) for one in (ours, *twins)])


@pytest.mark.parametrize("name", VARINTS)
@given(data=st.data())
def test_a_value_is_the_same_varint_to_all(name, data):
    ours, twins = VARINTS[name], twins_of(name)
    low, high = RANGES.get(name, INT64)
    edges = st.sampled_from([low, -113, -112, -1, 0, 127, 128, high])
    values = data.draw(st.lists((st.integers(low, high) | edges).filter(lambda v: v >= low)))
    arrow, kind = BULK.get(name, (pa.int64(), "q"))
    bulk = array(kind, values)
    wire = agreed(
        ours.encode_all(pa.array(values, arrow)), *[twin.encode_all(bulk) for twin in twins]
    )
    assert wire == b"".join(
        agreed(*[one.encode(value) for one in (ours, *twins)]) for value in values
    )
    assert agreed(*[outcome(one.decode_all, wire) for one in (ours, *twins)]) == values


@pytest.mark.parametrize("name", VARINTS)
def test_a_value_that_has_no_room_is_refused_by_all(name):
    low, high = RANGES.get(name, INT64)
    for one in (VARINTS[name], *twins_of(name)):
        for value in (low - 1, high + 1):
            with pytest.raises(ValueError, match=str(value)):
                one.encode(value)


def twins_of(name: str) -> tuple[Any, Any]:
    return getattr(cython_varint, name), getattr(plain_varint, name)


@pytest.mark.parametrize("byte_order", ["big", "little"])
@pytest.mark.parametrize("includes_itself", [False, True])
@given(data=LENGTHS, payloads=st.lists(st.binary(max_size=LIMIT)))
def test_frames_are_the_same_to_all(byte_order, includes_itself, data, payloads):
    framings = (
        codec.Framing.length(byte_order=byte_order, includes_itself=includes_itself, limit=LIMIT),
        cython_framing.Framing(byte_order, includes_itself=includes_itself, limit=LIMIT),
        plain_framing.Framing(byte_order, includes_itself=includes_itself, limit=LIMIT),
    )
    agreed(*[outcome(framing.decode, data, 0) for framing in framings])
    agreed(*[outcome(framing.decode_all, data) for framing in framings])
    wire = agreed(*[b"".join(map(framing.encode, payloads)) for framing in framings])
    told = agreed(*[outcome(framing.decode_all, wire) for framing in framings])
    assert told == [payloads, len(wire)]


FRAGMENTS = st.binary(max_size=LIMIT // 2)


@given(pushed=st.lists(st.tuples(st.sampled_from([0, 1, 2]), FRAGMENTS), max_size=30))
def test_fragments_of_a_stream_are_joined_alike_by_all(pushed):
    ours, *twins = (
        module.StreamAssembler(limit=LIMIT) for module in (codec, cython_fragments, plain_fragments)
    )
    for flag, fragment in pushed:
        joined = agreed(*[outcome(one.push, flag, fragment) for one in (ours, *twins)])
        if isinstance(joined, Refusal):
            break  # the stream cannot go on


@given(
    pushed=st.lists(
        st.tuples(st.integers(-2, 2), st.sampled_from([0x80, 0x40, 0, 0xC0, 0x3F]), FRAGMENTS),
        max_size=40,
    )
)
def test_fragments_by_their_ids_are_joined_alike_by_all(pushed):
    ours, *twins = (
        module.KeyedAssembler(limit=LIMIT, total_limit=2 * LIMIT, open_limit=3)
        for module in (codec, cython_fragments, plain_fragments)
    )
    for key, flags, fragment in pushed:
        agreed(*[outcome(one.push, key, flags, fragment) for one in (ours, *twins)])


@given(
    events=st.lists(st.binary(max_size=30), min_size=1, max_size=40),
    limit=st.integers(1, 200),
    last=st.integers(-1 << 40, 1 << 40),
)
def test_events_are_the_same_appends_to_all(events, limit, last):
    writer = UUID(int=1 << 100 | 7)
    ours = []
    for taken in (events, pa.array(events, pa.binary())):
        waiting, blocks, number = PravegaEvents(limit, 0), [], last
        waiting.push_all(taken)
        while waiting.unsent:
            block, count = waiting.next_blocks(writer, number, 9)
            blocks.append(block)
            number += count
        ours.append(blocks)
    arguments = (events, writer.bytes, last, 9, limit)
    twins = (cython_pravega, plain_pravega)
    agreed(*ours, *[twin.encode_blocks(*arguments) for twin in twins])


@given(data=TEXTS)
def test_bytes_are_the_same_text_or_refusal_to_all(data):
    agreed(*[outcome(one.decode, data) for one in (TEXT, cython_mutf8, plain_mutf8)])


@given(text=STRINGS)
def test_a_text_is_the_same_bytes_to_all(text):
    wire = agreed(*[one.encode(text) for one in (TEXT, cython_mutf8, plain_mutf8)])
    assert agreed(*[outcome(one.decode, wire) for one in (TEXT, cython_mutf8, plain_mutf8)]) == text


def test_a_lone_surrogate_is_encoded_by_none():
    for one in (TEXT, cython_mutf8, plain_mutf8):
        with pytest.raises(UnicodeEncodeError):
            one.encode("a\ud83d")


@given(bodies=st.lists(TEXTS, max_size=5), cut=st.integers(0, 3), texts=st.lists(STRINGS))
def test_texts_behind_their_lengths_are_the_same_to_all(bodies, cut, texts):
    data = b"".join(len(body).to_bytes(2) + body for body in bodies)
    data = data[: max(0, len(data) - cut)]
    twins = (cython_mutf8, plain_mutf8)
    decode = [codec.JAVA_UTF.decode, *[twin.decode_utf for twin in twins]]
    decode_all = [codec.JAVA_UTF.decode_all, *[twin.decode_all_utf for twin in twins]]
    agreed(*[outcome(one, data, 0) for one in decode])
    agreed(*[outcome(one, data) for one in decode_all])
    wire = b"".join(
        agreed(codec.JAVA_UTF.encode(text), *[twin.encode_utf(text) for twin in twins])
        for text in texts
    )
    assert agreed(*[outcome(one, wire) for one in decode_all]) == texts
