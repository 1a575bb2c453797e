"""The Writable engine: every type that ObjectWritable has, and unknown types."""

import json
import struct
from typing import Any

import pytest

from jvmwire.capture import DumpDecoder, View
from kit import wire
from kit.rows import Decoded, decode_dump

IO = "org.apache.hadoop.io."
COMPACT = f"{IO}ArrayPrimitiveWritable$Internal"
SIGNATURE = "org.apache.hadoop.ipc.ProtocolSignature"


def answered(value: bytes) -> Decoded:
    """Decode a reply of the Writable engine whose request was seen."""
    return decode_dump(wire.conversation([wire.invocation(0)]), replies=wire.written(0, value))


def response(value: bytes) -> Any:
    decoded = answered(value)
    assert decoded.errors() == []
    return decoded.messages[-1]["fields"]["response"]


def wrong(value: bytes) -> tuple[Any, str]:
    """Return the shown part of a reply that cannot be read to its end, and the reason."""
    decoded = answered(value)
    [error] = decoded.errors()
    assert decoded.calls[0]["status"] == "ok"
    assert decoded.messages[-1]["length"] == len(wire.written(0, value))
    return decoded.messages[-1]["fields"].get("response"), error


@pytest.mark.parametrize(
    ("java", "data", "value"),
    [
        ("boolean", b"\x00", False),
        ("boolean", b"\x01", True),
        ("boolean", b"\xff", True),
        ("byte", b"\x80", -128),
        ("char", b"\xd8\x3d", 0xD83D),
        ("short", b"\x80\x00", -32768),
        ("int", b"\x80\x00\x00\x00", -(2**31)),
        ("long", b"\x80" + b"\0" * 7, -(2**63)),
        ("long", b"\x7f" + b"\xff" * 7, 2**63 - 1),
        ("float", struct.pack(">f", 1.5), 1.5),
        ("double", struct.pack(">d", -0.1), -0.1),
        ("double", struct.pack(">d", 5e-324), 5e-324),
        ("float", struct.pack(">f", float("nan")), "NaN"),
        ("float", struct.pack(">f", float("inf")), "Infinity"),
        ("double", struct.pack(">d", float("-inf")), "-Infinity"),
        ("double", b"\x7f\xf0\x00\x00\x00\x00\x00\x01", "NaN"),
    ],
)
def test_a_primitive_is_its_value(java: str, data: bytes, value: object) -> None:
    shown = response(wire.writable(java, data))
    assert shown == {"class": java, "value": value}
    assert type(shown["value"]) is type(value)


def test_void_is_null() -> None:
    assert response(wire.writable("void")) == {"class": "void", "value": None}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pong",
        "a\0b",
        "h\u00e9\u20ac",
        "\U0001f600",
        "\U0010ffff\U00010000",
        '"\\/\b\f\n\r\t\x7f\u2028',
        "\u0001\u001f",
    ],
)
def test_a_string_is_its_text(text: str) -> None:
    assert response(wire.writable("java.lang.String", wire.utf8(text)))["value"] == text


def test_an_emoji_is_two_surrogates_on_the_wire_and_a_nul_one_byte() -> None:
    assert wire.utf8("\U0001f600")[2:] == b"\xed\xa0\xbd\xed\xb8\x80"
    assert wire.utf8("\0") == b"\0\x01\0"


@pytest.mark.parametrize(
    "text", ["\ud83d", "a\ude00b", "\ude00\ud83d", '\ud83d"\\\n', "\ud83d\U0001f600"]
)
def test_a_lone_surrogate_is_escaped_in_json(text: str) -> None:
    value = wire.writable("java.lang.String", wire.utf8(text))
    assert response(value)["value"] == text
    decoder = DumpDecoder([View("messages", columns=["fields"])], protocol="hadoop", of="server")
    decoder.feed("server", wire.written(0, value))
    decoder.finish()
    batch = decoder.next_batch()
    assert batch is not None
    line = batch[1].to_jsonl().decode()  # a lone surrogate would not allow this
    assert json.loads(line)["fields"]["response"]["value"] == text
    assert "\\ud" in line


@pytest.mark.parametrize(
    ("data", "text"), [(b"\xc0\x80", "\0"), (b"\xc1\x81", "A"), (b"\xe0\x81\x81", "A")]
)
def test_overlong_forms_are_taken_as_java_takes_them(data: bytes, text: str) -> None:
    value = wire.writable("java.lang.String", struct.pack(">H", len(data)) + data)
    assert response(value)["value"] == text


@pytest.mark.parametrize(
    ("data", "at"),
    [(b"a\x80", 1), (b"\xf0\x9f\x98\x80", 0), (b"\xc3", 0), (b"ab\xe2\x82", 2), (b"\xff", 0)],
)
def test_text_that_is_none_is_an_error_with_its_place(data: bytes, at: int) -> None:
    value = wire.writable("java.lang.String", struct.pack(">H", len(data)) + data)
    shown, error = wrong(value)
    assert shown == {"class": "java.lang.String"}
    offset = len(wire.written(0, value)) - len(data)
    assert error == f"value at offset {offset}: byte {at} of the text is not Hadoop's UTF8"


@pytest.mark.parametrize(
    ("java", "data", "value"),
    [
        ("BooleanWritable", b"\x01", True),
        ("ByteWritable", b"\xff", -1),
        ("ShortWritable", b"\xff\xfe", -2),
        ("IntWritable", b"\0\0\x01\x2c", 300),
        ("LongWritable", b"\0" * 7 + b"\x09", 9),
        ("FloatWritable", struct.pack(">f", 0.5), 0.5),
        ("DoubleWritable", struct.pack(">d", float("nan")), "NaN"),
        ("VIntWritable", b"\x70", 112),
        ("VIntWritable", b"\x90", -112),
        ("VLongWritable", b"\x8d\x01\xe2\x40", 123456),
        ("VLongWritable", b"\x85\x01\xe2\x3f", -123456),
        ("VLongWritable", b"\x80" + b"\x7f" + b"\xff" * 7, -(2**63)),
        ("NullWritable", b"", None),
        ("MD5Hash", bytes(range(16)), {"base64": "AAECAwQFBgcICQoLDA0ODw=="}),
        ("BytesWritable", b"\0\0\0\x02\x09\x08", {"base64": "CQg="}),
        ("Text", b"\x06T:\xe2\x82\xac!", "T:\u20ac!"),
        ("Text", b"\x00", ""),
    ],
)
def test_a_writable_of_hadoop_is_its_value(java: str, data: bytes, value: object) -> None:
    classes = {"class": IO + java, "instance_class": IO + java}
    assert response(wire.instance(IO + java, data)) == classes | {"value": value}


def test_null_is_a_null_instance_of_its_class() -> None:
    kind, declared = f"{IO}ObjectWritable$NullInstance", f"{IO}Writable"
    null = wire.instance(kind, wire.utf8("java.lang.String"), declared=declared)
    assert response(null) == {
        "class": declared,
        "instance_class": kind,
        "declared_class": "java.lang.String",
        "value": None,
    }


def test_an_enum_is_the_name_of_its_constant() -> None:
    assert response(wire.writable("test.Kind", wire.utf8("GREEN")))["value"] == "GREEN"


def test_an_array_is_a_list_of_elements_each_with_its_class() -> None:
    one, two = wire.writable("int", b"\0\0\0\x01"), wire.writable("int", b"\xff\xff\xff\xff")
    shown = response(wire.writable("[I", b"\0\0\0\x02" + one + two))
    assert shown["value"] == [{"class": "int", "value": 1}, {"class": "int", "value": -1}]


def test_an_array_of_arrays_is_a_list_of_lists() -> None:
    inner = wire.writable("[I", b"\0\0\0\x01" + wire.writable("int", b"\0\0\0\x05"))
    empty = wire.writable("[I", b"\0" * 4)
    shown = response(wire.writable("[[I", b"\0\0\0\x02" + inner + empty))
    assert [element["value"] for element in shown["value"]] == [[{"class": "int", "value": 5}], []]


@pytest.mark.parametrize(
    ("component", "data", "count", "value"),
    [
        ("int", b"\0\0\0\x01\xff\xff\xff\xff", 2, [1, -1]),
        ("boolean", b"\0\x01\x02", 3, [False, True, True]),
        ("double", struct.pack(">dd", 1.5, float("nan")), 2, [1.5, "NaN"]),
        ("char", b"\0a", 1, [97]),
        ("byte", b"\0\x01\xff", 3, {"base64": "AAH/"}),
        ("long", b"", 0, []),
    ],
)
def test_a_compact_array_is_bare_values(
    component: str, data: bytes, count: int, value: object
) -> None:
    array = wire.utf8(component) + struct.pack(">i", count) + data
    shown = response(wire.writable(COMPACT, array))
    assert shown == {"class": COMPACT, "component": component, "value": value}


def test_a_map_is_a_list_of_keys_and_values() -> None:
    text, long_, null = b"\x8c", b"\x86", b"\x89"
    entries = text + b"\x01k" + long_ + b"\0" * 7 + b"\x09" + text + b"\x01n" + null
    shown = response(wire.instance(f"{IO}MapWritable", b"\0" + b"\0\0\0\x02" + entries))
    assert shown["value"] == [{"key": "k", "value": 9}, {"key": "n", "value": None}]


def test_a_map_brings_the_classes_that_it_needs() -> None:
    brought = b"\x01\x01" + wire.utf8(f"{IO}DoubleWritable")
    entry = b"\x01" + struct.pack(">d", 0.5) + b"\x89"
    shown = response(wire.instance(f"{IO}MapWritable", brought + b"\0\0\0\x01" + entry))
    assert shown["value"] == [{"key": 0.5, "value": None}]


def test_a_map_in_a_map_is_a_list_in_a_list() -> None:
    inner = b"\x87" + b"\0" + b"\0" * 4
    shown = response(wire.instance(f"{IO}MapWritable", b"\0\0\0\0\x01" + inner + inner))
    assert shown["value"] == [{"key": [], "value": []}]


def test_a_users_own_writable_is_its_bytes_and_an_error() -> None:
    shown, error = wrong(wire.instance("com.example.Point", b"\x01\x02\x03"))
    assert shown == {
        "class": "com.example.Point",
        "instance_class": "com.example.Point",
        "value": {"base64": "AQID"},
    }
    assert error.startswith("Writable at offset ")
    assert error.endswith(": its layout is not known")


def test_a_users_own_writable_as_a_parameter_hides_those_behind_it_and_no_call() -> None:
    point = wire.instance("com.example.Point", b"\x01")
    call = wire.invocation(0, "move", wire.writable("int", b"\0\0\0\x05"), point, b"more")
    decoded = decode_dump(wire.conversation([call, wire.invocation(1)]))
    assert decoded.names()[2:] == ["Call", "Call"]
    first, second = decoded.messages[2]["fields"]["parameters"]
    assert first == {"class": "int", "value": 5}
    assert second["value"] == {"base64": "AW1vcmU="}
    assert [call["name"] for call in decoded.calls] == ["ping.move", "ping.ping"]


def test_a_map_of_a_users_own_writable_shows_what_it_can() -> None:
    brought = b"\x01\x01" + wire.utf8("com.example.Point")
    entry = b"\x8c\x01k" + b"\x01abc"
    shown, error = wrong(wire.instance(f"{IO}MapWritable", brought + b"\0\0\0\x01" + entry))
    assert shown["value"] == [{"key": "k", "value": {"base64": "YWJj"}}]
    assert error.startswith("Writable at offset ")


def test_a_protocol_signature_has_its_version_and_hashes() -> None:
    signature = struct.pack(">q?iii", 42, True, 2, -1, 7)
    shown = response(wire.instance(SIGNATURE, signature))["value"]
    assert shown == {"version": 42, "methods": [-1, 7]}
    shown = response(wire.instance(SIGNATURE, struct.pack(">q?", 1, False)))["value"]
    assert shown == {"version": 1}


@pytest.mark.parametrize("length", [-1, 2**31 - 1])
@pytest.mark.parametrize(
    "before",
    [
        wire.utf8("[I"),
        wire.utf8(COMPACT) + wire.utf8("int"),
        wire.utf8(COMPACT) + wire.utf8("byte"),
        wire.instance(f"{IO}BytesWritable"),
        wire.instance(SIGNATURE, b"\0" * 8 + b"\x01"),
    ],
    ids=["array", "compact", "compact bytes", "bytes", "signature"],
)
def test_a_length_that_cannot_be_is_an_error(before: bytes, length: int) -> None:
    _, error = wrong(before + struct.pack(">i", length))
    assert f"{length} is {'negative' if length < 0 else 'over the limit'}" in error


def test_a_map_of_less_than_nothing_is_empty_as_in_java() -> None:
    def body(entries: int) -> bytes:
        return wire.instance(f"{IO}MapWritable", b"\0" + struct.pack(">i", entries))

    assert response(body(-1))["value"] == []
    _, error = wrong(body(2**31 - 1))
    assert "is over the limit" in error


@pytest.mark.parametrize(("length", "said"), [(b"\xff", "-1 is negative"), (b"\x05", "5 is over")])
def test_a_text_length_that_cannot_be_is_an_error(length: bytes, said: str) -> None:
    _, error = wrong(wire.instance(f"{IO}Text", length + b"abcd"))
    assert said in error


@pytest.mark.parametrize(
    ("count", "said"), [(-1, "is negative"), (256, "is over the limit of 255")]
)
def test_more_parameters_than_java_has_are_refused(count: int, said: str) -> None:
    called = struct.pack(">q", 2) + wire.utf8("p") + wire.utf8("m")
    header = wire.request_header(0, kind=wire.WRITABLE)
    call = wire.frame(header, called, struct.pack(">qii", 1, 0, count))
    decoded = decode_dump(wire.conversation([call]))
    [error] = decoded.errors()
    assert f"{count} {said}" in error
    assert decoded.calls[0]["name"] == "p.m"


def test_as_many_parameters_as_java_has_are_read() -> None:
    call = wire.invocation(0, "m", *[wire.writable("boolean", b"\x01")] * 255)
    decoded = decode_dump(wire.conversation([call]))
    assert decoded.errors() == []
    assert len(decoded.messages[2]["fields"]["parameters"]) == 255


@pytest.mark.parametrize(
    "nested",
    [
        wire.writable("[I", b"\0\0\0\x01") * 1000,
        wire.instance(f"{IO}MapWritable", (b"\0" + b"\0\0\0\x01" + b"\x87") * 1000),
    ],
    ids=["arrays", "maps"],
)
def test_values_nested_without_end_are_refused_at_a_depth(nested: bytes) -> None:
    _, error = wrong(nested)
    assert "nested deeper than 64 levels" in error


def test_a_reply_of_this_engine_is_known_without_its_request() -> None:
    value = wire.writable("java.lang.String", wire.utf8("pong"))
    [reply] = decode_dump(wire.written(0, value), "server").messages
    assert reply["fields"]["response"] == {"class": "java.lang.String", "value": "pong"}
