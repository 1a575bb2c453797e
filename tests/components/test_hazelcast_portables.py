"""Hazelcast's Portables: their fields, versions, and forged bytes."""

from contextlib import suppress
from struct import pack_into, unpack_from

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hazelcast.serialization import (
    ClassDefinition,
    Data,
    FieldType,
    Portable,
    PortableReader,
    PortableWriter,
    SerializationService,
)
from kit.hazelcast_data import Fields, Inner, kept

VALUES = [
    *(-1, True, "a", -2, -3, 2**40, 1.5, 2.5, "caf\xe9"),
    *(Inner(5, "inner"), b"ab", [True, False], "ab", [1, -1], [2], [3, 4]),
    *([1.5], [2.5], ["a", None], [Inner(1, "a"), Inner(2, None)]),
]
WHOLE = kept().to_data([Fields(VALUES, "raw"), 5])


class Node(Portable):
    factory_id = 9
    class_id = 1

    def __init__(self, left: Portable | None = None, right: Portable | None = None) -> None:
        self.left, self.right = left, right

    def write_portable(self, writer: PortableWriter) -> None:
        writer.write_portable("left", self.left)
        writer.write_portable("right", self.right)

    def read_portable(self, reader: PortableReader) -> None:
        self.left = reader.read_portable("left")
        self.right = reader.read_portable("right")


def nodes() -> SerializationService:
    definition = ClassDefinition(9, 1)
    definition.add("left", FieldType.PORTABLE, factory_id=9, class_id=1)
    definition.add("right", FieldType.PORTABLE, factory_id=9, class_id=1)
    return SerializationService(portable_factories={9: {1: Node}}, class_definitions=[definition])


def test_a_portable_that_is_cut_anywhere_is_a_decode_error():
    service = kept()
    for end in range(1, len(WHOLE)):
        with pytest.raises(DecodeError):
            service.to_object(WHOLE[:end])


@settings(deadline=None)
@given(st.integers(8, len(WHOLE) - 4), st.binary(min_size=1, max_size=4))
def test_a_portable_that_lies_is_a_value_or_a_decode_error(at: int, lie: bytes):
    with suppress(DecodeError):
        kept().to_object(WHOLE[:at] + lie + WHOLE[at + len(lie) :])


@settings(deadline=None)
@given(st.integers(2, len(WHOLE) // 4 - 1), st.sampled_from([-(2**31), -1, 0, 1, 2**16, 2**31 - 1]))
def test_a_number_within_that_lies_is_judged(word: int, lie: int):
    data = bytearray(WHOLE)
    pack_into(">i", data, 4 * word, lie)
    with suppress(DecodeError):
        kept().to_object(bytes(data))


def test_two_fields_cannot_be_the_same_bytes():
    # Otherwise a few nested fields would be read again and again, twice as often at each level.
    service = nodes()
    data = bytearray(service.to_data(Node(Node(), Node())))
    # After the header: factory, class, version, end and number of fields.
    [left] = unpack_from(">i", data, 8 + 5 * 4)
    pack_into(">i", data, 8 + 6 * 4, left)
    with pytest.raises(DecodeError, match="place of a field"):
        service.to_object(bytes(data))


def test_portables_are_not_nested_without_end():
    service = nodes()
    node = Node()
    for _ in range(99):
        node = Node(node)
    assert service.to_object(service.to_data(node)).left.left.right is None
    with pytest.raises(ValueError, match="nested deeper than 100"):
        service.to_data(Node(Node(node)))


def test_the_first_value_tells_the_fields_or_says_why_not():
    service = SerializationService(portable_factories={9: {1: Node}})
    with pytest.raises(ValueError, match="'left' is null in the first ClassDefinition"):
        service.to_data(Node())
    with pytest.raises(ValueError, match="no Portable in the first"):
        kept().to_data(Fields([*VALUES[:-1], []]))


def test_what_no_factory_makes_is_data_that_goes_back_to_the_byte():
    value = SerializationService().to_object(WHOLE)
    assert type(value) is Data
    assert SerializationService().to_data(value) == WHOLE


@pytest.mark.parametrize(
    ("write", "error"),
    [
        (lambda writer: writer.write_int("b", 1), "no field 'b'"),
        (lambda writer: writer.write_long("a", 1), "is INT and not LONG"),
        (lambda writer: [writer.write_int("a", 1)] * 2 + [writer.write_int("a", 1)], "twice"),
        (
            lambda writer: [writer.raw_data_output(), writer.write_int("a", 1)],
            "behind the raw data",
        ),
    ],
)
def test_fields_that_the_class_does_not_have_are_refused(write, error: str):
    class One(Portable):
        factory_id, class_id = 9, 2

        def write_portable(self, writer: PortableWriter) -> None:
            write(writer)

        def read_portable(self, reader: PortableReader) -> None: ...

    definition = ClassDefinition(9, 2).add("a", FieldType.INT)
    service = SerializationService(class_definitions=[definition])
    with pytest.raises(ValueError, match=error):
        service.to_data(One())


def test_a_class_definition_has_each_name_once_and_in_ascii():
    definition = ClassDefinition(1, 1).add("a", FieldType.INT)
    for wrong in ("a", "\xe9", "a" * 40_000):
        with pytest.raises(ConfigError):
            definition.add(wrong, FieldType.INT)
    assert [field.name for field in definition] == ["a"]


def test_values_without_a_version_have_that_of_the_service():
    class Empty(Portable):
        factory_id, class_id = 9, 3

        def write_portable(self, writer: PortableWriter) -> None:
            assert writer.version == 6

        def read_portable(self, reader: PortableReader) -> None: ...

    data = SerializationService(portable_version=6).to_data(Empty())
    assert unpack_from(">iii", data, 8) == (9, 3, 6)


@pytest.mark.parametrize("wrong", [None, 5, "text"])
def test_arrays_of_portables_refuse_what_is_no_portable(wrong):
    class Holder(Portable):
        factory_id = 9
        class_id = 2

        def write_portable(self, writer: PortableWriter) -> None:
            writer.write_portable_array("es", [Inner(1, "a"), wrong])

        def read_portable(self, reader: PortableReader) -> None:
            raise AssertionError(reader)

    definition = ClassDefinition(9, 2)
    inner = Inner(1, "a")
    definition.add(
        "es", FieldType.PORTABLE_ARRAY, factory_id=inner.factory_id, class_id=inner.class_id
    )
    service = SerializationService(class_definitions=[definition])
    with pytest.raises(TypeError, match="field 'es' must be a Portable, got"):
        service.to_data(Holder())
