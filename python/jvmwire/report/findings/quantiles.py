"""Quantiles of latencies, from mergeable sketches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import LatencySketch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.report.traffic import Traffic


@dataclass(slots=True)
class Latencies:
    """How long answered calls took, in microseconds."""

    sketch: LatencySketch = field(default_factory=LatencySketch)
    longest: int = 0
    """The longest, to the microsecond; 0 if only the sketch is known."""

    @property
    def calls(self) -> int:
        """How many calls were answered."""
        return self.sketch.calls

    @property
    def maximum(self) -> int:
        """The longest time that is known."""
        return self.longest or self.sketch.quantile(1)

    def quantile(self, q: float) -> float:
        """Return the time that a share `q` of the calls did not exceed, or up to 1/16 more."""
        return float(min(self.sketch.quantile(q), self.maximum))

    def above(self, time: float) -> int:
        """Count the calls that took longer than `time`, or up to 1/16 less."""
        return self.sketch.above(int(time))


def pool(parts: Iterable[Latencies]) -> Latencies:
    """Put the latencies of several together."""
    whole = Latencies()
    for part in parts:
        whole.sketch.merge(part.sketch)
        whole.longest = max(whole.longest, part.longest)
    return whole


def latencies(traffic: Traffic) -> dict[str | None, dict[int | None, Latencies]]:
    """Make the sketches of `traffic` again of their bins, by method and bucket."""
    series: dict[str | None, dict[int | None, Latencies]] = defaultdict(dict)
    bins = traffic.latency
    some = pc.and_(pc.is_valid(bins["latency_upper_us"]), pc.greater(bins["calls"], pa.scalar(0)))
    # There may be hundreds of thousands: Arrow puts together those of a sketch.
    sketches = (
        bins.filter(some)
        .group_by(["name", "bucket"], use_threads=False)
        .aggregate([("latency_upper_us", "list"), ("calls", "list"), ("latency_max_us", "max")])
    )
    for name, bucket, uppers, calls, longest in zip(
        *(column.to_pylist() for column in sketches.columns), strict=True
    ):
        series[name][bucket] = part = Latencies(longest=longest)
        for upper, number in zip(uppers, calls, strict=True):
            part.sketch.add(upper, number)
    exact = traffic.calls.group_by(["name", "bucket"], use_threads=False).aggregate(
        [("latency_max_us", "max")]
    )
    for name, bucket, longest in zip(*(each.to_pylist() for each in exact.columns), strict=True):
        if bucket in series.get(name, {}):
            series[name][bucket].longest = max(series[name][bucket].longest, longest)
    return dict(series)
