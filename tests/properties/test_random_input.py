"""Decoding of any bytes continues, reports the faults, and stays small and quick."""

import gzip
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.captures import NAMENODE, RECORDINGS, SASL, SEED, WRITABLE
from kit.directions import Directions, directions
from kit.rows import decode_capture, decode_dump, explain_dump, midway
from kit.samples import CLIENT_STREAM, SERVER_STREAM
from kit.scale import seeded, times

SIDES = ["client", "server", "any"]
SEEDS = [(SEED / name).read_bytes() for name in ("client-call.bin", "ping.bin", "reply.bin")]


@pytest.fixture(scope="module")
def busiest() -> Directions:
    """Return the connection of the NameNode's recording with the most bytes."""
    return max(directions(NAMENODE), key=lambda way: len(way.client))


@given(st.binary(max_size=2000))
def test_random_bytes_are_rows(dump: bytes) -> None:
    for side in SIDES:
        decode_dump(dump, side)
        explain_dump(dump, side)
    decode_dump(dump, replies=dump[::-1])
    decode_capture(dump)
    decode_capture(dump, protocol="hadoop")


@pytest.mark.parametrize("dump", [*SEEDS, CLIENT_STREAM, SERVER_STREAM], ids=len)
def test_each_byte_may_be_wrong(dump: bytes) -> None:
    rng = seeded(5)
    for at in range(len(dump)):
        for byte in {0, 0xFF, 0x80, dump[at] ^ 1, rng.randrange(256)}:
            wrong = dump[:at] + bytes([byte]) + dump[at + 1 :]
            for side in SIDES:
                decode_dump(wrong, side)


@pytest.mark.parametrize("side", SIDES)
def test_mutated_streams_are_rows(busiest: Directions, side: str) -> None:
    rng = seeded(6)
    for _ in range(times(120)):
        origin = rng.choice([CLIENT_STREAM + SERVER_STREAM, busiest.client[:3000]])
        wrong = _mutated(rng, origin)
        decode_dump(wrong, side)
        explain_dump(wrong, side)


@pytest.mark.parametrize("path", [WRITABLE, SASL], ids=["writable", "sasl"])
def test_a_mutated_capture_is_rows_and_at_most_one_sentence_of_damage(path: Path) -> None:
    rng = seeded(7)
    file = path.read_bytes()
    for packed in (file, gzip.compress(file)):
        for _ in range(times(60)):
            decoded = decode_capture(_mutated(rng, packed))
            about_file = [row["error"] for row in decoded.messages if row["stream"] == -1]
            assert about_file.count(decoded.damage) == bool(decoded.damage)
            # The others count useless packets, by reason.
            reasons = [error.partition(":")[0] for error in about_file if error != decoded.damage]
            assert len(reasons) == len(set(reasons))


@pytest.mark.parametrize("name", ["writable-3.5.0.seed.pcapng", "writable-3.5.0.pcap"])
def test_a_capture_may_end_anywhere(name: str) -> None:
    file = (RECORDINGS / name).read_bytes()
    whole = decode_capture(file)
    for end in range(0, len(file), 1 if len(file) < 2000 else 61):
        decoded = decode_capture(file[:end])
        assert all(row in whole.messages for row in decoded.messages if row["name"] is not None)


def test_after_a_deletion_nearly_all_later_calls_are_decoded(busiest: Directions) -> None:
    rng = seeded(8)
    whole = [row["id"] for row in decode_dump(busiest.client).messages if row["name"] == "Call"]
    assert len(whole) > 1000
    for _ in range(times(20)):
        at, size = rng.randrange(len(busiest.client) // 2), rng.randrange(1, 500)
        decoded = decode_dump(busiest.client[:at] + busiest.client[at + size :])
        found = [row["id"] for row in decoded.messages if row["name"] == "Call"]
        # The messages that were cut, the one that swallowed the next one's beginning, and the next
        # one.
        assert len(whole) - len(found) <= size // 100 + 3
        assert found[-100:] == whole[-100:]


def test_after_a_deletion_nearly_all_later_replies_find_their_calls(busiest: Directions) -> None:
    rng = seeded(9)
    whole = decode_dump(busiest.client, replies=busiest.server)
    assert {call["status"] for call in whole.calls} <= {"ok", "error"}
    for _ in range(times(10)):
        at, size = rng.randrange(len(busiest.server) // 2), rng.randrange(1, 300)
        replies = busiest.server[:at] + busiest.server[at + size :]
        decoded = decode_dump(busiest.client, replies=replies)
        assert len(decoded.calls) == len(whole.calls)
        lost = [call for call in decoded.calls if call["status"] == "lost"]
        assert len(lost) <= size // 30 + 4


@pytest.mark.parametrize("side", SIDES)
def test_a_dump_may_start_anywhere(side: str) -> None:
    for dump in (CLIENT_STREAM, SERVER_STREAM, SEEDS[0]):
        for start in range(len(dump)):
            decode_dump(dump[start:], side)


@pytest.mark.parametrize("judged", ["by its side", "by itself"])
def test_a_dump_that_starts_anywhere_has_all_messages_behind_the_first(
    busiest: Directions, judged: str
) -> None:
    echo = directions(WRITABLE)[1]
    for dump, side, name in [
        (busiest.client[:6000], "client", "Call"),
        (busiest.server[:6000], "server", "Reply"),
        (echo.client, "client", "Call"),
        (echo.server, "server", "Reply"),
    ]:
        side = side if judged == "by its side" else "any"
        ends = [row["offset"] for row in decode_dump(dump, side).messages if row["name"] == name]
        for start in range(0, len(dump) // 2, max(1, len(dump) // times(100))):
            found = decode_dump(dump[start:], side).names().count(name)
            assert found >= sum(end >= start for end in ends) - 1, start


def test_a_capture_may_start_anywhere_in_a_connection(busiest: Directions) -> None:
    for start in range(0, 3000, 3000 // times(12)):
        client, server = busiest.client[start:20_000], busiest.server[start:20_000]
        decoded = decode_capture(midway(("client", client), ("server", server)))
        assert decoded.streams[0]["protocol"] == "hadoop"
        # Before the first boundary and after the last one.
        assert len(decoded.errors()) <= 4


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("case", "mib"),
    [
        ("zeros", 120),
        ("ones", 120),
        ("decoys", 120),
        ("decoys, judged by themselves", 120),
        ("calls never answered", 120),
        ("calls never answered, as calls", 160),
        ("one frame of the largest size", 200),
        ("a long header in small pieces", 200),
        ("a page without end", 120),
        ("streams that hold much", 420),
        ("reads that are taken late", 120),
    ],
)
def test_memory_and_time_are_bounded(case: str, mib: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kit.adversarial_inputs", case],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=45,
        check=True,
    )
    assert int(done.stdout) < mib


def _mutated(rng: Random, origin: bytes) -> bytes:
    wrong = bytearray(origin)
    for _ in range(rng.randrange(1, 9)):
        at = rng.randrange(len(wrong))
        match rng.randrange(5):
            case 0 | 1:
                wrong[at] = rng.randrange(256)
            case 2:
                del wrong[at : at + rng.randrange(40)]
            case 3:
                wrong[at:at] = rng.randbytes(rng.randrange(40))
            case 4:
                wrong[at:at] = wrong[at : at + 30]
    return bytes(wrong)
