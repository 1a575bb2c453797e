"""Numbers against the JVM's own classes: the same bytes, the same values, the same refusals."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest

from jvmwire import codec
from kit.oracle import ENDED, Oracle, differing, read_one
from kit.scale import seeded, times

MANY = times(40_000)
# Formats of fixed size have fewer possible faults.
SOME = times(10_000)


class Number(NamedTuple):
    """A number format: Java's, jvmwire's, and the type of its values."""

    form: str
    ours: Any  # Varint or Fixed
    arrow: pa.DataType


def protobuf(kind: str, ours: Any, arrow: pa.DataType) -> Number:
    return Number(f"CodedInputStream.read{kind}", ours, arrow)


VARINTS = [
    Number("WritableUtils.readVInt", codec.VINT, pa.int32()),
    Number("WritableUtils.readVLong", codec.VLONG, pa.int64()),
    protobuf("UInt32", codec.UNSIGNED32, pa.uint32()),
    protobuf("UInt64", codec.UNSIGNED64, pa.uint64()),
    protobuf("Int32", codec.PROTOBUF_INT32, pa.int32()),
    protobuf("Int64", codec.SIGNED64, pa.int64()),
    protobuf("SInt32", codec.ZIGZAG32, pa.int32()),
    protobuf("SInt64", codec.ZIGZAG64, pa.int64()),
]
FIXED = [
    Number("DataInput.readByte", codec.Fixed("int8"), pa.int8()),
    Number("DataInput.readUnsignedByte", codec.Fixed("uint8"), pa.uint8()),
    Number("DataInput.readShort", codec.Fixed("int16"), pa.int16()),
    Number("DataInput.readUnsignedShort", codec.Fixed("uint16"), pa.uint16()),
    Number("DataInput.readInt", codec.Fixed("int32"), pa.int32()),
    Number("DataInput.readLong", codec.Fixed("int64"), pa.int64()),
    Number("DataInput.readFloat", codec.Fixed("float32"), pa.float32()),
    Number("DataInput.readDouble", codec.Fixed("float64"), pa.float64()),
    protobuf("Fixed32", codec.Fixed("uint32", "little"), pa.uint32()),
    protobuf("Fixed64", codec.Fixed("uint64", "little"), pa.uint64()),
    protobuf("SFixed32", codec.Fixed("int32", "little"), pa.int32()),
    protobuf("SFixed64", codec.Fixed("int64", "little"), pa.int64()),
    protobuf("Float", codec.Fixed("float32", "little"), pa.float32()),
    protobuf("Double", codec.Fixed("float64", "little"), pa.float64()),
    Number("UUID", codec.Fixed("uuid"), pa.uuid()),
    Number("UUID.reversed", codec.Fixed("uuid", "little"), pa.uuid()),
]
ALL_ONES = (1 << 64) - 1
# Each byte as it is when another follows it: base 128, and the first of Hadoop's.
GOES_ON = bytes(byte | 0x80 for byte in range(256))
ODD = bytes(byte | 1 for byte in range(256))
HADOOP_FIRST = bytes(byte & 0x0F | 0x80 for byte in range(256))


def each(numbers: list[Number]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("number", numbers, ids=lambda number: number.form)


@each(VARINTS + FIXED)
def test_we_write_what_the_jvm_writes_and_read_it_back(number: Number, oracle: Oracle) -> None:
    drawn = draw(number.arrow, MANY if number in VARINTS else SOME)
    values = drawn.to_pylist()
    wires = [answer.made for answer in oracle.encode(number.form, told(drawn))]
    assert differing(values, [number.ours.encode(value) for value in values], wires) == []
    ends = map(len, wires)
    read = [number.ours.decode(wire) for wire in wires]
    assert differing(wires, read, zip(values, ends, strict=True)) == []
    assert number.ours.encode_all(drawn) == b"".join(wires)
    assert pa.array(number.ours.decode_all(b"".join(wires))).equals(drawn)


@each(VARINTS)
def test_of_any_bytes_we_read_what_the_jvm_reads_and_refuse_the_rest(
    number: Number, oracle: Oracle
) -> None:
    wires = hostile_varints(MANY)
    ours = [read_one(number.ours, wire, told_integer) for wire in wires]
    assert differing(wires, ours, oracle.decode(number.form, wires)) == []


def test_protobuf_java_takes_any_tenth_byte_for_a_one_and_we_read_its_lowest_bit(
    oracle: Oracle,
) -> None:
    wires = [b"\x80" * 9 + bytes([last]) for last in range(128)]
    answers = oracle.decode("CodedInputStream.readUInt64", wires)
    assert {int.from_bytes(answer.made) for answer in answers} == {1 << 63}
    read = [codec.UNSIGNED64.decode(wire) for wire in wires]
    assert read == [(0, 10), (1 << 63, 10)] * 64


@each(FIXED)
def test_any_bits_are_the_number_that_the_jvm_reads(number: Number, oracle: Oracle) -> None:
    width = number.ours.width
    random = seeded(width)
    wires = [random.randbytes(width) for _ in range(SOME)]
    theirs = [answer.made for answer in oracle.decode(number.form, wires)]
    ours = told(pa.array(number.ours.decode_all(b"".join(wires))))
    assert differing(wires, ours, theirs) == []


@each(FIXED)
def test_a_torn_number_is_refused_as_the_jvm_refuses_it(number: Number, oracle: Oracle) -> None:
    torn = [bytes(length) for length in range(number.ours.width)]
    assert {answer.took for answer in oracle.decode(number.form, torn)} == {ENDED}
    assert {read_one(number.ours, wire, bytes).took for wire in torn} == {ENDED}


@pytest.mark.parametrize(
    ("form", "ours", "quiet_nan"),
    [
        ("DataInput.readFloat", codec.Fixed("float32"), "7fc00000"),
        ("DataInput.readDouble", codec.Fixed("float64"), "7ff8000000000000"),
    ],
)
def test_java_writes_every_nan_alike_and_we_each_with_its_own_bits(
    form: str, ours: Any, quiet_nan: str, oracle: Oracle
) -> None:
    random = seeded(1)
    # The sign, the whole exponent, and a non-zero fraction.
    wires = [b"\x7f\xf8" + random.randbytes(ours.width - 2) for _ in range(100)]
    wires += [b"\xff" + wire[1:] for wire in wires]
    nans = pa.array(ours.decode_all(b"".join(wires)))
    written = oracle.encode(form, told(nans))
    assert {answer.made.hex() for answer in written} == {quiet_nan}
    assert ours.encode_all(nans) == b"".join(wires)


def draw(arrow: pa.DataType, count: int) -> Any:
    """Return random values of every size, and those at the edges of each number of bits."""
    random = np.random.default_rng(1)
    bits = random.integers(0, ALL_ONES, count, np.uint64, endpoint=True)
    if arrow == pa.uuid():
        halves = bits.tobytes()
        wholes = [halves[at : at + 16] for at in range(0, len(halves), 16)]
        return pa.ExtensionArray.from_storage(arrow, pa.array(wholes, pa.binary(16)))
    kind = np.dtype(arrow.to_pandas_dtype())
    if pa.types.is_floating(arrow):
        values = bits.view(kind)
        return pa.array(values[~np.isnan(values)])
    sizes = bits >> random.integers(0, 64, count, np.uint64)
    sizes[::2] = ~sizes[::2]
    edges = [sign * (1 << size) + by for size in range(65) for sign in (1, -1) for by in (-1, 0, 1)]
    edges += range(-300, 300)
    wrapped = np.array([edge & ALL_ONES for edge in edges], np.uint64)
    return pa.array(np.concatenate([wrapped, sizes]).astype(kind))


def told(values: Any) -> list[bytes]:
    """Return each value as the oracle prints it."""
    if values.type == pa.uuid():
        return [str(value).encode() for value in values.to_pylist()]
    array = values.to_numpy()
    if pa.types.is_floating(values.type):
        array = array.view(f"i{array.itemsize}")
    longs = array.astype(np.int64).astype(">i8").tobytes()
    return [longs[at : at + 8] for at in range(0, len(longs), 8)]


def told_integer(value: int) -> bytes:
    return (value & ALL_ONES).to_bytes(8)


@cache
def hostile_varints(count: int) -> list[bytes]:
    """Return varints that are too long, end too early, or overflow."""
    random = seeded(2)
    wires = [b""]
    for _ in range(count):
        wire = random.randbytes(random.randrange(13))
        until = random.randrange(len(wire) + 1)
        first = random.choice((GOES_ON, HADOOP_FIRST))
        wire = wire[:1].translate(first) + wire[1:until].translate(GOES_ON) + wire[until:]
        # protobuf-java reads any tenth byte as a one.
        wires.append(wire[:9] + wire[9:10].translate(ODD) + wire[10:])
    return wires
