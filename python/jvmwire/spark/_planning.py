"""Planning of tasks: whole files, or ranges of files from an index."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.datasource import InputPartition

from jvmwire._escaping import get_logger
from jvmwire.capture._index import index_capture, read_digests, read_index
from jvmwire.capture._ranges import STREAM_BITS, CaptureRange, RangeEnd
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_log = get_logger("jvmwire.spark")


@dataclass(frozen=True)
class CapturePart(InputPartition):
    """The part of one capture that one task reads."""

    paths: tuple[str, ...]
    """The files of the capture, in order."""
    number: int
    """The position of the capture among all captures of the read."""
    index: str | None = None
    """The index file; None if the task reads one file as a whole."""
    ranges: tuple[int, ...] = ()
    digests: tuple[bytes, ...] = ()
    """The digests of the ranges, from the index at the time of planning."""

    @property
    def first_stream(self) -> int:
        """The number of the capture's first stream."""
        return self.number << STREAM_BITS

    def opened(self) -> Iterator[CaptureRange]:
        """Yield the ranges, each with the decoder state before it."""
        paths = [Path(path) for path in self.paths]
        if self.index is None:
            [path] = paths
            size = path.stat().st_size if path.exists() else 0
            yield CaptureRange(path, 0, size, RangeEnd.CAPTURE)
            return
        for number, digest in zip(self.ranges, self.digests, strict=True):
            yield read_index(Path(self.index), number, paths, digest=digest)


def plan(
    captures: Sequence[tuple[Path, ...]],
    *,
    range_size: int,
    index: Path | None,
    protocol: str | None,
    spare_index: Path | None = None,
) -> list[CapturePart]:
    """Return the parts of all captures in order.

    Captures that need an index and have none get one, as many at a time as there are cores.

    Args:
        captures: The files of each, in order of time.
        range_size: Bytes of a part.
        index: The directory for indexes; None: beside the captures.
        protocol: What is taken for granted of all connections.
        spare_index: The directory for the index of rotated files that has no place beside them.

    Raises:
        ConfigError: the index of rotated files cannot be kept.
    """

    def parts(numbered: tuple[int, tuple[Path, ...]]) -> list[CapturePart]:
        number, paths = numbered
        names = tuple(map(str, paths))
        whole = [CapturePart(names, number)]
        if len(paths) == 1 and not _is_larger(paths[0], range_size):
            return whole

        def made(directory: Path | None) -> tuple[Path, list[bytes]]:
            place = index_capture(paths, size=range_size, protocol=protocol, directory=directory)
            return place, read_digests(place, beside=paths[0] if directory is None else None)

        try:
            place, digests = made(index)
        except OSError as error:
            if len(paths) > 1 and spare_index is not None:
                place, digests = made(spare_index)
            elif len(paths) > 1:
                raise ConfigError(
                    f"the index of rotated files cannot be kept beside them ({error}): "
                    "name a directory in the option index"
                ) from error
            else:
                _log.warning("%s is read by one task: it can have no index (%s)", paths[0], error)
                return whole
        return [
            CapturePart(names, number, str(place), (at,), (digest,))
            for at, digest in enumerate(digests)
        ]

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return [part for found in threads.map(parts, enumerate(captures)) for part in found]


def by_file(parts: Sequence[CapturePart]) -> list[CapturePart]:
    """Combine the ranges of a file into one part, for one task."""
    joined: list[CapturePart] = []
    last: tuple[int, Path] | None = None
    for part in parts:
        file = (part.number, next(part.opened()).path)
        if file == last:
            before = joined.pop()
            part = replace(
                part, ranges=before.ranges + part.ranges, digests=before.digests + part.digests
            )
        joined.append(part)
        last = file
    return joined


def _is_larger(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size > size
    except OSError:
        return False  # decoding the file reports the error
