"""Java's encodings of text: null, lone surrogates, and the refusals of each."""

import sys
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import DecodeError, codec
from kit.primitives import arrow, python

LONE = "a\u00e9\ud83db"
LONE_WIRE = b"a\xc3\xa9\xed\xa0\xbdb"


@pytest.mark.parametrize(
    ("strings", "wire"),
    [
        (codec.JAVA_UTF, "0009 61 c080 eda0bdedb880"),
        (codec.HADOOP_UTF8, "0008 61 00 eda0bdedb880"),
        (codec.HADOOP_TEXT, "06 61 00 f09f9880"),
        (codec.HAZELCAST_STRING, "06000000 61 00 f09f9880"),
        (codec.HAZELCAST_DATA_STRING, "00000004 61 00 eda0bdedb880"),
    ],
)
def test_nul_and_emoji_are_written_as_each_format_has_them(
    strings: codec.StringFormat[Any], wire: str
) -> None:
    assert strings.encode("a\0\U0001f600").hex() == wire.replace(" ", "")


def test_a_length_of_minus_one_is_null_in_hazelcasts_data() -> None:
    strings = codec.HAZELCAST_DATA_STRING
    wire = strings.encode("a") + strings.encode(None) + strings.encode("")
    assert strings.decode(wire, 5) == (None, 9)
    column = arrow(strings.decode_all(wire))
    assert (column.type, column.to_pylist()) == (pa.string(), ["a", None, ""])
    assert strings.encode_all(column) == wire
    decoder = strings.decoder()
    assert [python(decoder.feed(wire[at : at + 1])) for at in range(9)][4:] == [
        ["a"],
        [],
        [],
        [],
        [None],
    ]


def test_null_is_refused_where_the_format_has_none() -> None:
    for strings in [codec.JAVA_UTF, codec.HADOOP_TEXT, codec.HAZELCAST_STRING]:
        with pytest.raises(ValueError, match="the format has no null"):
            strings.encode(None)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="value 1: the format has no null"):
            strings.encode_all(pa.array(["a", None]))
    with pytest.raises(DecodeError, match="-1 is negative"):
        codec.HAZELCAST_STRING.decode(b"\xff\xff\xff\xff")
    with pytest.raises(ValueError, match="none of them is null"):
        codec.StringFormat("utf-8", "uint16", nullable=True)


def test_a_lone_surrogate_is_refused_with_its_offset() -> None:
    for decode in [
        codec.Text("modified-utf-8").decode,
        lambda it: codec.JAVA_UTF.decode(b"\0\0" + b"\0\7" + it, 2),
        lambda it: codec.JAVA_UTF.decode_all(b"\0\0" + b"\0\7" + it),
    ]:
        with pytest.raises(DecodeError, match="byte 3 of the text begins a lone surrogate") as it:
            decode(LONE_WIRE)
        assert it.value.offset in {3, 7}
        assert it.value.what == "text"
    with pytest.raises(UnicodeEncodeError):
        codec.Text("modified-utf-8").encode(LONE)
    with pytest.raises(UnicodeEncodeError):
        codec.JAVA_UTF.encode(LONE)


def test_a_lone_surrogate_is_kept_on_request() -> None:
    text = codec.Text("cesu-8", lossless=True)
    assert text.decode(LONE_WIRE) == LONE
    assert text.encode(LONE) == LONE_WIRE
    strings = codec.StringFormat("modified-utf-8", "utf16-units", lossless=True)
    assert strings.encode(LONE) == b"\0\0\0\4" + LONE_WIRE
    column = arrow(strings.decode_all(strings.encode(LONE) + strings.encode("b")))
    assert column.type == pa.binary()
    assert [it.decode("utf-8", "surrogatepass") for it in column.to_pylist()] == [LONE, "b"]
    assert strings.encode_all(column) == strings.encode(LONE) + strings.encode("b")
    assert strings.encode_all(pa.array(["b"])) == strings.encode("b")


def test_what_is_no_text_is_refused_even_without_loss() -> None:
    text = codec.Text("modified-utf-8", lossless=True)
    with pytest.raises(DecodeError, match="byte 1 of the text is not modified UTF-8"):
        text.decode(b"a\xff")
    with pytest.raises(ValueError, match=r"value 1: byte 0 of the text is not UTF-8") as caught:
        text.encode_all(pa.array([b"a", b"\xff"]))
    assert not isinstance(caught.value, DecodeError)
    with pytest.raises(ValueError, match="lone surrogate"):
        codec.Text("utf-8", lossless=True).encode(LONE)


def test_text_that_its_length_cannot_measure_is_refused() -> None:
    assert len(codec.JAVA_UTF.encode("x" * 65535)) == 65537
    with pytest.raises(ValueError, match="65536 bytes do not fit where the protocol allows 65535"):
        codec.JAVA_UTF.encode("x" * 65536)
    with pytest.raises(ValueError, match="value 1: 65538 bytes do not fit"):
        codec.JAVA_UTF.encode_all(pa.array(["a", "\u20ac" * 21846]))


def test_nulls_stay_where_text_has_no_length() -> None:
    text = codec.Text("modified-utf-8")
    encoded = text.encode_all(pa.array(["\0", None, "b"]))
    assert python(encoded) == [b"\xc0\x80", None, b"b"]
    assert python(text.decode_all(encoded)) == ["\0", None, "b"]
    assert python(text.decode_all(arrow(encoded)[1:])) == [None, "b"]


@pytest.mark.parametrize("tail", ["", "\xe9", "\0", "\u20ac", "\U0001f600"])
def test_long_text_may_go_on_otherwise_than_it_began(tail: str) -> None:
    text = codec.Text("modified-utf-8")
    assert text.decode(text.encode("a" * 2_000 + tail)) == "a" * 2_000 + tail
    with pytest.raises(DecodeError, match="byte 2000 of the text"):
        text.decode(b"a" * 2_000 + "\U0001f600".encode() + tail.encode())


@pytest.mark.parametrize("back", "a\xe9\u20ac\U0001f600")
@pytest.mark.parametrize("front", "a\xe9\u20ac\U0001f600")
def test_long_text_is_the_str_that_python_makes_wherever_it_goes_on_otherwise(
    front: str, back: str
) -> None:
    text, lossless = (codec.Text("modified-utf-8", lossless=lossless) for lossless in (False, True))
    for before, behind in [(9_999, 9_999), (60_000, 1), (1, 60_000), (16_383, 16_385)]:
        expected = "\xe9" + front * before + back * behind
        made = text.decode(text.encode(expected))
        assert (made, sys.getsizeof(made)) == (expected, sys.getsizeof("".join([*expected])))
        wire = lossless.encode(expected[:-1] + LONE)
        assert lossless.decode(wire) == expected[:-1] + LONE
        at = len(wire) - len(LONE_WIRE) + 3
        with pytest.raises(DecodeError, match=f"byte {at} of the text begins a lone surrogate"):
            text.decode(wire)


@pytest.mark.parametrize("highest", "\x7f\x80\xff\u0100\uffff\U00010000\U0010ffff")
@pytest.mark.parametrize("others", ["a", "\xe9", "\u20ac", "\U0001f600"])
def test_short_text_is_the_str_that_python_makes_wherever_its_highest_character_is(
    others: str, highest: str
) -> None:
    text = codec.Text("modified-utf-8")
    for length in range(70):
        for before in range(length + 1):
            expected = others * before + highest + others * (length - before)
            made = text.decode(text.encode(expected))
            assert (made, sys.getsizeof(made)) == (expected, sys.getsizeof("".join(expected)))
