"""Figures of two widths, their colours, and how one becomes inline SVG.

A figure is drawn at 72 dpi: a point is a pixel. Text stays text, in the page's own font; colours
become CSS variables, so that the page can be dark; ids that nobody refers to are dropped, the
others carry the figure's name. The same figure gives the same bytes.
"""

from __future__ import annotations

import gc
import re
import threading
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.patches import StepPatch

from jvmwire.report.naming import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

# Okabe and Ito's colours, darkened where needed: told apart by all kinds of eyes, 3:1 on white.
INK, MUTED, RULE, PAPER = "#1b1f24", "#59636e", "#d8dee4", "#fefefe"
LAYERS = ("#0068a8", "#d98200", "#00906a", "#b65b93", "#4fa7d9", "#8a7a00")
REST = "#a3abb3"
BAD = "#c7431a"
_VARIABLES = {
    INK: "ink", MUTED: "muted", RULE: "rule", PAPER: "paper", REST: "rest", BAD: "bad",
    **{colour: f"layer-{index}" for index, colour in enumerate(LAYERS)},
}  # fmt: skip

TEXT, SMALL = 13.0, 12.0
"""Sizes of letters in pixels."""

LETTER = 0.6
"""Width of an average letter, in its size: for the room that labels need."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A width to draw for."""

    name: str
    width: int

    @property
    def is_wide(self) -> bool:
        """Whether there is room for labels beside the marks."""
        return self.width > 500

    def figure(self, height: float) -> Figure:
        """Make an empty figure of this width; `height` in pixels."""
        figure = Figure(figsize=(self.width / 72, height / 72), dpi=72, facecolor="none")
        FigureCanvasSVG(figure)
        return figure

    def fit(self, text: str, pixels: float, *, size: float = SMALL) -> str:
        """Show `text` in at most so many pixels."""
        return label(shown(text, max(8, int(pixels / (size * LETTER)))))


WIDE = Paper("wide", 760)
NARROW = Paper("narrow", 360)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture in two widths and what it shows."""

    name: str
    title: str
    wide: str
    narrow: str


def plot(name: str, title: str, draw: Callable[[Paper], Figure]) -> Plot:
    """Draw a picture once for each width."""
    drawn = []
    for paper in (WIDE, NARROW):
        drawn.append(_svg(draw, paper, f"{name}-{paper.name}", title))
        # A figure is thousands of objects that refer to each other. While they are young the
        # collector finds them by themselves; later it looks at all of the process for them.
        gc.collect(1)
    return Plot(name, title, *drawn)


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Add axes without a frame, placed in pixels from the top left."""
    whole_width, whole_height = figure.get_size_inches() * 72
    axes = figure.add_axes(
        (
            left / whole_width,
            1 - (top + height) / whole_height,
            width / whole_width,
            height / whole_height,
        ),
        facecolor="none",
    )
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=MUTED, pad=5, which="both")
    return axes


def steps(axes: Axes, heights: ArrayLike, edges: ArrayLike, **how: Any) -> None:
    """Add steps from edge to edge to axes that have their limits.

    `Axes.stairs` would look for limits in each line of the steps, which takes longer than drawing.
    """
    axes.add_artist(StepPatch(heights, edges, **how))


def write(figure: Figure, left: float, top: float, text: str, **how: Any) -> None:
    """Write a line of text, its middle `top` pixels from the top."""
    whole_width, whole_height = figure.get_size_inches() * 72
    style: dict[str, Any] = {"fontsize": SMALL, "color": INK, "va": "center"} | how
    figure.text(left / whole_width, 1 - top / whole_height, text, **style)


def label(text: str) -> str:
    """Keep matplotlib from reading mathematics into a name."""
    return text.replace("$", r"\$")


_RENDERING = threading.Lock()  # mpl.rc_context is of the process, not of the thread
_STAND_INS = range(0x2800, 0x2900)  # braille: in matplotlib's own font, in nobody's path


def _svg(draw: Callable[[Paper], Figure], paper: Paper, name: str, title: str) -> str:
    out = StringIO()
    with _RENDERING, mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's matplotlibrc says
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name, "svg.id": None})
        figure = draw(paper)
        real = _stand_in(figure)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, dpi=72)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    if real:
        svg = svg.translate(real)
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = re.sub(r"<[^>]*>", lambda tag: _tag(tag[0], name, used), svg)
    svg = re.sub(r">\s+<", "><", svg)
    width, height = (round(inches * 72) for inches in figure.get_size_inches())
    head = f'<svg class="{paper.name}" viewBox="0 0 {width} {height}" role="img"'
    return f'{head} aria-label="{_attribute(title)}">{svg[svg.index(">") + 1 :]}'.strip()


def _tag(tag: str, name: str, used: set[str]) -> str:
    tag = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", tag)
    tag = tag.replace("xlink:href", "href")  # as SVG inside HTML has it
    tag = re.sub(r'(url\(|href=")#', rf"\1#{name}-", tag)
    tag = re.sub(r"-?\d+\.\d{2,}", lambda m: f"{float(m[0]):.1f}".removesuffix(".0"), tag)
    tag = re.sub(r"font-family: [^;\"]*;?|font: ([\d.]+px)[^;\"]*", _font, tag)
    return re.sub(
        r"(fill|stroke|stop-color): (#[0-9a-f]{6})",
        lambda m: f"{m[1]}: var(--{_VARIABLES[m[2]]}, {m[2]})" if m[2] in _VARIABLES else m[0],
        tag,
    )


def _font(style: re.Match[str]) -> str:
    return f"font-size: {style[1]}" if style[1] else ""


def _stand_in(figure: Figure) -> dict[int, str]:
    """Put letters that matplotlib has no shape for out of its sight; return how to undo it."""
    known = get_font(fontManager.findfont(FontProperties())).get_charmap()
    # Names are lines of text of the figure's own: what its axes say are our numbers and words.
    lines = [text.get_text() for text in figure.texts]
    strange = sorted(
        {
            letter
            for letter in set("".join(lines))
            if letter != "\n" and (ord(letter) not in known or ord(letter) in _STAND_INS)
        }
    )[: len(_STAND_INS)]
    there = {ord(letter): chr(code) for code, letter in zip(_STAND_INS, strange, strict=False)}
    if strange:
        for text, line in zip(figure.texts, lines, strict=True):
            text.set_text(line.translate(there))
    return {ord(code): chr(letter) for letter, code in there.items()}


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
