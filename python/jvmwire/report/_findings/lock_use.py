"""Finding: calls by the lock of the NameNode that they take, and who takes the write lock."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmwire._core import LatencySketch
from jvmwire.report._findings.charts import LAYERS, Layer, Timeline, smooth_width
from jvmwire.report._findings.finding import (
    KEPT,
    TOO_FEW,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.quantiles import latencies
from jvmwire.report._formatting import number, plural, share
from jvmwire.report._labels import caller, sanitize_label
from jvmwire.report._locks import Lock, lock_of
from jvmwire.report._traffic import Total, Traffic, count, having, totals

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAVY = 0.2
"""Share of write-lock calls from which they are a notice: each stops all readers."""


@dataclass(frozen=True, slots=True)
class LocksData:
    """Calls over time by lock."""

    timeline: Timeline | None
    writes: int
    calls: int


def find_lock_use(traffic: Traffic) -> Finding | None:
    """Find what takes the NameNode's write lock; None if no method is of a NameNode."""
    names = {total.key[0]: lock_of(total.key[0]) for total in traffic.methods}
    tables = {
        lock: having(traffic.calls, "name", [name for name, of in names.items() if of is lock])
        for lock in Lock
    }
    calls = sum(map(count, tables.values()))
    if not calls:
        return None
    writes = count(tables[Lock.WRITE])
    sketches = _sketches(traffic)
    writers = totals(tables[Lock.WRITE], "name", "user")
    spent = sum(total.latency_sum_us for lock in Lock for total in totals(tables[lock], "protocol"))
    of_writes = sum(total.latency_sum_us for total in writers)
    return Finding(
        kind="locks",
        question="Who takes the NameNode's write lock?",
        sentence=_sentence(traffic, writes, calls, writers, (of_writes, spent)),
        severity=Severity.NOTICE
        if writes >= TOO_FEW and writes >= HEAVY * calls
        else Severity.INFO,
        details=(
            Detail.from_rows(
                "Calls by lock",
                _BY_LOCK,
                (
                    (
                        str(lock),
                        count(tables[lock]),
                        count(tables[lock]) / calls,
                        sketches[lock].quantile(0.5),
                        sketches[lock].quantile(0.99),
                        sketches[lock].longest,
                    )
                    for lock in Lock
                    if count(tables[lock])
                ),
            ),
            *_by_writer(writers, writes),
        ),
        clock=clock_of(traffic),
        data=LocksData(_timeline(traffic, tables), writes, calls),
    )


def _sketches(traffic: Traffic) -> dict[Lock | None, LatencySketch]:
    """Return the latencies of the answered calls by lock."""
    of_locks: dict[Lock | None, list[bytes]] = defaultdict(list)
    for method in latencies(traffic):
        of_locks[lock_of(method.name)].append(method.whole.pack())
    return {lock: _pooled(of_locks[lock]) for lock in Lock}


def _pooled(packed: Sequence[bytes]) -> LatencySketch:
    [whole] = LatencySketch.pool(pa.array(packed, pa.binary()), (0, len(packed)))
    return whole


def _sentence(
    traffic: Traffic,
    writes: int,
    calls: int,
    writers: Sequence[Total],
    spent: tuple[int, int],
) -> str:
    of = f"{plural(calls, 'call')} of the NameNode's protocols"
    if calls == 1:
        how = "takes" if writes else "does not take"
        return f"The only call of the NameNode's protocols {how} the write lock."
    if not writes:
        return f"None of {of} takes the write lock."
    name, user = writers[0].key
    label = sanitize_label(labels_of(traffic)[name])
    part = share(writers[0].calls, writes)
    who = sanitize_label(caller(user, None))
    of_writes, every = spent
    verb = "takes" if writes == 1 else "take"
    said = f"{share(writes, calls)} of {of} {verb} the write lock ({number(writes)})"
    if every:
        said += f", with {share(of_writes, every)} of the time of all answers"
    return f"{said}; {part} of these are {label} by {who}."


def _by_writer(writers: Sequence[Total], writes: int) -> tuple[Detail, ...]:
    if not writers:
        return ()
    return (
        Detail.from_rows(
            "Calls that take the write lock",
            _WRITERS,
            (
                (
                    *total.key,
                    total.calls,
                    total.calls / writes,
                    total.latency_sum_us // total.calls,
                    total.latency_max_us,
                )
                for total in writers[:KEPT]
            ),
            every=len(writers),
        ),
    )


def _timeline(traffic: Traffic, tables: dict[Lock, pa.Table]) -> Timeline | None:
    if traffic.first is None or len(traffic.buckets) < 2:
        return None
    width = smooth_width(traffic, traffic.count)
    first = traffic.first // width * width
    size = (traffic.buckets[-1] - first) // width + 1
    layers = []
    for lock, label in _LABELS.items():
        row = [0] * size
        for bucket, calls in traffic.over_time(tables[lock]).items():
            row[(bucket - first) // width] += calls
        if any(row):
            layers.append(Layer(label, tuple(row)))
    return Timeline(first, width, tuple(layers[:LAYERS]))


_LABELS = {Lock.WRITE: "write lock", Lock.READ: "read lock", Lock.NONE: "no lock"}

_BY_LOCK = (
    Column("lock", "lock"),
    Column("calls", "calls", Unit.COUNT),
    Column("share", "share", Unit.SHARE),
    Column("p50_us", "median", Unit.MICROSECONDS),
    Column("p99_us", "p99", Unit.MICROSECONDS),
    Column("max_us", "longest", Unit.MICROSECONDS),
)
_WRITERS = (
    Column("method", "method"),
    Column("user", "user"),
    Column("calls", "calls", Unit.COUNT),
    Column("share", "share", Unit.SHARE),
    Column("mean_us", "mean", Unit.MICROSECONDS),
    Column("max_us", "longest", Unit.MICROSECONDS),
)
