"""Bytes that the codec's formats write, and arguments that they refuse."""

import gc
import inspect
import struct
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

from jvmwire import DecodeError, codec
from jvmwire._core import hazelcast_partition_hash
from kit.primitives import PRIMITIVES, Primitive, arrow, python


@pytest.mark.parametrize(
    ("varint", "value", "wire"),
    [
        (codec.UNSIGNED64, 300, "ac02"),
        (codec.UNSIGNED64, 2**64 - 1, "ffffffffffffffffff01"),
        (codec.SIGNED32, -1, "ffffffff0f"),
        (codec.PROTOBUF_INT32, -1, "ffffffffffffffffff01"),
        (codec.ZIGZAG32, -1, "01"),
        (codec.ZIGZAG64, -(2**63), "ffffffffffffffffff01"),
        (codec.VINT, -112, "90"),
        (codec.VINT, -113, "8770"),
        (codec.VLONG, -(2**63), "807fffffffffffffff"),
    ],
)
def test_a_varint_takes_the_bytes_that_its_protocol_has_for_it(
    varint: codec.Varint, value: int, wire: str
) -> None:
    assert varint.encode(value).hex() == wire
    assert varint.decode(bytes.fromhex(wire)) == (value, len(wire) // 2)


def test_a_format_is_known_by_its_name() -> None:
    assert codec.Varint("zigzag64").name == codec.ZIGZAG64.name == "zigzag64"
    assert repr(codec.Fixed("uint16", "little")) == "Fixed('uint16', 'little')"
    with pytest.raises(ValueError, match='"leb128" is not one of unsigned32, unsigned64'):
        codec.Varint("leb128")
    with pytest.raises(ValueError, match='"int24" is not one of int8, uint8'):
        codec.Fixed("int24")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match='"middle" is not one of big, little'):
        codec.Framing.length(byte_order="middle")  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["big", "little"])
def test_a_uuid_is_two_longs_of_which_the_high_one_comes_first(order: Any) -> None:
    uuid = UUID("00010203-0405-0607-0809-0a0b0c0d0e0f")
    longs = struct.pack(">2q" if order == "big" else "<2q", *struct.unpack(">2q", uuid.bytes))
    fixed = codec.Fixed("uuid", order)
    assert fixed.encode(uuid) == longs
    assert arrow(fixed.decode_all(longs * 2)).type == pa.uuid()
    later = pa.array([UUID(int=1), uuid], pa.uuid())[1:]
    assert fixed.encode_all(later) == longs


def test_the_bits_of_a_nan_stay_in_bulk() -> None:
    wire = bytes.fromhex("7fc00001ffa00002")
    fixed = codec.Fixed("float32")
    assert fixed.encode_all(fixed.decode_all(wire)) == wire


@pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=PRIMITIVES.keys())
def test_what_the_caller_got_wrong_is_a_value_error_or_a_type_error(primitive: Primitive) -> None:
    for wrong in [object(), 1.5j, [1]]:
        with pytest.raises(TypeError):
            primitive.encode((wrong, wrong) if "typed" in primitive.name else wrong)
        with pytest.raises(TypeError):
            primitive.decode(wrong, 0)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            primitive.decode_all(wrong)  # type: ignore[arg-type]
    for offset in [-1, 4, 2**63, -(2**70)]:
        with pytest.raises(ValueError, match="offset") as caught:
            primitive.decode(b"abc", offset)
        assert not isinstance(caught.value, DecodeError)


@pytest.mark.parametrize(
    ("encode", "value"),
    [
        (codec.UNSIGNED32.encode, -1),
        (codec.UNSIGNED32.encode, 2**32),
        (codec.UNSIGNED64.encode, 2**64),
        (codec.VINT.encode, 2**31),
        (codec.VLONG.encode, -(2**63) - 1),
        (codec.Fixed("int8").encode, 128),
        (codec.Fixed("uint64").encode, -1),
        (codec.Fixed("float32").encode, 1e39),
    ],
)
def test_a_number_out_of_range_is_named(encode: Callable[[Any], bytes], value: float) -> None:
    with pytest.raises(ValueError, match=str(value).replace("+", r"\+")):
        encode(value)


@pytest.mark.parametrize(
    "encode_all",
    [codec.UNSIGNED64.encode_all, codec.Fixed("uint64").encode_all],
    ids=["varint", "fixed"],
)
def test_an_arrow_array_has_to_be_of_the_very_type_and_without_nulls(
    encode_all: Callable[[Any], bytes],
) -> None:
    assert encode_all(pa.array([1, 2, 3], pa.uint64())[1:]) == encode_all(
        pa.array([2, 3], pa.uint64())
    )
    for other in [pa.int64(), pa.uint32(), pa.float64(), pa.string()]:
        with pytest.raises(TypeError, match="UInt64 is needed"):
            encode_all(pa.array([], other))
    with pytest.raises(ValueError, match="1 values of the Arrow array are null"):
        encode_all(pa.array([1, None], pa.uint64()))
    with pytest.raises(TypeError, match="which list is not"):
        encode_all([1])


def test_an_arrow_array_of_a_producer_that_lies_is_refused() -> None:
    offsets = pa.array([0, 100, 5], pa.int32()).buffers()[1]
    beyond = pa.Array.from_buffers(pa.binary(), 2, [None, offsets, pa.py_buffer(b"short")])
    with pytest.raises(ValueError, match="offset"):
        codec.Framing.lines().encode_all(beyond)
    offsets = pa.array([0, 2], pa.int32()).buffers()[1]
    no_text = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff\xff")])
    with pytest.raises(ValueError, match="UTF"):
        codec.JAVA_UTF.encode_all(no_text)
    offsets = pa.array([0, 1, 2], pa.int32()).buffers()[1]
    half = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer("é".encode())])
    with pytest.raises(ValueError, match="incomplete utf-8"):
        codec.JAVA_UTF.encode_all(half)


@pytest.mark.parametrize("cut", [slice(None), slice(1, 3), slice(2, 2), slice(3, None)])
def test_a_part_of_an_array_of_texts_is_encoded_as_these_texts(cut: slice) -> None:
    texts = ["", "é", "plain", "\U0001f600", "\0"]
    given = pa.array(texts)[cut]
    assert codec.JAVA_UTF.encode_all(given) == codec.JAVA_UTF.encode_all(
        pa.array(texts[cut], pa.string())
    )
    assert python(codec.JAVA_UTF.decode_all(codec.JAVA_UTF.encode_all(given))) == texts[cut]


def test_an_array_says_how_long_and_how_large_it_is() -> None:
    values = codec.Fixed("int32").decode_all(bytes(400))
    assert len(values) == 100
    assert values.nbytes >= 400
    assert pa.DataType._import_from_c_capsule(values.__arrow_c_schema__()) == pa.int32()


def test_values_before_damage_are_given_before_it_is_told() -> None:
    decoder = codec.VINT.decoder()
    too_wide = codec.VLONG.encode(2**40)
    assert python(decoder.feed(b"\x01\x02" + too_wide)) == [1, 2]
    for _ in range(2):
        with pytest.raises(DecodeError, match="is not an int") as caught:
            decoder.feed(b"\x03")
        assert (caught.value.offset, caught.value.value) == (2, 2**40)
    with pytest.raises(DecodeError, match="is not an int"):
        decoder.finish()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (codec.VINT.encode, "exactly one argument"),
        (codec.VINT.decode, "expected data, and perhaps an offset"),
        (codec.JAVA_UTF.decode, "expected data, and perhaps an offset"),
        (codec.Text("cesu-8").decode, "exactly one argument"),
        (hazelcast_partition_hash, "exactly one argument"),
    ],
)
def test_too_few_and_too_many_arguments_are_told(call: Any, told: str) -> None:
    for given in [(), (b"", 0, 0)]:
        # PyO3's message is that of a core that was built without the feature `cpython-gil`.
        with pytest.raises(TypeError, match=rf"{told}|missing 1 required|positional arguments"):
            call(*given)
    with pytest.raises(TypeError, match=r"no keyword arguments|unexpected keyword|as keyword arg"):
        call(data=b"")


def test_the_calls_of_one_value_say_how_they_are_called() -> None:
    assert str(inspect.signature(codec.VINT.encode)) == "(value, /)"
    assert str(inspect.signature(codec.Varint.decode)) == "(self, data, offset=0, /)"
    assert str(inspect.signature(hazelcast_partition_hash)) == "(data, /)"
    with pytest.raises(TypeError, match=r"Varint' objects doesn't apply to a .*Fixed' object"):
        codec.Varint.decode(codec.Fixed("int8"), b"")  # type: ignore[arg-type]


def test_what_was_decoded_is_found_by_its_hash_whatever_was_decoded_before() -> None:
    found = {(number, 1): number for number in range(100)}
    assert [found[codec.UNSIGNED64.decode(bytes([number]), 0)] for number in found.values()] == [
        *range(100)
    ]


def test_threads_that_decode_do_not_see_each_others_numbers() -> None:
    def decoded(number: int) -> set[tuple[int, int]]:
        wire = codec.UNSIGNED64.encode(number)
        return {codec.UNSIGNED64.decode(wire) for _ in range(20_000)}

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = [*threads.map(decoded, [1, 300, 1 << 20, 1 << 63])]
    finally:
        sys.setswitchinterval(interval)
    assert found == [{(1, 1)}, {(300, 2)}, {(1 << 20, 3)}, {(1 << 63, 10)}]


def test_a_finalizer_may_decode_while_a_tuple_is_made() -> None:
    class Decodes:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            finalized.append(codec.UNSIGNED64.decode(b"\x80\x01"))

    finalized: list[tuple[int, int]] = []
    kept = []
    thresholds = gc.get_threshold()
    gc.collect()  # and the tuples that Python keeps for reuse
    gc.set_threshold(1)
    try:
        for number in range(100):
            wire = codec.UNSIGNED64.encode(number)
            gc.disable()
            Decodes()
            gc.enable()
            kept.append(codec.UNSIGNED64.decode(wire))
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
    gc.collect()
    assert [number for number, _ in kept] == [*range(100)]
    assert finalized == [(128, 2)] * 100


@pytest.mark.parametrize(
    ("decode", "wire"),
    [
        (codec.VLONG.decode, codec.VLONG.encode(1 << 40)),
        (codec.Fixed("float64").decode, bytes(range(8))),
        (codec.HADOOP_TEXT.decode, codec.HADOOP_TEXT.encode("a" * 4096)),
    ],
    ids=["an integer", "a float", "a text"],
)
def test_of_what_was_decoded_no_more_than_the_last_number_is_kept(
    decode: Callable[[bytes], object], wire: bytes
) -> None:
    tracemalloc.start()
    try:
        all_of_them = [decode(wire) for _ in range(1_000)]
        del all_of_them
        decode(wire)
        gc.collect()  # and the lists of tuples that Python keeps
        assert tracemalloc.get_traced_memory()[0] < 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (codec.VINT.encode, 1 << 40),
        (codec.VINT.decode, b"\x80"),
        (codec.Text("modified-utf-8").decode, b"\xc1\x81" * 200),
        (codec.Text("modified-utf-8", lossless=True).encode, "\ud800" * 40),
        (codec.Text("modified-utf-8", lossless=True).decode, b"\xed\xa0\x80" * 100),
    ],
    ids=["a number", "a varint", "overlong", "a surrogate", "surrogates"],
)
def test_nothing_is_kept_of_what_was_refused(call: Callable[[Any], object], given: Any) -> None:
    def refused() -> None:
        for _ in range(1_000):
            with suppress(ValueError):
                call(given)

    refused()
    kept = sys.getallocatedblocks()
    refused()
    assert sys.getallocatedblocks() < kept + 100
