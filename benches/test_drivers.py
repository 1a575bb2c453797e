"""Calls of an echo server in C: the drivers, and handwritten callers."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benches import driver_memory
from benches.harness import FEWEST, PreparedRun, Target, compare, in_process
from benches.socket_baselines import BlockingLoop, BulkLoop, FuturesLoop, in_flight
from jvmwire.transports import Tcp
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Batch, EchoSession, Kind, frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt
    from pytest_benchmark.fixture import BenchmarkFixture

    Payloads = npt.NDArray[np.uint8]

SIZE = 64
"""Bytes of a payload."""
CALLS = 3_000
BULK = 100_000
BULK_ROUNDS = 51
"""Each takes milliseconds, so the point where the server sleeps and wakes matters."""

AT_MOST_1_3 = 1 / 1.3
"""As a fraction of the rival's speed."""
MOST_OF_IT = 0.8


@pytest.fixture(scope="module")
def server() -> Iterator[EchoServer]:
    cpus = sorted(os.sched_getaffinity(0))
    with EchoServer() as server:
        # Otherwise it is chance whether both share a processor, for a whole round.
        if len(cpus) > 1:
            os.sched_setaffinity(server.pid, cpus[-1:])
            os.sched_setaffinity(0, cpus[:-1])
        yield server
    os.sched_setaffinity(0, cpus)


@pytest.fixture(scope="module")
def endpoint(server: EchoServer) -> Tcp:
    return Tcp(*server.address)


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def payloads(count: int, random: np.random.Generator) -> Payloads:
    return random.integers(0, 256, (count, SIZE), np.uint8)


def rows(given: Payloads) -> list[bytes]:
    return [row.tobytes() for row in given]


def same(given: Payloads, replies: object) -> bool:
    return bool(np.array_equal(given, np.asarray(replies)))


def from_rows(replies: list[bytes]) -> Payloads:
    return np.frombuffer(b"".join(replies), np.uint8).reshape(-1, SIZE)


def one_by_one(call: Callable[[bytes], bytes]) -> Callable[[Payloads], PreparedRun]:
    def ready(given: Payloads) -> PreparedRun:
        given_rows = rows(given)
        return in_process(lambda: [call(row) for row in given_rows], len(given), result=from_rows)

    return ready


def awaited(runner: asyncio.Runner, call: Any, count: int) -> Callable[[Payloads], PreparedRun]:
    def ready(given: Payloads) -> PreparedRun:
        given_rows = rows(given)
        return in_process(
            lambda: runner.run(in_flight(count, call, given_rows)), len(given), result=from_rows
        )

    return ready


def test_blocking_calls(benchmark: BenchmarkFixture, server: EchoServer, endpoint: Tcp) -> None:
    by_hand = BlockingLoop(server.address)
    with EchoClient(endpoint) as client:
        compare(
            benchmark,
            {
                "jvmwire": one_by_one(client.echo),
                "a blocking socket": one_by_one(by_hand.call),
            },
            inputs=partial(payloads, CALLS),
            check=same,
            unit="call",
            work="Blocking calls, one after the other",
            # A caller of one call after the other waits: its wall time matters.
            targets=[Target("a blocking socket", times=AT_MOST_1_3, by="wall")],
        )
    by_hand.close()


@pytest.mark.parametrize(
    ("count", "target"),
    [
        (1, Target("asyncio.Protocol", times=AT_MOST_1_3, by="wall")),
        (64, Target("asyncio.Protocol", times=MOST_OF_IT)),
    ],
    ids=["1", "64"],
)
def test_awaited_calls(
    benchmark: BenchmarkFixture,
    server: EchoServer,
    endpoint: Tcp,
    runner: asyncio.Runner,
    count: int,
    target: Target,
) -> None:
    async def new_client() -> AsyncEchoClient:
        return AsyncEchoClient(endpoint)

    client = runner.run(new_client())
    by_hand = runner.run(FuturesLoop.connect(server.address))
    compare(
        benchmark,
        {
            "jvmwire": awaited(runner, client.echo, count),
            "asyncio.Protocol": awaited(runner, by_hand.call, count),
        },
        inputs=partial(payloads, CALLS),
        check=same,
        unit="call",
        work=f"Awaited calls, {count} in flight",
        targets=[target],
    )
    by_hand.close()
    runner.run(client.close())


def test_calls_in_bulk(
    benchmark: BenchmarkFixture, server: EchoServer, endpoint: Tcp, runner: asyncio.Runner
) -> None:
    async def new_client() -> AsyncEchoClient:
        return AsyncEchoClient(endpoint)

    by_hand = BulkLoop(server.address)
    awaited_client = runner.run(new_client())
    with EchoClient(endpoint) as client:
        compare(
            benchmark,
            {
                "jvmwire": lambda given: in_process(
                    lambda: client.echo_all(given), BULK, result=np.concatenate
                ),
                "jvmwire, awaited": lambda given: in_process(
                    lambda: runner.run(awaited_client.echo_all(given)),
                    BULK,
                    result=np.concatenate,
                ),
                "a socket, encoded before and not decoded": partial(exchanged, by_hand),
            },
            inputs=partial(payloads, BULK),
            check=same,
            unit="call",
            work=f"{BULK:,} calls in bulk",
            rounds=BULK_ROUNDS,
            # By CPU this would count work that the rival does not do.
            targets=[
                Target("a socket, encoded before and not decoded", times=MOST_OF_IT, by="wall")
            ],
        )
    by_hand.close()
    runner.run(awaited_client.close())


def exchanged(by_hand: BulkLoop, given: Payloads) -> PreparedRun:
    session = EchoSession()
    session.receive_data(frame(Kind.HELLO, 0))
    assert list(session.events())
    session.data_to_send(0.0)
    session.send(Batch(given), 1)
    requests = bytes(session.data_to_send(0.0))

    def decoded(replies: bytearray) -> Payloads:
        return np.frombuffer(replies, np.uint8).reshape(len(given), -1)[:, -SIZE:]

    return in_process(lambda: by_hand.exchange(requests), len(given), result=decoded)


@pytest.mark.parametrize("what", driver_memory.CASES)
def test_memory(benchmark: BenchmarkFixture, server: EchoServer, what: str) -> None:
    case = driver_memory.CASES[what]
    compare(
        benchmark,
        {
            name: partial(driver_memory.in_its_own_process, server.port, what, name)
            for name in case.rivals
        },
        inputs=lambda _: None,
        check=lambda _, answered: answered == case.amount,
        unit=case.unit,
        work=f"Memory for {case.amount:,} {what}",
        targets=[Target("jvmwire", at_most=case.limit)],
        rounds=FEWEST,
    )
