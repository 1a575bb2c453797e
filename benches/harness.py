"""Rivals measured fairly, in the same conditions and against an oracle.

A duel runs its rivals in rounds, forth and back (ABBA), after one round that is not counted. Each
round has an input of its own, made from the seed; each rival gets it ready before its clock starts,
and what came out is compared with the oracle after all clocks of the round have stopped.
"""

from __future__ import annotations

import gc
import os
import time
from collections import deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from jvmwire import codec
from kit import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_benchmark.fixture import BenchmarkFixture

Input = TypeVar("Input")

ROUNDS = 11
FEWEST = 7
"""Quartiles of fewer rounds say little; who runs fewer says why."""

SEED = int(os.environ.get("SEED", time.time_ns() >> 10))
"""Of all inputs of this run: with `SEED=n make bench` they come again."""


@dataclass(frozen=True)
class Measurement:
    """What one round took."""

    amount: float
    """Of the unit that all rivals share."""
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, of all threads and processes that took part."""
    peak: float | None = None
    """Bytes of memory at most, beyond those that it began with; where that is what is compared."""


@dataclass(frozen=True)
class PreparedRun:
    """A rival that is ready for a round."""

    run: Callable[[], Measurement]
    """Does the work, and reports by its own clocks."""
    result: Callable[[], object]
    """What came of it, in the form that the oracle has; asked when all clocks have stopped."""


@dataclass(frozen=True)
class Target:
    """What is aimed at, beside `rival` or by `rival` itself: shown, not asserted."""

    rival: str
    times: float | None = None
    """At least so many times as fast."""
    within_ns: float | None = None
    """At most so many nanoseconds more, each."""
    at_most: float | None = None
    """At most so much itself, in what its figures are of: nanoseconds, or bytes of memory."""
    at_least: float | None = None
    """At least so much itself, where its figures are a rate: MB a second."""
    by: Literal["cpu", "wall"] = "cpu"
    """Of which time; who waits for a server most of the time is judged by the wall's."""
    alternative: str | None = None
    """Of targets with ways it is enough to reach all of one way."""


def compare(
    benchmark: BenchmarkFixture,
    rivals: Mapping[str, Callable[[Input], PreparedRun]],
    *,
    inputs: Callable[[np.random.Generator], Input],
    check: Callable[[Input, object], bool],
    unit: str,
    work: str,
    targets: Sequence[Target] = (),
    rounds: int = ROUNDS,
    few_because: str | None = None,
) -> None:
    """Let `rivals` compete, of which the first is ours, and leave the rounds in `extra_info`.

    A rival gets ready for an input; what it does before it returns is not measured.
    pytest-benchmark measures ours; the others run between its rounds. `unit` is "MB", of which the
    more a second the better, or one of what takes time.
    """
    if rounds < FEWEST and few_because is None:
        raise ValueError(f"{rounds} rounds, and no reason why they are fewer than {FEWEST}")
    load = os.getloadavg()[0]
    ours, *others = rivals
    taken: dict[str, list[Measurement]] = {name: [] for name in rivals}
    finished: dict[str, PreparedRun] = {}
    number = 0
    given = inputs(_random(number))

    def compete(name: str, ready: PreparedRun) -> None:
        taken[name].append(ready.run())
        finished[name] = ready

    def prepare(name: str) -> PreparedRun:
        ready = rivals[name](given)
        gc.collect()
        return ready

    def before() -> tuple[tuple[PreparedRun], dict[str, Any]]:
        nonlocal given
        given = inputs(_random(number))
        if number % 2:
            for name in reversed(others):
                compete(name, prepare(name))
        return (prepare(ours),), {}

    def after(_: PreparedRun) -> None:
        nonlocal number
        if not number % 2:
            for name in others:
                compete(name, prepare(name))
        _judge(given, finished, check)
        number += 1

    def ours_competes(ready: PreparedRun) -> None:
        compete(ours, ready)

    for name in rivals:
        compete(name, prepare(name))
    _judge(given, finished, check)
    for name in rivals:
        taken[name].clear()  # they are warm now
    number = 1
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        ours_competes, setup=before, teardown=after, rounds=rounds
    )
    told = {
        "work": work,
        "unit": unit,
        "targets": [asdict(target) for target in targets],
        "rivals": {name: [asdict(one) for one in taken[name]] for name in rivals},
        "few_because": few_because,
        "seed": SEED,
        "level": codec.level(),
        "load": load,
    }
    benchmark.extra_info.update(told)


def _random(number: int) -> np.random.Generator:
    return np.random.default_rng([SEED, number])


def _judge(
    given: Input, finished: dict[str, PreparedRun], check: Callable[[Input, object], bool]
) -> None:
    for name, done in finished.items():
        assert check(given, done.result()), f"{name} is not what the oracle says"
    finished.clear()


def in_process(
    do: Callable[[], object],
    amount: float,
    *,
    result: Callable[[Any], object] = lambda made: made,
    cpu_seconds: Callable[[], float] = time.process_time,
) -> PreparedRun:
    """Work that this process does; `result` brings what `do` returned into the oracle's form."""
    made: list[object] = []

    def run() -> Measurement:
        cpu, wall = cpu_seconds(), time.perf_counter()
        out = do()
        taken = Measurement(amount, time.perf_counter() - wall, cpu_seconds() - cpu)
        made.append(out)
        return taken

    return PreparedRun(run, lambda: result(made.pop()))


run_through: Callable[[Iterable[object]], None] = deque[object](maxlen=0).extend
"""Calls a function for all that `map` was given with it, and keeps nothing."""


def cpu_seconds_of_all() -> float:
    """Return the CPU time of this process and of all that it started, JVM and workers too."""
    return sum(processes.cpu_seconds().values())
