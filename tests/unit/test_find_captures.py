"""Which files are captures, and in which order."""

from pathlib import Path

import pytest

from jvmwire import ConfigError
from jvmwire.capture import find_captures, is_capture_name


@pytest.mark.parametrize(
    "name",
    ["a.pcap", "a.pcapng", "a.cap", "a.PCAP", "a.pcap.gz", "a.pcap.zst", "a.pcap0", "a.pcap12.gz"],
)
def test_these_names_are_of_captures(name: str) -> None:
    assert is_capture_name(Path("folder") / name)


@pytest.mark.parametrize("name", ["pcap", "a.txt", "a.pcap.txt", "a.gz", "a.pcap.bz2", "pcap.log"])
def test_these_names_are_not(name: str) -> None:
    assert not is_capture_name(Path(name))


def test_a_folder_gives_its_captures_by_name_and_number(tmp_path: Path) -> None:
    for name in ("b.pcap", "a.pcap10", "a.pcap9", "a.pcap", "c.txt"):
        (tmp_path / name).touch()
    (tmp_path / "d.pcap").mkdir()
    names = [path.name for path in find_captures([tmp_path])]
    assert names == ["a.pcap", "a.pcap9", "a.pcap10", "b.pcap"]


def test_a_file_is_taken_whatever_its_name_and_the_order_is_the_callers(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("z", "a.pcap", "m.bin")]
    for file in files:
        file.touch()
    assert find_captures(files) == files


def test_what_does_not_exist_and_what_holds_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.pcap does not exist"):
        find_captures([tmp_path / "missing.pcap"])
    with pytest.raises(ConfigError, match="holds no captures"):
        find_captures([tmp_path])
