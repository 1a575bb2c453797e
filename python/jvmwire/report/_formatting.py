"""Formatting of numbers and times for readers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from jvmwire._units import SECOND, duration, latency, number, plural, share, share_of, size

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "Clock",
    "day",
    "duration",
    "latency",
    "number",
    "plural",
    "ratio",
    "share",
    "share_of",
    "size",
    "utc",
]

MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ratio(value: float) -> str:
    """Format a ratio as 6.1x."""
    return f"{value:,.0f}x" if value >= 9.95 else f"{value:.1f}x"


def utc(microseconds: int) -> datetime:
    """Convert microseconds since 1970 to a datetime."""
    return _EPOCH + timedelta(microseconds=microseconds)


def day(microseconds: int) -> str:
    """Format a day as 2 March 2026."""
    return f"{utc(microseconds):%-d %B %Y}"


@dataclass(frozen=True, slots=True)
class Clock:
    """Format of moments, with as much of the date as the time from `first` to `last` needs."""

    first: int
    last: int

    def moment(self, microseconds: int) -> str:
        """Format a moment as 10:42:07, or 2 Mar 10:42:07 if the traffic covers several days."""
        when = utc(microseconds)
        time = f"{when:%H:%M:%S}"
        if utc(self.first).date() == utc(self.last).date():
            return time
        if utc(self.first).year == utc(self.last).year:
            return f"{when:%-d %b} {time}"
        return f"{when:%-d %b %Y} {time}"

    @property
    def span(self) -> str:
        """The whole period as 2 March 2026, 10:40:00 to 10:50:03 UTC, or one time if equal."""
        start, stop = f"{utc(self.first):%H:%M:%S}", f"{utc(self.last):%H:%M:%S}"
        if utc(self.first).date() != utc(self.last).date():
            return f"{day(self.first)} {start} to {day(self.last)} {stop} UTC"
        if start == stop:
            return f"{day(self.first)}, {start} UTC"
        return f"{day(self.first)}, {start} to {stop} UTC"
