"""Quantiles from a log-scaled histogram of latencies."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.report.traffic import BINS_AN_OCTAVE, Traffic, totals

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class Latencies:
    """How long answered calls took, in microseconds."""

    bins: Counter[int] = field(default_factory=Counter)
    """Calls by the upper bound of their bin."""
    longest: int = 0
    """The longest, to the microsecond; 0 if only the bins are known."""

    @property
    def calls(self) -> int:
        """How many calls were answered."""
        return self.bins.total()

    @property
    def maximum(self) -> int:
        """The longest time that is known."""
        return self.longest or max(self.bins, default=0)

    def quantile(self, q: float) -> float:
        """Estimate the time that a share `q` of the calls did not exceed."""
        rank, seen = q * self.calls, 0
        for upper in sorted(self.bins):
            inside = self.bins[upper]
            if seen + inside >= rank:
                # Evenly spread over the bin; a lone call is known exactly.
                within = (rank - seen) / inside if self.calls > 1 else 1.0
                time = upper - (1 - within) * _width(upper)
                return min(time, float(self.maximum))
            seen += inside
        return float(self.maximum)

    def above(self, time: float) -> int:
        """Count the calls in bins that reach beyond `time`."""
        return sum(calls for upper, calls in self.bins.items() if upper > time)

    def add(self, upper: int, calls: int) -> None:
        """Count `calls` more in the bin that ends at `upper`."""
        if calls > 0:
            self.bins[max(upper, 0)] += calls


def pool(parts: Iterable[Latencies]) -> Latencies:
    """Put several histograms together."""
    whole = Latencies()
    for part in parts:
        whole.bins += part.bins
        whole.longest = max(whole.longest, part.longest)
    return whole


def latencies(traffic: Traffic) -> dict[str | None, dict[int | None, Latencies]]:
    """Read the histograms of `traffic`, by method and bucket."""
    series: dict[str | None, dict[int | None, Latencies]] = defaultdict(
        lambda: defaultdict(Latencies)
    )
    for total in totals(traffic.latency, "bucket", "name", "latency_upper_us"):
        bucket, name, upper = total.key
        if upper is not None:
            series[name][bucket].add(upper, total.calls)
            part = series[name][bucket]
            part.longest = max(part.longest, total.latency_max_us)
    for total in totals(traffic.calls, "bucket", "name"):
        bucket, name = total.key
        if name in series and bucket in series[name]:
            part = series[name][bucket]
            part.longest = max(part.longest, total.latency_max_us)
    return {
        name: {b: part for b, part in parts.items() if part.calls} for name, parts in series.items()
    }


def _width(upper: int) -> int:
    """How wide the bin is whose largest time is `upper`: up to 8 µs, each time is its own."""
    return 0 if upper < BINS_AN_OCTAVE else (1 << (upper.bit_length() - 1)) // BINS_AN_OCTAVE
