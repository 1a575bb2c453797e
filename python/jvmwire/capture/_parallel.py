"""Decoding of the ranges of captures in threads, with the results in order.

The core decodes and sorts without Python's lock, so that threads use all cores.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING, TypeVar

from jvmwire._core import RowSorter
from jvmwire.capture._reading import CaptureSession, EncodedRows, read_range
from jvmwire.capture._splitting import RANGE_SIZE, can_be_cut, split_capture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from jvmwire._core import RecordBatch, View
    from jvmwire.capture._ranges import CaptureRange
    from jvmwire.errors import DecodeError

RANGES_AHEAD = 2
"""Ranges per thread that are split off, or decoded, before the first of them is merged."""
SMALLEST_RANGE = 16 << 20
"""Bytes from which a range is worth a thread (chosen by jvmwire): a tenth of a second of work."""
PER_STATE = 16
"""Bytes of a range for each byte of the state before it (chosen by jvmwire): a few percent of the
time of the range. It bounds the memory of the states of ranges that wait for a thread, too."""
MAX_SORTING_THREADS = 8
"""Threads that sort rows at a time, since each keeps up to 64 MiB of them (chosen by jvmwire)."""

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


class _Stopped(Exception):
    """The results are no longer wanted, so that a thread need not go on."""


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_ranges(
    work: Callable[[_Part, Callable[[int], None]], _Result],
    parts: Iterable[_Part],
    *,
    threads: int,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[_Result]:
    """Yield the results of work on parts, done in threads, in order of the parts.

    The calling thread takes parts while the threads work on those before. Only a few results wait
    for their turn, so memory does not grow with captures.

    Args:
        work: Function of a part and of a function to be called with the number of bytes before each
            chunk is decoded, which raises once the results are no longer wanted.
        parts: The parts.
        threads: Number of threads.
        on_read: Called by the threads with the number of bytes before each chunk is decoded.
    """
    stopped = Event()

    def note(size: int) -> None:
        if stopped.is_set():
            raise _Stopped
        if on_read is not None:
            on_read(size)

    pool = ThreadPoolExecutor(threads, thread_name_prefix="jvmwire-decode")
    waiting: deque[Future[_Result]] = deque()
    try:
        for part in parts:
            waiting.append(pool.submit(work, part, note))
            if len(waiting) > RANGES_AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)


def sorting_threads(files: Sequence[Path]) -> int:
    """Return the number of threads worth decoding a capture with, whose rows are sorted.

    Args:
        files: The files of the capture, in order.

    Returns:
        The number; 1 if one thread does it as fast, since the capture is small or cannot be cut, or
        if a file is no regular one, which may be read only once.

    Raises:
        OSError: a file cannot be opened or read.
    """
    cores = min(available_cores(), MAX_SORTING_THREADS)
    if cores == 1 or not all(path.is_file() for path in files):
        return 1
    ranges = sum(path.stat().st_size for path in files) // SMALLEST_RANGE
    if ranges < 2 or (len(files) == 1 and not can_be_cut(files[0])):
        return 1
    return min(cores, ranges)


def _results_of_calls(
    take: Callable[[], _Part | None], work: Callable[[_Part], _Result], *, threads: int
) -> Iterator[_Result]:
    """Yield the results of work on what each call of `take` returns, in order, until it is None.

    Threads call, one at a time, and work while earlier results are used; few results wait.
    """
    one_at_a_time = Lock()
    calls = count()

    def step() -> tuple[int, _Result | None]:
        with one_at_a_time:
            number, part = next(calls), take()
        return number, None if part is None else work(part)

    with ThreadPoolExecutor(threads, thread_name_prefix="jvmwire-merge") as pool:
        waiting = deque(pool.submit(step) for _ in range(threads + 1))
        # Threads may take their turns in another order than that of their jobs.
        early: dict[int, _Result | None] = {}
        for wanted in count():
            while wanted not in early:
                number, result = waiting.popleft().result()
                early[number] = result
                waiting.append(pool.submit(step))
            if (found := early.pop(wanted)) is None:
                return
            yield found


class ParallelSession(CaptureSession):
    """A capture being decoded by threads: an iterable of (table name, record batch), in order.

    The rows are those of `read_rotated` with `in_order=True`. The ranges are sorted by the threads,
    and merged when all are decoded.

    Args:
        files: The files of the capture, in order of time.
        view: The table to decode, with columns and a condition.
        threads: Number of threads.
        protocol: The protocol of all connections; None (the default) detects it.
        types: Numbers of messages by name, for `pravega-early` with other numbers than the built-in
            ones.
        first_stream: Number of the first stream, 0 by default.
        redact: A key from `redaction_key`, with which values chosen by users are replaced.
        range_size: Bytes of a range, however large its state; None (the default) for a few ranges
            per thread.
        on_read: Called by the threads with the number of bytes before each chunk is decoded.
    """

    def __init__(
        self,
        files: Sequence[Path],
        view: View,
        *,
        threads: int,
        protocol: str | None = None,
        types: dict[str, int] | None = None,
        first_stream: int = 0,
        redact: bytes | None = None,
        range_size: int | None = None,
        on_read: Callable[[int], None] | None = None,
    ) -> None:
        self._files = files
        self._view = view
        self._threads = threads
        self._protocol = protocol
        self._types = types
        self._redact = redact
        self._range_size = range_size
        self._on_read = on_read
        self._undecoded: dict[str, Counter[str]] = {}
        self._next_stream = first_stream
        self.first_stream = first_stream
        self.damages = {}

    def __iter__(self) -> Iterator[tuple[str, RecordBatch]]:
        """Decode, and yield the rows; an error of the system ends the iteration."""
        rows = self._sorted()
        for batch in _results_of_calls(rows.next_batch, lambda batch: batch, threads=1):
            yield self._view.table, batch

    def encoded(self) -> Iterator[EncodedRows]:
        """Decode, and yield the rows, which threads have encoded as JSON.

        Yields:
            Rows, in order.
        """
        rows = self._sorted()
        yield from _results_of_calls(rows.next_batch, EncodedRows, threads=self._threads)

    def _sorted(self) -> RowSorter:
        """Decode the capture, and return the sorted rows."""
        rows = RowSorter(self._view)
        ranges = split_capture(
            self._files,
            size=self._size(),
            protocol=self._protocol,
            types=self._types,
            per_state=PER_STATE if self._range_size is None else 0,
        )
        for decoded in map_ranges(
            self._decode, ranges, threads=self._threads, on_read=self._on_read
        ):
            rows.append(self._note(*decoded))
        return rows

    @property
    def undecoded(self) -> list[tuple[str, int, int]]:
        """The undecoded parts, as tuples of the reason, the number of parts and their bytes."""
        return [
            (reason, count["pieces"], count["bytes"])
            for reason, count in sorted(self._undecoded.items())
        ]

    @property
    def next_stream(self) -> int:
        """The number for the first stream of the next capture."""
        return self._next_stream

    @property
    def is_without_streams(self) -> bool:
        """Whether the capture is without connections, once it is read to the end."""
        return self._next_stream == self.first_stream

    def _size(self) -> int:
        if self._range_size is not None:
            return self._range_size
        total = sum(path.stat().st_size for path in self._files)
        return min(max(total // (4 * self._threads), SMALLEST_RANGE), RANGE_SIZE)

    def _decode(
        self, part: CaptureRange, on_read: Callable[[int], None]
    ) -> tuple[CaptureRange, CaptureSession, RowSorter]:
        session = read_range(
            part,
            [self._view],
            protocol=self._protocol,
            types=self._types,
            first_stream=self.first_stream,
            in_order=True,
            redact=self._redact,
            raises=True,
            on_read=on_read,
        )
        return part, session, session.take_sorter()

    def _note(self, part: CaptureRange, session: CaptureSession, rows: RowSorter) -> RowSorter:
        """Add what a range lacks to what the capture lacks, and return the rows."""
        damage: DecodeError | None = session.damage
        if damage is not None:
            self.damages[self._files.index(part.path)] = damage
        for reason, pieces, size in session.undecoded:
            self._undecoded.setdefault(reason, Counter()).update(pieces=pieces, bytes=size)
        self._next_stream = session.next_stream
        return rows
