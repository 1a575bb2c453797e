"""Output of commands: a file that appears when it is complete, or standard output."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import click

from jvmwire._files import STDOUT, open_growing, open_output, refuse_inputs, refuse_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def refuse_empty(names: Sequence[str]) -> None:
    """Raise `click.UsageError` if a file name is empty, which would stand for the current folder.

    An unset variable of a shell expands to such a name.

    Args:
        names: File names of the command line.
    """
    if "" in names:
        raise click.UsageError("a file name is empty; the current folder is named .")


@contextmanager
def open_result(
    path: Path | None,
    *,
    inputs: Sequence[Path | int] = (),
    is_binary: bool = False,
    grows: bool = False,
) -> Iterator[BinaryIO]:
    """Open the output of a command: a file, or standard output.

    Args:
        path: File, which appears if the block ends without an error; None for standard output.
        inputs: Files that the command reads, by path or descriptor. Default: none.
        is_binary: Whether the content must not be written to a terminal. Default: False.
        grows: Whether the file appears at the start, and must be new or empty. Default: False.

    Returns:
        A context manager of the binary file.

    Raises:
        ConfigError: the output is one of the inputs, or a terminal for binary content.
    """
    if path is None:
        stdout = sys.stdout.buffer
        refuse_inputs(STDOUT, inputs)
        if is_binary:
            refuse_terminal(stdout, "standard output")
        yield stdout
        stdout.flush()
        return
    refuse_inputs(path, inputs)
    opened = open_growing if grows else open_output
    with opened(path, is_binary=is_binary) as file:
        yield file
        file.flush()
