"""`jvmwire decode` of a large capture with two cores, against the same command with one."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benches.harness import FEWEST, SEED, Measurement, PreparedRun, Target, compare
from jvmwire.capture import View, read_tables
from kit.command import command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.conftest import Amplified, Amplify

SIZE = 512_000_000
"""Bytes of the capture: sixteen times the smallest that more than one core decodes."""
CORES = 2
CHUNK = 1 << 20


def children_cpu() -> float:
    """Return the CPU time of the child processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("table", ["messages", "calls"])
def test_two_cores_beside_one(
    benchmark: BenchmarkFixture, amplify: Amplify, tmp_path: Path, table: str
) -> None:
    cores = sorted(os.sched_getaffinity(0))[:CORES]
    if len(cores) < CORES:
        pytest.fail(f"this process may use {len(cores)} core, and {CORES} are compared with one")
    [one] = amplify(1, 1, np.random.default_rng(SEED)).paths
    rows = sum(batch.num_rows for _, batch in read_tables(one, [View(table)]))
    out = tmp_path / "out.jsonl"

    def decoding(count: int) -> Callable[[Amplified], PreparedRun]:
        def ready(given: Amplified) -> PreparedRun:
            arguments = ["taskset", "-c", ",".join(map(str, cores[:count]))]
            arguments += command("decode", "--table", table, *given.paths, "-o", out)

            def run() -> Measurement:
                cpu, wall = children_cpu(), time.perf_counter()
                subprocess.run(arguments, check=True)
                taken = time.perf_counter() - wall
                return Measurement(given.size / 1e6, taken, children_cpu() - cpu)

            return PreparedRun(run, lambda: lines(out) == given.copies * rows)

        return ready

    rival = "jvmwire decode, one core"
    compare(
        benchmark,
        {"jvmwire decode, two cores": decoding(CORES), rival: decoding(1)},
        inputs=lambda random: amplify(SIZE, 1, random),
        check=lambda _, right: right is True,
        unit="MB",
        work=f"{table} of a large capture as JSON lines, the command",
        targets=[Target(rival, times=1.7, by="wall")] if table == "messages" else [],
        rounds=FEWEST,
    )
