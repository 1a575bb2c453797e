"""Tracking of captures that tcpdump writes and rotates, with new ranges recorded in a journal."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire.capture._files import is_compressed, list_captures, sort_key
from jvmwire.capture._fingerprint import HEAD, FileFingerprint, FirstPacketTimes
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
        self._directory = directory
        self._journal = journal
        self._range_size = range_size
        self._path: Path | None = None
        """The current file: the last one that was begun."""
        self._is_over = False
        self._is_broken = False
        self._start = self._fed = 0
        self._head = b""
        """The first bytes of the current file."""
        self._expected_fingerprint: FileFingerprint | None = None
        """The earlier fingerprint of the current file, if the file was overwritten since."""
        self._first: int | None = None
        """The time of the first packet of the current file."""
        self._times = FirstPacketTimes()
        last = journal.last()
        if last is None:
            self._skim = CaptureDecoder([], protocol=protocol)
        else:
            part, state = last
            self._skim = CaptureDecoder([], protocol=protocol, state=state)
            self._path = part.path
            self._is_over = part.end is RangeEnd.FILE
            self._start = self._fed = 0 if self._is_over else part.stop
            self._resume(part)

    def advance(self) -> int:
        """Record new ranges in the journal; return the number of entries it ever had."""
        while True:
            # Listed before the file is read to its end: a file that has a successor in this list is
            # complete.
            behind = self._files_after()
            if self._path is None or self._is_over:
                if not behind:
                    return self._journal.next
                self._begin(behind.pop(0))
            assert self._path is not None  # noqa: S101 - begun above
            # A compressed file is read when it is complete, since it cannot be cut.
            if behind or not is_compressed(self._path):
                self._read(self._path)
            if not behind:
                self._record(self._path)
                return self._journal.next
            self._end(self._path)

    def _begin(self, path: Path) -> None:
        self._path, self._first = path, self._times.get(path)
        self._head, self._expected_fingerprint = b"", None
        self._is_over = self._is_broken = False
        self._start = self._fed = 0

    def _resume(self, part: CaptureRange) -> None:
        """Continue a file that an earlier follower began, if it still has the same first bytes."""
        if part.beginning is None:
            return
        self._first = part.beginning.first
        with suppress(OSError), part.path.open("rb", buffering=0) as file:
            head = file.read(part.beginning.length)
            if FileFingerprint.from_head(head, self._first) == part.beginning:
                self._head = head
                return
        self._expected_fingerprint, self._is_broken = part.beginning, True

    def _files_after(self) -> list[Path]:
        """Return the files that follow the current file, in order."""
        timed = self._times.in_order(list_captures(self._directory))
        path = self._path
        begin: tuple[int, list[tuple[int, int | str]]] | None = None
        if path is not None:
            is_same = not self._is_broken and self._is_same_file(path)
            if self._first is None and is_same:
                self._first = self._times.get(path)
            before = [first for first, file in timed if sort_key(file) <= sort_key(path)]
            first = before[-1] if before else -1
            begin = (first if self._first is None else self._first, sort_key(path))
            timed = [(first, file) for first, file in timed if file != path or not is_same]
        keyed = sorted((first, sort_key(file), file) for first, file in timed)
        return [file for first, place, file in keyed if begin is None or (first, place) > begin]

    def _is_same_file(self, path: Path) -> bool:
        try:
            with path.open("rb", buffering=0) as file:
                return file.read(len(self._head)) == self._head
        except OSError:
            return False

    def _read(self, path: Path) -> None:
        if self._is_broken:
            return
        cut = self._fed + self._range_size
        try:
            with path.open("rb", buffering=0) as file:
                file.seek(self._fed)
                while chunk := file.read(min(CHUNK, cut - self._fed)):
                    # Checked after the read, so that the chunk is known to belong to the same file.
                    if os.pread(file.fileno(), len(self._head), 0) != self._head:
                        raise FileRewritten
                    if self._fed == len(self._head):
                        self._head += chunk[: HEAD - self._fed]
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
        if not self._is_broken and self._is_same_file(path):
            with suppress(OSError):
                length = max(path.stat().st_size, self._fed)
        self._journal.append(self._range(path, length, RangeEnd.FILE), after=saved[1])
        self._is_over = True

    def _range(self, path: Path, stop: int, end: RangeEnd) -> CaptureRange:
        beginning = self._expected_fingerprint
        if beginning is None and self._head:
            beginning = FileFingerprint.from_head(self._head[:stop], self._first)
        return CaptureRange(path, self._start, stop, end, beginning=beginning)
