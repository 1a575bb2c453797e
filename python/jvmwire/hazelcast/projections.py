"""What members send of each entry instead of all of it.

Each is written as its class of `com.hazelcast.projection.impl`, by the numbers of
`ProjectionDataSerializerHook`. Members since 3.8 know them.
"""

from typing import ClassVar

from .serialization import ObjectDataOutput, SentOnly


class Projection(SentOnly):
    """Makes of an entry what is wanted of it."""

    factory_id: ClassVar[int] = -42  # FactoryIdHelper.PROJECTION_DS_FACTORY_ID


class SingleAttribute(Projection):
    """One attribute of each entry."""

    class_id: ClassVar[int] = 0

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attribute."""
        output.write_utf(self.attribute)


class MultiAttribute(Projection):
    """Several attributes of each entry.

    Members answer with an `Object[]` each, which they write in Java's own serialization: it comes
    as `Data`.
    """

    class_id: ClassVar[int] = 1

    def __init__(self, *attributes: str) -> None:
        if not attributes:
            raise ValueError("a projection is of one attribute at least")
        self.attributes = attributes

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attributes."""
        output.write_utf_array(self.attributes)


class Identity(Projection):
    """Each entry as it is."""

    class_id: ClassVar[int] = 2

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write nothing: it has no fields."""
