"""Arithmetic of Java's numbers."""

from __future__ import annotations


def wrapped(value: int, bits: int = 64) -> int:
    """Return a number as Java's arithmetic has it.

    Args:
        value: The number.
        bits: Bits of the type. Default: 64, of `long`.

    Returns:
        The number within that many bits.
    """
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half
