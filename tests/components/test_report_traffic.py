"""Merged traffic, and the figures read from it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from jvmwire.capture._aggregates import MAX_BUCKETS, SCHEMA, SECOND, merge
from jvmwire.report import Capture, ReportSource
from jvmwire.report._traffic import Traffic, plain, totals
from kit.traffic import (
    GET,
    NOON,
    Rows,
    calls,
    repeats,
    table,
    traffic,
)


def test_rows_of_the_same_key_are_added_up_and_their_longest_kept():
    merged = merge(table(calls(2, took=10), calls(3, took=50)))
    (total,) = totals(Traffic.from_table(merged).calls, "user")
    assert (total.calls, total.latency_max_us, total.latency_sum_us) == (5, 50, 20 + 150)


def test_buckets_of_different_widths_are_coarsened_to_the_widest():
    merged = traffic(calls(1, at=3, width=1), calls(1, at=4, width=4), calls(1, at=6, width=2))
    assert merged.width == 4 * SECOND
    assert [t.key[0] - NOON for t in totals(merged.calls, "bucket")] == [4 * SECOND, 0]


def test_a_long_capture_is_coarsened_until_its_buckets_fit_a_page():
    merged = traffic(*(calls(1, at=at) for at in range(0, 100_000, 500)))
    assert len(merged.buckets) <= MAX_BUCKETS
    assert merged.width == 256 * SECOND
    assert merged.count == 200


def test_merging_in_parts_and_at_once_gives_the_same():
    parts = [calls(n, at=n * 7, width=1 << n % 3, took=n * 100) for n in range(1, 90)]
    at_once = merge(table(*parts))
    in_parts = merge(pa.concat_tables([merge(table(*parts[:30])), merge(table(*parts[30:][::-1]))]))
    keys: Any = [(name, "ascending") for name in ("aspect", "bucket")]
    assert plain(in_parts).sort_by(keys) == plain(at_once).sort_by(keys)


def test_repeats_keep_their_own_buckets():
    merged = traffic(calls(1, width=64), repeats(9, at=3, width=1), repeats(9, at=4, width=1))
    assert merged.repeats["width"].to_pylist() == [SECOND, SECOND]


def test_what_is_not_about_calls_does_not_move_the_time_line():
    span = [{"aspect": "span", "bucket": NOON - SECOND, "width": 12_345_678_901}]
    merged = traffic(calls(1), calls(1, at=9), span)
    assert (merged.width, merged.count) == (SECOND, 2)


def test_the_source_is_read_from_the_other_aspects(tmp_path):
    capture = tmp_path / "nn.pcap"
    capture.write_bytes(b"1234")
    rows: Rows = [
        {"aspect": "messages", "protocol": "hadoop", "calls": 30},
        {"aspect": "streams", "protocol": "hadoop", "calls": 4},
        {"aspect": "streams", "protocol": "tls", "calls": 5},
        {"aspect": "undecoded", "error_class": "too long", "calls": 2, "request_bytes": 70},
        {"aspect": "undecoded", "error_class": None, "calls": 1, "request_bytes": 9},
        {"aspect": "span", "bucket": NOON, "width": 2 * SECOND},
        {"aspect": "span", "bucket": NOON + 5 * SECOND, "width": SECOND // 2},
        {"aspect": "span", "bucket": 1 << 62, "width": 1},
    ]
    assert ReportSource.from_traffic(traffic(rows, calls(3)), [capture]) == ReportSource(
        captures=(Capture("nn.pcap", 4),),
        streams=9,
        messages=30,
        undecoded={"too long": 2, "for no known reason": 1},
        undecoded_size=79,
        protocols=("tls", "hadoop"),
        duration=5.5,
        first=NOON,
        last=NOON + 11 * SECOND // 2,
    )


def test_calls_counted_with_others_are_said_in_the_source():
    merged = traffic(
        calls(3),
        calls(4, user="(others)", client="(others)"),
        calls(5, name="(others)"),
        calls(6, status="error", error_class="(others)"),
    )
    assert ReportSource.from_traffic(merged, []).counted_together == 15
    assert merged.count == 18


def test_a_source_without_a_clock_has_no_duration():
    assert ReportSource.from_traffic(traffic(), []) == ReportSource()


def test_dictionary_columns_and_missing_measures_are_taken():
    plain = table(calls(2))
    coded = plain.set_column(
        plain.column_names.index("name"), "name", plain["name"].dictionary_encode()
    )
    assert Traffic.from_table(coded).count == 2
    rows = [{"aspect": "calls", "calls": 3, "name": GET}]
    assert Traffic.from_table(pa.Table.from_pylist(rows, schema=SCHEMA)).retries == 0


def test_a_time_before_1970_or_after_2106_is_no_time():
    wild = calls(1, at=0) + calls(1, at=-(1 << 33)) + calls(1, at=1 << 42)
    merged = traffic(wild)
    assert (merged.first, merged.last, merged.count) == (NOON, NOON, 3)


def test_a_table_without_rows_is_traffic_without_calls():
    empty = traffic()
    assert (empty.count, empty.first, list(empty.buckets)) == (0, None, [])
