"""Class definitions of Portables: their fields in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from jvmwire.errors import ConfigError


class FieldType(IntEnum):
    """The type of a field (`com.hazelcast.nio.serialization.FieldType`)."""

    PORTABLE = 0
    BYTE = 1
    BOOLEAN = 2
    CHAR = 3
    SHORT = 4
    INT = 5
    LONG = 6
    FLOAT = 7
    DOUBLE = 8
    UTF = 9
    PORTABLE_ARRAY = 10
    BYTE_ARRAY = 11
    BOOLEAN_ARRAY = 12
    CHAR_ARRAY = 13
    SHORT_ARRAY = 14
    INT_ARRAY = 15
    LONG_ARRAY = 16
    FLOAT_ARRAY = 17
    DOUBLE_ARRAY = 18
    UTF_ARRAY = 19


@dataclass(frozen=True, slots=True)
class FieldDefinition:
    """A field of a Portable; for a Portable or an array of them, also its class."""

    name: str
    type: FieldType
    factory_id: int = 0
    class_id: int = 0


class ClassDefinition:
    """The fields of one version of a Portable class, in their order.

    It is derived from the first value that is written. Pass it explicitly
    (`SerializationService(class_definitions=...)`) if that value may have a null or an empty array
    where other values have Portables.

    Args:
        factory_id: Id of the factory.
        class_id: Id of the class within the factory.
        version: Version of the class.
    """

    def __init__(self, factory_id: int, class_id: int, version: int = 0) -> None:
        self.factory_id = factory_id
        self.class_id = class_id
        self.version = version
        self._fields: dict[str, tuple[int, FieldDefinition]] = {}

    @property
    def key(self) -> tuple[int, int, int]:
        """The key of the definition: factory id, class id and version."""
        return self.factory_id, self.class_id, self.version

    def add(
        self, name: str, kind: FieldType, *, factory_id: int = 0, class_id: int = 0
    ) -> "ClassDefinition":
        """Append a field.

        Args:
            name: Name of the field.
            kind: Type of the field.
            factory_id: Factory id of a nested Portable.
            class_id: Class id of a nested Portable.

        Returns:
            This definition.

        Raises:
            ConfigError: a field of that name exists.
        """
        if name in self._fields:
            raise ConfigError(f"{self} has two fields {name!r}")
        if len(name) > _LONGEST_NAME or not name.isascii():
            raise ConfigError(f"{name!r} is not the name of a field: up to 32767 ASCII characters")
        field = FieldDefinition(name, kind, factory_id, class_id)
        self._fields[name] = (len(self._fields), field)
        return self

    def find(self, name: str) -> tuple[int, FieldDefinition]:
        """Return a field and its index.

        Args:
            name: Name of the field.

        Returns:
            The index from 0, and the field.

        Raises:
            KeyError: the class has no such field.
        """
        return self._fields[name]

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Iterator[FieldDefinition]:
        return (field for _, field in self._fields.values())

    def __repr__(self) -> str:
        return f"ClassDefinition{self.key}"


# DefaultPortableWriter: a short before the name, and the low byte of each character.
_LONGEST_NAME = 0x7FFF
