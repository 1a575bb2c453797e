"""Atomic file replacement, and opening of regular files only.

A file is written under a temporary name in its own directory and renamed when it is complete, so
that its name never refers to a partial file. The temporary name ends in `UNFINISHED`; no part of
jvmwire reads such a file. The writer holds a lock on the file, by which a later run recognises the
leftovers of a killed process.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import re
import secrets
import shutil
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedWriter, FileIO

    from _typeshed import ReadableBuffer

UNFINISHED = ".jvmwire-unfinished"
"""Suffix of every temporary name."""
ABANDONED_AFTER = 600.0
"""Age in seconds at which an unlocked temporary file counts as left by a killed process.

The age of a file is the time since its last change. Locks alone are not enough, because some file
systems lock within one host only.
"""
NAME_LIMIT = 255
"""Maximum bytes of a file name (NAME_MAX of the usual file systems)."""
WRITE_BACK_BYTES = 8 << 20
"""Bytes between two requests that the kernel start writing the file to disk."""
STDIN, STDOUT = 0, 1
_TOKEN_BYTES = 8
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LINKS = 40
"""Maximum number of symbolic links that are followed in a row, as in Linux."""
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM}
"""Errors of `fsync` on a directory that do not indicate a disk failure."""


@contextmanager
def replace_file(
    path: Path, *, mode: int = 0o666, like: os.stat_result | None = None
) -> Iterator[BufferedWriter]:
    """Yield a new file that replaces `path` when the block ends without an exception.

    The content is on disk before the rename, and the rename is on disk on return.

    Args:
        path: The file to create or replace; a symbolic link at this path is itself replaced.
        mode: Permission bits of the new file, before the umask is applied.
        like: Status of the replaced file; its permission bits and, if possible, owner are kept.
    """
    unfinished = _unfinished(path)
    try:
        descriptor = _create(unfinished, path, mode if like is None else 0o600)
        with _EarlyWriter(os.fdopen(descriptor, "wb").detach()) as file:
            _lock(file.fileno())
            if like is not None:
                _make_alike(file.fileno(), like)
            yield file
            file.flush()
            os.fsync(file.fileno())
            # Renamed while locked, so that no other process takes the file for abandoned.
            os.replace(unfinished, path)  # noqa: PTH105 - atomic
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    sync_directory(path.parent)


class _EarlyWriter(io.BufferedWriter):
    """A writer that makes the kernel write the content to disk while more content is produced.

    Otherwise all of a long file would wait for the final `fsync`. A write error in between is
    reported by that `fsync`.
    """

    _written = _passed_on = 0

    def write(self, buffer: ReadableBuffer, /) -> int:
        """Write bytes; after `WRITE_BACK_BYTES` more bytes, start write-back of the new part."""
        written = super().write(buffer)
        self._written += written
        if self._written - self._passed_on >= WRITE_BACK_BYTES:
            self.flush()
            _begin_write_back(self.fileno(), self._passed_on, self._written - self._passed_on)
            self._passed_on = self._written
        return written


def _begin_write_back(descriptor: int, start: int, length: int) -> None:
    """Ask the kernel to start writing a range of a file to disk: a hint without a guarantee."""
    # For POSIX_FADV_DONTNEED, Linux starts write-back of the range and does not wait.
    if hasattr(os, "posix_fadvise"):
        # not supported by the file system: the final `fsync` writes everything
        with suppress(OSError):
            os.posix_fadvise(descriptor, start, length, os.POSIX_FADV_DONTNEED)


@contextmanager
def replace_directory(path: Path) -> Iterator[Path]:
    """Yield a new directory that replaces `path` when the block ends without an exception.

    The previous entry at `path`, also a link or a file, is removed afterwards. Between two renames,
    there is briefly no entry at `path`.
    """
    unfinished, replaced = _unfinished(path), _unfinished(path)
    try:
        unfinished.mkdir()
        with _locked_directory(unfinished):
            yield unfinished
            remove_unfinished_in(unfinished)
            sync_directory(unfinished)
            try:
                with suppress(FileNotFoundError):
                    os.rename(path, replaced)  # noqa: PTH104 - of a link, not of its target
                unfinished.rename(path)
            except BaseException:
                if not os.path.lexists(path):
                    with suppress(OSError):
                        os.rename(replaced, path)  # noqa: PTH104 - as above
                raise
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    sync_directory(path.parent)
    remove_any(replaced)


@contextmanager
def open_output(path: Path, *, is_binary: bool = False) -> Iterator[BufferedWriter]:
    """Open an output file named by the user; a regular file appears when the block succeeds.

    An existing file is replaced and keeps its permission bits; a symbolic link keeps pointing to
    its target, and the target is replaced. An entry that is not a regular file (`/dev/null`, a
    FIFO, `/dev/stdout`) is written directly.

    Args:
        path: The output file.
        is_binary: Whether the content is binary and must not be written to a terminal.

    Raises:
        ConfigError: `path` is a terminal, and the content is binary.
        OSError: the file cannot be written; `filename` is `path`.
    """
    existing = _open_existing(path)
    if existing is not None:
        there = os.fstat(existing)
        if not stat.S_ISREG(there.st_mode) or _is_descriptor(path):
            with os.fdopen(existing, "wb") as file:
                if is_binary:
                    refuse_terminal(file, str(path))
                yield file
            return
        os.close(existing)
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if existing is not None:
        _check_replaceable(target, there)
    remove_unfinished(target)
    with replace_file(target, like=None if existing is None else there) as file:
        yield file


@contextmanager
def open_growing(path: Path, *, is_binary: bool = False) -> Iterator[BufferedWriter]:
    """Open an output file under its final name, for processes that read it while it is written.

    Raises:
        ConfigError: `path` is a file that is not empty, or a terminal for binary data.
        OSError: the file cannot be written; `filename` is `path`.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        there = os.fstat(descriptor)
        if stat.S_ISREG(there.st_mode) and there.st_size and not _is_descriptor(path):
            raise ConfigError(
                f"{path} exists and is not empty: --follow writes rows as they come, "
                "so it needs a new file; remove this one or name another"
            )
        if is_binary:
            refuse_terminal(file, str(path))
        yield file


def refuse_terminal(file: BinaryIO, name: str) -> None:
    """Raise `ConfigError` if `file`, opened for binary output, is a terminal."""
    if file.isatty():
        raise ConfigError(
            f"{name} is a terminal and the output is binary: name a file with -o, or use a pipe"
        )


def refuse_inputs(output: Path | int, inputs: Iterable[Path | int]) -> None:
    """Raise `ConfigError` if an output is the same file as one of the inputs.

    Hard links and symbolic links are resolved. Terminals and other character devices may be both.

    Args:
        output: A path, or the descriptor of standard output, which is refused only for a regular
            file.
        inputs: Paths and open descriptors; entries that do not exist are ignored.
    """
    try:
        there = os.stat(output)  # noqa: PTH116 - or of a descriptor
    except OSError:
        return  # it does not exist, so it is not an input; opening it reports any other error
    kinds = (stat.S_ISREG,) if isinstance(output, int) else (stat.S_ISREG, _is_fifo_or_block)
    if not any(is_kind(there.st_mode) for is_kind in kinds):
        return
    for each in inputs:
        with suppress(OSError):
            if os.path.samestat(there, os.stat(each)):  # noqa: PTH116 - as above
                named = "standard output" if isinstance(output, int) else str(output)
                also = "" if str(each) == named or isinstance(each, int) else f" {each}"
                raise ConfigError(
                    f"the output {named} is also the input{also}: nothing was written; "
                    "name another output"
                )


def open_regular(path: Path) -> FileIO:
    """Open a regular file for reading; never follow a final symbolic link or wait for a FIFO.

    Raises:
        OSError: the file cannot be opened, is a link, or is not a regular file.
    """
    file = os.fdopen(os.open(path, _READ), "rb", buffering=0)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return file


def sync_directory(directory: Path) -> None:
    """Write the entries of a directory to disk, if the file system supports it."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def is_unfinished(name: str) -> bool:
    """Return whether `name` is a temporary name."""
    return name.endswith(UNFINISHED)


def remove_unfinished(path: Path) -> None:
    """Remove temporary files for `path` that killed processes left in its directory."""
    ours = re.compile(
        rf"{re.escape(_stem(path))}[0-9a-f]{{{2 * _TOKEN_BYTES}}}{re.escape(UNFINISHED)}"
    )
    with suppress(OSError):
        for each in path.parent.iterdir():
            if ours.fullmatch(each.name):
                with suppress(OSError):
                    _remove_abandoned(each)


def remove_unfinished_in(directory: Path) -> None:
    """Remove all temporary files in a directory that has no writers."""
    for each in directory.iterdir():
        if is_unfinished(each.name):
            with suppress(OSError):
                each.unlink()


def remove_any(path: Path) -> None:
    """Remove a file, a link or a directory tree, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _stem(path: Path) -> str:
    room = NAME_LIMIT - len(f"..{UNFINISHED}") - 2 * _TOKEN_BYTES
    return f".{os.fsdecode(os.fsencode(path.name)[:room])}."


def _unfinished(path: Path) -> Path:
    return path.with_name(f"{_stem(path)}{secrets.token_hex(_TOKEN_BYTES)}{UNFINISHED}")


def _create(unfinished: Path, path: Path, mode: int) -> int:
    try:
        return os.open(unfinished, _NEW, mode)
    except OSError as error:
        raise _named(error, path) from error


def _named(error: OSError, path: Path) -> OSError:
    """Return the error with the path of the user instead of the temporary name."""
    return OSError(error.errno, error.strerror or str(error), str(path))


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False  # locked by another process, or no locks in this file system
    return True


@contextmanager
def _locked_directory(directory: Path) -> Iterator[None]:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _remove_abandoned(unfinished: Path) -> None:
    if time.time() - unfinished.lstat().st_mtime < ABANDONED_AFTER:
        return
    descriptor = os.open(unfinished, _READ)
    try:
        if _lock(descriptor):
            remove_any(unfinished)
    finally:
        os.close(descriptor)


def _make_alike(descriptor: int, like: os.stat_result) -> None:
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (like.st_uid, like.st_gid):
        with suppress(OSError):  # only root may change the owner of a file
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & 0o777)


def _open_existing(path: Path) -> int | None:
    """Open an existing `path` for writing, with the system's own checks; None if it is missing.

    As a result, a write-protected file is not replaced either, and a link that another user planted
    in `/tmp` is not followed where the system forbids it.
    """
    # Appending keeps earlier output in the file behind a descriptor.
    flags = os.O_APPEND if _is_descriptor(path) else 0
    try:
        return os.open(path, os.O_WRONLY | os.O_CLOEXEC | flags)
    except FileNotFoundError:
        return None


def _check_replaceable(target: Path, there: os.stat_result) -> None:
    """Raise early if `rename` would fail in a sticky directory such as `/tmp` after the work."""
    parent = target.parent.stat()
    user = os.geteuid()
    if parent.st_mode & stat.S_ISVTX and user not in {0, there.st_uid, parent.st_uid}:
        raise OSError(
            errno.EPERM, "another user's file in a sticky directory cannot be replaced", str(target)
        )


def _is_descriptor(path: Path) -> bool:
    """Return whether a path leads through `/proc/PID/fd`, as `/dev/stdout` does."""
    name = os.fspath(path)
    for _ in range(_LINKS):
        parent = os.path.realpath(os.path.dirname(name) or ".")  # noqa: PTH120 - of text
        if re.fullmatch(r"/proc/\d+(/task/\d+)?/fd|/dev/fd", parent):
            return True
        try:
            name = os.path.join(parent, os.readlink(name))  # noqa: PTH115, PTH118 - of text
        except OSError:
            return False
    return False


def _is_fifo_or_block(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISBLK(mode)
