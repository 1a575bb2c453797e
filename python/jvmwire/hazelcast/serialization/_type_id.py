"""Type ids of serialized values."""

from enum import IntEnum


class TypeId(IntEnum):
    """The type ids of Hazelcast's built-in types (`SerializationConstants`)."""

    NULL = 0
    PORTABLE = -1
    DATA_SERIALIZABLE = -2
    BYTE = -3
    BOOLEAN = -4
    CHAR = -5
    SHORT = -6
    INTEGER = -7
    LONG = -8
    FLOAT = -9
    DOUBLE = -10
    STRING = -11
    BYTE_ARRAY = -12
    BOOLEAN_ARRAY = -13
    CHAR_ARRAY = -14
    SHORT_ARRAY = -15
    INTEGER_ARRAY = -16
    LONG_ARRAY = -17
    FLOAT_ARRAY = -18
    DOUBLE_ARRAY = -19
    STRING_ARRAY = -20
    CLASS = -21
    DATE = -22
    BIG_INTEGER = -23
    BIG_DECIMAL = -24
    ENUM = -25
    ARRAY_LIST = -26
    LINKED_LIST = -27
    JAVA_SERIALIZABLE = -100
    JAVA_EXTERNALIZABLE = -101
    CSHARP_CLR = -110
    PYTHON_PICKLE = -120
    JSON = -130
    GO_GOB = -140
