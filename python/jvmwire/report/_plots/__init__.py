"""Plots of each finding, as inline SVG for a wide and for a narrow page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.report._findings.callers import CallersData
from jvmwire.report._findings.charts import Bar
from jvmwire.report._findings.connection_use import ConnectionsData
from jvmwire.report._findings.directories import DirectoriesData
from jvmwire.report._findings.failures import FailuresData
from jvmwire.report._findings.jobs import JobsData
from jvmwire.report._findings.lock_use import LocksData
from jvmwire.report._findings.retry_storms import StormsData
from jvmwire.report._findings.slowness import SlownessData
from jvmwire.report._formatting import Clock, duration, latency, number, plural, share
from jvmwire.report._labels import caller, sanitize_label
from jvmwire.report._plots.areas import areas
from jvmwire.report._plots.bars import bars
from jvmwire.report._plots.canvas import BAD, LAYERS, Plot, plot
from jvmwire.report._plots.heat_maps import heat
from jvmwire.report._plots.latencies import dots, histories
from jvmwire.report._plots.timelines import strips

if TYPE_CHECKING:
    from jvmwire.report._findings.finding import Finding

__all__ = ["Plot", "plots"]

_BAD_LAYERS = (BAD, *LAYERS)


def plots(finding: Finding) -> tuple[Plot, ...]:
    """Return the plots of `finding`, possibly none."""
    match finding.data:
        case CallersData() as data:
            return tuple(_callers(data))
        case JobsData() as data:
            return tuple(_jobs(data))
        case DirectoriesData() as data:
            return tuple(_directories(data))
        case LocksData() as data:
            return tuple(_locks(data))
        case ConnectionsData() as data:
            return tuple(_connections(data))
        case SlownessData() as data:
            return tuple(_slowness(data, finding.clock))
        case FailuresData() as data:
            return tuple(_failures(data))
        case StormsData() as data:
            return tuple(_storms(data))
    return ()


def _callers(data: CallersData) -> list[Plot]:
    if not data.callers:
        return []
    first, method = data.callers[0], data.methods[0]
    title = f"{sanitize_label(first.label)} makes {share(first.calls, first.of)} of the calls"
    if first.calls == first.of:
        title = f"{sanitize_label(first.label)} makes every call"
    what = _part(method, "call")
    drawn = []
    if data.timeline:
        drawn.append(plot("callers-time", title, areas(data.timeline)))
    else:
        drawn.append(plot("callers", title, bars(data.callers)))
    return [*drawn, plot("methods", what, bars(data.methods))]


def _jobs(data: JobsData) -> list[Plot]:
    first = data.jobs[0]
    title = f"{sanitize_label(first.label)} makes {share(first.calls, first.of)} of the jobs' calls"
    if data.timeline:
        return [plot("jobs-time", title, areas(data.timeline))]
    return [plot("jobs", title, bars(data.jobs))]


def _directories(data: DirectoriesData) -> list[Plot]:
    first = data.directories[0]
    title = f"{share(first.calls, first.of)} of the calls are in {sanitize_label(first.label)}"
    if data.noun != "directory":
        title = f"{share(first.calls, first.of)} of the calls are on {sanitize_label(first.label)}"
    return [plot("directories", title, bars(data.directories))]


def _locks(data: LocksData) -> list[Plot]:
    if data.timeline is None:
        return []
    title = f"{share(data.writes, data.calls)} of the calls take the write lock"
    return [plot("locks-time", title, areas(data.timeline))]


def _connections(data: ConnectionsData) -> list[Plot]:
    if data.timeline is None:
        return []
    title = f"At most {plural(data.most, 'connection')} at once"
    return [plot("connections-time", title, areas(data.timeline, unit="connections"))]


def _slowness(data: SlownessData, clock: Clock | None) -> list[Plot]:
    drawn = []
    if data.heat is not None:
        drawn.append(plot("latency-heat", "Latency of all answered calls", heat(data.heat)))
    risen = [history for history in data.histories if history.rise]
    if data.histories:
        title = "No method became slower for good"
        if risen and risen[0].rise and clock:
            rise = risen[0].rise
            title = (
                f"{sanitize_label(risen[0].label)}: {rise.measure} {latency(rise.before)} before "
                f"{clock.moment(rise.since)}, {latency(rise.after)} since"
            )
        drawn.append(plot("latency-time", title, histories(data.histories)))
    if data.overview:
        slowest = data.overview[0]
        title = f"{sanitize_label(slowest.label)} has the highest p99: {latency(slowest.p99)}"
        if slowest.calls == 1:
            title = f"{sanitize_label(slowest.label)} took {latency(slowest.maximum)}"
        drawn.append(plot("latency", title, dots(data.overview)))
    return drawn


def _failures(data: FailuresData) -> list[Plot]:
    if not data.bars:
        return []
    first = data.bars[0]
    title = _part(first, "failure")
    drawn = [plot("failures", title, bars(data.bars, colour=BAD))]
    if data.timeline:
        peak = max(map(sum, zip(*(layer.calls for layer in data.timeline.layers), strict=True)))
        title = f"At worst, {plural(peak, 'call')} failed in {duration(data.timeline.width)}"
        drawn.insert(0, plot("failures-time", title, areas(data.timeline, colours=_BAD_LAYERS)))
    return drawn


def _storms(data: StormsData) -> list[Plot]:
    if not data.runs:
        return []
    worst = data.runs[0]
    title = f"{sanitize_label(worst.label)}: the same call {number(worst.calls)} times"
    if worst.scattered:
        retried = share(worst.retries, worst.calls)
        title = (
            f"{sanitize_label(worst.label)}: {retried} of {number(worst.calls)} calls were retries"
        )
    if all(run.start is not None for run in data.runs):
        return [plot("storms", title, strips(data.runs))]
    rows = [
        Bar(f"{caller(run.user, run.client)}: {run.what}", run.calls, worst.calls)
        for run in data.runs
    ]
    return [plot("storms", title, bars(rows))]


def _part(bar: Bar, of: str) -> str:
    if bar.calls == bar.of:
        return f"Every {of} is {sanitize_label(bar.label)}"
    return f"{sanitize_label(bar.label)} is {share(bar.calls, bar.of)} of all {of}s"
