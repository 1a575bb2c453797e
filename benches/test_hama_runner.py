"""Hama child that copies its input: jvmwire, and one flush per operation over the same pipes.

The parent is that of `jvmwire hama local` for both, or a real Hama. A child measures its own times,
without its start.
"""

from __future__ import annotations

import itertools
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from benches.harness import FEWEST, Measurement, PreparedRun, Target, compare
from jvmwire.hama._local import JobOptions, run_job
from jvmwire.hama._script import SCRIPT
from kit.hama import run_hama

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

RECORDS = 200_000
LIVE_RECORDS = 20_000

OURS = """\
import time
from jvmwire.hama import BSP

class Copy(BSP):
    def bsp(self, peer):
        wall, cpu = time.perf_counter(), time.process_time()
        for key, value in peer.read_all():
            peer.write(key, value)
        peer.finish_step()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peer.log(f"took {wall} {cpu}")
"""

ONE_FLUSH_AN_OPERATION = """\
import sys
import time
read, write, flush = sys.stdin.readline, sys.stdout.write, sys.stdout.flush
def say(text):
    write(text)
    flush()
for _ in range(3):
    read()
for _ in range(int(read())):
    read()
say("%ACK_0%=\\n")
while read() != "%3%=\\n":  # values of several lines are counted as one
    pass
say("%ACK_3%=\\n"); read()
wall, cpu = time.perf_counter(), time.process_time()
while True:
    say("%6%=\\n")
    key, value = read(), read()
    if key == "%%-1%%\\n" == value:
        break
    say("%7%=\\n" + key + value)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
say(f"%31%=took {wall} {cpu}\\n")
say("%ACK_4%=\\n"); read()
say("%ACK_5%=\\n%22%=\\n%21%=\\n")
"""
"""A child that flushes per operation, as the original runtime does."""

AIM = Target("one flush an operation", times=10)
LIVE_AIM = Target("one flush an operation", times=4)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hama")
    (path / "BSPRunner.py").write_text(SCRIPT)
    (path / "copies.py").write_text(OURS)
    (path / "one_flush.py").write_text(ONE_FLUSH_AN_OPERATION)
    return path


def lines(count: int, random: np.random.Generator) -> list[str]:
    return [f"{number:x} some words of a line" for number in random.integers(0, 2**60, count)]


def took(logged: list[str]) -> tuple[float, float]:
    """Return the seconds of wall and CPU time that a child printed."""
    [told] = [text for text in logged if text.startswith("took ")]
    wall, cpu = map(float, told.split()[1:])
    return wall, cpu


def test_copying_an_input(
    benchmark: BenchmarkFixture, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copying(*command: str) -> Callable[[list[str]], PreparedRun]:
        def ready(given: list[str]) -> PreparedRun:
            source = directory / "input"
            source.write_text("".join(f"{line}\n" for line in given))
            copied: list[str] = []

            def run() -> Measurement:
                logged: list[str] = []
                options = JobOptions(
                    peers=1, input=source, on_log=lambda _, text: logged.append(text)
                )
                result = run_job([sys.executable, *command], options)
                copied[:] = [value for _, value in result.output[0]]
                return Measurement(RECORDS, *took(logged))

            return PreparedRun(run, lambda: copied)

        return ready

    monkeypatch.setenv("PYTHONPATH", str(directory))
    compare(
        benchmark,
        {
            "jvmwire": copying(str(directory / "BSPRunner.py"), "copies:Copy"),
            AIM.rival: copying(str(directory / "one_flush.py")),
        },
        inputs=partial(lines, RECORDS),
        check=lambda given, made: made == given,
        unit="record",
        work=f"a child reads and writes {RECORDS:,} records",
        targets=[AIM],
        rounds=3,
        few_because="a round of one flush an operation takes over a minute",
    )


def test_copying_in_a_real_hama(
    benchmark: BenchmarkFixture, directory: Path, tmp_path: Path
) -> None:
    numbers = itertools.count()

    def copying(arguments: str, program: Path | None) -> Callable[[list[str]], PreparedRun]:
        def ready(given: list[str]) -> PreparedRun:
            work = tmp_path / f"job{next(numbers)}"
            work.mkdir()
            source = work / "input"
            source.write_text("".join(f"{line}\n" for line in given))
            copied: list[str] = []

            def run() -> Measurement:
                job = run_hama(
                    work / "job",
                    arguments,
                    input_file=source,
                    program=program,
                    environment={"PYTHONPATH": str(directory)},
                )
                assert job.succeeded, job.log.read_text()
                copied[:] = [value for _, value in job.output]
                return Measurement(LIVE_RECORDS, *took(job.logged))

            return PreparedRun(run, lambda: copied)

        return ready

    compare(
        benchmark,
        {
            "jvmwire": copying("copies:Copy", None),
            LIVE_AIM.rival: copying("none", directory / "one_flush.py"),
        },
        inputs=partial(lines, LIVE_RECORDS),
        check=lambda given, made: made == given,
        unit="record",
        work=f"a child of a real Hama reads and writes {LIVE_RECORDS:,} records",
        targets=[LIVE_AIM],
        rounds=FEWEST,
    )
