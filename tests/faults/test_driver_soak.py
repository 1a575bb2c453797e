"""Clients survive bad networks for a long time without leaks."""

import asyncio
import itertools
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from jvmwire.errors import CallTimeout, OutcomeUnknown, StateError, TransportError
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import LOOPS, Style
from kit.consistency.history import Append, History
from kit.consistency.log_checker import check_logs
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Echo, commands
from kit.faults import Cut, Fault, HalfClose, Reset, Stall, Trickle
from kit.proxy import FaultProxy
from kit.resources import steady
from kit.scale import seeded, times

if TYPE_CHECKING:
    from random import Random

SECONDS = 30.0
"""Duration of each round of each style."""
PART = 5.0
"""Seconds until the history is checked and discarded: it would take most of the memory."""
PARTS = round(SECONDS / PART)
"""Parts of each round."""
ROUNDS = times(1)
CALLERS = 20
RETRY = RetryPolicy(attempts=4, first_wait=0.005, longest_wait=0.05, jitter=0.005)
FIRST_GROWTH = 48 << 20
"""Bytes of growth in the first round: mostly history that the allocator keeps."""
GROWTH = 16 << 20
"""Bytes of growth in all later rounds, which need no more than the first."""


def troubled(number: int) -> Iterator[Fault]:
    """Yield the faults of a connection: all grow old, then one thing or another happens."""
    random: Random = seeded(number)
    at = random.randrange(12, 10_000)
    troubles: list[Fault] = [
        Cut("server", at),
        Cut("client", at),
        Reset("server", at),
        Reset("client", at),
        HalfClose("server", at),
        HalfClose("client", at),
        Stall("server", at, seconds=0.3),
        Trickle("server", at=at, size=7, seconds=0.001),
    ]
    yield random.choice(troubles)
    yield Cut("server", at + 2_000)


async def caller(client: Any, name: int, history: History, tokens: Iterator[int], end: float):
    """Call until the end; every other call must not be repeated."""
    while time.monotonic() < end:
        token = next(tokens)
        payload = b"%d" % token
        try:
            if token % 2:
                assert await client.echo(payload) == payload
            else:
                with history.call(name, Append("log", payload)):
                    assert await client.echo(payload, idempotent=False) == payload
        except (TransportError, CallTimeout, OutcomeUnknown):
            continue


async def soak(style: Style, address: tuple[str, int], seconds: float, parts: int) -> int:
    """Call through a bad network; prove that each reply belongs to one call.

    `seconds` are those of each part. Return the number of replies.
    """
    answered = connections = 0
    with FaultProxy(address, troubled, recorded=True) as proxy:
        endpoint = Tcp(*proxy.address)
        options = {"retry": RETRY, "timeout": 0.5, "heartbeat": 0.1}
        async with style.connect(EchoClient, AsyncEchoClient, endpoint, **options) as client:
            tokens = itertools.count()
            for _ in range(parts):
                history = History(refusals=(TransportError, StateError))
                end = time.monotonic() + seconds
                callers = (caller(client, n, history, tokens, end) for n in range(CALLERS))
                await asyncio.gather(*callers)
                connections += len(proxy.links)
                check_logs(history.calls, {"log": heard(proxy)})
                answered += sum(call.error is None for call in history.calls)
        assert connections > seconds * parts
    return answered


def heard(proxy: FaultProxy) -> list[bytes]:
    """Return the non-repeatable calls that the clients sent, and discard the transcripts."""
    payloads: list[bytes] = []
    for link in proxy.links:
        said = commands(bytes(link.client.transcript), torn=True)
        echoes = (command for _, command in said if isinstance(command, Echo))
        payloads += [echo.payload for echo in echoes if not int(echo.payload) % 2]
        for flow in (link.client, link.server):
            flow.transcript.clear()
    # No connection is made meanwhile, since no call is.
    proxy.links[:] = [link for link in proxy.links if link.ending is None]
    return payloads


@pytest.mark.parametrize("style", LOOPS[: times(2, full=3)], ids=lambda style: style.name)
@pytest.mark.timeout(SECONDS * ROUNDS * 2 + 120)
def test_clients_outlive_bad_networks(style):
    async def test() -> None:
        with EchoServer() as server:
            await soak(style, server.address, PART, parts=1)
            async with steady(growth=FIRST_GROWTH):
                answered = await soak(style, server.address, PART, PARTS)
            if ROUNDS > 1:
                async with steady(growth=GROWTH):
                    answered += await soak(style, server.address, PART, PARTS * (ROUNDS - 1))
        assert answered > 100 * ROUNDS

    style.run(test())
