"""A capture decoded range by range gives the rows of a sequential decode, in any partitioning."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from jvmwire.capture import View, read_tables, redaction_key
from jvmwire.capture._arrow import arrow_schema
from jvmwire.capture._index import count_ranges, index_capture, read_index
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.capture._reading import read_range
from jvmwire.capture._splitting import split_capture
from kit.captures import NAMENODE, SASL, VECTORS, WRITABLE, cut_short, decoded
from kit.corrupt_captures import HARMFUL, HARMLESS, read_packets, write_packets
from kit.scale import seeded, times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from kit.corrupt_captures import Packet

VIEWS = [
    View("messages", columns=[*View("messages").columns, "fields"]),
    View("calls"),
    View("streams"),
]
CAPTURES = [SASL, WRITABLE, *sorted((VECTORS / "captures").glob("*.pcap*"))]


def plain(path: Path, directory: Path) -> Path:
    """Return the capture uncompressed: only such a file can be cut."""
    if path.suffix != ".gz":
        return path
    unpacked = directory / path.stem
    unpacked.write_bytes(gzip.decompress(path.read_bytes()))
    return unpacked


def in_ranges(parts: Iterable[CaptureRange], *, redact: bytes | None = None) -> dict[str, pa.Table]:
    tables: dict[str, list[pa.RecordBatch]] = {view.table: [] for view in VIEWS}
    for part in parts:
        for table, batch in read_range(part, VIEWS, redact=redact):
            tables[table].append(pa.record_batch(batch))
    return {
        view.table: pa.Table.from_batches(tables[view.table], arrow_schema(view)) for view in VIEWS
    }


def as_a_whole(path: Path, *, redact: bytes | None = None) -> dict[str, pa.Table]:
    return {
        view.table: decoded(path, view.table, columns=view.columns, redact=redact) for view in VIEWS
    }


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("size", [200, 1000, 5000])
def test_ranges_give_the_rows_of_the_whole_in_order(capture: Path, size: int) -> None:
    parts = list(split_capture([capture], size=size))
    assert len(parts) > capture.stat().st_size // size // 4
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert in_ranges(parts) == as_a_whole(capture)


@pytest.mark.parametrize("size", [50_000, 333_333])
def test_a_busy_capture_is_cut_in_many_places(tmp_path: Path, size: int) -> None:
    capture = plain(NAMENODE, tmp_path)
    parts = list(split_capture([capture], size=size))
    assert len(parts) == -(-capture.stat().st_size // size)
    assert in_ranges(parts) == as_a_whole(capture)


@pytest.mark.parametrize("seed", range(times(1)))
@pytest.mark.parametrize(
    "damage", [*HARMLESS.values(), *HARMFUL.values()], ids=lambda it: it.__name__
)
def test_damaged_captures_are_cut_anywhere_too(
    tmp_path: Path, damage: Callable[[Sequence[Packet], int], list[Packet]], seed: int
) -> None:
    header, packets = read_packets(NAMENODE)
    chance = seeded(seed)
    start = chance.randrange(len(packets) - 8000)
    some = packets[start : start + 8000] if seed else packets[:8000]
    capture = write_packets(tmp_path / "a.pcap", header, damage(some, seed))
    parts = split_capture([capture], size=chance.randrange(20_000, 90_000))
    assert in_ranges(parts) == as_a_whole(capture)


def test_what_lies_behind_damage_of_the_file_is_one_range(tmp_path: Path) -> None:
    capture = tmp_path / "a.pcap"
    whole = cut_short(NAMENODE)
    capture.write_bytes(whole[:400_000] + b"\xff" * 100 + whole[400_000:])
    parts = list(split_capture([capture], size=150_000))
    assert [part.stop // 150_000 for part in parts[:-1]] == [0, 1]
    assert in_ranges(parts) == as_a_whole(capture)


@pytest.mark.parametrize("sizes", [[0.3, 0.6], [0.5], [0.1, 0.2, 0.9]], ids=str)
def test_rotated_files_are_one_capture(tmp_path: Path, sizes: list[float]) -> None:
    header, packets = read_packets(NAMENODE)
    packets = packets[:9000]
    whole = write_packets(tmp_path / "whole.pcap", header, packets)
    cuts = [0, *(int(len(packets) * size) for size in sizes), len(packets)]
    files = [
        write_packets(tmp_path / f"day.pcap{number}", header, packets[start:stop])
        for number, (start, stop) in enumerate(pairwise(cuts))
    ]
    for size in (100_000, 1 << 30):
        parts = list(split_capture(files, size=size))
        assert [part.path for part in parts if part.end is not RangeEnd.CUT] == files
        assert in_ranges(parts) == as_a_whole(whole)


def test_paths_of_calls_under_way_are_left_out_where_redacted(tmp_path: Path) -> None:
    capture = plain(NAMENODE, tmp_path)
    parts = list(split_capture([capture], size=30_000))
    key = redaction_key()
    assert in_ranges(parts, redact=key) == as_a_whole(capture, redact=key)


def test_what_is_handed_on_is_little(tmp_path: Path) -> None:
    capture = plain(NAMENODE, tmp_path)
    parts = list(split_capture([capture], size=1 << 20))
    handed_on = sum(len(part.state or b"") for part in parts)
    assert 0 < handed_on <= capture.stat().st_size * 0.05


def test_a_range_is_long_where_its_state_is_large(tmp_path: Path) -> None:
    capture = plain(NAMENODE, tmp_path)
    short = list(split_capture([capture], size=20_000))
    parts = list(split_capture([capture], size=20_000, per_state=16))
    assert 2 < len(parts) < len(short)
    for part in parts[1:-1]:
        # A cut is between two records, at most a packet of 64 KiB before its place.
        assert part.stop - part.start > 16 * len(part.state or b"") - (1 << 16)
    assert in_ranges(parts) == as_a_whole(capture)


def test_a_compressed_file_is_one_range() -> None:
    [part] = split_capture([NAMENODE], size=10_000)
    assert (part.start, part.stop, part.end) == (0, NAMENODE.stat().st_size, RangeEnd.CAPTURE)


def test_a_file_that_is_gone_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    header, packets = read_packets(SASL)
    files = [
        write_packets(tmp_path / "a.pcap", header, packets[:50]),
        tmp_path / "b.pcap",
        write_packets(tmp_path / "c.pcap", header, packets[50:]),
    ]
    tables = in_ranges(split_capture(files, size=1 << 20))
    whole = as_a_whole(SASL)
    reasons = tables["messages"]["error"].to_pylist()
    assert "the capture cannot be read: No such file or directory" in reasons
    assert tables["calls"] == whole["calls"]
    assert tables["streams"] == whole["streams"]


def test_an_index_is_made_once_and_anew_when_the_capture_changes(tmp_path: Path) -> None:
    capture = plain(NAMENODE, tmp_path)
    capture.chmod(0o600)

    def index() -> Path:
        return index_capture([capture], size=400_000, protocol=None, directory=None)

    first = index()
    assert first.parent == tmp_path
    assert first.stat().st_mode & 0o777 == 0o600
    made = first.stat().st_mtime_ns
    assert index() == first
    assert first.stat().st_mtime_ns == made
    parts = [read_index(first, number, [capture]) for number in range(count_ranges(first))]
    assert len(parts) > 3
    assert in_ranges(parts) == as_a_whole(capture)
    capture.write_bytes(SASL.read_bytes())
    assert count_ranges(index()) == 1
    first.write_bytes(b"no index")
    assert count_ranges(index()) == 1


def test_indexes_of_many_captures_may_be_kept_in_one_directory(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    captures = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        captures.append(tmp_path / name / "a.pcap")
        captures[-1].write_bytes(WRITABLE.read_bytes())
    places = {
        index_capture([capture], size=2000, protocol=None, directory=kept) for capture in captures
    }
    assert len(places) == 2
    assert {place.parent for place in places} == {kept}


def test_state_of_another_version_is_refused() -> None:
    from jvmwire.errors import DecodeError

    part = CaptureRange(SASL, 0, SASL.stat().st_size, RangeEnd.CAPTURE, b"no state")
    with pytest.raises(DecodeError, match="of another version"):
        read_range(part, VIEWS)


def test_streams_begin_where_the_caller_says(tmp_path: Path) -> None:
    numbers: list[int] = []
    for part in split_capture([SASL], size=1000):
        for _, batch in read_range(part, [View("streams", columns=["stream"])], first_stream=700):
            numbers += map(int, pa.record_batch(batch).column("stream").to_numpy())
    reading = read_tables(SASL, [View("streams", columns=["stream"])], first_stream=700)
    expected = [
        int(n) for _, batch in reading for n in pa.record_batch(batch).column("stream").to_numpy()
    ]
    assert numbers == expected
    assert min(numbers) == 700
