"""Latencies of all answered calls over time: counts by time and by duration, and percentiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import LatencySketch
from jvmwire.report._findings.charts import MAX_FINE_BUCKETS
from jvmwire.report._findings.finding import Column, Detail, Unit
from jvmwire.report._traffic import having

if TYPE_CHECKING:
    from jvmwire.report._traffic import Traffic

BINS_A_DECADE = 5
"""Rows of the map per power of ten: each is a factor of 1.6 of the one below."""

ENOUGH = 100
"""Answered calls from which there is a map."""

PERCENTILES = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Numbers of answered calls by time, in columns, and by duration, in rows."""

    first: int
    """Start of the first column in microseconds."""
    width: int
    """Width of a column in microseconds."""
    lowest: int
    """Number of the lowest row: row n begins at 10 ** (n / `BINS_A_DECADE`) microseconds."""
    columns: tuple[tuple[int, ...], ...]
    """Calls by row, per column."""
    p50: tuple[int | None, ...]
    """Median per column in microseconds; None without calls."""
    p99: tuple[int | None, ...]


def heat_map(traffic: Traffic) -> HeatMap | None:
    """Return the map; None if there are few calls, no clock, or only one bucket.

    Methods that wait by design or run in the background are left out.
    """
    rows = answered(traffic)
    if traffic.first is None or len(traffic.buckets) < 2 or _count(timed(rows)) < ENOUGH:
        return None
    width = traffic.width * -(-len(traffic.buckets) // MAX_FINE_BUCKETS)
    size = (traffic.buckets[-1] - traffic.first) // width + 1
    sketches = sketches_over_time(rows, traffic.first, width, size)
    counted = [_rows_of(sketch) for sketch in sketches]
    numbers = [number for column in counted for number in column]
    low, high = min(numbers), max(numbers)
    return HeatMap(
        first=traffic.first,
        width=width,
        lowest=low,
        columns=tuple(
            tuple(column.get(number, 0) for number in range(low, high + 1)) for column in counted
        ),
        p50=tuple(sketch.quantile(0.5) if sketch.calls else None for sketch in sketches),
        p99=tuple(sketch.quantile(0.99) if sketch.calls else None for sketch in sketches),
    )


def percentiles(traffic: Traffic) -> Detail | None:
    """Return a table of percentiles of all answered calls; None without any."""
    rows = answered(traffic)
    if not rows.num_rows:
        return None
    whole = whole_sketch(rows)
    if not whole.calls:
        return None
    columns = [Column("calls", "answered", Unit.COUNT)]
    columns += (
        Column(f"p{share * 100:g}_us".replace(".", "_"), f"p{share * 100:g}", Unit.MICROSECONDS)
        for share in PERCENTILES
    )
    columns.append(Column("max_us", "longest", Unit.MICROSECONDS))
    row = (whole.calls, *map(whole.quantile, PERCENTILES), whole.longest)
    return Detail.from_rows("Percentiles of all answered calls", columns, [row])


def answered(traffic: Traffic) -> pa.Table:
    """Return the latencies of answered calls, but of those that wait or run in the background."""
    rows = having(traffic.latency, "pace", [None]).select(["bucket", "calls", "latencies"])
    return rows.filter(pc.is_valid(rows["latencies"]))


def timed(rows: pa.Table) -> pa.Table:
    """Return the rows of `answered` that have a clock."""
    return rows.filter(pc.is_valid(rows["bucket"]))


def whole_sketch(rows: pa.Table) -> LatencySketch:
    """Return the sketch of all rows of `answered`."""
    [whole] = LatencySketch.pool(_packed(rows), (0, rows.num_rows))
    return whole


def sketches_over_time(rows: pa.Table, first: int, width: int, size: int) -> list[LatencySketch]:
    """Return the sketches of rows of `answered` by time: `size` of a width, from `first` on."""
    rows = timed(rows).sort_by("bucket")
    places = (np.asarray(rows["bucket"]) - first) // width
    bounds: list[int] = np.searchsorted(places, np.arange(size + 1)).tolist()
    return LatencySketch.pool(_packed(rows), bounds)


def _count(rows: pa.Table) -> int:
    return int(pc.sum(rows["calls"]).as_py() or 0)


def _packed(rows: pa.Table) -> pa.Array[Any]:
    packed: pa.Array[Any] = rows["latencies"].combine_chunks()
    return packed


def _rows_of(sketch: LatencySketch) -> dict[int, int]:
    """Return the calls of a sketch by row of the map."""
    found: dict[int, int] = {}
    for micros, calls in sketch.bins():
        number = math.floor(BINS_A_DECADE * math.log10(max(micros, 1)))
        found[number] = found.get(number, 0) + calls
    return found
