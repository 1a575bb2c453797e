"""Checks of the arguments of client calls, made before anything is sent.

A segment store closes the connection after a negative offset, a version below -1 or an empty name
of a new segment. Calls share that connection: without these checks one wrong argument would end the
calls of all other threads and tasks.
"""

from __future__ import annotations

import math
from typing import Any

from jvmwire._checks import MAX_LONG, check_range, check_type
from jvmwire._times import to_seconds
from jvmwire.errors import ConfigError

__all__ = [
    "MAX_INT",
    "MAX_KEY_LENGTH",
    "MAX_LONG",
    "check_bytes",
    "check_events",
    "check_milliseconds",
    "check_name",
    "check_offset",
    "check_range",
    "check_timestamp",
    "check_type",
]

MAX_INT = (1 << 31) - 1
"""`Integer.MAX_VALUE`."""
MAX_KEY_LENGTH = 256
"""Bytes per key of a table with fixed-length keys, at most: `AttributeId.MAX_LENGTH`."""


def check_offset(name: str, value: Any) -> int:
    """Return `value` as an offset in a segment, 0 or more.

    Raises:
        TypeError: `value` is not an integer.
        ConfigError: `value` is negative or above 2^63 - 1.
    """
    return check_range(name, value, 0, MAX_LONG)


def check_timestamp(value: Any) -> int:
    """Return `value` as a timestamp, a signed integer of 64 bits.

    Raises:
        TypeError: `value` is not an integer.
        ConfigError: `value` is out of range.
    """
    return check_range("timestamp", value, -MAX_LONG - 1, MAX_LONG)


def check_bytes(name: str, value: Any) -> None:
    """Raise `TypeError` if `value` is not bytes, or another object with a buffer."""
    if type(value) is bytes:
        return
    try:
        memoryview(value)
    except TypeError:
        raise TypeError(f"{name} must be bytes, got {type(value).__name__}") from None


def check_events(events: Any) -> None:
    """Raise `TypeError` if `events` is not a list of bytes; one event of each type is checked."""
    try:
        kinds = dict(zip(map(type, events), events, strict=True))
    except TypeError:
        raise TypeError(f"events must be a list of bytes, got {type(events).__name__}") from None
    for event in kinds.values():
        check_bytes("each of the events", event)


def check_name(kind: str, value: Any) -> str:
    """Return `value` if it is a non-empty string; `kind` is the noun used in errors.

    Raises:
        TypeError: `value` is not a string.
        ConfigError: `value` is empty.
    """
    if not isinstance(value, str):
        raise TypeError(f"the name of a {kind} must be a str, got {type(value).__name__}")
    if not value:
        raise ConfigError(f"the name of a {kind} must not be empty")
    return value


def check_milliseconds(name: str, seconds: Any) -> int:
    """Convert seconds or a `timedelta` to whole milliseconds, 1 or more.

    Raises:
        TypeError: `seconds` is neither a number nor a `timedelta`.
        ConfigError: `seconds` is not finite, below a millisecond, or above Java's largest `long`.
    """
    seconds = to_seconds(name, seconds)
    milliseconds = round(seconds * 1000) if math.isfinite(seconds) else 0
    if not 1 <= milliseconds <= MAX_LONG:
        raise ConfigError(
            f"{name} must be a finite number of seconds, at least 0.001, got {seconds}"
        )
    return milliseconds
