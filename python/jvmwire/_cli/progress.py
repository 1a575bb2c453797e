"""Progress bars on standard error, for commands in a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


@contextmanager
def progress(files: Sequence[Path], *, shown: bool) -> Iterator[Callable[[Path], BinaryIO]]:
    """Show a progress bar of the bytes read from files.

    Nothing is drawn unless standard error is a terminal.

    Args:
        files: Files that the command will read.
        shown: Whether the rows are not written to the terminal.

    Returns:
        A context manager of a function that opens one of the files.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    drawn = shown and console.is_terminal
    with Progress(*columns, console=console, disable=not drawn, transient=True) as bar:
        total = sum(file.stat().st_size for file in files if file.is_file())
        task = bar.add_task("decoding", total=total)

        def opened(path: Path) -> BinaryIO:
            # A file that is not a regular one has no size to measure progress by.
            file = path.open("rb")
            return bar.wrap_file(file, task_id=task) if path.is_file() else file

        yield opened


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show that work of unknown length is in progress.

    Args:
        text: Description of the work.

    Returns:
        A context manager of the work.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(text):
            yield
    else:
        yield
