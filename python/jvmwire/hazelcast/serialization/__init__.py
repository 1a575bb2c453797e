"""Values of Hazelcast 3.x: what members keep, and what Python has for it."""

from jvmwire._core import HazelcastDataInput as ObjectDataInput
from jvmwire._core import HazelcastDataOutput as ObjectDataOutput

from .data import Data, UnknownType
from .identified import IdentifiedDataSerializable
from .service import SerializationService, Serializer
from .type_id import TypeId
from .values import (
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

__all__ = [
    "BigInteger",
    "BooleanArray",
    "Byte",
    "Char",
    "CharArray",
    "Data",
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
    "SerializationService",
    "Serializer",
    "Short",
    "StringArray",
    "TypeId",
    "UnknownType",
]
