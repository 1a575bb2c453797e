"""Times that writers note, and time windows of readers; Java's writers and readers besides ours."""

import asyncio
import itertools

import pytest

from jvmwire.pravega.streams import ReaderGroupConfig, StreamConfiguration, TimeWindow
from jvmwire.pravega.streams.errors import NoSuchStream
from kit.client_flavours import STYLES, Awaited, in_every_style
from kit.stream_clients import connect, opened

SCOPE = "times"
PATIENCE = 90.0
"""Seconds for what a controller does periodically."""
ONE_HOUR = 3600.0

numbers = itertools.count()


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture
def name():
    """A stream that no other test uses."""
    return f"{SCOPE}/s{next(numbers)}"


async def make(client, name, **configured):
    await client.create_scope(SCOPE)
    await client.create_stream(name, StreamConfiguration(**configured))


def writer_of(client, name):
    if isinstance(client, Awaited):
        return Awaited(client.client.writer(name), client._pool)
    return client.writer(name)


def java_writer(name):
    """Return an id for a writer of Java, which allows letters, numbers, `-` and `.`."""
    return name.replace("/", "-")


async def watermarks(style, client, name, count):
    """Return the watermarks of a stream once there are so many."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = [it async for it in style.each(client, client.watermarks(name))]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.2)


def bounds(found):
    return [(each.lower, each.upper) for each in found]


async def read_all(reader, count):
    seen: list[bytes] = []
    while len(seen) < count:
        seen += (await reader.read(0.5)).events
    return seen


async def windows_of(client, name, start, rest):
    """Check our windows in a new group that begins at a cut, before and after `rest` events."""
    await client.create_reader_group(f"{name}ours", ReaderGroupConfig({name: start}))
    reader = await opened(client, "group_reader", f"{name}ours", "one")
    with pytest.raises(ValueError, match="does not read stream 'times/other'"):
        await reader.time_window("times/other")
    before = await reader.time_window(name)
    await read_all(reader, rest)
    after = await reader.time_window(name)
    await reader.close()
    return before, after


@in_every_style
async def test_java_reads_the_times_that_we_note(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        writer = writer_of(client, name)
        await writer.write_all([b"one", b"two"])
        await writer.note_time(1000)
        [first] = await watermarks(style, client, name, 1)
        with pytest.raises(ValueError, match="noted a time later than 999"):
            await writer.note_time(999)
        await writer.append(b"three")
        await writer.note_time(2000)
        await watermarks(style, client, name, 2)
        [only] = await client.segments(name)
        await client.scale(name, [only.segment_id], [(0.0, 0.5), (0.5, 1.0)])
        await writer.append_all([b"four", b"five"], ["a", "b"])
        await writer.note_time(3000)
        await watermarks(style, client, name, 3)
        transaction = await opened(client, "begin_transaction", name)
        await transaction.write(b"six", "c")
        await transaction.commit(4000)
        found = await watermarks(style, client, name, 4)
        await writer.close()
        assert bounds(found) == [(time, time) for time in (1000, 2000, 3000, 4000)]
        assert first.cut.positions == {0: 2 * (8 + 3)}
        assert await windows_of(client, name, first.cut, 4) == (
            TimeWindow(1000, 2000),
            TimeWindow(4000, None),
        )

        await client.create_reader_group(f"{name}java", ReaderGroupConfig({name: first.cut}))
        pravega.group(f"open {name}java reader")
        seen: list[list[int | None]] = []
        async with asyncio.timeout(PATIENCE):
            while not seen or seen[-1] != [4000, None]:
                await asyncio.to_thread(pravega.read_group, "reader", 0.2)
                seen.append(pravega.told_of_group(f"window reader {name}", "["))
        pravega.group("close reader")
        assert [lower for lower, _ in seen if lower] == sorted(lower for lower, _ in seen if lower)


@in_every_style
async def test_we_read_the_times_that_java_notes(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        for time in (1000, 2000, 3000):
            await asyncio.to_thread(
                pravega.note_time, name, java_writer(name), [("key", b"%d" % time)], time
            )
            found = await watermarks(style, client, name, time // 1000)
        assert bounds(found) == [(time, time) for time in (1000, 2000, 3000)]
        assert await windows_of(client, name, None, 3) == (
            TimeWindow(None, 1000),
            TimeWindow(3000, None),
        )


@in_every_style
async def test_watermarks_are_of_all_writers(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name, timestamp_aggregation_timeout=ONE_HOUR)
        assert (await client.get_configuration(name)).timestamp_aggregation_timeout == ONE_HOUR
        java = java_writer(name)
        writer = writer_of(client, name)
        await asyncio.to_thread(pravega.note_time, name, java, [("key", b"one")], 1)
        await writer.append(b"two")
        await writer.note_time(1)
        await watermarks(style, client, name, 1)
        await asyncio.to_thread(pravega.note_time, name, java, [("key", b"three")], 50)
        await writer.append(b"four")
        await writer.note_time(40)
        found = await watermarks(style, client, name, 2)
        await writer.close()
        assert bounds(found)[-1] == (40, 50)
        assert found[-1].cut == await client.tail(name)


@in_every_style
async def test_stream_without_times_has_no_window(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        assert [it async for it in style.each(client, client.watermarks(name))] == []
        assert await windows_of(client, name, None, 0) == (TimeWindow(None, None),) * 2
        with pytest.raises(NoSuchStream):
            [it async for it in style.each(client, client.watermarks(f"{SCOPE}/none"))]
