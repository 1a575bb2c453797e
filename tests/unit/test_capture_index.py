"""The index of a capture is a file, and files are damaged."""

from pathlib import Path
from shutil import copy

import pytest

from jvmwire._core import CaptureDecoder
from jvmwire.capture.index import count_ranges, index_capture, read_index
from jvmwire.errors import DecodeError
from kit.captures import SASL
from kit.forked import forked, went_well


@pytest.fixture
def index(tmp_path: Path) -> Path:
    capture = tmp_path / "a.pcap"
    copy(SASL, capture)
    return index_capture([capture], size=8000, protocol=None, directory=None)


def load_all(index: Path) -> int:
    count = count_ranges(index)
    for number in range(count):
        CaptureDecoder([], state=read_index(index, number, [SASL]).state)
    return count


def test_an_index_that_is_damaged_anywhere_is_read_as_it_is_or_refused(index: Path) -> None:
    whole = index.read_bytes()
    assert load_all(index) > 2

    def damages() -> bool:
        refused = 0
        for at in range(0, len(whole), 41):
            index.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
            try:
                load_all(index)
            except DecodeError:
                refused += 1
        return refused > len(whole) // 100

    # In a child: what is believed to stand in memory may not.
    assert went_well(forked(damages))


def test_an_index_that_the_system_does_not_open_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        count_ranges(tmp_path / "index")
    with pytest.raises(OSError, match="name too long"):
        count_ranges(tmp_path / ("index" * 100))
