"""Codec for objects with versions and revisions, in the format of Pravega's `VersionedSerializer`.

A record is a format version, a type if there are several, a version, and the number of its
revisions: each is a number, a length and fields. Unknown revisions are skipped.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from jvmwire._core import Text
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 0
"""`VersionedSerializer.SERIALIZER_VERSION`."""
MAX_COMPACT_INT = (1 << 30) - 1
"""The largest count or length."""
MAX_COMPACT_LONG = (1 << 62) - 1
MAX_SIGNED_COMPACT_LONG = (1 << 61) - 1
MAX_UTF = (1 << 16) - 1
"""Bytes of a string, at most: `DataOutput.writeUTF`."""
_TEXT = Text("modified-utf-8", lossless=True)


class Source:
    """Cursor over bytes, which checks each read against the rest."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """The number of bytes that were not read yet."""
        return len(self._data) - self._at

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes.

        Raises:
            DecodeError: fewer bytes are left.
        """
        if size > self.left:
            raise DecodeError(f"{size} bytes expected at {self._at}, where {self.left} are left")
        self._at += size
        return self._data[self._at - size : self._at]

    def take_count(self) -> int:
        """Return the number of the elements that follow, each of at least one byte."""
        count: int = COMPACT_INT.read(self)
        if count > self.left:
            raise DecodeError(f"{count} elements expected, where {self.left} bytes are left")
        return count


class Format(Protocol):
    """Interface of the codec of a field."""

    def write(self, out: bytearray, value: Any) -> None:
        """Append a value."""

    def read(self, source: Source) -> Any:
        """Return the next value."""


@dataclass(frozen=True, slots=True)
class _Fixed:
    """A number of fixed size."""

    layout: struct.Struct

    def write(self, out: bytearray, value: Any) -> None:
        out += self.layout.pack(value)

    def read(self, source: Source) -> Any:
        return self.layout.unpack(source.take(self.layout.size))[0]


LONG = _Fixed(struct.Struct(">q"))
INT = _Fixed(struct.Struct(">i"))
BOOLEAN = _Fixed(struct.Struct(">?"))
DOUBLE = _Fixed(struct.Struct(">d"))


@dataclass(frozen=True, slots=True)
class _Compact:
    """A number whose first bits give its size in bytes."""

    sizes: Mapping[int, int]
    """The size in bytes by the value of these bits."""
    tag_bits: int
    signed: bool = False

    def write(self, out: bytearray, value: int) -> None:
        negative = value < 0
        if negative and self.signed:
            value = -value - 1
        for tag, size in self.sizes.items():
            bits = 8 * size - self._bits(tag, size)
            if 0 <= value < 1 << bits:
                prefix = tag << 8 * size - self._tag_width(tag) - self.signed
                sign = int(negative) << 8 * size - 1
                out += (value | prefix | sign).to_bytes(size, "big")
                return
        raise ValueError(f"{value} does not fit a compact number")

    def read(self, source: Source) -> int:
        first = source.take(1)
        head = first[0]
        negative = self.signed and head >= 0x80
        tag = (head >> 8 - self.tag_bits - self.signed) & (1 << self.tag_bits) - 1
        if tag not in self.sizes:  # a single bit is enough
            tag = 0
        size = self.sizes[tag]
        value = int.from_bytes(first + source.take(size - 1), "big")
        value &= (1 << 8 * size - self._bits(tag, size)) - 1
        return -value - 1 if negative else value

    def _tag_width(self, tag: int) -> int:
        return self.tag_bits if tag or len(self.sizes) == 1 << self.tag_bits else 1

    def _bits(self, tag: int, size: int) -> int:  # noqa: ARG002 - by the tag alone
        return self._tag_width(tag) + self.signed


COMPACT_INT = _Compact({0: 1, 2: 2, 3: 4}, 2)
COMPACT_LONG = _Compact({0: 1, 1: 2, 2: 4, 3: 8}, 2)
SIGNED_COMPACT_LONG = _Compact({0: 1, 1: 2, 2: 4, 3: 8}, 2, signed=True)


class _Utf:
    def write(self, out: bytearray, value: str) -> None:
        data = _TEXT.encode(value)
        if len(data) > MAX_UTF:
            raise ValueError(f"a text of {len(data)} bytes is over Java's limit of {MAX_UTF}")
        out += len(data).to_bytes(2, "big") + data

    def read(self, source: Source) -> str:
        return _TEXT.decode(source.take(int.from_bytes(source.take(2), "big")))


class _Bytes:
    def write(self, out: bytearray, value: bytes) -> None:
        COMPACT_INT.write(out, len(value))
        out += value

    def read(self, source: Source) -> bytes:
        return source.take(COMPACT_INT.read(source))


class _Uuid:
    def write(self, out: bytearray, value: UUID) -> None:
        out += value.bytes

    def read(self, source: Source) -> UUID:
        return UUID(bytes=source.take(16))


class _Range:
    """A range of routing positions; None is written as two -1 (`ReaderGroupState.writeRange`)."""

    def write(self, out: bytearray, value: tuple[float, float] | None) -> None:
        for each in value or (-1.0, -1.0):
            DOUBLE.write(out, each)

    def read(self, source: Source) -> tuple[float, float] | None:
        low, high = DOUBLE.read(source), DOUBLE.read(source)
        return (low, high) if low >= 0 and high >= 0 else None


UTF = _Utf()
BYTES = _Bytes()
UUIDS = _Uuid()
RANGE = _Range()


@dataclass(frozen=True, slots=True)
class PairOf:
    """Two values, one after the other."""

    first: Format
    second: Format

    def write(self, out: bytearray, value: tuple[Any, Any]) -> None:
        """Append a value."""
        self.first.write(out, value[0])
        self.second.write(out, value[1])

    def read(self, source: Source) -> tuple[Any, Any]:
        """Return the next value."""
        return self.first.read(source), self.second.read(source)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A count, followed by that many values."""

    element: Format

    def write(self, out: bytearray, value: Any) -> None:
        """Append a value."""
        COMPACT_INT.write(out, len(value))
        for each in value:
            self.element.write(out, each)

    def read(self, source: Source) -> list[Any]:
        """Return the next value."""
        return [self.element.read(source) for _ in range(source.take_count())]


@dataclass(frozen=True, slots=True)
class MapOf:
    """A count, followed by that many pairs of key and value."""

    key: Format
    value: Format

    def write(self, out: bytearray, value: Mapping[Any, Any]) -> None:
        """Append a value."""
        COMPACT_INT.write(out, len(value))
        for key, each in value.items():
            self.key.write(out, key)
            self.value.write(out, each)

    def read(self, source: Source) -> dict[Any, Any]:
        """Return the next value."""
        count = source.take_count()
        return {self.key.read(source): self.value.read(source) for _ in range(count)}


Revision = tuple[tuple[str, Format], ...]


@dataclass(frozen=True)
class RecordFormat:
    """Fields of an object by revision; the later one counts if two have the same field."""

    revisions: tuple[Revision, ...]
    version: int = 0
    """The version that is written."""
    older: Mapping[int, tuple[Revision, ...]] = field(default_factory=dict)
    """Older versions that can be read."""

    def encode(self, fields: Mapping[str, Any], kind: int | None = None) -> bytes:
        """Encode a record; `kind` is its type if there are several."""
        out = bytearray([FORMAT] if kind is None else [FORMAT, kind])
        out += bytes([self.version, len(self.revisions)])
        for number, revision in enumerate(self.revisions):
            part = bytearray()
            for name, layout in revision:
                layout.write(part, fields[name])
            out.append(number)
            out += len(part).to_bytes(4, "big") + part
        return bytes(out)

    def decode(self, data: bytes) -> dict[str, Any]:
        """Decode the fields of a record without a type.

        Raises:
            DecodeError: the bytes are not such a record, or have a later version.
        """
        source = Source(data)
        take_format(source)
        return self.decode_contents(source)

    def decode_contents(self, source: Source) -> dict[str, Any]:
        """Decode the fields of a record after its format version and type."""
        version, count = source.take(2)
        known = self.revisions if version == self.version else self.older.get(version)
        if known is None:
            raise DecodeError(f"version {version} is not known: expected {self.version}")
        fields: dict[str, Any] = {}
        for index in range(count):
            number = source.take(1)[0]
            part = Source(source.take(int.from_bytes(source.take(4), "big")))
            if index >= len(known):
                continue  # a revision of a later Pravega
            if number != index:
                raise DecodeError(f"revision {number}, where {index} was expected")
            for name, layout in known[index]:
                fields[name] = layout.read(part)
        return fields


@dataclass(frozen=True, slots=True)
class Nested:
    """A record in another record, preceded by its length."""

    record: RecordFormat

    def write(self, out: bytearray, value: Mapping[str, Any]) -> None:
        """Append a value."""
        BYTES.write(out, self.record.encode(value))

    def read(self, source: Source) -> dict[str, Any]:
        """Return the next value."""
        return self.record.decode(BYTES.read(source))


@dataclass(frozen=True, slots=True)
class Inline:
    """A record in another record, without its length."""

    record: RecordFormat

    def write(self, out: bytearray, value: Mapping[str, Any]) -> None:
        """Append a value."""
        out += self.record.encode(value)

    def read(self, source: Source) -> dict[str, Any]:
        """Return the next value."""
        take_format(source)
        return self.record.decode_contents(source)


def take_format(source: Source) -> None:
    """Read the format version.

    Raises:
        DecodeError: the version is not 0, the only one.
    """
    if (found := source.take(1)[0]) != FORMAT:
        raise DecodeError(f"format version {found} is not known: expected {FORMAT}")
