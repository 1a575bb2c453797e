"""A task that reads and writes pairs: jvmwire's windows beside one flush and one answer at a time.

What Hama says is written ahead, so that the child's own work is what is measured: its CPU time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from functools import partial
from typing import IO, TYPE_CHECKING

from benches.duel import Round, Target, Work, duel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

PAIRS = 200_000
ROUNDS = 7

OURS = """
import sys
from jvmwire.hama import BSP


class Copy(BSP):
    def bsp(self, peer):
        for key, value in peer.pairs():
            peer.write(key, value)


sys.modules["Copy"] = sys.modules["__main__"]
sys.argv[1:] = ["Copy"]
from jvmwire.hama.runner import main
main()
"""

ONE_BY_ONE = """
import sys


def say(*lines):
    for line in lines:
        print(line)
    sys.stdout.flush()


hear = sys.stdin.readline
for _ in range(4):
    hear()
say("%ACK_0%=")
hear(), say("%ACK_3%="), hear()
while True:
    say("%6%=")
    key, value = hear()[:-1], hear()[:-1]
    if key == "%%-1%%":
        break
    say("%7%=", key, value)
say("%ACK_4%=", "%ACK_5%=", "%22%=", "%21%=")
"""


def spoken(random: np.random.Generator) -> list[bytes]:
    """Return all that Hama says, and past the end of the input what any window asks for."""
    values = random.integers(0, 1 << 60, PAIRS).tolist()
    pairs = [b"%d\nvalue %d\n" % (key, value) for key, value in enumerate(values)]
    return [b"%0%=\n0\n%1%=\n0\n%3%=\n%4%=\n", *pairs]


def child(command: Sequence[str], past: int, said: list[bytes]) -> Work:
    """Return a child that is about to copy all pairs."""
    given = b"".join(said) + b"%%-1%%\n" * 2 * past + b"%5%=\n"
    made = bytearray()

    def run() -> Round:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        writer = threading.Thread(target=_write, args=(process.stdin, given))
        writer.start()
        while data := process.stdout.read1(1 << 20):  # type: ignore[attr-defined]  # it is buffered
            made.extend(data)
        writer.join()
        process.stdout.close()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        return Round(PAIRS, time.perf_counter() - start, used.ru_utime + used.ru_stime)

    return Work(run, lambda: made.count(b"%7%=\n"))


def _write(pipe: IO[bytes], data: bytes) -> None:
    with pipe:
        pipe.write(data)


def test_reading_and_writing(benchmark: BenchmarkFixture) -> None:
    # Windows of 256: the last is not full.
    past = -PAIRS % 256
    duel(
        benchmark,
        {
            "jvmwire": partial(child, ["-c", OURS], past),
            "one flush per operation": partial(child, ["-c", ONE_BY_ONE], 1),
        },
        inputs=spoken,
        check=lambda _, pairs: pairs == PAIRS,
        unit="pair",
        work=f"read and write {PAIRS:,} pairs",
        targets=[Target("one flush per operation", 10)],
        rounds=ROUNDS,
    )
