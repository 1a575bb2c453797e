"""Progress bars on standard error, for commands in a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rich.progress import Progress, TaskID

_STEPS = 500
"""Parts of all bytes after which a bar is redrawn, since a lock is taken for it."""


@dataclass(frozen=True)
class InputProgress:
    """A progress bar of the bytes read from files, by one thread or by several."""

    open: Callable[[Path], BinaryIO]
    """Function that opens one of the files, to be read by one thread."""
    on_read: Callable[[int], None] | None
    """Function that threads call with a number of bytes read; None if nothing is drawn."""


@contextmanager
def progress(files: Sequence[Path], *, shown: bool) -> Iterator[InputProgress]:
    """Show a progress bar of the bytes read from files.

    Nothing is drawn unless standard error is a terminal.

    Args:
        files: Files that the command will read.
        shown: Whether the rows are not written to the terminal.

    Returns:
        A context manager of the progress, to which each file is read in one of its two ways.
    """
    if not (shown and sys.stderr.isatty()):
        yield InputProgress(lambda path: path.open("rb"), None)
        return
    with _bar() as bar:
        total = _size(files)
        task = bar.add_task("decoding", total=total)

        def opened(path: Path) -> BinaryIO:
            # A file that is not a regular one has no size to measure progress by.
            file = path.open("rb")
            return bar.wrap_file(file, task_id=task) if path.is_file() else file

        yield InputProgress(opened, _counting(bar, task, total))


@contextmanager
def read_progress(files: Sequence[Path]) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar of the bytes that several threads read from files.

    Args:
        files: Files that the command will read.

    Returns:
        A context manager of a function that any thread calls with a number of bytes; None if
        standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with _bar() as bar:
        total = _size(files)
        task = bar.add_task("decoding", total=total)
        yield _counting(bar, task, total)


def _counting(bar: Progress, task: TaskID, total: int) -> Callable[[int], None]:
    """Return a function that any thread calls with a number of bytes read."""
    lock = Lock()
    read = drawn = 0

    def on_read(size: int) -> None:
        nonlocal read, drawn
        with lock:
            read += size
            if (read - drawn) * _STEPS < total and read < total:
                return
            advance, drawn = read - drawn, read
        bar.update(task, advance=advance)

    return on_read


def _bar() -> Progress:
    # Without a terminal nothing is drawn, and rich takes a tenth of a second to load.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _size(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show that work of unknown length is in progress.

    Args:
        text: Description of the work.

    Returns:
        A context manager of the work.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
