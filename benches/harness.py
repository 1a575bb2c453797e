"""Benchmark harness: rivals are measured in the same conditions and checked against an oracle.

A duel runs its rivals in rounds, in alternating order (ABBA), after one round that is not counted.
Each round has its own input, made from the seed; each rival prepares it before its clock starts,
and its result is compared with the oracle after all clocks of the round have stopped.
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
"""Quartiles of fewer rounds say little; a duel with fewer rounds must give the reason."""

SEED = int(os.environ.get("SEED", time.time_ns() >> 10))
"""Seed of all inputs of this run: `SEED=n make bench` repeats them."""


@dataclass(frozen=True)
class Measurement:
    """The cost of one round."""

    amount: float
    """Amount of work, in the unit that all rivals share."""
    wall: float
    """Seconds of wall time."""
    cpu: float
    """Seconds of CPU time, of all threads and processes that took part."""
    peak: float | None = None
    """Peak bytes of memory in addition to those at the beginning, where memory is compared."""


@dataclass(frozen=True)
class PreparedRun:
    """A rival that is ready for a round."""

    run: Callable[[], Measurement]
    """Does the work, and measures it with its own clocks."""
    result: Callable[[], object]
    """Returns the result in the oracle's form; called when all clocks have stopped."""


@dataclass(frozen=True)
class Target:
    """A goal relative to `rival`, or for `rival` itself: shown, not asserted."""

    rival: str
    times: float | None = None
    """Minimum speed as a multiple of the rival's."""
    within_ns: float | None = None
    """Maximum of additional nanoseconds per unit."""
    at_most: float | None = None
    """Maximum cost of the rival itself, in the unit of its figures: nanoseconds, or bytes."""
    at_least: float | None = None
    """Minimum rate of the rival itself, where its figures are a rate: MB per second."""
    by: Literal["cpu", "wall"] = "cpu"
    """The time that is compared; wall time for work that mostly waits for a server."""
    alternative: str | None = None
    """Name of an alternative; it is enough to reach all targets of one alternative."""


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
    """Compare `rivals`, of which the first is jvmwire, and store the rounds in `extra_info`.

    A rival prepares for an input; the time before it returns is not measured. pytest-benchmark
    measures jvmwire; the others run between its rounds. `unit` is "MB", shown as a rate where more
    is better, or a unit of work, shown as time per unit.
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
    """Return work of this process; `result` converts the return value of `do` for the oracle."""
    made: list[object] = []

    def run() -> Measurement:
        cpu, wall = cpu_seconds(), time.perf_counter()
        out = do()
        taken = Measurement(amount, time.perf_counter() - wall, cpu_seconds() - cpu)
        made.append(out)
        return taken

    return PreparedRun(run, lambda: result(made.pop()))


run_through: Callable[[Iterable[object]], None] = deque[object](maxlen=0).extend
"""Exhausts an iterator, such as a `map`, and keeps nothing."""


def cpu_seconds_of_all() -> float:
    """Return the CPU time of this process and its descendants, JVM and workers included."""
    return sum(processes.cpu_seconds().values())
