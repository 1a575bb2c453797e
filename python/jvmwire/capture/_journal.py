"""Journal of the ranges found in growing captures, stored so that each is computed once.

Entry *n* is `n.json`, which describes the range, and `n.state`, the decoder state before it. The
state after a range is on disk before the range is, so that a later follower can resume from it. An
entry holds checksums of itself and of both states. Files with other names do not belong to the
journal and are left alone; links and FIFOs in place of its files are refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import stat
import time
import zlib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmwire._files import UNFINISHED, open_regular, replace_file
from jvmwire.capture._fingerprint import FileFingerprint
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.errors import ConfigError, DecodeError

if TYPE_CHECKING:
    from io import FileIO

LOCK_TIMEOUT = 20.0
"""Seconds to wait for a stopped query to release its journal."""


ENTRY_LIMIT = 1 << 20
"""Bytes of an entry's file at most: a path and a few numbers take a few KiB."""
STATE_LIMIT = 1 << 30
"""Bytes of a state's file at most: a state is compressed, and has at most 512 MiB before."""
MAX_OFFSET = (1 << 63) - 1
"""The largest offset in a file (`off_t`)."""
MODE = 0o600
"""Permission bits of a journal's files, since decoder states contain captured data."""
_ENTRY = re.compile(r"(0|[1-9][0-9]{0,17})\.json")
_LEFT = re.compile(rf"\.[0-9]+\.(json|state)\.[0-9a-f]+{re.escape(UNFINISHED)}")


class Journal:
    """The exclusive writer of a journal.

    Raises:
        ConfigError: another writer holds the lock, or the lock is not a regular file.
        DecodeError: the journal is damaged.
        OSError: the journal cannot be read or written.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._lock = _locked(directory / "lock")
        try:
            numbers = self._numbers()
            self.first = numbers[0] if numbers else 0
            """The number of the first entry that still exists."""
            self.next = numbers[-1] + 1 if numbers else 0
            """The number of the next entry."""
            self._after = None if self.next == 0 else zlib.crc32(self._read_last()[1])
            """The checksum of the decoder state after the last entry."""
        except BaseException:
            self._lock.close()
            raise

    def append(self, part: CaptureRange, *, after: bytes) -> None:
        """Append a range and the decoder state after it; both are on disk on return."""
        self._write(f"{self.next + 1}.state", after)
        fields: dict[str, Any] = {
            "path": str(part.path),
            "start": part.start,
            "stop": part.stop,
            "end": part.end.value,
            "beginning": None if part.beginning is None else asdict(part.beginning),
            "before": self._after,
            "after": zlib.crc32(after),
        }
        entry = fields | {"checksum": _checksum(fields)}
        self._write(f"{self.next}.json", json.dumps(entry).encode())
        self.next += 1
        self._after = fields["after"]

    def last(self) -> tuple[CaptureRange, bytes] | None:
        """Return the last range and the decoder state after it, or None if the journal is empty."""
        return None if self.next == 0 else self._read_last()

    def forget(self, number: int) -> None:
        """Delete the entries before `number`, but never the last one."""
        while self.first < min(number, self.next - 1):
            (self._directory / f"{self.first}.json").unlink(missing_ok=True)
            (self._directory / f"{self.first}.state").unlink(missing_ok=True)
            self.first += 1

    def close(self) -> None:
        """Release the lock of the journal."""
        self._lock.close()

    def _numbers(self) -> list[int]:
        """Return the numbers of the contiguous entries up to the last one.

        Entries before a gap remain from a deletion that a power failure interrupted. Temporary
        files of killed processes are removed.
        """
        numbers = set()
        for path in self._directory.iterdir():
            if _LEFT.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink()
            elif found := _ENTRY.fullmatch(path.name):
                numbers.add(int(found[1]))
        first = last = max(numbers, default=-1)
        while first - 1 in numbers:
            first -= 1
        return list(range(first, last + 1)) if numbers else []

    def _read_last(self) -> tuple[CaptureRange, bytes]:
        fields = _read_fields(self._directory, self.next - 1)
        after = _read_state(self._directory, self.next, fields["after"])
        return _range_of(self._directory, self.next - 1, fields), after

    def _write(self, name: str, content: bytes) -> None:
        with replace_file(self._directory / name, mode=MODE) as file:
            file.write(content)


def read_entry(directory: Path, number: int) -> CaptureRange:
    """Return one range of a journal.

    Raises:
        ConfigError: the journal has no such entry.
        DecodeError: the entry, or the state before it, is damaged.
        OSError: the entry cannot be read.
    """
    return _range_of(directory, number, _read_fields(directory, number))


def _read_fields(directory: Path, number: int) -> dict[str, Any]:
    """Return the fields of an entry with their types checked."""
    try:
        content = _read(directory, f"{number}.json", ENTRY_LIMIT)
    except FileNotFoundError:
        raise ConfigError(
            f"the journal {directory} has no entry {number}: it is not this query's, or was emptied"
        ) from None
    try:
        # Not orjson, since a path need not be UTF-8.
        return _checked(json.loads(content))
    except (ValueError, TypeError, RecursionError) as error:
        raise _damaged(directory, f"entry {number}: {error}") from error


_NONE = type(None)
_TYPES: dict[str, tuple[type, ...]] = {
    "path": (str,),
    "start": (int,),
    "stop": (int,),
    "end": (str,),
    "beginning": (dict, _NONE),
    "before": (int, _NONE),
    "after": (int,),
}


def _checked(entry: Any) -> dict[str, Any]:
    """Return the fields of an entry; raise `ValueError` if the entry is damaged."""
    if not isinstance(entry, dict) or entry.keys() != {*_TYPES, "checksum"}:
        raise ValueError("it has not the fields of an entry")
    fields = {name: value for name, value in entry.items() if name != "checksum"}
    if entry["checksum"] != _checksum(fields):
        raise ValueError("its checksum does not match")
    for name, types in _TYPES.items():
        if type(fields[name]) not in types:
            raise ValueError(f"{name} has the wrong type")
    if not 0 <= fields["start"] <= fields["stop"] <= MAX_OFFSET:
        raise ValueError("start and stop are not places in a file")
    return fields


def _range_of(directory: Path, number: int, fields: dict[str, Any]) -> CaptureRange:
    """Return the range of an entry, with the decoder state before it."""
    before = fields["before"]
    try:
        beginning = None if fields["beginning"] is None else FileFingerprint(**fields["beginning"])
        end = RangeEnd(fields["end"])
    except (ValueError, TypeError) as error:
        raise _damaged(directory, f"entry {number}: {error}") from error
    return CaptureRange(
        Path(fields["path"]),
        fields["start"],
        fields["stop"],
        end,
        None if before is None else _read_state(directory, number, before),
        beginning,
    )


def _read_state(directory: Path, number: int, checksum: int) -> bytes:
    try:
        state = _read(directory, f"{number}.state", STATE_LIMIT)
    except FileNotFoundError:
        raise _damaged(directory, f"it has no state {number}") from None
    if zlib.crc32(state) != checksum:
        raise _damaged(directory, f"state {number} is not what was written")
    return state


def _read(directory: Path, name: str, limit: int) -> bytes:
    """Read a file of the journal, which must be a regular one."""
    with open_regular(directory / name) as file:
        if os.fstat(file.fileno()).st_size > limit:
            raise _damaged(directory, f"{name} has more than {limit:,} bytes")
        return file.read()


def _checksum(fields: dict[str, Any]) -> int:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def _damaged(directory: Path, how: str) -> DecodeError:
    return DecodeError(
        f"the journal {directory} is damaged: {how}; "
        "remove it and the query's checkpoint to begin from the start"
    )


def _locked(path: Path) -> FileIO:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.fdopen(os.open(path, flags, MODE), "r+b", buffering=0)
    try:
        _lock(file, path)
    except BaseException:
        file.close()
        raise
    return file


def _lock(file: FileIO, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise ConfigError(f"{path} is not a regular file: it cannot be the lock of a journal")
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise ConfigError(
                    f"the journal {path.parent} is in use: each query needs one of its own"
                ) from None
            time.sleep(0.1)
        else:
            return
