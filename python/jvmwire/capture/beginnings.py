"""What capture files begin with: one is known again by it, one that was written anew is not."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmwire._core import CaptureDecoder, View
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

HEAD = 1 << 12
"""Bytes by which a file is known: the header, and packets with their times."""
_ENOUGH = 1 << 17
"""Bytes among which a packet of TCP is looked for: more than the largest one takes."""
_STARTS = View("streams", columns=["start"])


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first bytes of a file, as far as they were read."""

    length: int
    digest: str
    first: int | None
    """When its first packet of TCP came, in microseconds since 1970; None if none was seen yet."""

    @classmethod
    def of(cls, head: bytes, first: int | None) -> Beginning:
        """Know a file by its first bytes."""
        return cls(len(head), hashlib.sha256(head).hexdigest(), first)

    def is_of(self, file: int) -> bool:
        """Return whether an open file still begins so."""
        return hashlib.sha256(os.pread(file, self.length, 0)).hexdigest() == self.digest


class FirstPackets:
    """When the first packets of files came; what has not changed is read once."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], int | None]] = {}

    def of(self, path: Path) -> int | None:
        """Return when the first packet of TCP came; None if none is there, or none to be read."""
        try:
            stat = path.stat()
            version = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            known = self._known.get(path)
            if known is None or known[0] != version:
                with path.open("rb", buffering=0) as file:
                    known = version, _first_packet(file.read(_ENOUGH))
                self._known[path] = known
        except OSError:
            return None  # reading it will say why
        return known[1]

    def in_order(self, files: Iterable[Path]) -> list[tuple[int, Path]]:
        """Put times beside files, which stand by their names; where there is none, that before."""
        self._known = {path: known for path, known in self._known.items() if path.exists()}
        timed, last = [], -1
        for path in files:
            first = self.of(path)
            last = last if first is None else first
            timed.append((last, path))
        return timed


def _first_packet(content: bytes) -> int | None:
    decoder = CaptureDecoder([_STARTS])
    try:
        decoder.feed(content)
        decoder.finish()
    except DecodeError:
        pass  # it is cut off, or grows
    starts: list[int] = []
    while (batch := decoder.next_batch()) is not None:
        column = pa.record_batch(batch[1])["start"].cast(pa.int64())
        starts += [start.as_py() for start in column if start.is_valid]
    return min(starts, default=None)
