"""Tasks of the report: write the calls of captures to Parquet, and aggregate the traffic."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from jvmwire.capture._aggregates import SCHEMA, merge_batches
from jvmwire.capture._counting import count_ranges, part_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from jvmwire.spark._planning import CapturePart

AGGREGATE_SCHEMA = "traffic binary"
"""Schema of the tasks' input and output: one row with the merged traffic as an Arrow stream.

As rows of Spark, each row would be converted and hashed by the JVM, at many times the cost of
Arrow.
"""
_PACKED = pa.ipc.IpcWriteOptions(compression="lz4")
"""Compressed counts take an eighth of the space, and the JVM copies them several times."""

_MERGE_THRESHOLD_ROWS = 1 << 14
"""Rows that a task passes on unmerged: the driver has memory for as many from each merged task."""


def count_captures(
    parts: Sequence[CapturePart], directory: Path | None, where: str | None = None
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function of the tasks, whose input rows are numbers of `parts`.

    The function writes the calls of the parts into `directory`, unless it is None. Calls that do
    not match `where` are neither counted nor written.
    """

    def count(tasks: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in tasks:
            # Executors may have no NumPy.
            numbers: list[int] = batch.column("id").to_pylist()  # type: ignore[assignment]
            for number in numbers:
                yield from count_ranges(
                    parts[number].opened(),
                    first_stream=parts[number].first_stream,
                    calls=None if directory is None else directory / part_name(number),
                    where=where,
                )

    return lambda tasks: _serialize(_merged_if_much(count(tasks)))


def merge_counts(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge the rows of a task into one row."""
    return _serialize(merge_batches(counted(rows)))


def counted(rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the traffic in rows of schema `AGGREGATE_SCHEMA`."""
    for row in rows:
        for stream in row.column("traffic"):
            yield from pa.ipc.open_stream(stream.as_buffer())


def _merged_if_much(traffic: Iterator[pa.RecordBatch]) -> pa.Table:
    """Merge the traffic of captures if there are many rows.

    Captures mostly have separate clients or hours, so that merging hardly reduces the rows for the
    next merge.
    """
    batches: list[pa.RecordBatch] = []
    rows = 0
    for batch in traffic:
        batches.append(batch)
        rows += batch.num_rows
        if rows > _MERGE_THRESHOLD_ROWS:
            return merge_batches(chain(batches, traffic))
    return pa.Table.from_batches(batches, None if batches else SCHEMA)


def _serialize(table: pa.Table) -> Iterator[pa.RecordBatch]:
    if not table.num_rows:
        return
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=_PACKED) as writer:
        writer.write_table(table)
    stream = pa.array([sink.getvalue().to_pybytes()], pa.binary())
    yield pa.record_batch([stream], ["traffic"])
