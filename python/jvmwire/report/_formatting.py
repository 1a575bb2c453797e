"""Formatting of numbers and times for readers."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from jvmwire._units import SECOND, duration, latency, number, plural, share, share_of, short, size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "Clock",
    "day",
    "duration",
    "in_zone",
    "instant",
    "latency",
    "local",
    "number",
    "plural",
    "rate",
    "ratio",
    "share",
    "share_of",
    "size",
    "zone_name",
]

MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def rate(per_second: float) -> str:
    """Format calls per second as 12/s, 3.4/min or 2/h."""
    for seconds, unit in ((1, "s"), (60, "min"), (3600, "h")):
        value = per_second * seconds
        if value >= 0.995 or unit == "h":
            break
    return f"{short(value) if value < 9.95 else f'{value:,.0f}'}/{unit}"


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ratio(value: float) -> str:
    """Format a ratio as 6.1x."""
    return f"{value:,.0f}x" if value >= 9.95 else f"{value:.1f}x"


_ZONE: ContextVar[tzinfo] = ContextVar("zone", default=UTC)
"""The time zone in which a report is written: all sentences, tables and axes of a page share it."""


@contextmanager
def in_zone(zone: tzinfo) -> Iterator[None]:
    """Format times in a time zone within the block; elsewhere, they are in UTC."""
    token = _ZONE.set(zone)
    try:
        yield
    finally:
        _ZONE.reset(token)


def local(microseconds: int) -> datetime:
    """Convert microseconds since 1970 to a time in the report's time zone."""
    return (_EPOCH + timedelta(microseconds=microseconds)).astimezone(_ZONE.get())


def instant(moment: datetime) -> int:
    """Convert a time of the report's time zone, given without an offset, to microseconds."""
    return (moment.replace(tzinfo=_ZONE.get()) - _EPOCH) // timedelta(microseconds=1)


def zone_name() -> str:
    """Return the name of the report's time zone, such as UTC or Europe/Berlin."""
    return str(_ZONE.get())


def day(microseconds: int) -> str:
    """Format a day as 2 March 2026."""
    return f"{local(microseconds):%-d %B %Y}"


@dataclass(frozen=True, slots=True)
class Clock:
    """Format of moments, with as much of the date as the time from `first` to `last` needs."""

    first: int
    last: int

    def moment(self, microseconds: int) -> str:
        """Format a moment as 10:42:07, or 2 Mar 10:42:07 if the traffic covers several days."""
        when = local(microseconds)
        time = f"{when:%H:%M:%S}"
        if local(self.first).date() == local(self.last).date():
            return time
        if local(self.first).year == local(self.last).year:
            return f"{when:%-d %b} {time}"
        return f"{when:%-d %b %Y} {time}"

    @property
    def span(self) -> str:
        """The whole period as 2 March 2026, 10:40:00 to 10:50:03 UTC, or one time if equal."""
        start, stop = f"{local(self.first):%H:%M:%S}", f"{local(self.last):%H:%M:%S}"
        if local(self.first).date() != local(self.last).date():
            return f"{day(self.first)} {start} to {day(self.last)} {stop} {zone_name()}"
        if start == stop:
            return f"{day(self.first)}, {start} {zone_name()}"
        return f"{day(self.first)}, {start} to {stop} {zone_name()}"
