"""The most memory that processes had, of this one and all that it started."""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAUSE = 0.25
"""Seconds between two looks: a process that lives shorter is not seen."""


@contextmanager
def watched_workers() -> Iterator[dict[int, int]]:
    """Yield the most resident bytes, by process, of the Python processes below this one."""
    peaks: dict[int, int] = {}
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_PAUSE):
            _look(peaks)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peaks
    finally:
        done.set()
        watcher.join()
        _look(peaks)


def peak_of_this() -> int:
    """Return the most resident bytes that this process had since `forget_peak_of_this`."""
    return _peak(Path("/proc/self")) or 0


def forget_peak_of_this() -> None:
    """Let this process's peak be what it has now."""
    Path("/proc/self/clear_refs").write_text("5")


def _look(peaks: dict[int, int]) -> None:
    for process in _below(os.getpid()):
        peak = _peak(Path(f"/proc/{process}"), name="python")
        if peak is not None:
            peaks[process] = max(peak, peaks.get(process, 0))


def _below(root: int) -> set[int]:
    """Return all processes that this one started, and they."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
            except OSError:  # it has ended
                continue
            parents[int(entry.name)] = int(stat[stat.rindex(")") + 2 :].split()[1])
    found = {root}
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def _peak(process: Path, name: str = "") -> int | None:
    """Return the peak of a process of that name."""
    try:
        status = (process / "status").read_text()
    except OSError:  # it has ended
        return None
    named = re.search(rf"^Name:\s+{name}", status, re.MULTILINE)
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if named and found else None
