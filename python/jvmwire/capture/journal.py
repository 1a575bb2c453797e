"""A journal of ranges: what was found in captures that grow, kept so that it is found once.

Entry *n* is `n.json`, which names the range, and `n.state`, what was known in front of it. The
state behind a range is there before the range is: whoever finds the journal later goes on from it.
"""

from __future__ import annotations

import fcntl
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from jvmwire.capture.beginnings import Beginning
from jvmwire.capture.ranges import CaptureRange, End
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from typing import BinaryIO

LOCK_PATIENCE = 20.0
"""Seconds in which a query that was stopped must have let go of its journal."""


class Journal:
    """The writer of a journal; there is one at a time. Raises `ConfigError` if there is another."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._lock = _locked(directory / "lock")
        numbers = sorted(int(path.stem) for path in directory.glob("*.json"))
        self.first = numbers[0] if numbers else 0
        """The first entry that is still there."""
        self.next = numbers[-1] + 1 if numbers else 0
        """The number of the next entry."""

    def append(self, part: CaptureRange, *, after: bytes) -> None:
        """Add a range, and what is known behind it; on return it is on the disk."""
        self._write(f"{self.next + 1}.state", after)
        entry = {
            "path": str(part.path),
            "start": part.start,
            "stop": part.stop,
            "end": part.end.value,
            "beginning": None if part.beginning is None else asdict(part.beginning),
        }
        self._write(f"{self.next}.json", orjson.dumps(entry))
        self.next += 1

    def last(self) -> tuple[CaptureRange, bytes] | None:
        """Return the last range, and what is known behind it."""
        if self.next == 0:
            return None
        part = read_entry(self._directory, self.next - 1)
        return part, (self._directory / f"{self.next}.state").read_bytes()

    def forget(self, number: int) -> None:
        """Drop the entries before `number`, but never the last one."""
        while self.first < min(number, self.next - 1):
            (self._directory / f"{self.first}.json").unlink(missing_ok=True)
            (self._directory / f"{self.first}.state").unlink(missing_ok=True)
            self.first += 1

    def close(self) -> None:
        """Let go of the journal."""
        self._lock.close()

    def _write(self, name: str, content: bytes) -> None:
        unfinished = self._directory / f".{name}"
        # It holds what captures hold.
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, self._directory / name)  # noqa: PTH105 - atomic


def read_entry(directory: Path, number: int) -> CaptureRange:
    """Return one range of a journal; raises `ConfigError` where it has no such entry."""
    try:
        entry = orjson.loads((directory / f"{number}.json").read_bytes())
    except FileNotFoundError:
        raise ConfigError(
            f"the journal {directory} has no entry {number}: it is not this query's, or was emptied"
        ) from None
    state = directory / f"{number}.state"
    return CaptureRange(
        Path(entry["path"]),
        entry["start"],
        entry["stop"],
        End(entry["end"]),
        state.read_bytes() if state.exists() else None,
        Beginning(**entry["beginning"]) if entry["beginning"] else None,
    )


def _locked(path: Path) -> BinaryIO:
    file = path.open("ab")
    deadline = time.monotonic() + LOCK_PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                file.close()
                raise ConfigError(
                    f"the journal {path.parent} is in use: each query needs one of its own"
                ) from None
            time.sleep(0.1)
        else:
            return file
