"""Appends on connections that end at any byte: each event is stored once, in order."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from jvmwire.options import RetryPolicy
from jvmwire.pravega import AsyncSegmentStore, SegmentStore, SegmentStoreOptions
from jvmwire.pravega.streams import StreamClient
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Awaited, Style, in_every_style
from kit.faults import Cut, Reset, on
from kit.pravega import StandalonePeer
from kit.proxy import FaultProxy
from kit.scale import seeded, times

BROKEN = 40
"""Connections that end early, before those that survive, in the tests where the time is random."""
# A block longer than the bytes that the broken connections carry crosses none of them.
AT_ONCE = RetryPolicy(attempts=2 * BROKEN, first_wait=0.001, longest_wait=0.05, jitter=0.001)
# Seconds after which an operation hangs.
DEADLINE = 60.0

HEADER = 8
"""Bytes before each event in a segment."""

numbers = itertools.count()


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module")
def streams(pravega: StandalonePeer) -> Iterator[StreamClient]:
    """A client whose connections do not end."""
    with StreamClient(pravega.controller, pravega.options(timeout=DEADLINE)) as client:
        client.create_scope("faults")
        yield client


def connect(style: Style, proxy: FaultProxy) -> Any:
    options = SegmentStoreOptions(retry=AT_ONCE)
    return style.connect(SegmentStore, AsyncSegmentStore, Tcp(*proxy.address), options)


def appender(style: Style, client: Any, segment: str, **options: Any) -> Any:
    if style.name == "sync":
        return Awaited(client.client.appender(segment, **options), client._pool)
    return client.appender(segment, **options)


def stored(store: SegmentStore, segment: str) -> list[bytes]:
    return [event for batch in store.read_events(segment) for event in batch]


def events_of(number: int) -> list[bytes]:
    """Return the events that a conversation of that number appends, and the forbidden last ones."""
    said = b"one", b"two", b"three", b"four", b"five", b"six", b"seven"
    return [b"%d %s" % (number, each) for each in said]


async def converse(style: Style, client: Any, segment: str, start: int, number: int) -> None:
    """Append one by one, together, and on a condition that holds and one that does not."""
    one, two, three, four, five, six, seven = events_of(number)
    async with asyncio.timeout(DEADLINE):
        writer = appender(style, client, segment)
        await writer.append(one)
        await asyncio.gather(writer.write(two), writer.write_all([three, four]))
        await writer.flush()
        end = start + sum(HEADER + len(each) for each in (one, two, three, four))
        assert await writer.append_if(five, end)
        assert not await writer.append_if(six, start)
        await writer.append(seven)
        await writer.close()


@in_every_style
async def test_large_event_is_stored_once_though_its_conversation_was_cut(style, segment_store):
    """The connection ends within its bytes, at its merge, and before any of the replies."""
    large = bytes((8 << 20) + 1)
    endpoint = segment_store.endpoint
    with (
        SegmentStore(endpoint) as store,
        FaultProxy((endpoint.host, endpoint.port)) as proxy,
    ):

        async def cut(number: int) -> None:
            name = f"faults/large-{style.name}-{number}/0.#epoch.0"
            store.create_segment(name)
            async with connect(style, proxy) as client, asyncio.timeout(DEADLINE):
                writer = appender(style, client, name)
                await writer.append_all([b"one", large, b"three"])
                await writer.append(b"four")
                await writer.close()
            assert stored(store, name) == [b"one", large, b"three", b"four"]
            store.delete_segment(name)

        await cut(0)
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
        answered, said = link.server.read, link.client.read
        cuts = [Cut("server", at) for at in range(20, answered, answered // 5)]
        cuts += [Cut("client", at) for at in (said // 2, said - 400, said - 200)]
        for number, fault in enumerate(cuts, 1):
            proxy.script = on(len(proxy.links), fault)
            await cut(number)


@in_every_style
async def test_java_reads_each_event_once_though_its_conversation_was_cut_at_any_byte(
    style, pravega, streams
):
    name = f"faults/cut-{next(numbers)}"
    streams.create_stream(name)
    [segment] = [each.name for each in streams.segments(name)]
    with (
        SegmentStore(pravega.store) as store,
        FaultProxy((pravega.store.host, pravega.store.port)) as proxy,
    ):

        async def cut(number: int) -> None:
            start = store.get_segment_info(segment).write_offset
            async with connect(style, proxy) as client:
                await converse(style, client, segment, start, number)

        await cut(0)
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
        step = 1 if style.name == "asyncio" else 29
        cuts = [Cut("client", at) for at in range(0, link.client.read, step)] + [
            Cut("server", at) for at in range(0, link.server.read, step)
        ]
        for number, fault in enumerate(cuts, 1):
            proxy.script = on(len(proxy.links), fault)
            await cut(number)
    found = iter(pravega.read(name))
    for number, where in enumerate([None, *cuts]):
        one, two, three, four, five, _, seven = events_of(number)
        told = [next(found) for _ in range(6)]
        # The events of two callers at a time may come in either order.
        told.remove(two)
        assert told == [one, three, four, five, seven], where
    assert list(found) == []


def endings(random: Random) -> Callable[[int], list[Any]]:
    """Return faults that end the first connections after some bytes of either side."""

    def script(number: int) -> list[Any]:
        if number >= BROKEN:
            return []
        kind: Any = random.choice([Cut, Reset])
        # The first carries no writer's events completely: it certainly ends.
        if number > 0 and random.random() < 0.3:
            return [kind("server", random.randrange(100, 400))]
        return [kind("client", random.randrange(100, 30_000))]

    return script


@pytest.mark.timeout(times(120))
@in_every_style
async def test_connections_that_end_again_and_again_lose_and_double_nothing(style, segment_store):
    random = seeded(5)
    with SegmentStore(segment_store.endpoint) as store:
        for _ in range(times(1)):
            await write_while_connections_end(style, store, segment_store.port, random)


async def write_while_connections_end(
    style: Style, store: SegmentStore, port: int, random: Random
) -> None:
    total = 100_000 if style.name == "asyncio" else 20_000
    segments = [f"faults/random/{next(numbers)}" for _ in range(2)]
    for segment in segments:
        store.create_segment(segment)
    with FaultProxy(("127.0.0.1", port), endings(random)) as proxy:
        async with connect(style, proxy) as client, asyncio.timeout(DEADLINE):
            # Two of the four writers append to each segment.
            writers = [appender(style, client, segment) for segment in segments * 2]

            async def write(number: int, writer: Any) -> None:
                at = 0
                while at < total // 4:
                    count = min(random.choice([1, 10, 1000]), total // 4 - at)
                    batch = [b"%d %d" % (number, at + one) for one in range(count)]
                    await writer.write_all(batch)
                    at += count
                await writer.flush()
                await writer.close()

            await asyncio.gather(*(write(*each) for each in enumerate(writers)))
        assert len(proxy.links) > 1
    for segment, here in zip(segments, ([0, 2], [1, 3]), strict=True):
        found = [tuple(map(int, event.split())) for event in stored(store, segment)]
        assert len(found) == total // 2
        for number in here:
            assert [at for of, at in found if of == number] == list(range(total // 4))
        store.delete_segment(segment)


@pytest.mark.timeout(times(120))
@in_every_style
async def test_java_reads_each_event_once_whatever_ends_connections(style, pravega, streams):
    random = seeded(6)
    # At full depth 10 million events in all.
    for _ in range(times(1, full=100)):
        await have_java_read(style, pravega, streams, random)


async def have_java_read(
    style: Style, pravega: StandalonePeer, streams: StreamClient, random: Random
) -> None:
    total = 80_000 if style.name == "asyncio" else 20_000
    name = f"faults/read-by-java-{next(numbers)}"
    streams.create_stream(name)
    [segment] = streams.segments(name)
    address = (pravega.store.host, pravega.store.port)
    with FaultProxy(address, endings(random)) as proxy:
        async with connect(style, proxy) as client, asyncio.timeout(DEADLINE):
            writers = [appender(style, client, segment.name) for _ in range(2)]

            async def write(number: int, writer: Any) -> None:
                for at in range(0, total // 2, 500):
                    await writer.write_all([b"%d %d" % (number, at + one) for one in range(500)])
                await writer.close()

            await asyncio.gather(*(write(*each) for each in enumerate(writers)))
        assert len(proxy.links) > 1
    found = [tuple(map(int, event.split())) for event in pravega.read(name)]
    for number in range(2):
        assert [at for of, at in found if of == number] == list(range(total // 2))
    assert len(found) == total
    streams.seal_stream(name)
    streams.delete_stream(name)
