"""Data of bar charts and time lines: the largest entries, and the sum of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.report._traffic import Total, Traffic, count, counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

BARS = 8
"""Maximum bars of a chart, without the bar of the others."""

LAYERS = 5
"""Maximum layers of a time line, without the others: as many colours as can be distinguished."""

MAX_FINE_BUCKETS = 60
"""Number of buckets up to which a time line is never coarsened."""

MIN_CALLS_PER_BUCKET = 50
"""Calls per bucket, on average, up to which more than `MAX_FINE_BUCKETS` buckets are joined."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart, with its label."""

    label: str
    calls: int
    of: int
    """The total that `calls` is a share of."""
    is_rest: bool = False
    """Whether the bar is the sum of all entries without a bar of their own."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One stacked area of a time line: its calls per bucket."""

    label: str
    calls: tuple[int, ...]
    is_rest: bool = False
    """Whether the layer is the sum of all entries without a layer of their own."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Calls over time in layers, the largest first."""

    first: int
    width: int
    layers: tuple[Layer, ...]


def bars(ranked: Sequence[Total], labels: Sequence[str]) -> tuple[Bar, ...]:
    """Return a bar for each of the first entries, and one for the sum of the others."""
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
    """Return the calls of `table` over time in layers by `keys`; None for fewer than 2 buckets."""
    if traffic.first is None or len(traffic.buckets) < 2 or not ranked:
        return None
    width = smooth_width(traffic, count(table))
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


def smooth_width(traffic: Traffic, calls: int) -> int:
    """Return the width of a time line's buckets, wider if there are few calls."""
    width, span = traffic.width, len(traffic.buckets) * traffic.width
    while span > MAX_FINE_BUCKETS * width and calls * width < MIN_CALLS_PER_BUCKET * span:
        width *= 2
    return width


def _top(ranked: Sequence[Total], room: int) -> int:
    """Return the number of entries shown by name; a single remaining entry is shown too."""
    return len(ranked) if len(ranked) <= room + 1 else room


def _others(number: int) -> str:
    return f"{number:,} others"
