"""A Hama child that copies its input: ours, and one flush an operation over the same pipes.

The parent is `jvmwire hama local`'s for both. A child tells its own CPU time, without its start.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from benches.duel import FEWEST, Round, Target, Work, duel
from jvmwire.hama.local import JobOptions, run_job
from jvmwire.hama.script import SCRIPT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

RECORDS = 20_000

OURS = """\
import time
from jvmwire.hama import BSP

class Copy(BSP):
    def bsp(self, peer):
        started = time.process_time()
        for key, value in peer.read_all():
            peer.write(key, value)
        peer.finish_step()
        peer.log(str(time.process_time() - started))
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
say("%ACK_0%=\\n"); read()
say("%ACK_3%=\\n"); read()
started = time.process_time()
while True:
    say("%6%=\\n")
    key, value = read(), read()
    if key == "%%-1%%\\n" == value:
        break
    say("%7%=\\n" + key + value)
say(f"%31%={time.process_time() - started}\\n")
say("%ACK_4%=\\n"); read()
say("%ACK_5%=\\n%22%=\\n%21%=\\n")
"""
"""As the original runtime does it."""

AIM = Target("one flush an operation", times=10)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hama")
    (path / "BSPRunner.py").write_text(SCRIPT)
    (path / "copies.py").write_text(OURS)
    (path / "one_flush.py").write_text(ONE_FLUSH_AN_OPERATION)
    return path


def lines(random: np.random.Generator) -> list[str]:
    return [f"{number:x} some words of a line" for number in random.integers(0, 2**60, RECORDS)]


def test_copying_an_input(
    benchmark: BenchmarkFixture, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copying(*command: str) -> Callable[[list[str]], Work]:
        def ready(given: list[str]) -> Work:
            source = directory / "input"
            source.write_text("".join(f"{line}\n" for line in given))
            copied: list[str] = []

            def run() -> Round:
                seconds: list[float] = []
                options = JobOptions(
                    peers=1, input=source, on_log=lambda _, text: seconds.append(float(text))
                )
                started = time.perf_counter()
                result = run_job([sys.executable, *command], options)
                wall = time.perf_counter() - started
                copied[:] = [value for _, value in result.output[0]]
                return Round(RECORDS, wall, seconds[0])

            return Work(run, lambda: copied)

        return ready

    monkeypatch.setenv("PYTHONPATH", str(directory))
    duel(
        benchmark,
        {
            "jvmwire": copying(str(directory / "BSPRunner.py"), "copies:Copy"),
            AIM.rival: copying(str(directory / "one_flush.py")),
        },
        inputs=lines,
        check=lambda given, made: made == given,
        unit="record",
        work=f"a child reads and writes {RECORDS:,} records",
        targets=[AIM],
        rounds=FEWEST,
    )
