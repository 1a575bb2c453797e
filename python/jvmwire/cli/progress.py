"""How far long work has come, on standard error, where a person watches it."""

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
    """Open each of `files` by what this yields: what is read of them moves the bar.

    Nothing is drawn unless standard error is a terminal and the rows go elsewhere.
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
            # A file that is no regular one has no size to come closer to.
            file = path.open("rb")
            return bar.wrap_file(file, task_id=task) if path.is_file() else file

        yield opened


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show that something is under way whose end cannot be told."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(text):
            yield
    else:
        yield
