"""Results of all measurements: contenders, the costs of their rounds, and comparisons."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benches.harness import Measurement, Target


class Spread(NamedTuple):
    """The median of some values, and their quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarize the values of all rounds."""
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)

    def __str__(self) -> str:
        return self.of_unit("")

    def of_unit(self, unit: str) -> str:
        """Return the spread as text, with `unit` after the median."""
        return f"{figure(self.median)}{unit} ({figure(self.low)} to {figure(self.high)})"


def figure(value: float) -> str:
    """Write a number with three digits, or all of them before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def bound(target: Target) -> str | None:
    """Return the target for a contender itself, if there is one."""
    if target.at_most is not None:
        return f"at most {figure(target.at_most)}"
    return None if target.at_least is None else f"at least {figure(target.at_least)}"


@dataclass(frozen=True)
class Match:
    """The result of a duel."""

    section: str
    place: str
    """The benchmark's file and test."""
    work: str
    unit: str
    rivals: dict[str, list[Measurement]]
    """The rounds of each contender; the first contender is jvmwire."""
    paired: bool
    """Whether rounds of one number were neighbours in time."""
    has_wall: bool = True
    targets: list[Target] = field(default_factory=list)
    few_because: str | None = None
    told: dict[str, str] = field(default_factory=dict)
    """Conditions of the measurement."""

    @property
    def ours(self) -> str:
        """Name of the contender with which the others are compared."""
        return next(iter(self.rivals))

    @property
    def measure(self) -> str:
        """The quantity of the rounds' figures."""
        if self.of_memory:
            return f"bytes a {'byte' if self.unit == 'MB' else self.unit}"
        return "MB/s" if self.unit == "MB" else f"ns a {self.unit}"

    @property
    def of_memory(self) -> bool:
        """Whether the rounds compare peaks of memory, not times."""
        return all(one.peak is not None for one in self.rivals[self.ours])

    def shown(self, name: str, how: str) -> Spread:
        """Return a contender's figures as readers see them, by "wall" or by "cpu"."""
        costs = self._costs(name, how)
        if self.of_memory:
            return Spread.of([cost / 1e6 if self.unit == "MB" else cost for cost in costs])
        if self.unit == "MB":
            return Spread.of([1 / cost for cost in costs])
        return Spread.of([cost * 1e9 for cost in costs])

    def ratio(self, name: str, how: str) -> Spread:
        """Return a contender's cost as a multiple of jvmwire's."""
        ours, theirs = self._costs(self.ours, how), self._costs(name, how)
        if self.paired:  # neighbours in time had the same noise
            return Spread.of([their / our for our, their in zip(ours, theirs, strict=True)])
        return Spread.of([their / our for our in ours for their in theirs])

    def more_ns(self, name: str, how: str) -> Spread:
        """Return the nanoseconds by which jvmwire's cost per unit exceeds a contender's."""
        pairs = zip(self._costs(self.ours, how), self._costs(name, how), strict=True)
        return Spread.of([(our - their) * 1e9 for our, their in pairs])

    def _costs(self, name: str, how: str) -> list[float]:
        """Return the cost per unit of each round: seconds, or bytes of memory."""
        if self.of_memory:
            how = "peak"
        # The clock may not have ticked during the round.
        return [max(getattr(one, how), 1e-9) / one.amount for one in self.rivals[name]]

    def target(self, name: str) -> Target | None:
        """Return the target of a contender, or relative to it."""
        return next((target for target in self.targets if target.rival == name), None)

    def judged_by(self, name: str) -> str:
        """Return the time by which a contender is compared with jvmwire: "wall" or "cpu"."""
        target = self.target(name)
        return "cpu" if target is None else target.by

    def room(self, target: Target) -> Spread:
        """Return the limit of a contender as a multiple of its cost."""
        taken = self.shown(target.rival, target.by)
        if target.at_least is not None:
            return Spread(*(one / target.at_least for one in taken))
        assert target.at_most is not None
        return Spread(*(target.at_most / one for one in (taken.median, taken.high, taken.low)))

    def reached(self, target: Target) -> bool:
        """Return whether the median reaches the target."""
        if target.at_most is not None:
            return self.shown(target.rival, target.by).median <= target.at_most
        if target.at_least is not None:
            return self.shown(target.rival, target.by).median >= target.at_least
        if target.within_ns is not None:
            return self.more_ns(target.rival, target.by).median <= target.within_ns
        return target.times is None or self.ratio(target.rival, target.by).median >= target.times

    def spared(self, target: Target) -> bool:
        """Return whether another alternative is reached, so that this target is not needed."""
        ways = {one.alternative for one in self.targets} - {None, target.alternative}
        return target.alternative is not None and any(
            all(self.reached(one) for one in self.targets if one.alternative == way) for way in ways
        )
