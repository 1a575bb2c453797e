"""Captures that grow while they are read: a file, a directory of rotated files, or a pipe."""

from __future__ import annotations

import os
import select
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire._escaping import escape, path_text
from jvmwire.capture._cursor import RotationCursor
from jvmwire.capture._fingerprint import HEAD
from jvmwire.capture._reading import CHUNK, read_error_message
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from io import FileIO
    from pathlib import Path

    from jvmwire._core import RecordBatch, View

LISTING_INTERVAL = 1.0
"""Seconds between two listings of a directory (chosen by jvmwire)."""


class GrowingCapture:
    """One capture whose bytes are decoded as they are written; it ends only if it is a pipe.

    Files that vanish, are truncated, replaced or damaged do not end it: `note` says what happened,
    and decoding goes on with the next bytes that can be read.

    Args:
        source: A capture or a directory of captures, by its path; or the number of an open file
            that is a pipe.
        views: The tables to decode.
        take: Called with each batch of rows, as soon as they are decoded.
        protocol: The protocol of all connections; None (the default) detects it.
    """

    def __init__(
        self,
        source: Path | int,
        views: Sequence[View],
        take: Callable[[RecordBatch], None],
        *,
        protocol: str | None = None,
    ) -> None:
        self._take = take
        self._decoder = CaptureDecoder(views, protocol=protocol)
        self.pipe = source if isinstance(source, int) else None
        """The number of the pipe; None for files."""
        self._path = None if isinstance(source, int) else source
        self._cursor: RotationCursor | None = None
        if self._path is not None and self._path.is_dir():
            self._cursor = RotationCursor(self._path)
        self._file: FileIO | None = None
        self._position = 0
        self._head = b""
        self._is_broken = False
        self._listed = float("-inf")
        self._event = ""
        """What happened to the input last."""
        self._waits = ""
        """What is waited for, while it is."""
        self.is_over = False
        """Whether no more bytes can come: a pipe has ended."""
        self.read_bytes = 0
        """Number of bytes read."""
        self.damages = 0
        """Number of times that a file was damaged, or could not be read."""

    @property
    def note(self) -> str:
        """What is waited for, or what happened last, as one line; empty if all is well."""
        return self._waits or self._event

    @property
    def undecoded_bytes(self) -> int:
        """Number of bytes that were not decoded."""
        return sum(size for _, _, size in self._decoder.undecoded())

    def advance(self, limit: int) -> bool:
        """Decode what has been written since.

        Args:
            limit: Number of bytes to read at most, in whole chunks.

        Returns:
            Whether there is more to read at once.
        """
        begun = self.read_bytes
        is_more = True
        while is_more and self.read_bytes - begun < limit:
            if chunk := self._read():
                self.read_bytes += len(chunk)
                with _Noting(self):
                    self._decoder.feed(chunk)
                self._drain()
            else:
                is_more = self._begin_next()
        if self.read_bytes > begun:
            self._decoder.flush()
            self._drain()
        return is_more

    def end(self) -> None:
        """Note whether the current file ends inside a record."""
        if not self.is_over:
            self.is_over = True
            self._end_file()

    def close(self) -> None:
        """Close the current file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _drain(self) -> None:
        with _Noting(self):
            while (found := self._decoder.next_batch()) is not None:
                self._take(found[1])

    def break_off(self, reason: str) -> None:
        """Read no further in the current file.

        Args:
            reason: What is wrong with it.
        """
        self._is_broken = True
        self.damages += 1
        name = "standard input" if self._current is None else path_text(self._current.name)
        self._event = escape(f"{name}: {reason}")

    @property
    def _current(self) -> Path | None:
        return self._path if self._cursor is None else self._cursor.path

    def _read(self) -> bytes:
        if self.is_over:
            return b""
        if self.pipe is not None:
            return self._read_pipe(self.pipe)
        if self._file is None or self._is_broken:
            return b""
        try:
            # Checked after the read, so that the chunk is known to belong to the same file.
            chunk = self._file.read(CHUNK)
            if os.pread(self._file.fileno(), len(self._head), 0) != self._head:
                return b""  # it was truncated or written anew
        except OSError as error:
            self.break_off(read_error_message(error))
            return b""
        if self._position == len(self._head):
            self._head += chunk[: HEAD - self._position]
        if self._cursor is not None:
            self._cursor.extend_head(self._position, chunk)
        self._position += len(chunk)
        return chunk

    def _read_pipe(self, pipe: int) -> bytes:
        try:
            if not select.select([pipe], [], [], 0)[0]:
                return b""
            chunk = os.read(pipe, CHUNK)
        except OSError as error:
            self.break_off(read_error_message(error))
            chunk = b""
        if not chunk:
            self.end()
        return b"" if self._is_broken else chunk

    def _begin_next(self) -> bool:
        """Begin the file that follows, if there is one; return whether there is more to read."""
        if self.pipe is not None or self.is_over:
            return False
        if self._cursor is None:
            self._waits = ""
            return self._begin_again()
        now = time.monotonic()
        if now - self._listed < LISTING_INTERVAL:
            return False
        self._waits = ""
        try:
            behind = self._cursor.files_after()
        except OSError as error:
            self._listed = now
            self._waits = escape(f"{path_text(self._path or '')}: {read_error_message(error)}")
            return False
        if not behind:
            self._listed = now
            if self._file is None:
                self._waits = "no capture in the directory yet"
            return False
        # Its last bytes may have come after it was read, and before its successor.
        if self._file is not None and not self._is_broken:
            size = 0
            with suppress(OSError):
                size = os.fstat(self._file.fileno()).st_size
            if size > self._position and self._cursor.is_same_open(self._file):
                return True
        self._end_file()
        if behind[0] == self._cursor.path:
            self._event = escape(f"{path_text(behind[0].name)} was written anew")
        self._cursor.begin(behind[0])
        return self._open(behind[0])

    def _begin_again(self) -> bool:
        """Open the only file, if it is another one than before."""
        path = self._path
        assert path is not None  # noqa: S101 - a pipe has none
        try:
            found = path.stat()
        except OSError as error:
            self._waits = escape(f"{path_text(path)}: {read_error_message(error)}; waiting")
            return False
        if self._file is None:
            return self._open(path)
        own = os.fstat(self._file.fileno())
        if (own.st_dev, own.st_ino) != (found.st_dev, found.st_ino):
            self._end_file()
            self._event = escape(f"{path_text(path.name)} was replaced")
            return self._open(path)
        if found.st_size < self._position or not self._is_head():
            self._end_file()
            self._event = escape(f"{path_text(path.name)} was written anew")
            return self._open(path)
        return False

    def _is_head(self) -> bool:
        assert self._file is not None  # noqa: S101 - asked for an open file
        return os.pread(self._file.fileno(), len(self._head), 0) == self._head

    def _open(self, path: Path) -> bool:
        self.close()
        self._position, self._head, self._is_broken = 0, b"", False
        try:
            self._file = path.open("rb", buffering=0)
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                self.break_off("it is not a regular file")
                return False
        except OSError as error:
            self.break_off(read_error_message(error))
            return self._cursor is not None
        return True

    def _end_file(self) -> None:
        if self._file is not None or self.pipe is not None:
            with suppress(DecodeError) if self._is_broken else _Noting(self):
                self._decoder.end_file()
            self._drain()


class _Noting:
    """Context that notes the damage of the current file."""

    def __init__(self, capture: GrowingCapture) -> None:
        self._capture = capture

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, DecodeError):
            return False
        self._capture.break_off(str(error))
        return True
