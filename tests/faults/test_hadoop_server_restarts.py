"""Calls that must not be executed twice, although their server is killed and restarted."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from jvmwire.errors import JvmWireError, OutcomeUnknown
from jvmwire.hadoop import HadoopOptions
from jvmwire.hadoop.rpc._proxy import connect, connect_async
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit.hadoop_bank import Bank
from kit.jvm import free_port
from kit.proxy import FaultProxy
from kit.scale import seeded, times

TESTS = Path(__file__).parents[1]
PATIENT = RetryPolicy(attempts=10_000, first_wait=0.01, longest_wait=0.1)
OPTIONS = HadoopOptions(user="alice", retry=PATIENT, timeout=60.0)
CLIENTS = 8


@contextmanager
def bank(port: int, ledger: Path, *kill: str) -> Iterator[subprocess.Popen[str]]:
    """Run a bank, which accepts calls once this yields; it is killed in the end."""
    command = [sys.executable, "-m", "kit.hadoop_bank", str(port), str(ledger), *kill]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=TESTS, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{port}\n"
        try:
            yield process
        finally:
            process.kill()


def paid(ledger: Path) -> Counter[int]:
    """Return how often each number was paid."""
    return Counter(map(int, ledger.read_text().split()))


def test_call_carried_out_by_a_killed_server_is_an_unknown_outcome(tmp_path: Path) -> None:
    port, ledger = free_port(), tmp_path / "ledger"
    errors: list[Exception] = []
    with (
        bank(port, ledger, "kill") as first,
        connect(Bank, Tcp("127.0.0.1", port), OPTIONS) as here,
    ):

        def pay() -> None:
            try:
                here.pay(7)
            except OutcomeUnknown as error:
                errors.append(error)

        paying = Thread(target=pay)
        paying.start()
        first.wait()
        with bank(port, ledger):
            paying.join()
            assert paid(ledger) == {7: 1}
            [error] = errors
            assert "restarted" in str(error)
            # The same client is served by the new instance.
            assert here.pay(8) == 8
    assert paid(ledger) == {7: 1, 8: 1}


def test_call_that_no_server_received_is_carried_out_after_a_restart(tmp_path: Path) -> None:
    port, ledger = free_port(), tmp_path / "ledger"
    with (
        bank(port, ledger),
        FaultProxy(("127.0.0.1", port)) as proxy,
        connect(Bank, Tcp("127.0.0.1", proxy.port), OPTIONS) as here,
    ):
        assert here.pay(1) == 1
        proxy.refuse()
        proxy.links[0].reset()
        proxy.wait_until(lambda: proxy.links[0].ending is not None)
        paying = Thread(target=here.pay, args=(2,))
        paying.start()
        proxy.accept()
        paying.join()
    assert paid(ledger) == {1: 1, 2: 1}


@pytest.mark.timeout(300)
def test_history_under_kills_and_lost_connections_has_no_payment_twice(tmp_path: Path) -> None:
    asyncio.run(pay_under_faults(tmp_path / "ledger"))


async def pay_under_faults(ledger: Path) -> None:
    port, random = free_port(), seeded(31)
    acknowledged: set[int] = set()
    unknown: set[int] = set()
    numbers = iter(range(1_000_000))
    done = asyncio.Event()

    async def pay(here: object) -> None:
        while not done.is_set():
            number = next(numbers)
            try:
                assert await here.pay(number) == number  # type: ignore[attr-defined]
            except OutcomeUnknown:
                unknown.add(number)
            else:
                acknowledged.add(number)

    with FaultProxy(("127.0.0.1", port)) as proxy:
        with bank(port, ledger):
            here = Tcp("127.0.0.1", proxy.port)
            clients = [await connect_async(Bank, here, OPTIONS) for _ in range(CLIENTS)]
        tasks = [asyncio.create_task(pay(each)) for each in clients for _ in range(4)]
        for _ in range(times(4)):
            with bank(port, ledger):
                for _ in range(5):
                    enough = len(acknowledged) + 40
                    while len(acknowledged) < enough:
                        await asyncio.sleep(0.005)
                    with suppress(IndexError):
                        proxy.soon(random.choice(proxy.links[-CLIENTS:]).reset)
        with bank(port, ledger):
            done.set()
            await asyncio.gather(*tasks)
        for each in clients:
            with suppress(JvmWireError):
                await each.close()
    counts = paid(ledger)
    assert set(counts.values()) == {1}
    assert acknowledged <= set(counts)
    assert set(counts) <= acknowledged | unknown
    # A living server answered repeated calls of lost connections again: few outcomes are unknown.
    assert len(unknown) < len(acknowledged)
