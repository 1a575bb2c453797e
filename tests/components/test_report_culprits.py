"""Findings that name a culprit: the job, the directory, the lock, single calls, connections."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from jvmwire._core import hadoop_methods
from jvmwire.capture import View
from jvmwire.capture._aggregates import merge_batches
from jvmwire.capture._reading import read_tables
from jvmwire.report import Finding, ReportSource, Severity, find
from jvmwire.report._findings.small_files import ADD_BLOCK, COMPLETE
from jvmwire.report._locks import Lock, lock_of
from jvmwire.report._traffic import Traffic
from kit.captures import NAMENODE
from kit.traffic import (
    CREATE,
    GET,
    LIST,
    Rows,
    calls,
    connections,
    directories,
    health,
    jobs,
    repeats,
    slow_call,
    traffic,
)


def ask(kind: str, *parts: Rows) -> Finding:
    found = find(traffic(*parts), ReportSource())
    return next(each for each in found if each.kind == kind)


def is_asked(kind: str, *parts: Rows) -> bool:
    return any(each.kind == kind for each in find(traffic(*parts), ReportSource()))


def column(finding: Finding, key: str) -> list[object]:
    [detail] = finding.details
    at = [column.key for column in detail.columns].index(key)
    return [row[at] for row in detail.rows]


# Jobs.


def test_the_busiest_job_and_the_one_that_fails_are_told():
    finding = ask(
        "jobs",
        calls(90, name=CREATE),
        calls(30, status="error", error_class="a.E"),
        jobs(60, "import", name=CREATE),
        jobs(10, "import", at=3, name=LIST),
        jobs(30, "broken", user="bob", status="error"),
    )
    assert finding.sentence == (
        "The busiest of 2 jobs is import: 70 % of 100 calls, mostly create; broken fails most: "
        "all of its 30 calls failed. 17 % of all calls name no job."
    )
    assert finding.severity is Severity.NOTICE
    assert column(finding, "job") == ["import", "broken"]
    assert column(finding, "write_lock_calls") == [60, 0]
    assert column(finding, "failed") == [0, 30]
    assert column(finding, "user") == ["alice", "bob"]


def test_without_a_caller_context_no_job_is_asked_for():
    assert not is_asked("jobs", calls(50))


def test_one_job_and_one_call_are_told():
    finding = ask("jobs", calls(1), jobs(1, "only"))
    assert finding.sentence == "The only job is only: 1 call, all getFileInfo."
    assert finding.severity is Severity.INFO


def test_jobs_counted_together_are_no_job():
    finding = ask("jobs", calls(90), jobs(80, "(others)"), jobs(10, "small"))
    assert column(finding, "job") == ["small"]


def test_a_storm_is_told_with_its_job():
    retried: dict[str, Any] = {"user": "bob", "status": "error"}
    storm = repeats(30, user="bob", retries=30)
    told = ask("storms", calls(30, **retried), storm, jobs(30, "broken", **retried))
    assert told.sentence.startswith("bob@10.0.0.7 (job broken) asked getFileInfo of /a/b 30 times")
    halves = [jobs(15, job, **retried) for job in ("one", "other")]
    told = ask("storms", calls(30, **retried), storm, *halves)
    assert told.sentence.startswith("bob@10.0.0.7 asked getFileInfo of /a/b 30 times")


# Directories.


def test_the_deepest_directory_with_most_calls_and_failures_is_told():
    finding = ask(
        "directories",
        calls(100),
        directories(50, "/data/events"),
        directories(20, "/data/events/day=1", status="error"),
        directories(20, "/data", name=LIST),
        directories(10, "/x", user="bob"),
    )
    assert finding.sentence == (
        "70 % of 100 calls with a directory are in /data/events, all getFileInfo; "
        "all of 20 failures are in /data/events/day=1."
    )
    assert column(finding, "directory") == ["/data", "/data/events", "/data/events/day=1", "/x"]
    assert column(finding, "calls") == [90, 70, 20, 10]


def test_a_directory_is_not_listed_if_all_its_calls_are_in_one_below():
    finding = ask("directories", calls(30), directories(20, "/a/b/c/d"), directories(10, "/e"))
    assert column(finding, "directory") == ["/a/b/c/d", "/e"]


def test_of_many_directories_the_busiest_is_told():
    rows = [directories(10 + n, f"/d{n}") for n in range(5)]
    finding = ask("directories", calls(60), *rows)
    assert finding.sentence == (
        "No directory has most of 60 calls: the busiest of 5 directories is /d4 with 23 %, "
        "all getFileInfo."
    )
    assert finding.severity is Severity.INFO


def test_calls_counted_elsewhere_are_stated():
    finding = ask(
        "directories", calls(30), directories(30, "/a"), directories(0, "(others)", undercount=7)
    )
    assert finding.details[0].title.endswith("(of each, up to 7 calls more are counted above)")


@pytest.mark.parametrize(
    ("protocol", "name", "noun"),
    [
        ("hazelcast", "Map.get", "structure"),
        ("pravega", "ReadSegment", "segment"),
        ("storm", "emit", "component"),
        ("hama", "send", "key"),
    ],
)
def test_other_protocols_have_their_own_words(protocol: str, name: str, noun: str):
    finding = ask(
        "directories", calls(20, protocol=protocol, name=name), directories(20, "orders", name=name)
    )
    assert finding.question == f"Which {noun}?"
    assert finding.sentence == f"All of 20 calls are on orders, all {name}."


# Order.


def test_alarms_come_first_and_then_notices():
    rows = [calls(90), calls(10, user="bob", status="error"), jobs(5, "a"), jobs(90, "b")]
    severities = [each.severity for each in find(traffic(*rows), ReportSource())[1:]]
    order = [Severity.ALARM, Severity.NOTICE, Severity.INFO]
    assert severities == sorted(severities, key=order.index)
    assert len(set(severities)) == 3


# Locks.


@pytest.mark.parametrize(
    "protocol",
    [
        "org.apache.hadoop.hdfs.protocol.ClientProtocol",
        "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol",
        "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
    ],
)
def test_every_method_of_the_namenode_has_a_lock(protocol: str):
    short = protocol.rpartition(".")[2]
    names = [each.name for each in hadoop_methods(protocol)]
    assert len(names) > 5
    assert [name for name in names if lock_of(f"{short}.{name}") is None] == []


def test_the_method_and_user_that_take_the_write_lock_are_told():
    finding = ask(
        "locks",
        calls(60, took=1000),
        calls(30, name=CREATE, user="bob", took=2000),
        calls(10, name="ClientProtocol.mkdirs", took=2000),
        calls(9, name="Map.get", protocol="hazelcast"),
    )
    assert finding.sentence == (
        "40 % of 100 calls of the NameNode's protocols take the write lock (40), with 57 % of "
        "the time of all answers; 75 % of these are create by bob."
    )
    by_lock, writers = finding.details
    assert [row[:2] for row in by_lock.rows] == [("write", 40), ("read", 60)]
    assert [row[:3] for row in writers.rows] == [
        (CREATE, "bob", 30),
        ("ClientProtocol.mkdirs", "alice", 10),
    ]
    assert finding.severity is Severity.NOTICE


def test_other_servers_have_no_such_lock():
    assert not is_asked("locks", calls(50, name="Map.get", protocol="hazelcast"))


def test_locks_are_those_of_the_namenode():
    assert lock_of(GET) is Lock.READ
    assert lock_of(CREATE) is Lock.WRITE
    assert lock_of("ClientProtocol.renewLease") is Lock.NONE
    assert lock_of("Map.get") is None


# The slowest calls.


def test_the_slowest_call_is_told_with_its_path_and_job():
    rows = [slow_call(1000 * n, at=n, target=f"/d/{n}", job=f"job-{n % 2}") for n in range(1, 13)]
    finding = ask("slowest", calls(30, at=0), calls(30, at=15), *rows)
    assert finding.sentence == (
        "The slowest call took 12 ms: getFileInfo of /d/12 by alice@10.0.0.7 (job job-0), "
        "at 10:00:12."
    )
    assert column(finding, "latency_us") == [1000 * n for n in range(12, 2, -1)]
    assert not is_asked("slowest", calls(30))


# Connections.


def test_connections_at_the_same_time_are_told():
    finding = ask(
        "connections",
        calls(30),
        calls(30, at=9),
        connections(2, "opened"),
        connections(30, "opened", at=3),
        connections(31, "closed", at=3),
        connections(1, "opened", at=5),
        health(2, "lost", client=7, server=5),
    )
    assert finding.sentence == (
        "33 connections, at most 32 at once (first at 10:00:03); 30 were opened within 1 s from "
        "10:00:03, and 31 were closed."
    )
    assert finding.severity is Severity.NOTICE
    assert finding.data.timeline.layers[0].calls == (2, 2, 2, 32, 1, 2)
    assert finding.details[1].rows == (("bytes not captured", 2, 7, 5),)
    assert not is_asked("connections", calls(30))


# Small files.


def created(files: int, blocks: int, user: str) -> Rows:
    return [
        row
        for name, number in ((CREATE, files), (ADD_BLOCK, blocks), (COMPLETE, files))
        for row in calls(number, name=name, user=user, times=(0, 900_000))
    ]


def test_the_writer_of_small_files_is_told_with_its_job_and_directory():
    finding = ask(
        "small-files",
        created(300, 290, "alice"),
        created(100, 900, "etl"),
        jobs(300, "tiny", name=CREATE),
        directories(290, "/out/day=1", name=CREATE),
        directories(10, "/other", name=CREATE),
    )
    assert finding.sentence == (
        "alice (job tiny) writes small files: 300 files in 900 ms with 1.0 blocks each, 75 % of "
        "all new files, mostly in /out/day=1."
    )
    assert column(finding, "user") == ["alice"]


def test_few_files_and_files_of_many_blocks_are_no_small_files():
    assert not is_asked("small-files", created(49, 10, "alice"), created(100, 130, "etl"))


# A recording of a NameNode, and the head of the page.


def test_the_recorded_storm_is_told_with_its_job_and_directory_in_five_sentences():
    batches = [pa.record_batch(batch) for _, batch in read_tables(NAMENODE, [View("traffic")])]
    said = [
        each.sentence for each in find(Traffic.from_table(merge_batches(batches)), ReportSource())
    ]
    assert "(job broken-job) asked getBlockLocations of /data/events/_SUCCESS" in said[1]
    told = " ".join(said[:5])
    assert "broken-job fails most" in told
    assert "are in /data/events" in told


def test_what_is_missing_of_connections_is_told_in_the_head():
    said = ask(
        "summary",
        calls(30),
        health(2, "lost", client=2_000, server=100),
        health(3, "midstream"),
        health(1, "one-sided"),
    )
    assert said.sentence.endswith(
        "everything was decoded; not captured: 2.1 kB, the begin of 3 connections, "
        "one direction of 1 connection."
    )
