"""Values against Hazelcast's own serialization service, byte by byte, both ways."""

import zipfile
from array import array
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from jvmwire import codec
from jvmwire._core import hazelcast_hash64
from jvmwire.errors import DecodeError
from jvmwire.hazelcast import aggregators, projections
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
    PortableReader,
    PortableWriter,
    SerializationService,
    Short,
    StringArray,
    TypeId,
)
from kit.hazelcast_data import Fields, Inner, Sample, Values, kept, told
from kit.jvm import PEERS
from kit.scale import times

COUNT = times(2_700)
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
        assert hazelcast_hash64(java.data) == java.hash64
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
        assert java.hash64 == hazelcast_hash64(data)
        if Data(data).type_id != TypeId.ENUM:
            # Java reads that type, and writes a Serializable.
            assert java.data == data


@ORDERS
def test_portables_cross_with_a_field_of_every_type(byte_order: str, hazelcast_values: Values):
    service = kept(byte_order)
    values = [
        *(-1, True, "\u6c34", -2, -3, 2**40, 1.5, -0.0, "caf\xe9\U0001f600"),
        *(Inner(5, "inner"), b"ab", [True, False], "ab", [1, -1], [2], [3, 4]),
        *([1.5], [2.5], ["a", None], [Inner(1, "a"), Inner(2, None)]),
    ]
    nothing = [*(0, False, "\0", 0, 0, 0, 0.0, 0.0, None), None, *[None] * 10]
    empty: list[object] = [*nothing[:10], b"", [], "", [], [], [], [], [], [], []]
    ours = [Fields(values, [1, "raw"]), Fields(nothing), Fields(empty), Fields(values, Inner(9))]
    datas = [service.to_data(one) for one in ours] + [service.to_data(ours), service.to_data(ours)]
    for data, java in zip(datas, hazelcast_values.read(datas, byte_order), strict=True):
        assert java.told == told(service.to_object(data))
        assert java.data == data


def test_a_member_reads_a_portable_of_another_version(hazelcast_values: Values):
    class Newer(Inner):
        class_version = 4

        def write_portable(self, writer: PortableWriter) -> None:
            writer.write_short("number", self.number)
            writer.write_double("more", 1.5)

    class Narrow(Inner):
        class_version = 5

        def read_portable(self, reader: PortableReader) -> None:
            assert (reader.version, reader.field_names) == (4, ["number", "more"])
            self.number = reader.read_long("number")
            self.text = reader.read_utf("text")
            assert reader.read_double("more") == 1.5
            with pytest.raises(DecodeError, match="it is DOUBLE and not INT"):
                reader.read_int("more")

    data = kept().to_data(Newer(7))
    [java] = hazelcast_values.read([data])
    assert java.told == "Inner{7,null}"
    assert str(kept().to_object(data)) == "Inner{7,null}"
    service = SerializationService(portable_factories={8: {2: Narrow}})
    assert str(service.to_object(data)) == "Inner{7,null}"


@pytest.mark.parametrize(
    "told_to_members",
    [kind("number") for kind in aggregators.Aggregator.__subclasses__()]
    + [aggregators.Count(), aggregators.Max()]
    + [
        projections.SingleAttribute("a"),
        projections.MultiAttribute("a", "b"),
        projections.Identity(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_members_read_what_they_are_told_to_do(told_to_members: object, hazelcast_values: Values):
    service = SerializationService()
    data = service.to_data(told_to_members)
    [java] = hazelcast_values.read([data])
    name = type(told_to_members).__name__
    renamed = {"FixedPointSum": "FixedSum", "Distinct": "DistinctValues"}.get(name, name)
    kind = "Projection" if isinstance(told_to_members, projections.Projection) else "Aggregator"
    assert java.told.startswith(f"{renamed}{kind}:")
    assert java.data == data


def test_the_values_of_the_vendors_compatibility_tests_come_back_to_the_byte(
    hazelcast_values: Values,
):
    # A name in modified UTF-8, then a length, -1 for a null, and so many bytes; repeated.
    jar = PEERS / "codec" / "target" / "lib" / "hazelcast-3.12.13-tests.jar"
    with zipfile.ZipFile(jar) as entries:
        rest = entries.read("1.serialization.compatibility.binary")
    names = set()
    while rest:
        name, at = codec.JAVA_UTF.decode(rest)
        assert name is not None
        length = int.from_bytes(rest[at : at + 4], "big", signed=True)
        data = rest[at + 4 : at + 4 + length] if length >= 0 else None
        rest = rest[at + 4 + max(length, 0) :]
        service = kept("little" if name.endswith("LITTLE_ENDIAN") else "big")
        value = service.to_object(data)
        assert (value is None) == (data is None)
        assert data is None or service.to_data(value) == data
        if type(value) is Data:
            assert any(word in name for word in ("An", "AP", "AJ", "Custom", "Event", "List"))
        names.add(name.split("-")[1])
    assert len(names) == 33


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
