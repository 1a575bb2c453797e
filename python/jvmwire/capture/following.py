"""Follows captures that tcpdump writes and rotates, and puts what is new into a journal."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire.capture.files import captures_behind, is_compressed
from jvmwire.capture.ranges import CaptureRange, End
from jvmwire.capture.reading import CHUNK, reason
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.capture.journal import Journal


class Follower:
    """The captures of a directory, in order of their names, as one that does not end.

    The last file may be growing: of it, what ends in a whole packet record is taken. A file is over
    when there is one behind it. A file whose name comes before one that was begun is not looked at,
    nor is a compressed copy of one that was read.
    """

    def __init__(
        self, directory: Path, journal: Journal, *, range_size: int, protocol: str | None
    ) -> None:
        self._directory = directory
        self._journal = journal
        self._range_size = range_size
        self._path: Path | None = None
        """The file that was begun last."""
        self._is_over = False
        self._is_broken = False
        self._start = self._fed = 0
        last = journal.last()
        if last is None:
            self._skim = CaptureDecoder([], protocol=protocol)
        else:
            part, state = last
            self._skim = CaptureDecoder([], protocol=protocol, state=state)
            self._path = part.path
            self._is_over = part.end is End.FILE
            self._start = self._fed = 0 if self._is_over else part.stop

    def advance(self) -> int:
        """Put what is new into the journal; return how many entries it has had."""
        while True:
            # Listed before the file is read to its end: if it has a successor, it is whole then.
            behind = captures_behind(self._directory, self._path)
            if self._path is None or self._is_over:
                if not behind:
                    return self._journal.next
                self._path, *behind = behind
                self._is_over = self._is_broken = False
                self._start = self._fed = 0
            # A compressed file is read when it is whole: it has no places to cut at.
            if behind or not is_compressed(self._path):
                self._read(self._path)
            if not behind:
                self._record(self._path)
                return self._journal.next
            self._end(self._path)

    def _read(self, path: Path) -> None:
        if self._is_broken:
            return
        cut = self._fed + self._range_size
        try:
            with path.open("rb", buffering=0) as file:
                file.seek(self._fed)
                while chunk := file.read(min(CHUNK, cut - self._fed)):
                    self._fed += len(chunk)
                    self._skim.feed(chunk)
                    if self._fed == cut:
                        self._record(path)
                        cut = self._fed + self._range_size
        except OSError as error:
            self._skim.break_off(reason(error))
            self._is_broken = True
        except DecodeError:
            self._is_broken = True  # the range that it is in will say so

    def _record(self, path: Path) -> None:
        saved = self._skim.save()
        if saved is not None and saved[0] > self._start:
            stop, state = saved
            self._journal.append(CaptureRange(path, self._start, stop, End.CUT), after=state)
            self._start = stop

    def _end(self, path: Path) -> None:
        with suppress(DecodeError):  # as above
            self._skim.end_file()
        saved = self._skim.save()
        assert saved is not None  # noqa: S101 - between two files there is always a state
        try:
            length = path.stat().st_size
        except OSError:
            length = self._start  # reading it will say why
        part = CaptureRange(path, self._start, length, End.FILE)
        self._journal.append(part, after=saved[1])
        self._is_over = True
