"""Conversion of times that users give: seconds, `timedelta` and `datetime`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from jvmwire._checks import WrongType, is_whole
from jvmwire.errors import ConfigError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
BITS = 64
"""The bits of Java's `long`."""


def to_seconds(name: str, value: Any, *, optional: bool = False) -> float:
    """Convert a duration to seconds; infinity means no limit.

    Args:
        name: Name of the argument, for errors.
        value: A number of seconds or a `timedelta`.
        optional: Whether the error of another type names None as a choice.

    Returns:
        The seconds: an `int` or a `float` as it was given, any other number as a `float`.

    Raises:
        ConfigError: `value` is negative, NaN or too large for a `float`.
        TypeError: `value` is neither a number nor a `timedelta`; this is also a `ConfigError`.
    """
    if type(value) is int or type(value) is float:
        seconds: float = value
    elif isinstance(value, timedelta):
        seconds = value.total_seconds()
    elif isinstance(value, (bool, str, bytes)) or not hasattr(type(value), "__float__"):
        none = ", or None" if optional else ""
        raise WrongType(
            f"{name} must be a number of seconds or a timedelta{none}, got {type(value).__name__}"
        )
    else:
        seconds = float(value)
    try:
        number = float(seconds)
    except OverflowError:
        raise ConfigError(f"{name} must be a number of seconds below 1e308") from None
    if not number >= 0:
        raise ConfigError(f"{name} must be at least 0 seconds, got {number:g}")
    return seconds


def to_epoch_millis(name: str, value: Any) -> int:
    """Convert a time to the milliseconds since 1970 that Java counts.

    Args:
        name: Name of the argument, for errors.
        value: A `datetime` with a time zone, or whole milliseconds since 1970 in UTC: a signed
            number, or an unsigned one of 64 bits, as messages have it.

    Returns:
        The milliseconds, rounded down; negative before 1970.

    Raises:
        ConfigError: the `datetime` has no time zone, or the number is no Java `long`.
        TypeError: `value` is neither; this is also a `ConfigError`.
    """
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ConfigError(
                f"{name} must be a datetime with a time zone, as datetime.now(UTC), got {value}"
            )
        return (value - EPOCH) // MILLISECOND
    if not is_whole(value):
        raise WrongType(
            f"{name} must be a datetime or whole milliseconds since 1970, "
            f"got {type(value).__name__}"
        )
    millis: int = value.__index__()
    if not -(1 << (BITS - 1)) <= millis < 1 << BITS:
        raise ConfigError(f"{name} must be -2^63 to 2^64 - 1 milliseconds, got {millis}")
    return millis
