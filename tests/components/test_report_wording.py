"""Numbers, times and names as people read them."""

from __future__ import annotations

import pytest

from jvmwire.capture._aggregates import SECOND
from jvmwire.report import _formatting
from jvmwire.report._formatting import Clock
from jvmwire.report._labels import caller, error_label, method_labels, sanitize_label
from kit.traffic import NOON


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (1204, "1,204"),
        (999_999, "999,999"),
        (12_345_678, "12.3 million"),
        (10_000_000, "10 million"),
        (999_999_999, "1 billion"),
        (7 * 10**12, "7 trillion"),
    ],
)
def test_a_number_is_written_out_up_to_a_million_and_rounded_from_there(value, words):
    assert _formatting.number(value) == words


def test_only_one_is_singular():
    assert [_formatting.plural(n, "call") for n in (0, 1, 2)] == ["0 calls", "1 call", "2 calls"]
    assert _formatting.plural(2, "reply", "replies") == "2 replies"


@pytest.mark.parametrize(
    ("part", "whole", "words"),
    [
        (0, 10, "0 %"),
        (0, 0, "0 %"),
        (10, 10, "100 %"),
        (1, 10_000, "under 0.1 %"),
        (9_999, 10_000, "over 99.9 %"),
        (23, 1000, "2.3 %"),
        (2, 100, "2 %"),
        (614, 1000, "61 %"),
        (995, 1000, "99.5 %"),
    ],
)
def test_a_share_is_nothing_or_all_only_if_it_is_exactly_that(part, whole, words):
    assert _formatting.share(part, whole) == words


@pytest.mark.parametrize(
    ("microseconds", "words"),
    [
        (0, "0 µs"),
        (212, "212 µs"),
        (999.6, "1 ms"),
        (3_400, "3.4 ms"),
        (212_000, "212 ms"),
        (999_600, "1 s"),
        (8 * SECOND, "8 s"),
        (59.7 * SECOND, "1 min"),
        (125 * SECOND, "2 min 5 s"),
        (3 * 3600 * SECOND + 240 * SECOND, "3 h 4 min"),
        (51 * 3600 * SECOND, "2 days 3 h"),
        (24 * 3600 * SECOND, "1 day"),
    ],
)
def test_a_duration_has_two_figures_or_two_units(microseconds, words):
    assert _formatting.duration(microseconds) == words


def test_sizes_and_ratios_are_short():
    assert [_formatting.size(n) for n in (1, 999, 1234, 3_400_000_000)] == [
        "1 byte",
        "999 bytes",
        "1.2 kB",
        "3.4 GB",
    ]
    assert [_formatting.ratio(n) for n in (6.11, 41.2)] == ["6.1x", "41x"]


def test_a_moment_has_a_date_only_where_there_is_more_than_one():
    assert Clock(NOON, NOON + SECOND).moment(NOON) == "10:00:00"
    days = Clock(NOON, NOON + 2 * _formatting.DAY)
    assert days.moment(NOON + _formatting.DAY) == "3 Mar 10:00:00"
    years = Clock(NOON, NOON + 400 * _formatting.DAY)
    assert years.moment(NOON) == "2 Mar 2026 10:00:00"


def test_the_span_names_the_day_once_or_both_days():
    assert Clock(NOON, NOON + SECOND).span == "2 March 2026, 10:00:00 to 10:00:01 UTC"
    assert Clock(NOON, NOON + SECOND - 1).span == "2 March 2026, 10:00:00 UTC"
    over_night = Clock(NOON, NOON + _formatting.DAY).span
    assert over_night == "2 March 2026 10:00:00 to 3 March 2026 10:00:00 UTC"


def test_what_hides_in_a_name_is_shown_as_an_escape():
    assert sanitize_label("a\x1b[31m\u202eb\nc\u200b") == "a\\x1b[31m\\u202eb\\x0ac\\u200b"


def test_a_long_name_loses_its_middle():
    cut = sanitize_label("/" + "x" * 10_000 + "/end", 20)
    assert len(cut) == 20
    assert cut.startswith("/xxx")
    assert cut.endswith("xx/end")
    assert "…" in cut


def test_a_name_written_from_right_to_left_is_isolated_from_its_sentence():
    shalom = "\u05e9\u05dc\u05d5\u05dd"
    assert sanitize_label(shalom) == f"\u2066{shalom}\u2069"
    assert sanitize_label("数据") == "数据"


def test_a_caller_is_named_by_what_is_known():
    assert caller("alice", "10.0.0.7") == "alice@10.0.0.7"
    assert caller(None, "10.0.0.7") == "10.0.0.7"
    assert caller("alice", None) == "alice"
    assert caller(None, None) == "an unknown caller"


def test_a_method_loses_its_protocol_and_of_two_the_first_does():
    names = ["ClientProtocol.getFileInfo", "Map.put", None]
    assert set(method_labels(names).values()) == {"getFileInfo", "Map.put", "unnamed call"}
    both = ["ClientProtocol.refresh", "AdminProtocol.refresh"]
    assert list(method_labels(both).values()) == ["refresh", "AdminProtocol.refresh"]


def test_an_error_is_named_by_its_class_or_by_how_the_call_ended():
    assert error_label("java.io.FileNotFoundException", "error") == "FileNotFoundException"
    assert error_label(None, "lost") == "no answer"
    assert error_label(None, "fatal") == "fatal, connection ended"
    assert error_label(None, "error") == "an unnamed error"
