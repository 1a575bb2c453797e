"""Paths of a command: patterns, and errors about single paths."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from jvmwire._cli.tabular import warn
from jvmwire.hadoop import HadoopError
from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.namenode._glob import WILD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.hadoop import FileStatus, NameNode

NOT_THERE = "no such file or directory"
"""The text of the error about a path that does not exist."""


class Missed:
    """Handler of errors about paths: prints them, so that a command continues and exits with 1."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.paths)

    def __call__(self, path: str, error: HadoopError) -> None:
        if error.fatal or error.retryable:
            raise error  # the error concerns the server, not the path
        self.paths.append(path)
        sentence = str(error)
        warn(sentence if sentence.startswith(f"{path}: ") else f"{path}: {sentence}")

    @contextmanager
    def about(self, path: str) -> Iterator[None]:
        """Handle an error of the server about a path, which ends the block.

        Args:
            path: The path.

        Returns:
            A context manager of the block.
        """
        try:
            yield
        except HadoopError as error:
            self(path, error)


def matching(namenode: NameNode, pattern: str, miss: Missed) -> list[FileStatus]:
    """Return the files that match a path or pattern.

    Args:
        namenode: Client of the file system.
        pattern: The path or pattern.
        miss: Handler of errors about directories that cannot be searched.

    Returns:
        The files; none only if `miss` has handled an error.

    Raises:
        FileNotFound: nothing matches.
    """
    before = len(miss.paths)
    found = namenode.glob(pattern, on_error=miss)
    if found or len(miss.paths) > before:
        return found
    status = None if any(letter in WILD for letter in pattern) else namenode.get_file_info(pattern)
    if status is None:
        raise FileNotFound(NOT_THERE)
    return [status]
