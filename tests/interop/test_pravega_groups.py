"""Reader groups: readers of jvmwire and of Java share the segments of a stream."""

import asyncio
import itertools
from collections import Counter

import pytest

from jvmwire.errors import Finished, StateError
from jvmwire.pravega.streams import (
    AsyncStreamClient,
    Position,
    ReaderGroupConfig,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamOptions,
    _group_reader,
)
from jvmwire.pravega.streams._synchronizer import Synchronizer
from jvmwire.pravega.streams.errors import (
    NoSuchReaderGroup,
    ReaderGroupExists,
    ReaderInGroup,
    ReaderNotInGroup,
    TooManyCheckpoints,
)
from kit.client_flavours import STYLES, Awaited, in_every_style
from kit.stream_clients import PATIENT, connect, opened

SCOPE = "groups"
OFTEN = 1.0
"""Seconds between checkpoints."""
SEGMENTS = 4

numbers = itertools.count()


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module", autouse=True)
def scope(pravega):
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope(SCOPE)


@pytest.fixture
def name():
    """A stream that no other test uses; a group has the same name."""
    return f"{SCOPE}/s{next(numbers)}"


def told(name, **others):
    return ReaderGroupConfig({name: None}, refresh=0.2, **{"checkpoint_interval": OFTEN} | others)


async def make(client, name, segments=SEGMENTS):
    scaling = ScalingPolicy(min_segments=segments)
    await client.create_stream(name, StreamConfiguration(scaling))


async def write(client, name, count, prefix="event"):
    """Write events with this many keys."""
    events = [f"{prefix} {number}".encode() for number in range(count)]
    out = client.writer(name) if not isinstance(client, Awaited) else None
    if out is None:
        out = Awaited(client.client.writer(name), client._pool)
    await out.append_all(events, [event.decode() for event in events])
    await out.close()
    return events


async def read_until(reader, count, seen):
    """Read until there are `count` events among those seen."""
    while len(seen) < count:
        batch = await reader.read(0.5)
        seen += batch.events


async def drain(reader, seen):
    """Read until there are no more events."""
    while not (batch := await reader.read(0.5)).is_end:
        seen += batch.events


async def drain_now(reader, seen):
    """Read until no event is there."""
    while (batch := await reader.read(0.0)).events:
        seen += batch.events


def in_thread(call, *args):
    return asyncio.get_running_loop().run_in_executor(None, call, *args)


@in_every_style
async def test_group_is_made_read_to_its_end_and_deleted(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        with pytest.raises(NoSuchReaderGroup):
            await client.reader_group(name)
        assert await client.create_reader_group(name, told(name))
        with pytest.raises(ReaderGroupExists):
            await client.create_reader_group(name, told(name, max_checkpoints=7))
        written = await write(client, name, 100)
        await client.seal_stream(name)
        reader = await opened(client, "group_reader", name, "one")
        with pytest.raises(ReaderInGroup, match="reader_offline"):
            await client.group_reader(name, "one")
        seen: list[bytes] = []
        await drain(reader, seen)
        assert Counter(seen) == Counter(written)
        assert pravega.told_of_group(f"readers {name}", "[") == ["one"]
        await reader.close()
        await reader.close()
        with pytest.raises(Finished, match="closed"):
            await reader.read(0.0)
        assert pravega.told_of_group(f"readers {name}", "[") == []
        assert await client.delete_reader_group(name)
        assert not await client.delete_reader_group(name)


@in_every_style
async def test_readers_of_ours_and_of_java_read_each_event_once(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        first = await write(client, name, 200, "first")
        pravega.group(f"create {name} {name} 1000")
        pravega.group(f"open {name} java")
        ours = await opened(client, "group_reader", name, "ours")
        seen: list[bytes] = []
        java: list[bytes] = []

        async def read_ours(until):
            while not until.done():
                seen.extend((await ours.read(0.2)).events)

        async def read_both(seconds):
            reading = in_thread(pravega.read_group, "java", seconds)
            await asyncio.gather(read_ours(reading), reading)
            java.extend(reading.result())

        while len(seen) + len(java) < len(first):
            await read_both(2.0)
        group = await opened(client, "reader_group", name)
        while min(map(len, (await group.readers()).values())) < 1:
            await read_both(2.0)  # each has a segment by now, or soon
        held = await group.readers()
        assert sum(map(len, held.values())) == SEGMENTS
        assert pravega.told_of_group(f"segments {name}", "{") == {
            reader: len(segments) for reader, segments in held.items()
        }
        second = await write(client, name, 200, "second")
        await client.seal_stream(name)
        before = len(java), len(seen)
        while len(seen) + len(java) < len(first) + len(second):
            await read_both(2.0)
        assert len(java) > before[0]
        assert len(seen) > before[1]
        assert Counter(seen + java) == Counter(first + second)
        pravega.group("close java")
        await ours.close()


@in_every_style
async def test_another_goes_on_where_a_dead_reader_of_ours_was(style, pravega, name):
    """Java's reader begins at the position that was stored last."""
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        await client.create_reader_group(name, told(name, checkpoint_interval=None))
        first = await write(client, name, 100, "first")
        stored: list[bytes] = []
        position = Position()
        dead = await opened(client, "group_reader", name, "dead")
        while len(stored) < len(first):
            batch = await dead.read(0.5)
            stored += batch.events
            position = batch.position
        second = await write(client, name, 100, "second")
        lost: list[bytes] = []
        await read_until(dead, 20, lost)  # and dies before it has stored that
        group = await opened(client, "reader_group", name)
        last = Position.from_bytes(position.to_bytes())
        assert last == position
        assert await group.reader_offline("dead", last)
        assert not await group.reader_offline("dead", last)
        with pytest.raises(ReaderNotInGroup):
            await read_until(dead, 1 << 30, lost)
        pravega.group(f"open {name} heir")
        while len(stored) < len(first) + len(second):
            stored += await in_thread(pravega.read_group, "heir", 2.0)
        stored += await in_thread(pravega.read_group, "heir", 1.0)
        assert Counter(stored) == Counter(first + second)
        pravega.group("close heir")


@in_every_style
async def test_ours_goes_on_where_a_dead_reader_of_java_was(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        pravega.group(f"create {name} {name} 0")
        first = await write(client, name, 100, "first")
        pravega.group(f"open {name} dead")
        stored: list[bytes] = []
        while len(stored) < len(first):
            stored += await in_thread(pravega.read_group, "dead", 1.0)
        pravega.group("forget dead")
        second = await write(client, name, 100, "second")
        heir = await opened(client, "group_reader", name, "heir")
        assert (await heir.read(0.0)).events == []
        pravega.group(f"offline {name} dead last")
        rest: list[bytes] = []
        await read_until(heir, len(second), rest)
        rest += (await heir.read(1.0)).events
        assert Counter(stored + rest) == Counter(first + second)
        await heir.close()


@in_every_style
async def test_readers_go_on_from_a_compacted_state(style, pravega, name, monkeypatch):
    monkeypatch.setattr(_group_reader, "COMPACTION_BYTES", 0)
    monkeypatch.setattr(_group_reader, "COMPACTION_CHANCE", 1.0)
    compact, compacted = Synchronizer.compact, []

    def counting(synchronizer):
        yield from compact(synchronizer)
        compacted.append(synchronizer.stream)

    monkeypatch.setattr(Synchronizer, "compact", counting)
    async with connect(style, pravega.controller) as client:
        await make(client, name)
        first = await write(client, name, 100, "first")
        assert await client.create_reader_group(name, told(name))
        one = await opened(client, "group_reader", name, "one")
        seen: list[bytes] = []
        await read_until(one, len(first), seen)
        while len(compacted) < 3:  # from the second on, older entries are dropped
            seen += (await one.read(0.3)).events
        monkeypatch.setattr(_group_reader, "COMPACTION_CHANCE", 0.0)
        second = await write(client, name, 100, "second")
        two = await opened(client, "group_reader", name, "two")
        pravega.group(f"open {name} java")
        assert sorted(pravega.told_of_group(f"readers {name}", "[")) == ["java", "one", "two"]
        pravega.group("close java")
        await one.close()
        await client.seal_stream(name)
        await drain(two, seen)
        assert Counter(seen) == Counter(first + second)
        await two.close()


@in_every_style
async def test_without_a_position_the_last_checkpoint_counts(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        await client.create_reader_group(name, told(name, checkpoint_interval=None))
        dead = await opened(client, "group_reader", name, "dead")
        first = await write(client, name, 10, "first")
        await read_until(dead, len(first), [])
        group = await opened(client, "reader_group", name)
        assert await group.last_checkpoint() is None
        waiting = asyncio.ensure_future(group.checkpoint("here"))
        while not waiting.done():
            await dead.read(0.2)
        cuts = waiting.result()
        assert cuts == {name: await client.tail(name)} == await group.last_checkpoint()
        second = await write(client, name, 10, "second")
        await read_until(dead, len(second), [])
        await group.reader_offline("dead")
        heir = await opened(client, "group_reader", name, "heir")
        seen: list[bytes] = []
        await read_until(heir, len(second), seen)
        assert seen == second
        await heir.close()


@in_every_style
async def test_our_reader_reaches_a_checkpoint_that_java_began(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name, 2)
        await client.create_reader_group(name, told(name, checkpoint_interval=None))
        written = await write(client, name, 30)
        ours = await opened(client, "group_reader", name, "ours")
        await read_until(ours, len(written), [])
        pravega.group(f"checkpoint {name} java")
        while (batch := await ours.read(0.2)).checkpoint is None:
            pass
        assert batch.checkpoint == "java"
        assert (await ours.read(0.2)).checkpoint is None
        group = await opened(client, "reader_group", name)
        assert await group.last_checkpoint() == {name: await client.tail(name)}
        await ours.close()


@in_every_style
async def test_successors_are_read_after_all_before_them(style, controller, name):
    """Two readers, a split and a merge: the events of a key stay in order."""
    keys = [f"key{number}" for number in range(20)]
    async with connect(style, controller) as client:
        await make(client, name, 1)
        [only] = await client.segments(name)
        await client.scale(name, [only.segment_id], [(0.0, 0.5), (0.5, 1.0)])
        await client.create_reader_group(name, told(name))
        out = client.writer(name) if not isinstance(client, Awaited) else None
        out = out or Awaited(client.client.writer(name), client._pool)

        async def put(rounds):
            for number in rounds:
                await out.append_all([f"{key} {number}".encode() for key in keys], keys)

        await put(range(10))
        segments = await client.segments(name)
        await client.scale(name, [it.segment_id for it in segments], [(0.0, 0.3), (0.3, 1.0)])
        await put(range(10, 20))
        segments = await client.segments(name)
        await client.scale(name, [it.segment_id for it in segments], [(0.0, 1.0)])
        await put(range(20, 30))
        await out.close()
        await client.seal_stream(name)
        one, two = [await opened(client, "group_reader", name, each) for each in ("one", "two")]
        seen: list[bytes] = []  # in the order in which they were returned
        await asyncio.gather(drain(one, seen), drain(two, seen))
        found: dict[str, list[int]] = {key: [] for key in keys}
        for event in seen:
            key, number = event.decode().split()
            found[key].append(int(number))
        assert found == {key: list(range(30)) for key in keys}
        await one.close()
        await two.close()


@in_every_style
async def test_ends_of_a_group_are_kept_and_a_reset_begins_again(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name, 2)
        first = await write(client, name, 20, "first")
        end = await client.tail(name)
        await write(client, name, 20, "second")
        until = told(name, ends={name: end})
        await client.create_reader_group(name, until)
        reader = await opened(client, "group_reader", name, "reader")
        seen: list[bytes] = []
        await drain(reader, seen)
        assert Counter(seen) == Counter(first)
        group = await opened(client, "reader_group", name)
        await group.reset(until)
        with pytest.raises(ReaderNotInGroup):
            await read_until(reader, 1 << 30, [])
        again = await opened(client, "group_reader", name, "reader")
        seen = []
        await drain(again, seen)
        assert Counter(seen) == Counter(first)
        await again.close()
        pravega.group(f"open {name} java")
        assert pravega.read_group("java", 1.0) == []
        pravega.group("close java")


@in_every_style
async def test_more_checkpoints_than_allowed_are_refused(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        await client.create_reader_group(
            name, told(name, checkpoint_interval=None, max_checkpoints=1)
        )
        reader = await opened(client, "group_reader", name, "reader")
        group = await opened(client, "reader_group", name)
        waiting = asyncio.ensure_future(group.checkpoint("first"))
        while (await reader.read(0.1)).checkpoint is None:
            pass
        with pytest.raises(TooManyCheckpoints, match="first"):
            await group.checkpoint("second")
        await reader.read(0.1)
        await waiting
        await reader.close()


@in_every_style
async def test_batch_that_failed_is_read_by_the_next_reader(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        await client.create_reader_group(name, told(name))
        written = await write(client, name, 5)

        async def fail():
            reader = await client.group_reader(name, "reader")
            if style.name == "sync":
                with reader:
                    batch = next(each for each in reader if each.events)
                    raise KeyError(batch.events[0])
            async with reader:
                async for batch in reader:
                    if batch.events:
                        raise KeyError(batch.events[0])

        with pytest.raises(KeyError):
            await fail()
        reader = await opened(client, "group_reader", name, "reader")
        seen: list[bytes] = []
        await read_until(reader, len(written), seen)
        assert seen == written
        await reader.close()


@in_every_style
async def test_automatic_retention_tells_the_controller_of_checkpoints(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        await client.create_reader_group(name, told(name, retention="automatic"))
        written = await write(client, name, 5)
        reader = await opened(client, "group_reader", name, "reader")
        await read_until(reader, len(written), [])
        member = (reader.client if isinstance(reader, Awaited) else reader)._member
        while not member.state.checkpoints.last or not member.state.checkpoints.is_published:
            await reader.read(0.2)
        await reader.close()
        assert await client.subscribers(name) == [name]
        group = await opened(client, "reader_group", name)
        with pytest.raises(StateError, match="not manual"):
            await group.update_retention([await client.tail(name)])


@in_every_style
async def test_manual_retention_is_told_of_cuts(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        await client.create_reader_group(name, told(name, retention="manual"))
        await write(client, name, 5)
        group = await opened(client, "reader_group", name)
        await group.update_retention([await client.tail(name)])
        assert await client.subscribers(name) == [name]


@in_every_style
async def test_scope_is_deleted_with_all_that_is_in_it(style, controller):
    scope = f"{SCOPE}-{next(numbers)}"
    async with connect(style, controller) as client:
        await client.create_scope(scope)
        await make(client, f"{scope}/stream", 2)
        await client.create_reader_group(f"{scope}/group", told(f"{scope}/stream"))
        assert await client.delete_scope(scope, recursive=True)
        assert not await client.delete_scope(scope)
        assert scope not in [it async for it in style.each(client, client.scopes())]


def test_cancelled_reads_take_no_batch_unseen(pravega, name):
    """Law: a read that is cancelled when it has taken a batch, but its caller has not seen it."""

    async def main():
        options = StreamOptions(timeout=PATIENT)
        async with AsyncStreamClient(pravega.controller, options) as client:
            await make(client, name, segments=1)
            await client.create_reader_group(name, told(name))
            written = [b"event %d" % number for number in range(20)]
            seen: list[bytes] = []
            cancelled = 0
            reader = await client.group_reader(name, "one")
            async with client.writer(name) as writer:
                for event in written:
                    await drain_now(reader, seen)
                    before = dict(reader._member.offsets)
                    call = asyncio.create_task(reader.read(PATIENT))
                    writing = asyncio.create_task(writer.append(event, "key"))
                    while reader._member.offsets == before and not call.done():
                        await asyncio.sleep(0)
                    call.cancel()
                    try:
                        seen += (await call).events
                    except asyncio.CancelledError:
                        cancelled += 1
                    await writing
            await client.seal_stream(name)
            await drain(reader, seen)
            await reader.close()
            assert seen == written
            assert cancelled > 0

    asyncio.run(main())
