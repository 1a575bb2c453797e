"""Finding: totals of calls, connections, time, failures and undecoded data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import SECOND, Aspect
from jvmwire.report._findings.finding import Finding, Severity, clock_of
from jvmwire.report._formatting import Clock, duration, plural, share, size
from jvmwire.report._traffic import Status, Traffic, aspect, count, totals

if TYPE_CHECKING:
    from jvmwire.report._source import ReportSource


@dataclass(frozen=True, slots=True)
class SummaryData:
    """The numbers at the top of the page."""

    calls: int
    connections: int
    messages: int
    failed: int
    refused: int
    """Calls that were refused as is normal for their method, not counted as failures."""
    open: int
    """Calls without a reply because they wait, or because the capture ended."""
    background: int
    """Calls made by timers of the system: heartbeats and periodic reports."""
    retries: int
    undecoded: int
    duration_us: int | None
    first_us: int | None
    last_us: int | None
    """Times of the first and last message, or else call, in microseconds."""
    lost_bytes: int = 0
    """Bytes of connections that were not captured."""
    retransmitted_bytes: int = 0
    midstream: int = 0
    """Connections whose begin was not captured."""
    one_sided: int = 0
    """Connections of which only one direction was captured."""
    tunneled_bytes: int = 0
    """Bytes of packets in tunnels that are not decoded."""


def find_summary(traffic: Traffic, source: ReportSource) -> Finding:
    """Return the finding with the totals."""
    clock = clock_of(traffic)
    if source.first is not None and source.last is not None:
        clock = Clock(source.first, source.last)
    health = {
        total.key[0]: total for total in totals(aspect(traffic.others, Aspect.HEALTH), "status")
    }

    def size_of(kind: str) -> int:
        return health[kind].request_bytes + health[kind].reply_bytes if kind in health else 0

    data = SummaryData(
        calls=traffic.count,
        connections=source.streams,
        messages=source.messages,
        failed=count(traffic.failed),
        refused=traffic.ended(Status.REFUSED),
        open=traffic.ended(Status.OPEN),
        background=traffic.count - count(traffic.foreground),
        retries=traffic.retries,
        undecoded=source.undecoded_rows,
        duration_us=None if source.duration is None else round(source.duration * SECOND),
        first_us=None if clock is None else clock.first,
        last_us=None if clock is None else clock.last,
        lost_bytes=size_of("lost"),
        retransmitted_bytes=size_of("retransmitted"),
        midstream=health["midstream"].calls if "midstream" in health else 0,
        one_sided=health["one-sided"].calls if "one-sided" in health else 0,
        tunneled_bytes=sum(source.tunnels.values()),
    )
    return Finding(
        kind="summary",
        question="What was captured?",
        sentence=_sentence(data, clock, source),
        severity=Severity.NOTICE if data.undecoded else Severity.INFO,
        details=(),
        clock=clock,
        data=data,
    )


def _sentence(data: SummaryData, clock: Clock | None, source: ReportSource) -> str:
    unread = (
        f"{plural(data.undecoded, 'piece')} could not be decoded"
        if data.undecoded
        else "everything was decoded"
    ) + _incomplete(data, source)
    if not data.calls:
        seen = f"{plural(data.connections, 'connection')}, {plural(data.messages, 'message')}"
        none = "No call meets the condition" if source.is_filtered else "The captures hold no calls"
        return f"{none}. ({seen}; {unread}.)"
    over = f" over {plural(data.connections, 'connection')}" if data.connections else ""
    took = f" in {duration(data.duration_us)}" if data.duration_us else ""
    when = f" ({clock.span})" if clock else " (no clock)"
    failed = f"{share(data.failed, data.calls)} failed"
    if data.calls == 1:
        failed = "it failed" if data.failed else "it did not fail"
    elif not data.failed:
        failed = "none failed"
    return f"{plural(data.calls, 'call')}{over}{took}{when}: {failed}, {unread}."


def _incomplete(data: SummaryData, source: ReportSource) -> str:
    """Return a text on what is missing of the connections in the capture, or an empty string."""
    tunnels = [f"{size(found)} of {what}" for what, found in sorted(source.tunnels.items())]
    parts = []
    if data.lost_bytes:
        parts.append(size(data.lost_bytes))
    if data.midstream:
        parts.append(f"the begin of {plural(data.midstream, 'connection')}")
    if data.one_sided:
        parts.append(f"one direction of {plural(data.one_sided, 'connection')}")
    lost = f"; not captured: {', '.join(parts)}" if parts else ""
    return lost + (f"; not readable: {', '.join(tunnels)}" if tunnels else "")
