"""Serialized values, as the cluster stores them."""

from jvmwire._core import hazelcast_partition_hash
from jvmwire.errors import DecodeError


class Data(bytes):
    """A serialized value of an unknown type, or one to be passed on unchanged.

    It consists of partition hash and type id, big-endian ints, then the payload (`HeapData`). Every
    operation that takes a value also takes a `Data` and sends its exact bytes.
    """

    __slots__ = ()

    @property
    def type_id(self) -> int:
        """The type id (`SerializationConstants`): built-in types are below zero, 0 is null."""
        return int.from_bytes(self[4:8], "big", signed=True)

    @property
    def payload(self) -> bytes:
        """The serialized value without the header."""
        return self[8:]

    @property
    def partition_hash(self) -> int:
        """The hash that selects the partition, if the value is a key."""
        return hazelcast_partition_hash(self)

    def __repr__(self) -> str:
        return f"Data(type_id={self.type_id}, {len(self)} bytes)"


class UnknownType(DecodeError):
    """The error that a nested value has an unknown type, so that its end cannot be found.

    A top-level value of an unknown type is returned as a `Data` instead.
    """

    def __init__(self, type_id: int, of: str = "") -> None:
        super().__init__(
            f"no serializer reads type {type_id}{of and f' of {of}'}", "type id", value=type_id
        )
