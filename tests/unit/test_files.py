"""Files are written completely or not at all, at any interruption of the writer."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmwire import _files as files
from jvmwire._files import (
    open_growing,
    open_output,
    open_regular,
    refuse_inputs,
    remove_unfinished,
    replace_directory,
    replace_file,
)
from jvmwire.errors import ConfigError
from kit.file_calls import failing_at_each_call, killed_at_each_call

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.filterwarnings(
    # A call that "fails" after it was carried out loses the file that it opened.
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
OLD, NEW = b"of yesterday", b"of today" * 5000


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def write(path: Path, content: bytes = NEW) -> None:
    with open_output(path) as file:
        file.write(content[:100])
        file.write(content[100:])


@pytest.mark.parametrize("exists", [False, True], ids=["new", "old"])
def test_output_file_survives_a_kill_at_each_call(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "out"
    contents = set()
    for _ in killed_at_each_call(lambda: write(path)):
        contents.add(path.read_bytes() if path.exists() else None)
        left = [name for name in names(tmp_path) if name != "out"]
        assert all(files.is_unfinished(name) for name in left)
        files.remove_unfinished_in(tmp_path)
        path.unlink(missing_ok=True)
        if exists:
            path.write_bytes(OLD)
    assert contents - {None} == ({OLD, NEW} if exists else {NEW})


@pytest.mark.parametrize("exists", [False, True], ids=["new", "old"])
def test_output_file_that_fails_at_any_call_leaves_no_temporary_file(
    tmp_path: Path, exists: bool
) -> None:
    path = tmp_path / "out"
    if exists:
        path.write_bytes(OLD)
    failures = 0
    for _ in failing_at_each_call(lambda: write(path)):
        failures += 1
        if path.exists():
            # The file was renamed; the failure was the directory's fsync, or Ctrl-C after it.
            assert path.read_bytes() in {OLD, NEW}
        assert names(tmp_path) in ([], ["out"])
        path.unlink(missing_ok=True)
        if exists:
            path.write_bytes(OLD)
    assert failures > 10


@pytest.mark.parametrize("error", [None, OSError(errno.EINVAL, "no such hint")])
def test_long_output_file_is_written_back_while_it_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError | None
) -> None:
    ranges: list[tuple[int, int, int, int]] = []

    def advise(descriptor: int, start: int, length: int, advice: int) -> None:
        ranges.append((start, os.fstat(descriptor).st_size, start + length, advice))
        if error is not None:
            raise error

    monkeypatch.setattr(os, "posix_fadvise", advise)
    monkeypatch.setattr(files, "WRITE_BACK_BYTES", 1000)
    with open_output(tmp_path / "out") as file:
        for _ in range(5):
            file.write(NEW[:600])
    assert (tmp_path / "out").read_bytes() == NEW[:600] * 5
    hint = os.POSIX_FADV_DONTNEED
    assert ranges == [(0, 1200, 1200, hint), (1200, 2400, 2400, hint)]


def write_and_raise(path: Path, error: type[BaseException]) -> None:
    with open_output(path) as file:
        file.write(NEW)
        raise error


def test_output_file_whose_block_fails_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for content in (None, OLD):
        if content is not None:
            path.write_bytes(content)
        for error in (ValueError, KeyboardInterrupt, SystemExit):
            with pytest.raises(error):
                write_and_raise(path, error)
        assert names(tmp_path) == ([] if content is None else ["out"])
    assert path.read_bytes() == OLD


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Yield the list of fsyncs and renames from now on, in order, by kind of file."""
    done: list[str] = []
    fsync = os.fsync

    def noted_fsync(descriptor: int) -> None:
        kind = "directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        done.append(f"sync {kind} of {os.fstat(descriptor).st_size if kind == 'file' else 'names'}")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    for name in ("replace", "rename"):
        renaming = getattr(os, name)

        def noted(*arguments: object, renaming: Callable[..., None] = renaming) -> None:
            done.append("rename")
            renaming(*arguments)

        monkeypatch.setattr(os, name, noted)
    return done


def test_content_is_on_the_disk_before_its_name_and_its_name_on_return(
    tmp_path: Path, synced: list[str]
) -> None:
    with replace_file(tmp_path / "new") as file:
        file.write(NEW)
    assert synced == [f"sync file of {len(NEW)}", "rename", "sync directory of names"]
    synced.clear()
    with replace_directory(tmp_path / "parts") as directory, replace_file(directory / "a") as file:
        file.write(NEW)
    assert synced[:3] == [f"sync file of {len(NEW)}", "rename", "sync directory of names"]
    assert synced[3] == "sync directory of names"  # that of the new file, before it has its name
    assert synced[-2:] == ["rename", "sync directory of names"]


def test_directory_survives_a_kill_at_each_call(tmp_path: Path) -> None:
    path = tmp_path / "parts"

    def act() -> None:
        with replace_directory(path) as new, replace_file(new / "part") as file:
            file.write(NEW)

    def prepare() -> None:
        files.remove_any(path)
        for each in tmp_path.iterdir():
            files.remove_any(each)
        path.mkdir()
        (path / "part").write_bytes(OLD)

    prepare()
    for _ in killed_at_each_call(act):
        # Between two renames there is nothing for a moment; never half a file.
        if path.exists():
            assert names(path) == ["part"]
            assert (path / "part").read_bytes() in {OLD, NEW}
        assert all(files.is_unfinished(name) for name in names(tmp_path) if name != "parts")
        prepare()


def test_directory_that_fails_at_any_call_is_old_or_new(tmp_path: Path) -> None:
    path = tmp_path / "parts"
    path.mkdir()
    (path / "part").write_bytes(OLD)

    def act() -> None:
        with replace_directory(path) as new, replace_file(new / "part") as file:
            file.write(NEW)

    for _ in failing_at_each_call(act):
        assert names(path) == ["part"]
        assert (path / "part").read_bytes() in {OLD, NEW}
        for name in names(tmp_path):
            assert name == "parts" or files.is_unfinished(name)


def test_new_file_has_the_bits_of_the_umask_and_a_replaced_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    path = tmp_path / "out"
    before = os.umask(0o027)
    try:
        write(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_symbolic_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    target, link, dangling = tmp_path / "d" / "target", tmp_path / "link", tmp_path / "dangling"
    target.parent.mkdir()
    target.write_bytes(OLD)
    link.symlink_to("d/target")
    dangling.symlink_to("d/new")
    write(link)
    write(dangling)
    assert (link.is_symlink(), dangling.is_symlink()) == (True, True)
    assert (target.read_bytes(), (tmp_path / "d" / "new").read_bytes()) == (NEW, NEW)
    assert names(tmp_path / "d") == ["new", "target"]


def test_other_names_of_a_replaced_file_keep_its_content(tmp_path: Path) -> None:
    path, other = tmp_path / "out", tmp_path / "other"
    path.write_bytes(OLD)
    other.hardlink_to(path)
    write(path)
    assert (path.read_bytes(), other.read_bytes()) == (NEW, OLD)


def test_devices_and_fifos_are_written_directly(tmp_path: Path) -> None:
    write(Path("/dev/null"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write(fifo)
    reader.join()
    assert read == [NEW]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_file_behind_a_descriptor_is_written_and_not_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "out", tmp_path / "link"
    with path.open("ab") as file:
        file.write(OLD)
        file.flush()
        link.symlink_to(f"/dev/fd/{file.fileno()}")
        write(link)
        assert os.fstat(file.fileno()).st_ino == path.stat().st_ino
    assert path.read_bytes() == OLD + NEW
    assert names(tmp_path) == ["link", "out"]


def test_file_that_cannot_be_made_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such" / "out"
    with pytest.raises(FileNotFoundError) as told:
        write(path)
    assert told.value.filename == str(path)
    with pytest.raises(IsADirectoryError):
        write(tmp_path)


def test_longest_name_that_a_file_may_have_can_be_written(tmp_path: Path) -> None:
    for name in ("n" * 255, "\N{SNOWMAN}" * 85):
        write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == NEW


def test_abandoned_files_are_removed_and_those_of_a_writer_are_not(tmp_path: Path) -> None:
    path = tmp_path / "out"
    long_ago = time.time() - 2 * files.ABANDONED_AFTER
    with replace_file(path) as file:
        [mine] = tmp_path.iterdir()
        left = mine.with_name(f".out.{'0' * 16}{files.UNFINISHED}")
        folder = mine.with_name(f".out.{'1' * 16}{files.UNFINISHED}")
        young = mine.with_name(f".out.{'2' * 16}{files.UNFINISHED}")
        strangers = mine.with_name(f".out.x{files.UNFINISHED}")
        others = mine.with_name(f".outer.{'3' * 16}{files.UNFINISHED}")
        for each in (left, young, strangers, others):
            each.touch()
        folder.mkdir()
        (folder / "part").touch()
        for each in (mine, left, folder, strangers, others):
            os.utime(each, (long_ago, long_ago))
        remove_unfinished(path)
        kept = {path.name for path in (mine, young, strangers, others)}
        assert set(names(tmp_path)) == kept
        file.write(NEW)
    assert path.read_bytes() == NEW


def test_growing_output_needs_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with open_growing(path) as file:
        file.write(OLD)
        file.flush()
        assert path.read_bytes() == OLD
    with pytest.raises(ConfigError, match="needs a new file"), open_growing(path):
        pass
    assert path.read_bytes() == OLD
    path.write_bytes(b"")
    with open_growing(path) as file:
        file.write(NEW)
    assert path.read_bytes() == NEW


def test_inputs_are_found_among_outputs_by_links_of_both_kinds(tmp_path: Path) -> None:
    capture = tmp_path / "a.pcap"
    capture.write_bytes(OLD)
    hard, soft, other = (tmp_path / name for name in ("hard", "soft", "other"))
    hard.hardlink_to(capture)
    soft.symlink_to(capture)
    other.write_bytes(OLD)
    for output in (capture, hard, soft):
        with pytest.raises(ConfigError, match="is also the input"):
            refuse_inputs(output, [tmp_path / "gone", other, capture])
        with capture.open() as opened, pytest.raises(ConfigError, match="is also the input"):
            refuse_inputs(output, [opened.fileno()])
    refuse_inputs(other, [capture, soft, hard])
    refuse_inputs(tmp_path / "new", [capture])
    refuse_inputs(Path("/dev/null"), [Path("/dev/null")])


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    path, link, fifo = tmp_path / "file", tmp_path / "link", tmp_path / "fifo"
    path.write_bytes(OLD)
    link.symlink_to(path)
    os.mkfifo(fifo)
    with open_regular(path) as file:
        assert file.read() == OLD
    with pytest.raises(OSError, match="not a regular file"):
        open_regular(fifo)
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        open_regular(link)
