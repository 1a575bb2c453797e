"""The report's text about built captures: times are the data's, and waiting is not an alarm."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from jvmwire.capture import CaptureWriter, View, read_tables
from jvmwire.capture._aggregates import MAX_BUCKETS, SECOND, merge_batches
from jvmwire.hazelcast._session import PREAMBLE
from jvmwire.pravega._session import CURRENT_DIALECT
from jvmwire.report import ReportSource, Severity, Traffic, find
from jvmwire.report._plots import plots
from jvmwire.report._plots.timelines import _extents
from kit import wire
from kit.hazelcast_transcript import named, response
from kit.traffic import NOON, calls, repeats, traffic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmwire.report._findings import Finding

EDGE = NOON // (8 * SECOND) * 8 * SECOND + 8 * SECOND
"""The end of a window of repeats and of a bucket."""


class Recorder:
    """A capture file that is being written."""

    def __init__(self) -> None:
        self._writer = CaptureWriter()
        self._parts = [self._writer.header()]

    def open(self, port: int, at: int) -> int:
        number, packets = self._writer.open(f"10.0.0.7:{40000 + port}", f"10.0.0.1:{port}", at)
        self._parts.append(packets)
        return number

    def say(self, connection: int, side: str, data: bytes, at: int) -> None:
        self._parts.append(self._writer.data(connection, side, data, at))

    def close(self, connection: int, at: int) -> None:
        self._parts.append(self._writer.close(connection, at))

    def findings(self, path: Path) -> dict[str, Finding]:
        path.write_bytes(b"".join(self._parts))
        reading = read_tables(path, [View("traffic")])
        seen = Traffic.from_merged(merge_batches([pa.record_batch(batch) for _, batch in reading]))
        return {
            finding.kind: finding for finding in find(seen, ReportSource.from_traffic(seen, [path]))
        }


def hadoop(moments: Sequence[int], path: Path) -> dict[str, Finding]:
    """Fail one call at each of the given moments."""
    record = Recorder()
    connection = record.open(8020, moments[0])
    record.say(connection, "client", wire.conversation([], user="erin"), moments[0])
    for number, at in enumerate(moments):
        record.say(connection, "client", wire.stat(number, "/data/_SUCCESS"), at)
        record.say(connection, "server", wire.failure(number), at)
    record.close(connection, moments[-1])
    return record.findings(path)


def evenly(first: int, last: int, count: int) -> list[int]:
    return [first + (last - first) * n // (count - 1) for n in range(count)]


@pytest.mark.parametrize(
    ("moments", "said"),
    [
        ([EDGE - SECOND // 2 + n * 6333 for n in range(300)], "300 times in 1.9 s, 158 in the w"),
        (evenly(EDGE - 10, EDGE + 30, 40), "40 times in 40 µs, from "),
        (evenly(EDGE - 1, EDGE, 40), "40 times in 1 µs, from "),
        ([EDGE + 17] * 40, "40 times at once, at "),
        (evenly(EDGE + 3, EDGE + 3 + 200 * SECOND, 401), "401 times in 3 min 20 s, 2 in the w"),
    ],
    ids=["1.9 s", "40 us", "1 us", "0 s", "minutes"],
)
def test_a_storm_has_the_times_of_its_calls(tmp_path: Path, moments: list[int], said: str) -> None:
    finding = hadoop(moments, tmp_path / "a.pcap")["storms"]
    assert said in finding.sentence
    [run] = finding.data.runs
    assert (run.start, run.end, run.calls) == (moments[0], moments[-1], len(moments))
    assert sum(part.calls for part in run.slices) == len(moments)
    by_second: dict[int, int] = {}
    for at in moments:
        by_second[at // SECOND] = by_second.get(at // SECOND, 0) + 1
    assert run.worst_second == max(by_second.values())
    [plot] = plots(finding)
    assert f"{len(moments)} times" in plot.title
    drawn = list(_extents(run.slices))
    assert (drawn[0][0], drawn[-1][1]) == (moments[0], moments[-1])
    assert all(end <= start for (_, end), (start, _) in pairwise(drawn))


def test_a_storm_of_a_day_has_few_slices_and_its_own_times() -> None:
    day = [repeats(2, at=at, retries=2) for at in range(0, 86_400, 5)]
    peak = repeats(9, at=86_400, retries=9, times=(86_400 * SECOND + 7, 86_400 * SECOND + 8))
    storms = next(
        f for f in find(traffic(calls(40_000), *day, peak), ReportSource()) if f.kind == "storms"
    )
    [run] = storms.data.runs
    assert len(run.slices) <= MAX_BUCKETS
    assert (run.calls, run.worst_second) == (2 * len(day) + 9, 9)
    assert (run.start, run.end) == (NOON, NOON + 86_400 * SECOND + 8)
    assert "in 24 h" in storms.sentence or "in 1 day" in storms.sentence
    assert plots(storms)


def test_the_heading_and_the_failures_have_the_times_of_the_data(tmp_path: Path) -> None:
    moments = evenly(NOON + 3 * SECOND + 5, NOON + 7 * SECOND + 9, 5)
    found = hadoop(moments, tmp_path / "a.pcap")
    data = found["summary"].data
    assert (data.first_us, data.last_us) == (moments[0], moments[-1])
    assert "in 4 s (2 March 2026, 10:00:03 to 10:00:07 UTC)" in found["summary"].sentence
    [detail] = found["failures"].details
    assert detail.rows[0][-2:] == (moments[0], moments[-1])


def test_a_rise_begins_with_a_call_and_not_with_its_bucket() -> None:
    slow = {"took": 9000, "width": 4}
    rows = [calls(40, at=at, took=900, width=4) for at in range(0, 80, 4)]
    late = [calls(40, at=at, **slow, times=((at + 2) * SECOND, (at + 3) * SECOND))  # type: ignore[arg-type]
            for at in range(80, 160, 4)]  # fmt: skip
    sentence = next(f for f in find(traffic(*rows, *late), ReportSource()) if f.kind == "slowness")
    assert "since 10:01:22 its median" in sentence.sentence


def pravega(path: Path) -> dict[str, Finding]:
    """Look up paths that do not exist, and read at a tail until the reader leaves."""
    record = Recorder()
    connection = record.open(12345, NOON)

    def ask(name: str, number: int, **fields: Any) -> None:
        given = fields | {"delegation_token": "", "request_id": number}
        record.say(connection, "client", CURRENT_DIALECT.encode(name, given), NOON + number * 1000)

    def answer(name: str, number: int, at: int, **fields: Any) -> None:
        record.say(
            connection, "server", CURRENT_DIALECT.encode(name, fields | {"request_id": number}), at
        )

    hello = CURRENT_DIALECT.encode("Hello", {"high_version": 16, "low_version": 5})
    record.say(connection, "client", hello, NOON)
    record.say(connection, "server", hello, NOON)
    for number in range(37):
        at = NOON + number * 1000
        ask("GetStreamSegmentInfo", number, segment_name="s")
        answer("NoSuchSegment", number, at + 9, segment="s", server_stack_trace="", offset=-1)
    ask("ReadSegment", 50, segment="s", offset=0, suggested_length=9)
    record.close(connection, NOON + 9 * SECOND)
    return record.findings(path)


def test_lookups_of_what_is_not_there_and_tail_reads_are_no_alarm(tmp_path: Path) -> None:
    found = pravega(tmp_path / "a.pcap")
    assert found["failures"].severity is Severity.INFO
    assert found["failures"].sentence == (
        "None of 38 calls failed (not counted: 37 refused by design, 1 still open)."
    )
    assert found["storms"].severity is Severity.INFO
    assert "ReadSegment" not in found["slowness"].sentence
    data = found["summary"].data
    assert (data.failed, data.refused, data.open) == (0, 37, 1)


def test_a_poll_of_a_queue_is_not_slow_and_a_ping_is_no_caller(tmp_path: Path) -> None:
    record = Recorder()
    connection = record.open(5701, NOON)
    record.say(connection, "client", PREAMBLE, NOON)
    poll, ping, size = named("Queue.poll"), named("Client.ping"), named("Queue.size")
    for number in range(60):
        at = NOON + number * SECOND
        for turn, (message, fields, took, reply) in enumerate(
            [
                (poll, ("jobs", 5000), 900_000, response("Data", number * 3, None)),
                (ping, (), 700_000, response("Void", number * 3 + 1)),
                (size, ("jobs",), 300, response("Integer", number * 3 + 2, 7)),
            ]
        ):
            id_ = number * 3 + turn
            record.say(connection, "client", message.encode(id_, -1, fields, limit=1 << 20), at)
            record.say(connection, "server", reply, at + took)
    found = record.findings(tmp_path / "a.pcap")
    assert found["slowness"].sentence.startswith("Queue.size is the only method: p99 ")
    assert "60 background calls are not counted (heartbeats and the like)." in (
        found["callers"].sentence
    )
    assert "makes all 120 calls" in found["callers"].sentence
    assert "Queue.size" in found["storms"].sentence


@pytest.mark.parametrize("ends", [True, False])
def test_a_call_fails_if_its_connection_ends_and_is_open_if_the_capture_does(
    tmp_path: Path, ends: bool
) -> None:
    record = Recorder()
    connection = record.open(8020, NOON)
    asked = [wire.stat(number, f"/{number}") for number in range(12)]
    record.say(connection, "client", wire.conversation(asked), NOON)
    if ends:
        record.close(connection, NOON + SECOND)
    found = record.findings(tmp_path / "a.pcap")
    assert (found["failures"].severity is Severity.ALARM) == ends
    assert (found["summary"].data.failed, found["summary"].data.open) == (
        (12, 0) if ends else (0, 12)
    )


def test_heartbeats_alone_have_no_caller(tmp_path: Path) -> None:
    record = Recorder()
    connection = record.open(8020, NOON)
    protocol = "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol"
    record.say(connection, "client", wire.conversation([], protocol=protocol), NOON)
    for number in range(30):
        at = NOON + number * 3 * SECOND
        asked = wire.call(number, "sendHeartbeat", protocol=protocol)
        record.say(connection, "client", asked, at)
        record.say(connection, "server", wire.reply(number), at + 100)
    found = record.findings(tmp_path / "a.pcap")
    assert found["callers"].sentence == (
        "All 30 calls are made in the background: heartbeats and the like."
    )
    assert found["callers"].severity is Severity.INFO
    assert found["slowness"].sentence == (
        "No call was answered but those that wait by design and those in the background."
    )


def test_long_polls_and_heartbeats_that_come_again_are_not_the_most_repeated_call() -> None:
    rows = [repeats(90, at=at, name="Queue.poll", pace="waits", target=None) for at in range(3)] + [
        repeats(9, target="/poll")
    ]
    storms = next(f for f in find(traffic(calls(300), *rows), ReportSource()) if f.kind == "storms")
    assert "the most repeated call is getFileInfo of /poll, 9 times" in storms.sentence
