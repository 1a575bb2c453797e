"""Tracking of captures that tcpdump writes and rotates, with new ranges recorded in a journal."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire.capture._cursor import RotationCursor
from jvmwire.capture._files import is_compressed
from jvmwire.capture._fingerprint import FileFingerprint
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.capture._reading import CHUNK, FileRewritten, read_error_message
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from pathlib import Path

    from jvmwire.capture._journal import Journal


class RotationFollower:
    """The captures of a directory as one endless capture, in order of their first packets' times.

    The last file may be growing: only its complete packet records are used. A file is finished once
    another file follows it, even under an earlier name, since tcpdump overwrites a ring of files. A
    file whose packets precede those of a file already begun is ignored, and so is a compressed copy
    of a file that was read.
    """

    def __init__(
        self, directory: Path, journal: Journal, *, range_size: int, protocol: str | None
    ) -> None:
        self._journal = journal
        self._range_size = range_size
        self._cursor = RotationCursor(directory)
        self._is_over = False
        self._is_broken = False
        self._start = self._fed = 0
        self._expected_fingerprint: FileFingerprint | None = None
        """The earlier fingerprint of the current file, if the file was overwritten since."""
        last = journal.last()
        if last is None:
            self._skim = CaptureDecoder([], protocol=protocol)
        else:
            part, state = last
            self._skim = CaptureDecoder([], protocol=protocol, state=state)
            self._cursor.path = part.path
            self._is_over = part.end is RangeEnd.FILE
            self._start = self._fed = 0 if self._is_over else part.stop
            self._resume(part)

    def advance(self) -> int:
        """Record new ranges in the journal; return the number of entries it ever had."""
        while True:
            # Listed before the file is read to its end: a file that has a successor in this list is
            # complete.
            behind = self._cursor.files_after(is_broken=self._is_broken)
            if self._cursor.path is None or self._is_over:
                if not behind:
                    return self._journal.next
                self._begin(behind.pop(0))
            path = self._cursor.path
            assert path is not None  # noqa: S101 - begun above
            # A compressed file is read when it is complete, since it cannot be cut.
            if behind or not is_compressed(path):
                self._read(path)
            if not behind:
                self._record(path)
                return self._journal.next
            self._end(path)

    def _begin(self, path: Path) -> None:
        self._cursor.begin(path)
        self._expected_fingerprint = None
        self._is_over = self._is_broken = False
        self._start = self._fed = 0

    def _resume(self, part: CaptureRange) -> None:
        """Continue a file that an earlier follower began, if it still has the same first bytes."""
        if part.beginning is None:
            return
        cursor = self._cursor
        cursor.first = part.beginning.first
        with suppress(OSError), part.path.open("rb", buffering=0) as file:
            head = file.read(part.beginning.length)
            if FileFingerprint.from_head(head, cursor.first) == part.beginning:
                cursor.head = head
                return
        self._expected_fingerprint, self._is_broken = part.beginning, True

    def _read(self, path: Path) -> None:
        if self._is_broken:
            return
        cut = self._fed + self._range_size
        try:
            with path.open("rb", buffering=0) as file:
                file.seek(self._fed)
                while chunk := file.read(min(CHUNK, cut - self._fed)):
                    # Checked after the read, so that the chunk is known to belong to the same file.
                    if not self._cursor.is_same_open(file):
                        raise FileRewritten
                    self._cursor.extend_head(self._fed, chunk)
                    self._fed += len(chunk)
                    self._skim.feed(chunk)
                    if self._fed == cut:
                        self._record(path)
                        cut = self._fed + self._range_size
        except OSError as error:
            self._skim.break_off(read_error_message(error))
            self._is_broken = True
        except DecodeError:
            self._is_broken = True  # the range that contains the damage reports it

    def _record(self, path: Path) -> None:
        saved = self._skim.save()
        if saved is not None and saved[0] > self._start:
            stop, state = saved
            self._journal.append(self._range(path, stop, RangeEnd.CUT), after=state)
            self._start = stop

    def _end(self, path: Path) -> None:
        with suppress(DecodeError):  # see above
            self._skim.end_file()
        saved = self._skim.save()
        assert saved is not None  # noqa: S101 - between two files there is always a state
        # The length of a deleted or overwritten file is unknown; one more byte makes decoding
        # report it.
        length = self._fed + 1
        if not self._is_broken and self._cursor.is_same():
            with suppress(OSError):
                length = max(path.stat().st_size, self._fed)
        self._journal.append(self._range(path, length, RangeEnd.FILE), after=saved[1])
        self._is_over = True

    def _range(self, path: Path, stop: int, end: RangeEnd) -> CaptureRange:
        beginning = self._expected_fingerprint
        if beginning is None and self._cursor.head:
            beginning = FileFingerprint.from_head(self._cursor.head[:stop], self._cursor.first)
        return CaptureRange(path, self._start, stop, end, beginning=beginning)
