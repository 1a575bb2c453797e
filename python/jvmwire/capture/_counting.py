"""Counting of a capture's traffic, range by range, with its calls written to Parquet."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jvmwire._files import replace_file
from jvmwire.capture import View
from jvmwire.capture._arrow import arrow_schema
from jvmwire.capture._damage import annotate_damage
from jvmwire.capture._reading import read_range
from jvmwire.capture._views import make_counting_view, make_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from jvmwire.capture._ranges import CaptureRange

CALLS = View("calls")
"""The calls to keep, if there is no condition."""


def part_name(number: int) -> str:
    """Return the name of the file with the calls of part `number` of a report."""
    return f"part-{number:05}.parquet"


def count_ranges(
    ranges: Iterable[CaptureRange],
    *,
    first_stream: int,
    calls: Path | None,
    where: str | None = None,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the traffic of ranges of one capture, and write the calls to a file.

    Spark may run a task twice, even at the same time: each attempt writes its own file, and one
    file remains.

    Args:
        ranges: The ranges, in order.
        first_stream: Number of the capture's first stream.
        calls: The Parquet file of the calls; None if they are not kept.
        where: The condition on calls that are counted and kept; None (the default) is all calls.
        on_read: Called with the number of bytes before each chunk is decoded; it may raise.
    """
    with ExitStack() as stack:
        writer = None
        if calls is not None:
            file = stack.enter_context(replace_file(calls))
            writer = stack.enter_context(
                pq.ParquetWriter(file, arrow_schema(CALLS), compression="zstd")
            )
        views = [make_counting_view(where)]
        if writer is not None:
            views.insert(0, make_view("calls", where=where))
        for part in ranges:
            reading = read_range(part, views, first_stream=first_stream, on_read=on_read)
            for table, batch in reading:
                rows = pa.record_batch(batch)
                if writer is not None and table == CALLS.table:
                    writer.write_batch(rows)
                else:
                    yield annotate_damage(rows, "error_class", part.path, reading.damage)
