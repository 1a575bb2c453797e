"""Checks of arguments: what no member may be sent is refused by its name, before it is."""

from __future__ import annotations

from jvmwire.errors import ConfigError


def at_least(name: str, value: int, least: int) -> int:
    """Return a whole number that is not too small.

    Raises:
        ConfigError: it is below `least`. A `ValueError`.
        TypeError: it is no whole number.
    """
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise TypeError(f"{name} must be a whole number, got {type(value).__name__}")
    number = value.__index__()
    if number < least:
        raise ConfigError(f"{name} must be at least {least}, got {number}")
    return number
