"""jvmwire's server and Java's: the cost of a call, and of an idle connection."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benches.harness import FEWEST, Measurement, PreparedRun, Target, compare, in_process
from benches.rpc_calls import CALL, OPENED, REPLY
from kit.environment import PYTHONPATH, ROOT
from kit.hadoop import WritablePeer
from kit.memory_peaks import resident
from kit.processes import TICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

CALLS = 40_000
NULL = "none: the load's own limit"
"""Server that replies by the count of bytes: the upper limit of the load generator."""
IN_FLIGHT = 64
IDLE = 1_000


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WritablePeer]:
    with WritablePeer(tmp_path_factory.mktemp("writable")) as peer:
        yield peer


@contextmanager
def serving(*how: str) -> Iterator[tuple[int, int]]:
    """Start jvmwire's server; return its port and process."""
    command = [sys.executable, "-m", "benches.rpc_server", *how]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), process.pid
        process.communicate()


@pytest.fixture(scope="module")
def ours() -> Iterator[tuple[int, int]]:
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def ours_together() -> Iterator[tuple[int, int]]:
    with serving("--together") as server:
        yield server


@pytest.fixture(scope="module")
def nothing() -> Iterator[tuple[int, int]]:
    with serving("--null") as server:
        yield server


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU seconds of a process, of all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK


def ask(port: int, calls: int) -> int:
    """Call repeatedly with a fixed number in flight; return the number of replies.

    Nothing is decoded: the cost is that of the kernel.
    """
    with socket.create_connection(("127.0.0.1", port)) as conversation:
        conversation.sendall(OPENED)
        sent = answered = pending = 0
        while answered < calls:
            more = min(IN_FLIGHT - (sent - answered), calls - sent)
            if more:
                conversation.sendall(CALL * more)
                sent += more
            select.select([conversation], [], [])
            pending += len(conversation.recv(1 << 16))
            whole, pending = divmod(pending, len(REPLY))
            answered += whole
        return answered


def work(port: int, pid: int, calls: int) -> PreparedRun:
    return in_process(lambda: ask(port, calls), calls, cpu_seconds=partial(cpu_seconds_of, pid))


def so_many(_: np.random.Generator) -> int:
    return CALLS


def test_what_a_call_costs_a_server(
    benchmark: BenchmarkFixture,
    java: WritablePeer,
    ours: tuple[int, int],
    nothing: tuple[int, int],
) -> None:
    compare(
        benchmark,
        {
            "jvmwire": partial(work, *ours),
            "Java": partial(work, java.port, java.pid),
            NULL: partial(work, *nothing),
        },
        inputs=so_many,
        check=lambda wanted, answered: answered == wanted,
        unit="call",
        work=f"ping, {IN_FLIGHT} in flight on one connection; the CPU is the server's alone",
        targets=[Target("Java", times=1 / 1.5)],
    )


def test_what_calls_cost_that_are_taken_together(
    benchmark: BenchmarkFixture,
    java: WritablePeer,
    ours_together: tuple[int, int],
    nothing: tuple[int, int],
) -> None:
    compare(
        benchmark,
        {
            "jvmwire, in batches": partial(work, *ours_together),
            "Java": partial(work, java.port, java.pid),
            NULL: partial(work, *nothing),
        },
        inputs=so_many,
        check=lambda wanted, answered: answered == wanted,
        unit="call",
        work=f"ping, {IN_FLIGHT} in flight on one connection, taken as they came; "
        "the CPU is the server's alone",
        targets=[Target("Java", times=1)],
    )


def connecting(_: None) -> PreparedRun:
    """Return a separate server, just before it accepts connections that stay idle."""
    answered: list[bytes] = []

    def run() -> Measurement:
        connections = []
        with serving() as (port, pid):
            ask(port, 1)
            before, used, start = resident(pid), cpu_seconds_of(pid), time.perf_counter()
            try:
                for _ in range(IDLE):
                    conversation = socket.create_connection(("127.0.0.1", port))
                    connections.append(conversation)
                    conversation.sendall(OPENED + CALL)
                answered.extend(conversation.recv(1 << 12) for conversation in connections)
                took = time.perf_counter() - start
                return Measurement(IDLE, took, cpu_seconds_of(pid) - used, resident(pid) - before)
            finally:
                for conversation in connections:
                    conversation.close()

    return PreparedRun(run, lambda: answered)


def test_what_idle_connections_take(benchmark: BenchmarkFixture) -> None:
    compare(
        benchmark,
        {"jvmwire": connecting},
        inputs=lambda _: None,
        check=lambda _, answered: answered == [REPLY] * IDLE,
        unit="connection",
        work=f"Memory of a server for {IDLE:,} connections that made a call each and are idle",
        targets=[Target("jvmwire", at_most=100_000)],
        rounds=FEWEST,
    )
