"""Bar plots with labels and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.report._formatting import number, share
from jvmwire.report._plots.canvas import INK, LAYERS, LETTER, REST, SMALL, Canvas, place, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from jvmwire.report._findings.charts import Bar

_NUMBERS = 126
"""Pixels reserved for the text after the longest bar."""


def bars(rows: Sequence[Bar], *, colour: str = LAYERS[0]) -> Callable[[Canvas], Figure]:
    """Return a function that draws one bar per row, with the label to its left or above it."""

    def draw(paper: Canvas) -> Figure:
        pitch = 25 if paper.is_wide else 41
        figure = paper.figure(pitch * len(rows) + 6)
        longest_label = max(len(row.label) for row in rows) * SMALL * LETTER + 14
        left = min(longest_label, 310) if paper.is_wide else 0
        width = paper.width - left - _NUMBERS
        axes = place(figure, left, 0, width, pitch * len(rows) + 6)
        axes.set_xticks([])
        axes.set_yticks([])
        longest = max(row.calls for row in rows)
        middles = [index * pitch + (13 if paper.is_wide else 30) for index in range(len(rows))]
        axes.barh(
            middles, [row.calls for row in rows], 15 if paper.is_wide else 12,
            color=[REST if row.is_rest else colour for row in rows], linewidth=0,
        )  # fmt: skip
        axes.set_xlim(0, longest)
        axes.set_ylim(pitch * len(rows) + 6, 0)
        for row, middle in zip(rows, middles, strict=True):
            long = row.calls / longest * width
            much = f"{number(row.calls)}, {share(row.calls, row.of)}"
            write(figure, left + long + 7, middle, much)
            at = (left - 9, middle) if paper.is_wide else (0, middle - 16)
            name = paper.fit(row.label, left - 9 if paper.is_wide else paper.width)
            write(figure, *at, name, ha="right" if paper.is_wide else "left", color=INK)
        return figure

    return draw
