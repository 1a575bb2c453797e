"""Synthetic traffic, as Rust would aggregate it."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from jvmwire._core import LatencySketch
from jvmwire.capture._aggregates import SCHEMA, SECOND
from jvmwire.report._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Iterable

NOON = 1_772_445_600 * SECOND  # 2 March 2026, 10:00:00 UTC
GET = "ClientProtocol.getFileInfo"
LIST = "ClientProtocol.getListing"
CREATE = "ClientProtocol.create"
MISSING = "java.io.FileNotFoundException"
STANDBY = "org.apache.hadoop.ipc.StandbyException"

Rows = list[dict[str, Any]]


def sketched(times: Iterable[int], shares: Iterable[int]) -> LatencySketch:
    """Sketch the durations of calls, given as counts per duration."""
    return LatencySketch.from_times(zip(times, shares, strict=True))


def calls(
    number: int = 1,
    *,
    at: int | None = 0,
    width: int = 1,
    user: str | None = "alice",
    client: str | None = "10.0.0.7",
    name: str | None = GET,
    status: str = "ok",
    error_class: str | None = None,
    took: int | list[int] = 1000,
    retries: int = 0,
    protocol: str = "hadoop",
    pace: str | None = None,
    times: tuple[int, int] | None = None,
) -> Rows:
    """Make `number` calls of a kind in the bucket that starts `at` seconds after NOON.

    They are made from the first to the second of `times`, in microseconds after NOON, or else all
    through the bucket.
    """
    took_each = took if isinstance(took, list) else [took] * (1 if number else 0)
    bucket = None if at is None else NOON + at * SECOND
    common = {"bucket": bucket, "width": width * SECOND, "name": name, "pace": pace}
    answered = status not in {"lost", "open"}
    rows: Rows = [
        common
        | {
            "aspect": "calls",
            "protocol": protocol,
            "client": client,
            "user": user,
            "status": status,
            "error_class": error_class,
            "calls": number,
            "retries": retries,
            "request_bytes": 120 * number,
            "reply_bytes": 80 * number if answered else 0,
            "latency_sum_us": round(sum(took_each) * number / len(took_each)) if answered else 0,
            "latency_max_us": max(took_each) if answered else 0,
        }
        | _made(number, at, width, times)
    ]
    if answered:
        shares = [number // len(took_each)] * len(took_each)
        shares[0] += number - sum(shares)
        latencies = sketched(took_each, shares).pack()
        rows.append(common | {"aspect": "latency", "latencies": latencies, "calls": number})
    return rows


def repeats(
    number: int,
    *,
    at: int | None = 0,
    width: int = 1,
    retries: int = 0,
    user: str | None = "alice",
    client: str | None = "10.0.0.7",
    name: str | None = GET,
    target: str | None = "/a/b",
    pace: str | None = None,
    times: tuple[int, int] | None = None,
) -> Rows:
    return [
        {
            "aspect": "repeats",
            "pace": pace,
            "bucket": None if at is None else NOON + at * SECOND,
            "width": width * SECOND,
            "client": client,
            "user": user,
            "name": name,
            "target": target,
            "calls": number,
            "retries": retries,
        }
        | _made(number, at, width, times)
    ]


def jobs(
    number: int,
    job: str,
    *,
    at: int | None = 0,
    user: str | None = "alice",
    name: str | None = GET,
    status: str = "ok",
    took: int = 1000,
) -> Rows:
    """Make `number` calls of a job in the second that starts `at` seconds after NOON."""
    bucket = None if at is None else NOON + at * SECOND
    row = {"aspect": "contexts", "context": job, "bucket": bucket, "width": SECOND}
    return [row | _counted(number, user, name, status, took) | _made(number, at, 1, None)]


def directories(
    number: int,
    target: str,
    *,
    user: str | None = "alice",
    name: str | None = GET,
    status: str = "ok",
    took: int = 1000,
    undercount: int | None = None,
) -> Rows:
    """Make `number` calls in a directory."""
    row = {"aspect": "directories", "target": target, "undercount": undercount}
    return [row | _counted(number, user, name, status, took)]


def slow_call(
    took: int, *, at: int = 0, target: str | None = "/a", job: str | None = None, name: str = GET
) -> Rows:
    """Make one of the slowest calls."""
    row = {"aspect": "slowest", "target": target, "context": job, "client": "10.0.0.7"}
    moment = {"first": NOON + at * SECOND, "last": NOON + at * SECOND}
    return [row | _counted(1, "alice", name, "ok", took) | moment]


def connections(number: int, status: str, *, at: int = 0, protocol: str = "hadoop") -> Rows:
    """Open or close connections in the second that starts `at` seconds after NOON."""
    row = {"aspect": "connections", "protocol": protocol, "status": status, "calls": number}
    bucket = NOON + at * SECOND
    return [row | {"bucket": bucket, "width": SECOND, "first": bucket, "last": bucket}]


def health(number: int, status: str, *, client: int = 0, server: int = 0) -> Rows:
    """Make incomplete connections, with the bytes of both sides."""
    row = {"aspect": "health", "protocol": "hadoop", "status": status, "calls": number}
    return [row | {"request_bytes": client, "reply_bytes": server}]


def _counted(
    number: int, user: str | None, name: str | None, status: str, took: int
) -> dict[str, Any]:
    return {
        "user": user,
        "name": name,
        "status": status,
        "calls": number,
        "retries": 0,
        "request_bytes": 120 * number,
        "reply_bytes": 80 * number,
        "latency_sum_us": took * number,
        "latency_max_us": took,
    }


def _made(number: int, at: int | None, width: int, times: tuple[int, int] | None) -> dict[str, Any]:
    """Return when the first and the last of the calls of a bucket were made."""
    if at is None:
        return {}
    bucket = NOON + at * SECOND
    first, last = times or (at * SECOND, at * SECOND + (width * SECOND - 1) * (number > 1))
    assert bucket <= NOON + first <= NOON + last < bucket + width * SECOND
    return {"first": NOON + first, "last": NOON + last}


def table(*parts: Rows) -> pa.Table:
    return pa.Table.from_pylist([row for part in parts for row in part], schema=SCHEMA)


def traffic(*parts: Rows) -> Traffic:
    return Traffic.from_table(table(*parts))


def busy_cluster(number: int, *, seconds: int = 600, width: int = 4) -> pa.Table:
    """Aggregate `number` calls of a cluster with a slow getListing and a retry storm.

    getListing takes 6 times as long from 7 min 8 s on; FileNotFoundException is spread evenly; from
    7 min 20 s bob retries one file on a NameNode in standby.
    """
    chance = random.Random(7)  # noqa: S311 (not a secret)
    users = [("etl", f"10.0.0.{11 + host}") for host in range(4)] + [
        ("hive", "10.0.0.21"),
        ("alice", "10.0.0.7"),
        ("bob", "10.0.0.8"),
        ("hbase", "10.0.0.31"),
        ("oozie", "10.0.0.41"),
        ("knox", "10.0.0.51"),
    ]
    weights = [38, 9, 6, 4, 20, 8, 3, 7, 4, 1]
    methods = {
        GET: (48, 900), LIST: (20, 9_000), "ClientProtocol.getBlockLocations": (16, 1_400),
        CREATE: (5, 4_000), "ClientProtocol.addBlock": (5, 5_200),
        "ClientProtocol.complete": (4, 3_100), "ClientProtocol.renewLease": (1, 600),
        "ClientProtocol.delete": (1, 6_000),
    }  # fmt: skip
    parts: list[Rows] = []
    buckets = range(0, seconds, width)
    everything = sum(weights) * sum(weight for weight, _ in methods.values())
    for at in buckets:
        swell = 1 + 0.35 * math.sin(at / 90) + chance.uniform(-0.1, 0.1)
        for (user, client), weight in zip(users, weights, strict=True):
            for name, (share, typical) in methods.items():
                expected = number * swell * weight * share / everything / len(buckets)
                made = int(expected) + (chance.random() < expected % 1)
                if not made:
                    continue
                slower = 6 if name == LIST and at >= 428 else 1
                took = [
                    round(slower * typical * chance.lognormvariate(0, 0.7))
                    for _ in range(min(made, 24))
                ]
                key: dict[str, Any] = {
                    "at": at,
                    "width": width,
                    "user": user,
                    "client": client,
                    "name": name,
                }
                missing = round(made * 0.02 + chance.random() * 0.4) if name == GET else 0
                parts.append(calls(max(made - missing, 1), took=took, **key))
                if missing:
                    parts.append(
                        calls(missing, status="error", error_class=MISSING, took=took[0], **key)
                    )
    a_burst = max(9, number // 2000)
    for at in range(440, 480, width):
        parts.append(
            calls(a_burst, at=at, width=width, user="bob", client="10.0.0.8", status="error",
                  error_class=STANDBY, took=700, retries=a_burst - 1)
        )  # fmt: skip
        parts.append(
            repeats(a_burst, at=at, width=width, user="bob", client="10.0.0.8",
                    target="/warehouse/sales/2026/03/02/_SUCCESS", retries=a_burst)
        )  # fmt: skip
    poll: dict[str, Any] = {
        "width": width,
        "user": "hbase",
        "client": "10.0.0.31",
        "target": "/hbase/.tmp",
    }
    parts += (repeats(8 + at % 3, at=at, **poll) for at in range(0, 600, 40))
    return table(*parts)
