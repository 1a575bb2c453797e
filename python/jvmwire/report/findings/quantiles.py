"""Quantiles of latencies, from mergeable sketches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._core import LatencySketch
from jvmwire.report.traffic import Traffic, totals

if TYPE_CHECKING:
    from collections.abc import Iterable


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
    series: dict[str | None, dict[int | None, Latencies]] = defaultdict(
        lambda: defaultdict(Latencies)
    )
    for total in totals(traffic.latency, "bucket", "name", "latency_upper_us"):
        bucket, name, upper = total.key
        if upper is not None and total.calls > 0:
            part = series[name][bucket]
            part.sketch.add(upper, total.calls)
            part.longest = max(part.longest, total.latency_max_us)
    for total in totals(traffic.calls, "bucket", "name"):
        bucket, name = total.key
        if name in series and bucket in series[name]:
            part = series[name][bucket]
            part.longest = max(part.longest, total.latency_max_us)
    return {name: dict(parts) for name, parts in series.items()}
