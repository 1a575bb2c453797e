"""Axis scales with readable marks: time, logarithmic latencies, rates from 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from jvmwire.capture._aggregates import SECOND
from jvmwire.report._formatting import (
    DAY,
    HOUR,
    MINUTE,
    day,
    instant,
    latency,
    local,
    number,
    zone_name,
)
from jvmwire.report._plots.canvas import MUTED, RULE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from numpy.typing import ArrayLike, NDArray

_MILLISECOND = 1_000
_STEPS = [
    *(_MILLISECOND * n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
    *(SECOND * n for n in (1, 2, 5, 10, 15, 30)),
    *(MINUTE * n for n in (1, 2, 5, 10, 15, 30)),
    *(HOUR * n for n in (1, 2, 3, 6, 12)),
    *(DAY * n for n in (1, 2, 3, 5, 10, 14, 28, 91, 182, 364, 1820, 3640, 18200)),
]


_CLOCK_START = datetime(1970, 1, 1)  # noqa: DTZ001 - in any time zone


def time_axis(axes: Axes, first: int, end: int, *, ticks: int) -> list[float]:
    """Lay out time along x; return the positions of the marks, at most `ticks`."""
    axes.set_xlim(0, (end - first) / SECOND)
    step = next((step for step in _STEPS if (end - first) / step <= ticks), _STEPS[-1])
    marks = [((at - first) / SECOND, _moment(at, step)) for at in _moments(first, end, step)]
    mark(axes.xaxis, marks, ruled=False)
    axes.spines["bottom"].set_visible(True)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(axis="x", length=4, color=MUTED)
    return [at for at, _ in marks]


def days(first: int, end: int) -> str:
    """Return the days that the time axis covers, as text."""
    begun, ended = day(first), day(max(first, end - 1))
    zone = zone_name()
    return f"{zone}, {begun}" if begun == ended else f"{zone}, {begun} to {ended}"


@dataclass(frozen=True, slots=True)
class Scale:
    """The range of an axis, and its marks."""

    low: float
    high: float
    marks: Sequence[tuple[float, str]]
    is_log: bool = False

    def up(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the relative positions of values on the axis, from 0 to 1."""
        ends = np.array([self.low, self.high])
        given = np.asarray(values, dtype=np.float64)
        if self.is_log:
            ends, given = np.log(ends), np.log(given)
        return np.asarray((given - ends[0]) / (ends[1] - ends[0]))


def count_scale(most: float, *, whole: bool = False) -> Scale:
    """Return a scale for counts with two or three round marks."""
    most = max(most, 1e-9)
    power = 10.0 ** math.floor(math.log10(most))
    step = next(power * n for n in (0.5, 1, 2, 5) if most / (power * n) < 3)
    step = max(step, 1.0) if whole else step
    marks = [step * n for n in range(int(most / step) + 1)]
    return Scale(0, most * 1.04, [(mark, _count(mark)) for mark in marks])


def latency_scale(low: float, high: float, *, most: int) -> Scale:
    """Return a logarithmic scale for latencies with at most `most` marks."""
    low, high = max(low, 1.0) / 1.3, max(high, 1.0) * 1.3
    if high / low < 20:
        middle = math.sqrt(low * high)
        low, high = middle / 4.5, middle * 4.5
    decades = [10.0**power for power in range(-1, 16)]
    sets = [[ten * n for ten in decades for n in ns] for ns in ((1, 2, 5), (1, 3), (1,))]
    inside = [[mark for mark in marks if low <= mark <= high] for marks in sets]
    shown = next((marks for marks in inside if len(marks) <= most), inside[-1])
    shown = shown[:: -(-len(shown) // most)]
    return Scale(low, high, [(mark, latency(mark)) for mark in shown], is_log=True)


def mark(axis: Axis, marks: Sequence[tuple[float, str]], *, ruled: bool = True) -> None:
    """Set the marks of an axis, with grid lines below the plot if `ruled`."""
    axis.set_major_locator(FixedLocator([at for at, _ in marks]))
    axis.set_major_formatter(FixedFormatter([text for _, text in marks]))
    axis.set_minor_locator(NullLocator())
    if ruled:
        axis.grid(visible=True, color=RULE, linewidth=1)
        axis.axes.set_axisbelow(True)


def _moments(first: int, end: int, step: int) -> list[int]:
    """Return the multiples of `step` in the clock of the time zone, from `first` to `end`."""
    clock = local(first).replace(tzinfo=None)
    since = (clock - _CLOCK_START) // timedelta(microseconds=1)
    at = _CLOCK_START + timedelta(microseconds=-(-since // step) * step)
    moments: list[int] = []
    while (moment := instant(at)) <= end:
        # When clocks are put back or forward, two marks of the clock may be the same moment.
        if moment >= first and (not moments or moment > moments[-1]):
            moments.append(moment)
        at += timedelta(microseconds=step)
    return moments


def _moment(mark: int, step: int) -> str:
    when = local(mark)
    if step < SECOND:
        places = 1 if step >= 100 * _MILLISECOND else 3
        return f"{when:%H:%M:%S}.{when.microsecond:06}"[: len("00:00:00.") + places]
    if step < MINUTE:
        return f"{when:%H:%M:%S}"
    if step < DAY:
        return f"{when:%-d %b}" if (when.hour, when.minute) == (0, 0) else f"{when:%H:%M}"
    return f"{when:%-d %b}" if step < 91 * DAY else f"{when:%b %Y}"


def _count(value: float) -> str:
    return number(round(value)) if value >= 10 or value == int(value) else f"{value:g}"
