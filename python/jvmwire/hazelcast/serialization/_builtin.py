"""Readers and writers of Hazelcast's built-in types, except those that Rust implements."""

import sys
from array import array
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import Any

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.errors import DecodeError
from jvmwire.hazelcast.serialization._data import UnknownType
from jvmwire.hazelcast.serialization._java_types import (
    BigInteger,
    BooleanArray,
    Byte,
    Char,
    CharArray,
    Float,
    HazelcastJsonValue,
    Integer,
    JavaClass,
    JavaEnum,
    LinkedList,
    Long,
    Short,
    StringArray,
)
from jvmwire.hazelcast.serialization._type_id import TypeId

Reader = Callable[[ObjectDataInput], Any]
Writer = tuple[int, Callable[[ObjectDataOutput, Any], None]]
Converter = Callable[[Any], Any]

MAX_UNSCALED = 1 << 16
"""Bytes of a BigDecimal's digits. (Chosen by jvmwire: converting more takes too long.)"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_EXACTLY = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def read_char(source: ObjectDataInput) -> str:
    """Read one UTF-16 unit."""
    return chr(source.read_char_code())


def write_char(sink: ObjectDataOutput, value: str) -> None:
    """Write one UTF-16 unit; `ValueError` unless the string is exactly one."""
    if len(value) != 1 or ord(value) > 0xFFFF:
        raise ValueError(f"{value!r} is not one UTF-16 unit")
    sink.write_char_code(ord(value))


def _order(big: bool) -> str:  # noqa: FBT001 - a fact of the service, passed on
    return "be" if big else "le"


class Builtins:
    """Readers by type id and writers by class, for one byte order."""

    def __init__(self, *, big_endian: bool, keep_types: bool) -> None:
        self._utf16 = f"utf-16-{_order(big_endian)}"
        self._swapped = big_endian != (sys.byteorder == "big")
        self.readers: dict[int, Reader] = {
            TypeId.CHAR: (lambda source: Char(read_char(source))) if keep_types else read_char,
            TypeId.BOOLEAN_ARRAY: read_booleans,
            TypeId.CHAR_ARRAY: self.read_chars,
            TypeId.SHORT_ARRAY: self._array_reader("h"),
            TypeId.INTEGER_ARRAY: self._array_reader("i"),
            TypeId.LONG_ARRAY: self._array_reader("q"),
            TypeId.FLOAT_ARRAY: self._array_reader("f"),
            TypeId.DOUBLE_ARRAY: self._array_reader("d"),
            TypeId.STRING_ARRAY: read_strings,
            TypeId.CLASS: _read_class,
            TypeId.DATE: _read_date,
            TypeId.BIG_INTEGER: _read_kept_big_integer if keep_types else read_big_integer,
            TypeId.BIG_DECIMAL: _read_big_decimal,
            TypeId.ENUM: lambda source: JavaEnum(_read_text(source), _read_text(source)),
            TypeId.LINKED_LIST: _read_linked_list,
            TypeId.JSON: _read_json,
        }
        self.writers: dict[type, Writer | Converter] = {
            Byte: (TypeId.BYTE, ObjectDataOutput.write_byte),
            Short: (TypeId.SHORT, ObjectDataOutput.write_short),
            Integer: (TypeId.INTEGER, ObjectDataOutput.write_int),
            Long: (TypeId.LONG, ObjectDataOutput.write_long),
            BigInteger: (TypeId.BIG_INTEGER, ObjectDataOutput.write_big_integer),
            Float: (TypeId.FLOAT, ObjectDataOutput.write_float),
            Char: (TypeId.CHAR, write_char),
            BooleanArray: (TypeId.BOOLEAN_ARRAY, _write_booleans),
            CharArray: (TypeId.CHAR_ARRAY, self.write_chars),
            StringArray: (TypeId.STRING_ARRAY, ObjectDataOutput.write_utf_array),
            JavaClass: (TypeId.CLASS, ObjectDataOutput.write_utf),
            datetime: (TypeId.DATE, _write_date),
            Decimal: (TypeId.BIG_DECIMAL, _write_big_decimal),
            JavaEnum: (TypeId.ENUM, _write_enum),
            LinkedList: (TypeId.LINKED_LIST, lambda sink, value: sink.write_list(value)),
            HazelcastJsonValue: (
                TypeId.JSON,
                lambda sink, value: sink.write_utf(value.to_string()),
            ),
            int: int.__int__,
            float: float.__float__,
            str: str.__str__,
            bytes: bytes,
            bytearray: bytes,
            memoryview: bytes,
            list: list,
            tuple: list,
        }
        self.kinds: dict[int, type] = {}
        if keep_types:
            self.kinds = {
                TypeId.BYTE: Byte,
                TypeId.SHORT: Short,
                TypeId.INTEGER: Integer,
                TypeId.LONG: Long,
                TypeId.FLOAT: Float,
            }

    def array_writer(self, values: "array[Any]") -> Writer | Converter:
        """Return the writer for arrays of a type code; `TypeError` if Java has no such array."""
        code, width = values.typecode, values.itemsize
        if code == "b":
            return bytes
        if code in "hilq":
            kind = {
                2: TypeId.SHORT_ARRAY,
                4: TypeId.INTEGER_ARRAY,
                8: TypeId.LONG_ARRAY,
            }[width]
        elif code in "fd":
            kind = TypeId.FLOAT_ARRAY if code == "f" else TypeId.DOUBLE_ARRAY
        else:
            raise TypeError(f"Java has no array of type code {code!r}")
        return kind, self.write_array

    def read_array(self, source: ObjectDataInput, code: str) -> "array[Any] | None":
        """Read a length-prefixed array of numbers; a null is None."""
        values = array(code)
        count = source.read_count(values.itemsize)
        if count is None:
            return None
        values.frombytes(source.read_bytes(count * values.itemsize))
        if self._swapped:
            values.byteswap()
        return values

    def write_array(self, sink: ObjectDataOutput, values: "array[Any] | None") -> None:
        """Write a length-prefixed array of numbers."""
        sink.write_count(None if values is None else len(values))
        if values:
            if self._swapped:
                values = values[:]
                values.byteswap()
            sink.write_bytes(values.tobytes())

    def _array_reader(self, code: str) -> Reader:
        return lambda source: self.read_array(source, code)

    def read_chars(self, source: ObjectDataInput) -> CharArray | None:
        """Read a length-prefixed array of UTF-16 units; a null is None."""
        count = source.read_count(2)
        if count is None:
            return None
        return CharArray(source.read_bytes(2 * count).decode(self._utf16, "surrogatepass"))

    def write_chars(self, sink: ObjectDataOutput, value: str | None) -> None:
        """Write a length-prefixed array of UTF-16 units."""
        if value is None:
            sink.write_count(None)
            return
        encoded = value.encode(self._utf16, "surrogatepass")
        sink.write_count(len(encoded) // 2)
        sink.write_bytes(encoded)


def read_big_integer(source: ObjectDataInput) -> int:
    """Read a length-prefixed big-endian two's complement integer."""
    return int.from_bytes(_digits(source), "big", signed=True)


def _read_kept_big_integer(source: ObjectDataInput) -> BigInteger:
    return BigInteger(read_big_integer(source))


def _digits(source: ObjectDataInput) -> bytes:
    position = source.position
    digits = source.read_byte_array()
    if not digits:
        raise DecodeError(
            f"BigInteger at offset {position}: it has no bytes", "BigInteger", position
        )
    return digits


def _read_big_decimal(source: ObjectDataInput) -> Decimal:
    position = source.position
    digits = _digits(source)
    scale = source.read_int()
    if len(digits) > MAX_UNSCALED:
        raise DecodeError(
            f"BigDecimal at offset {position}: {len(digits)} is over the limit of {MAX_UNSCALED}",
            "BigDecimal",
            position,
            len(digits),
        )
    return Decimal(int.from_bytes(digits, "big", signed=True)).scaleb(-scale, _EXACTLY)


def _write_big_decimal(sink: ObjectDataOutput, value: Decimal) -> None:
    _sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"no BigDecimal is {value}")  # noqa: TRY004 - a Decimal, but not finite
    unscaled = int(value.scaleb(-exponent, _EXACTLY)) if digits else 0
    if unscaled.bit_length() // 8 >= MAX_UNSCALED:
        raise ValueError(f"a BigDecimal of {len(digits)} digits is over the limit")
    sink.write_big_integer(unscaled)
    sink.write_int(-exponent)


def _read_date(source: ObjectDataInput) -> datetime:
    millis = source.read_long()
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        # Java's years go further than Python's.
        raise UnknownType(TypeId.DATE, f"{millis} ms") from None


def _write_date(sink: ObjectDataOutput, value: datetime) -> None:
    if value.tzinfo is None:
        raise ValueError(f"{value} has no time zone, and a Java Date is a point in time")
    sink.write_long((value - _EPOCH) // _MILLISECOND)


def read_booleans(source: ObjectDataInput) -> BooleanArray | None:
    """Read a length-prefixed array of one byte per boolean, true unless zero; a null is None."""
    flags = source.read_byte_array()
    return None if flags is None else BooleanArray(map(bool, flags))


def _write_booleans(sink: ObjectDataOutput, value: BooleanArray) -> None:
    sink.write_byte_array(bytes(map(bool, value)))


def read_strings(source: ObjectDataInput) -> StringArray | None:
    """Read a length-prefixed array of strings; a null is None."""
    texts = source.read_utf_array()
    return None if texts is None else StringArray(texts)


def _read_linked_list(source: ObjectDataInput) -> LinkedList | None:
    values = source.read_list()
    return None if values is None else LinkedList(values)


def _read_json(source: ObjectDataInput) -> HazelcastJsonValue:
    return HazelcastJsonValue(_read_text(source))


def _read_class(source: ObjectDataInput) -> JavaClass:
    return JavaClass(_read_text(source))


def _write_enum(sink: ObjectDataOutput, value: JavaEnum) -> None:
    sink.write_utf(value.class_name)
    sink.write_utf(str.__str__(value))


def _read_text(source: ObjectDataInput) -> str:
    position = source.position
    text = source.read_utf()
    if text is None:
        raise DecodeError(f"name at offset {position}: it is null", "name", position)
    return text
