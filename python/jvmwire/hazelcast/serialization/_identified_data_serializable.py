"""IdentifiedDataSerializable: values that write themselves, by factory and class id."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.errors import LocalProtocolError
from jvmwire.hazelcast.serialization._data import UnknownType
from jvmwire.hazelcast.serialization._hazelcast_classes import OWN
from jvmwire.hazelcast.serialization._type_id import TypeId

Factory = Callable[[int], Any] | Mapping[int, Callable[[], Any]]
"""Function from a class id to an empty value or None, or constructors by class id."""

# DataSerializableSerializer: IDS_FLAG, EE_FLAG.
_IDENTIFIED = 1
_VERSIONED = 2


class IdentifiedDataSerializable(ABC):
    """A value with a factory id and a class id that writes and reads its own fields."""

    factory_id: ClassVar[int]
    class_id: ClassVar[int]

    @abstractmethod
    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields in the order of the Java class.

        Args:
            output: Output to write to.
        """

    @abstractmethod
    def read_data(self, source: ObjectDataInput) -> None:
        """Read the fields in the same order.

        Args:
            source: Input to read from.
        """


class WriteOnly(IdentifiedDataSerializable):
    """A value that only the client writes and members read."""

    def read_data(self, _source: ObjectDataInput) -> None:
        """Raise an error, because members never send such a value.

        Args:
            _source: Input that is not read.
        """
        raise LocalProtocolError(f"members do not send a {type(self).__name__}")


def create(factory: Factory | None, class_id: int) -> Any:
    """Return an empty value, or None if the factory does not create the class."""
    if factory is None:
        return None
    if isinstance(factory, Mapping):
        maker = factory.get(class_id)
        return None if maker is None else maker()
    return factory(class_id)


def write_identified(output: ObjectDataOutput, value: IdentifiedDataSerializable) -> None:
    """Write the factory id, the class id and the value."""
    output.write_byte(_IDENTIFIED)
    output.write_int(value.factory_id)
    output.write_int(value.class_id)
    value.write_data(output)


class IdentifiedReader:
    """Reader of values of the registered factories."""

    def __init__(self, factories: Mapping[int, Factory]) -> None:
        self._factories = factories

    def __call__(self, source: ObjectDataInput) -> Any:
        """Read a value; `UnknownType` if no factory creates it."""
        header = source.read_byte()
        if not header & _IDENTIFIED:
            raise UnknownType(TypeId.DATA_SERIALIZABLE, f"the class {source.read_utf()}")
        factory_id, class_id = source.read_int(), source.read_int()
        if header & _VERSIONED:
            source.read_bytes(2)
        if (own := OWN.get((factory_id, class_id))) is not None:
            return own(source)
        value = create(self._factories.get(factory_id), class_id)
        if value is None:
            raise UnknownType(TypeId.DATA_SERIALIZABLE, f"factory {factory_id}, class {class_id}")
        value.read_data(source)
        return value
