"""Varints, one value at a time: base-128 (protobuf) and Hadoop's VLong."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LEN = 10
"""Maximum number of bytes for 64 bits."""


class Unsigned64:
    """Base-128, the low bits first."""

    @staticmethod
    def encode(value: int) -> bytes:
        if not 0 <= value < 1 << 64:
            raise ValueError(f"{value} is no uint64")
        return _encode(value)

    @staticmethod
    def decode(data: bytes, offset: int = 0) -> tuple[int, int]:
        return _decode(data, offset)

    @staticmethod
    def encode_all(values: Iterable[int]) -> bytes:
        return b"".join(map(Unsigned64.encode, values))

    @staticmethod
    def decode_all(data: bytes) -> array[int]:
        return _decode_all("Q", Unsigned64.decode, data)


class ZigZag64:
    """Base-128 of the value with its sign in the lowest bit."""

    @staticmethod
    def encode(value: int) -> bytes:
        if not -1 << 63 <= value < 1 << 63:
            raise ValueError(f"{value} is no int64")
        return _encode(value << 1 ^ value >> 63)

    @staticmethod
    def decode(data: bytes, offset: int = 0) -> tuple[int, int]:
        value, end = _decode(data, offset)
        return value >> 1 ^ -(value & 1), end

    @staticmethod
    def encode_all(values: Iterable[int]) -> bytes:
        return b"".join(map(ZigZag64.encode, values))

    @staticmethod
    def decode_all(data: bytes) -> array[int]:
        return _decode_all("q", ZigZag64.decode, data)


class ProtobufInt32:
    """Base-128 of the value sign-extended to 64 bits, as protobuf does."""

    @staticmethod
    def encode(value: int) -> bytes:
        if not -1 << 31 <= value < 1 << 31:
            raise ValueError(f"{value} is no int32")
        return _encode(value & (1 << 64) - 1)

    @staticmethod
    def decode(data: bytes, offset: int = 0) -> tuple[int, int]:
        value, end = _decode(data, offset)
        value &= (1 << 32) - 1
        return value - (value >> 31 << 32), end

    @staticmethod
    def encode_all(values: Iterable[int]) -> bytes:
        return b"".join(map(ProtobufInt32.encode, values))

    @staticmethod
    def decode_all(data: bytes) -> array[int]:
        return _decode_all("i", ProtobufInt32.decode, data)


class VLong:
    """Hadoop's `WritableUtils.writeVLong`: a byte; or sign and length in one, then the value."""

    @staticmethod
    def encode(value: int) -> bytes:
        if not -1 << 63 <= value < 1 << 63:
            raise ValueError(f"{value} is no int64")
        if -112 <= value <= 127:
            return (value & 0xFF).to_bytes(1)
        magnitude, base = (~value, -120) if value < 0 else (value, -112)
        length = (magnitude.bit_length() + 7) // 8
        return (base - length & 0xFF).to_bytes(1) + magnitude.to_bytes(length)

    @staticmethod
    def decode(data: bytes, offset: int = 0) -> tuple[int, int]:
        start = offset + 1
        if len(data) < start:
            raise _torn(offset)
        first = data[offset]
        if not 128 <= first < 144:
            return (first if first < 128 else first - 256), start
        negative = first < 136
        end = start + (136 if negative else 144) - first
        if end > len(data):
            raise _torn(offset)
        value = int.from_bytes(data[start:end])
        value -= value >> 63 << 64
        return (~value if negative else value), end

    @staticmethod
    def encode_all(values: Iterable[int]) -> bytes:
        return b"".join(map(VLong.encode, values))

    @staticmethod
    def decode_all(data: bytes) -> array[int]:
        return _decode_all("q", VLong.decode, data)


def _encode(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _decode(data: bytes, offset: int) -> tuple[int, int]:
    value = shift = 0
    for end, byte in enumerate(data[offset : offset + MAX_LEN], offset + 1):
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, end
        shift += 7
    if len(data) - offset < MAX_LEN:
        raise _torn(offset)
    raise DecodeError("the varint does not end", "varint", offset)


def _decode_all(kind: str, decode: Decode, data: bytes) -> array[int]:
    values = array(kind)
    offset = 0
    while offset < len(data):
        value, offset = decode(data, offset)
        values.append(value)
    return values


def _torn(offset: int) -> DecodeError:
    return DecodeError("the input ends in it", "varint", offset)


if TYPE_CHECKING:
    from collections.abc import Callable

    Decode = Callable[[bytes, int], tuple[int, int]]
