"""Values beside Hazelcast's own serialization service, byte by byte, both ways."""

from array import array
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from jvmwire.hazelcast.serialization import (
    BigInteger,
    BooleanArray,
    Byte,
    Char,
    CharArray,
    Data,
    Float,
    HazelcastJsonValue,
    Integer,
    JavaClass,
    JavaEnum,
    LinkedList,
    Long,
    SerializationService,
    Short,
    StringArray,
    TypeId,
)
from kit.depth import times
from kit.hazelcast_data import Sample, Values, kept, told

COUNT = times(8_000)
ORDERS = pytest.mark.parametrize("byte_order", ["big", "little"])

OURS = [
    None,
    True,
    False,
    0,
    -1,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**63 - 1,
    2**63,
    -(2**63),
    -(2**63) - 1,
    2**4000,
    127,
    128,
    -128,
    -129,
    BigInteger(127),
    BigInteger(128),
    BigInteger(-128),
    BigInteger(-129),
    BigInteger(0),
    1.5,
    float("nan"),
    float("-inf"),
    "",
    "\0",
    "caf\xe9 \u6c34 \U0001f600",
    "\ud83d",
    "a" * 100_000,
    b"",
    b"\0\xff",
    bytearray(b"ab"),
    memoryview(b"ab"),
    [],
    [1, "a", None, [b"x", [True]]],
    (1, 2),
    array("b", [1, -1]),
    array("h", [1, -1]),
    array("i", [1, -1]),
    array("q", [1, -1]),
    array("l", [1, -1]),
    array("f", [1.5]),
    array("d", [1.5]),
    Byte(-128),
    Short(-32768),
    Integer(5),
    Long(5),
    Float(1.1),
    Char("\u6c34"),
    Char("\ud83d"),
    CharArray("a\U0001f600\ud800"),
    BooleanArray([True, False]),
    StringArray(["a", None, ""]),
    LinkedList([1, None]),
    datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
    Decimal("1.50"),
    Decimal("-1E+20"),
    Decimal("0"),
    Decimal(10) ** 400,
    JavaClass("java.lang.String"),
    JavaEnum("java.util.concurrent.TimeUnit", "DAYS"),
    HazelcastJsonValue({"a": [1, None, "\xe9"]}),
    HazelcastJsonValue("[]"),
    Sample(7, "text", [Sample(8, None, None)]),
]


@ORDERS
def test_what_java_writes_we_read_and_write_back_to_the_byte(
    byte_order: str, hazelcast_values: Values
):
    service = kept(byte_order)
    theirs = hazelcast_values.write(5, COUNT, byte_order)
    values = service.to_object_all([java.data for java in theirs])
    for java, value in zip(theirs, values, strict=True):
        if isinstance(value, Data):
            # Java's own serialization, somewhere within.
            assert value.find(b"\xac\xed\0\5") > 0
        else:
            assert told(value) == java.told
        assert service.to_data(value) == java.data
        assert service.partition_hash(java.data) == java.partition_hash
    kinds = {java.told.split(":")[0].split("[")[0] for java in theirs}
    assert len(kinds) >= 19


@ORDERS
def test_what_we_write_java_reads_and_writes_back_to_the_byte(
    byte_order: str, hazelcast_values: Values
):
    service = kept(byte_order)
    ours = [service.to_data(value) for value in OURS]
    theirs = hazelcast_values.read(ours, byte_order)
    for data, java in zip(ours, theirs, strict=True):
        assert java.told == told(service.to_object(data))
        assert java.partition_hash == service.partition_hash(data)
        if Data(data).type_id != TypeId.ENUM:
            # Java reads that type, and writes a Serializable.
            assert java.data == data


def test_an_int_is_of_the_first_type_that_holds_it(hazelcast_values: Values):
    service = SerializationService()
    numbers = [2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**31), -(2**31) - 1, -(2**63), -(2**63) - 1]
    theirs = hazelcast_values.read([service.to_data(number) for number in numbers])
    assert [java.told.split(":")[0] for java in theirs] == [
        *("Integer", "Long", "Long", "BigInteger"),
        *("Integer", "Long", "Long", "BigInteger"),
    ]


def test_java_refuses_whatever_we_refuse_of_cut_values(hazelcast_values: Values):
    service = kept()
    data = service.to_data([1, "a", 2**70, Decimal("1.5"), array("q", [1, 2]), StringArray(["b"])])
    cuts = [data[:end] for end in range(8, len(data))]
    for java, cut in zip(hazelcast_values.read(cuts), cuts, strict=True):
        assert java.told.startswith("!")
        with pytest.raises(ValueError, match="offset"):
            service.to_object(cut)
