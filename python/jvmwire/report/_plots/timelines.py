"""Plot of repeated calls: one strip per run, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.capture._aggregates import SECOND
from jvmwire.report._formatting import number, share
from jvmwire.report._labels import caller
from jvmwire.report._plots.canvas import (
    BAD,
    INK,
    LAYERS,
    LETTER,
    MUTED,
    SMALL,
    TEXT,
    Canvas,
    write,
)
from jvmwire.report._plots.panels import Panels
from jvmwire.report._plots.scales import count_scale, days

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from jvmwire.report._findings.repeated_calls import BucketSlice
    from jvmwire.report._findings.retry_storms import RepeatedRun

_LEFT, _RIGHT = 46, 14
"""Pixels to the left and right of the strips."""

MARGIN = 0.2
"""Time shown before and after the runs, relative to their duration."""

VISIBLE = 0.004
"""Minimum width of a slice, relative to the plot: two or three pixels."""


def strips(runs: Sequence[RepeatedRun]) -> Callable[[Canvas], Figure]:
    """Return a function that draws each run's calls per second, failures and retries marked."""
    starts = [run.start for run in runs if run.start is not None]
    ends = [run.end for run in runs if run.end is not None]
    begun, ended = min(starts), max(ends)
    margin = max(round((ended - begun) * MARGIN), SECOND)
    first, end = begun - margin, ended + margin

    def draw(paper: Canvas) -> Figure:
        text = _LEFT if paper.is_wide else 0
        head, strip = 72 if paper.is_wide else 92, 54
        pitch = head + strip + 24
        figure = paper.figure(pitch * len(runs) + 26)
        bottom = pitch * (len(runs) - 1) + head + strip
        panels = Panels(figure, _LEFT, paper.width - _LEFT - _RIGHT, bottom)
        for index, run in enumerate(runs):
            top = index * pitch
            _slices(panels, top + head, strip, run, first, (end - first) / SECOND * VISIBLE)
            write(figure, _LEFT, top + head - 10, "calls per second", color=MUTED)
            label = f"{caller(run.user, run.client)}: {run.label}"
            fitted = paper.fit(label, paper.width - text, size=TEXT)
            write(figure, text, top + 12, fitted, fontsize=TEXT, fontweight="bold")
            much = f"{number(run.calls)} times, {share(run.retries, run.calls)} failed or retried"
            write(figure, text, top + 31, much, color=BAD if run.is_storm else INK)
            target = "(many)" if run.scattered else run.target or ""
            if paper.is_wide:
                room = paper.width - _LEFT - _RIGHT - (len(much) * SMALL * LETTER + 24)
                at = paper.width - _RIGHT
                write(figure, at, top + 31, paper.fit(target, room), color=MUTED, ha="right")
            else:
                write(figure, 0, top + 50, paper.fit(target, paper.width), color=MUTED)
        panels.lay_out(first, end, ticks=paper.ticks)
        write(figure, _LEFT, pitch * len(runs) + 14, days(begun, ended), color=MUTED)
        return figure

    return draw


def _slices(
    panels: Panels, top: float, height: float, run: RepeatedRun, first: int, least: float
) -> None:
    """Draw the calls of each slice from the first to the last, at least `least` seconds wide.

    Slices of one second show their number of calls; longer ones show calls per second.
    """
    edges, bad, every = [0.0], [], []
    for part, (began, ended) in zip(run.slices, _extents(run.slices), strict=True):
        start = max((began - first) / SECOND, edges[-1])
        end = max((ended - first) / SECOND, start + least)
        counted = max(ended - began, SECOND)
        if start > edges[-1]:  # a pause
            edges.append(start)
            bad.append(0.0)
            every.append(0.0)
        edges.append(end)
        bad.append(part.retries / counted * SECOND)
        every.append(part.calls / counted * SECOND)
    panel = panels.add(top, height, count_scale(max(every)))
    panel.steps(bad, edges, facecolor=BAD, linewidth=0)
    panel.steps(every, edges, baseline=bad, facecolor=LAYERS[0], linewidth=0)


def _extents(slices: Sequence[BucketSlice]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each slice: at the bucket's edge if a neighbour continues there."""
    for index, part in enumerate(slices):
        start = part.start or 0
        first = start if part.first is None else part.first
        last = start if part.last is None else part.last
        if index and slices[index - 1].start == start - slices[index - 1].width:
            first = start
        if index + 1 < len(slices) and slices[index + 1].start == start + part.width:
            last = start + part.width
        yield first, last
