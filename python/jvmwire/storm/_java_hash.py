"""Java hash codes of values that Storm parses from JSON, for the fields grouping."""

from __future__ import annotations

import struct
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_DOUBLE: Final = 18
"""Characters of a fractional number that becomes a Double; a longer one is a BigDecimal.

Source: net.minidev.json.parser.JSONParserBase.extractFloat, in its permissive mode.
"""

_MASK: Final = (1 << 32) - 1
_INT: Final = range(-(1 << 31), 1 << 31)
_LONG: Final = range(-(1 << 63), 1 << 63)


class JsonFloat(float):
    """A float with the text from which it was parsed."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> JsonFloat:
        """Parse a float, and keep its text."""
        made = super().__new__(cls, text)
        made.text = text
        return made


def hash_list(values: Iterable[Any]) -> int:
    """Return the `Arrays.deepHashCode` of values, which is also their `List.hashCode`."""
    return _signed(_combine(map(hash_code, values), 1))


def hash_code(value: Any) -> int:
    """Return the `hashCode` of a value as Storm parses it; that of null is 0.

    Args:
        value: A result of `json.loads` with `JsonFloat` as its `parse_float`.
    """
    match value:
        case None:
            return 0
        case bool():
            return 1231 if value else 1237
        case int():
            return _hash_integer(value)
        case float():
            return _hash_float(value)
        case str():
            units = memoryview(value.encode("utf-16-le", "surrogatepass")).cast("H")
            return _signed(_combine(units, 0))
        case list():
            return hash_list(value)
        case dict():
            return _signed(sum(hash_code(name) ^ hash_code(of) for name, of in value.items()))
        case _:
            raise TypeError(f"{value!r} is not a value that JSON has")


def hash_bytes(data: bytes) -> int:
    """Return the `Arrays.hashCode` of bytes."""
    return _signed(_combine(struct.unpack(f"{len(data)}b", data), 1))


def _hash_integer(value: int) -> int:
    if value in _INT:
        return value
    if value in _LONG:
        return _hash_bits(value & ((1 << 64) - 1))
    return _hash_big(value)


def _hash_float(value: float) -> int:
    text = value.text if isinstance(value, JsonFloat) else repr(value)
    if len(text) > LONGEST_DOUBLE:
        mantissa, _, power = text.lower().partition("e")
        whole, _, fraction = mantissa.partition(".")
        scale = len(fraction) - int(power or 0)
        return _signed(31 * _hash_big(int(whole + fraction)) + scale)
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return _hash_bits(bits)


def _hash_bits(bits: int) -> int:
    return _signed(bits ^ (bits >> 32))


def _hash_big(value: int) -> int:
    """Return BigInteger's hash code: of its magnitude in words of 32 bits, with its sign."""
    magnitude = abs(value)
    size = -(-magnitude.bit_length() // 32)
    pieces = struct.unpack(f">{size}I", magnitude.to_bytes(4 * size, "big"))
    hashed = _signed(_combine(pieces, 0))
    return _signed(-hashed) if value < 0 else hashed


def _combine(hashes: Iterable[int], start: int) -> int:
    return reduce(lambda total, one: (31 * total + one) & _MASK, hashes, start)


def _signed(value: int) -> int:
    value &= _MASK
    return value - (1 << 32) if value >> 31 else value
