"""Plots of latencies: all methods in one plot, and the slowest over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.collections import LineCollection

from jvmwire.capture._aggregates import SECOND
from jvmwire.report._formatting import ratio
from jvmwire.report._plots.canvas import (
    BAD,
    LAYERS,
    LETTER,
    MUTED,
    PAPER,
    SMALL,
    TEXT,
    Canvas,
    place,
    write,
)
from jvmwire.report._plots.panels import Panel, Panels
from jvmwire.report._plots.scales import days, latency_scale, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from jvmwire.report._findings.history import History
    from jvmwire.report._findings.slowness import MethodLatency

_BLUE = LAYERS[0]


def dots(methods: Sequence[MethodLatency]) -> Callable[[Canvas], Figure]:
    """Return a function that draws median, p99 and maximum of each method on a log scale."""

    def draw(paper: Canvas) -> Figure:
        pitch = 26 if paper.is_wide else 42
        head, foot = 30, 30
        height = pitch * len(methods)
        figure = paper.figure(head + height + foot)
        longest = max(len(method.label) for method in methods) * SMALL * LETTER + 14
        left = min(longest, 310) if paper.is_wide else 4
        axes = place(figure, left, head, paper.width - left - 26, height)
        low = min(method.p50 for method in methods)
        axes.set_xscale("log")
        high = max(method.maximum for method in methods)
        scale = latency_scale(low, high, most=paper.ticks)
        mark(axes.xaxis, scale.marks)
        axes.set_xlim(scale.low, scale.high)
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        ys = [index * pitch + (13 if paper.is_wide else 30) for index in range(len(methods))]
        lines = [
            [(method.p50, y), (method.maximum, y)] for method, y in zip(methods, ys, strict=True)
        ]
        axes.add_artist(LineCollection(lines, colors=_BLUE, alpha=0.35, linewidths=2))
        for sign, values, size, edge, face in (
            ("|", [method.maximum for method in methods], 11, 2, _BLUE),
            ("o", [method.p99 for method in methods], 9, 2, PAPER),
            ("o", [method.p50 for method in methods], 9, 0, _BLUE),
        ):
            axes.plot(
                values, ys, sign, color=_BLUE, markersize=size, markeredgewidth=edge,
                markerfacecolor=face,
            )  # fmt: skip
        for method, y in zip(methods, ys, strict=True):
            name = paper.fit(method.label, left - 9 if paper.is_wide else paper.width)
            at = (left - 9, head + y) if paper.is_wide else (0, head + y - 17)
            write(figure, *at, name, ha="right" if paper.is_wide else "left")
        _key(figure, left if paper.is_wide else 4, ["median", "p99", "longest"])
        return figure

    return draw


def histories(methods: Sequence[History]) -> Callable[[Canvas], Figure]:
    """Return a function that draws a panel per method: median, band up to p99, and rise."""

    def draw(paper: Canvas) -> Figure:
        gap, panel = 34, 104
        height = len(methods) * (gap + panel)
        figure = paper.figure(height + 46)
        left = 58
        width = paper.width - left - (64 if paper.is_wide else 12)
        first = min(method.points[0].start for method in methods)
        end = max(method.end for method in methods)
        panels = Panels(figure, left, width, height)
        for index, method in enumerate(methods):
            top = index * (gap + panel) + gap
            _history(panels, top, panel, method, first, paper)
            room = width - (210 if paper.is_wide else 190)
            write(
                figure, left, top - 15, paper.fit(method.label, room, size=TEXT),
                fontsize=TEXT, fontweight="bold",
            )  # fmt: skip
            if method.rise:
                what = f"{method.rise.measure} {ratio(method.rise.ratio)} what it was"
                write(figure, left + width, top - 15, what, color=BAD, ha="right")
        panels.lay_out(first, end, ticks=paper.ticks)
        write(figure, left, height + 36, days(first, end), color=MUTED)
        return figure

    return draw


def _history(
    panels: Panels, top: float, height: float, method: History, first: int, paper: Canvas
) -> None:
    edges = [(point.start - first) / SECOND for point in method.points]
    edges.append((method.end - first) / SECOND)
    medians = [point.p50 for point in method.points]
    p99s = [point.p99 for point in method.points]
    panel = panels.add(top, height, latency_scale(min(medians), max(p99s), most=4))
    panel.steps(p99s, edges, baseline=medians, facecolor=_BLUE, alpha=0.22, linewidth=0)
    panel.line(p99s, edges, edgecolor=_BLUE, alpha=0.6, linewidth=1)
    panel.line(medians, edges, edgecolor=_BLUE, linewidth=2.2)
    if method.rise:
        panel.moment((method.rise.since - first) / SECOND, color=BAD)
    if paper.is_wide:
        _name_at_end(panels, panel, medians[-1], p99s[-1])


def _name_at_end(panels: Panels, panel: Panel, median: float, p99: float) -> None:
    low, high = (float(panel.at(value)) for value in (median, p99))
    push = max(0.0, (SMALL + 3 - (low - high)) / 2)  # keeps the two names apart
    write(panels.figure, panels.right + 6, low + push, "median")
    write(panels.figure, panels.right + 6, high - push, "p99")


def _key(figure: Figure, left: float, names: Sequence[str]) -> None:
    for sign, name in zip(("●", "○", "|"), names, strict=True):
        write(figure, left, 11, sign, color=_BLUE, fontsize=TEXT + 1, fontweight="bold")
        write(figure, left + 15, 11, name, color=MUTED)
        left += 15 + len(name) * SMALL * LETTER + 18
