"""Text of peers, files and captures never shows a control character, in any output."""

import json
import logging
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._escaping import audit_value, escape, escape_json, escape_message, get_logger, quote
from jvmwire.errors import MissingExtra, OutcomeUnknown, ServerError

UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
AUDITED = re.compile(r'(?:^| )(\w+)=((?:[^\s"]|"(?:[^"\\]|\\.)*")*)')


@given(st.text(alphabet=st.characters()))
def test_escaped_text_is_one_line_without_control_characters(text: str) -> None:
    shown = escape(text)
    assert not {unicodedata.category(letter) for letter in shown} & UNSAFE
    shown.encode()
    assert escape(shown) == shown


def test_every_control_and_format_character_is_escaped() -> None:
    for code in range(0x110000):
        letter = chr(code)
        category = unicodedata.category(letter)
        if category != "Cn":  # an unassigned character may become a control character
            assert (escape(letter) != letter) == (category in UNSAFE), hex(code)


def test_letters_of_all_languages_are_left_as_they_are() -> None:
    text = "grüße/データ/данные/\u3000/\N{GRINNING FACE}/C:\\x"
    assert escape(text) == text


@given(st.recursive(st.text() | st.integers(0, 9), lambda inner: st.dictionaries(st.text(), inner)))
def test_escaped_json_parses_to_the_same(value: object) -> None:
    document = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if b"\xed" in document:
        return
    shown = escape_json(document)
    assert json.loads(shown) == value
    assert not re.search(
        "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", shown.decode()
    )


@given(
    st.lists(st.none() | st.text(max_size=20) | st.sampled_from(["None", 'a" b=c', "a=b", "\\"]))
)
def test_a_line_of_audited_values_is_parsed_in_one_way(values: list[str | None]) -> None:
    line = " ".join(f"k{at}={audit_value(value)}" for at, value in enumerate(values))
    assert escape(line) == line
    parts = AUDITED.findall(line)
    assert [name for name, _ in parts] == [f"k{at}" for at in range(len(values))]
    for value, (_, shown) in zip(values, parts, strict=True):
        assert (shown == "None") == (value is None)
        if value is not None:
            inner = re.sub(r'\\(["\\])', r"\1", shown[1:-1]) if shown.startswith('"') else shown
            assert inner == escape(value)


def test_a_long_message_is_cut() -> None:
    assert len(escape_message("\x1b" * 10_000_000)) < 20_000
    assert audit_value("a" * 5000) == f'"{"a" * 4096}"+904'
    assert len(quote("x" * 1_000_000)) < 100
    assert len(quote(["x" * 1000] * 1000)) < 100


@pytest.mark.parametrize("kind", [ServerError, OutcomeUnknown, MissingExtra])
def test_an_error_shows_no_control_character_of_a_peer(kind: type[Exception]) -> None:
    error = kind("a\x1b]0;owned\x07\n\tat b\u202e")
    assert str(error) == "a\\x1b]0;owned\\x07\n\tat b\\u202e"
    assert error.args[0].startswith("a\x1b")


def test_a_record_of_a_log_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    log = get_logger("jvmwire.connection")
    forged = "x\nINFO:jvmwire.hadoop.audit:user=admin\x1b[2J"
    with caplog.at_level(logging.DEBUG, "jvmwire.connection"):
        log.warning("%s says %s and %r, %d times", "a\u2028b", ServerError(forged), forged, 3)
        log.warning("failed", exc_info=ServerError(forged))
    first, second = caplog.messages
    assert first.splitlines() == [first]
    assert first.endswith("3 times")
    assert second == "failed"
    text = caplog.handler.format(caplog.records[1])
    assert "\x1b" not in text
    assert not any(line.startswith("INFO:") for line in text.splitlines())
