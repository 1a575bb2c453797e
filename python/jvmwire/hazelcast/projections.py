"""Projections that members apply to each entry before they send it.

Each is serialized as its class of `com.hazelcast.projection.impl`, by the numbers of
`ProjectionDataSerializerHook`. Supported by members from 3.8 on.
"""

from typing import ClassVar

from jvmwire.hazelcast.serialization import ObjectDataOutput, WriteOnly

__all__ = [
    "Identity",
    "MultiAttribute",
    "Projection",
    "SingleAttribute",
]


class Projection(WriteOnly):
    """Base of projections, which reduce each entry to the requested part."""

    factory_id: ClassVar[int] = -42  # FactoryIdHelper.PROJECTION_DS_FACTORY_ID


class SingleAttribute(Projection):
    """One attribute of each entry.

    Args:
        attribute: Name of the attribute.
    """

    class_id: ClassVar[int] = 0

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attribute.

        Args:
            output: Output to write to.
        """
        output.write_utf(self.attribute)


class MultiAttribute(Projection):
    """Several attributes of each entry.

    The result per entry is an `Object[]` that members write in Java serialization: the client
    returns it as `Data`.

    Args:
        *attributes: Names of the attributes, at least one.
    """

    class_id: ClassVar[int] = 1

    def __init__(self, *attributes: str) -> None:
        if not attributes:
            raise ValueError("a projection is of one attribute at least")
        self.attributes = attributes

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attributes.

        Args:
            output: Output to write to.
        """
        output.write_utf_array(self.attributes)


class Identity(Projection):
    """The whole entry, unchanged."""

    class_id: ClassVar[int] = 2

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write nothing, because the projection has no fields.

        Args:
            output: Output to write to.
        """
