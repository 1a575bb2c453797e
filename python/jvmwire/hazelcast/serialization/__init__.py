"""Serialization of Hazelcast 3.x: values of the cluster and their Python counterparts."""

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput
from jvmwire.hazelcast.serialization._class_definition import ClassDefinition, FieldType
from jvmwire.hazelcast.serialization._data import Data, UnknownType
from jvmwire.hazelcast.serialization._identified_data_serializable import (
    IdentifiedDataSerializable,
    WriteOnly,
)
from jvmwire.hazelcast.serialization._java_types import (
    BigInteger,
    BooleanArray,
    Byte,
    Char,
    CharArray,
    Float,
    HazelcastJsonValue,
    Integer,
    JavaClass,
    JavaEnum,
    LinkedList,
    Long,
    Short,
    StringArray,
)
from jvmwire.hazelcast.serialization._portable import Portable
from jvmwire.hazelcast.serialization._portable_reader import PortableReader
from jvmwire.hazelcast.serialization._portable_writer import PortableWriter
from jvmwire.hazelcast.serialization._service import SerializationService, Serializer
from jvmwire.hazelcast.serialization._type_id import TypeId

__all__ = [
    "BigInteger",
    "BooleanArray",
    "Byte",
    "Char",
    "CharArray",
    "ClassDefinition",
    "Data",
    "FieldType",
    "Float",
    "HazelcastJsonValue",
    "IdentifiedDataSerializable",
    "Integer",
    "JavaClass",
    "JavaEnum",
    "LinkedList",
    "Long",
    "ObjectDataInput",
    "ObjectDataOutput",
    "Portable",
    "PortableReader",
    "PortableWriter",
    "SerializationService",
    "Serializer",
    "Short",
    "StringArray",
    "TypeId",
    "UnknownType",
    "WriteOnly",
]
