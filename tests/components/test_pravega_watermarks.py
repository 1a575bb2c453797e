"""Watermarks: what is decoded, and on which side of one a position is."""

import pytest

from jvmwire.errors import DecodeError
from jvmwire.pravega.streams import Watermark
from jvmwire.pravega.streams._position import AT_END
from jvmwire.pravega.streams._watermarks import WATERMARK

LATER = 1 << 32
"""The epoch after the first, in a segment's id."""
WHOLE, LEFT, RIGHT = (0.0, 1.0), (0.0, 0.5), (0.5, 1.0)


def encoded(*places, lower=5, upper=7):
    cut = [
        ({"segment_id": number, "low": low, "high": high}, offset)
        for number, (low, high), offset in places
    ]
    return WATERMARK.encode({"lower": lower, "upper": upper, "cut": cut})


def watermark(*places):
    return Watermark.decode("s/t", encoded(*places))


def test_watermark_is_read_as_java_writes_it():
    java = (
        b"\0\0\1\0\0\0\0\x36" + (5).to_bytes(8, "big") + (7).to_bytes(8, "big") + b"\1"
        b"\0\0\1\0\0\0\0\x18" + bytes(16) + b"\x3f\xf0" + bytes(6) + (9).to_bytes(8, "big")
    )
    java = java[:7] + bytes([len(java) - 8]) + java[8:]
    assert encoded((0, WHOLE, 9)) == java
    found = watermark((0, WHOLE, 9))
    assert (found.lower, found.upper, dict(found.cut.positions)) == (5, 7, {0: 9})


@pytest.mark.parametrize("length", range(len(encoded((0, WHOLE, 9)))))
def test_watermark_cut_anywhere_is_a_decode_error(length):
    with pytest.raises(DecodeError):
        Watermark.decode("s/t", encoded((0, WHOLE, 9))[:length])


def test_watermark_at_a_negative_offset_is_a_decode_error():
    with pytest.raises(DecodeError, match="offset of a cut must be"):
        Watermark.decode("s/t", encoded((0, WHOLE, -9)))


@pytest.mark.parametrize(
    ("places", "side"),
    [
        ([(0, WHOLE, 8)], -1),
        ([(0, WHOLE, 9)], 1),
        ([(0, WHOLE, 10)], 1),
        ([(0, WHOLE, AT_END)], 1),
        ([(0, None, 8)], -1),
        ([(LATER | 1, LEFT, 0), (LATER | 2, RIGHT, 0)], 1),
        ([], 1),
    ],
)
def test_position_is_before_or_after_a_watermark_of_one_segment(places, side):
    assert watermark((0, WHOLE, 9)).compare(places) == side


@pytest.mark.parametrize(
    ("places", "side"),
    [
        ([(0, LEFT, 9), (1, RIGHT, 9)], 1),
        ([(0, LEFT, 9), (1, RIGHT, 8)], -1),
        ([(0, LEFT, 10), (1, RIGHT, 8)], 0),
        ([(0, None, 9), (LATER | 2, None, 0)], 1),
        ([(LATER | 2, LEFT, 0), (1, RIGHT, 8)], 0),
    ],
)
def test_position_is_before_or_after_a_watermark_of_two_segments(places, side):
    assert watermark((0, LEFT, 9), (1, RIGHT, 9)).compare(places) == side


def test_position_before_a_split_is_before_a_watermark_after_it():
    after = watermark((LATER | 1, LEFT, 0), (LATER | 2, RIGHT, 0))
    assert after.compare([(0, WHOLE, AT_END)]) == -1
    assert after.compare([(LATER | 1, LEFT, 0), (LATER | 2, RIGHT, 0)]) == 1
