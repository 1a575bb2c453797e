"""Place in a directory of rotated captures: the current file, and the files that follow it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jvmwire.capture._files import list_captures, sort_key
from jvmwire.capture._fingerprint import HEAD, FirstPacketTimes

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path


class RotationCursor:
    """The current file of a directory, recognised by its first bytes and its first packet's time.

    Args:
        directory: Directory of the captures.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._times = FirstPacketTimes()
        self.path: Path | None = None
        """The current file: the last one that was begun."""
        self.head = b""
        """The first bytes of the current file."""
        self.first: int | None = None
        """The time of the first packet of the current file."""

    def begin(self, path: Path) -> None:
        """Make a file the current one.

        Args:
            path: The file.
        """
        self.path, self.first, self.head = path, self._times.get(path), b""

    def extend_head(self, at: int, chunk: bytes) -> None:
        """Note bytes of the current file, as far as they are among its first ones.

        Args:
            at: Offset of the bytes in the file.
            chunk: The bytes.
        """
        if at == len(self.head):
            self.head += chunk[: HEAD - at]

    def is_same(self) -> bool:
        """Return whether the current file still has the first bytes that were read."""
        if self.path is None:
            return False
        try:
            with self.path.open("rb", buffering=0) as file:
                return self.is_same_open(file)
        except OSError:
            return False

    def is_same_open(self, file: FileIO) -> bool:
        """Return whether an open file has the first bytes that were read.

        Args:
            file: The file.
        """
        return os.pread(file.fileno(), len(self.head), 0) == self.head

    def files_after(self, *, is_broken: bool = False) -> list[Path]:
        """Return the files that follow the current file, in order.

        Args:
            is_broken: Whether the current file is known to be another one than was read. Default:
                False.
        """
        timed = self._times.in_order(list_captures(self._directory))
        path = self.path
        begin: tuple[int, list[tuple[int, int | str]]] | None = None
        if path is not None:
            is_same = not is_broken and self.is_same()
            if self.first is None and is_same:
                self.first = self._times.get(path)
            before = [first for first, file in timed if sort_key(file) <= sort_key(path)]
            first = before[-1] if before else -1
            begin = (first if self.first is None else self.first, sort_key(path))
            timed = [(first, file) for first, file in timed if file != path or not is_same]
        keyed = sorted((first, sort_key(file), file) for first, file in timed)
        return [file for first, place, file in keyed if begin is None or (first, place) > begin]
