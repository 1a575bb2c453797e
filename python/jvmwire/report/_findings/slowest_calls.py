"""Finding: the slowest single calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import Aspect
from jvmwire.report._findings.finding import (
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._formatting import Clock, latency
from jvmwire.report._labels import caller, sanitize_label
from jvmwire.report._traffic import aspect, plain, sort_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jvmwire.report._traffic import Traffic

SLOWEST = 10
"""Number of calls that are listed, as many as are counted."""


def find_slowest_calls(traffic: Traffic) -> Finding | None:
    """Find the slowest single calls; None if no call was answered."""
    rows = plain(aspect(traffic.others, Aspect.SLOWEST)).to_pylist()
    if not rows:
        return None
    rows = sorted(rows, key=_order)[:SLOWEST]
    clock = clock_of(traffic)
    labels = labels_of(traffic)
    return Finding(
        kind="slowest",
        question="Which single calls were slowest?",
        sentence=_sentence(rows[0], labels, clock),
        severity=Severity.INFO,
        details=(
            Detail.from_rows(
                "The slowest calls",
                _COLUMNS,
                (
                    (
                        row["latency_max_us"],
                        row["first"],
                        row["user"],
                        row["client"],
                        row["context"],
                        row["name"],
                        row["target"],
                        row["status"],
                        row["error_class"],
                    )
                    for row in rows
                ),
            ),
        ),
        clock=clock,
        data=None,
    )


def _order(row: Mapping[str, Any]) -> Any:
    names = ("first", "name", "target", "user", "client", "context", "status", "error_class")
    return (-row["latency_max_us"], sort_key([row[name] for name in names]))


def _sentence(row: Mapping[str, Any], labels: Mapping[str | None, str], clock: Clock | None) -> str:
    what = sanitize_label(labels.get(row["name"]) or str(row["name"]))
    of = f" of {sanitize_label(row['target'])}" if row["target"] else ""
    job = f" (job {sanitize_label(row['context'])})" if row["context"] else ""
    at = f", at {clock.moment(row['first'])}" if clock and row["first"] is not None else ""
    who = sanitize_label(caller(row["user"], row["client"]))
    return f"The slowest call took {latency(row['latency_max_us'])}: {what}{of} by {who}{job}{at}."


_COLUMNS = (
    Column("latency_us", "took", Unit.MICROSECONDS),
    Column("at", "at", Unit.MOMENT),
    Column("user", "user"),
    Column("client", "host"),
    Column("job", "job"),
    Column("method", "method"),
    Column("target", "of"),
    Column("status", "ended"),
    Column("error_class", "error"),
)
