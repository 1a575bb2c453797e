"""Splitting of captures into ranges, by a decode that produces no rows."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from jvmwire._core import CaptureDecoder
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.capture._reading import CHUNK, read_error_message
from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RANGE_SIZE = 64 << 20
"""Default bytes per range: decoded in a tenth of a second, the overhead of a Spark task."""


def split_capture(
    paths: Sequence[Path],
    *,
    size: int = RANGE_SIZE,
    protocol: str | None = None,
    types: dict[str, int] | None = None,
    per_state: int = 0,
) -> Iterator[CaptureRange]:
    """Yield the ranges of one capture, whose files continue one another, in order.

    A range is part of one file and holds about `size` bytes; a compressed file is one range, and so
    are the bytes after damage. Bytes after the last cut are not decoded here.

    A range with a large state before it, of many connections, takes as long to begin as to decode:
    it holds at least `per_state` times the bytes of its state.
    """
    scanner = CaptureDecoder([], protocol=protocol, types=types)
    state = None
    for number, path in enumerate(paths):
        last = number == len(paths) - 1
        length = _length(path)
        start = 0
        for offset, saved in _cuts(scanner, path, length, size, per_state, stops=last):
            yield CaptureRange(path, start, offset, RangeEnd.CUT, state)
            start, state = offset, saved
        yield CaptureRange(path, start, length, RangeEnd.CAPTURE if last else RangeEnd.FILE, state)
        if not last:
            state = _ended(scanner)


def can_be_cut(path: Path) -> bool:
    """Return whether a capture has ranges: it is not compressed, and not damaged at its begin.

    Raises:
        OSError: the file cannot be opened or read.
    """
    scanner = CaptureDecoder([])
    with path.open("rb", buffering=0) as file, suppress(DecodeError):
        scanner.feed(file.read(CHUNK))
    return scanner.save() is not None


def _cuts(
    scanner: CaptureDecoder, path: Path, length: int, size: int, per_state: int, *, stops: bool
) -> Iterator[tuple[int, bytes]]:
    """Feed a file to `scanner` and yield its cuts with states; `stops` ends after the last cut."""
    cut, fed = size, 0
    try:
        with path.open("rb", buffering=0) as file:
            while (not stops or cut < length) and (
                chunk := file.read(min(CHUNK, cut - fed, length - fed))
            ):
                scanner.feed(chunk)
                fed += len(chunk)
                if fed == cut:
                    saved = scanner.save() if fed < length else None
                    cut += max(size, per_state * len(saved[1]) if saved else 0)
                    if saved and saved[0]:
                        yield saved
                    elif stops and not saved:
                        return  # a compressed file cannot be cut
    except OSError as error:
        scanner.break_off(read_error_message(error))
    except DecodeError:
        pass  # the range that contains the damage reports it


def _ended(scanner: CaptureDecoder) -> bytes:
    with suppress(DecodeError):  # see above
        scanner.end_file()
    saved = scanner.save()
    assert saved is not None  # noqa: S101 - between two files there is always a state
    return saved[1]


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        # decoding reports the missing file; an existing file has all of its bytes in ranges
        return 0
