"""Checks of arguments: what no member may be sent is refused by its name, before it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jvmwire.errors import ConfigError
from jvmwire.escaping import is_unicode, quote


def seconds_of(name: str, seconds: float) -> float:
    """Return a number of seconds; infinity is for ever.

    Raises:
        TypeError: it is no number.
        ConfigError: it is below 0 or not a number. A `ValueError`.
    """
    if isinstance(seconds, (bool, str, bytes)) or not hasattr(type(seconds), "__float__"):
        raise TypeError(f"{name} must be a number of seconds, got {type(seconds).__name__}")
    if not seconds >= 0:
        raise ConfigError(f"{name} must be at least 0 seconds, got {seconds}")
    return seconds


def at_least(name: str, value: int, least: int, *, bits: int = 32) -> int:
    """Return a whole number that is not too small, and that `bits` with its sign can hold.

    Raises:
        ConfigError: it is below `least`, or too large. A `ValueError`.
        TypeError: it is no whole number.
    """
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise TypeError(f"{name} must be a whole number, got {type(value).__name__}")
    number = value.__index__()
    if number < least:
        raise ConfigError(f"{name} must be at least {least}, got {number}")
    if number >= 1 << (bits - 1):
        raise ConfigError(f"{name} must be below 2^{bits - 1}, got {number}")
    return number


def whole(name: str, value: int) -> int:
    """Return a whole number of 64 bits.

    Raises:
        ConfigError: it has more. A `ValueError`.
        TypeError: it is no whole number.
    """
    return at_least(name, value, -1 << 63, bits=64)


def text(name: str, value: str) -> str:
    """Return a text that can be sent.

    Raises:
        ConfigError: it is not Unicode. A `ValueError`.
        TypeError: it is no text.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if not is_unicode(value):
        raise ConfigError(f"{name} must be valid Unicode, got {quote(value)}")
    return value


def mapping(name: str, value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a mapping, or raise a `TypeError`."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, got {type(value).__name__}")
    return value
