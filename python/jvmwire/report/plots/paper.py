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
from functools import cache
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
"""Axes without a frame. To change it in axes that are there takes longer than to make them."""

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

    @property
    def ticks(self) -> int:
        """How many marks at most a horizontal axis has room for."""
        return 7 if self.is_wide else 4

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
        mpl.rcParams.update(_STYLE | {"svg.hashsalt": name})
        figure = draw(paper)
        real = _stand_in(figure)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, dpi=72)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    if real:
        svg = svg.translate(real)
    svg = _NOT_DRAWN.sub("", svg)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = _OURS.sub(lambda found: _ours(found, name, used), svg)
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
"""What is said in another way than matplotlib does; texts between tags stay."""
_TOO_FINE = re.compile(r"(?<=\.\d)\d+")
"""Of tens of thousands of numbers, cut where rounding would be seen by nobody and take long."""


def _ours(found: re.Match[str], name: str, used: set[str]) -> str:
    match found.lastgroup:
        case "number":
            return f"{float(found[0]):.1f}".removesuffix(".0")
        case "path":
            return f' d="{_TOO_FINE.sub("", found["path"])}'
        case "text":
            return ">" if found["text"].isspace() else found[0]
        case "colour":
            variable = _VARIABLES.get(found["colour"])
            if variable is None:
                return found[0]
            return f"{found['property']}: var(--{variable}, {found['colour']})"
        case "id":
            return f' id="{name}-{found["id"]}"' if found["id"] in used else ""
        case "url" | "href" as what:  # as SVG inside HTML has it
            return f"{found[what]}#{name}-"
        case "size":
            return f"font-size: {found['size']}"
        case _:
            return ""


@cache
def _shapes() -> frozenset[int]:
    """Return the letters that matplotlib's own font has."""
    return frozenset(get_font(fontManager.findfont(FontProperties())).get_charmap())


def _stand_in(figure: Figure) -> dict[int, str]:
    """Put letters that matplotlib has no shape for out of its sight; return how to undo it."""
    known = _shapes()
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
