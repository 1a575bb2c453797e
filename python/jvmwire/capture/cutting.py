"""Cuts captures into ranges, by a decode that makes no rows."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire.capture.ranges import CaptureRange, End
from jvmwire.capture.reading import CHUNK, reason
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RANGE_SIZE = 64 << 20
"""Bytes of a range unless asked for others: decoded in a tenth of a second, a task's own cost."""


def cut_capture(
    paths: Sequence[Path], *, size: int = RANGE_SIZE, protocol: str | None = None
) -> Iterator[CaptureRange]:
    """Yield the ranges of one capture, which goes on from file to file, in order.

    A range is of one file and holds about `size` bytes; a compressed file is one range, and so is
    what lies behind damage. What follows the last cut is not looked at here.
    """
    skim = CaptureDecoder([], protocol=protocol)
    state = None
    for number, path in enumerate(paths):
        last = number == len(paths) - 1
        length = _length(path)
        start = 0
        for offset, saved in _cuts(skim, path, length, size, stops=last):
            yield CaptureRange(path, start, offset, End.CUT, state)
            start, state = offset, saved
        yield CaptureRange(path, start, length, End.CAPTURE if last else End.FILE, state)
        if not last:
            state = _ended(skim)


def _cuts(
    skim: CaptureDecoder, path: Path, length: int, size: int, *, stops: bool
) -> Iterator[tuple[int, bytes]]:
    """Feed a file to `skim`, and yield where it may be cut; `stops` behind the last cut."""
    cut, fed = size, 0
    try:
        with path.open("rb", buffering=0) as file:
            while (not stops or cut < length) and (
                chunk := file.read(min(CHUNK, cut - fed, length - fed))
            ):
                skim.feed(chunk)
                fed += len(chunk)
                if fed == cut:
                    cut += size
                    saved = skim.save() if fed < length else None
                    if saved and saved[0]:
                        yield saved
                    elif stops and not saved:
                        return  # compressed: it has no place to cut at
    except OSError as error:
        skim.break_off(reason(error))
    except DecodeError:
        pass  # the range that it is in will say so


def _ended(skim: CaptureDecoder) -> bytes:
    with suppress(DecodeError):  # as above
        skim.end_file()
    saved = skim.save()
    assert saved is not None  # noqa: S101 - between two files there is always a state
    return saved[1]


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0  # reading it will say so; a file that is there has all of its bytes in ranges
