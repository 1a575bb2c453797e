"""Values of the Writable engine: Java's types for annotations, `Writable`s, enumerations.

`Boolean`, `Byte`, ... `Double` say which of Java's primitive types a Python number is. Strings are
`str`, `byte[]` is `bytes`, other arrays are lists, null is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar

from jvmwire._core import HadoopDataInput, HadoopDataOutput, JavaClass, decode_object
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Boolean = Annotated[bool, JavaClass("boolean")]
Byte = Annotated[int, JavaClass("byte")]
Char = Annotated[str, JavaClass("char")]
"""A unit of UTF-16, as text of one character."""
Short = Annotated[int, JavaClass("short")]
Int = Annotated[int, JavaClass("int")]
Long = Annotated[int, JavaClass("long")]
Float = Annotated[float, JavaClass("float")]
Double = Annotated[float, JavaClass("double")]

CLASSES: dict[str, type[Any]] = {}
"""Python's classes by Java's: what may come over the wire."""

EnumT = TypeVar("EnumT", bound=type[Enum])


def _remember(java_class: str, known_as: type[Any]) -> None:
    known = CLASSES.setdefault(java_class, known_as)
    if (known.__module__, known.__qualname__) != (known_as.__module__, known_as.__qualname__):
        raise ConfigError(
            f"{java_class} is {known.__qualname__} already, not {known_as.__qualname__}"
        )
    CLASSES[java_class] = known_as


def java_enum(java_class: str) -> Callable[[EnumT], EnumT]:
    """Make an enumeration stand for Java's `java_class`: their constants have the same names."""

    def named(kind: EnumT) -> EnumT:
        kind.java_class = java_class  # type: ignore[attr-defined]  # no constant is called so
        _remember(java_class, kind)
        return kind

    return named


class Writable:
    """A value that writes its own fields, of the Java class that its Python class names.

    `class Point(Writable, java_class="com.example.Point")` is what such values are read into.
    """

    java_class: ClassVar[str] = "org.apache.hadoop.io.Writable"

    def __init_subclass__(cls, *, java_class: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if java_class is not None:
            cls.java_class = java_class
            _remember(java_class, cls)

    def write(self, out: HadoopDataOutput) -> None:
        """Write the fields, in the order in which Java's `write` does."""
        out.write_writable(self)

    @classmethod
    def read(cls, source: HadoopDataInput) -> Self:
        """Read what `write` wrote: `readFields`."""
        value: Self = source.read_writable(cls.java_class)
        return value


_IO = "org.apache.hadoop.io."


@dataclass(frozen=True)
class BooleanWritable(Writable, java_class=_IO + "BooleanWritable"):
    """A `boolean`."""

    value: bool


@dataclass(frozen=True)
class ByteWritable(Writable, java_class=_IO + "ByteWritable"):
    """A `byte`."""

    value: int


@dataclass(frozen=True)
class ShortWritable(Writable, java_class=_IO + "ShortWritable"):
    """A `short`."""

    value: int


@dataclass(frozen=True)
class IntWritable(Writable, java_class=_IO + "IntWritable"):
    """An `int`."""

    value: int


@dataclass(frozen=True)
class LongWritable(Writable, java_class=_IO + "LongWritable"):
    """A `long`."""

    value: int


@dataclass(frozen=True)
class VIntWritable(Writable, java_class=_IO + "VIntWritable"):
    """An `int` of as many bytes as it needs."""

    value: int


@dataclass(frozen=True)
class VLongWritable(Writable, java_class=_IO + "VLongWritable"):
    """A `long` of as many bytes as it needs."""

    value: int


@dataclass(frozen=True)
class FloatWritable(Writable, java_class=_IO + "FloatWritable"):
    """A `float`."""

    value: float


@dataclass(frozen=True)
class DoubleWritable(Writable, java_class=_IO + "DoubleWritable"):
    """A `double`."""

    value: float


@dataclass(frozen=True)
class Text(Writable, java_class=_IO + "Text"):
    """Text of any length."""

    value: str

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class BytesWritable(Writable, java_class=_IO + "BytesWritable"):
    """Bytes."""

    value: bytes


@dataclass(frozen=True)
class NullWritable(Writable, java_class=_IO + "NullWritable"):
    """Nothing, which is not null."""


@dataclass(frozen=True)
class MD5Hash(Writable, java_class=_IO + "MD5Hash"):
    """A digest of 16 bytes."""

    value: bytes


@dataclass(frozen=True)
class MapWritable(Writable, java_class=_IO + "MapWritable"):
    """`Writable`s by `Writable`s."""

    value: Mapping[Writable, Writable]


@dataclass(frozen=True)
class SortedMapWritable(Writable, java_class=_IO + "SortedMapWritable"):
    """`Writable`s by `Writable`s, which Java keeps in order."""

    value: Mapping[Writable, Writable]


@dataclass(frozen=True)
class ProtocolSignature(Writable, java_class="org.apache.hadoop.ipc.ProtocolSignature"):
    """What version of a protocol is served; the hashes of its methods if the asker's differ."""

    version: int
    methods: list[int] | None = None


def decode(data: bytes) -> Any:
    """Return the value of an `ObjectWritable` that is all of `data`.

    Raises:
        DecodeError: it is none, or of a class that is not known here.
    """
    return decode_object(data, CLASSES)[1]
