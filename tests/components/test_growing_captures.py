"""A capture that grows, rotates, vanishes or is damaged is decoded as it is written."""

import gzip
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pytest

from jvmwire.capture import View
from jvmwire.capture import _growing as growing
from jvmwire.capture._growing import GrowingCapture
from jvmwire.capture._reading import CHUNK
from kit.captures import NAMENODE, decoded
from kit.corrupt_captures import read_packets, write_packets

CALLS = View("calls", columns=["start", "user", "name", "status", "latency_us"])
LIMIT = 1 << 30


class Taken:
    """The rows of a growing capture so far."""

    def __init__(self, source: Path | int) -> None:
        self.batches: list[pa.RecordBatch] = []
        self.capture = GrowingCapture(source, [CALLS], self._take)

    def _take(self, batch: object) -> None:
        self.batches.append(pa.record_batch(batch))

    def advance(self) -> int:
        while self.capture.advance(LIMIT):
            pass
        return sum(batch.num_rows for batch in self.batches)

    def rows(self) -> list[dict[str, object]]:
        return [row for batch in self.batches for row in batch.to_pylist()]


@pytest.fixture(autouse=True)
def _list_always(monkeypatch):
    monkeypatch.setattr(growing, "LISTING_INTERVAL", 0.0)


@pytest.fixture
def follow() -> Iterator[Callable[[Path | int], Taken]]:
    with ExitStack() as stack:

        def begin(source: Path | int) -> Taken:
            taken = Taken(source)
            stack.callback(taken.capture.close)
            return taken

        yield begin


@pytest.fixture(scope="session")
def recorded() -> bytes:
    return gzip.decompress(NAMENODE.read_bytes())


@pytest.fixture(scope="session")
def answered() -> list[dict[str, object]]:
    calls = decoded(NAMENODE, "calls", columns=CALLS.columns)
    return [row for row in calls.to_pylist() if row["status"] != "lost"]


def in_any_order(rows: list[dict[str, object]]) -> list[str]:
    return sorted(map(repr, rows))


def test_a_file_that_grows_gives_the_rows_of_the_whole(follow, tmp_path, recorded, answered):
    path = tmp_path / "nn.pcap"
    path.touch()
    taken = follow(path)
    assert taken.advance() == 0
    with path.open("ab", buffering=0) as file:
        for start in range(0, len(recorded), 777_777):
            file.write(recorded[start : start + 777_777])
            taken.advance()
    assert in_any_order(taken.rows()) == in_any_order(answered)
    assert (taken.capture.note, taken.capture.damages) == ("", 0)
    assert taken.capture.read_bytes == len(recorded)


def test_one_call_reads_no_more_than_its_limit(follow, tmp_path, recorded):
    path = tmp_path / "nn.pcap"
    path.write_bytes(recorded)
    taken = follow(path)
    assert taken.capture.advance(1)
    assert taken.capture.read_bytes == CHUNK


def test_rotated_files_of_a_directory_are_one_capture(follow, tmp_path, recorded, answered):
    whole = tmp_path / "whole.pcap"
    whole.write_bytes(recorded)
    header, packets = read_packets(whole)
    whole.unlink()
    taken = follow(tmp_path)
    assert taken.advance() == 0
    assert taken.capture.note == "no capture in the directory yet"
    size = len(packets) // 3 + 1
    for number in range(3):
        some = packets[number * size : (number + 1) * size]
        write_packets(tmp_path / f"nn.pcap{number}", header, some)
        taken.advance()
        if number:  # a rotation deletes what has been read
            (tmp_path / f"nn.pcap{number - 1}").unlink()
    taken.advance()
    assert in_any_order(taken.rows()) == in_any_order(answered)
    assert (taken.capture.note, taken.capture.damages) == ("", 0)


def truncate(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def replace(path: Path, content: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)


def vanish(path: Path, content: bytes) -> None:
    path.rename(path.with_name("moved"))
    path.write_bytes(content)


@pytest.mark.parametrize("change", [truncate, replace, vanish])
def test_a_file_that_is_written_anew_is_read_again(
    follow, tmp_path, recorded, change: Callable[[Path, bytes], None]
):
    path = tmp_path / "nn.pcap"
    path.write_bytes(recorded[:2_000_000])
    taken = follow(path)
    assert taken.advance() > 0
    change(path, recorded[:24])
    taken.advance()
    assert "nn.pcap was " in taken.capture.note
    with path.open("ab") as file:
        file.write(recorded[24:500_000])
    before = taken.capture.read_bytes
    taken.advance()
    assert taken.capture.read_bytes == before + 500_000 - 24


def test_a_file_that_is_gone_is_waited_for(follow, tmp_path, recorded):
    path = tmp_path / "nn.pcap"
    path.write_bytes(recorded[:500_000])
    taken = follow(path)
    taken.advance()
    path.unlink()
    taken.advance()
    assert "No such file or directory; waiting" in taken.capture.note
    path.write_bytes(recorded[:500_000])
    before = taken.capture.read_bytes
    taken.advance()
    assert taken.capture.read_bytes > before


def test_a_file_that_comes_back_is_read_on(follow, tmp_path, recorded):
    path = tmp_path / "nn.pcap"
    path.write_bytes(recorded[:500_000])
    taken = follow(path)
    taken.advance()
    path.rename(tmp_path / "away")
    taken.advance()
    assert taken.capture.note.endswith("; waiting")
    (tmp_path / "away").rename(path)
    with path.open("ab") as file:
        file.write(recorded[500_000:600_000])
    taken.advance()
    assert (taken.capture.note, taken.capture.read_bytes) == ("", 600_000)


def test_a_damaged_file_is_noted_once_and_the_next_one_is_read(follow, tmp_path, recorded):
    (tmp_path / "a.pcap").write_bytes(b"no capture at all" * 100)
    taken = follow(tmp_path)
    for _ in range(3):
        taken.advance()
    assert taken.capture.damages == 1
    assert taken.capture.note.startswith("a.pcap: ")
    (tmp_path / "b.pcap").write_bytes(recorded)
    assert taken.advance() > 6000


def test_a_pipe_is_read_to_its_end(follow, recorded, answered):
    end, start = os.pipe()
    taken = follow(end)
    with os.fdopen(start, "wb", buffering=0) as pipe:
        for at in range(0, len(recorded), 60_000):  # as much as a pipe holds
            pipe.write(recorded[at : at + 60_000])
            taken.advance()
        assert not taken.capture.is_over
    taken.advance()
    os.close(end)
    assert taken.capture.is_over
    assert in_any_order(taken.rows()) == in_any_order(answered)


def test_a_pipe_that_ends_inside_a_record_is_noted(follow, recorded):
    end, start = os.pipe()
    taken = follow(end)
    os.write(start, recorded[:1001])
    os.close(start)
    taken.advance()
    os.close(end)
    assert taken.capture.damages == 1
    assert taken.capture.note.startswith("standard input: ")


def test_a_name_with_control_characters_is_escaped(follow, tmp_path):
    path = tmp_path / "a\x1b[2J.pcap"
    path.write_bytes(b"no capture at all" * 100)
    taken = follow(path)
    taken.advance()
    assert "\x1b" not in taken.capture.note
    assert r"a\x1b[2J.pcap" in taken.capture.note
