"""Idle spout: the cost of constant requests for tuples.

The requesting side sleeps a millisecond after each reply, as Storm does before its next request.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from benches.harness import FEWEST, Measurement, PreparedRun, Target, compare
from kit.environment import ROOT
from kit.storm_process import original
from kit.storm_transcript import END, messages, recorded

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

SECONDS = 3.0
REST = 0.001
"""TOPOLOGY_SLEEP_SPOUT_WAIT_STRATEGY_TIME_MS of defaults.yaml."""

NEXT = b'{"command":"next","id":""}' + END


def asking(command: Sequence[str], shake: bytes) -> PreparedRun:
    """Return a spout just before it gets requests for tuples for a while."""
    answers: list[bytes] = []

    def run() -> Measurement:
        with subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": f"{ROOT}"},
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(shake)
            # At the first reply it has started.
            for _ in range(2):
                child.stdin.write(NEXT)
                child.stdin.flush()
                _until_sync(child)
            used, start = _cpu_seconds(child.pid), time.perf_counter()
            while time.perf_counter() < start + SECONDS:
                child.stdin.write(NEXT)
                child.stdin.flush()
                answers.append(_until_sync(child))
                time.sleep(REST)
            took = time.perf_counter() - start
            used = _cpu_seconds(child.pid) - used
            child.stdin.close()
            child.stdout.read()
        return Measurement(took, took, used)

    return PreparedRun(run, lambda: all(b"sync" in answer for answer in answers) and answers != [])


def _until_sync(child: subprocess.Popen[bytes]) -> bytes:
    assert child.stdout is not None
    while b"sync" not in (line := child.stdout.readline()):
        assert line
    assert child.stdout.readline() == b"end\n"
    return line


def _cpu_seconds(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def handshake(pid_dir: Path, _random: np.random.Generator) -> bytes:
    shake, *_ = messages(recorded("words").server)
    return orjson.dumps(orjson.loads(shake.removesuffix(END)) | {"pidDir": str(pid_dir)}) + END


def test_being_idle(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    components = ROOT / "benches" / "storm_components"
    ours = ["-m", "jvmwire.storm", "benches.storm_components.ours:Idle"]
    storm_py = [str(components / "by_storm_py_idle.py"), str(original(tmp_path))]
    compare(
        benchmark,
        {
            "jvmwire": partial(asking, ours),
            "pystorm": partial(asking, [str(components / "by_pystorm_idle.py")]),
            "storm.py": partial(asking, storm_py),
        },
        inputs=partial(handshake, tmp_path),
        check=lambda _, answered: answered is True,
        unit="second",
        work="have nothing to emit, and say so, for a second",
        targets=[Target("jvmwire", at_most=30e6)],
        rounds=FEWEST,
    )
