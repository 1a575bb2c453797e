"""Finding: slow methods, and the time since when they are slow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from jvmwire.report._findings.change_point import MIN_POINTS_PER_SIDE
from jvmwire.report._findings.finding import (
    TOO_FEW,
    Column,
    Detail,
    Finding,
    Severity,
    Unit,
    clock_of,
    labels_of,
)
from jvmwire.report._findings.heat_map import HeatMap, heat_map, percentiles
from jvmwire.report._findings.history import History, Rise, find_rise, history
from jvmwire.report._findings.quantiles import MethodLatencies, latencies
from jvmwire.report._findings.time_skew import find_window
from jvmwire.report._formatting import Clock, latency, number, plural, ratio
from jvmwire.report._labels import sanitize_label
from jvmwire.report._traffic import having

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmwire.report._traffic import Traffic

RANKED = 20
"""Answered calls that a method needs before its p99 is compared with that of others."""

HISTORIES = 3
"""Number of methods with their own time line: the slowest with enough calls."""

WATCHED = 30
"""Number of methods, slowest first, that are searched for a rise."""

OVERVIEW = 12

DOMINANT_SHARE = 0.9
"""Share of a method's calls that a period must contain to be named."""


@dataclass(frozen=True, slots=True)
class MethodLatency:
    """Latency statistics of the answered calls of a method, in microseconds."""

    name: str | None
    label: str
    calls: int
    p50: int
    p99: int
    maximum: int


@dataclass(frozen=True, slots=True)
class SlownessData:
    """Latencies of all methods, and of the slowest methods over time."""

    overview: tuple[MethodLatency, ...]
    histories: tuple[History, ...]
    heat: HeatMap | None = None


def find_slowness(traffic: Traffic) -> Finding:
    """Find the slowest method, and methods with a lasting rise."""
    of_methods = {each.name: each for each in latencies(traffic)}
    methods = _ranked(of_methods.values(), labels_of(traffic))
    watched = methods[:WATCHED]
    over_time = {method.name: of_methods[method.name].series for method in watched}
    rises = {
        name: _to_the_call(found, traffic, name)
        for name, series in over_time.items()
        if (found := find_rise(series, traffic.thresholds.rise_ratio))
    }
    # The slowest method first, then methods with a lasting rise before others.
    drawn = sorted(watched, key=lambda method: (method != methods[0], method.name not in rises))
    clock = clock_of(traffic)
    histories = (
        history(
            method.label,
            over_time[method.name],
            width=traffic.width,
            found=rises.get(method.name),
        )
        for method in drawn
    )
    return Finding(
        kind="slowness",
        question="What is slow, and since when?",
        sentence=_sentence(traffic, methods, rises, clock),
        severity=Severity.ALARM if rises else Severity.INFO,
        details=tuple(_details(traffic, methods, rises)),
        clock=clock,
        data=SlownessData(
            tuple([each for each in methods if each.calls >= RANKED] or methods)[:OVERVIEW],
            tuple(
                islice(
                    (each for each in histories if len(each.points) >= 2 * MIN_POINTS_PER_SIDE),
                    HISTORIES,
                )
            ),
            heat_map(traffic),
        ),
    )


def _sentence(
    traffic: Traffic,
    methods: Sequence[MethodLatency],
    rises: dict[str | None, Rise],
    clock: Clock | None,
) -> str:
    answered = sum(method.calls for method in methods)
    if not answered:
        every = traffic.count
        if traffic.latency.num_rows:
            return "No call was answered but those that wait by design and those in the background."
        noun = "The only call was not" if every == 1 else f"None of {number(every)} calls was"
        return f"{noun} answered, so there is no time to tell."
    slowest = methods[0]
    if answered < TOO_FEW:
        longest = max(methods, key=lambda method: method.maximum)
        if answered == 1:
            label = sanitize_label(longest.label)
            return f"The only answered call, {label}, took {latency(longest.maximum)}."
        return (
            f"{number(answered)} answered calls are too few to tell; "
            f"the longest took {latency(longest.maximum)} ({sanitize_label(longest.label)})."
        )
    if slowest.calls < RANKED:
        what = (
            f"No method was answered {RANKED} times, too few for a p99; "
            f"the longest call took {latency(slowest.maximum)} ({sanitize_label(slowest.label)})"
        )
    else:
        rank = "is slowest" if len(methods) > 1 else "is the only method"
        what = (
            f"{sanitize_label(slowest.label)} {rank}: p99 {latency(slowest.p99)} "
            f"over {plural(slowest.calls, 'call')}"
        )
    if clock is None:
        return f"{what}; without a clock, nothing says since when."
    if slowest.name in rises:
        return f"{what}; {_since(rises[slowest.name], clock, 'its')}."
    what += _when(traffic, slowest, clock)
    risen = next((method for method in methods if method.name in rises), None)
    if risen is None:
        return f"{what}; no lasting rise over time."
    of = _since(rises[risen.name], clock, f"{sanitize_label(risen.label)}'s")
    return f"{what}, with no lasting rise; but {of}."


def _when(traffic: Traffic, method: MethodLatency, clock: Clock) -> str:
    """Return a text on the period of a method's calls if they were limited to a period."""
    calls = having(traffic.calls, "name", [method.name])
    made = traffic.over_time(calls)
    window = find_window(made, traffic.over_time())
    if window is None or window.inside < DOMINANT_SHARE * sum(made.values()):
        return ""
    part = "all" if window.inside == sum(made.values()) else "nearly all"
    return f", {part} of them {window.describe(clock, traffic.moments(calls))}"


def _to_the_call(found: Rise, traffic: Traffic, name: str | None) -> Rise:
    """Move the begin of a rise to the first call of its bucket."""
    moments = traffic.moments(having(traffic.calls, "name", [name]))
    first, _ = moments.get(found.since, (found.since, found.since))
    return replace(found, since=first)


def _since(found: Rise, clock: Clock, owner: str) -> str:
    return (
        f"since {clock.moment(found.since)} {owner} {found.measure} is {ratio(found.ratio)} "
        f"what it was before"
    )


def _ranked(each: Iterable[MethodLatencies], labels: dict[str | None, str]) -> list[MethodLatency]:
    sketches = ((method.name, method.whole) for method in each)
    methods = [
        MethodLatency(
            name,
            labels.get(name) or str(name),
            of.calls,
            of.quantile(0.5),
            of.quantile(0.99),
            of.longest,
        )
        for name, of in sketches
        if of.calls
    ]
    return sorted(methods, key=lambda m: (m.calls < RANKED, -m.p99, -m.maximum, m.label))


def _details(
    traffic: Traffic, methods: Sequence[MethodLatency], rises: dict[str | None, Rise]
) -> Iterator[Detail]:
    if rises:
        yield Detail.from_rows(
            "What became slower",
            _RISES,
            (
                (name, found.measure, found.since, found.before, found.after, found.ratio)
                for name, found in rises.items()
            ),
        )
    every = percentiles(traffic)
    if every is not None:
        yield every
    if methods:
        yield Detail.from_rows(
            "Answered calls by method",
            _METHODS,
            ((each.name, each.calls, each.p50, each.p99, each.maximum) for each in methods),
        )


_RISES = (
    Column("method", "method"),
    Column("measure", "what rose"),
    Column("since", "since", Unit.MOMENT),
    Column("before_us", "before", Unit.MICROSECONDS),
    Column("after_us", "after", Unit.MICROSECONDS),
    Column("ratio", "times", Unit.RATIO),
)
_METHODS = (
    Column("method", "method"),
    Column("answered", "answered", Unit.COUNT),
    Column("p50_us", "median", Unit.MICROSECONDS),
    Column("p99_us", "p99", Unit.MICROSECONDS),
    Column("max_us", "longest", Unit.MICROSECONDS),
)
