"""Latencies of methods over time.

Sketches stay packed in Arrow memory until they are used: tens of thousands of Python objects would
slow down the garbage collector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import LatencySketch
from jvmwire.report._traffic import groups, having, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmwire.report._traffic import Traffic


@dataclass(frozen=True, slots=True)
class Series:
    """A method's latencies over time: one entry per bucket with answered calls, in order."""

    starts: list[int]
    calls: list[int]
    """Number of answered calls per bucket."""
    packed: pa.Array[Any]
    """One packed sketch per bucket."""

    def pool(self, bounds: Sequence[int]) -> list[LatencySketch]:
        """Return one sketch for the buckets between each two neighbouring bounds."""
        return LatencySketch.pool(self.packed, bounds)


@dataclass(frozen=True, slots=True)
class MethodLatencies:
    """The latencies of the answered calls of a method."""

    name: str | None
    rows: pa.Table
    """Rows by bucket; calls without a timestamp come last."""

    @property
    def whole(self) -> LatencySketch:
        """The latencies of all calls."""
        [whole] = LatencySketch.pool(_packed(self.rows), (0, self.rows.num_rows))
        return whole

    @property
    def series(self) -> Series:
        """The latencies over time."""
        timed = self.rows.slice(0, len(self.rows) - self.rows["bucket"].null_count)
        starts: list[Any] = timed["bucket"].to_pylist()
        calls: list[Any] = timed["calls"].to_pylist()
        return Series(starts, calls, _packed(timed))


def latencies(traffic: Traffic) -> Iterator[MethodLatencies]:
    """Yield the latencies of each method, in the order of their names.

    Methods that wait by design or run in the background are left out: their latencies do not depend
    on the speed of the server.
    """
    rows = having(traffic.latency, "pace", [None])
    rows = rows.select(["name", "bucket", "calls", "latencies"])
    rows = plain(rows.filter(pc.is_valid(rows["latencies"])))
    rows = rows.sort_by([("name", "ascending"), ("bucket", "ascending")])
    for begin, end in groups(rows, "name"):
        yield MethodLatencies(rows["name"][begin].as_py(), rows.slice(begin, end - begin))


def _packed(rows: pa.Table) -> pa.Array[Any]:
    packed: pa.Array[Any] = rows["latencies"].combine_chunks()
    return packed
