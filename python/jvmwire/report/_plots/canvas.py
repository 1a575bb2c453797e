"""Figures of two widths, their colours, and their conversion to inline SVG.

A figure is drawn at 72 dpi, so that a point is a pixel. Text stays text, in the page's own font;
colours become CSS variables, so that the page can be dark; ids without a reference are removed, the
others are prefixed with the figure's name. The same figure gives the same bytes.
"""

from __future__ import annotations

import gc
import re
import threading
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.patches import StepPatch

from jvmwire.report._labels import sanitize_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

# Okabe and Ito's colours, darkened where needed: distinguishable with colour blindness, contrast
# 3:1 on white.
INK, MUTED, RULE, PAPER = "#1b1f24", "#59636e", "#d8dee4", "#fefefe"
LAYERS = ("#0068a8", "#d98200", "#00906a", "#b65b93", "#4fa7d9", "#8a7a00")
REST = "#a3abb3"
BAD = "#c7431a"
_VARIABLES = {
    INK: "ink", MUTED: "muted", RULE: "rule", PAPER: "paper", REST: "rest", BAD: "bad",
    **{colour: f"layer-{index}" for index, colour in enumerate(LAYERS)},
}  # fmt: skip

TEXT, SMALL = 13.0, 12.0
"""Font sizes in pixels."""

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.id": None,
    **{f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")},
    **{
        f"{axis}tick.{key}": value
        for axis in "xy"
        for key, value in {
            "major.size": 0, "minor.size": 0, "major.pad": 5, "minor.pad": 5,
            "labelsize": SMALL, "labelcolor": MUTED,
        }.items()
    },
}  # fmt: skip
"""Style of axes without a frame, set before creation: changing existing axes takes longer."""

LETTER = 0.6
"""Width of an average letter relative to its font size, for the layout of labels."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A page width to draw for."""

    name: str
    width: int

    @property
    def is_wide(self) -> bool:
        """Whether there is room for labels at the side of the marks."""
        return self.width > 500

    @property
    def ticks(self) -> int:
        """Maximum number of marks on a horizontal axis."""
        return 7 if self.is_wide else 4

    def figure(self, height: float) -> Figure:
        """Return an empty figure of this width; `height` is in pixels."""
        figure = Figure(figsize=(self.width / 72, height / 72), dpi=72, facecolor="none")
        FigureCanvasSVG(figure)
        return figure

    def fit(self, text: str, pixels: float, *, size: float = SMALL) -> str:
        """Return `text` made safe and cut to at most `pixels` of width."""
        return label(sanitize_label(text, max(8, int(pixels / (size * LETTER)))))


WIDE = Canvas("wide", 760)
NARROW = Canvas("narrow", 360)


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as SVG in two widths, with its title."""

    name: str
    title: str
    wide: str
    narrow: str


def plot(name: str, title: str, draw: Callable[[Canvas], Figure]) -> Plot:
    """Draw a plot once for each width."""
    drawn = []
    for paper in (WIDE, NARROW):
        drawn.append(_svg(draw, paper, f"{name}-{paper.name}", title))
        # A figure consists of thousands of objects with reference cycles. A collection of the young
        # generations is cheap; a later full collection would visit the whole process.
        gc.collect(1)
    return Plot(name, title, *drawn)


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Add axes without a frame, placed in pixels from the top left."""
    whole_width, whole_height = figure.get_size_inches() * 72
    return figure.add_axes(
        (
            left / whole_width,
            1 - (top + height) / whole_height,
            width / whole_width,
            height / whole_height,
        ),
        facecolor="none",
    )


def steps(axes: Axes, heights: ArrayLike, edges: ArrayLike, **how: Any) -> None:
    """Add steps from edge to edge to axes with fixed limits.

    `Axes.stairs` would update the limits for each line of the steps, which takes longer than
    drawing.
    """
    axes.add_artist(StepPatch(heights, edges, **how))


def write(figure: Figure, left: float, top: float, text: str, **how: Any) -> None:
    """Write a line of text, vertically centred `top` pixels from the top."""
    whole_width, whole_height = figure.get_size_inches() * 72
    style: dict[str, Any] = {"fontsize": SMALL, "color": INK, "va": "center"} | how
    figure.text(left / whole_width, 1 - top / whole_height, text, **style)


def label(text: str) -> str:
    """Escape `$`, so that matplotlib does not parse a name as mathematics."""
    return text.replace("$", r"\$")


_RENDERING = threading.Lock()  # mpl.rc_context is per process, not per thread
_STAND_INS = range(0x2800, 0x2900)  # braille: in matplotlib's own font, and unlikely in paths


def _svg(draw: Callable[[Canvas], Figure], paper: Canvas, name: str, title: str) -> str:
    out = StringIO()
    with _RENDERING, mpl.rc_context():
        mpl.rcdefaults()  # ignore the user's matplotlibrc
        mpl.rcParams.update(_STYLE | {"svg.hashsalt": name})
        figure = draw(paper)
        real = _placeholder(figure)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, dpi=72)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    if real:
        svg = svg.translate(real)
    svg = _NOT_DRAWN.sub("", svg)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = _OURS.sub(lambda found: _own_markup(found, name, used), svg)
    width, height = (round(inches * 72) for inches in figure.get_size_inches())
    head = f'<svg class="{paper.name}" viewBox="0 0 {width} {height}" role="img"'
    return f'{head} aria-label="{_attribute(title)}">{svg[svg.index(">") + 1 :]}'.strip()


_NOT_DRAWN = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_OURS = re.compile(
    r"""
    >(?P<text>[^<]*)
    |\ d="(?P<path>[^"]*)
    |(?P<number>-?\d+\.\d{2,})
    |(?P<property>fill|stroke|stop-color):\ (?P<colour>\#[0-9a-f]{6})
    |\ id="(?P<id>[^"]*)"
    |(?P<url>url\()\#
    |(?:xlink:)?(?P<href>href=")\#
    |font-family:\ [^;"]*;?
    |font:\ (?P<size>[\d.]+px)[^;"]*
    """,
    re.VERBOSE,
)
"""Parts of matplotlib's SVG that are rewritten; text between tags stays."""
_EXCESS_DIGITS = re.compile(r"(?<=\.\d)\d+")
"""Excess decimals of path coordinates, which are cut: rounding is slower and looks the same."""


def _own_markup(found: re.Match[str], name: str, used: set[str]) -> str:
    match found.lastgroup:
        case "number":
            return f"{float(found[0]):.1f}".removesuffix(".0")
        case "path":
            return f' d="{_EXCESS_DIGITS.sub("", found["path"])}'
        case "text":
            return ">" if found["text"].isspace() else found[0]
        case "colour":
            variable = _VARIABLES.get(found["colour"])
            if variable is None:
                return found[0]
            return f"{found['property']}: var(--{variable}, {found['colour']})"
        case "id":
            return f' id="{name}-{found["id"]}"' if found["id"] in used else ""
        case "url" | "href" as what:  # as in SVG inside of HTML
            return f"{found[what]}#{name}-"
        case "size":
            return f"font-size: {found['size']}"
        case _:
            return ""


@cache
def _shapes() -> frozenset[int]:
    """Return the code points of matplotlib's default font."""
    return frozenset(get_font(fontManager.findfont(FontProperties())).get_charmap())


def _placeholder(figure: Figure) -> dict[int, str]:
    """Replace characters that matplotlib's font lacks; return the reverse translation."""
    known = _shapes()
    # Names are texts of the figure itself; the texts of axes are numbers and words of this package.
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
