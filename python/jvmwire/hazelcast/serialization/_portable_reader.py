"""Reader of the fields of a Portable."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire.errors import DecodeError
from jvmwire.hazelcast.serialization._builtin import read_booleans, read_char, read_strings
from jvmwire.hazelcast.serialization._class_definition import FieldType
from jvmwire.hazelcast.serialization._java_types import BooleanArray, CharArray, StringArray

if TYPE_CHECKING:
    from array import array

    from jvmwire.hazelcast.serialization._portable import Portables

T = TypeVar("T")

# MorphingPortableReader: the types as which a field of another version may be read.
_WIDENED: dict[FieldType, dict[FieldType, Callable[[ObjectDataInput], Any]]] = {
    FieldType.SHORT: {FieldType.BYTE: ObjectDataInput.read_byte},
    FieldType.INT: {
        FieldType.BYTE: ObjectDataInput.read_byte,
        FieldType.CHAR: ObjectDataInput.read_char_code,
        FieldType.SHORT: ObjectDataInput.read_short,
    },
    FieldType.LONG: {
        FieldType.BYTE: ObjectDataInput.read_byte,
        FieldType.CHAR: ObjectDataInput.read_char_code,
        FieldType.SHORT: ObjectDataInput.read_short,
        FieldType.INT: ObjectDataInput.read_int,
    },
    FieldType.FLOAT: {
        FieldType.BYTE: ObjectDataInput.read_byte,
        FieldType.CHAR: ObjectDataInput.read_char_code,
        FieldType.SHORT: ObjectDataInput.read_short,
        FieldType.INT: ObjectDataInput.read_int,
    },
    FieldType.DOUBLE: {
        FieldType.BYTE: ObjectDataInput.read_byte,
        FieldType.CHAR: ObjectDataInput.read_char_code,
        FieldType.SHORT: ObjectDataInput.read_short,
        FieldType.INT: ObjectDataInput.read_int,
        FieldType.LONG: ObjectDataInput.read_long,
        FieldType.FLOAT: ObjectDataInput.read_float,
    },
}


class PortableReader:
    """Reader of fields by name, in any order.

    If the value has another version of the class, a missing field reads as zero, false or None, and
    a number as a wider one. Otherwise a field that is missing or of another type raises
    `DecodeError`.
    """

    def __init__(
        self,
        portables: "Portables",
        source: ObjectDataInput,
        *,
        version: int,
        same: bool,
        limit: int,
    ) -> None:
        self.version = version
        """The version that was written."""
        self._portables = portables
        self._source = source
        self._same = same
        begin = source.position
        self._end = source.read_int()
        if not begin < self._end <= limit:
            raise _wrong("end", begin, self._end)
        count = source.read_count(4)
        if count is None:
            raise _wrong("number of fields", begin + 4, -1)
        places = [source.read_int() for _ in range(count + 1)]
        self._raw_place = places.pop()
        if self._raw_place and not max(places, default=begin) < self._raw_place <= self._end:
            raise _wrong("place of the raw data", begin, self._raw_place)
        self._fields = self._find(places, source.position)

    def has_field(self, name: str) -> bool:
        """Return whether the version that was written has a field.

        Args:
            name: Name of the field.

        Returns:
            True if it has the field.
        """
        return name in self._fields

    @property
    def field_names(self) -> list[str]:
        """Return the names of the fields of the version that was written.

        Returns:
            The names.
        """
        return list(self._fields)

    def field_type(self, name: str) -> FieldType:
        """Return the type of a field.

        Args:
            name: Name of the field.

        Returns:
            The type.

        Raises:
            KeyError: the version that was written has no such field.
        """
        return self._fields[name][0]

    def read_byte(self, name: str) -> int:
        """Read a `byte`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.BYTE, ObjectDataInput.read_byte, 0)

    def read_boolean(self, name: str) -> bool:
        """Read a `boolean`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.BOOLEAN, ObjectDataInput.read_boolean, missing=False)

    def read_char(self, name: str) -> str:
        """Read a `char`, one UTF-16 unit.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.CHAR, read_char, "\0")

    def read_short(self, name: str) -> int:
        """Read a `short`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.SHORT, ObjectDataInput.read_short, 0)

    def read_int(self, name: str) -> int:
        """Read an `int`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.INT, ObjectDataInput.read_int, 0)

    def read_long(self, name: str) -> int:
        """Read a `long`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return self._read(name, FieldType.LONG, ObjectDataInput.read_long, 0)

    def read_float(self, name: str) -> float:
        """Read a `float`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return float(self._read(name, FieldType.FLOAT, ObjectDataInput.read_float, 0.0))

    def read_double(self, name: str) -> float:
        """Read a `double`.

        Args:
            name: Name of the field.

        Returns:
            The value.
        """
        return float(self._read(name, FieldType.DOUBLE, ObjectDataInput.read_double, 0.0))

    def read_utf(self, name: str) -> str | None:
        """Read a `String`.

        Args:
            name: Name of the field.

        Returns:
            The value, or None if it is null.
        """
        return self._read(name, FieldType.UTF, ObjectDataInput.read_utf, None)

    def read_portable(self, name: str) -> Any:
        """Read a nested Portable.

        Args:
            name: Name of the field.

        Returns:
            The value, or None if it is null.
        """
        place = self._place(name, FieldType.PORTABLE)
        if place is None:
            return None
        source = self._source
        source.position, limit = place
        null = source.read_boolean()
        factory_id, class_id = source.read_int(), source.read_int()
        return None if null else self._nested(factory_id, class_id, limit)

    def read_byte_array(self, name: str) -> bytes | None:
        """Read a `byte[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._read(name, FieldType.BYTE_ARRAY, ObjectDataInput.read_byte_array, None)

    def read_boolean_array(self, name: str) -> BooleanArray | None:
        """Read a `boolean[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._read(name, FieldType.BOOLEAN_ARRAY, read_booleans, None)

    def read_char_array(self, name: str) -> CharArray | None:
        """Read a `char[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        read = self._portables.builtins.read_chars
        return self._read(name, FieldType.CHAR_ARRAY, read, None)

    def read_short_array(self, name: str) -> "array[int] | None":
        """Read a `short[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._numbers(name, FieldType.SHORT_ARRAY, "h")

    def read_int_array(self, name: str) -> "array[int] | None":
        """Read an `int[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._numbers(name, FieldType.INT_ARRAY, "i")

    def read_long_array(self, name: str) -> "array[int] | None":
        """Read a `long[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._numbers(name, FieldType.LONG_ARRAY, "q")

    def read_float_array(self, name: str) -> "array[float] | None":
        """Read a `float[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._numbers(name, FieldType.FLOAT_ARRAY, "f")

    def read_double_array(self, name: str) -> "array[float] | None":
        """Read a `double[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._numbers(name, FieldType.DOUBLE_ARRAY, "d")

    def read_utf_array(self, name: str) -> StringArray | None:
        """Read a `String[]`.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        return self._read(name, FieldType.UTF_ARRAY, read_strings, None)

    def read_portable_array(self, name: str) -> list[Any] | None:
        """Read an array of Portables.

        Args:
            name: Name of the field.

        Returns:
            The array, or None if it is null.
        """
        found = self._place(name, FieldType.PORTABLE_ARRAY)
        if found is None:
            return None
        source = self._source
        source.position, limit = found
        count = source.read_count(0)
        factory_id, class_id = source.read_int(), source.read_int()
        if count is None:
            return None
        if 4 * count > source.size - source.position:
            raise _wrong("number of Portables", found[0], count)
        places = [source.read_int() for _ in range(count)]
        values = []
        for place in places:
            # Each begins where the one before it ends: nothing is read twice.
            if place != source.position:
                raise _wrong("place of a Portable", found[0], place)
            values.append(self._nested(factory_id, class_id, limit))
        return values

    def raw_data_input(self) -> ObjectDataInput:
        """Return the input of the raw data after the fields.

        Returns:
            The input.

        Raises:
            DecodeError: there is no raw data.
        """
        if not self._raw_place:
            raise DecodeError("raw data: it must be there and is not", "raw data")
        self._source.position = self._raw_place
        return self._source

    def end(self) -> None:
        """Skip to the end of the fields; `DecodeError` if more was read."""
        if self._source.position > self._end:
            raise _wrong("end", self._source.position, self._end)
        self._source.position = self._end

    def _find(self, places: list[int], first: int) -> dict[str, tuple[FieldType, int, int]]:
        """Return the type, the start and the latest end of each field."""
        # Fields share no bytes, so that the decoded size never exceeds the received size.
        ends = sorted({*places, self._end if self._raw_place == 0 else self._raw_place, self._end})
        following = dict(zip(ends, ends[1:] + ends[-1:], strict=True))
        source = self._source
        fields: dict[str, tuple[FieldType, int, int]] = {}
        for place in sorted(places):
            if not first <= place < self._end:
                raise _wrong("place of a field", first, place)
            first = place + 1
            source.position = place
            length = source.read_short()
            if length < 0:
                raise _wrong("length of a name", place, length)
            name = source.read_bytes(length).decode("latin-1")
            kind = source.read_byte()
            if kind not in _KINDS or name in fields:
                raise _wrong(f"field {name!r}", place, kind)
            fields[name] = FieldType(kind), source.position, following[place]
        return fields

    def _place(self, name: str, kind: FieldType) -> tuple[int, int] | None:
        field = self._fields.get(name)
        if field is None:
            if self._same:
                raise DecodeError(f"field {name!r}: it must be there and is not", name)
            return None
        found, place, limit = field
        if found != kind:
            raise DecodeError(
                f"field {name!r} at offset {place}: it is {found.name} and not {kind.name}",
                name,
                place,
                found,
            )
        return place, limit

    def _read(
        self, name: str, kind: FieldType, read: Callable[[ObjectDataInput], T], missing: T
    ) -> T:
        field = self._fields.get(name)
        if field is not None and field[0] != kind and not self._same:
            widened = _WIDENED.get(kind, {}).get(field[0])
            if widened is not None:
                self._source.position = field[1]
                value: T = widened(self._source)
                return value
        place = self._place(name, kind)
        if place is None:
            return missing
        self._source.position = place[0]
        return read(self._source)

    def _numbers(self, name: str, kind: FieldType, code: str) -> "array[Any] | None":
        def read(source: ObjectDataInput) -> "array[Any] | None":
            return self._portables.builtins.read_array(source, code)

        return self._read(name, kind, read, None)

    def _nested(self, factory_id: int, class_id: int, limit: int) -> Any:
        self._source.enter()
        value = self._portables.read_fields(self._source, factory_id, class_id, limit)
        self._source.leave()
        return value


_KINDS = frozenset(FieldType)


def _wrong(what: str, offset: int, value: int) -> DecodeError:
    return DecodeError(f"{what} at offset {offset}: {value} cannot be", what, offset, value)
