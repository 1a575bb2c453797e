"""Panels below each other with a common time axis and separate value scales.

All panels share one axes object with pixel coordinates, since matplotlib creates hundreds of
objects per axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from jvmwire.report._plots.canvas import MUTED, place, steps
from jvmwire.report._plots.scales import mark, time_axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    from jvmwire.report._plots.scales import Scale


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: its position and its scale."""

    axes: Axes
    top: float
    height: float
    scale: Scale

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower edge, in pixels from the top of the figure."""
        return self.top + self.height

    def at(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the y coordinates of values, in pixels from the top of the figure."""
        return self.bottom - self.height * self.scale.up(values)

    def steps(
        self, values: ArrayLike, edges: ArrayLike, *, baseline: ArrayLike = 0.0, **how: Any
    ) -> None:
        """Fill steps from edge to edge above `baseline`."""
        steps(self.axes, self.at(values), edges, baseline=self.at(baseline), **how)

    def line(self, values: ArrayLike, edges: ArrayLike, **how: Any) -> None:
        """Draw steps from edge to edge as a line."""
        steps(self.axes, self.at(values), edges, baseline=None, fill=False, **how)

    def moment(self, at: float, *, color: str) -> None:
        """Draw a vertical dashed line at a moment."""
        ends = [self.top, self.bottom]
        self.axes.add_artist(Line2D([at, at], ends, color=color, linewidth=1.5, dashes=(4, 3)))


class Panels:
    """All panels of a figure, from its top to `bottom`."""

    def __init__(self, figure: Figure, left: float, width: float, bottom: float) -> None:
        self.figure = figure
        self.right = left + width
        self._axes = place(figure, left, 0, width, bottom)
        self._axes.set_ylim(bottom, 0)
        self._panels: list[Panel] = []

    def add(self, top: float, height: float, scale: Scale) -> Panel:
        """Add a panel below the others; the last panel must end at `bottom`."""
        panel = Panel(self._axes, top, height, scale)
        self._panels.append(panel)
        return panel

    def lay_out(self, first: int, end: int, *, ticks: int) -> None:
        """Lay out the value axes of all panels, and the time axis below the last panel."""
        marks: list[tuple[float, str]] = []
        for panel in self._panels:
            ats, names = zip(*panel.scale.marks, strict=True)
            marks += zip(panel.at(ats).tolist(), names, strict=True)
        mark(self._axes.yaxis, marks)
        moments = time_axis(self._axes, first, end, ticks=ticks)
        begun, ended = self._axes.get_xlim()
        lines: list[Sequence[tuple[float, float]]] = []
        for panel in self._panels[:-1]:
            lines.append([(begun, panel.bottom), (ended, panel.bottom)])
            lines += ([(at, panel.bottom), (at, panel.bottom + 4)] for at in moments)
        self._axes.add_artist(LineCollection(lines, colors=MUTED, linewidths=0.8))
