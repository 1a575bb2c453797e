"""Search for capture files, and their order."""

from pathlib import Path

import pytest

from jvmwire import ConfigError
from jvmwire.capture import CaptureWriter, find_captures, is_capture_name
from jvmwire.capture._files import list_captures
from jvmwire.capture._rings import group_rotated, rings_of


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


def test_a_file_and_its_compressed_copy_count_once_and_hidden_files_do_not(tmp_path: Path) -> None:
    for name in ("a.pcap", "a.pcap.gz", "b.pcap.zst", ".a.pcap", "_a.pcap", ".b.pcap.gz"):
        (tmp_path / name).touch()
    assert [path.name for path in find_captures([tmp_path])] == ["a.pcap", "b.pcap.zst"]
    assert list_captures(tmp_path) == find_captures([tmp_path])
    named = [tmp_path / ".a.pcap", tmp_path / "a.pcap.gz"]
    assert find_captures(named) == named


def test_a_file_that_is_found_twice_counts_once_where_it_was_first(tmp_path: Path) -> None:
    for name in ("a.pcap", "b.pcap"):
        (tmp_path / name).touch()
    link = tmp_path / "link.cap"
    link.symlink_to(tmp_path / "a.pcap")
    named = [tmp_path / "b.pcap", tmp_path, link, tmp_path / "." / "b.pcap"]
    assert [path.name for path in find_captures(named)] == ["b.pcap", "a.pcap"]
    hard = tmp_path / "c.pcap"
    hard.hardlink_to(tmp_path / "a.pcap")
    assert [path.name for path in find_captures([tmp_path])] == ["a.pcap", "b.pcap", "c.pcap"]


def capture(path: Path, at: int) -> Path:
    """Write a capture whose only connection begins at this second."""
    writer = CaptureWriter()
    _, packets = writer.open("10.0.0.7:4711", "10.0.0.1:8020", at * 1_000_000)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(writer.header() + packets)
    return path


def test_an_overwritten_ring_is_in_the_order_of_its_packets(tmp_path: Path) -> None:
    times = [40, 50, 10, 20, 30]
    ring = [capture(tmp_path / f"a.pcap{number}", at) for number, at in enumerate(times)]
    [found] = rings_of(find_captures([tmp_path]))
    assert found == (*ring[2:], *ring[:2])


def test_a_directory_and_a_name_have_a_ring_of_their_own(tmp_path: Path) -> None:
    files = [
        capture(tmp_path / host / f"{name}{number}.pcap", at)
        for host in ("left", "right")
        for name in ("nn", "dn")
        for number, at in enumerate((1, 2))
    ]
    assert rings_of(files) == list(zip(files[::2], files[1::2], strict=True))


@pytest.mark.parametrize(
    "times",
    [{"h1_0": 1, "h2_0": 2, "h1_1": 3, "h2_1": 4}, {"h1_0": 5, "h1_1": 9, "h2_0": 2, "h2_1": 7}],
)
def test_mixed_rings_of_two_hosts_are_refused(tmp_path: Path, times: dict[str, int]) -> None:
    files = [capture(tmp_path / f"{name}.pcap", at) for name, at in times.items()]
    with pytest.raises(ConfigError, match="of each host into a directory of its own"):
        rings_of(files)


def test_what_does_not_exist_and_what_holds_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.pcap does not exist"):
        find_captures([tmp_path / "missing.pcap"])
    with pytest.raises(ConfigError, match="holds no captures"):
        find_captures([tmp_path])


def test_copies_with_the_names_of_a_ring_are_captures_of_their_own(tmp_path: Path) -> None:
    files = [capture(tmp_path / f"day.pcap{number}", at) for number, at in enumerate((10, 20, 20))]
    assert group_rotated(files) == [(file,) for file in files]
    assert group_rotated(files[:2]) == [tuple(files[:2])]
