"""Derivation of a Portable's class definition from its write method."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jvmwire.hazelcast.serialization._class_definition import ClassDefinition, FieldType

if TYPE_CHECKING:
    from jvmwire.hazelcast.serialization._portable import Portable, Portables


class PortableDefiner:
    """Writer that records only names and types of fields (`ClassDefinitionWriter`)."""

    def __init__(self, portables: "Portables", definition: ClassDefinition) -> None:
        self.definition = definition
        self._portables = portables

    @property
    def version(self) -> int:
        """The version being written."""
        return self.definition.version

    def __getattr__(self, method: str) -> Callable[[str, Any], None]:
        kind = _TYPES.get(method)
        if kind is None:
            raise AttributeError(f"a PortableWriter has no {method}")
        return lambda name, _value: self._add(name, kind)

    def write_portable(self, name: str, value: "Portable | None") -> None:
        """Record the class of a nested value; `ValueError` for a null."""
        if value is None:
            raise ValueError(
                f"field {name!r} is null in the first {self.definition} that is written:"
                " use write_null_portable, or give the service its class definition"
            )
        self._nested(name, FieldType.PORTABLE, value)

    def write_null_portable(self, name: str, factory_id: int, class_id: int) -> None:
        """Record the class of a nested null."""
        self.definition.add(name, FieldType.PORTABLE, factory_id=factory_id, class_id=class_id)

    def write_portable_array(self, name: str, values: "Sequence[Portable] | None") -> None:
        """Record the class of nested values; `ValueError` if there is none."""
        if not values:
            raise ValueError(
                f"field {name!r} has no Portable in the first {self.definition} that is written:"
                " give the service its class definition"
            )
        self._nested(name, FieldType.PORTABLE_ARRAY, values[0])

    def raw_data_output(self) -> "_NullOutput":
        """Return an output that discards raw data."""
        return _NullOutput()

    def _add(self, name: str, kind: FieldType) -> None:
        self.definition.add(name, kind)

    def _nested(self, name: str, kind: FieldType, value: "Portable") -> None:
        self._portables.define(value)
        self.definition.add(name, kind, factory_id=value.factory_id, class_id=value.class_id)


class _NullOutput:
    def __getattr__(self, _method: str) -> Callable[..., None]:
        return lambda *_values: None


_TYPES = {
    f"write_{kind.name.lower()}": kind
    for kind in FieldType
    if kind not in (FieldType.PORTABLE, FieldType.PORTABLE_ARRAY)
}
