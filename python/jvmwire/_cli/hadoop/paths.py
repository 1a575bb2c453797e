"""Paths of a command, which may be patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.namenode._glob import WILD

if TYPE_CHECKING:
    from jvmwire._cli.missed import Missed
    from jvmwire.hadoop import FileStatus, NameNode

NOT_THERE = "no such file or directory"
"""The text of the error about a path that does not exist."""


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
    before = len(miss.items)
    found = namenode.glob(pattern, on_error=miss)
    if found or len(miss.items) > before:
        return found
    status = None if any(letter in WILD for letter in pattern) else namenode.get_file_info(pattern)
    if status is None:
        raise FileNotFound(NOT_THERE)
    return [status]
