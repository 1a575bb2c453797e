"""IdentifiedDataSerializable: values that write themselves, by the number of their class."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.errors import LocalProtocolError

from .data import UnknownType
from .own import OWN
from .type_id import TypeId

Factory = Callable[[int], Any] | Mapping[int, Callable[[], Any]]
"""Makes an empty value for a class id, or None; or says by class id what makes it."""

# DataSerializableSerializer: IDS_FLAG, EE_FLAG.
_IDENTIFIED = 1
_VERSIONED = 2


class IdentifiedDataSerializable(ABC):
    """A value that says of which factory and class it is, and writes and reads its fields."""

    factory_id: ClassVar[int]
    class_id: ClassVar[int]

    @abstractmethod
    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the fields, in the order that the Java class has."""

    @abstractmethod
    def read_data(self, source: ObjectDataInput) -> None:
        """Read the fields, in the same order."""


class SentOnly(IdentifiedDataSerializable):
    """A value that members read and never send."""

    def read_data(self, _source: ObjectDataInput) -> None:
        """Refuse to read what was not sent."""
        raise LocalProtocolError(f"members do not send a {type(self).__name__}")


def make(factory: Factory | None, class_id: int) -> Any:
    """Return an empty value, or None if the factory has none."""
    if factory is None:
        return None
    if isinstance(factory, Mapping):
        maker = factory.get(class_id)
        return None if maker is None else maker()
    return factory(class_id)


def write_identified(output: ObjectDataOutput, value: IdentifiedDataSerializable) -> None:
    """Write a value behind its numbers."""
    output.write_byte(_IDENTIFIED)
    output.write_int(value.factory_id)
    output.write_int(value.class_id)
    value.write_data(output)


class IdentifiedReader:
    """Reads values of the factories that are known."""

    def __init__(self, factories: Mapping[int, Factory]) -> None:
        self._factories = factories

    def __call__(self, source: ObjectDataInput) -> Any:
        """Read a value; `UnknownType` if no factory makes it."""
        header = source.read_byte()
        if not header & _IDENTIFIED:
            raise UnknownType(TypeId.DATA_SERIALIZABLE, f"the class {source.read_utf()}")
        factory_id, class_id = source.read_int(), source.read_int()
        if header & _VERSIONED:
            source.read_bytes(2)
        if (own := OWN.get((factory_id, class_id))) is not None:
            return own(source)
        value = make(self._factories.get(factory_id), class_id)
        if value is None:
            raise UnknownType(TypeId.DATA_SERIALIZABLE, f"factory {factory_id}, class {class_id}")
        value.read_data(source)
        return value
