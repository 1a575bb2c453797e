"""Streams are split into frames, lines and messages, and fragments are joined."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from jvmwire import DecodeError, codec
from kit.primitives import arrow, python


@pytest.mark.parametrize(
    ("framing", "wire"),
    [
        (codec.Framing.length(), "00000002 6869"),
        (codec.Framing.length(byte_order="little"), "02000000 6869"),
        (codec.Framing.length(byte_order="little", includes_itself=True), "06000000 6869"),
        (codec.Framing.lines(), "6869 0a"),
        (codec.Framing.end_messages(), "6869 0a 656e64 0a"),
    ],
)
def test_a_frame_is_written_as_its_protocol_wants_it(framing: codec.Framing, wire: str) -> None:
    frame = bytes.fromhex(wire)
    assert framing.encode(b"hi") == frame
    assert framing.decode(b"?" + frame, 1) == (b"hi", 1 + len(frame))


def test_a_type_stands_before_the_length() -> None:
    framing = codec.TypedFraming()
    assert framing.encode(-2, b"hi") == b"\xff\xff\xff\xfe\0\0\0\x02hi"


FRAMINGS = {
    "big": codec.Framing.length(),
    "little": codec.Framing.length(byte_order="little", includes_itself=True),
    "lines": codec.Framing.lines(),
    "end": codec.Framing.end_messages(),
}


@pytest.mark.parametrize("framing", FRAMINGS.values(), ids=FRAMINGS)
def test_views_are_the_payloads_where_they_stand(framing: codec.Framing) -> None:
    payloads = [b"x" * length for length in range(40)]
    wire = b"".join(map(framing.encode, payloads)) + framing.encode(b"torn")[:-1]
    found, consumed = framing.view_all(wire)
    views = arrow(found)
    views.validate(full=True)
    assert views.type == pa.binary_view()
    assert views.to_pylist() == payloads
    assert consumed == framing.decode_all(wire)[1]
    assert pa.foreign_buffer(views.buffers()[2].address, 1, None).to_pybytes() == wire[:1]


def _read_only_array(shown: bytearray) -> np.ndarray[Any, Any]:
    view = np.frombuffer(shown, np.uint8)
    view.flags.writeable = False
    return view


@pytest.mark.parametrize(
    "kind",
    [
        bytes,
        bytearray,
        memoryview,
        lambda shown: memoryview(shown).toreadonly(),
        lambda shown: pa.py_buffer(shown).slice(0),
        _read_only_array,
    ],
    ids=["bytes", "bytearray", "memoryview", "read-only", "Arrow buffer", "numpy array"],
)
def test_views_hold_the_bytes_and_nobody_can_change_them(kind: Callable[[bytearray], Any]) -> None:
    payloads = [b"%040d" % number for number in range(1000)]
    shown = bytearray(b"".join(map(codec.Framing.length().encode, payloads)))
    wire = kind(shown)
    views = arrow(codec.Framing.length().view_all(wire)[0])
    for behind in (shown, wire):
        if not memoryview(behind).readonly:
            behind[:] = bytes(len(behind))
    del wire, shown, behind
    gc.collect()
    assert views.to_pylist() == payloads


def test_what_is_viewed_is_given_back_with_the_last_view() -> None:
    whole = codec.Framing.length().encode(bytes(100))
    references = [sys.getrefcount(whole)]
    views = arrow(codec.Framing.length().view_all(memoryview(whole))[0])
    references.append(sys.getrefcount(whole))
    del views
    gc.collect()  # the interpreter releases the memory of any thread at its next call
    references.append(sys.getrefcount(whole))
    before, during, after = references
    assert before == after < during


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_end_as_java_reads_them(end: bytes) -> None:
    decoder = codec.Framing.lines().decoder()
    decoder.feed(b"one" + end + end + b"two" + end + b"three")
    # A lone \r at the end of a chunk may be half of a \r\n; here more follows.
    assert python(decoder.next_batch()) == [b"one", b"", b"two"]
    assert decoder.next_frame() is None
    decoder.finish()
    assert decoder.next_frame() == b"three"
    assert decoder.next_frame() is None


@pytest.mark.parametrize(
    "framing", [codec.Framing.length(), codec.Framing.end_messages()], ids=["length", "end"]
)
def test_a_stream_that_ends_within_a_frame_is_refused(framing: codec.Framing) -> None:
    decoder = framing.decoder()
    whole = framing.encode(b"abc")
    decoder.feed(whole + whole[:-2])
    decoder.finish()
    assert decoder.next_frame() == b"abc"
    with pytest.raises(DecodeError, match="bytes are missing") as caught:
        decoder.next_frame()
    assert caught.value.offset == len(whole)
    with pytest.raises(DecodeError, match="bytes are missing"):
        decoder.next_batch()


def test_frames_before_damage_are_given_before_it_is_told() -> None:
    framing = codec.TypedFraming(limit=10)
    decoder = framing.decoder()
    decoder.feed(framing.encode(1, b"a") + framing.encode(2, b"b") + b"\0\0\0\3\xff\xff\xff\xff")
    kinds, payloads = decoder.next_batch()
    assert (python(kinds), python(payloads)) == ([1, 2], [b"a", b"b"])
    with pytest.raises(DecodeError, match="frame length at offset 22") as caught:
        decoder.next_batch()
    assert caught.value.value == 0xFFFFFFFF


@pytest.mark.parametrize(
    ("framing", "payload"),
    [
        (codec.Framing.lines(), b"a\nb"),
        (codec.Framing.lines(), b"a\rb"),
        (codec.Framing.end_messages(), b"a\nend\nb"),
        (codec.Framing.end_messages(), b"end"),
        (codec.Framing.end_messages(), b"a\r"),
    ],
)
def test_a_payload_that_its_reader_would_cut_is_not_written(
    framing: codec.Framing, payload: bytes
) -> None:
    with pytest.raises(ValueError, match="begins what ends a frame"):
        framing.encode(payload)


def test_fragments_carry_the_flags_of_their_protocol() -> None:
    assert codec.StreamAssembler.split(b"abcde", 2) == [(0, b"ab"), (1, b"cd"), (2, b"e")]
    # Early Pravega has no flag for a message in one piece.
    assert codec.StreamAssembler.split(b"ab", 2) == [(0, b"ab"), (2, b"")]
    assert codec.KeyedAssembler.split(b"abcde", 2) == [(0x80, b"ab"), (0, b"cd"), (0x40, b"e")]
    assert codec.KeyedAssembler.split(b"", 2) == [(0xC0, b"")]
    with pytest.raises(ValueError, match="0 bytes"):
        codec.KeyedAssembler.split(b"abc", 0)


@pytest.mark.parametrize("flags", [(1,), (2,), (0, 0), (3,)])
def test_fragments_out_of_order_are_refused(flags: tuple[int, ...]) -> None:
    assembler = codec.StreamAssembler()
    *before, last = flags
    for flag in before:
        assembler.push(flag, b"x")
    with pytest.raises(DecodeError, match="fragment"):
        assembler.push(last, b"x")


def test_a_stream_that_ends_within_a_fragmented_message_is_refused() -> None:
    assembler = codec.StreamAssembler()
    assembler.push(0, b"abc")
    assert assembler.buffered == 3
    with pytest.raises(DecodeError, match="fragment at offset 3"):
        assembler.finish()


def test_messages_of_several_ids_may_interleave_and_one_may_be_forgotten() -> None:
    assembler = codec.KeyedAssembler()
    assert assembler.push(1, 0x80, b"a") is None
    assert assembler.push(2, 0x80, b"x") is None
    assert assembler.push(3, 0xC0, b"whole") == b"whole"
    assembler.forget(2)
    assert (assembler.open, assembler.buffered) == (1, 1)
    assert assembler.push(1, 0x40, b"b") == b"ab"
    assert assembler.push(2, 0x00, b"y") is None
    assert assembler.push(2, 0x40, b"z") is None
    with pytest.raises(DecodeError, match="2 is not the id of an open message"):
        assembler.push(2, 0x40, b"z")
