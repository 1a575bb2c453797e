"""Checks of arguments, with the name of the argument in each error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jvmwire._checks import at_least
from jvmwire._escaping import is_unicode, quote
from jvmwire.errors import ConfigError

NULL = bytes(8)
"""A serialized None: partition hash 0 and `TypeId.NULL`."""


def integer(name: str, value: int) -> int:
    """Check an integer against the range of a signed 64-bit integer.

    Args:
        name: Name of the argument.
        value: Value of the argument.

    Returns:
        The integer.

    Raises:
        ConfigError: `value` is outside of the range; this is a `ValueError`.
        TypeError: `value` is not an integer.
    """
    return at_least(name, value, -1 << 63, bits=64)


def text(name: str, value: str) -> str:
    """Check that a string can be encoded.

    Args:
        name: Name of the argument.
        value: Value of the argument.

    Returns:
        The string.

    Raises:
        ConfigError: `value` is not valid Unicode; this is a `ValueError`.
        TypeError: `value` is not a string.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if not is_unicode(value):
        raise ConfigError(f"{name} must be valid Unicode, got {quote(value)}")
    return value


def mapping(name: str, value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Check that a value is a mapping.

    Args:
        name: Name of the argument.
        value: Value of the argument.

    Returns:
        The mapping.

    Raises:
        TypeError: `value` is not a mapping.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, got {type(value).__name__}")
    return value


def no_none() -> ValueError:
    """Return the error for None as a key, value or item.

    Returns:
        The error. Java's clients reject null too, because members would keep a value that reads
        as absent.
    """
    return ValueError("None is not allowed as a key, value or item")
