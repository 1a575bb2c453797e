"""Time window of some calls, relative to all calls, so that quiet hours do not count.

Some calls begin (or end) at a moment if the share of them that came by then differs clearly from
the share of all calls: the two-sample distance of Kolmogorov and Smirnov, one-sided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmwire.report._formatting import Clock

UNEVEN = 0.2
"""Minimum distance, at one end or both, that is reported."""

KS_CRITICAL_1PCT = 1.63
"""The distance, times the root of the number of calls, that chance exceeds in 1 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Window:
    """The period of most of some calls; `stop` is before `start` if they came early and late."""

    start: int | None
    stop: int | None
    inside: int
    """Number of these calls within the period."""

    def describe(self, clock: Clock, moments: Mapping[int, tuple[int, int]]) -> str:
        """Return the period as text: since, by, or between `moments`, which are given by bucket.

        Buckets only count calls; the text has the times of the first and the last call.
        """
        late = {at for at in moments if self.start is not None and at >= self.start}
        early = {at for at in moments if self.stop is not None and at < self.stop}
        if self.start is not None and self.stop is not None and self.start < self.stop:
            late = early = late & early
        since = min((moments[at][0] for at in late), default=None)
        until = max((moments[at][1] for at in early), default=None)
        first = "" if since is None else clock.moment(since)
        last = "" if until is None else clock.moment(until)
        if since is None or until is None:
            return f"since {first}" if first else f"by {last}" if last else "then"
        if since > until:
            return f"by {last} or since {first}"
        return f"at {first}" if first == last else f"between {first} and {last}"


def find_window(some: Mapping[int, int], every: Mapping[int, int]) -> Window | None:
    """Return the period of `some` of `every` call, both by bucket; None if even."""
    all_some, all_every = sum(some.values()), sum(every.values())
    if not all_some:
        return None
    ahead = 0.0  # the share of every call minus the share of some, before a bucket
    at_start: list[tuple[float, int]] = []
    for bucket in sorted(every):
        at_start.append((ahead, bucket))
        ahead += every[bucket] / all_every - some.get(bucket, 0) / all_some
    (began, first), (ended, last) = max(at_start), min(at_start)
    chance = KS_CRITICAL_1PCT / math.sqrt(all_some)
    if max(began, -ended) < max(UNEVEN, chance):
        return None
    start = first if began >= chance else None
    stop = last if -ended >= chance else None
    late = {bucket for bucket in some if start is not None and bucket >= start}
    early = {bucket for bucket in some if stop is not None and bucket < stop}
    is_one_stretch = start is not None and stop is not None and start < stop
    buckets = late & early if is_one_stretch else late | early
    return Window(start, stop, sum(some[bucket] for bucket in buckets))
