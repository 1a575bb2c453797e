"""Properties of the codec: single, incremental and bulk decoding agree and undo encoding."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmwire import DecodeError, codec
from kit.primitives import LOSSLESS_TEXTS, PRIMITIVES, TEXTS, Primitive, python
from kit.scale import times

# There are fifty primitives: few examples of each are many of their shared code.
few = settings(max_examples=times(8))

HOLDERS = (bytes, bytearray, memoryview)

# The values before the fault, and the position of the fault.
Outcome = tuple[list[Any], int | None]


@pytest.fixture(params=list(PRIMITIVES.values()), ids=list(PRIMITIVES), scope="module")
def primitive(request: pytest.FixtureRequest) -> Primitive:
    param: Primitive = request.param
    return param


@few
@given(st.data())
def test_decoding_undoes_encoding(primitive: Primitive, data: st.DataObject) -> None:
    value = data.draw(primitive.values)
    wire = primitive.encode(value)
    assert primitive.decode(wire, 0) == (value, len(wire))
    assert primitive.decode(b"xyz" + wire + wire[:1], 3) == (value, 3 + len(wire))


@few
@given(st.data())
def test_what_was_decoded_stays_while_others_are_decoded(
    primitive: Primitive, data: st.DataObject
) -> None:
    values = data.draw(st.lists(primitive.values, min_size=1, max_size=20))
    wires = [primitive.encode(value) for value in values]
    decoded = [primitive.decode(wire, 0) for wire in wires]
    # A tuple that is unpacked at once may be reused.
    ends = [end for wire in wires for _, end in [primitive.decode(wire, 0)]]
    assert decoded == list(zip(values, ends, strict=True))


@few
@given(st.data())
def test_in_bulk_is_one_by_one(primitive: Primitive, data: st.DataObject) -> None:
    values = data.draw(st.lists(primitive.values, max_size=100))
    wire = b"".join(map(primitive.encode, values))
    assert primitive.encode_all(values) == wire
    assert primitive.decode_all(wire) == values
    assert _one_by_one(primitive, wire) == (values, None)


@few
@given(st.data())
def test_cutting_does_not_matter(primitive: Primitive, data: st.DataObject) -> None:
    wire = b"".join(map(primitive.encode, data.draw(st.lists(primitive.values, max_size=20))))
    expected = _one_by_one(primitive, wire)
    assert _in_pieces(primitive, wire, _cuts(data, wire)) == expected
    assert _in_pieces(primitive, wire, list(range(min(len(wire), 200)))) == expected


@few
@given(st.data())
def test_what_is_torn_is_refused_with_all_before_it_decoded(
    primitive: Primitive, data: st.DataObject
) -> None:
    values = data.draw(st.lists(primitive.values, min_size=1, max_size=20))
    wires = [primitive.encode(value) for value in values]
    start = sum(map(len, wires[:-1]))
    torn = b"".join(wires)[: start + data.draw(st.integers(0, len(wires[-1]) - 1))]
    assert _one_by_one(primitive, torn)[0] == values[:-1]
    assert _in_pieces(primitive, torn, _cuts(data, torn))[0] == values[:-1]
    if len(torn) > start:
        with pytest.raises(DecodeError) as caught:
            primitive.decode_all(torn)
        assert caught.value.offset == start


@few
@given(st.data())
def test_garbage_is_the_same_error_in_bulk_in_pieces_and_one_by_one(
    primitive: Primitive, data: st.DataObject
) -> None:
    wire = data.draw(_hostile(primitive))
    values, offset = _one_by_one(primitive, wire)
    if offset is None:
        assert repr(primitive.decode_all(wire)) == repr(values)
    else:
        with pytest.raises(DecodeError) as caught:
            primitive.decode_all(wire)
        assert caught.value.offset == offset
    fed, refused_at = _in_pieces(primitive, wire, _cuts(data, wire))
    # NaN is not equal to itself, but looks the same.
    assert repr(fed) == repr(values)
    assert (refused_at is None) == (offset is None)


@few
@given(st.data())
def test_any_buffer_holds_what_bytes_hold(primitive: Primitive, data: st.DataObject) -> None:
    # Few bytes and many are read in different ways.
    wire = data.draw(_hostile(primitive)) * data.draw(st.sampled_from([1, 1000]))
    expected = _decoded(primitive, wire)
    for buffer in [
        bytearray(wire),
        memoryview(wire),
        memoryview(bytearray(wire)).toreadonly(),
        pa.py_buffer(wire),
    ]:
        assert _decoded(primitive, buffer) == expected


@pytest.mark.parametrize("encoding", ["modified-utf-8", "cesu-8", "utf-8"])
@given(texts=st.lists(st.none() | TEXTS, max_size=40))
def test_text_comes_back_one_by_one_and_in_bulk(encoding: Any, texts: list[str | None]) -> None:
    text = codec.Text(encoding)
    encoded = [it if it is None else text.encode(it) for it in texts]
    assert [it if it is None else text.decode(it) for it in encoded] == texts
    assert python(text.encode_all(pa.array(texts, pa.string()))) == encoded
    assert python(text.decode_all(pa.array(encoded, pa.binary()))) == texts


@pytest.mark.parametrize("encoding", ["modified-utf-8", "cesu-8"])
@given(texts=st.lists(st.none() | LOSSLESS_TEXTS, max_size=40))
def test_text_with_lone_surrogates_comes_back_without_loss(
    encoding: Any, texts: list[str | None]
) -> None:
    text = codec.Text(encoding, lossless=True)
    encoded = [it if it is None else text.encode(it) for it in texts]
    assert [it if it is None else text.decode(it) for it in encoded] == texts
    wtf8 = [it if it is None else it.encode("utf-8", "surrogatepass") for it in texts]
    assert python(text.encode_all(pa.array(wtf8, pa.binary()))) == encoded
    assert python(text.decode_all(pa.array(encoded, pa.binary()))) == wtf8


@given(st.lists(st.tuples(st.binary(max_size=100), st.integers(1, 30)), max_size=10), st.data())
def test_joining_undoes_splitting(messages: list[tuple[bytes, int]], data: st.DataObject) -> None:
    stream, keyed = codec.StreamAssembler(), codec.KeyedAssembler()
    flagged = [f for message, size in messages for f in stream.split(message, size)]
    joined = [stream.push(*fragment) for fragment in flagged]
    assert [it for it in joined if it is not None] == [message for message, _ in messages]
    # Fragments of many messages may come in any order that keeps that of each message.
    queues = [keyed.split(message, size) for message, size in messages]
    ids, fragments = [], []
    while left := [index for index, queue in enumerate(queues) if queue]:
        index = data.draw(st.sampled_from(left))
        ids.append(index)
        fragments.append(queues[index].pop(0))
    one_by_one = {}
    for id_, fragment in zip(ids, fragments, strict=True):
        if (message := keyed.push(id_, *fragment)) is not None:
            one_by_one[id_] = message
    assert one_by_one == dict(enumerate(message for message, _ in messages))
    assert (keyed.open, keyed.buffered, stream.buffered) == (0, 0, 0)
    flags = pa.array([flag for flag, _ in fragments], pa.uint8())
    pieces = pa.array([piece for _, piece in fragments], pa.binary())
    whole, bulk = keyed.push_all(pa.array(ids, pa.int64()), flags, pieces)
    assert dict(zip(python(whole), python(bulk), strict=True)) == one_by_one


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 1, 1023, 1024, 3000]), st.sampled_from([*HOLDERS, None])),
        min_size=2,
        max_size=12,
    )
)
def test_fragments_are_joined_whatever_holds_them(
    given: list[tuple[int, Callable[[bytes], Any] | None]],
) -> None:
    stream, keyed = codec.StreamAssembler(), codec.KeyedAssembler()
    pieces = [bytes([index]) * size for index, (size, _) in enumerate(given)]
    goes_on = len(pieces) - 2
    of_stream = [0, *[1] * goes_on, 2]
    of_keyed = [0x80, *[0] * goes_on, 0x40]
    joined: list[bytes] = []
    for index, (_, holder) in enumerate(given):
        flag, flags, piece = of_stream[index], of_keyed[index], pieces[index]
        if holder is None:
            column = pa.array([piece], pa.binary())
            joined += python(stream.push_all(pa.array([flag], pa.uint8()), column))
            ids = pa.array([7], pa.int64())
            joined += python(keyed.push_all(ids, pa.array([flags], pa.uint8()), column)[1])
        else:
            held = holder(piece)
            whole = stream.push(flag, held), keyed.push(7, flags, held)
            joined += [message for message in whole if message is not None]
            if isinstance(held, bytearray):  # it is the caller's again
                held[:] = bytes(len(held))
        waiting = 0 if index > goes_on else sum(map(len, pieces[: index + 1]))
        assert (stream.buffered, keyed.buffered) == (waiting, waiting)
    assert joined == [b"".join(pieces)] * 2


@given(st.lists(st.binary(max_size=100), max_size=10), st.integers(1, 30))
def test_splitting_in_bulk_is_one_by_one(messages: list[bytes], size: int) -> None:
    given, ids = pa.array(messages, pa.binary()), pa.array(range(len(messages)), pa.int64())
    flags, pieces = codec.StreamAssembler.split_all(given, size)
    one_by_one = [f for message in messages for f in codec.StreamAssembler.split(message, size)]
    assert list(zip(python(flags), python(pieces), strict=True)) == one_by_one
    assert python(codec.StreamAssembler().push_all(flags, pieces)) == messages
    of, flags, pieces = codec.KeyedAssembler.split_all(ids, given, size)
    keyed = [
        (id_, *fragment)
        for id_, message in enumerate(messages)
        for fragment in codec.KeyedAssembler.split(message, size)
    ]
    assert list(zip(python(of), python(flags), python(pieces), strict=True)) == keyed
    whole, joined = codec.KeyedAssembler().push_all(of, flags, pieces)
    assert (python(whole), python(joined)) == (list(range(len(messages))), messages)


def _one_by_one(primitive: Primitive, wire: bytes) -> Outcome:
    values: list[Any] = []
    at = 0
    try:
        while at < len(wire):
            value, at = primitive.decode(wire, at)
            values.append(value)
    except DecodeError as error:
        return values, error.offset
    return values, None


def _in_pieces(primitive: Primitive, wire: bytes, cuts: list[int]) -> Outcome:
    decoder = primitive.decoder()
    values: list[Any] = []
    try:
        for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
            decoder.feed(wire[start:end], values)
        decoder.finish()
    except DecodeError as error:
        return values, error.offset if error.offset is not None else -1
    return values, None


def _cuts(data: st.DataObject, wire: bytes) -> list[int]:
    return sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=6)))


@st.composite
def _hostile(draw: st.DrawFn, primitive: Primitive) -> bytes:
    """Bytes with some of them changed, put in or taken out."""
    wire = bytearray().join(map(primitive.encode, draw(st.lists(primitive.values, max_size=8))))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(wire)))
        byte = draw(st.sampled_from(b"\x00\x7f\x80\xff\xc0\xed\xa0\xf0\n\r"))
        wire[at : at + draw(st.integers(0, 2))] = bytes([byte] * draw(st.integers(0, 12)))
    return bytes(wire)


def _decoded(primitive: Primitive, data: Any) -> list[str]:
    outcomes = []
    for decode in [primitive.decode_all, lambda it: primitive.decode(it, 0)]:
        try:
            outcomes.append(repr(decode(data)))
        except DecodeError as error:
            outcomes.append(str(error))
    return outcomes
