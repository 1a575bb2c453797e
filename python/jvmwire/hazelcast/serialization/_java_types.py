"""Python counterparts of Java types that Python lacks."""

import json

import orjson


class Byte(int):
    """An `int` that is written as `java.lang.Byte`."""


class Short(int):
    """An `int` that is written as `java.lang.Short`."""


class Integer(int):
    """An `int` that is written as `java.lang.Integer`."""


class Long(int):
    """An `int` that is written as `java.lang.Long`."""


class BigInteger(int):
    """An `int` that is written as `java.math.BigInteger`."""


class Float(float):
    """A `float` that is written as `java.lang.Float`, with 24 bits of precision."""


class Char(str):
    """One UTF-16 unit, written as `java.lang.Character`."""

    __slots__ = ()


class CharArray(str):
    """Text that is written as `char[]`."""

    __slots__ = ()


class BooleanArray(list[bool]):
    """Written as `boolean[]`."""


class StringArray(list[str | None]):
    """Written as `String[]`."""


class LinkedList(list[object]):
    """Written as `java.util.LinkedList`; a plain `list` is a `java.util.ArrayList`."""


class JavaClass(str):
    """A `java.lang.Class`, by its name."""

    __slots__ = ()


class JavaEnum(str):
    """A constant of a Java enum: its name, and the name of its class."""

    class_name: str

    def __new__(cls, class_name: str, name: str) -> "JavaEnum":
        """Make the constant `name` of the class `class_name`."""
        constant = super().__new__(cls, name)
        constant.class_name = class_name
        return constant

    def __eq__(self, other: object) -> bool:
        if isinstance(other, JavaEnum):
            return str.__eq__(self, other) and self.class_name == other.class_name
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.class_name, str.__hash__(self)))

    def __reduce__(self) -> tuple[type["JavaEnum"], tuple[str, str]]:
        return JavaEnum, (self.class_name, str.__str__(self))

    def __repr__(self) -> str:
        return f"JavaEnum({self.class_name!r}, {str.__str__(self)!r})"


def _json_of(value: object) -> str:
    # Not orjson for the whole: it makes floats of integers beyond 64 bits, and null of NaN.
    try:
        return json.dumps(
            value, allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=_plain
        )
    except RecursionError:
        raise ValueError("the value is nested too deeply for JSON") from None


def _plain(value: object) -> object:
    """Return the JSON equivalent of an instant, a UUID, a dataclass or a numpy scalar."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY))


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


class HazelcastJsonValue:
    """A JSON document, which members can query; stored as its original text."""

    __slots__ = ("_text",)

    def __init__(self, value: object) -> None:
        """Store JSON text, or convert a value to JSON; integers of any size stay exact.

        Args:
            value: JSON text, or a value to convert.

        Raises:
            TypeError: a value has a type without a JSON equivalent.
            ValueError: a float is NaN or infinite, or the value contains itself or is nested too
                deeply.
        """
        self._text = value if isinstance(value, str) else _json_of(value)

    def to_string(self) -> str:
        """Return the JSON text.

        Returns:
            The text.
        """
        return self._text

    def loads(self) -> object:
        """Parse the JSON text; integers stay exact.

        Returns:
            The parsed value.

        Raises:
            ValueError: the text is not valid JSON, or is nested too deeply.
        """
        try:
            return json.loads(self._text, parse_constant=_refuse_constant)
        except RecursionError:
            raise ValueError("the JSON document is nested too deeply") from None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, HazelcastJsonValue):
            return self._text == other._text
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"HazelcastJsonValue({self._text!r})"
