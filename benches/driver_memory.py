"""Memory of calls and connections, each measured in a separate process.

    python -m benches.driver_memory PORT CASE RIVAL

PORT is that of an echo server. The output is JSON: a `Measurement`, whose peak is the growth of
resident memory, and the number of answered calls.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from benches.harness import Measurement, PreparedRun
from benches.socket_baselines import FuturesLoop
from jvmwire.options import Limits
from jvmwire.transports import Tcp
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_session import Kind
from kit.environment import PYTHONPATH
from kit.memory_peaks import forget_peak_of_this, peak_of_this, resident

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

SIZE = 64
PAYLOAD = bytes(SIZE)


@dataclass(frozen=True)
class Case:
    """A kind of object that takes memory, and the number of them."""

    unit: str
    amount: int
    limit: int
    """Target of bytes of memory per object."""
    rivals: dict[str, Callable[[int, int, Callable[[], None]], int]]
    """Functions of port, amount and a callback for the warm state; return the number of replies."""


def _awaited(call: Any, amount: int) -> Coroutine[Any, Any, int]:
    """Have calls in flight that are only answered when all of them were sent."""

    async def one() -> bytes:
        return bytes(await call(PAYLOAD, Kind.LATE))

    async def run() -> int:
        calls = [asyncio.create_task(one()) for _ in range(amount)]
        await asyncio.sleep(0)
        await call(PAYLOAD, Kind.CALL)
        return sum(reply == PAYLOAD for reply in await asyncio.gather(*calls))

    return run()


def awaited_calls(port: int, amount: int, warm: Callable[[], None]) -> int:
    """Await calls of a jvmwire client."""

    async def run() -> int:
        limits = Limits(calls=amount + 1, bytes_unsent=1 << 30)
        async with AsyncEchoClient(Tcp("127.0.0.1", port), limits=limits) as client:
            await _awaited(client.echo, 1)
            warm()
            return await _awaited(client.echo, amount)

    return asyncio.run(run())


def awaited_futures(port: int, amount: int, warm: Callable[[], None]) -> int:
    """Await futures of the handwritten baseline."""

    async def run() -> int:
        protocol = await FuturesLoop.connect(("127.0.0.1", port))
        await _awaited(protocol.call, 1)
        warm()
        answered = await _awaited(protocol.call, amount)
        protocol.close()
        return answered

    return asyncio.run(run())


def calls_in_bulk(port: int, amount: int, warm: Callable[[], None]) -> int:
    """Call in bulk."""
    payloads = np.zeros((amount, SIZE), np.uint8)
    payloads.fill(1)  # otherwise the memory would not be allocated yet
    with EchoClient(Tcp("127.0.0.1", port)) as client:
        client.echo_all(payloads[:1])
        warm()
        return sum(map(len, client.echo_all(payloads)))


def idle_connections(port: int, amount: int, warm: Callable[[], None]) -> int:
    """Connect jvmwire clients, call each once, and leave them idle."""

    async def run() -> int:
        clients = []
        for number in range(amount + 1):
            clients.append(AsyncEchoClient(Tcp("127.0.0.1", port)))
            await clients[-1].echo(PAYLOAD)
            if number == 0:
                warm()
        for client in clients:
            await client.close()
        return amount

    return asyncio.run(run())


def idle_protocols(port: int, amount: int, warm: Callable[[], None]) -> int:
    """Connect handwritten protocols, call each once, and leave them idle."""

    async def run() -> int:
        protocols = []
        for number in range(amount + 1):
            protocols.append(await FuturesLoop.connect(("127.0.0.1", port)))
            await protocols[-1].call(PAYLOAD)
            if number == 0:
                warm()
        for protocol in protocols:
            protocol.close()
        await asyncio.sleep(0)
        return amount

    return asyncio.run(run())


CASES = {
    "awaited calls in flight": Case(
        "call",
        10_000,
        4096,
        {"jvmwire": awaited_calls, "asyncio.Protocol": awaited_futures},
    ),
    "calls in bulk": Case("call", 100_000, 1024, {"jvmwire": calls_in_bulk}),
    "idle asyncio connections": Case(
        "connection",
        1_000,
        50_000,
        {"jvmwire": idle_connections, "asyncio.Protocol": idle_protocols},
    ),
}


def in_its_own_process(port: int, case: str, rival: str, _: object = None) -> PreparedRun:
    """Prepare a rival in a separate process."""
    told: dict[str, Any] = {}
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}

    def run() -> Measurement:
        command = [sys.executable, "-m", "benches.driver_memory", str(port), case, rival]
        told.update(orjson.loads(subprocess.check_output(command, env=environment)))
        return Measurement(**told["round"])

    return PreparedRun(run, lambda: told["answered"])


def main(port: str, case: str, rival: str) -> None:
    """Measure one rival."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    before: list[float] = []

    def warm() -> None:
        gc.collect()
        forget_peak_of_this()
        before[:] = [resident(os.getpid()), time.perf_counter(), time.process_time()]

    amount = CASES[case].amount
    answered = CASES[case].rivals[rival](int(port), amount, warm)
    memory, wall, cpu = before
    taken = Measurement(
        amount,
        time.perf_counter() - wall,
        time.process_time() - cpu,
        peak_of_this() - memory,
    )
    print(orjson.dumps({"round": asdict(taken), "answered": answered}).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
