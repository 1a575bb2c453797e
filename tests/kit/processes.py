"""This process and all processes that it started."""

import os
from contextlib import suppress
from pathlib import Path

TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds of one tick, in which the kernel counts CPU time."""


def cpu_seconds() -> dict[int, float]:
    """Return CPU seconds by process, including those of its children that have ended."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            stat = (entry / "stat").read_text()
        except OSError:  # the process has ended
            continue
        fields = stat[stat.rindex(")") + 2 :].split()
        parents[int(entry.name)] = int(fields[1])
        ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return {process: ticks[process] * TICK for process in ours}


def sockets() -> set[str]:
    """Return the sockets of which this process holds copies."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the descriptor that lists them
            found.add(str(entry.readlink()))
    return {link for link in found if link.startswith("socket:")}


def in_session(leader: int) -> set[int]:
    """Return the processes of a session."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                found.add(int(path.parent.name))
    return found
