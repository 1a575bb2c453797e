"""Rows and error rows together take each byte of each direction once, in order."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire.capture import CaptureWriter
from kit import wire
from kit.captures import NAMENODE, SASL, SEED, WRITABLE
from kit.directions import directions
from kit.rows import (
    CLIENT_ADDRESS,
    SERVER_ADDRESS,
    Decoded,
    Side,
    covered,
    decode_capture,
    decode_dump,
)
from kit.samples import CLIENT_PIECES, CLIENT_STREAM, SERVER_PIECES, SERVER_STREAM
from kit.scale import seeded, times

SIDES = ["client", "server", "any"]


def assert_covers(ranges: list[tuple[int, int]], length: int) -> None:
    ranges.sort()
    assert all(start < end for start, end in ranges)
    assert all(end == start for (_, end), (start, _) in pairwise(ranges))
    assert (ranges[0][0], ranges[-1][1]) == (0, length) if length else ranges == []


def assert_covers_dump(dump: bytes, side: str) -> None:
    decoded = decode_dump(dump, side)
    ranges = [(row["offset"], row["offset"] + row["length"]) for row in decoded.messages]
    assert ranges == sorted(ranges)
    assert_covers(ranges, len(dump))
    assert_counted(decoded)


def assert_counted(decoded: Decoded) -> None:
    """Check that rows with an error are counted as errors, the others as messages."""
    wrong = [row for row in decoded.messages if row["error"] is not None]
    assert sum(pieces for _, pieces, _ in decoded.undecoded) == len(wrong)
    assert sum(size for _, _, size in decoded.undecoded) == sum(row["length"] for row in wrong)
    assert sum(stream["errors"] for stream in decoded.streams) == len(wrong)
    named = [row for row in decoded.messages if row["name"] is not None]
    assert sum(stream["messages"] for stream in decoded.streams) == len(named)


@pytest.mark.parametrize("side", SIDES)
def test_every_part_of_a_stream_is_covered(side: str) -> None:
    for dump in (CLIENT_STREAM, SERVER_STREAM, (SEED / "client-call.bin").read_bytes()):
        for start in range(0, len(dump), 3):
            assert_covers_dump(dump[start:], side)
            assert_covers_dump(dump[:start], side)


@pytest.mark.parametrize("path", [NAMENODE, WRITABLE, SASL], ids=["namenode", "writable", "sasl"])
def test_each_direction_of_a_recording_is_covered_and_is_what_another_tool_puts_together(
    path: Path,
) -> None:
    decoded = decode_capture(path.read_bytes())
    ranges = covered(decoded)
    ways = directions(path)
    assert len(decoded.streams) == len(ways)
    for stream, way in enumerate(ways):
        assert_covers(ranges[stream, "client"], len(way.client))
        assert_covers(ranges[stream, "server"], len(way.server))


@pytest.mark.parametrize("path", [WRITABLE, SASL], ids=["writable", "sasl"])
def test_the_dumps_of_a_connection_have_the_rows_of_its_capture(path: Path) -> None:
    recorded = decode_capture(path.read_bytes())
    for stream, way in enumerate(directions(path)):
        dumped = decode_dump(way.client, replies=way.server)
        assert _without_times(dumped, 0) == _without_times(recorded, stream)


@given(
    st.lists(st.sampled_from(CLIENT_PIECES + SERVER_PIECES) | st.binary(max_size=20), max_size=8)
)
def test_whatever_stands_in_a_dump_is_covered(parts: list[bytes]) -> None:
    for side in SIDES:
        assert_covers_dump(b"".join(parts), side)


@given(st.binary(max_size=300))
def test_random_bytes_are_covered(dump: bytes) -> None:
    for side in SIDES:
        assert_covers_dump(dump, side)


@pytest.mark.parametrize("seen_from", ["its start", "the middle"])
def test_what_a_capture_misses_is_covered_too(seen_from: str) -> None:
    rng = seeded(4)
    for _ in range(times(200)):
        said = _conversation(rng)
        opening, *data, end = _packets(rng, said)
        kept = [packet for packet in data if rng.random() > 0.15]
        start = [opening] if seen_from == "its start" else []
        decoded = decode_capture(b"".join([CaptureWriter().header(), *start, *kept, end]))
        assert_counted(decoded)
        ranges = covered(decoded)
        for stream in decoded.streams:
            for side, whole in said.items():
                taken = sorted(ranges[stream["stream"], side])
                assert all(end == start for (_, end), (start, _) in pairwise(taken))
                total = sum(end - start for start, end in taken)
                assert total == stream[f"{side}_bytes"] + stream[f"{side}_lost_bytes"]
                if start:
                    # The row at the connection's end has its length.
                    assert_covers(taken, len(whole))


def _conversation(rng: Random) -> dict[Side, bytes]:
    ids = range(rng.randrange(1, 12))
    calls = [wire.stat(id_, f"/user/alice/{'x' * rng.randrange(40)}") for id_ in ids]
    said: dict[Side, bytes] = {
        "client": wire.conversation(calls),
        "server": b"".join(wire.reply(id_, rng.randbytes(rng.randrange(60))) for id_ in ids),
    }
    # Now and then, something else entirely.
    return {side: rng.randbytes(200) if rng.random() < 0.2 else data for side, data in said.items()}


def _packets(rng: Random, said: dict[Side, bytes]) -> list[bytes]:
    """Return the opening packets, the data in small segments, and the closing packets."""
    writer = CaptureWriter()
    connection, opening = writer.open(CLIENT_ADDRESS, SERVER_ADDRESS, 0)
    packets, left = [opening], dict(said)
    while speakers := [side for side, data in left.items() if data]:
        side, size = rng.choice(speakers), rng.choice([1, 2, 3, rng.randrange(4, 80)])
        packets.append(writer.data(connection, side, left[side][:size], len(packets)))
        left[side] = left[side][size:]
    return [*packets, writer.close(connection, len(packets))]


def _without_times(decoded: Decoded, stream: int) -> list[tuple[object, ...]]:
    rows = [row for row in decoded.messages if row["stream"] == stream]
    rows.sort(key=lambda row: (row["side"], row["offset"]))
    shown = ("side", "offset", "length", "name", "kind", "id", "fields", "error")
    calls = [call for call in decoded.calls if call["stream"] == stream]
    calls.sort(key=lambda call: int(call["request_offset"]))
    asked = ("id", "user", "name", "target", "request_offset", "reply_offset", "status", "retry")
    return [tuple(row[key] for key in shown) for row in rows] + [
        tuple(call[key] for key in asked) for call in calls
    ]
