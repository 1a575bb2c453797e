"""Writer of the fields of a Portable."""

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.hazelcast.serialization._builtin import write_char
from jvmwire.hazelcast.serialization._class_definition import (
    ClassDefinition,
    FieldDefinition,
    FieldType,
)

if TYPE_CHECKING:
    from jvmwire.hazelcast.serialization._portable import Portable, Portables


class PortableWriter:
    """Writer of fields by name: end, number of fields, offset of each, then name, type and value.

    `ValueError` for a field that the class does not have, has with another type, or was written
    already.
    """

    def __init__(
        self, portables: "Portables", output: ObjectDataOutput, definition: ClassDefinition
    ) -> None:
        self._portables = portables
        self._output = output
        self._definition = definition
        self._written: set[str] = set()
        self._raw = False
        self._begin = output.position
        output.write_int(0)
        output.write_int(len(definition))
        self._index = output.position
        # One more for the raw data.
        output.write_bytes(bytes(4 * (len(definition) + 1)))

    @property
    def version(self) -> int:
        """The version being written."""
        return self._definition.version

    def write_byte(self, name: str, value: int) -> None:
        """Write a `byte`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.BYTE)
        self._output.write_byte(value)

    def write_boolean(self, name: str, value: bool) -> None:  # noqa: FBT001 - as all others
        """Write a `boolean`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.BOOLEAN)
        self._output.write_boolean(value)

    def write_char(self, name: str, value: str) -> None:
        """Write a `char`, one UTF-16 unit.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.CHAR)
        write_char(self._output, value)

    def write_short(self, name: str, value: int) -> None:
        """Write a `short`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.SHORT)
        self._output.write_short(value)

    def write_int(self, name: str, value: int) -> None:
        """Write an `int`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.INT)
        self._output.write_int(value)

    def write_long(self, name: str, value: int) -> None:
        """Write a `long`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.LONG)
        self._output.write_long(value)

    def write_float(self, name: str, value: float) -> None:
        """Write a `float`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.FLOAT)
        self._output.write_float(value)

    def write_double(self, name: str, value: float) -> None:
        """Write a `double`.

        Args:
            name: Name of the field.
            value: Value of the field.
        """
        self._field(name, FieldType.DOUBLE)
        self._output.write_double(value)

    def write_utf(self, name: str, value: str | None) -> None:
        """Write a `String`.

        Args:
            name: Name of the field.
            value: Value of the field, or None for null.
        """
        self._field(name, FieldType.UTF)
        self._output.write_utf(value)

    def write_portable(self, name: str, value: "Portable | None") -> None:
        """Write a nested Portable, always of the same class.

        Args:
            name: Name of the field.
            value: Value of the field, or None for null.
        """
        field = self._field(name, FieldType.PORTABLE)
        self._output.write_boolean(value is None)
        self._output.write_int(field.factory_id)
        self._output.write_int(field.class_id)
        if value is not None:
            self._nested(field, value)

    def write_null_portable(self, name: str, factory_id: int, class_id: int) -> None:
        """Write a null where other values have a Portable of the class.

        Args:
            name: Name of the field.
            factory_id: Factory id of the class.
            class_id: Class id within the factory.
        """
        self._field(name, FieldType.PORTABLE)
        self._output.write_boolean(True)  # noqa: FBT003 - it is null
        self._output.write_int(factory_id)
        self._output.write_int(class_id)

    def write_byte_array(self, name: str, value: bytes | None) -> None:
        """Write a `byte[]`.

        Args:
            name: Name of the field.
            value: Values of the array, or None for null.
        """
        self._field(name, FieldType.BYTE_ARRAY)
        self._output.write_byte_array(value)

    def write_boolean_array(self, name: str, values: Iterable[bool] | None) -> None:
        """Write a `boolean[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._field(name, FieldType.BOOLEAN_ARRAY)
        self._output.write_byte_array(None if values is None else bytes(map(bool, values)))

    def write_char_array(self, name: str, value: str | None) -> None:
        """Write a `char[]`.

        Args:
            name: Name of the field.
            value: Values of the array, or None for null.
        """
        self._field(name, FieldType.CHAR_ARRAY)
        self._portables.builtins.write_chars(self._output, value)

    def write_short_array(self, name: str, values: Iterable[int] | None) -> None:
        """Write a `short[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._numbers(name, FieldType.SHORT_ARRAY, "h", values)

    def write_int_array(self, name: str, values: Iterable[int] | None) -> None:
        """Write an `int[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._numbers(name, FieldType.INT_ARRAY, "i", values)

    def write_long_array(self, name: str, values: Iterable[int] | None) -> None:
        """Write a `long[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._numbers(name, FieldType.LONG_ARRAY, "q", values)

    def write_float_array(self, name: str, values: Iterable[float] | None) -> None:
        """Write a `float[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._numbers(name, FieldType.FLOAT_ARRAY, "f", values)

    def write_double_array(self, name: str, values: Iterable[float] | None) -> None:
        """Write a `double[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._numbers(name, FieldType.DOUBLE_ARRAY, "d", values)

    def write_utf_array(self, name: str, values: Sequence[str | None] | None) -> None:
        """Write a `String[]`.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        self._field(name, FieldType.UTF_ARRAY)
        self._output.write_utf_array(values)

    def write_portable_array(self, name: str, values: "Sequence[Portable] | None") -> None:
        """Write an array of Portables, all of the same class and not null.

        Args:
            name: Name of the field.
            values: Values of the array, or None for null.
        """
        field = self._field(name, FieldType.PORTABLE_ARRAY)
        output = self._output
        output.write_count(None if values is None else len(values))
        output.write_int(field.factory_id)
        output.write_int(field.class_id)
        places = output.position
        output.write_bytes(bytes(4 * len(values or ())))
        for place, value in enumerate(values or ()):
            output.put_int(places + 4 * place, output.position)
            self._nested(field, value)

    def raw_data_output(self) -> ObjectDataOutput:
        """Return the output for raw data, which has no names and follows all fields.

        Returns:
            The output.
        """
        if not self._raw:
            self._raw = True
            self._output.put_int(self._index + 4 * len(self._definition), self._output.position)
        return self._output

    def end(self) -> None:
        """Write the end of the fields."""
        self._output.put_int(self._begin, self._output.position)

    def _field(self, name: str, kind: FieldType) -> FieldDefinition:
        if self._raw:
            raise ValueError(f"field {name!r} comes behind the raw data")
        try:
            index, field = self._definition.find(name)
        except KeyError:
            raise ValueError(f"{self._definition} has no field {name!r}") from None
        if field.type != kind:
            raise ValueError(f"field {name!r} is {field.type.name} and not {kind.name}")
        if name in self._written:
            raise ValueError(f"field {name!r} is written twice")
        self._written.add(name)
        output = self._output
        output.put_int(self._index + 4 * index, output.position)
        output.write_short(len(name))
        output.write_bytes(name.encode("ascii"))
        output.write_byte(kind)
        return field

    def _numbers(self, name: str, kind: FieldType, code: str, values: Iterable[Any] | None) -> None:
        self._field(name, kind)
        numbers = None if values is None else array(code, values)
        self._portables.builtins.write_array(self._output, numbers)

    def _nested(self, field: FieldDefinition, value: "Portable") -> None:
        if not hasattr(value, "write_portable"):
            raise TypeError(
                f"field {field.name!r} must be a Portable, got {type(value).__name__}"
                + (": arrays of Portables hold no None" if value is None else "")
            )
        if (field.factory_id, field.class_id) != (value.factory_id, value.class_id):
            raise ValueError(
                f"field {field.name!r} is of factory {field.factory_id}, class {field.class_id},"
                f" and not {value.factory_id}, {value.class_id}"
            )
        self._output.enter()
        self._portables.write_fields(self._output, value)
        self._output.leave()
