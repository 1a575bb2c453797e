"""Options and loop of `jvmwire top`."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from jvmwire._cli.engines import without_pandas
from jvmwire._cli.inputs import STANDARD_INPUT
from jvmwire._cli.server_options import json_option
from jvmwire._cli.tabular import echo_safe, warn, write_json, write_table
from jvmwire._core import PROTOCOLS, View
from jvmwire._escaping import path_text, quote
from jvmwire._extras import import_extra
from jvmwire._units import plural, share, size
from jvmwire.capture._growing import GrowingCapture
from jvmwire.capture._urls import hide_secrets, is_url
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire._cli.top._counts import LiveCounts, Snapshot
    from jvmwire._cli.top._metrics import CallMetrics
    from jvmwire._cli.top._screen import Choice, Screen

VIEWS: Final = ("users", "methods", "directories", "jobs", "hosts", "failures")
ORDERS: Final = ("rate", "calls", "failed", "mean", "max", "bytes")
POLL: Final = 0.2
"""Seconds between two looks at a file and at the keyboard (chosen by jvmwire)."""
SLICE: Final = 1 << 20
"""Bytes that are decoded before the keyboard is looked at (chosen by jvmwire)."""
FIRST_TABLE: Final = 0.5
"""Seconds after which a screen shows what was read so far (chosen by jvmwire)."""
ANY_HOST: Final = "0.0.0.0"  # noqa: S104 - what `:PORT` means to Prometheus's exporters


def _address(_context: object, _param: object, text: str | None) -> tuple[str, int] | None:
    """Return host and port of `[HOST]:PORT`."""
    if text is None:
        return None
    from jvmwire.transports import Tcp  # the help needs none
    from jvmwire.transports._addresses import AddressFormat

    form = AddressFormat(server="exporter of metrics")
    try:
        found = form.parse(f"{ANY_HOST}{text}" if text.startswith(":") else text).endpoints
    except ConfigError as error:
        raise click.BadParameter(str(error)) from error
    if len(found) != 1 or not isinstance(found[0], Tcp) or found[0].tls is not None:
        raise click.BadParameter(f"one address [HOST]:PORT was expected, got {quote(text)}")
    return found[0].host, found[0].port


@click.command()
@click.argument("source", metavar="CAPTURE-DIR|FILE|-")
@click.option(
    "--view",
    type=click.Choice(VIEWS),
    default="users",
    show_default=True,
    help="The property by which calls are counted.",
)
@click.option(
    "--sort",
    "order",
    type=click.Choice(ORDERS),
    default="rate",
    show_default=True,
    help="What the first row has most of; bytes are those of replies.",
)
@click.option(
    "--filter",
    "containing",
    metavar="TEXT",
    default="",
    help="Only what contains this text, in any case.",
)
@click.option(
    "-i",
    "--interval",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Time between two tables.",
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, 2000),
    default=20,
    show_default=True,
    help="Rows of a table; a screen shows as many as fit.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 16),
    default=2,
    show_default=True,
    help="Components of a path that make its directory.",
)
@click.option("--once", is_flag=True, help="Print one table of all that is there, and end.")
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    help="Take this protocol for granted instead of telling it by content.",
)
@click.option(
    "--metrics",
    metavar="[HOST]:PORT",
    callback=_address,
    help="Serve metrics for Prometheus at this address; :PORT is every address of the "
    "machine. Needs the extra 'prometheus'.",
)
@click.option("--no-display", is_flag=True, help="Print nothing: for --metrics as a service.")
@json_option
@click.pass_context
def top(
    ctx: click.Context,
    *,
    source: str,
    view: str,
    order: str,
    containing: str,
    interval: float,
    limit: int,
    depth: int,
    once: bool,
    protocol: str | None,
    metrics: tuple[str, int] | None,
    no_display: bool,
    as_json: bool,
) -> None:
    """Show the calls of a growing capture live, by user, method, directory or job.

    A directory is read as tcpdump -C, -G and -W write it, from its first packet on; '-' is a pipe,
    as in: tcpdump -i eth0 -U -w - port 8020 | jvmwire top -

    On a terminal, keys choose what is shown; elsewhere one table is printed per interval. Rates
    are those of the last interval, everything else is since the beginning.

    Exit status: 0; with --once, 1 if something could not be read.
    """
    if no_display and metrics is None:
        raise click.UsageError("--no-display is for --metrics")
    if no_display and (once or as_json):
        raise click.UsageError("--no-display prints nothing: not with --once or --json")
    with ExitStack() as stack:
        stack.enter_context(without_pandas())
        import_extra("pyarrow", "top needs", '"jvmwire[arrow]"')
        from jvmwire._cli.top._counts import COLUMNS, LiveCounts
        from jvmwire._cli.top._screen import Choice

        exporter: CallMetrics | None = None
        if metrics is not None:
            from jvmwire._cli.top._metrics import CallMetrics, serve_metrics

            exporter = CallMetrics()
            port = stack.enter_context(serve_metrics(exporter, *metrics))
            warn(f"serving metrics at {metrics[0]}:{port}")
        counts = LiveCounts(
            depth=depth,
            observe=None if exporter is None else exporter.observe,
            has_views=not no_display,
        )
        screen = None
        is_shown = not (once or as_json or no_display) and sys.stdout.isatty()
        # Before standard input becomes the keyboard.
        opened = stack.enter_context(_opened(source))
        if is_shown:
            screen = stack.enter_context(_screen(has_pipe=source == STANDARD_INPUT))
        views = [View("calls", columns=list(COLUMNS))]
        capture = GrowingCapture(opened, views, counts.add, protocol=protocol)
        stack.callback(capture.close)
        if exporter is not None:
            exporter.capture = capture
        live = _Live(
            name="standard input" if source == STANDARD_INPUT else path_text(source),
            capture=capture,
            counts=counts,
            exporter=exporter,
            choice=Choice(view, order, containing),
            interval=interval,
            limit=limit,
            as_json=as_json,
            is_silent=no_display,
        )
        if once:
            live.read_all()
            if capture.damages:
                warn(capture.note)
                ctx.exit(1)
        else:
            live.run(screen, opened if isinstance(opened, int) else None)


@contextmanager
def _opened(source: str) -> Iterator[Path | int]:
    """Return the path of a file or directory, or the number of an open pipe."""
    if source == STANDARD_INPUT:
        try:
            pipe = os.dup(sys.stdin.fileno())
        except (AttributeError, OSError) as error:  # it is closed, or replaced by an object
            raise ConfigError("standard input is closed") from error
    elif is_url(source):
        raise click.UsageError(f"{hide_secrets(source)} is a URL: top follows local captures")
    else:
        path = Path(source)
        if not path.exists():
            raise ConfigError(f"{path_text(path)} does not exist")
        if not stat.S_ISFIFO(path.stat().st_mode):
            yield path
            return
        pipe = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield pipe
    finally:
        os.close(pipe)


@contextmanager
def _screen(*, has_pipe: bool) -> Iterator[Screen | None]:
    """Take the terminal; return None if it cannot place its cursor, or has no keyboard."""
    try:
        import curses
    except ImportError:  # an interpreter without it
        yield None
        return
    from jvmwire._cli.top._screen import open_screen

    with ExitStack() as stack:
        screen = None
        with suppress(curses.error, OSError):
            curses.setupterm()
            if curses.tigetstr("cup"):
                if has_pipe:
                    stack.enter_context(_keyboard_as_input())
                screen = stack.enter_context(open_screen())
        yield screen


@contextmanager
def _keyboard_as_input() -> Iterator[None]:
    """Make the terminal standard input, where curses reads keys."""
    before = os.dup(0)
    try:
        keyboard = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
        os.dup2(keyboard, 0)
        os.close(keyboard)
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


@dataclass(kw_only=True)
class _Live:
    """The loop that reads a capture and shows its counts.

    Args:
        name: Name of the input.
        capture: The input.
        counts: Its counts.
        exporter: Metrics for Prometheus; None for none.
        choice: What is shown.
        interval: Seconds between two tables.
        limit: Rows of a table.
        as_json: Whether tables are JSON lines.
        is_silent: Whether nothing is shown.
    """

    name: str
    capture: GrowingCapture
    counts: LiveCounts
    exporter: CallMetrics | None
    choice: Choice
    interval: float
    limit: int
    as_json: bool
    is_silent: bool

    def read_all(self) -> None:
        """Read to the end of what is there, and print one table."""
        pipe = self.capture.pipe
        while not self.capture.is_over:
            if not self.capture.advance(SLICE):
                if pipe is None:
                    break
                _wait([pipe], None)
        self.capture.end()
        self._print(self.counts.take(None))

    def run(self, screen: Screen | None, pipe: int | None) -> None:
        """Read and show until the user quits, or a pipe ends that has no screen.

        Args:
            screen: The terminal; None prints tables.
            pipe: Number of the pipe; None for files.
        """
        begun = time.monotonic()
        was_behind = True
        snapshot = self.counts.take(0.0)
        due = begun + min(self.interval, FIRST_TABLE if screen is not None else self.interval)
        if screen is not None:
            self._draw(screen, snapshot, is_behind=True)
        while not self.choice.is_quit:
            is_behind = self.capture.advance(SLICE)
            was_behind |= is_behind
            if self.exporter is not None:
                self.exporter.is_behind = is_behind
            is_changed = False
            for key in screen.keys() if screen is not None else ():
                self.choice.press(key)
                is_changed = True
            now = time.monotonic()
            is_last = self.capture.is_over and screen is None
            if now >= due or is_last:
                found = self.counts.take(None if was_behind else now - begun)
                begun, due, was_behind = now, now + self.interval, is_behind
                if self.exporter is not None:
                    self.exporter.undecoded_bytes = self.capture.undecoded_bytes
                if screen is None and not self.is_silent:
                    self._print(found)
                if not self.choice.is_frozen:
                    snapshot, is_changed = found, True
            if is_last:
                return
            if screen is not None and is_changed:
                self._draw(screen, snapshot, is_behind=is_behind)
            if not is_behind:
                files = [0] if screen is not None else []
                if pipe is not None and not self.capture.is_over:
                    files.append(pipe)
                _wait(files, max(0.0, min(POLL, due - now)))

    def _status(self, *, is_behind: bool) -> str:
        capture = self.capture
        state = "ended" if capture.is_over else "catching up" if is_behind else "up to date"
        note = f"  {capture.note}" if capture.note else ""
        return f"{state}, {size(capture.read_bytes)} read{note}"

    def _draw(self, screen: Screen, snapshot: Snapshot, *, is_behind: bool) -> None:
        from jvmwire._cli.top._screen import lines

        width, height = screen.size()
        screen.draw(
            lines(
                snapshot,
                self.choice,
                source=self.name,
                status=self._status(is_behind=is_behind),
                width=width,
                height=height,
            )
        )

    def _print(self, snapshot: Snapshot) -> None:
        from jvmwire._cli.top._rows import HEADINGS, first_rows, format_rate

        choice = self.choice
        rows = first_rows(
            snapshot,
            choice.view,
            order=choice.order,
            containing=choice.containing,
            limit=self.limit,
        )
        if self.as_json:
            write_json({"view": choice.view, **row.to_dict()} for row in rows)
            return
        rate = snapshot.recent_calls / snapshot.seconds if snapshot.seconds > 0 else 0.0
        note = f"; {self.capture.note}" if self.capture.note else ""
        failed = share(snapshot.failed, snapshot.calls)
        echo_safe(
            f"{time.strftime('%H:%M:%S')}  {format_rate(rate)} calls/s, "
            f"{plural(snapshot.calls, 'call')}, {failed} failed{note}"
        )
        headings = dict.fromkeys(HEADINGS, "right") | {choice.view: "left"}
        write_table(headings, [row.cells() for row in rows])
        echo_safe("")
        sys.stdout.flush()


def _wait(files: list[int], seconds: float | None) -> None:
    """Wait until one of the files can be read, or for some seconds."""
    select.select(files, [], [], seconds)
