"""Finding: the busiest callers and the most frequent methods."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report._findings.charts import Bar, Timeline, bars, timeline
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
from jvmwire.report._formatting import number, plural, share
from jvmwire.report._labels import caller, sanitize_label
from jvmwire.report._traffic import Total, Traffic, totals
from jvmwire.report._traffic import count as count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SPREAD = 1.25
"""Ratio of a user's calls to those of the busiest caller from which only the user is named.

A user with this many more calls from all hosts together than the busiest pair of user and host is
named without a host.
"""


@dataclass(frozen=True, slots=True)
class CallersData:
    """Calls over time by caller, and totals by caller and by method."""

    timeline: Timeline | None
    callers: tuple[Bar, ...]
    methods: tuple[Bar, ...]


def find_callers(traffic: Traffic) -> Finding:
    """Find the busiest callers and the most frequent methods."""
    calls = traffic.foreground
    count = count_of(calls)
    background = traffic.count - count
    if not count:
        return _only_background(traffic)
    callers = totals(calls, "user", "client")
    users = totals(calls, "user")
    methods = totals(calls, "name")
    hosts = Counter(total.key[0] for total in callers)
    by_user = _is_spread(users[0], callers[0], hosts[users[0].key[0]])
    keys = ("user",) if by_user else ("user", "client")
    ranked = users if by_user else callers
    names = [_name(total) for total in ranked]
    labels, ratio = labels_of(traffic), traffic.thresholds.outlier_ratio
    return Finding(
        kind="callers",
        question="Who calls most?",
        sentence=_sentence(count, ranked, methods, labels, hosts if by_user else None, ratio)
        + _besides(background),
        severity=Severity.NOTICE if _is_outlier(ranked, count, ratio) else Severity.INFO,
        details=(
            Detail.from_rows(
                "Callers",
                _COLUMNS,
                (
                    (*total.key, total.calls, total.calls / count, *_bytes(total))
                    for total in callers[:KEPT]
                ),
                every=len(callers),
            ),
            Detail.from_rows(
                "Methods",
                (Column("method", "method"), *_COLUMNS[2:]),
                (
                    (total.key[0], total.calls, total.calls / count, *_bytes(total))
                    for total in methods
                ),
            ),
        ),
        clock=clock_of(traffic),
        data=CallersData(
            timeline(traffic, calls, keys, ranked, names),
            bars(ranked, names),
            bars(methods, [labels[total.key[0]] for total in methods]),
        ),
    )


def _only_background(traffic: Traffic) -> Finding:
    """Return the finding for traffic that consists of background calls only."""
    subject = "The only call is" if traffic.count == 1 else f"All {number(traffic.count)} calls are"
    return Finding(
        kind="callers",
        question="Who calls most?",
        sentence=f"{subject} made in the background: heartbeats and the like.",
        severity=Severity.INFO,
        details=(),
        clock=clock_of(traffic),
        data=CallersData(None, (), ()),
    )


def _besides(background: int) -> str:
    """Return a sentence on the number of background calls, or an empty string."""
    if not background:
        return ""
    verb = "is" if background == 1 else "are"
    return f" {plural(background, 'background call')} {verb} not counted (heartbeats and the like)."


_COLUMNS = (
    Column("user", "user"),
    Column("client", "host"),
    Column("calls", "calls", Unit.COUNT),
    Column("share", "share", Unit.SHARE),
    Column("request_bytes", "asked", Unit.BYTES),
    Column("reply_bytes", "answered", Unit.BYTES),
)


def _sentence(
    count: int,
    ranked: Sequence[Total],
    methods: Sequence[Total],
    labels: dict[str | None, str],
    hosts: Counter[str | None] | None,
    ratio: float,
) -> str:
    busiest, method = ranked[0], methods[0]
    name, label = sanitize_label(_name(busiest)), sanitize_label(labels[method.key[0]])
    if count == 1:
        return f"The only call is {label}, made by {name}."
    of_them = f"all {number(count)}" if busiest.calls == count else number(busiest.calls)
    if count < TOO_FEW:
        return f"{number(count)} calls are too few to tell; {name} made {of_them}."
    if len(methods) == 1:
        most = f"All of them are {label}."
    else:
        most = f"The most frequent method is {label} ({share(method.calls, count)})."
    if len(ranked) == 1:
        return f"{name} makes all {plural(count, 'call')}. {most}"
    part = share(busiest.calls, count)
    if not _is_outlier(ranked, count, ratio):
        return (
            f"No one stands out among {plural(len(ranked), 'caller')}: the busiest, {name}, "
            f"makes {part} of {plural(count, 'call')}. {most}"
        )
    where = f", from {plural(hosts[busiest.key[0]], 'host')}" if hosts else ""
    return f"{name} calls most: {part} of {plural(count, 'call')}{where}. {most}"


def _is_outlier(ranked: Sequence[Total], count: int, ratio: float) -> bool:
    return count >= TOO_FEW and len(ranked) > 1 and ranked[0].calls * len(ranked) >= ratio * count


def _is_spread(user: Total, busiest: Total, hosts: int) -> bool:
    return bool(user.key[0]) and hosts > 1 and user.calls >= SPREAD * busiest.calls


def _name(total: Total) -> str:
    user, client = (*total.key, None)[:2]
    return caller(user, client)


def _bytes(total: Total) -> tuple[int, int]:
    return total.request_bytes, total.reply_bytes
