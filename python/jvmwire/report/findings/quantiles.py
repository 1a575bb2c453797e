"""Quantiles of latencies, from mergeable sketches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from jvmwire._core import LatencySketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


def latencies(traffic: Traffic) -> dict[str | None, Latencies]:
    """Make the sketches of methods again of their bins, each of all time."""
    return {name: made for (name,), made in _made_again(traffic, "name").items()}


def latencies_over_time(
    traffic: Traffic, names: Sequence[str | None]
) -> dict[str | None, dict[int | None, Latencies]]:
    """Make the sketches of these methods again of their bins, one a bucket."""
    series: dict[str | None, dict[int | None, Latencies]] = defaultdict(dict)
    wanted = pa.array(names, pa.string())
    for (name, bucket), made in _made_again(traffic, "name", "bucket", of=wanted).items():
        series[name][bucket] = made
    return dict(series)


def _made_again(
    traffic: Traffic, *keys: str, of: pa.StringArray | None = None
) -> dict[tuple[Any, ...], Latencies]:
    bins, exact = traffic.latency, traffic.calls
    if of is not None:
        bins, exact = (each.filter(pc.is_in(each["name"], value_set=of)) for each in (bins, exact))
    some = pc.and_(pc.is_valid(bins["latency_upper_us"]), pc.greater(bins["calls"], pa.scalar(0)))
    # There may be hundreds of thousands: Arrow adds them up, and puts together those of a sketch.
    lists = (
        bins.filter(some)
        .group_by([*keys, "latency_upper_us"], use_threads=False)
        .aggregate([("calls", "sum"), ("latency_max_us", "max")])
        .group_by(list(keys), use_threads=False)
        .aggregate(
            [("latency_upper_us", "list"), ("calls_sum", "list"), ("latency_max_us_max", "max")]
        )
    )
    made: dict[tuple[Any, ...], Latencies] = {}
    for *key, uppers, calls, longest in _rows(lists):
        sketch = LatencySketch.of(zip(uppers, calls, strict=True))
        made[tuple(key)] = Latencies(sketch, longest)
    longest_of = exact.group_by(list(keys), use_threads=False).aggregate(
        [("latency_max_us", "max")]
    )
    for *key, longest in _rows(longest_of):
        if (known := made.get(tuple(key))) is not None:
            known.longest = max(known.longest, longest)
    return made


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
