"""Tuples per second of a bolt in a real Storm that emits and acks the tuples of a spout in Java.

The bolt in C parses as little as possible: its rate is that of Storm itself.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benches.harness import Measurement, PreparedRun, Target, compare
from kit.environment import ROOT
from kit.storm import PACKAGE, Cluster, eventually
from kit.storm_process import original

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

SECONDS = 4.0
WARM = 20_000
"""Tuples before the clock starts."""

ROUNDS = 5
COMPONENTS = ROOT / "benches" / "storm_components"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("storm")) as cluster:
        yield cluster


def topology(name: str, command: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "config": {"topology.max.spout.pending": 1000},
        "spouts": [{"id": "source", "className": f"{PACKAGE}.Source", "parallelism": 1}],
        "bolts": [
            {
                "id": "echo",
                "className": f"{PACKAGE}.PeerBolt",
                "constructorArgs": [command],
                "configMethods": [
                    {"name": "setNamedStream", "args": ["default", ["word", "number"]]}
                ],
                "parallelism": 1,
            }
        ],
        "streams": [
            {"from": "source", "to": "echo", "grouping": {"type": "SHUFFLE"}},
        ],
    }


def test_a_bolt_in_a_real_storm(
    benchmark: BenchmarkFixture, cluster: Cluster, tmp_path: Path
) -> None:
    numbers = itertools.count()
    echo = tmp_path / "echo"
    source = ROOT / "benches" / "echo" / "storm.c"
    subprocess.run(["cc", "-O2", "-std=gnu17", "-Wall", "-o", echo, source], check=True)

    def running(command: list[str], _: None) -> PreparedRun:
        name = f"live{next(numbers)}"
        path = tmp_path / f"{name}.yaml"
        path.write_text(json.dumps(topology(name, command)))

        def run() -> Measurement:
            cluster.order("submit", str(path))
            eventually(lambda: cluster.acked(name) > WARM)
            [child] = _children(cluster.pid)
            before, used, start = cluster.acked(name), _cpu_seconds(child), time.perf_counter()
            time.sleep(SECONDS)
            acked, used = cluster.acked(name) - before, _cpu_seconds(child) - used
            took = time.perf_counter() - start
            cluster.order("kill", name)
            eventually(lambda: not _children(cluster.pid))
            return Measurement(acked, took, used)

        return PreparedRun(run, lambda: True)

    def rival(*command: str) -> Callable[[None], PreparedRun]:
        return partial(running, list(command))

    python = sys.executable
    ours = (
        python,
        "-m",
        "jvmwire.storm",
        "--path",
        str(ROOT),
        "benches.storm_components.ours:Echo",
    )
    compare(
        benchmark,
        {
            "jvmwire": rival(*ours),
            "pystorm": rival(python, str(COMPONENTS / "by_pystorm.py"), "json"),
            "storm.py": rival(python, str(COMPONENTS / "by_storm_py.py"), str(original(tmp_path))),
            "C, understanding nothing": rival(str(echo)),
        },
        inputs=lambda _: None,
        check=lambda _, done: done is True,
        unit="tuple",
        work="emit and ack what a real Storm gives",
        targets=[Target("pystorm", 2)],
        rounds=ROUNDS,
        few_because="each starts a topology",
    )


def _children(parent: int) -> list[int]:
    found: set[int] = set()
    for children in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
            found.update(map(int, children.read_text().split()))
    return sorted(found)


def _cpu_seconds(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
