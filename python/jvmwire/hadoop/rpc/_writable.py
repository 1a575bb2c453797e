"""Values of the Writable engine: Java's types for annotations, `Writable` classes, enumerations.

`Boolean`, `Byte`, ... `Double` annotate Python numbers with Java's primitive types. `String` is
`str`, `byte[]` is `bytes`, other arrays are lists, and null is None.
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
"""A UTF-16 code unit, as a text of one character."""
Short = Annotated[int, JavaClass("short")]
Int = Annotated[int, JavaClass("int")]
Long = Annotated[int, JavaClass("long")]
Float = Annotated[float, JavaClass("float")]
Double = Annotated[float, JavaClass("double")]

CLASSES: dict[str, type[Any]] = {}
"""The Python classes by the names of their Java classes: the classes that may be decoded."""

EnumT = TypeVar("EnumT", bound=type[Enum])


def _remember(java_class: str, known_as: type[Any]) -> None:
    known = CLASSES.setdefault(java_class, known_as)
    if (known.__module__, known.__qualname__) != (known_as.__module__, known_as.__qualname__):
        raise ConfigError(
            f"{java_class} is {known.__qualname__} already, not {known_as.__qualname__}"
        )
    CLASSES[java_class] = known_as


def java_enum(java_class: str) -> Callable[[EnumT], EnumT]:
    """Map an enumeration to a Java enum whose constants have the same names.

    Args:
        java_class: Name of the Java class.

    Returns:
        A decorator that returns the same class.

    Raises:
        ConfigError: the Java class is mapped to another class already.
    """

    def named(kind: EnumT) -> EnumT:
        kind.java_class = java_class  # type: ignore[attr-defined]  # no constant is called so
        _remember(java_class, kind)
        return kind

    return named


class Writable:
    """Base class of values that encode their own fields, with the Java class that a subclass names.

    Such values are decoded into the subclass: `class Point(Writable,
    java_class="com.example.Point")`.
    """

    java_class: ClassVar[str] = "org.apache.hadoop.io.Writable"

    def __init_subclass__(cls, *, java_class: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if java_class is not None:
            cls.java_class = java_class
            _remember(java_class, cls)

    def write(self, out: HadoopDataOutput) -> None:
        """Encode the fields in the order of Java's `write`.

        Args:
            out: The encoder.
        """
        out.write_writable(self)

    @classmethod
    def read(cls, source: HadoopDataInput) -> Self:
        """Decode a value that `write` encoded: `readFields`.

        Args:
            source: The decoder.

        Returns:
            The value.
        """
        value: Self = source.read_writable(cls.java_class)
        return value


_IO = "org.apache.hadoop.io."


@dataclass(frozen=True)
class BooleanWritable(Writable, java_class=_IO + "BooleanWritable"):
    """`Writable` of a `boolean`."""

    value: bool


@dataclass(frozen=True)
class ByteWritable(Writable, java_class=_IO + "ByteWritable"):
    """`Writable` of a `byte`."""

    value: int


@dataclass(frozen=True)
class ShortWritable(Writable, java_class=_IO + "ShortWritable"):
    """`Writable` of a `short`."""

    value: int


@dataclass(frozen=True)
class IntWritable(Writable, java_class=_IO + "IntWritable"):
    """`Writable` of an `int`."""

    value: int


@dataclass(frozen=True)
class LongWritable(Writable, java_class=_IO + "LongWritable"):
    """`Writable` of a `long`."""

    value: int


@dataclass(frozen=True)
class VIntWritable(Writable, java_class=_IO + "VIntWritable"):
    """`Writable` of an `int` with a variable-length encoding."""

    value: int


@dataclass(frozen=True)
class VLongWritable(Writable, java_class=_IO + "VLongWritable"):
    """`Writable` of a `long` with a variable-length encoding."""

    value: int


@dataclass(frozen=True)
class FloatWritable(Writable, java_class=_IO + "FloatWritable"):
    """`Writable` of a `float`."""

    value: float


@dataclass(frozen=True)
class DoubleWritable(Writable, java_class=_IO + "DoubleWritable"):
    """`Writable` of a `double`."""

    value: float


@dataclass(frozen=True)
class Text(Writable, java_class=_IO + "Text"):
    """`Writable` of a text of any length."""

    value: str

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class BytesWritable(Writable, java_class=_IO + "BytesWritable"):
    """`Writable` of bytes."""

    value: bytes


@dataclass(frozen=True)
class NullWritable(Writable, java_class=_IO + "NullWritable"):
    """`Writable` without content, which differs from null."""


@dataclass(frozen=True)
class MD5Hash(Writable, java_class=_IO + "MD5Hash"):
    """`Writable` of a digest of 16 bytes."""

    value: bytes


@dataclass(frozen=True)
class MapWritable(Writable, java_class=_IO + "MapWritable"):
    """`Writable` of a map from `Writable` to `Writable`."""

    value: Mapping[Writable, Writable]


@dataclass(frozen=True)
class SortedMapWritable(Writable, java_class=_IO + "SortedMapWritable"):
    """`Writable` of a map from `Writable` to `Writable`, which Java keeps sorted."""

    value: Mapping[Writable, Writable]


@dataclass(frozen=True)
class ProtocolSignature(Writable, java_class="org.apache.hadoop.ipc.ProtocolSignature"):
    """Version of a server's protocol, and the hashes of its methods if the client's differ."""

    version: int
    methods: list[int] | None = None


def decode(data: bytes) -> Any:
    """Decode an `ObjectWritable`.

    Args:
        data: The bytes of the `ObjectWritable`, and nothing else.

    Returns:
        The value.

    Raises:
        DecodeError: the data is not valid, or of a class that is not in `CLASSES`.
    """
    return decode_object(data, CLASSES)[1]
