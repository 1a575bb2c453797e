"""Plot of calls over time, stacked by caller or by error."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from jvmwire.capture._aggregates import SECOND
from jvmwire.report._formatting import duration
from jvmwire.report._plots.canvas import (
    INK,
    LAYERS,
    MUTED,
    PAPER,
    REST,
    SMALL,
    Canvas,
    place,
    steps,
    write,
)
from jvmwire.report._plots.scales import count_scale, days, mark, time_axis

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from jvmwire.report._findings.charts import Timeline

_LINE = 19
"""Pixels from one line of the key to the next."""


def areas(
    line: Timeline, *, colours: Sequence[str] = LAYERS, unit: str | None = None
) -> Callable[[Canvas], Figure]:
    """Return a function that draws stacked layers, the first at the bottom, with a key.

    They are calls, drawn as a rate if there are many, or else a `unit` that is no rate.

    The key is at the right of a wide page and above the plot of a narrow page.
    """

    def draw(paper: Canvas) -> Figure:
        names = len(line.layers)
        left, key = 46, 190 if paper.is_wide else 0
        top = 26 if paper.is_wide else 26 + names * _LINE
        height = max(150, names * _LINE) if paper.is_wide else 130
        figure = paper.figure(top + height + 46)
        axes = place(figure, left, top, paper.width - left - key - 14, height)
        grid = np.array([layer.calls for layer in line.layers], dtype=np.float64)
        a_second = line.width / SECOND
        per_second = unit is None and bool(grid.sum(axis=0).max() / a_second >= 2)
        if per_second:
            grid /= a_second
        edges = np.arange(grid.shape[1] + 1) * a_second
        tops = np.cumsum(grid, axis=0)
        palette = [
            REST if layer.is_rest else colours[index % len(colours)]
            for index, layer in enumerate(line.layers)
        ]
        for layer, upper in reversed(list(enumerate(tops))):
            steps(axes, upper, edges, facecolor=palette[layer], linewidth=0)
            if grid.shape[1] < 100 and layer < names - 1:
                steps(axes, upper, edges, baseline=None, fill=False, edgecolor=PAPER, linewidth=1)
        end = line.first + grid.shape[1] * line.width
        scale = count_scale(float(tops[-1].max()), whole=not per_second)
        axes.set_ylim(scale.low, scale.high)
        mark(axes.yaxis, scale.marks)
        time_axis(axes, line.first, end, ticks=paper.ticks)
        counted = "calls per second" if per_second else f"calls in {duration(line.width)}"
        write(figure, left, top - 10, unit or counted, color=MUTED)
        write(figure, left, top + height + 36, days(line.first, end), color=MUTED)
        _key(figure, paper, line, palette, top if paper.is_wide else 10, height)
        return figure

    return draw


def _key(
    figure: Figure, paper: Canvas, line: Timeline, palette: Sequence[str], top: float, height: float
) -> None:
    """Write the key in the order of the layers, near the height of their ends if possible."""
    left = paper.width - 190 if paper.is_wide else 0
    lines = [top + height - (n + 0.5) * _LINE for n in range(len(line.layers))]
    if not paper.is_wide:
        lines = [top + (len(line.layers) - 1 - n) * _LINE for n in range(len(line.layers))]
    else:
        # Level with the middle of each layer at its end, as far as the lines above allow.
        recent = [sum(layer.calls[-max(1, len(layer.calls) // 10) :]) for layer in line.layers]
        peak = max(map(sum, zip(*(layer.calls for layer in line.layers), strict=True)))
        spread = max(1, len(line.layers[0].calls) // 10) * peak * 1.04
        middles = [
            (upper - part / 2) / spread * height
            for upper, part in zip(accumulate(recent), recent, strict=True)
        ]
        floor = 0.0
        for n, middle in enumerate(middles):
            floor = max(floor + (_LINE if n else _LINE / 2), middle)
            lines[n] = top + height - floor
        over = top + _LINE / 2 - min(lines)
        if over > 0:
            for n in reversed(range(len(lines))):
                ceiling = lines[n + 1] + _LINE if n + 1 < len(lines) else top + _LINE / 2
                lines[n] = max(lines[n], ceiling)
    for layer, colour, at in zip(line.layers, palette, lines, strict=True):
        write(figure, left, at, "■", color=colour, fontsize=SMALL + 2)
        write(
            figure, left + 17, at, paper.fit(layer.label, 172 if paper.is_wide else 330), color=INK
        )
