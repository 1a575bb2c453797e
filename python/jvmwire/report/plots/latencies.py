"""Latencies: all methods at a glance, and the slowest over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.capture.traffic import SECOND
from jvmwire.report.plots.paper import (
    BAD,
    INK,
    LAYERS,
    LETTER,
    MUTED,
    SMALL,
    TEXT,
    Paper,
    place,
    steps,
    write,
)
from jvmwire.report.plots.scales import days, latency_axis, no_time_labels, time_axis
from jvmwire.report.wording import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from jvmwire.report.findings.history import History
    from jvmwire.report.findings.slowness import MethodLatency

_BLUE = LAYERS[0]


def dots(methods: Sequence[MethodLatency]) -> Callable[[Paper], Figure]:
    """Draw median, p99 and longest of each method on one line of a log scale."""

    def draw(paper: Paper) -> Figure:
        pitch = 26 if paper.is_wide else 42
        head, foot = 30, 30
        height = pitch * len(methods)
        figure = paper.figure(head + height + foot)
        longest = max(len(method.label) for method in methods) * SMALL * LETTER + 14
        left = min(longest, 310) if paper.is_wide else 4
        axes = place(figure, left, head, paper.width - left - 26, height)
        low = min(method.p50 for method in methods)
        axes.set_xscale("log")
        limits = latency_axis(
            axes.xaxis, low, max(m.maximum for m in methods), most=7 if paper.is_wide else 4
        )
        axes.set_xlim(limits)
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        for index, method in enumerate(methods):
            y = index * pitch + (13 if paper.is_wide else 30)
            axes.plot([method.p50, method.maximum], [y, y], color=_BLUE, alpha=0.35, linewidth=2)
            axes.plot(method.maximum, y, "|", color=_BLUE, markersize=11, markeredgewidth=2)
            axes.plot(
                method.p99, y, "o", markersize=9, markeredgewidth=2, color=_BLUE,
                markerfacecolor="#fefefe",
            )  # fmt: skip
            axes.plot(method.p50, y, "o", color=_BLUE, markersize=9, markeredgewidth=0)
            name = paper.fit(method.label, left - 9 if paper.is_wide else paper.width)
            at = (left - 9, head + y) if paper.is_wide else (0, head + y - 17)
            write(figure, *at, name, ha="right" if paper.is_wide else "left")
        _key(figure, left if paper.is_wide else 4, ["median", "p99", "longest"])
        return figure

    return draw


def histories(methods: Sequence[History]) -> Callable[[Paper], Figure]:
    """Draw a panel a method: its median, the band up to its p99, and when it rose."""

    def draw(paper: Paper) -> Figure:
        gap, panel = 34, 104
        height = len(methods) * (gap + panel)
        figure = paper.figure(height + 46)
        left = 58
        width = paper.width - left - (64 if paper.is_wide else 12)
        first = min(method.points[0].start for method in methods)
        end = max(method.end for method in methods)
        for index, method in enumerate(methods):
            top = index * (gap + panel) + gap
            axes = place(figure, left, top, width, panel)
            _panel(axes, method, first, paper)
            time_axis(axes, first, end, ticks=7 if paper.is_wide else 4)
            if index < len(methods) - 1:
                no_time_labels(axes)
            room = width - (210 if paper.is_wide else 190)
            write(
                figure, left, top - 15, paper.fit(method.label, room, size=TEXT),
                fontsize=TEXT, fontweight="bold",
            )  # fmt: skip
            if method.rise:
                what = f"{method.rise.measure} {ratio(method.rise.ratio)} what it was"
                write(figure, left + width, top - 15, what, color=BAD, ha="right")
        write(figure, left, height + 36, days(first, end), color=MUTED)
        return figure

    return draw


def _panel(axes: Axes, method: History, first: int, paper: Paper) -> None:
    edges = [(point.start - first) / SECOND for point in method.points]
    edges.append((method.end - first) / SECOND)
    medians = [point.p50 for point in method.points]
    p99s = [point.p99 for point in method.points]
    axes.set_yscale("log")
    axes.set_ylim(latency_axis(axes.yaxis, min(medians), max(p99s), most=4))
    steps(axes, p99s, edges, baseline=medians, facecolor=_BLUE, alpha=0.22, linewidth=0)
    line = {"baseline": None, "fill": False, "edgecolor": _BLUE}
    steps(axes, p99s, edges, alpha=0.6, linewidth=1, **line)
    steps(axes, medians, edges, linewidth=2.2, **line)
    if method.rise:
        since = (method.rise.since - first) / SECOND
        axes.axvline(since, color=BAD, linewidth=1.5, dashes=(4, 3))
    if paper.is_wide:
        _name_at_end(axes, medians[-1], p99s[-1])


def _name_at_end(axes: Axes, median: float, p99: float) -> None:
    apart = _height(axes, p99) - _height(axes, median)
    push = max(0.0, (SMALL + 3 - apart) / 2)  # so that two names do not lie on each other
    for text, value, shift in (("median", median, -push), ("p99", p99, push)):
        axes.annotate(
            text, (1, value), (6, shift), xycoords=("axes fraction", "data"),
            textcoords="offset points", fontsize=SMALL, color=INK, va="center",
        )  # fmt: skip


def _height(axes: Axes, value: float) -> float:
    return float(axes.transData.transform((0, value))[1])


def _key(figure: Figure, left: float, names: Sequence[str]) -> None:
    for mark, name in zip(("●", "○", "|"), names, strict=True):
        write(figure, left, 11, mark, color=_BLUE, fontsize=TEXT + 1, fontweight="bold")
        write(figure, left + 15, 11, name, color=MUTED)
        left += 15 + len(name) * SMALL * LETTER + 18
