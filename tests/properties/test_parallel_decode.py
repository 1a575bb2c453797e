"""A capture that several threads decode gives the bytes of a sequential decode, in its order."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from jvmwire._core import PravegaDialect
from jvmwire.capture import _parallel as parallel
from jvmwire.capture import make_view, read_rotated, redaction_key
from jvmwire.capture._parallel import ParallelSession, sorting_threads
from jvmwire.capture._views import all_columns
from kit.captures import NAMENODE, VECTORS
from kit.corrupt_captures import HARMFUL, HARMLESS, read_packets, write_packets
from kit.rows import Turn, capture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from jvmwire.capture import View
    from jvmwire.capture._reading import CaptureSession
    from kit.corrupt_captures import Packet

VIEWS = {
    "messages": make_view("messages", columns=all_columns("messages")),
    "calls": make_view("calls"),
    "streams": make_view("streams"),
    "columns without the keys": make_view("messages", columns=["name", "length"]),
    "a condition": make_view("calls", columns=["status", "name"], where="latency_us > 500"),
}
SMALL = [
    *sorted(path for path in VECTORS.glob("*/recordings/*.pcap*") if path != NAMENODE),
    *sorted((VECTORS / "captures").glob("*.pcap*")),
]
THREADS = 3


def result(session: CaptureSession) -> dict[str, Any]:
    """Read a session, and return all that it tells."""
    return {
        "rows": b"".join(batch.to_jsonl() for _, batch in session),
        "undecoded": session.undecoded,
        "damages": {number: str(damage) for number, damage in session.damages.items()},
        "next stream": session.next_stream,
        "is without streams": session.is_without_streams,
    }


def assert_same(
    files: Sequence[Path], views: Iterable[View] = VIEWS.values(), *, size: int, **options: Any
) -> None:
    for view in views:
        expected = result(read_rotated(files, [view], in_order=True, **options))
        session = ParallelSession(files, view, threads=THREADS, range_size=size, **options)
        assert result(session) == expected
        session = ParallelSession(files, view, threads=THREADS, range_size=size, **options)
        assert b"".join(rows.to_jsonl() for rows in session.encoded()) == expected["rows"]


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("busy") / "namenode.pcap"
    path.write_bytes(gzip.decompress(NAMENODE.read_bytes()))
    return path


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_threads_give_the_bytes_of_one(path: Path) -> None:
    assert_same([path], size=max(1000, path.stat().st_size // 40))


@pytest.mark.parametrize("view", VIEWS)
def test_threads_give_the_bytes_of_one_for_a_busy_capture(busy: Path, view: str) -> None:
    assert_same([busy], [VIEWS[view]], size=250_000, first_stream=7)


def test_redacted_values_are_the_same(busy: Path) -> None:
    key = redaction_key(b"secret")
    assert_same([busy], [VIEWS["messages"]], size=500_000, redact=key)


def test_types_of_messages_are_known_to_all_ranges(tmp_path: Path) -> None:
    types = {"KeepAlive": 77}
    ping = PravegaDialect.early(types).encode("KeepAlive", {"data": b"ping"})
    path = tmp_path / "early.pcap"
    turns: list[Turn] = [("client", ping)] * 200
    path.write_bytes(capture(*turns))
    views = [make_view("messages", where="name = 'KeepAlive'")]
    assert_same([path], views, size=2000, protocol="pravega-early", types=types)
    session = ParallelSession(
        [path], views[0], threads=2, range_size=2000, protocol="pravega-early", types=types
    )
    assert sum(batch.num_rows for _, batch in session) == 200


def test_a_compressed_capture_is_one_range() -> None:
    assert_same([NAMENODE], [VIEWS["calls"]], size=10_000)


@pytest.mark.parametrize(
    "damage", [*HARMLESS.values(), *HARMFUL.values()], ids=lambda it: it.__name__
)
def test_damaged_packets_are_told_alike(
    tmp_path: Path, damage: Callable[[Sequence[Packet], int], list[Packet]]
) -> None:
    header, packets = read_packets(NAMENODE)
    path = write_packets(tmp_path / "a.pcap", header, damage(packets[:8000], 0))
    assert_same([path], [VIEWS["messages"], VIEWS["calls"]], size=60_000)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-1000],
        lambda whole: whole[:400_000] + b"\xff" * 100 + whole[400_000:],
        lambda _: b"no capture",
        lambda whole: whole[:24],
    ],
    ids=["cut short", "damaged in the middle", "no capture", "without packets"],
)
def test_a_damaged_file_is_told_alike(
    busy: Path, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(damage(busy.read_bytes()))
    assert_same([path], [VIEWS["messages"], VIEWS["streams"]], size=150_000)


def test_rotated_files_are_one_capture_of_which_one_is_damaged(tmp_path: Path) -> None:
    header, packets = read_packets(NAMENODE)
    files = [
        write_packets(tmp_path / f"day.pcap{number}", header, packets[start:stop])
        for number, (start, stop) in enumerate(pairwise([0, 3000, 5000, 9000]))
    ]
    assert_same(files, [VIEWS["messages"], VIEWS["streams"]], size=100_000)
    files[1].write_bytes(files[1].read_bytes()[:-100])
    assert_same(files, [VIEWS["messages"], VIEWS["streams"]], size=100_000)


def test_an_error_of_the_system_ends_the_reading(busy: Path) -> None:
    session = ParallelSession(
        [busy, busy.with_name("gone")], VIEWS["calls"], threads=THREADS, range_size=100_000
    )
    with pytest.raises(FileNotFoundError):
        list(session)


def test_an_interrupt_ends_the_threads(busy: Path) -> None:
    read = 0

    def interrupted(size: int) -> None:
        nonlocal read
        read += size
        if read > 500_000:
            raise KeyboardInterrupt

    session = ParallelSession(
        [busy], VIEWS["calls"], threads=THREADS, range_size=100_000, on_read=interrupted
    )
    with pytest.raises(KeyboardInterrupt):
        list(session)
    assert read < busy.stat().st_size // 2


def test_threads_are_for_large_captures_that_can_be_cut(
    busy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "available_cores", lambda: 16)
    assert sorting_threads([busy]) == 1
    monkeypatch.setattr(parallel, "SMALLEST_RANGE", busy.stat().st_size // 3)
    assert sorting_threads([busy]) == 3
    assert sorting_threads([busy] * 9) == parallel.MAX_SORTING_THREADS
    monkeypatch.setattr(parallel, "SMALLEST_RANGE", NAMENODE.stat().st_size // 3)
    assert sorting_threads([NAMENODE]) == 1
    monkeypatch.setattr(parallel, "available_cores", lambda: 1)
    assert sorting_threads([busy]) == 1
