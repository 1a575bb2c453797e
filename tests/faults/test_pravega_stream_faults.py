"""Streams whose connections end while segments are split and sealed, and within transactions."""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from jvmwire.options import RetryPolicy
from jvmwire.pravega.streams import AsyncStreamClient, StreamClient, StreamOptions
from jvmwire.pravega.streams.errors import StreamIsSealed
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Awaited, Style, in_every_style
from kit.faults import NONE, Cut, Reset, on
from kit.pravega import StandalonePeer
from kit.proxied_controller import Detour
from kit.proxy import Ending, FaultProxy, ProxiedConnection
from kit.scale import seeded, times

AT_ONCE = RetryPolicy(attempts=80, first_wait=0.001, longest_wait=0.05, jitter=0.001)
KEYS = [f"key{number}" for number in range(30)]
SCOPE = "broken"
HALVES = [(0.0, 0.5), (0.5, 1.0)]
WHOLE = [(0.0, 1.0)]

numbers = itertools.count()


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module")
def calm(pravega: StandalonePeer) -> Iterator[StreamClient]:
    """A client whose connections do not end."""
    with StreamClient(pravega.controller, pravega.options(timeout=60.0)) as client:
        client.create_scope(SCOPE)
        yield client


@pytest.fixture
def name(calm):
    """A stream that no other test uses."""
    name = f"{SCOPE}/stream-{next(numbers)}"
    calm.create_stream(name)
    return name


@contextmanager
def on_the_way_to(pravega: StandalonePeer) -> Iterator[tuple[FaultProxy, FaultProxy]]:
    """Return proxies of all traffic: to the controller, and to the store that it names."""
    with (
        FaultProxy((pravega.store.host, pravega.store.port)) as store,
        Detour(pravega.controller, store.address) as detour,
        FaultProxy(detour.address) as controller,
    ):
        yield controller, store


def connect(style: Style, controller: FaultProxy) -> Any:
    options = StreamOptions(retry=AT_ONCE, timeout=60.0)
    return style.connect(StreamClient, AsyncStreamClient, Tcp(*controller.address), options)


def awaited(style: Style, client: Any, part: Any) -> Any:
    return Awaited(part, client._pool) if style.name == "sync" else part


def writer(style: Style, client: Any, name: str) -> Any:
    made = client.client.writer(name) if style.name == "sync" else client.writer(name)
    return awaited(style, client, made)


def endings(random: Random) -> Callable[[int], list[Any]]:
    """Return faults that end each connection after some bytes of either side."""

    def script(_: int) -> list[Any]:
        kind: Any = random.choice([Cut, Reset])
        if random.random() < 0.3:
            return [kind("server", random.randrange(100, 400))]
        return [kind("client", random.randrange(100, 30_000))]

    return script


def by_key(events: list[bytes]) -> dict[bytes, list[int]]:
    """Return the numbers of events that are `key number`."""
    told = defaultdict(list)
    for event in events:
        key, number = event.split()
        told[key].append(int(number))
    return told


async def connections(proxy: FaultProxy, count: int) -> None:
    """Wait until there were so many connections."""
    await asyncio.to_thread(proxy.wait_until, lambda: len(proxy.links) >= count)


async def ended(proxy: FaultProxy, link: ProxiedConnection) -> None:
    """Wait until a connection has ended."""
    await asyncio.to_thread(proxy.wait_until, lambda: link.ending is not None)


async def write_rounds(out: Any, written: list[int], until: Callable[[], bool]) -> None:
    """Write one event per key, repeatedly; record how many rounds were stored."""
    for at in itertools.count():
        await out.write_all([f"{key} {at}".encode() for key in KEYS], KEYS)
        if at % 20 == 19:
            await out.flush()
            written.append(at + 1)
            if until():
                return


@pytest.mark.timeout(times(120))
@in_every_style
async def test_segments_are_split_and_merged_while_connections_end(style, pravega, calm, name):
    with on_the_way_to(pravega) as (controller, store):
        store.script = endings(seeded(7))
        async with connect(style, controller) as client:
            out, written, done = writer(style, client, name), [0], asyncio.Event()
            writing = asyncio.ensure_future(write_rounds(out, written, done.is_set))
            for ranges in [HALVES, WHOLE] * times(2):
                more = len(store.links) + 1
                segments = [each.segment_id for each in calm.segments(name)]
                await asyncio.to_thread(calm.scale, name, segments, ranges)
                await connections(store, more)
            store.script = NONE
            done.set()
            await writing
            await out.close()
        assert len(store.links) > 4
    found = by_key(pravega.read(name))
    assert found == {key.encode(): list(range(written[-1])) for key in KEYS}


@pytest.mark.timeout(times(120))
@in_every_style
async def test_a_stream_sealed_while_connections_end_has_all_that_is_not_handed_back(
    style, pravega, calm
):
    random = seeded(8)
    for _ in range(times(3)):
        name = f"{SCOPE}/sealed-{next(numbers)}"
        calm.create_stream(name)
        with on_the_way_to(pravega) as (controller, store):
            store.script = endings(random)
            async with connect(style, controller) as client:
                out, written = writer(style, client, name), [0]
                writing = asyncio.ensure_future(write_rounds(out, written, lambda: False))
                await connections(store, 4)
                await asyncio.to_thread(calm.seal_stream, name)
                with pytest.raises(StreamIsSealed):
                    await writing
                left = by_key(await out.unacknowledged())
        stored = by_key(pravega.read(name))
        for key in (key.encode() for key in KEYS):
            assert len(stored[key]) >= written[-1]
            both = stored[key] + left[key]
            assert both == list(range(len(both)))
        calm.delete_stream(name)


async def transact(style: Style, client: Any, name: str, number: int) -> None:
    """Commit two events, and abort one."""
    for ending in "commit", "abort":
        transaction = awaited(style, client, await client.begin_transaction(name))
        for event, key in zip("ab", KEYS, strict=False):
            await transaction.write(f"{ending}-{event} {number}".encode(), key)
        await transaction.ping()
        await transaction.append(f"{ending}-c {number}".encode(), "c")
        await (transaction.commit() if ending == "commit" else transaction.abort())


@pytest.mark.timeout(times(120))
@in_every_style
async def test_a_transaction_is_whole_or_not_at_all_wherever_its_connections_end(
    style, pravega, calm, name
):
    """The connections of a client to its controller, and those to its segment store."""
    [only] = calm.segments(name)
    calm.scale(name, [only.segment_id], HALVES)
    number = 0
    with on_the_way_to(pravega) as proxies:
        async with connect(style, proxies[0]) as client:
            await transact(style, client, name, number)
        cuts: list[tuple[FaultProxy, Cut]] = []
        places = times(6 if style.name == "asyncio" else 3)
        for proxy in proxies:
            [link] = proxy.links
            await ended(proxy, link)
            for flow in link.client, link.server:
                step = max(1, flow.read // places)
                cuts += [(proxy, Cut(flow.side, at)) for at in range(step // 2, flow.read, step)]
        for proxy, cut in cuts:
            number += 1
            proxy.script = on(len(proxy.links), cut)
            async with connect(style, proxies[0]) as client:
                await transact(style, client, name, number)
        assert sum(link.ending is Ending.CLOSED for it in proxies for link in it.links) > number / 2
    found = by_key(pravega.read(name))
    assert found == {f"commit-{event}".encode(): list(range(number + 1)) for event in "abc"}
