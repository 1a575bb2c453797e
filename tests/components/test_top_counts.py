"""Counts, rows and lines of `jvmwire top`."""

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest

from jvmwire._cli.top import _counts as counts
from jvmwire._cli.top._counts import LiveCounts, Snapshot
from jvmwire._cli.top._rows import ORDERS, first_rows
from jvmwire._cli.top._screen import HELP, Choice, lines
from jvmwire.capture import View
from jvmwire.capture._arrow import arrow_schema
from kit.captures import NAMENODE, decoded

SCHEMA = arrow_schema(View("calls", columns=list(counts.COLUMNS)))
CALL: dict[str, Any] = {
    "protocol": "hadoop",
    "client": "10.0.0.1:4000",
    "user": "alice",
    "name": "ClientProtocol.getFileInfo",
    "target": "/data/in/part-0",
    "request_bytes": 100,
    "reply_bytes": 50,
    "start": 1_000_000,
    "latency_us": 500,
    "status": "ok",
    "error_class": None,
    "attributes": None,
}


def counted(*calls: dict[str, Any], depth: int = 2, seconds: float | None = 1.0) -> Snapshot:
    live = LiveCounts(depth=depth)
    live.add(pa.RecordBatch.from_pylist([CALL | call for call in calls], SCHEMA))  # type: ignore[arg-type]
    return live.take(seconds)


def calls_by_key(snapshot: Snapshot, view: str) -> dict[str, int]:
    return {row["key"]: row["calls"] for row in snapshot.total[view].to_pylist()}


@pytest.mark.parametrize(
    ("target", "depth", "directory"),
    [
        ("/data/in/part-0", 2, "/data/in"),
        ("/data/in/2026/part-0", 2, "/data/in"),
        ("/data/in/2026/part-0", 3, "/data/in/2026"),
        ("/data/part-0", 2, "/data"),
        ("/part-0", 2, "/"),
        ("/", 2, "/"),
        (None, 2, "(unknown)"),
    ],
)
def test_the_directory_of_a_target_has_as_many_components_as_the_depth(target, depth, directory):
    assert calls_by_key(counted({"target": target}, depth=depth), "directories") == {directory: 1}


@pytest.mark.parametrize(
    ("protocol", "target", "directory"),
    [
        ("pravega", "scope/stream/0.#epoch.0", "scope/stream"),
        ("hazelcast", "orders", "orders"),
        ("hazelcast", "eu/orders", "eu/orders"),
    ],
)
def test_the_directory_of_a_segment_is_its_stream_and_a_structure_is_itself(
    protocol, target, directory
):
    call = {"protocol": protocol, "target": target}
    assert calls_by_key(counted(call), "directories") == {directory: 1}


def test_a_listing_counts_for_the_directory_that_it_lists():
    call = {"name": "ClientProtocol.getListing", "target": "/data/in"}
    assert calls_by_key(counted(call), "directories") == {"/data/in": 1}


@pytest.mark.parametrize(
    ("context", "job"),
    [
        ("SPARK_TASK_application_1700000000000_2_JId_0_TId_3_0", "application_1700000000000_2"),
        ("mr_attempt_1700000000000_0001_m_000000_0", "application_1700000000000_0001"),
        ("hive_20260101000000_2e7d-11:sess", "hive_20260101000000_2e7d-11"),
        ("nightly-report", "nightly-report"),
        ("nightly,clientIp:10.0.0.9,clientPort:1", "nightly"),
        (r"a \"quoted\" one", 'a "quoted" one'),
    ],
)
def test_the_job_of_a_caller_context_is_its_identifier_or_the_context(context, job):
    attributes = f'{{"caller_context":"{context}"}}'
    assert calls_by_key(counted({"attributes": attributes}), "jobs") == {job: 1}


def test_calls_of_two_tasks_are_added_up_in_one_job():
    contexts = [
        f'{{"caller_context":"mr_attempt_1700000000000_0001_m_00000{n}_0"}}' for n in range(3)
    ]
    found = counted(*({"attributes": context} for context in contexts))
    assert calls_by_key(found, "jobs") == {"application_1700000000000_0001": 3}


def test_connections_of_a_host_are_added_up():
    found = counted({"client": "10.0.0.1:1"}, {"client": "10.0.0.1:2"}, {"client": "[::1]:2"})
    assert calls_by_key(found, "hosts") == {"10.0.0.1": 2, "[::1]": 1}


def test_failures_are_named_by_error_and_method():
    refused = {"status": "error", "error_class": "java.io.FileNotFoundException"}
    lost = {"status": "lost", "latency_us": None, "reply_bytes": None}
    found = counted({}, refused, refused, lost)
    assert calls_by_key(found, "failures") == {
        "FileNotFoundException ClientProtocol.getFileInfo": 2,
        "lost ClientProtocol.getFileInfo": 1,
    }
    assert (found.calls, found.failed) == (4, 3)


def test_counts_of_a_capture_are_those_of_its_rows():
    calls = decoded(NAMENODE, "calls", columns=counts.COLUMNS)
    live = LiveCounts(depth=2)
    for batch in calls.to_batches(max_chunksize=701):
        live.add(batch)  # type: ignore[arg-type]
    found = live.take(None)
    rows = calls.to_pylist()
    assert calls_by_key(found, "methods") == Counter(row["name"] for row in rows)
    assert calls_by_key(found, "users") == Counter(row["user"] or "(unknown)" for row in rows)
    assert found.failed == sum(row["status"] != "ok" for row in rows)
    for view in counts.VIEWS[:-1]:
        measures = found.total[view].to_pylist()
        for name in ("request_bytes", "reply_bytes"):
            assert sum(row[name] or 0 for row in measures) == sum(row[name] or 0 for row in rows)
        assert max(row["latency_max"] or 0 for row in measures) == max(
            row["latency_us"] or 0 for row in rows
        )


def test_keys_beyond_the_limit_are_others_and_sums_stay_exact(monkeypatch):
    monkeypatch.setattr(counts, "MAX_KEYS", 10)
    live = LiveCounts(depth=2)
    for turn in range(5):
        users = [f"user-{turn}-{number}" for number in range(20)] + ["often"] * 30
        rows = [CALL | {"user": user} for user in users]
        live.add(pa.RecordBatch.from_pylist(rows, SCHEMA))  # type: ignore[arg-type]
        live.take(1.0)
    live.add(pa.RecordBatch.from_pylist([CALL], SCHEMA))  # type: ignore[arg-type]
    found = calls_by_key(live.take(1.0), "users")
    assert len(found) == 10
    assert found["often"] == 150
    assert sum(found.values()) == 5 * 50 + 1


def test_many_calls_are_grouped_before_they_are_asked_for(monkeypatch):
    monkeypatch.setattr(counts, "PENDING_ROWS", 10)
    live = LiveCounts(depth=2)
    for _ in range(25):
        live.add(pa.RecordBatch.from_pylist([CALL], SCHEMA))  # type: ignore[arg-type]
        assert live._rows < 10
    assert live.take(1.0).calls == 25


def test_calls_that_are_only_observed_are_observed_once():
    observed: list[pa.Table] = []
    live = LiveCounts(depth=2, observe=observed.append, has_views=False)
    live.add(pa.RecordBatch.from_pylist([CALL] * 5, SCHEMA))  # type: ignore[arg-type]
    found = live.take(1.0)
    live.take(1.0)
    assert [table.num_rows for table in observed] == [5]
    assert not any(table.num_rows for table in found.total.values())


def test_a_rate_is_of_the_last_interval():
    live = LiveCounts(depth=2)
    for calls in (30, 10, 0):
        live.add(pa.RecordBatch.from_pylist([CALL] * calls, SCHEMA))  # type: ignore[arg-type]
        found = live.take(2.0)
        [row] = first_rows(found, "users", order="rate", containing="", limit=5)
        assert row.rate == calls / 2
    assert row.calls == 40


def test_without_a_duration_the_times_of_calls_say_the_rate():
    found = counted(*({"start": 1_000_000 * n} for n in range(1, 6)), seconds=None)
    assert found.seconds == 4.0


@pytest.mark.parametrize("order", list(ORDERS))
def test_rows_are_sorted_by_each_order(order):
    small = {"user": "small"}
    large = {
        "user": "large",
        "status": "error",
        "latency_us": 900,
        "reply_bytes": 1000,
    }
    found = counted(small, large, large)
    rows = first_rows(found, "users", order=order, containing="", limit=5)
    assert [row.key for row in rows] == ["large", "small"]
    assert [row.mean_us for row in rows] == [900.0, 500.0]


def test_a_filter_is_text_in_any_case():
    found = counted({"user": "Alice"}, {"user": "bob.*"})
    rows = first_rows(found, "users", order="rate", containing="ALI", limit=5)
    assert [row.key for row in rows] == ["Alice"]
    rows = first_rows(found, "users", order="rate", containing=".*", limit=5)
    assert [row.key for row in rows] == ["bob.*"]


def drawn(snapshot: Snapshot, choice: Choice, width: int = 80, height: int = 24) -> list[str]:
    return lines(
        snapshot, choice, source="nn.pcap", status="up to date", width=width, height=height
    )


@pytest.mark.parametrize(("width", "height"), [(80, 24), (20, 5), (200, 60), (1, 1)])
def test_lines_fit_the_terminal(width, height):
    hostile = {"user": "evil\x1b[2J\u202e" + "x" * 500}
    found = drawn(
        counted(*[hostile] * 3, {"user": "永" * 90}), Choice("users", "rate", ""), width, height
    )
    assert len(found) == height
    assert all(text.isprintable() for text in found)
    assert all(len(text) + text.count("永") <= width for text in found)


def test_a_screen_of_80_columns_shows_keys_and_numbers():
    choice = Choice("users", "rate", "")
    found = drawn(counted({}, {"status": "error", "error_class": "java.io.IOException"}), choice)
    assert found[0] == "2.0 calls/s  2 calls  50 % failed  nn.pcap"
    assert found[2] == "users by calls/s"
    assert found[4].split() == [
        "2.0",
        "2",
        "100",
        "%",
        "1",
        "500",
        "µs",
        "500",
        "µs",
        "100",
        "B",
        "alice",
    ]
    assert found[-1] == HELP


def test_keys_choose_view_order_and_filter():
    choice = Choice("users", "rate", "")
    for key in "f":
        choice.press(key)
    assert choice.view == "failures"
    choice.press("s")
    assert choice.order == "calls"
    choice.press("S")
    choice.press("S")
    assert choice.order == "bytes"
    for key in "/qu\x1b":
        choice.press(key)
    assert (choice.containing, choice.is_quit) == ("", False)
    for key in "/quux\x7f\n":
        choice.press(key)
    assert (choice.containing, choice.is_typing) == ("quu", False)
    choice.press(" ")
    assert choice.is_frozen
    choice.press("q")
    assert choice.is_quit


def test_a_filter_that_is_typed_is_limited():
    choice = Choice("users", "rate", "")
    for key in "/" + "x" * 1000 + "\x00":
        choice.press(key)
    assert choice.containing == "x" * 60
