"""Finding: connections over time, and what is missing of them in the capture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import Aspect
from jvmwire.report._findings.charts import Layer, Timeline
from jvmwire.report._findings.finding import (
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
)
from jvmwire.report._formatting import Clock, duration, number, plural
from jvmwire.report._traffic import aspect, having, plain, totals

if TYPE_CHECKING:
    import pyarrow as pa

    from jvmwire.report._traffic import Traffic

WAVE = 0.5
"""Share of all connections, opened in one bucket, from which they are a wave."""

WAVE_CONNECTIONS = 20
"""Connections in one bucket from which they are a wave."""


@dataclass(frozen=True, slots=True)
class ConnectionsData:
    """Connections that are open at the same time, by bucket."""

    timeline: Timeline | None
    most: int


def find_connection_use(traffic: Traffic) -> Finding | None:
    """Find how many connections are open at the same time; None without connections."""
    table = aspect(traffic.others, Aspect.CONNECTIONS)
    opened, closed = (_by_bucket(having(table, "status", [it])) for it in ("opened", "closed"))
    health = aspect(traffic.others, Aspect.HEALTH)
    if not opened and not health.num_rows:
        return None
    width = traffic.width
    starts = range(min(opened), max([*opened, *closed]) + 1, width) if opened else range(0)
    # Those that are closed in a bucket are open in it.
    changes = (opened[at] - closed[at - width] for at in starts)
    open_at = dict(zip(starts, accumulate(changes), strict=True))
    clock = clock_of(traffic)
    most = max(open_at.values(), default=0)
    wave = max(opened, key=lambda at: (opened[at], -at), default=None)
    every = sum(opened.values())
    is_wave = (
        wave is not None and len(starts) > 2 and opened[wave] >= max(WAVE_CONNECTIONS, WAVE * every)
    )
    line = (
        Timeline(starts[0], width, (Layer("open at once", tuple(open_at.values())),))
        if len(starts) > 1
        else None
    )
    return Finding(
        kind="connections",
        question="How many connections?",
        sentence=_sentence(opened, closed, open_at, width, clock),
        severity=Severity.NOTICE if is_wave else Severity.INFO,
        details=tuple(_details(table, health)),
        clock=clock,
        data=ConnectionsData(line, most),
    )


def _by_bucket(table: pa.Table) -> Counter[int]:
    found: Counter[int] = Counter()
    for row in plain(table.select(["bucket", "calls"])).to_pylist():
        if row["bucket"] is not None:
            found[row["bucket"]] += row["calls"]
    return found


def _sentence(
    opened: Counter[int],
    closed: Counter[int],
    open_at: dict[int, int],
    width: int,
    clock: Clock | None,
) -> str:
    every = sum(opened.values())
    if not opened or clock is None:
        return "Without a clock, nothing says when connections were open."
    peak = min(open_at, key=lambda at: (-open_at[at], at))
    wave = min(opened, key=lambda at: (-opened[at], at))
    if every == 1:
        end = "closed" if closed else "open until the capture ends"
        return f"The only connection is {end}."
    return (
        f"{plural(every, 'connection')}, at most {number(open_at[peak])} at once "
        f"(first at {clock.moment(peak)}); {number(opened[wave])} were opened within "
        f"{duration(width)} from {clock.moment(wave)}, and {number(sum(closed.values()))} "
        f"were closed."
    )


def _details(table: pa.Table, health: pa.Table) -> list[Detail]:
    details = []
    by_protocol = totals(having(table, "status", ["opened"]), "protocol")
    closed = {t.key[0]: t.calls for t in totals(having(table, "status", ["closed"]), "protocol")}
    if by_protocol:
        details.append(
            Detail.from_rows(
                "Connections by protocol",
                (
                    Column("protocol", "protocol"),
                    Column("opened", "opened", Unit.COUNT),
                    Column("closed", "closed", Unit.COUNT),
                    Column("first", "first", Unit.MOMENT),
                    Column("last", "last opened", Unit.MOMENT),
                ),
                (
                    (t.key[0], t.calls, closed.get(t.key[0], 0), t.first, t.last)
                    for t in by_protocol
                ),
            )
        )
    if health.num_rows:
        details.append(
            Detail.from_rows(
                "Incomplete connections",
                (
                    Column("kind", "what"),
                    Column("connections", "connections", Unit.COUNT),
                    Column("client_bytes", "of clients", Unit.BYTES),
                    Column("server_bytes", "of servers", Unit.BYTES),
                ),
                (
                    (KINDS.get(t.key[0], t.key[0]), t.calls, t.request_bytes, t.reply_bytes)
                    for t in totals(health, "status")
                ),
            )
        )
    return details


KINDS = {
    "lost": "bytes not captured",
    "retransmitted": "bytes sent again",
    "differing": "bytes sent again, and not the same",
    "midstream": "begin not captured",
    "one-sided": "only one direction captured",
    "reset": "ended by a reset",
    "evicted": "given up for lack of memory",
}
"""What is missing of a connection, or odd about it."""
