"""Plot of latencies over time as a heat map, with the median and the p99 as lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from jvmwire.capture._aggregates import SECOND
from jvmwire.report._findings.heat_map import BINS_A_DECADE
from jvmwire.report._formatting import number
from jvmwire.report._plots.canvas import INK, LAYERS, MUTED, Canvas, place, steps, write
from jvmwire.report._plots.scales import days, latency_scale, mark, time_axis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.figure import Figure

    from jvmwire.report._findings.heat_map import HeatMap

_SHADES = (0.14, 0.3, 0.5, 0.72, 1.0)
"""Opacities of the cells, from few calls to many, in logarithmic steps."""


def heat(cells: HeatMap) -> Callable[[Canvas], Figure]:
    """Return a function that draws a cell per time and duration, darker with more calls."""

    def draw(paper: Canvas) -> Figure:
        left, top, height = 58, 26, 190
        figure = paper.figure(top + height + 46)
        width = paper.width - left - (64 if paper.is_wide else 12)
        axes = place(figure, left, top, width, height)
        rows = len(cells.columns[0])
        low, high = (10 ** ((cells.lowest + n) / BINS_A_DECADE) for n in (0, rows))
        scale = latency_scale(low * 1.3, high / 1.3, most=5)
        end = cells.first + len(cells.columns) * cells.width
        a_column = cells.width / SECOND
        for shade, opacity in enumerate(_SHADES):
            corners = list(_corners(cells, shade, a_column))
            if not corners:
                continue
            points = np.array(corners)
            points[:, :, 1] = scale.up(points[:, :, 1])
            codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
            path = Path(points.reshape(-1, 2), codes * len(corners))
            axes.add_artist(PathPatch(path, facecolor=LAYERS[0], alpha=opacity, linewidth=0))
        edges = np.arange(len(cells.columns) + 1) * a_column
        for values, thick in ((cells.p99, 1.2), (cells.p50, 2.2)):
            known = np.array([math.nan if value is None else max(value, 1) for value in values])
            steps(axes, scale.up(known), edges, baseline=None, fill=False, edgecolor=INK,
                  linewidth=thick)  # fmt: skip
        axes.set_ylim(0, 1)
        mark(axes.yaxis, [(float(scale.up(at)), name) for at, name in scale.marks])
        time_axis(axes, cells.first, end, ticks=paper.ticks)
        most = max(max(column) for column in cells.columns)
        key = f"darkest: {number(most)} calls; lines: median and p99"
        write(figure, left, top - 12, key, color=MUTED)
        write(figure, left, top + height + 36, days(cells.first, end), color=MUTED)
        return figure

    return draw


def _corners(cells: HeatMap, shade: int, width: float) -> Iterator[list[tuple[float, float]]]:
    """Yield the corners of the cells of a shade; neighbours above each other are one."""
    most = max(max(column) for column in cells.columns)
    for index, column in enumerate(cells.columns):
        shades = [_shade(calls, most) for calls in column]
        begin = 0
        while begin < len(shades):
            stop = begin + 1
            while stop < len(shades) and shades[stop] == shades[begin]:
                stop += 1
            if shades[begin] == shade:
                x = (index * width, (index + 1) * width)
                y = [10 ** ((cells.lowest + at) / BINS_A_DECADE) for at in (begin, stop)]
                lower = [(x[0], y[0]), (x[1], y[0])]
                yield [*lower, (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
            begin = stop


def _shade(calls: int, most: int) -> int | None:
    if not calls:
        return None
    if most == 1:
        return len(_SHADES) - 1
    return min(int(math.log(calls) / math.log(most) * len(_SHADES)), len(_SHADES) - 1)
