"""Identification of capture files by their first bytes, which detects overwritten files."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder, View
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

HEAD = 1 << 12
"""Number of first bytes that identify a file: the header, and packets with their times."""
_SCAN_BYTES = 1 << 17
"""Number of bytes searched for the first TCP packet: more than the largest packet takes."""
_STARTS = View("streams", columns=["start"])


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """A fingerprint of the first bytes of a file, up to the length that was read."""

    length: int
    digest: str
    first: int | None
    """Time of the first TCP packet in microseconds since 1970; None if none was seen yet."""

    @classmethod
    def from_head(cls, head: bytes, first: int | None) -> FileFingerprint:
        """Return the fingerprint of a file with the first bytes `head`."""
        return cls(len(head), hashlib.sha256(head).hexdigest(), first)

    def matches(self, file: int) -> bool:
        """Return whether an open file still begins with these bytes."""
        return hashlib.sha256(os.pread(file, self.length, 0)).hexdigest() == self.digest


class FirstPacketTimes:
    """A cache of the times of the first packets of files; unchanged files are read once."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], int | None]] = {}

    def get(self, path: Path) -> int | None:
        """Return the time of the first TCP packet; None if the file has none or cannot be read."""
        try:
            stat = path.stat()
            version = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            known = self._known.get(path)
            if known is None or known[0] != version:
                with path.open("rb", buffering=0) as file:
                    known = version, _first_packet(file.read(_SCAN_BYTES))
                self._known[path] = known
        except OSError:
            return None  # decoding the file reports the error
        return known[1]

    def in_order(self, files: Iterable[Path]) -> list[tuple[int, Path]]:
        """Pair each of `files`, which are sorted by name, with the time of its first packet.

        A file without a time gets the time of the file before it, or -1.
        """
        self._known = {path: known for path, known in self._known.items() if path.exists()}
        timed, last = [], -1
        for path in files:
            first = self.get(path)
            last = last if first is None else first
            timed.append((last, path))
        return timed


def _first_packet(content: bytes) -> int | None:
    decoder = CaptureDecoder([_STARTS])
    try:
        decoder.feed(content)
        decoder.finish()
    except DecodeError:
        pass  # the file is truncated or still growing
    starts: list[int] = []
    while (batch := decoder.next_batch()) is not None:
        # As JSON, since captures are decoded without pyarrow, too.
        rows = [json.loads(line) for line in batch[1].to_jsonl().splitlines()]
        starts += [row["start"] for row in rows if row.get("start") is not None]
    return min(starts, default=None)
