"""Conversion between Python values and Hazelcast's `Data`."""

import pickle
from array import array
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Rational, Real
from operator import index
from typing import Any, Literal, Protocol

from jvmwire._core import (
    Array,
    HazelcastDataCodec,
    HazelcastEntryColumns,
    hazelcast_partition_hash,
    hazelcast_partition_id,
    hazelcast_partition_ids,
)
from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.codec._arrow import ArrowArray
from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hazelcast.serialization._builtin import Builtins, Converter, Reader, Writer
from jvmwire.hazelcast.serialization._class_definition import ClassDefinition
from jvmwire.hazelcast.serialization._data import Data
from jvmwire.hazelcast.serialization._identified_data_serializable import (
    Factory,
    IdentifiedDataSerializable,
    IdentifiedReader,
    write_identified,
)
from jvmwire.hazelcast.serialization._portable import Portable, Portables
from jvmwire.hazelcast.serialization._type_id import TypeId

IntType = Literal["fitting", "byte", "short", "integer", "long", "big_integer"]


Datas = list[bytes | None] | list[bytes] | ArrowArray
"""Serialized values: a list, or an Arrow array of binary; None or null is a null."""


class Serializer(Protocol):
    """Custom serializer of one class, under a positive type id that the Java side shares."""

    @property
    def type_id(self) -> int:
        """The type id, above zero."""

    def write(self, output: ObjectDataOutput, value: Any, /) -> None:
        """Write a value.

        Args:
            output: Output to write to.
            value: Value to write.
        """

    def read(self, source: ObjectDataInput, /) -> Any:
        """Read a value.

        Args:
            source: Input to read from.

        Returns:
            The value.
        """


class SerializationService:
    """Serialization of Python values to Hazelcast's `Data` and back, compatible with Java clients.

    `None`, `bool`, `float` (Double), `str`, `bytes` (byte[]), `list` and `tuple` (ArrayList),
    `array.array` of signed numbers, `datetime` (Date, to the millisecond), `Decimal` and the
    classes of `values` have a fixed Java type. An `int` is an Integer if it fits, else a Long if
    that fits, else a BigInteger; `default_int_type` sets one type for all, and an `int` outside of
    its range is a `ValueError`. With `keep_types`, values are returned with their Java type
    (`Long(5)`), so that writing them back gives the same bytes.

    A value without a reader is returned as `Data`; a value without a writer is a `TypeError`.
    `pickle=True` pickles it instead, and unpickles pickled values, which executes code of their
    writers: use it only for clusters that no other program writes to.

    `partition_key` returns the value from which the partition of a key is computed, for example a
    part of the key; None, also the default, is the key itself.
    """

    def __init__(
        self,
        *,
        byte_order: Literal["big", "little"] = "big",
        default_int_type: IntType = "fitting",
        keep_types: bool = False,
        data_serializable_factories: Mapping[int, Factory] | None = None,
        portable_factories: Mapping[int, Factory] | None = None,
        portable_version: int = 0,
        class_definitions: Iterable[ClassDefinition] = (),
        serializers: Mapping[type, Serializer] | None = None,
        global_serializer: Serializer | None = None,
        partition_key: Callable[[Any], Any] | None = None,
        pickle: bool = False,
    ) -> None:
        builtins = Builtins(big_endian=byte_order == "big", keep_types=keep_types)
        self._builtins = builtins
        self._partition_key = partition_key
        self._pickle = pickle
        self._global = global_serializer
        self._custom: dict[type, Writer] = {}
        self._readers: dict[int, Reader] = builtins.readers
        self._readers[TypeId.DATA_SERIALIZABLE] = IdentifiedReader(
            dict(data_serializable_factories or {})
        )
        self._portables = Portables(
            dict(portable_factories or {}),
            version=portable_version,
            definitions=class_definitions,
            builtins=builtins,
        )
        self._readers[TypeId.PORTABLE] = self._portables.read
        if pickle:
            self._readers[TypeId.PYTHON_PICKLE] = _unpickle
        for kind, serializer in (serializers or {}).items():
            self._register(kind, serializer)
        if global_serializer is not None:
            self._register(None, global_serializer)
        self._writers: dict[type, Writer | Converter] = dict(builtins.writers)
        self._codec = HazelcastDataCodec(
            byte_order=byte_order,
            default_int_type=default_int_type,
            opaque=Data,
            kinds=builtins.kinds,
            readers=self._readers,
            find_reader=_find_no_reader,
            writers=self._writers,
            find_writer=self._find_writer,
        )

    def to_data(self, value: object) -> bytes:
        """Serialize a value; a `Data` is returned unchanged.

        Args:
            value: Value to serialize.

        Returns:
            Partition hash, type id and payload.

        Raises:
            TypeError: no serializer writes the value.
            ValueError: the value does not fit its type.
        """
        if self._partition_key is None:
            return self._codec.to_data(value)
        key = self._partition_key(value)
        if key is None or key is value:
            return self._codec.to_data(value)
        partition_hash = hazelcast_partition_hash(self._codec.to_data(key))
        return self._codec.to_data(value, partition_hash=partition_hash)

    def to_data_all(self, values: Iterable[object]) -> list[bytes]:
        """Serialize many values.

        Args:
            values: Values to serialize.

        Returns:
            One serialized value per value.
        """
        if self._partition_key is None:
            return self._codec.to_data_all(values)
        return [self.to_data(value) for value in values]

    def to_object(self, data: bytes | None) -> Any:
        """Deserialize a value; a value of an unknown type is returned as a `Data`.

        Args:
            data: Serialized value, or None.

        Returns:
            The value.

        Raises:
            DecodeError: the bytes are not valid for the type.
        """
        return self._codec.to_object(data)

    def to_object_all(self, datas: Iterable[bytes | None]) -> list[Any]:
        """Deserialize many values.

        Args:
            datas: Serialized values, or None.

        Returns:
            One value per serialized value.
        """
        return self._codec.to_object_all(datas)

    def to_arrow(self, datas: Datas) -> Array:
        """Deserialize many values into an Arrow array; a missing value or a null is null there.

        Booleans, Byte to Long (int8 to int64), Float and Double, String and JSON (utf8), byte[]
        (binary) and Date (timestamp[ms, UTC]) make an array. Integers of several widths make one of
        the widest type, as do Float and Double.

        Args:
            datas: Serialized values, as a list or an Arrow array of binary.

        Returns:
            An array with one row per value.

        Raises:
            ValueError: the values have other combinations of types.
            DecodeError: the bytes are not valid for the type, or a text has a lone surrogate.
        """
        return self._codec.read_column(datas)

    def take_values(self, gathered: HazelcastEntryColumns) -> list[Any]:
        """Deserialize values that answers brought; see `to_object`.

        Args:
            gathered: Keys and values of responses, as the members sent them.

        Returns:
            The values, in the order of the responses.
        """
        return self._codec.take_values(gathered)

    def take_entries(self, gathered: HazelcastEntryColumns) -> list[tuple[Any, Any]]:
        """Deserialize keys and values that answers brought, in pairs; see `to_object`.

        Args:
            gathered: Keys and values of responses, as the members sent them.

        Returns:
            Pairs of key and value, in the order of the responses.
        """
        return self._codec.take_entries(gathered)

    def read_columns(self, gathered: HazelcastEntryColumns) -> tuple[Array, Array]:
        """Deserialize keys and values that answers brought into Arrow arrays; see `to_arrow`.

        Args:
            gathered: Keys and values of responses, as the members sent them.

        Returns:
            The keys and the values, arrays of equal length.
        """
        return self._codec.read_columns(gathered)

    def from_arrow(self, values: ArrowArray) -> Array:
        """Serialize an Arrow array of a supported type into an array of binary; a null stays null.

        Args:
            values: Array to serialize; see `to_arrow` for the types.

        Returns:
            An Arrow array of binary, with one row per value.

        Raises:
            TypeError: the array has another type.
        """
        return self._codec.write_column(values)

    def partition_ids(self, datas: Datas, partition_count: int) -> Array:
        """Return the partition ids of many serialized keys.

        Args:
            datas: Serialized keys.
            partition_count: Number of partitions of the cluster.

        Returns:
            An Arrow array of int32.
        """
        return hazelcast_partition_ids(datas, partition_count)

    def partition_hash(self, data: bytes) -> int:
        """Return the hash that selects the partition of a serialized key.

        Args:
            data: Serialized key.

        Returns:
            The hash.
        """
        return hazelcast_partition_hash(data)

    def partition_id(self, data: bytes, partition_count: int) -> int:
        """Return the partition id of a serialized key.

        Args:
            data: Serialized key.
            partition_count: Number of partitions of the cluster.

        Returns:
            The partition id, from 0.
        """
        return hazelcast_partition_id(hazelcast_partition_hash(data), partition_count)

    def _register(self, kind: type | None, serializer: Serializer) -> None:
        type_id = serializer.type_id
        if type_id <= 0:
            raise ConfigError(f"a serializer of type {type_id}: type ids are above zero")
        if kind in _CONSTANT or kind in self._builtins.writers:
            raise ConfigError(f"the serializer of {kind} is Hazelcast's own")
        known = self._readers.setdefault(type_id, serializer.read)
        if known != serializer.read:
            raise ConfigError(f"two serializers are of type {type_id}")
        if kind is not None:
            self._custom[kind] = (type_id, serializer.write)

    def _find_writer(self, value: object) -> Writer | Converter:
        if isinstance(value, array):
            return self._builtins.array_writer(value)
        kind = type(value)
        writer = self._writers[kind] = self._writer_of(kind)
        return writer

    def _writer_of(self, kind: type) -> Writer | Converter:
        if issubclass(kind, Data):
            raise TypeError("a Data is a whole value, and not part of one")
        if issubclass(kind, IdentifiedDataSerializable):
            return TypeId.DATA_SERIALIZABLE, write_identified
        if issubclass(kind, Portable):
            return TypeId.PORTABLE, self._portables.write
        for base in kind.__mro__:
            if base in self._custom:
                return self._custom[base]
            if base in self._builtins.writers:
                return self._builtins.writers[base]
        if (kind.__module__, kind.__name__) in {("numpy", "bool"), ("numpy", "bool_")}:
            return bool  # it belongs to no class of numbers, unlike numpy's others
        if issubclass(kind, Integral):
            return index
        if issubclass(kind, Real) and not issubclass(kind, Rational):
            return float
        if self._global is not None:
            return self._global.type_id, self._global.write
        if self._pickle:
            return TypeId.PYTHON_PICKLE, _pickle
        raise TypeError(
            f"no serializer writes {kind.__module__}.{kind.__qualname__}:"
            " give one by `serializers`, make it a Portable or IdentifiedDataSerializable,"
            " or put it into a HazelcastJsonValue"
        )


_CONSTANT = frozenset({type(None), bool})


def _find_no_reader(type_id: int) -> None:
    """Return None, because the type id has no reader."""


def _pickle(output: ObjectDataOutput, value: object) -> None:
    output.write_byte_array(pickle.dumps(value))


def _unpickle(source: ObjectDataInput) -> object:
    position = source.position
    try:
        return pickle.loads(source.read_byte_array() or b"")  # noqa: S301 - asked for, see the class
    except Exception as error:  # a pickle may raise anything
        raise DecodeError(f"pickle at offset {position}: {error}", "pickle", position) from error
