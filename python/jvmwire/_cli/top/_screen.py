"""Full-screen display of `jvmwire top`: what the keys choose, and the lines that are drawn."""

from __future__ import annotations

import curses
import locale
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmwire._cli.people_table import fit
from jvmwire._cli.top._counts import VIEWS
from jvmwire._cli.top._rows import HEADINGS, ORDERS, first_rows, format_count, format_rate
from jvmwire._escaping import escape, shorten
from jvmwire._units import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._cli.top._counts import Snapshot

VIEW_KEYS: Final = {view[0]: view for view in VIEWS}
"""The view that each key chooses."""
ORDER_HEADINGS: Final = {
    "rate": "calls/s",
    "calls": "calls",
    "failed": "failed",
    "mean": "mean",
    "max": "max",
    "bytes": "replies",
}
"""The heading of the column of each order."""
HELP: Final = "u m d j h f: view  s: sort  /: filter  space: freeze  q: quit"
MAX_FILTER: Final = 60
"""Characters of a filter (chosen by jvmwire)."""
HEAD_LINES: Final = 4
"""Lines above the rows: title, status, choice, headings."""
_ESCAPE, _ENTER, _BACKSPACE = "\x1b", ("\n", "\r"), ("\x7f", "\b")


@dataclass(slots=True)
class Choice:
    """What the user chose to see.

    Args:
        view: Name of the view.
        order: Name of the order.
        containing: Text that keys contain; empty for all.
        is_frozen: Whether the display stays as it is. Default: False.
        is_typing: Whether keys are characters of the filter. Default: False.
        is_quit: Whether the command shall end. Default: False.
    """

    view: str
    order: str
    containing: str
    is_frozen: bool = False
    is_typing: bool = False
    is_quit: bool = False

    def press(self, key: str) -> None:
        """Do what a key asks for.

        Args:
            key: The character.
        """
        if self.is_typing:
            self._type(key)
        elif key in VIEW_KEYS:
            self.view = VIEW_KEYS[key]
        elif key in {"s", "S"}:
            names = list(ORDERS)
            step = 1 if key == "s" else -1
            self.order = names[(names.index(self.order) + step) % len(names)]
        elif key == "/":
            self.is_typing, self.containing = True, ""
        elif key == _ESCAPE:
            self.containing = ""
        elif key == " ":
            self.is_frozen = not self.is_frozen
        elif key in {"q", "Q"}:
            self.is_quit = True

    def _type(self, key: str) -> None:
        if key in _ENTER:
            self.is_typing = False
        elif key == _ESCAPE:
            self.is_typing, self.containing = False, ""
        elif key in _BACKSPACE:
            self.containing = self.containing[:-1]
        elif key.isprintable() and len(self.containing) < MAX_FILTER:
            self.containing += key


def lines(
    snapshot: Snapshot, choice: Choice, *, source: str, status: str, width: int, height: int
) -> list[str]:
    """Return the lines of the screen; the fourth one has the headings.

    Args:
        snapshot: The counts.
        choice: What to show.
        source: Name of the input.
        status: What happens to the input.
        width: Columns of the terminal.
        height: Lines of the terminal.

    Returns:
        At most `height` lines of at most `width` columns, without control characters.
    """
    rate = snapshot.recent_calls / snapshot.seconds if snapshot.seconds > 0 else 0.0
    title = (
        f"{format_rate(rate)} calls/s  {format_count(snapshot.calls)} calls  "
        f"{share(snapshot.failed, snapshot.calls)} failed  {shorten(source, 40)}"
    )
    typed = "_" if choice.is_typing else ""
    filtered = f"  filter: {choice.containing}{typed}" if choice.containing or typed else ""
    frozen = "  (frozen)" if choice.is_frozen else ""
    chosen = f"{choice.view} by {ORDER_HEADINGS[choice.order]}{filtered}{frozen}"
    rows = first_rows(
        snapshot,
        choice.view,
        order=choice.order,
        containing=choice.containing,
        limit=max(0, height - HEAD_LINES - 1),
    )
    singular = "directory" if choice.view == "directories" else choice.view[:-1]
    found = [title, status, chosen, _line([*HEADINGS, singular], width)]
    at_left = choice.view == "methods"  # the method is at the end of its name
    found += [_line(row.cells(), width, cut_left=at_left) for row in rows]
    found = found[: max(0, height - 1)]
    found += [""] * (height - 1 - len(found))
    return [fit(escape(text), width).rstrip() for text in [*found, HELP]]


def _line(cells: list[str], width: int, *, cut_left: bool = False) -> str:
    numbers = zip(cells[:-1], HEADINGS.values(), strict=True)
    text = " ".join(fit(cell, most, right=True) for cell, most in numbers)
    left = max(1, width - len(text) - 2)
    key = fit(cells[-1][::-1], left)[::-1].lstrip() if cut_left else fit(cells[-1], left)
    return f"{text}  {key}"


class Screen:
    """The terminal, while curses has it."""

    def __init__(self, window: curses.window) -> None:
        self._window = window

    def draw(self, texts: list[str]) -> None:
        """Draw the lines of a screen; the headings stand out.

        Args:
            texts: The lines.
        """
        window = self._window
        window.erase()
        for place, text in enumerate(texts):
            look = curses.A_REVERSE if place == HEAD_LINES - 1 else curses.A_NORMAL
            # A locale without a character, such as C, shows a question mark.
            shown = text.encode(window.encoding, "replace").decode(window.encoding)
            try:
                window.addnstr(place, 0, shown, self.size()[0], look)
            except curses.error:  # the last column of the last line, or a smaller window
                continue
        window.refresh()

    def size(self) -> tuple[int, int]:
        """Return the columns and the lines of the terminal."""
        height, width = self._window.getmaxyx()
        return width, height

    def keys(self) -> Iterator[str]:
        """Yield the keys that were pressed, without waiting for one."""
        while True:
            try:
                key = self._window.get_wch()
            except curses.error:
                return
            if isinstance(key, str):
                yield key
            elif key == curses.KEY_BACKSPACE:
                yield _BACKSPACE[0]
            elif key == curses.KEY_ENTER:
                yield _ENTER[0]


@contextmanager
def open_screen() -> Iterator[Screen]:
    """Take the terminal, and give it back as it was.

    Raises:
        curses.error: the terminal is unknown, or cannot place its cursor.
    """
    locale.setlocale(locale.LC_CTYPE, "")
    os.environ.setdefault("ESCDELAY", "25")
    window = curses.initscr()
    try:
        curses.noecho()
        curses.cbreak()
        window.keypad(True)  # noqa: FBT003 - curses takes no keyword
        window.nodelay(True)  # noqa: FBT003
        with suppress(curses.error):  # the terminal cannot hide it
            curses.curs_set(0)
        yield Screen(window)
    finally:
        with suppress(curses.error):
            curses.curs_set(1)
        curses.nocbreak()
        window.keypad(False)  # noqa: FBT003
        curses.echo()
        curses.endwin()
