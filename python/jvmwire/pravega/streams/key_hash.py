"""Partition of a key in a key-value table: MurmurHash3 (x64, 128 bits) of its primary part.

A key has at most a few hundred bytes, and is hashed once per call to a segment store.
"""

from __future__ import annotations

SEED = -2020233499
"""`"KeyValueTableRouter".hashCode()` in Java: `KeyValueTableSegments.HASHER`."""
_MASK = (1 << 64) - 1
_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
_FRACTION_BITS = 52
"""Bits of a hash that its position has: `HashHelper.longToDoubleFraction`."""


def position_of(primary_key: bytes) -> float:
    """Return the position of a key in the range of all keys, 0 to 1."""
    hashed = murmur3(primary_key, SEED)
    return (hashed >> 12 & (1 << _FRACTION_BITS) - 1) / (1 << _FRACTION_BITS)


def murmur3(data: bytes, seed: int) -> int:
    """Return the first 64 bits of MurmurHash3 x64 128, as Guava's `murmur3_128(seed)` has them."""
    first = second = seed & _MASK
    whole = len(data) & ~15
    for at in range(0, whole, 16):
        first ^= _mix_first(int.from_bytes(data[at : at + 8], "little"))
        first = (_rotate(first, 27) + second) * 5 + 0x52DCE729 & _MASK
        second ^= _mix_second(int.from_bytes(data[at + 8 : at + 16], "little"))
        second = (_rotate(second, 31) + first) * 5 + 0x38495AB5 & _MASK
    second ^= _mix_second(int.from_bytes(data[whole + 8 :], "little"))
    first ^= _mix_first(int.from_bytes(data[whole : whole + 8], "little"))
    first ^= len(data)
    second ^= len(data)
    first = first + second & _MASK
    second = second + first & _MASK
    return _finish(first) + _finish(second) & _MASK


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> 64 - bits) & _MASK


def _mix_first(value: int) -> int:
    return _rotate(value * _C1 & _MASK, 31) * _C2 & _MASK


def _mix_second(value: int) -> int:
    return _rotate(value * _C2 & _MASK, 33) * _C1 & _MASK


def _finish(value: int) -> int:
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & _MASK
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & _MASK
    return value ^ value >> 33
