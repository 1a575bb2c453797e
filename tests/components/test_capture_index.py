"""The index of a capture is a file, which may be damaged, forged or half written."""

import os
import signal
import time
from functools import partial
from pathlib import Path
from shutil import copy

import pyarrow as pa
import pytest

from jvmwire._core import CaptureDecoder
from jvmwire._files import ABANDONED_AFTER, is_unfinished
from jvmwire.capture import _index as indexes
from jvmwire.capture._index import count_ranges, index_capture, read_digests, read_index
from jvmwire.capture._ranges import CaptureRange
from jvmwire.errors import DecodeError
from kit.captures import SASL
from kit.file_calls import failing_at_each_call, killed_at_each_call
from kit.forked import forked, went_well
from kit.scale import seeded, times

pytestmark = pytest.mark.filterwarnings(
    # A call that "fails" after it was carried out loses the file that it opened.
    "ignore::pytest.PytestUnraisableExceptionWarning"
)


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

    # In a child process: a damaged index may refer to memory that does not exist.
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


def made(index: Path) -> Path:
    """Return the index file of the capture in this directory, created again if necessary."""
    capture = index.with_name("a.pcap")
    return index_capture([capture], size=8000, protocol=None, directory=None)


def left_in(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if is_unfinished(path.name)]


def test_index_survives_a_kill_at_each_call(index: Path) -> None:
    ranges = load_all(index)
    for _ in killed_at_each_call(lambda: made(index)):
        for path in left_in(index.parent):
            path.unlink()
        if index.exists():
            assert load_all(index) == ranges
        assert load_all(made(index)) == ranges
        index.unlink()


def test_index_survives_a_failure_of_each_call(index: Path) -> None:
    ranges = load_all(index)
    index.unlink()
    for _ in failing_at_each_call(lambda: made(index)):
        assert not left_in(index.parent)
        if index.exists():
            assert load_all(index) == ranges
            index.unlink()


def test_index_survives_kills_at_random(index: Path) -> None:
    chance = seeded(5)
    ranges = load_all(index)
    long_ago = time.time() - 2 * ABANDONED_AFTER
    for _ in range(times(30, full=1000)):

        def make_again_and_again() -> bool:
            while True:
                index.unlink(missing_ok=True)
                made(index)

        child = forked(make_again_and_again)
        time.sleep(chance.uniform(0.0, 0.05))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert load_all(made(index)) == ranges
        assert len(left_in(index.parent)) <= 1
        for path in left_in(index.parent):
            os.utime(path, (long_ago, long_ago))
        index.unlink()
        made(index)
        # The remains of the killed process are gone.
        assert not left_in(index.parent)


def forged(index: Path) -> bytes:
    """Return an index that claims the same capture to be empty."""
    with pa.OSFile(str(index), "r") as file:
        schema = pa.ipc.open_file(file).schema
    row = {"file": 0, "start": 0, "stop": 24, "end": "capture", "state": None}
    row["checksum"] = indexes._checksum(row)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, schema) as writer:
        writer.write_batch(pa.RecordBatch.from_pylist([row], schema))
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_index_that_others_may_write_to_is_not_believed(index: Path, mode: int) -> None:
    ranges = load_all(index)
    index.write_bytes(forged(index))
    index.chmod(mode)
    with pytest.raises(DecodeError, match="is not trusted: it must belong to"):
        read_digests(index, beside=index.with_name("a.pcap"))
    assert load_all(made(index)) == ranges
    assert index.stat().st_mode & 0o022 == 0


def test_index_is_believed_of_this_user_root_and_the_owner_of_the_capture_only() -> None:
    def status(owner: int, mode: int = 0o100644) -> os.stat_result:
        return os.stat_result((mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))

    mine, nobody, other = os.geteuid(), 65534, 4242
    for owner in (mine, 0, other):
        assert indexes._is_trusted(status(owner), status(other))
        assert not indexes._is_trusted(status(owner, 0o100664), status(other))
    assert not indexes._is_trusted(status(nobody), status(other))


def test_link_at_the_name_of_an_index_is_replaced_and_its_target_left_alone(index: Path) -> None:
    ranges = load_all(index)
    target = index.with_name("target")
    index.rename(target)
    whole = forged(target)
    target.write_bytes(whole)
    index.symlink_to(target)
    assert load_all(made(index)) == ranges
    assert not index.is_symlink()
    assert target.read_bytes() == whole


def test_fifo_at_the_name_of_an_index_is_replaced_and_not_waited_for(index: Path) -> None:
    ranges = load_all(index)
    index.unlink()
    os.mkfifo(index)
    assert load_all(made(index)) == ranges


def test_index_that_was_replaced_since_the_read_was_planned_is_refused(index: Path) -> None:
    digests = read_digests(index, beside=index.with_name("a.pcap"))
    ranges = load_all(index)
    read = [read_index(index, at, [SASL], digest=digest) for at, digest in enumerate(digests)]
    assert read == ranges
    index.write_bytes(forged(index))
    with pytest.raises(DecodeError, match="range 0 was replaced since the read was planned"):
        read_index(index, 0, [SASL], digest=digests[0])


def test_index_with_any_byte_damaged_is_made_anew_or_right(index: Path) -> None:
    whole = index.read_bytes()
    ranges = load_all(index)
    step = 61 // times(1, full=61)

    def made_anew_or_right(some: range) -> bool:
        for at in some:
            for flip in (0x40, 0xFF):
                index.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
                place = made(index)
                try:
                    assert load_all(place) == ranges
                except DecodeError:
                    index.write_bytes(whole)
        return True

    # In a child process: a damaged index may refer to memory that does not exist.
    every = range(0, len(whole), step)
    for at in range(0, len(every), 100):
        assert went_well(forked(partial(made_anew_or_right, every[at : at + 100])))


def test_index_is_as_readable_as_its_capture(index: Path) -> None:
    capture = index.with_name("a.pcap")
    for mode, expected in ((0o666, 0o644), (0o640, 0o640), (0o600, 0o600), (0o444, 0o644)):
        capture.chmod(mode)
        index.unlink()
        assert made(index).stat().st_mode & 0o777 == expected
