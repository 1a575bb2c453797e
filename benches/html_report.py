"""Page of plots of the measurements: one file, without scripts or network."""

from __future__ import annotations

from importlib.resources import files
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
from markupsafe import Markup
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from benches.statistics import Match, Spread, bound, figure
from jvmwire.report._plots.canvas import (
    BAD,
    INK,
    LAYERS,
    LETTER,
    MUTED,
    PAPER,
    RULE,
    SMALL,
    Canvas,
    label,
    place,
    plot,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PAGE = jinja2.Environment(autoescape=True, trim_blocks=True).from_string("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>jvmwire measured</title>
<style>
{{ style }}
</style>
</head>
<body>
<header>
<p class="eyebrow">jvmwire measured</p>
<h1>How many times as fast as others, by CPU time unless it says wall</h1>
<p>{{ guards }}</p>
<ul>
{% for condition in conditions %}
<li>{{ condition }}</li>
{% endfor %}
</ul>
<p>Each row is a baseline. The dot is the median of the speed of jvmwire relative to it, and the
line through the dot is the range of the quartiles; left of 1x the baseline is faster. The mark |
is the target. The figures are the ratio, the cost of jvmwire and the cost of the baseline. In a
row "at most" the baseline is a limit for jvmwire itself.</p>
</header>
<main>
{% for drawn in plots %}
<section>
<div class="answer"><h2>{{ drawn.title }}</h2></div>
<div class="evidence"><figure>
{{ drawn.wide | safe }}
{{ drawn.narrow | safe }}
</figure></div>
</section>
{% endfor %}
</main>
</body>
</html>
""")

_FIGURE = 0.54
"""Maximum average width of a character of the figures, relative to its size: most are digits."""
_NAMES = 236
"""Width of the names next to the marks, in pixels."""
_LEADING = 15
"""Distance between the lines of a name, in pixels."""
_WHOLE: dict[str, Any] = {"clip_on": False}
"""Everything is drawn within the axes; clipping each line would take a fifth of the page."""
_MARKS = (0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000)


class _Line(NamedTuple):
    """The ratio of jvmwire to a rival, or to its own limit."""

    name: str
    ratio: Spread
    aim: float | None
    figures: str


def written(matches: Sequence[Match], conditions: Sequence[str], guards: str) -> str:
    """Write the page."""
    drawn = []
    sections = groupby(matches, key=lambda match: match.section)
    for number, (section, held) in enumerate(sections):
        # All ids in a plot are prefixed with its name.
        drawn.append(plot(f"p{number}", _plain(section), _ratios(list(held))))
    return _PAGE.render(
        style=Markup((files("jvmwire.report") / "page.css").read_text()),  # noqa: S704 - ours
        plots=drawn,
        conditions=[condition.removeprefix("- ") for condition in conditions if condition],
        guards=_plain(guards),
    )


def _ratios(matches: Sequence[Match]) -> Callable[[Canvas], Figure]:
    """Draw a line for each duel, and below it one for each rival and each own limit of jvmwire."""

    def draw(paper: Canvas) -> Figure:
        pitch = 21
        room = _NAMES if paper.is_wide else paper.width - 12
        drawn = [
            (match, [(line, _in_lines(line.name, room)) for line in _lines(match)])
            for match in matches
        ]
        # Where there is no room next to the name, the figures and the mark have their own lines.
        under = 0 if paper.is_wide else 2 * _LEADING
        head, height = 26, len(matches) * (pitch + 8)
        for _, lines in drawn:
            height += sum(pitch + _LEADING * (len(name) - 1) + under for _, name in lines)
        paper_height = head + height + 8
        figure_ = paper.figure(paper_height)
        shown = [line for _, lines in drawn for line, _ in lines]
        longest = max(
            (len(part) for _, lines in drawn for _, name in lines for part in name), default=0
        )
        widest = max((len(line.figures) for line in shown), default=0)
        left = min(longest * SMALL * LETTER + 24, _NAMES + 14) if paper.is_wide else 4
        right = widest * SMALL * _FIGURE + 10 if paper.is_wide else 12
        axes = place(figure_, left, head, paper.width - left - right, height)
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        _scale(axes, shown, most=9 if paper.is_wide else 5)
        behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 2}
        y = 0.0
        for match, lines in drawn:
            y += 8
            write(
                figure_, 0, head + y + pitch / 2, _plain(match.work), fontweight="bold",
                bbox=behind,
            )  # fmt: skip
            y += pitch
            for line, name in lines:
                middle = y + pitch / 2
                for part in name:
                    write(
                        figure_, left - 12 if paper.is_wide else 12, head + y + pitch / 2,
                        label(part), color=MUTED, ha="right" if paper.is_wide else "left",
                        bbox=behind,
                    )  # fmt: skip
                    y += _LEADING
                y += pitch - _LEADING + under
                last = y - pitch / 2
                middle = (middle + last) / 2 if paper.is_wide else last
                _mark(axes, line, middle)
                if paper.is_wide:
                    write(figure_, paper.width - right + 10, head + middle, line.figures)
                else:
                    write(figure_, 12, head + last - _LEADING, line.figures, bbox=behind)
        return figure_

    return draw


def _in_lines(name: str, pixels: float) -> list[str]:
    return wrap(name, int(pixels / (SMALL * LETTER)))


def _scale(axes: Axes, lines: Sequence[_Line], *, most: int) -> None:
    aims = [line.aim for line in lines if line.aim is not None]
    low = min([0.8, *(line.ratio.low for line in lines), *aims]) / 1.15
    high = max([1.25, *(line.ratio.high for line in lines), *aims]) * 1.15
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    marks = [mark for mark in _MARKS if low <= mark <= high]
    step = -(-len(marks) // most)
    marks = [mark for index, mark in enumerate(marks) if mark == 1 or index % step == 0]
    axes.xaxis.set_major_locator(FixedLocator(marks))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{mark:g}x" for mark in marks]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.tick_top()
    axes.grid(axis="x", color=RULE, linewidth=1, **_WHOLE)
    axes.axvline(1, color=MUTED, linewidth=1, **_WHOLE)
    axes.set_axisbelow(True)


def _mark(axes: Axes, line: _Line, y: float) -> None:
    ratio = line.ratio
    colour = LAYERS[0] if ratio.median >= 1 else BAD
    axes.plot([ratio.low, ratio.high], [y, y], color=colour, alpha=0.45, linewidth=3, **_WHOLE)
    axes.plot(ratio.median, y, "o", color=colour, markersize=7, markeredgewidth=0, **_WHOLE)
    if line.aim is not None:
        axes.plot(line.aim, y, "|", color=INK, markersize=12, markeredgewidth=2, **_WHOLE)


def _lines(match: Match) -> Iterator[_Line]:
    for name in list(match.rivals)[1:]:
        how = match.judged_by(name)
        yield _Line(name, match.ratio(name, how), _times(match, name), _figures(match, name))
    for target in match.targets:
        if aimed := bound(target):
            limit = f"{aimed} {match.measure}"
            room = match.room(target)
            taken = match.shown(target.rival, target.by).median
            yield _Line(limit, room, 1, f"{figure(room.median)}x: {figure(taken)} {match.measure}")


def _times(match: Match, name: str) -> float | None:
    """Return the target relative to a contender as a ratio."""
    target = match.target(name)
    if target is None:
        return None
    if target.within_ns is None:
        return target.times or 1
    theirs = match.shown(target.rival, target.by).median
    return theirs / (theirs + target.within_ns)


def _plain(text: str) -> str:
    """Remove the marks of Markdown."""
    return text.replace("`", "")


def _figures(match: Match, name: str) -> str:
    how = match.judged_by(name)
    ours, theirs = (figure(match.shown(one, how).median) for one in (match.ours, name))
    by = " by wall" if how == "wall" else ""
    return f"{figure(match.ratio(name, how).median)}x: {ours} vs {theirs} {match.measure}{by}"
