"""What bar charts and time lines are drawn from: the first few, and the others added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report.traffic import Total, Traffic, count, counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

BARS = 8
"""Bars of a chart, without that of the others."""

LAYERS = 5
"""Layers of a time line, without that of the others: as many as colours one can tell apart."""

FINE = 60
"""Buckets of a time line that are never joined: enough to see when."""

SMOOTH = 50
"""More buckets than that are joined until they hold so many calls on average."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One length in a bar chart, with what its label says."""

    label: str
    calls: int
    of: int
    """What it is a share of."""
    is_rest: bool = False
    """Whether it adds up all that had no room."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One of the stacked areas of a time line: its calls, bucket by bucket."""

    label: str
    calls: tuple[int, ...]
    is_rest: bool = False
    """Whether it adds up all that had no room."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Calls over time, in layers, the largest first."""

    first: int
    width: int
    layers: tuple[Layer, ...]


def bars(ranked: Sequence[Total], labels: Sequence[str]) -> tuple[Bar, ...]:
    """Make a bar of each of the first, and one of all others."""
    of = sum(total.calls for total in ranked)
    top = _top(ranked, BARS)
    rest = sum(total.calls for total in ranked[top:])
    first = (Bar(labels[n], total.calls, of) for n, total in enumerate(ranked[:top]))
    return (*first, *([Bar(_others(len(ranked) - top), rest, of, is_rest=True)] if rest else []))


def timeline(
    traffic: Traffic,
    table: pa.Table,
    keys: Sequence[str],
    ranked: Sequence[Total],
    labels: Sequence[str],
) -> Timeline | None:
    """Spread the calls of `table` over time, in layers by `keys`; None if it is but a moment."""
    if traffic.first is None or len(traffic.buckets) < 2 or not ranked:
        return None
    width = _smooth_width(traffic, count(table))
    first = traffic.first // width * width
    top = _top(ranked, LAYERS)
    place = {total.key: min(n, top) for n, total in enumerate(ranked)}
    names = [*labels[:top], *([_others(len(ranked) - top)] if top < len(ranked) else [])]
    grid = [[0] * ((traffic.buckets[-1] - first) // width + 1) for _ in names]
    for bucket, *key, calls in counts(table, "bucket", *keys):
        if bucket is not None:
            grid[place[tuple(key)]][(bucket - first) // width] += calls
    layers = (
        Layer(name, tuple(row), is_rest=n == top)
        for n, (name, row) in enumerate(zip(names, grid, strict=True))
    )
    return Timeline(first, width, tuple(layers))


def _smooth_width(traffic: Traffic, calls: int) -> int:
    width, span = traffic.width, len(traffic.buckets) * traffic.width
    while span > FINE * width and calls * width < SMOOTH * span:
        width *= 2
    return width


def _top(ranked: Sequence[Total], room: int) -> int:
    """How many are shown by name; a lone other is not worth the word."""
    return len(ranked) if len(ranked) <= room + 1 else room


def _others(number: int) -> str:
    return f"{number:,} others"
