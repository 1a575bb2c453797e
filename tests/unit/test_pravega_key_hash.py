"""Hashes of keys; `tests/interop` has Java find the entries that they place."""

import pytest

from jvmwire.pravega.streams.key_hash import murmur3, position_of


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        (b"", 0, 0),
        (b"hello", 0, 0xCBD8A7B341BD9B02),
        (b"The quick brown fox jumps over the lazy dog", 0, 0xE34BBC7BBC071B6C),
    ],
)
def test_hashes_are_those_of_murmur3_x64(data, seed, expected):
    assert murmur3(data, seed) == expected


def test_positions_are_within_the_range_of_keys():
    positions = [position_of(number.to_bytes(9, "big")) for number in range(1000)]
    assert all(0 <= each < 1 for each in positions)
    assert min(positions) < 0.01
    assert max(positions) > 0.99
