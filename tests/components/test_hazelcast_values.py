"""Hazelcast's values: accepted ones, refused ones, and the errors."""

import gc
import json
import math
import weakref
from array import array
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from struct import pack
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hazelcast.serialization import (
    Byte,
    Char,
    Data,
    HazelcastJsonValue,
    IdentifiedDataSerializable,
    Long,
    ObjectDataInput,
    ObjectDataOutput,
    SerializationService,
    TypeId,
)
from kit.hazelcast_data import Sample, kept

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVICE = SerializationService()

texts = st.text(st.characters(codec=None))
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | texts
    | st.binary()
    | st.decimals(allow_nan=False, allow_infinity=False)
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=5), max_leaves=20)


def data_of(type_id: int, payload: bytes) -> bytes:
    return pack(">ii", 0, type_id) + payload


def in_list(type_id: int, payload: bytes) -> bytes:
    return data_of(TypeId.ARRAY_LIST, pack(">ii", 1, type_id) + payload)


@settings(deadline=None)
@given(values)
def test_what_is_written_is_read_again(value: object):
    assert SERVICE.to_object(SERVICE.to_data(value)) == value
    [read] = SERVICE.to_object_all(SERVICE.to_data_all([value]))
    assert read == value


@settings(deadline=None)
@given(st.integers(-140, 5), st.binary(max_size=60))
def test_garbage_is_a_value_or_a_decode_error(type_id: int, payload: bytes):
    for data in (data_of(type_id, payload), in_list(type_id, payload), payload):
        with suppress(DecodeError):
            SERVICE.to_object(data)


@settings(deadline=None)
@given(values, st.data())
def test_a_value_that_is_cut_is_a_decode_error(value: object, draw: st.DataObject):
    whole = SERVICE.to_data(value)
    end = draw.draw(st.integers(1, max(len(whole) - 1, 1)))
    if end < len(whole):
        with pytest.raises(DecodeError):
            SERVICE.to_object(whole[:end])


@pytest.mark.parametrize(
    ("type_id", "width"),
    [
        *((kind, 1) for kind in (TypeId.STRING, TypeId.BYTE_ARRAY, TypeId.BOOLEAN_ARRAY)),
        *((kind, 2) for kind in (TypeId.CHAR_ARRAY, TypeId.SHORT_ARRAY)),
        *((kind, 4) for kind in (TypeId.INTEGER_ARRAY, TypeId.FLOAT_ARRAY, TypeId.STRING_ARRAY)),
        *((kind, 8) for kind in (TypeId.LONG_ARRAY, TypeId.DOUBLE_ARRAY)),
        *((kind, 4) for kind in (TypeId.ARRAY_LIST, TypeId.LINKED_LIST)),
    ],
)
def test_a_length_is_judged_before_anything_is_kept_for_it(type_id: int, width: int):
    assert SERVICE.to_object(data_of(type_id, pack(">i", -1))) is None
    assert len(SERVICE.to_object(data_of(type_id, pack(">i", 0)))) == 0
    filled = 16 // width
    assert len(SERVICE.to_object(data_of(type_id, pack(">i16x", filled)))) == filled
    for stated in (filled + 1, 2**31 - 1):
        with pytest.raises(DecodeError, match="missing"):
            SERVICE.to_object(data_of(type_id, pack(">i16x", stated)))
    for stated in (-2, -(2**31)):
        with pytest.raises(DecodeError, match="negative"):
            SERVICE.to_object(data_of(type_id, pack(">i16x", stated)))


def test_nothing_is_nested_without_end():
    deep = pack(">ii", TypeId.ARRAY_LIST, 1) * 100_000
    with pytest.raises(DecodeError, match="nested deeper than 100 levels"):
        SERVICE.to_object(data_of(TypeId.ARRAY_LIST, pack(">i", 1) + deep))
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested deeper than 100 levels"):
        SERVICE.to_data(endless)


def test_depth_counts_through_values_that_python_reads():
    service = kept()
    value: object = None
    for _ in range(90):
        value = Sample(1, None, value)
    assert service.to_object(service.to_data(value)) == value
    for _ in range(20):
        value = Sample(1, None, value)
    with pytest.raises(ValueError, match="nested deeper"):
        service.to_data(value)


def test_a_null_is_none_however_it_is_written():
    assert SERVICE.to_object(None) is None
    assert SERVICE.to_object(b"") is None
    assert SERVICE.to_object(data_of(TypeId.NULL, b"")) is None
    assert SERVICE.to_data(None) == bytes(8)


@pytest.mark.parametrize("type_id", [-100, -101, -120, -2, -1, 5, 2**31 - 1])
def test_what_nobody_reads_is_data_that_goes_back_to_the_byte(type_id: int):
    raw = data_of(type_id, b"\0" * 20)
    value = SERVICE.to_object(raw)
    assert type(value) is Data
    assert (value.type_id, value.payload, value) == (type_id, bytes(20), raw)
    assert SERVICE.to_data(value) is value


def test_a_value_with_something_unknown_within_is_data():
    raw = in_list(-100, b"\xac\xed\0\5")
    assert SERVICE.to_object(raw) == Data(raw)
    assert isinstance(SERVICE.to_object(raw), Data)
    with pytest.raises(TypeError, match="not part of one"):
        SERVICE.to_data([Data(raw)])


def test_a_date_beyond_pythons_years_is_data():
    raw = data_of(TypeId.DATE, pack(">q", 2**62))
    assert SERVICE.to_data(SERVICE.to_object(raw)) == raw


@pytest.mark.parametrize("kind", ["byte", "short", "integer", "long"])
def test_an_int_that_does_not_fit_its_type_is_a_value_error(kind: str):
    bits = {"byte": 8, "short": 16, "integer": 32, "long": 64}[kind]
    service = SerializationService(default_int_type=kind)  # type: ignore[arg-type] # one of them
    most = 2 ** (bits - 1) - 1
    assert len(service.to_data(most)) == 8 + bits // 8
    assert service.to_object(service.to_data(-most - 1)) == -most - 1
    for wrong in (most + 1, -most - 2, 2**100):
        with pytest.raises(ValueError, match="fit"):
            service.to_data(wrong)


def test_big_integer_for_all_holds_any():
    service = SerializationService(default_int_type="big_integer")
    assert Data(service.to_data(0)).type_id == TypeId.BIG_INTEGER
    assert service.to_object(service.to_data(-(2**100))) == -(2**100)


@pytest.mark.parametrize(
    "wrong",
    [
        Byte(128),
        Char("ab"),
        Char("\U0001f600"),
        Long(2**63),
        Decimal("NaN"),
        datetime(2026, 1, 1),  # noqa: DTZ001 - what is refused
    ],
)
def test_what_its_type_does_not_hold_is_a_value_error(wrong: object):
    with pytest.raises(ValueError, match=r"\w"):
        SERVICE.to_data(wrong)


@pytest.mark.parametrize("wrong", [{}, set(), object(), 1j, array("I", [1]), lambda: None])
def test_what_no_serializer_writes_is_a_type_error(wrong: object):
    with pytest.raises(TypeError):
        SERVICE.to_data(wrong)
    with pytest.raises(TypeError):
        SERVICE.to_data([wrong])


def test_subclasses_are_written_as_what_they_are():
    class Colour(IntEnum):
        RED = 5

    class Name(StrEnum):
        A = "a"

    assert SERVICE.to_data(Colour.RED) == SERVICE.to_data(5)
    assert SERVICE.to_data(Name.A) == SERVICE.to_data("a")
    assert SERVICE.to_data(type("Mine", (list,), {})([1])) == SERVICE.to_data([1])


def test_nothing_is_pickled_unless_asked():
    service = SerializationService(pickle=True)
    data = service.to_data({1: 2})
    assert Data(data).type_id == TypeId.PYTHON_PICKLE
    assert service.to_object(data) == {1: 2}
    assert isinstance(SERVICE.to_object(data), Data)
    for torn in (data[:-1], data_of(TypeId.PYTHON_PICKLE, bytes(4)), data[:12]):
        with pytest.raises(DecodeError):
            service.to_object(torn)


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y


class Sub(Point):
    pass


class PointSerializer:
    type_id = 10

    def write(self, output: ObjectDataOutput, value: Point) -> None:
        output.write_int(value.x)
        output.write_int(value.y)

    def read(self, source: ObjectDataInput) -> Point:
        return Point(source.read_int(), source.read_int())


class TextSerializer:
    type_id = 11

    def write(self, output: ObjectDataOutput, value: object) -> None:
        output.write_utf(repr(value))

    def read(self, source: ObjectDataInput) -> object:
        return source.read_utf()


def test_a_serializer_of_ones_own_writes_its_class_and_what_is_derived():
    service = SerializationService(serializers={Point: PointSerializer()})
    data = service.to_data([Sub(1, 2), None])
    assert data[12:24] == pack(">iii", 10, 1, 2)
    point, _ = service.to_object(data)
    assert (point.x, point.y) == (1, 2)
    with pytest.raises(DecodeError):
        service.to_object(data_of(10, b"\0" * 7))


def test_a_global_serializer_writes_what_no_other_does():
    service = SerializationService(global_serializer=TextSerializer())
    assert service.to_object(service.to_data({1})) == "{1}"
    assert service.to_object(service.to_data(1)) == 1


def test_serializers_that_cannot_be_told_apart_are_refused():
    class Zero(TextSerializer):
        type_id = 0

    class Ten(TextSerializer):
        type_id = 10

    wrongs: list[Mapping[type, Any]] = [
        {str: PointSerializer()},
        {Point: Zero()},
        {Point: PointSerializer(), set: Ten()},
    ]
    for wrong in wrongs:
        with pytest.raises(ConfigError):
            SerializationService(serializers=wrong)


def test_a_factory_may_be_a_function_and_make_nothing():
    service = SerializationService(
        data_serializable_factories={7: lambda class_id: Sample() if class_id == 1 else None}
    )
    data = bytearray(kept().to_data(Sample(3)))
    assert service.to_object(bytes(data)) == Sample(3)
    data[16] = 9
    assert isinstance(service.to_object(bytes(data)), Data)


def test_a_class_that_reads_too_much_gets_a_decode_error():
    class Greedy(IdentifiedDataSerializable):
        factory_id, class_id = 7, 1

        def write_data(self, output: ObjectDataOutput) -> None: ...

        def read_data(self, source: ObjectDataInput) -> None:
            source.read_long()

    service = SerializationService(data_serializable_factories={7: {1: Greedy}})
    with pytest.raises(DecodeError, match="missing"):
        service.to_object(service.to_data(Greedy()))


def test_the_partition_of_a_key_may_be_that_of_another():
    service = SerializationService(
        partition_key=lambda key: key.partition("@")[2] if isinstance(key, str) else None
    )
    at = service.to_data("order-5@customer-1")
    assert service.partition_hash(at) == service.partition_hash(SERVICE.to_data("customer-1"))
    assert service.to_object(at) == "order-5@customer-1"
    assert service.to_data(5) == SERVICE.to_data(5)


def test_json_is_kept_as_it_is_written():
    value = SERVICE.to_object(SERVICE.to_data(HazelcastJsonValue('{ "a" : 1 }')))
    assert value.to_string() == '{ "a" : 1 }'
    assert value.loads() == {"a": 1}


def test_a_date_is_a_point_in_time_to_the_millisecond():
    moment = datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert SERVICE.to_object(SERVICE.to_data(moment)) == moment.replace(microsecond=999000)


def test_a_decimal_too_long_to_be_made_in_time_is_refused():
    digits = b"\1" * (1 << 17)
    data = data_of(TypeId.BIG_DECIMAL, pack(">i", len(digits)) + digits + bytes(4))
    with pytest.raises(DecodeError, match="over the limit"):
        SERVICE.to_object(data)


def test_types_are_kept_if_asked():
    service = kept()
    for value in (Byte(1), Long(1), Char("a")):
        read = service.to_object(service.to_data(value))
        assert (type(read), read) == (type(value), value)
        assert type(SERVICE.to_object(service.to_data(value))) in (int, str)


def test_a_service_is_forgotten_with_all_that_belongs_to_it():
    service = SerializationService(serializers={Point: PointSerializer()})
    service.to_data(Point(1, 2))
    gone = weakref.ref(service)
    del service
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"n": 2**64}, '{"n":18446744073709551616}'),
        ({1: 2}, '{"1":2}'),
        ([10**40, -(10**40)], f"[{10**40},-{10**40}]"),
        ({"é": [None, True, 1.5]}, '{"é":[null,true,1.5]}'),
    ],
)
def test_json_values_keep_integers_exact(value, told):
    json_value = HazelcastJsonValue(value)
    assert json_value.to_string() == told
    assert HazelcastJsonValue(told).loads() == json_value.loads() == json.loads(told)
    assert told.isascii() or "é" in told


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"x": -math.inf}])
def test_json_values_refuse_what_json_cannot_say(value):
    with pytest.raises(ValueError, match="JSON compliant"):
        HazelcastJsonValue(value)


def test_scalars_of_numpy_are_values_of_python():
    import numpy

    for scalar, value in ((numpy.bool_(1), True), (numpy.int64(5), 5), (numpy.float32(0.5), 0.5)):
        assert SERVICE.to_data(scalar) == SERVICE.to_data(value)


def test_json_values_are_refused_as_value_errors():
    deep = "[" * 100_000
    for text in ("NaN", "[Infinity]", deep, "{"):
        with pytest.raises(ValueError):  # noqa: PT011 - the text is the library's
            HazelcastJsonValue(text).loads()
    assert HazelcastJsonValue('{"n":18446744073709551616}').loads() == {"n": 2**64}
