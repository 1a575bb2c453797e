"""The report on captures: plan, count, merge, write; Spark or threads of this process count."""

from __future__ import annotations

from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from jvmwire.capture import group_rotated
from jvmwire.capture._aggregates import merge_batches
from jvmwire.capture._counting import count_ranges, part_name
from jvmwire.capture._parallel import available_cores, map_ranges
from jvmwire.capture._ranges import STREAM_BITS
from jvmwire.capture._splitting import RANGE_SIZE, split_capture
from jvmwire.report._evidence import evidence
from jvmwire.report._findings import find
from jvmwire.report._folder import check_folder, replace_report
from jvmwire.report._options import DEFAULT, ReportOptions
from jvmwire.report._page import Report, fill_report, summarize
from jvmwire.report._source import ReportSource
from jvmwire.report._traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from jvmwire.capture._ranges import CaptureRange


class Counter(Protocol):
    """A function that counts captures, and writes their calls."""

    def __call__(
        self,
        captures: Sequence[tuple[Path, ...]],
        *,
        calls: Path | None,
        scratch: Path,
        range_size: int,
        where: str | None,
    ) -> Iterable[pa.RecordBatch]:
        """Yield the traffic of captures in batches.

        Args:
            captures: The files of each capture, in order of time.
            calls: The directory for Parquet files of the calls; None if they are not kept.
            scratch: An empty directory for temporary files, removed afterwards.
            range_size: Bytes of a part of a capture.
            where: The condition on calls that are counted and written; None is all calls.
        """


def report_captures(
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool = True,
    force: bool = False,
    threads: int | None = None,
    on_read: Callable[[int], None] | None = None,
    options: ReportOptions = DEFAULT,
) -> Report:
    """Decode captures and write `index.html`, `summary.json` and the calls into a directory.

    An earlier report there is replaced when this one is complete. Files of one ring buffer
    are one capture, as `jvmwire.capture.group_rotated` detects them. An interrupt leaves nothing.

    Args:
        captures: Files of captures, as `jvmwire.capture.find_captures` finds them.
        directory: The directory of the report, created if it does not exist.
        keep_calls: Whether to write the calls, one row each, into the directory `calls.parquet`.
            Default: True.
        force: Whether files of these names that are not from a report may be replaced. Default:
            False.
        threads: Threads that decode; None (the default) is the number of cores of this process.
        on_read: Called by these threads with the number of bytes before each chunk is decoded.
        options: The calls to report on, and the form of the page. Default: all calls, in UTC.

    Returns:
        The written files, and the findings.

    Raises:
        ConfigError: a file would be replaced that is not from a report or that is one of
            `captures`.
        OSError: a file of the report cannot be written.
    """
    return run_report(
        ThreadedCounter(threads or available_cores(), on_read),
        captures,
        directory,
        keep_calls=keep_calls,
        force=force,
        options=options,
    )


def run_report(
    count: Counter,
    captures: Sequence[Path],
    directory: Path,
    *,
    keep_calls: bool = True,
    force: bool = False,
    range_size: int = RANGE_SIZE,
    options: ReportOptions = DEFAULT,
) -> Report:
    """Write the report on the traffic that `count` counts; the rest is as in `report_captures`."""
    check_folder(directory, captures, force=force)
    with (
        replace_report(directory.absolute(), keeps_calls=keep_calls, force=force) as unfinished,
        TemporaryDirectory(prefix=".index-", dir=directory) as scratch,
    ):
        counted = count(
            group_rotated([capture.absolute() for capture in captures]),
            calls=unfinished.calls,
            scratch=directory.absolute() / scratch,
            range_size=range_size,
            where=options.condition,
        )
        traffic = Traffic.from_merged(merge_batches(counted), options.thresholds)
        source = ReportSource.from_traffic(traffic, captures, options)
        return fill_report(traffic, source, directory, unfinished, options)


def summarize_captures(
    captures: Sequence[Path],
    *,
    threads: int | None = None,
    on_read: Callable[[int], None] | None = None,
    options: ReportOptions = DEFAULT,
) -> dict[str, Any]:
    """Return what the `summary.json` of a report on captures would hold, without a report.

    Args:
        captures: Files of captures, as `jvmwire.capture.find_captures` finds them.
        threads: Threads that decode; None (the default) is the number of cores of this process.
        on_read: Called by these threads with the number of bytes before each chunk is decoded.
        options: The calls to summarise. Default: all calls.

    Returns:
        The content of the file.
    """
    counted = ThreadedCounter(threads or available_cores(), on_read)(
        group_rotated([capture.absolute() for capture in captures]),
        calls=None,
        range_size=RANGE_SIZE,
        where=options.condition,
    )
    traffic = Traffic.from_merged(merge_batches(counted), options.thresholds)
    source = ReportSource.from_traffic(traffic, captures, options)
    findings = find(traffic, source)
    summary = orjson.loads(summarize(findings, source, evidence(findings, traffic, source)))
    return dict(summary)


@dataclass(frozen=True, slots=True)
class ThreadedCounter:
    """A `Counter` in threads of this process; the core counts without Python's lock.

    The calling thread splits captures into ranges while the threads count those before.
    """

    threads: int
    on_read: Callable[[int], None] | None = None

    def __call__(
        self,
        captures: Sequence[tuple[Path, ...]],
        *,
        calls: Path | None,
        scratch: Path | None = None,  # noqa: ARG002 - Spark's
        range_size: int,
        where: str | None,
    ) -> Iterator[pa.RecordBatch]:
        """Yield the traffic of captures in batches; see `Counter`."""

        def count(
            job: tuple[int, int, CaptureRange], on_read: Callable[[int], None]
        ) -> list[pa.RecordBatch]:
            number, capture, part = job
            file = None if calls is None else calls / part_name(number)
            first_stream = capture << STREAM_BITS
            return list(
                count_ranges(
                    [part], first_stream=first_stream, calls=file, where=where, on_read=on_read
                )
            )

        parts = (
            (capture, part)
            for capture, files in enumerate(captures)
            for part in split_capture(files, size=range_size)
        )
        jobs = ((number, *part) for number, part in enumerate(parts))
        for batches in map_ranges(count, jobs, threads=self.threads, on_read=self.on_read):
            yield from batches
