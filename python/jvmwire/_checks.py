"""Checks of arguments and options; errors name the argument or the option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LONG = (1 << 63) - 1
"""`Long.MAX_VALUE`: the largest offset, length and version."""


class WrongType(ConfigError, TypeError):
    """A value of the wrong type: a `ConfigError`, as every wrong option, and a `TypeError`."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name: the most similar known name.

    Args:
        name: The unknown name.
        known: The names that there are.

    Returns:
        Such as `"; did you mean 'user'?"`; empty if no name is like it.
    """
    from difflib import get_close_matches  # only errors need it

    spelled = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), spelled, 1)
    return f"; did you mean {str(spelled[near[0]])!r}?" if near else ""


def is_whole(value: object) -> bool:
    """Return whether `value` is an `int` or a number like one, and no `bool`."""
    return not isinstance(value, bool) and hasattr(type(value), "__index__")


def whole_number(name: str, value: Any) -> int:
    """Return a whole number as an `int`.

    Args:
        name: Name of the argument or option.
        value: Its value.

    Returns:
        The number.

    Raises:
        TypeError: `value` is not a whole number; this is also a `ConfigError`.
    """
    if not is_whole(value):
        raise WrongType(f"{name} must be a whole number, got {type(value).__name__}")
    number: int = value.__index__()
    return number


def at_least(name: str, value: Any, least: int, *, bits: int | None = 32) -> int:
    """Check a whole number against a minimum, and the range of a signed integer of `bits` bits.

    Args:
        name: Name of the argument or option.
        value: Its value.
        least: Smallest valid value.
        bits: Width of the signed integer, 32 by default; None is any width.

    Returns:
        The number.

    Raises:
        ConfigError: `value` is below `least`, or too large; this is a `ValueError`.
        TypeError: `value` is not a whole number; this is also a `ConfigError`.
    """
    number = whole_number(name, value)
    if number < least:
        raise ConfigError(f"{name} must be at least {least}, got {_shown(number)}")
    if bits is not None and number >= 1 << (bits - 1):
        raise ConfigError(f"{name} must be below 2^{bits - 1}, got {_shown(number)}")
    return number


def within(name: str, value: Any, least: int, most: int) -> int:
    """Check a whole number against a range of which usually one bound matters.

    Args:
        name: Name of the argument or option.
        value: Its value.
        least: Smallest valid value.
        most: Largest valid value.

    Returns:
        The number.

    Raises:
        ConfigError: `value` is out of the range, of which the error names the broken bound.
        TypeError: `value` is not a whole number; this is also a `ConfigError`.
    """
    number = at_least(name, value, least, bits=None)
    if number > most:
        raise ConfigError(f"{name} must be at most {most}, got {_shown(number)}")
    return number


def check_range(name: str, value: Any, low: int, high: int) -> int:
    """Check a whole number against a range.

    Args:
        name: Name of the argument or option.
        value: Its value.
        low: Smallest valid value.
        high: Largest valid value.

    Returns:
        The number.

    Raises:
        ConfigError: `value` is out of range; this is a `ValueError`.
        TypeError: `value` is not a whole number; this is also a `ConfigError`.
    """
    number = whole_number(name, value)
    if not low <= number <= high:
        raise ConfigError(f"{name} must be {low} to {high}, got {_shown(number)}")
    return number


def check_type(name: str, value: Any, kind: type) -> None:
    """Check that a value is an instance of a class.

    Args:
        name: Name of the argument or option.
        value: Its value.
        kind: The class.

    Raises:
        TypeError: `value` is not an instance of it; this is also a `ConfigError`.
    """
    if not isinstance(value, kind):
        raise WrongType(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def check_callable(name: str, value: Any) -> None:
    """Check that a value is None or can be called.

    Args:
        name: Name of the argument or option.
        value: Its value.

    Raises:
        TypeError: `value` is neither; this is also a `ConfigError`.
    """
    if value is not None and not callable(value):
        raise WrongType(f"{name} must be a function or None, got {type(value).__name__}")


def _shown(number: int) -> str:
    # Python refuses to write numbers of thousands of digits.
    bits = number.bit_length()
    return str(number) if bits <= _MAX_SHOWN_BITS else f"a number of {bits} bits"


_MAX_SHOWN_BITS = 128
