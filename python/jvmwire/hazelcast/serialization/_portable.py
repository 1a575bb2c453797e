"""Portable: values with named fields, which members can read without their class."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.hazelcast.serialization._class_definition import ClassDefinition
from jvmwire.hazelcast.serialization._data import UnknownType
from jvmwire.hazelcast.serialization._identified_data_serializable import Factory, create
from jvmwire.hazelcast.serialization._portable_definer import PortableDefiner
from jvmwire.hazelcast.serialization._portable_reader import PortableReader
from jvmwire.hazelcast.serialization._portable_writer import PortableWriter
from jvmwire.hazelcast.serialization._type_id import TypeId

if TYPE_CHECKING:
    from jvmwire.hazelcast.serialization._builtin import Builtins


class Portable(ABC):
    """A value of named fields, which readers of older or newer class versions can read too.

    `class_version` is the version of the class; None is the service's `portable_version`.
    """

    factory_id: ClassVar[int]
    class_id: ClassVar[int]
    class_version: ClassVar[int | None] = None

    @abstractmethod
    def write_portable(self, writer: PortableWriter) -> None:
        """Write the fields, for every value the same ones in the same order.

        Args:
            writer: Writer of the fields.
        """

    @abstractmethod
    def read_portable(self, reader: PortableReader) -> None:
        """Read the fields in any order; `reader.has_field` checks for fields of other versions.

        Args:
            reader: Reader of the fields.
        """


class Portables:
    """Writer and reader of Portables of the registered factories."""

    def __init__(
        self,
        factories: Mapping[int, Factory],
        *,
        version: int,
        definitions: Iterable[ClassDefinition],
        builtins: "Builtins",
    ) -> None:
        self._factories = factories
        self._version = version
        self._definitions = {definition.key: definition for definition in definitions}
        self.builtins = builtins

    def version_of(self, value: Portable) -> int:
        """Return the version that a value is written in."""
        return self._version if value.class_version is None else value.class_version

    def write(self, output: ObjectDataOutput, value: Portable) -> None:
        """Write factory id, class id and the value."""
        output.write_int(value.factory_id)
        output.write_int(value.class_id)
        self.write_fields(output, value)

    def write_fields(self, output: ObjectDataOutput, value: Portable) -> None:
        """Write the version and the fields."""
        definition = self.define(value)
        output.write_int(definition.version)
        writer = PortableWriter(self, output, definition)
        value.write_portable(writer)
        writer.end()

    def define(self, value: Portable) -> ClassDefinition:
        """Return the class definition of a value."""
        key = value.factory_id, value.class_id, self.version_of(value)
        definition = self._definitions.get(key)
        if definition is None:
            definer = PortableDefiner(self, ClassDefinition(*key))
            value.write_portable(definer)  # type: ignore[arg-type] # it has the writer's methods
            definition = self._definitions.setdefault(key, definer.definition)
        return definition

    def read(self, source: ObjectDataInput) -> Any:
        """Read a value; `UnknownType` if no factory creates it."""
        return self.read_fields(source, source.read_int(), source.read_int(), source.size)

    def read_fields(
        self, source: ObjectDataInput, factory_id: int, class_id: int, limit: int
    ) -> Any:
        """Read the version and the fields of a value that ends at `limit` or before."""
        value = create(self._factories.get(factory_id), class_id)
        if value is None:
            raise UnknownType(TypeId.PORTABLE, f"factory {factory_id}, class {class_id}")
        version = source.read_int()
        reader = PortableReader(
            self, source, version=version, same=version == self.version_of(value), limit=limit
        )
        value.read_portable(reader)
        reader.end()
        return value
