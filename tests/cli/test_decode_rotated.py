"""`jvmwire decode` of rotated captures: the files of one ring buffer are one capture."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from kit.captures import NAMENODE, RECORDINGS, SASL
from kit.command import decode
from kit.corrupt_captures import read_packets, write_packets

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TCPDUMP = ["ring.pcap", "ring.pcap1", "ring.pcap2", "ring.pcap3"]
OVERWRITTEN = ["ring.pcap10", "ring.pcap11", "ring.pcap08", "ring.pcap09"]
DUMPCAP = [f"ring_0000{n}_2026112109{n}015.pcapng" for n in range(4)]
NAMETIMENUM = [f"ring_2026112109{n}015_0000{n}.pcap" for n in range(4)]
PACKETS = 2400


def split(directory: Path, names: Sequence[str]) -> tuple[Path, list[Path]]:
    """Write the beginning of a recording as a whole, and as files of these names in order."""
    header, packets = read_packets(NAMENODE)
    whole = write_packets(directory / "whole", header, packets[:PACKETS])
    cuts = range(0, PACKETS + 1, PACKETS // len(names))
    return whole, [
        write_packets(directory / name, header, packets[start:stop])
        for name, (start, stop) in zip(names, pairwise(cuts), strict=True)
    ]


@pytest.mark.parametrize(
    ("names", "table"),
    [
        (TCPDUMP, "messages"),
        (TCPDUMP, "calls"),
        (OVERWRITTEN, "streams"),
        (DUMPCAP, "calls"),
        (NAMETIMENUM, "streams"),
    ],
    ids=lambda it: it[0] if isinstance(it, list) else it,
)
def test_files_of_a_ring_give_the_rows_of_the_whole(
    tmp_path: Path, names: list[str], table: str
) -> None:
    whole, ring = split(tmp_path, names)
    expected = decode("--table", table, whole)
    found = decode("--table", table, *reversed(ring))
    assert (found.stdout, found.stderr) == (expected.stdout, expected.stderr)


def test_a_ring_is_found_in_a_directory_compressed_and_explained(tmp_path: Path) -> None:
    whole, ring = split(tmp_path, TCPDUMP)
    directory = tmp_path / "captures"
    directory.mkdir()
    for file in ring:
        (directory / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 1))
    for options in (["--table", "calls"], ["--explain"]):
        expected = decode(*options, whole).stdout
        assert decode(*options, directory).stdout == expected


def test_other_captures_stay_apart(tmp_path: Path) -> None:
    _, ring = split(tmp_path, TCPDUMP)
    names = ["other.pcap", "trace1.pcap", "trace2.pcap"]  # of two nodes, perhaps
    header, packets = read_packets(SASL)
    apart = [write_packets(tmp_path / name, header, packets) for name in names]
    alone = decode("--table", "calls", *ring).rows
    rows = decode("--table", "calls", *apart, *ring, ring[1]).rows  # named twice: read once
    sasl = decode("--table", "calls", SASL).rows
    without_numbers = [[{**row, "stream": 0} for row in each] for each in (rows, sasl, alone)]
    expected = [*without_numbers[1] * 3, *without_numbers[2]]
    assert without_numbers[0] == expected
    assert [row["stream"] for row in rows] == sorted(row["stream"] for row in rows)


def test_a_damaged_file_of_a_ring_is_named_and_the_next_one_is_read(tmp_path: Path) -> None:
    whole, ring = split(tmp_path, TCPDUMP)
    expected = decode("--table", "calls", whole).rows
    ring[1].write_bytes(ring[1].read_bytes()[:-7])
    ring[2].write_bytes(b"GIF89a")
    done = decode("--table", "calls", *ring, status=1)
    assert f"{ring[1]}: " in done.stderr
    assert f"{ring[2]}: neither pcap nor pcapng" in done.stderr
    assert f"jvmwire: {ring[0]}: " not in done.stderr
    assert f"jvmwire: {ring[3]}: " not in done.stderr
    until = max(row["start"] for row in decode("--table", "calls", ring[0]).rows)
    since = min(row["start"] for row in decode("--table", "calls", ring[3]).rows)
    for some in (lambda row: row["start"] < until, lambda row: row["start"] > since):
        assert len([*filter(some, done.rows)]) >= len([*filter(some, expected)]) * 0.9


def test_files_of_another_order_than_their_names_are_told_apart(tmp_path: Path) -> None:
    _, ring = split(tmp_path, ["ring.pcap0", "ring.pcap2", "ring.pcap1", "ring.pcap3"])
    done = decode("--table", "streams", *ring)
    assert "are not of one capture" in done.stderr
    assert "each is decoded by itself" in done.stderr
    apart = sum(len(decode("--table", "streams", file).rows) for file in ring)
    assert len(done.rows) == apart


def test_recordings_of_other_versions_are_no_ring() -> None:
    files = sorted(RECORDINGS.glob("writable*.pcap*"))
    assert len(files) > 1
    rows = decode("--table", "streams", *files).rows
    assert len(rows) == sum(len(decode("--table", "streams", file).rows) for file in files)


@pytest.mark.parametrize(("start", "is_told"), [(PACKETS - 1, False), (PACKETS // 8, True)])
def test_files_of_a_ring_that_overlap_in_time_are_told(
    tmp_path: Path, start: int, *, is_told: bool
) -> None:
    header, packets = read_packets(NAMENODE)
    second = packets[start : PACKETS + 100]
    ring = [
        write_packets(tmp_path / name, header, part)
        for name, part in zip(TCPDUMP, (packets[:PACKETS], second), strict=False)
    ]
    done = decode("--table", "streams", *ring, status=int(is_told))
    assert ("files overlap in time: merge them first" in done.stderr) is is_told
    # A packet may be read after one that is 1 s later.
    ends = packets[PACKETS - 1]
    until = ends.seconds * 10**6 + ends.micros - 10**6
    late = [it.original_length for it in second if it.seconds * 10**6 + it.micros < until]
    assert bool(late) is is_told
    assert f"{sum(late):,} bytes in one place: packets read after" in done.stderr or not is_told
