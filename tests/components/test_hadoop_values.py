"""Values of the Writable engine are read as they were written."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jvmwire._core import (
    HadoopCalls,
    HadoopDataInput,
    HadoopDataOutput,
    HadoopRequestDecoder,
    JavaClass,
    decode_object,
    encode_invocation,
)
from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hadoop.rpc import _writable
from jvmwire.hadoop.rpc._writable import (
    CLASSES,
    MapWritable,
    MD5Hash,
    NullWritable,
    Writable,
)
from kit import wire
from kit.hadoop_echo import PEER
from kit.hadoop_values import VALUES, WRITABLE

COMPACT = "org.apache.hadoop.io.ArrayPrimitiveWritable$Internal"


class Endless(Writable, java_class="test.Endless"):
    """Writable that reads itself again and again."""

    @classmethod
    def read(cls, source: HadoopDataInput) -> "Endless":
        source.read_writable("test.Endless")
        return cls()


class Faulty(Writable, java_class="test.Faulty"):
    """Writable that does not check its input."""

    @classmethod
    def read(cls, source: HadoopDataInput) -> "Faulty":
        raise KeyError(source.read_byte())


@given(VALUES)
def test_what_is_written_is_read_as_what_it_was(value: tuple[str, Any]) -> None:
    java_class, given_value = value
    assert decode_object(JavaClass(java_class).encode(given_value), CLASSES) == value


@given(VALUES, st.data())
def test_what_is_cut_or_goes_on_is_an_error(value: tuple[str, Any], data: st.DataObject) -> None:
    written = JavaClass(value[0]).encode(value[1])
    cut = data.draw(st.integers(0, len(written) - 1))
    for wrong in (written[:cut], written + b"\0"):
        with pytest.raises(DecodeError):
            decode_object(wrong, CLASSES)


@given(st.lists(VALUES, max_size=4))
def test_parameters_are_read_with_their_classes(values: list[tuple[str, Any]]) -> None:
    classes = [JavaClass(java_class) for java_class, _ in values]
    body = encode_invocation("a.P", "m", 7, -5, classes, [value for _, value in values])
    calls = asked(body)
    assert (calls.protocol, calls.key) == ("a.P", ("m", *calls.classes))
    assert (calls.engine_version, calls.version) == (2, 7)
    [arguments] = calls.arguments
    assert list(zip(calls.classes, arguments, strict=True)) == values


@given(st.binary(max_size=80))
@example(b"\0\0\0\0\x08" + bytes(7))
def test_garbage_is_an_error_of_its_own_or_a_value(garbage: bytes) -> None:
    for start in (b"", wire.utf8(WRITABLE) + wire.utf8("test.Point"), wire.utf8("[I")):
        try:
            java_class, value = decode_object(start + garbage + b"\x07", CLASSES)
        except DecodeError:
            continue
        written = JavaClass(java_class).encode(value)
        assert decode_object(written, CLASSES) == (java_class, value)


def test_value_of_class_without_name_is_refused() -> None:
    with pytest.raises(DecodeError, match='the class "" is not known here'):
        decode_object(b"\0\0" + wire.utf8("a"), CLASSES)


def asked(body: bytes) -> HadoopCalls:
    decoder = HadoopRequestDecoder(within=True)
    decoder.feed(wire.frame(wire.request_header(0, kind=wire.WRITABLE), body))
    calls = decoder.next_calls(CLASSES, 1)
    assert calls is not None
    return calls


@pytest.mark.parametrize(
    ("java_class", "value", "kind", "said"),
    [
        ("int", "5", TypeError, "Java's int"),
        ("int", None, TypeError, "int has no null"),
        ("int", 1 << 31, ValueError, "Java's int"),
        ("byte", 128, ValueError, "Java's byte"),
        ("boolean", 1, TypeError, "Java's boolean"),
        ("float", 1e300, ValueError, "range of a float"),
        ("char", "ab", ValueError, "one unit"),
        ("char", "\U0001f600", ValueError, "one unit"),
        ("void", 0, TypeError, "void has no value"),
        ("java.lang.String", b"x", TypeError, "bytes"),
        ("java.lang.String", "x" * 70_000, ValueError, "65535"),
        ("[I", "123", TypeError, "no array"),
        ("[I", [1, None], TypeError, "int has no null"),
        ("[B", [1, 2], TypeError, "list"),
        (WRITABLE, "x", TypeError, "neither a Writable"),
        (WRITABLE, MD5Hash(b"x"), ValueError, "16 bytes"),
    ],
)
def test_what_java_has_no_such_value_for_is_refused(
    java_class: str, value: object, kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        JavaClass(java_class).encode(value)


@pytest.mark.parametrize("name", ["", "[", "[int", "[Lint;", "[Q"])
def test_a_name_that_is_no_types_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a type"):
        JavaClass(name)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (wire.writable("test.Unknown", wire.utf8("RED")), '"test.Unknown" is not known'),
        (wire.writable(f"{PEER}Kind", wire.utf8("BLUE")), "no constant BLUE"),
        (wire.instance("test.Unknown", b"x"), '"test.Unknown" is not known'),
        (wire.instance("test.Endless"), "test.Endless cannot be read"),
        (wire.instance("test.Faulty", b"\x05"), r"KeyError\(?:? ?5"),
        (wire.instance("test.Point", b"\0\0"), "bytes are missing"),
        (wire.instance(f"{PEER}.Kind"), "not known"),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        _writable.decode(data)


def test_values_nested_without_end_are_refused() -> None:
    nested = wire.writable("[[I", b"\0\0\0\x01") * 1000
    with pytest.raises(DecodeError, match="nested deeper"):
        _writable.decode(nested)
    inner: Writable = NullWritable()
    for _ in range(100):
        inner = MapWritable({NullWritable(): inner})
    with pytest.raises(ValueError, match="nested deeper"):
        JavaClass(WRITABLE).encode(inner)


def test_arrays_are_compact_in_requests_and_element_by_element_in_replies() -> None:
    body = encode_invocation("p", "m", 1, 0, [JavaClass("[I")], [[1, -1]])
    compact = wire.writable(COMPACT, wire.utf8("int") + b"\0\0\0\x02\0\0\0\x01\xff\xff\xff\xff")
    assert body.endswith(b"\0\0\0\x01" + compact)
    each = wire.writable("int", b"\0\0\0\x01") + wire.writable("int", b"\xff\xff\xff\xff")
    assert JavaClass("[I").encode([1, -1]) == wire.writable("[I", b"\0\0\0\x02" + each)


def test_a_number_that_is_none_comes_and_goes() -> None:
    assert math.isnan(_writable.decode(JavaClass("double").encode(math.nan)))


def test_a_java_class_is_one_python_class() -> None:
    with pytest.raises(ConfigError, match=r"test.Point is Point already, not Other"):
        type("Other", (Writable,), {}, java_class="test.Point")


@pytest.mark.parametrize(
    ("write", "read", "value"),
    [
        (HadoopDataOutput.write_boolean, HadoopDataInput.read_boolean, True),
        (HadoopDataOutput.write_byte, HadoopDataInput.read_byte, -5),
        (HadoopDataOutput.write_char, HadoopDataInput.read_char, "\u20ac"),
        (HadoopDataOutput.write_short, HadoopDataInput.read_short, -300),
        (HadoopDataOutput.write_int, HadoopDataInput.read_int, -70_000),
        (HadoopDataOutput.write_long, HadoopDataInput.read_long, 1 << 60),
        (HadoopDataOutput.write_float, HadoopDataInput.read_float, 1.5),
        (HadoopDataOutput.write_double, HadoopDataInput.read_double, -0.1),
        (HadoopDataOutput.write_vlong, HadoopDataInput.read_vlong, -123_456),
        (HadoopDataOutput.write_utf, HadoopDataInput.read_utf, "a\0\U0001f600"),
        (HadoopDataOutput.write_utf8, HadoopDataInput.read_utf8, "a\0\ud83d"),
        (HadoopDataOutput.write_text, HadoopDataInput.read_text, "a\u20ac" * 50),
    ],
)
def test_a_users_own_writable_writes_and_reads_any_field(
    write: Callable[[HadoopDataOutput, Any], None],
    read: Callable[[HadoopDataInput], Any],
    value: object,
) -> None:
    seen = []

    class Field(Writable):
        """One field, and bytes after it."""

        java_class = "test.Field"

        def write(self, out: HadoopDataOutput) -> None:
            write(out, value)
            out.write_bytes(b"xy")

        @classmethod
        def read(cls, source: HadoopDataInput) -> "Field":
            seen.extend([read(source), source.read_bytes(2)])
            return cls()

    data = JavaClass("test.Field").encode(Field())
    decode_object(data, {"test.Field": Field})
    assert seen == [value, b"xy"]
    with pytest.raises(DecodeError):
        decode_object(data[:-3], {"test.Field": Field})
