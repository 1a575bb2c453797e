"""Values as the cluster keeps them."""

from jvmwire._core import hazelcast_partition_hash
from jvmwire.errors import DecodeError


class Data(bytes):
    """A serialized value: what it is of a type that is not known here, or wanted as it is.

    It is partition hash and type id, big-endian ints, then the payload (`HeapData`). Whatever takes
    a value takes it, and passes it on to the byte.
    """

    __slots__ = ()

    @property
    def type_id(self) -> int:
        """What it is (`SerializationConstants`): below zero Hazelcast's own types, 0 null."""
        return int.from_bytes(self[4:8], "big", signed=True)

    @property
    def payload(self) -> bytes:
        """The value without what stands before it."""
        return self[8:]

    @property
    def partition_hash(self) -> int:
        """The hash that picks its partition, if it is a key."""
        return hazelcast_partition_hash(self)

    def __repr__(self) -> str:
        return f"Data(type_id={self.type_id}, {len(self)} bytes)"


class UnknownType(DecodeError):
    """A type that nobody here reads, so that none can tell where the value ends.

    Raised within values; a whole value of such a type is a `Data`.
    """

    def __init__(self, type_id: int, of: str = "") -> None:
        super().__init__(
            f"no serializer reads type {type_id}{of and f' of {of}'}", "type id", value=type_id
        )
