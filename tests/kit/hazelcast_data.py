"""Values written and read by Hazelcast's own serialization: tests/peers/codec, Values.java."""

from array import array
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import accumulate, pairwise
from pathlib import Path
from struct import pack, unpack, unpack_from
from typing import Any, NamedTuple

from jvmwire.hazelcast.serialization import (
    BigInteger,
    BooleanArray,
    Byte,
    Char,
    CharArray,
    Float,
    HazelcastJsonValue,
    IdentifiedDataSerializable,
    Integer,
    JavaClass,
    JavaEnum,
    LinkedList,
    Long,
    ObjectDataInput,
    ObjectDataOutput,
    Portable,
    PortableReader,
    PortableWriter,
    SerializationService,
    Short,
    StringArray,
)

from .jvm import Program
from .peer import Peer

TIMEOUT = 60.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class JavaValue(NamedTuple):
    """A value in Hazelcast's serialized form."""

    data: bytes
    told: str
    partition_hash: int
    hash64: int


class Values(Peer):
    """A JVM with Hazelcast's serialization service."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            Program(module="codec", main="jvmwire.peers.codec.Values", directory=directory)
        )

    def write(self, seed: int, count: int, byte_order: str = "big") -> list[JavaValue]:
        """Have Java write values of all types."""
        return self._answers(f"write {seed} {count} {byte_order}")

    def read(self, datas: Sequence[bytes], byte_order: str = "big") -> list[JavaValue]:
        """Have Java read each value, and write it again."""
        count = len(datas)
        header = pack(f">{1 + count}i", count, *map(len, datas))
        (self.program.directory / "request").write_bytes(header + b"".join(datas))
        return self._answers(f"read {byte_order}")

    def _answers(self, command: str) -> list[JavaValue]:
        count = int(self.ask(command, timeout=TIMEOUT).split()[1])
        reply = (self.program.directory / "reply").read_bytes()
        lengths = unpack_from(f">{count}i", reply, 4 + 4 * count)
        places = pairwise(accumulate(lengths, initial=4 + 8 * count))
        parts = [reply[start:end] for start, end in places]
        return [
            JavaValue(data, told.decode(), *unpack(">iq", hashed))
            for data, told, hashed in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        ]


def told(value: Any) -> str:
    """Describe a value, read with `keep_types`, in the form of Told.java."""
    match value:
        case None:
            return "null"
        case bool():
            return f"Boolean:{str(value).lower()}"
        case Byte() | Short() | Integer() | Long() | BigInteger():
            return f"{type(value).__name__}:{int(value)}"
        case Float():
            return f"Float:{_hex(_canonical(pack('>f', value)))}"
        case float():
            return f"Double:{_hex(_canonical(pack('>d', value)))}"
        case Char():
            return f"Character:{_units(value)}"
        case CharArray():
            units = value.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
            return _array("char", [f"Character:{unit}" for unit in units])
        case JavaClass():
            return f"Class:{value!s}"
        case JavaEnum():
            return f"Enum:{value.class_name}:{value!s}"
        case str():
            return f"String:{_units(value)}"
        case bytes():
            signed = unpack(f"{len(value)}b", value)
            return _array("byte", [f"Byte:{byte}" for byte in signed])
        case BooleanArray():
            return _array("boolean", map(told, value))
        case StringArray():
            return _array("String", map(told, value))
        case array():
            name, kind = _ARRAYS[value.typecode]
            return _array(name, [told(kind(each)) for each in value])
        case LinkedList() | list():
            name = "LinkedList" if isinstance(value, LinkedList) else "ArrayList"
            return f"{name}[{';'.join(map(told, value))}]"
        case datetime():
            return f"Date:{(value - _EPOCH) // timedelta(milliseconds=1)}"
        case Decimal():
            sign, digits, exponent = value.as_tuple()
            assert isinstance(exponent, int)
            unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
            return f"BigDecimal:{unscaled}:{-exponent}"
        case HazelcastJsonValue():
            return f"Json:{_units(value.to_string())}"
    return str(value)


_ARRAYS: dict[str, tuple[str, type]] = {
    "h": ("short", Short),
    "i": ("int", Integer),
    "q": ("long", Long),
    "f": ("float", Float),
    "d": ("double", float),
}


def _array(name: str, parts: Any) -> str:
    return f"{name}[][{', '.join(parts)}]"


def _units(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex()


def _canonical(bits: bytes) -> bytes:
    number = unpack(">f" if len(bits) == 4 else ">d", bits)[0]
    if number == number:
        return bits
    return bytes.fromhex("7fc00000" if len(bits) == 4 else "7ff8000000000000")


def _hex(bits: bytes) -> str:
    return f"{int.from_bytes(bits, 'big'):x}"


class Sample(IdentifiedDataSerializable):
    """The Python counterpart of Sample.java."""

    factory_id = 7
    class_id = 1

    def __init__(self, number: int = 0, text: str | None = None, value: object = None) -> None:
        self.number = number
        self.text = text
        self.value = value

    def write_data(self, output: ObjectDataOutput) -> None:
        output.write_int(self.number)
        output.write_utf(self.text)
        output.write_object(self.value)

    def read_data(self, source: ObjectDataInput) -> None:
        self.number = source.read_int()
        self.text = source.read_utf()
        self.value = source.read_object()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sample) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.number, self.text))

    def __str__(self) -> str:
        return f"Sample{{{self.number},{told(self.text)},{told(self.value)}}}"


class Inner(Portable):
    """The Python counterpart of Fields.Inner."""

    factory_id = 8
    class_id = 2
    class_version = 3

    def __init__(self, number: int = 0, text: str | None = None) -> None:
        self.number = number
        self.text = text

    def write_portable(self, writer: PortableWriter) -> None:
        writer.write_int("number", self.number)
        writer.write_utf("text", self.text)

    def read_portable(self, reader: PortableReader) -> None:
        self.number = reader.read_int("number")
        self.text = reader.read_utf("text")

    def __str__(self) -> str:
        return f"Inner{{{self.number},{told(self.text)}}}"


class Fields(Portable):
    """The Python counterpart of Fields.java: a field of every type."""

    factory_id = 8
    class_id = 1

    def __init__(self, values: Sequence[Any] = (), raw: object = None) -> None:
        self.values = values
        self.raw = raw

    def write_portable(self, writer: PortableWriter) -> None:
        for (name, kind), value in zip(FIELDS, self.values, strict=True):
            if kind == "portable" and value is None:
                writer.write_null_portable(name, Inner.factory_id, Inner.class_id)
            else:
                getattr(writer, f"write_{kind}")(name, value)
        writer.raw_data_output().write_object(self.raw)

    def read_portable(self, reader: PortableReader) -> None:
        self.values = [getattr(reader, f"read_{kind}")(name) for name, kind in FIELDS]
        self.raw = reader.raw_data_input().read_object()

    def __str__(self) -> str:
        types = [Byte, bool, Char, Short, Integer, Long, Float, float, *[None] * 12]
        values = [
            told(value if kind is None else kind(value))
            for kind, value in zip(types, self.values, strict=True)
        ]
        inner = self.values[-1]
        values[-1] = "null" if inner is None else _array("Portable", map(told, inner))
        return f"Fields{{{','.join([*values, told(self.raw)])}}}"


FIELDS = (
    *(("byte", "byte"), ("boolean", "boolean"), ("char", "char"), ("short", "short")),
    *(("int", "int"), ("long", "long"), ("float", "float"), ("double", "double")),
    *(("utf", "utf"), ("portable", "portable"), ("bytes", "byte_array")),
    *(("booleans", "boolean_array"), ("chars", "char_array"), ("shorts", "short_array")),
    *(("ints", "int_array"), ("longs", "long_array"), ("floats", "float_array")),
    *(("doubles", "double_array"), ("utfs", "utf_array"), ("portables", "portable_array")),
)
"""The name of each field, and the names of the methods that write and read it."""


def kept(byte_order: str = "big") -> SerializationService:
    """Return a service that writes the values it reads back as the same bytes."""
    return SerializationService(
        byte_order="big" if byte_order == "big" else "little",
        keep_types=True,
        data_serializable_factories={Sample.factory_id: {Sample.class_id: Sample}},
        portable_factories={8: {Fields.class_id: Fields, Inner.class_id: Inner}},
    )
