"""The index of a capture is a file, and files are damaged."""

from pathlib import Path
from shutil import copy

import pyarrow as pa
import pytest

from jvmwire._core import CaptureDecoder
from jvmwire.capture.index import count_ranges, index_capture, read_index
from jvmwire.capture.ranges import CaptureRange
from jvmwire.errors import DecodeError
from kit.captures import SASL
from kit.forked import forked, went_well


@pytest.fixture
def index(tmp_path: Path) -> Path:
    capture = tmp_path / "a.pcap"
    copy(SASL, capture)
    return index_capture([capture], size=8000, protocol=None, directory=None)


def load_all(index: Path) -> list[CaptureRange]:
    ranges = [read_index(index, number, [SASL]) for number in range(count_ranges(index))]
    for each in ranges:
        CaptureDecoder([], state=each.state)
    return ranges


def test_an_index_that_is_damaged_anywhere_is_read_as_it_is_or_refused(index: Path) -> None:
    whole = index.read_bytes()
    ranges = load_all(index)
    assert len(ranges) > 2

    def damages() -> bool:
        refused = 0
        for at in range(0, len(whole), 41):
            index.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
            try:
                assert load_all(index) == ranges
            except DecodeError:
                refused += 1
        return refused > len(whole) // 100

    # In a child: what is believed to stand in memory may not.
    assert went_well(forked(damages))


def test_a_range_whose_numbers_are_damaged_is_refused(index: Path) -> None:
    whole = index.read_bytes()
    for number, each in enumerate(load_all(index)):
        at = whole.index(each.stop.to_bytes(8, "little"))
        index.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        with pytest.raises(DecodeError, match=f"is damaged: range {number} is not"):
            load_all(index)


def test_an_index_with_other_columns_is_made_anew(index: Path) -> None:
    whole = index.read_bytes()
    with pa.OSFile(str(index), "r") as file:
        table = pa.ipc.open_file(file).read_all().drop_columns(["checksum"])
    with pa.OSFile(str(index), "w") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    capture = index.with_name("a.pcap")
    assert index_capture([capture], size=8000, protocol=None, directory=None) == index
    assert index.read_bytes() == whole


def test_an_index_that_the_system_does_not_open_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        count_ranges(tmp_path / "index")
    with pytest.raises(OSError, match="name too long"):
        count_ranges(tmp_path / ("index" * 100))
