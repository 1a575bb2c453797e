"""Rivals measured fairly: warmed, in turn (ABBA), wall clock and CPU of all processes."""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_benchmark.fixture import BenchmarkFixture

TICK = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Rival:
    """Who does the work, and how much work it is."""

    run: Callable[[], object]
    amount: float
    """Of the unit that all rivals share, a run."""


@dataclass(frozen=True)
class Round:
    """One run."""

    wall: float
    cpu: float


def duel(
    benchmark: BenchmarkFixture,
    rivals: Mapping[str, Rival],
    *,
    unit: str,
    work: str,
    rounds: int,
    target: float | None = None,
) -> None:
    """Run `rivals` in turn, forth and back, after one run each to warm up; the first one is ours.

    What pytest-benchmark measures is all of it; each rival's rounds stand in its extra_info, and
    `benches.results` makes a table of them.
    """
    for rival in rivals.values():
        rival.run()
    taken: dict[str, list[Round]] = {name: [] for name in rivals}

    def alternate() -> None:
        order = list(rivals)
        for _ in range(rounds):
            for name in order:
                taken[name].append(_measured(rivals[name].run))
            order.reverse()

    benchmark.pedantic(alternate, rounds=1, iterations=1)  # type: ignore[no-untyped-call]
    told: dict[str, Any] = {
        "work": work,
        "unit": unit,
        "target": target,
        "rivals": {
            name: {"amount": rivals[name].amount, "rounds": [asdict(one) for one in taken[name]]}
            for name in rivals
        },
    }
    benchmark.extra_info.update(told)


def _measured(run: Callable[[], object]) -> Round:
    cpu, wall = cpu_seconds(), time.perf_counter()
    run()
    return Round(time.perf_counter() - wall, cpu_seconds() - cpu)


def cpu_seconds() -> float:
    """Return the CPU time of this process and of all that it started, JVM and workers too."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            stat = (entry / "stat").read_text()
        except OSError:  # it has ended
            continue
        fields = stat[stat.rindex(")") + 2 :].split()
        parents[int(entry.name)] = int(fields[1])
        # Its own, and what its children that have ended took.
        ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[process] for process in ours) * TICK
