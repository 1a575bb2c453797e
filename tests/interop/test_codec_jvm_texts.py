"""Strings against the JVM's own classes, and the cases in which jvmwire is stricter by design."""

import re
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

from jvmwire import codec
from kit.oracle import WRONG, Answer, Oracle, differing, read_one
from kit.scale import seeded, times

MANY = times(40_000)
# As in Forms.java.
LIMIT = 1 << 20

UINT16 = codec.Fixed("uint16")
UTF = codec.StringFormat("modified-utf-8", "uint16", lossless=True)
UTF8 = codec.StringFormat("cesu-8", "uint16", lossless=True)
TEXT = codec.StringFormat("utf-8", "vint", limit=LIMIT)

# False lengths.
SHORT_LENGTHS = (0, 1, 5, 127, 128, 65535)
INT_LENGTHS = (*SHORT_LENGTHS, LIMIT, LIMIT + 1, 2**31 - 1, -1, -(2**31))

REFUSED = Answer(WRONG, b"")

# Accepted by readUTF: one unit of UTF-16 each, in as few bytes as it needs, or in more.
UNITS = [
    *(chr(point).encode() for point in (0, 0x20, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x20AC, 0xFFFF)),
    b"\xc0\x80",
    b"\xc1\x81",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xed\xa0\xbd",
    b"\xed\xb8\x80",
]
# Refused by readUTF: four bytes for one character, invalid first bytes, missing continuation bytes.
NO_UNITS = [
    "\U0001f600".encode(),
    b"\xf7\xbf\xbf\xbf",
    b"\xff",
    b"\x80",
    b"\xc3",
    b"\xc3A",
    b"\xe2\x82",
    b"\xe2\x82A",
    b"\xe2A\x82",
    b"\xf0\x9f\x98",
]
WELL_FORMED = re.compile(rb"([\0-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2})*")
CHARACTERS = "\0 a\x7f\x80\xe9\u07ff\u0800\u20ac\u6c34\uffff\U0001f600\U0010ffff"
SURROGATES = "\ud800\ud83d\udbff\udc00\ude00\udfff"
SURROGATE = re.compile("[\ud800-\udfff]")


def test_what_read_utf_reads_we_read_and_refuse_the_rest_if_lossless(oracle: Oracle) -> None:
    wires = hostile_strings(UINT16, SHORT_LENGTHS)
    theirs = oracle.decode("DataInput.readUTF", wires)
    assert differing(wires, [read_one(UTF, wire, told) for wire in wires], theirs) == []
    whole = [(w[: a.took], a.made) for w, a in zip(wires, theirs, strict=True) if a.took >= 0]
    decoded: Any = UTF.decode_all(b"".join(wire for wire, _ in whole))
    texts = [text.decode("utf-8", "surrogatepass") for text in pa.array(decoded).to_pylist()]
    ours = [told(text) for text in texts]
    assert differing(whole, ours, [made for _, made in whole]) == []


def test_strictly_we_refuse_of_what_read_utf_reads_just_lone_surrogates(oracle: Oracle) -> None:
    wires = hostile_strings(UINT16, SHORT_LENGTHS)
    theirs = oracle.decode("DataInput.readUTF", wires)
    expected = [REFUSED if SURROGATE.search(text_of(answer)) else answer for answer in theirs]
    ours = [read_one(codec.JAVA_UTF, wire, told) for wire in wires]
    assert differing(wires, ours, expected) == []
    assert theirs != expected


def test_of_what_hadoops_utf8_reads_we_refuse_just_what_java_writes_in_no_form(
    oracle: Oracle,
) -> None:
    # It accepts four bytes for a character, and any byte as a continuation.
    wires = hostile_strings(UINT16, SHORT_LENGTHS)
    theirs = oracle.decode("UTF8.readString", wires)
    expected = [
        REFUSED if answer.took > 0 and not WELL_FORMED.fullmatch(wire, 2, answer.took) else answer
        for wire, answer in zip(wires, theirs, strict=True)
    ]
    assert differing(wires, [read_one(UTF8, wire, told) for wire in wires], expected) == []
    assert theirs != expected


def test_of_what_hadoops_text_reads_we_refuse_just_what_it_replaces(oracle: Oracle) -> None:
    wires = hostile_strings(codec.VINT, INT_LENGTHS)
    theirs = oracle.decode("Text.readString", wires)
    expected = [
        REFUSED if answer.took > 0 and not wire[: answer.took].endswith(utf8_of(answer)) else answer
        for wire, answer in zip(wires, theirs, strict=True)
    ]
    assert differing(wires, [read_one(TEXT, wire, told) for wire in wires], expected) == []
    assert theirs != expected


@pytest.mark.parametrize(
    ("form", "lossless", "strict"),
    [("DataInput.readUTF", UTF, codec.JAVA_UTF), ("UTF8.readString", UTF8, codec.HADOOP_UTF8)],
    ids=["writeUTF", "UTF8"],
)
def test_we_write_any_text_as_java_writes_it(
    form: str, lossless: Any, strict: Any, oracle: Oracle
) -> None:
    texts = draw(CHARACTERS + SURROGATES)
    wires = [answer.made for answer in oracle.encode(form, [told(text) for text in texts])]
    assert differing(texts, [lossless.encode(text) for text in texts], wires) == []
    assert_whole_arrays_are_written_and_read(strict, texts, wires)


def test_we_write_text_that_unicode_allows_as_hadoops_text_writes_it(oracle: Oracle) -> None:
    texts = draw(CHARACTERS)
    wires = [a.made for a in oracle.encode("Text.readString", [told(text) for text in texts])]
    assert differing(texts, [TEXT.encode(text) for text in texts], wires) == []
    assert_whole_arrays_are_written_and_read(TEXT, texts, wires)


def test_text_that_write_utf_has_no_room_for_we_refuse_too(oracle: Oracle) -> None:
    texts = [
        character * count
        for character, most in [
            ("a", 65535),
            ("\0", 32767),
            ("\u20ac", 21845),
            ("\U0001f600", 10922),
        ]
        for count in (most, most + 1)
    ]
    theirs = oracle.encode("DataInput.readUTF", [told(text) for text in texts])
    assert [answer == REFUSED for answer in theirs] == [False, True] * 4
    assert differing(texts, [write_one(codec.JAVA_UTF, text) for text in texts], theirs) == []


def test_hadoops_utf8_cuts_what_is_longer_than_a_third_of_its_room_and_we_do_not(
    oracle: Oracle,
) -> None:
    text = "a" * 21846
    [answer] = oracle.encode("UTF8.readString", [told(text)])
    assert answer.made == codec.HADOOP_UTF8.encode(text[:-1])
    assert codec.HADOOP_UTF8.decode(codec.HADOOP_UTF8.encode(text)) == (text, 2 + 21846)
    assert write_one(codec.HADOOP_UTF8, "a" * 65536) == REFUSED


def test_hadoops_text_writes_a_question_mark_for_a_lone_surrogate_and_we_refuse_it(
    oracle: Oracle,
) -> None:
    [answer] = oracle.encode("Text.readString", [told("a\ud800b")])
    assert answer.made == codec.HADOOP_TEXT.encode("a?b")
    assert write_one(codec.HADOOP_TEXT, "a\ud800b") == REFUSED


def assert_whole_arrays_are_written_and_read(
    ours: Any, texts: list[str], wires: list[bytes]
) -> None:
    allowed = [i for i, text in enumerate(texts) if not SURROGATE.search(text)]
    array = pa.array([texts[i] for i in allowed])
    wire = b"".join(wires[i] for i in allowed)
    assert ours.encode_all(array) == wire
    assert pa.array(ours.decode_all(wire)).equals(array)


def write_one(ours: Any, text: str) -> Answer:
    try:
        wire = ours.encode(text)
    except ValueError:
        return REFUSED
    return Answer(len(wire), wire)


def draw(characters: str) -> list[str]:
    random = seeded(4)
    return ["".join(random.choices(characters, k=random.randrange(12))) for _ in range(MANY)]


@cache
def hostile_strings(length: Any, lengths: tuple[int, ...]) -> list[bytes]:
    """Return texts after their `length`, or one of `lengths`; many are invalid or incomplete."""
    random = seeded(3)
    wires = [b"", b"\0", length.encode(0)]
    for _ in range(MANY):
        pieces = random.choices(UNITS, k=random.randrange(8))
        if random.randrange(3) == 0:
            pieces.insert(random.randrange(len(pieces) + 1), random.choice(NO_UNITS))
        text = b"".join(pieces)
        stated = len(text) if random.randrange(10) else random.choice(lengths)
        wires.append(length.encode(stated) + text)
    return wires


def told(text: str) -> bytes:
    """Return a text as the oracle prints it."""
    return text.encode("utf-16-be", "surrogatepass")


def text_of(answer: Answer) -> str:
    return answer.made.decode("utf-16-be", "surrogatepass")


def utf8_of(answer: Answer) -> bytes:
    return text_of(answer).encode()
