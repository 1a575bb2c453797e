"""Captures are followed while they grow and rotate: new data becomes a journal of ranges."""

from __future__ import annotations

import gzip
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from jvmwire.capture import View
from jvmwire.capture import _journal as journals
from jvmwire.capture._arrow import arrow_schema
from jvmwire.capture._journal import Journal, read_entry
from jvmwire.capture._ranges import RangeEnd
from jvmwire.capture._reading import read_range
from jvmwire.capture._rotation import RotationFollower
from jvmwire.errors import ConfigError
from kit.captures import NAMENODE, SASL, decoded
from kit.corrupt_captures import read_packets, write_packets
from kit.scale import seeded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from kit.corrupt_captures import Packet

CALLS, MESSAGES = View("calls"), View("messages")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "journal")) as journal:
        yield journal


def follower(directory: Path, journal: Journal, range_size: int = 1 << 20) -> RotationFollower:
    return RotationFollower(directory, journal, range_size=range_size, protocol=None)


def rows(journal: Path, entries: Iterable[int], view: View = CALLS) -> pa.Table:
    batches = [
        pa.record_batch(batch)
        for number in entries
        for _, batch in read_range(read_entry(journal, number), [view])
    ]
    return pa.Table.from_batches(batches, arrow_schema(view))


def answered(calls: pa.Table) -> pa.Table:
    """Return the calls with a reply: the last ones of a capture without an end may be open."""
    return calls.filter(pc.is_valid(calls["reply_offset"]))


def test_what_grows_and_rotates_gives_the_rows_of_one_capture(
    tmp_path: Path, journal: Journal
) -> None:
    header, packets = read_packets(NAMENODE)
    packets = packets[:9000]
    whole = write_packets(tmp_path / "whole", header, packets)
    captures = tmp_path / "captures"
    captures.mkdir()
    following = follower(captures, journal, 60_000)
    chance = seeded(1)
    written = b""
    for number, (start, stop) in enumerate(pairwise([0, 2500, 2501, 7000, 9000])):
        content = header + b"".join(packet.record() for packet in packets[start:stop])
        with (captures / f"day.pcap{number}").open("ab", buffering=0) as file:
            while content:
                size = chance.randrange(1, 200_000)
                file.write(content[:size])
                content = content[size:]
                following.advance()
        written += content
    assert following.advance() == journal.next > 20
    got = rows(tmp_path / "journal", range(journal.next))
    assert answered(got).equals(answered(decoded(whole, "calls")))
    parts = [read_entry(tmp_path / "journal", number) for number in range(journal.next)]
    assert [part.path.name for part in parts if part.end is RangeEnd.FILE] == [
        "day.pcap0", "day.pcap1", "day.pcap2",
    ]  # fmt: skip
    assert max(part.stop - part.start for part in parts) < 130_000


@pytest.mark.parametrize("seed", range(3))
def test_whoever_dies_and_comes_again_goes_on_where_it_was(tmp_path: Path, seed: int) -> None:
    header, packets = read_packets(SASL)
    whole = header + b"".join(packet.record() for packet in packets)
    chance = seeded(seed)
    capture = tmp_path / "a.pcap"
    place = tmp_path / "journal"
    at = 0
    while at < len(whole):
        size = chance.randrange(1, 4000)
        with capture.open("ab") as file:
            file.write(whole[at : at + size])
        at += size
        journal = Journal(place)
        follower(tmp_path, journal).advance()
        if chance.random() < 0.5:
            # The process died after the state was written, and before the entry was.
            (place / f"{journal.next + 1}.state").write_bytes(b"half")
        journal.close()
    with closing(Journal(place)) as journal:
        assert journal.next > 3
        assert follower(tmp_path, journal).advance() == journal.next
    got = rows(place, range(journal.next), MESSAGES)
    assert got.equals(decoded(SASL, "messages"))
    for number in range(journal.next):
        # A batch that is retried is the same.
        assert rows(place, [number], MESSAGES).equals(rows(place, [number], MESSAGES))


def test_damage_of_a_file_is_a_row_when_the_file_is_over(tmp_path: Path, journal: Journal) -> None:
    header, packets = read_packets(SASL)
    first = write_packets(tmp_path / "a.pcap0", header, packets[:60])
    with first.open("ab") as file:
        file.write(b"\xff" * 40)
    following = follower(tmp_path, journal)
    assert following.advance() == 0
    write_packets(tmp_path / "a.pcap1", header, packets[60:])
    following.advance()
    messages = rows(tmp_path / "journal", range(journal.next), MESSAGES)
    about_file = [row for row in messages.to_pylist() if row["stream"] == -1]
    assert ["claims 4294967295 bytes" in row["error"] for row in about_file] == [True]
    kept = messages.filter(pa.compute.field("stream") != -1)
    assert kept.equals(decoded(SASL, "messages"))


def test_a_file_that_goes_before_it_was_read_is_named(tmp_path: Path, journal: Journal) -> None:
    header, packets = read_packets(SASL)
    first = write_packets(tmp_path / "a.pcap0", header, packets[:60])
    following = follower(tmp_path, journal)
    following.advance()
    first.unlink()
    write_packets(tmp_path / "a.pcap1", header, packets[60:])
    following.advance()
    errors = rows(tmp_path / "journal", range(1, journal.next), MESSAGES)["error"].to_pylist()
    assert "the capture cannot be read: No such file or directory" in errors


def test_a_compressed_copy_of_what_was_read_is_not_read_again(
    tmp_path: Path, journal: Journal
) -> None:
    header, packets = read_packets(SASL)
    first = write_packets(tmp_path / "a.pcap0", header, packets[:60])
    write_packets(tmp_path / "a.pcap1", header, packets[60:])
    following = follower(tmp_path, journal)
    count = following.advance()
    first.with_name("a.pcap0.gz").write_bytes(gzip.compress(first.read_bytes()))
    assert following.advance() == count
    first.unlink()
    assert following.advance() == count


def test_compressed_files_are_read_when_there_is_one_behind(
    tmp_path: Path, journal: Journal
) -> None:
    header, packets = read_packets(SASL)
    following = follower(tmp_path, journal)
    for number in range(2):
        plain = write_packets(tmp_path / "plain", header, packets[number * 60 : (number + 1) * 60])
        packed = tmp_path / f"a.pcap{number}.gz"
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        assert following.advance() == number
    [part] = [read_entry(tmp_path / "journal", 0)]
    assert part.end is RangeEnd.FILE


def test_entries_are_forgotten_but_for_the_last(tmp_path: Path, journal: Journal) -> None:
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / "a.pcap").write_bytes(SASL.read_bytes())
    follower(captures, journal, 2000).advance()
    count = journal.next
    journal.forget(count)
    assert (journal.first, journal.next) == (count - 1, count)
    with pytest.raises(ConfigError, match="has no entry 0"):
        read_entry(tmp_path / "journal", 0)
    journal.close()
    with closing(Journal(tmp_path / "journal")) as again:
        assert (again.first, again.next) == (count - 1, count)
        assert follower(captures, again, 2000).advance() == count


def ring(directory: Path, number: int, header: bytes, packets: Sequence[Packet]) -> bytes:
    """Begin a file of a ring of three as tcpdump does, and return the rest of its content."""
    (directory / f"ring.pcap{number % 3}").write_bytes(b"")
    return header + b"".join(packet.record() for packet in packets)


@pytest.mark.parametrize("dies", [False, True], ids=["one follower", "many followers"])
def test_a_ring_of_files_is_followed_and_no_row_is_lost_or_doubled(
    tmp_path: Path, *, dies: bool
) -> None:
    header, packets = read_packets(NAMENODE)
    packets = packets[:6000]
    whole = write_packets(tmp_path / "whole", header, packets)
    captures, place = tmp_path / "captures", tmp_path / "journal"
    captures.mkdir()
    chance = seeded(2)
    journal = Journal(place)
    following = follower(captures, journal, 60_000)
    got: list[pa.Table] = []
    for number in range(12):
        content = ring(captures, number, header, packets[number * 500 : (number + 1) * 500])
        while content:
            if dies:
                journal.close()
                journal = Journal(place)
                following = follower(captures, journal, 60_000)
            size = chance.randrange(1, 50_000)
            with (captures / f"ring.pcap{number % 3}").open("ab") as file:
                file.write(content[:size])
            content = content[size:]
            before = journal.next
            got.append(rows(place, range(before, following.advance())))
    journal.close()
    calls = pa.concat_tables(got)
    assert calls.num_rows > 500
    assert answered(calls).equals(answered(decoded(whole, "calls")))


def test_what_a_ring_lost_before_it_was_read_is_named_and_nothing_is_doubled(
    tmp_path: Path, journal: Journal
) -> None:
    header, packets = read_packets(NAMENODE)
    captures = tmp_path / "captures"
    captures.mkdir()
    following = follower(captures, journal)
    for number in range(9):
        content = ring(captures, number, header, packets[number * 500 : (number + 1) * 500])
        (captures / f"ring.pcap{number % 3}").write_bytes(content)
        if number in {1, 2, 8}:
            following.advance()
    parts = [read_entry(tmp_path / "journal", number) for number in range(journal.next)]
    # Files 0 to 2 were read in time, but not to the end of 2; 3 to 5 were never read.
    assert [part.path.name[-1] for part in parts] == ["0", "1", "1", "2", "2", "0", "1", "2"]
    damaged = []
    for part in parts:
        reading = read_range(part, [MESSAGES])
        names = [row["name"] for _, b in reading for row in pa.record_batch(b).to_pylist()]
        damaged.append("written anew" in str(reading.damage))
        assert damaged[-1] == (names == [None])
    # File 1 had no data after its first range.
    assert damaged == [True, True, False, True, True, False, False, False]


def test_a_journal_has_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Journal(tmp_path)
    monkeypatch.setattr(journals, "LOCK_TIMEOUT", 0.05)
    with pytest.raises(ConfigError, match="each query needs one of its own"):
        Journal(tmp_path)
    first.close()
    Journal(tmp_path).close()
