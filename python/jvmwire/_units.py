"""Formatting of numbers, durations and sizes with their units, for readers."""

from __future__ import annotations

SECOND = 1_000_000
"""Microseconds per second."""

_LARGE = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


def number(value: int) -> str:
    """Format a number as 1,204 or 12.3 million."""
    for size, name in _LARGE:
        # 999,950,000 is a billion, not 1,000 million.
        if value >= size * 0.99995 and value >= 10**6:
            return f"{short(value / size)} {name}"
    return f"{value:,}"


def plural(value: int, noun: str, many: str | None = None) -> str:
    """Format a number with a noun as 1 call or 1,204 calls."""
    return f"{number(value)} {noun if value == 1 else many or noun + 's'}"


def share(part: int, whole: int) -> str:
    """Format a share as 61 %; 100 % and 0 % are exact."""
    return share_of(part / whole if whole else 0.0)


def share_of(part: float) -> str:
    """Format a share from 0 to 1 in percent."""
    percent = 100 * part
    if percent in {0.0, 100.0}:
        return f"{percent:.0f} %"
    if percent < 0.1:
        return "under 0.1 %"
    if percent > 99.9:
        return "over 99.9 %"
    return f"{percent:.0f} %" if 9.95 <= percent < 99 else f"{short(percent)} %"


def latency(microseconds: float) -> str:
    """Format microseconds as 212 µs, 3.4 ms, 2 s or 2 min 5 s."""
    for size, unit in ((1, "µs"), (1000, "ms")):
        if microseconds < size * 999.5:
            value = microseconds / size
            return f"{short(value) if value < 9.95 else f'{value:.0f}'} {unit}"
    seconds = microseconds / SECOND
    if seconds < 59.5:
        return f"{short(seconds) if seconds < 9.95 else f'{seconds:.0f}'} s"
    return duration(microseconds)


def duration(microseconds: float) -> str:
    """Format microseconds as 8 s, 2 min 5 s, 3 h 4 min or 2 days 3 h."""
    if microseconds < 59.5 * SECOND:
        return latency(microseconds)
    seconds = round(microseconds / SECOND)
    if seconds < 3600:
        return _two(seconds, 60, "min", "s")
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return _two(minutes, 60, "h", "min")
    hours = round(seconds / 3600)
    return _two(hours, 24, "day" if hours < 48 else "days", "h")


def size(octets: int) -> str:
    """Format a number of bytes as 340 bytes, 1.2 kB or 3.4 GB."""
    if octets < 1000:
        return plural(octets, "byte")
    value = float(octets)
    for unit in ("kB", "MB", "GB", "TB", "PB"):
        value /= 1000
        if value < 999.5 or unit == "PB":
            break
    return f"{short(value) if value < 99.95 else f'{value:,.0f}'} {unit}"


def short(value: float) -> str:
    """Format a number with one decimal place, unless that is 0."""
    return f"{value:.1f}".removesuffix(".0")


def _two(value: int, base: int, large: str, small: str) -> str:
    whole, rest = divmod(value, base)
    return f"{whole} {large} {rest} {small}" if rest else f"{whole} {large}"
