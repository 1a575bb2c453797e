"""Columns of Hazelcast's values, in Arrow."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmwire.errors import DecodeError
from jvmwire.hazelcast.serialization import (
    Byte,
    Float,
    HazelcastJsonValue,
    Long,
    SerializationService,
    Short,
)
from kit.scale import times

SERVICE = SerializationService()

COLUMNS = {
    "boolean": (pa.bool_(), st.booleans()),
    "Byte": (pa.int8(), st.integers(-(2**7), 2**7 - 1)),
    "Short": (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    "Integer": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "Long": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "Float": (pa.float32(), st.floats(width=32, allow_nan=False)),
    "Double": (pa.float64(), st.floats(allow_nan=False)),
    "String": (pa.utf8(), st.text()),
    "byte[]": (pa.binary(), st.binary()),
    "Date": (pa.timestamp("ms", "UTC"), st.integers(-(10**13), 10**14)),
}


def arrow(values: Any, kind: Any = None) -> Any:
    return pa.array(values, kind)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("byte_order", ["big", "little"])
@settings(deadline=None, max_examples=times(25))
@given(st.data())
def test_an_arrow_array_crosses_and_comes_back(byte_order: Any, name: str, draw: st.DataObject):
    service = SerializationService(byte_order=byte_order)
    kind, values = COLUMNS[name]
    array = arrow(draw.draw(st.lists(values | st.none())), kind)
    datas = arrow(service.from_arrow(array))
    assert datas.type == pa.binary()
    assert datas.is_null().equals(array.is_null())
    for each in (datas, datas.to_pylist()):
        back = arrow(service.to_arrow(each))
        assert back.equals(array if array.null_count < len(array) else pa.nulls(len(array)))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2**40, Byte(1), None], pa.int64()),
        ([Byte(1), Short(2)], pa.int16()),
        ([Float(1.5), 2.5], pa.float64()),
        (["a", HazelcastJsonValue("{}"), None], pa.utf8()),
        ([None, None], pa.null()),
        ([], pa.null()),
        ([datetime(2026, 1, 1, tzinfo=UTC)], pa.timestamp("ms", "UTC")),
    ],
)
def test_values_that_one_type_holds_make_a_column(values: list[object], kind: pa.DataType):
    column = arrow(SERVICE.to_arrow(SERVICE.to_data_all(values)))
    assert column.type == kind
    plain = [v.to_string() if isinstance(v, HazelcastJsonValue) else v for v in values]
    assert column.to_pylist() == plain


@pytest.mark.parametrize("values", [[1, "a"], [1, 1.5], [True, 1], [b"a", "a"], [[1]], [2**70]])
def test_values_that_no_type_holds_are_a_value_error(values: list[object]):
    index = len(values) - 1
    with pytest.raises(ValueError, match=f"value {index} is of type -[0-9]+, which does not go"):
        SERVICE.to_arrow(SERVICE.to_data_all(values))


def test_bytes_that_lie_are_a_decode_error_that_says_which_value():
    good = SERVICE.to_data("text")
    for bad in (good[:-1], good[:6], SERVICE.to_data("\ud800")):
        with pytest.raises(DecodeError, match="value 1: "):
            SERVICE.to_arrow([good, bad])


def test_arrow_arrays_that_java_has_no_type_for_are_a_type_error():
    for wrong in (arrow([1], pa.uint32()), arrow([[1]]), arrow([1], pa.timestamp("ms"))):
        with pytest.raises(TypeError, match="no type of Hazelcast's"):
            SERVICE.from_arrow(wrong)


def test_partitions_of_many_keys_are_those_of_each():
    datas = SERVICE.to_data_all([Long(number) for number in range(1000)])
    ids = arrow(SERVICE.partition_ids(datas, 271))
    assert ids.to_pylist() == [SERVICE.partition_id(data, 271) for data in datas]
    again = arrow(SERVICE.partition_ids(arrow(datas), 271))
    assert again.equals(ids)
    with pytest.raises(ValueError, match="0 partitions"):
        SERVICE.partition_ids(datas, 0)
    with pytest.raises(DecodeError, match="value 0: "):
        SERVICE.partition_ids([b"abc"], 271)
