"""Current and peak memory of processes: this one and those that it started."""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kit import processes

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAUSE = 0.25
"""Seconds between two samples: a process that lives shorter is not seen."""


@contextmanager
def watched_workers() -> Iterator[dict[int, int]]:
    """Yield the peak resident bytes, by process, of the Python processes below this one."""
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


def resident(process: int) -> int:
    """Return the resident bytes of a process."""
    return _kilobytes("VmRSS", Path(f"/proc/{process}/status").read_text()) * 1024


def resident_of_no_file() -> int:
    """Return the resident bytes of this process without those of mapped files."""
    status = Path("/proc/self/status").read_text()
    return (_kilobytes("RssAnon", status) + _kilobytes("RssShmem", status)) * 1024


def peak_of_this() -> int:
    """Return the peak resident bytes of this process since `forget_peak_of_this`.

    The value is of this program alone: that of getrusage begins with the parent's.
    """
    return _kilobytes("VmHWM", Path("/proc/self/status").read_text()) * 1024


def forget_peak_of_this() -> None:
    """Reset this process's peak to its present memory."""
    Path("/proc/self/clear_refs").write_text("5")


def _look(peaks: dict[int, int]) -> None:
    for process in processes.cpu_seconds().keys() - {os.getpid()}:
        try:
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:  # it has ended
            continue
        if re.search(r"^Name:\s+python", status, re.MULTILINE) and "VmHWM:" in status:
            peak = _kilobytes("VmHWM", status) * 1024
            peaks[process] = max(peak, peaks.get(process, 0))


def _kilobytes(what: str, status: str) -> int:
    [found] = re.findall(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found)
