"""The segment store's client in every style, against a real segment store and its double."""

import asyncio
import itertools
import uuid
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.errors import (
    CallTimeout,
    ConnectFailed,
    Finished,
    LocalProtocolError,
    RemoteProtocolError,
)
from jvmwire.options import RetryPolicy
from jvmwire.pravega import NOT_THERE, AsyncSegmentStore, SegmentStore, SegmentStoreOptions
from jvmwire.pravega.errors import (
    ErrorMessage,
    NoSuchSegment,
    SegmentAlreadyExists,
    SegmentIsSealed,
    SegmentIsTruncated,
    TableKeyBadVersion,
    TableSegmentNotEmpty,
)
from jvmwire.pravega.testing import PravegaDouble
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Awaited, Style, in_every_style
from kit.jvm import free_port
from kit.scale import seeded, times

HEADER = 8
# Readers learn of a truncation once the store has applied it.
SOON = 10.0

numbers = itertools.count()


REAL, DOUBLE = "", "double"
WAYS = [(style, peer) for peer in (REAL, DOUBLE) for style in STYLES]


@pytest.fixture(
    params=WAYS, ids=lambda way: "-".join(filter(None, (way[0].name, way[1]))), scope="module"
)
def way(request):
    return request.param


@pytest.fixture(scope="module")
def style(way):
    return way[0]


@pytest.fixture(scope="module")
def real(segment_store):
    return segment_store.endpoint


@pytest.fixture(scope="module")
def double():
    with PravegaDouble() as peer:
        yield Tcp("127.0.0.1", peer.port)


@pytest.fixture(scope="module")
def endpoint(way, request):
    """The segment store of a test."""
    return request.getfixturevalue("double" if way[1] == DOUBLE else "real")


@pytest.fixture
def name():
    """A segment that no other test uses."""
    return f"client/odd ß€😀\0/{next(numbers)}.#epoch.0"


def connect(style: Style, endpoint: Any, **options: Any) -> Any:
    return style.connect(SegmentStore, AsyncSegmentStore, endpoint, SegmentStoreOptions(**options))


def appender(style: Style, client: Any, segment: str, **options: Any) -> Any:
    """Return an appender whose calls are awaited."""
    if style.name == "sync":
        return Awaited(client.client.appender(segment, **options), client._pool)
    return client.appender(segment, **options)


async def events(style: Style, client: Any, segment: str, offset: int = 0) -> list[bytes]:
    found: list[bytes] = []
    async for batch in style.each(client, client.read_events(segment, offset)):
        found += batch
    return found


@in_every_style
async def test_a_segment_is_made_looked_at_sealed_and_deleted(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        with pytest.raises(SegmentAlreadyExists, match="exists already"):
            await client.create_segment(name)
        info = await client.get_segment_info(name)
        assert (info.name, info.is_sealed, info.write_offset, info.start_offset) == (
            name,
            False,
            0,
            0,
        )
        await client.update_policy(name, scale_type=1, target_rate=100)
        await client.seal_segment(name)
        await client.seal_segment(name)
        assert (await client.get_segment_info(name)).is_sealed
        await client.delete_segment(name)
        for gone in client.get_segment_info, client.delete_segment, client.seal_segment:
            with pytest.raises(NoSuchSegment):
                await gone(name)


@in_every_style
async def test_events_come_back_in_order_as_lists_and_as_arrow(style, endpoint, name):
    random = seeded(1)
    appended = [random.randbytes(random.choice([0, 1, 100, 5000])) for _ in range(times(2000))]
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        assert await writer.append(appended[0]) == 1
        assert await writer.write(appended[1]) == 2
        await writer.write_all(appended[2:1000])
        last = await writer.append_all(pa.array(appended[1000:], pa.binary()))
        assert last == len(appended)
        assert await events(style, client, name) == appended
        batches = [it async for it in style.each(client, client.read_batches(name))]
        arrow = pa.chunked_array([pa.array(batch.events) for batch in batches])
        offsets = pa.chunked_array([pa.array(batch.offsets) for batch in batches])
        assert arrow.to_pylist() == appended
        sizes = [HEADER + len(event) for event in appended]
        assert offsets.to_pylist() == list(itertools.accumulate(sizes[:-1], initial=0))
        assert batches[-1].next_offset == sum(sizes)
        middle = offsets[1500].as_py()
        assert await events(style, client, name, middle) == appended[1500:]
        before = [it async for it in style.each(client, client.read_batches(name, end=middle))]
        assert sum(len(pa.array(it.events)) for it in before) == 1500
        assert before[-1].next_offset == middle
        await writer.close()


@in_every_style
async def test_many_writers_share_a_connection_and_keep_their_own_order(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writers = [appender(style, client, name, max_bytes=10_000) for _ in range(5)]

        async def write(number: int, writer: Any) -> None:
            for at in range(200):
                await writer.write(b"%d %d" % (number, at))
            await writer.flush()
            await writer.close()

        await asyncio.gather(*(write(*each) for each in enumerate(writers)))
        found = [tuple(map(int, event.split())) for event in await events(style, client, name)]
        for number in range(5):
            assert [at for of, at in found if of == number] == list(range(200))


@in_every_style
async def test_an_append_on_a_condition_is_stored_if_it_holds(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        assert await writer.append_if(b"first", 0)
        assert not await writer.append_if(b"not there", 0)
        await writer.write(b"second")
        assert await writer.append_if(b"third", 2 * HEADER + len(b"firstsecond"))
        for nothing, error in [("fourth", TypeError), (bytes((8 << 20) + 1), ValueError)]:
            with pytest.raises(error):
                await writer.append_if(nothing, 0)
        await writer.append(b"fourth")
        await writer.close()
        assert await events(style, client, name) == [b"first", b"second", b"third", b"fourth"]


@in_every_style
async def test_a_writer_id_goes_on_where_it_ended(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer_id = uuid.uuid4()
        for event in b"one", b"two", b"three":
            writer = appender(style, client, name, writer_id=writer_id)
            assert await writer.append(event) == 1
            await writer.close()
        assert await events(style, client, name) == [b"one", b"two", b"three"]


@in_every_style
async def test_a_sealed_segment_hands_back_what_it_did_not_take(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.append(b"taken")
        await client.seal_segment(name)
        await writer.write_all([b"left", b"over"])
        with pytest.raises(SegmentIsSealed, match="is sealed"):
            await writer.flush()
        with pytest.raises(SegmentIsSealed):
            await writer.write(b"more")
        assert await writer.unacknowledged() == [b"left", b"over"]
        assert await events(style, client, name) == [b"taken"]
        late = appender(style, client, name)
        with pytest.raises(SegmentIsSealed):
            await late.append(b"late")


@in_every_style
async def test_an_appender_to_nothing_and_a_closed_one_say_so(style, endpoint, name):
    async with connect(style, endpoint, max_event=8 << 20) as client:
        writer = appender(style, client, name)
        with pytest.raises(NoSuchSegment):
            await writer.append(b"lost")
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.close()
        with pytest.raises(Finished, match="closed"):
            await writer.write(b"more")
        with pytest.raises(ValueError, match="8388608"):
            await appender(style, client, name).append(bytes((8 << 20) + 1))


@in_every_style
async def test_the_largest_event_comes_back(style, endpoint, name):
    largest = bytes(8 << 20)
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.append(largest)
        await writer.append(b"small")
        await writer.close()
        assert await events(style, client, name) == [largest, b"small"]


@in_every_style
async def test_reading_tells_missing_sealed_and_truncated_apart(style, endpoint, name):
    async with connect(style, endpoint) as client:
        with pytest.raises(NoSuchSegment):
            await events(style, client, name)
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.append_all([b"a" * 100, b"b" * 100])
        await client.truncate_segment(name, 100 + HEADER)
        async with asyncio.timeout(SOON):
            while (await client.get_segment_info(name)).start_offset == 0:
                await asyncio.sleep(0.02)
        with pytest.raises(SegmentIsTruncated) as truncated:
            await client.read_segment(name, 0)
        assert truncated.value.start_offset == 100 + HEADER
        assert await events(style, client, name, 100 + HEADER) == [b"b" * 100]
        await client.seal_segment(name)
        piece = await client.read_segment(name, 100 + HEADER)
        assert piece.data[HEADER:] == b"b" * 100
        end = await client.read_segment(name, 2 * (100 + HEADER))
        assert (end.data, end.end_of_segment) == (b"", True)


@in_every_style
async def test_a_reader_at_the_tail_waits_for_more_until_the_segment_is_sealed(
    style, endpoint, name
):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.append(b"0")
        found: list[bytes] = []

        async def read() -> None:
            async for batch in style.each(client, client.read_events(name, follow=True)):
                found.extend(batch)

        reading = asyncio.ensure_future(read())
        for number in range(1, 20):
            await writer.append(b"%d" % number)
            async with asyncio.timeout(SOON):
                while len(found) <= number:
                    await asyncio.sleep(0.005)
        await client.seal_segment(name)
        async with asyncio.timeout(SOON):
            await reading
        assert found == [b"%d" % number for number in range(20)]


@in_every_style
async def test_bytes_that_are_no_events_are_told_apart(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        writer = appender(style, client, name)
        await writer.append_all([b"abc", bytes([0xFF] * 40)])
        with pytest.raises(RemoteProtocolError, match="does not hold events"):
            await events(style, client, name, 2 * HEADER + 3)
        raw = [data async for data in style.each(client, client.read_bytes(name))]
        assert b"".join(raw).startswith(bytes(7) + b"\3abc")


@in_every_style
async def test_segments_are_merged_with_and_without_conditions(style, endpoint, name):
    attribute = uuid.uuid4()
    names = [f"{name}{number}" for number in range(4)]
    async with connect(style, endpoint) as client:
        for number, segment in enumerate(names):
            await client.create_segment(segment)
            writer = appender(style, client, segment)
            await writer.append(b"%d" % number)
            await writer.close()
        for source in names[1:]:
            await client.seal_segment(source)
        assert await client.get_attribute(names[0], attribute) is None
        assert await client.update_attribute(names[0], attribute, 7, expected=None)
        assert not await client.update_attribute(names[0], attribute, 8, expected=6)
        update = {
            "attribute_id": attribute,
            "attribute_update_type": 4,
            "new_value": 9,
            "old_value": 7,
        }
        assert await client.merge_segments(names[0], names[1], [update]) >= 2 * (HEADER + 1)
        assert await client.get_attribute(names[0], attribute) == 9
        assert len(await client.merge_all(names[0], names[2:])) == 2
        assert await events(style, client, names[0]) == [b"0", b"1", b"2", b"3"]
        with pytest.raises(NoSuchSegment):
            await client.get_segment_info(names[1])


@in_every_style
async def test_a_transient_segment_is_appended_to_and_merged_into_its_parent(style, endpoint):
    parent = f"client/transient/{next(numbers)}.#epoch.0"
    async with connect(style, endpoint) as client:
        await client.create_segment(parent)
        transient = await client.create_transient_segment(parent, uuid.uuid4())
        assert transient.startswith(parent)
        writer = appender(style, client, transient)
        await writer.append(b"from there")
        await writer.close()
        await client.seal_segment(transient)
        await client.merge_segments(parent, transient)
        assert await events(style, client, parent) == [b"from there"]


@in_every_style
async def test_a_table_keeps_what_is_put_into_it(style, endpoint):
    table = f"client/table/{next(numbers)}"
    async with connect(style, endpoint) as client:
        await client.create_table(table)
        entries = {b"key %d" % number: bytes([number]) * number for number in range(100)}
        versions = await client.update_table(table, entries)
        assert len(set(versions)) == 100
        found = await client.read_table(table, [b"key 3", b"no key"])
        assert [entry and entry.value for entry in found] == [b"\3\3\3", None]
        keys = [key.key async for key in style.each(client, client.table_keys(table, page=7))]
        assert sorted(keys) == sorted(entries)
        read = style.each(client, client.table_entries(table, page=7))
        assert {entry.key: entry.value async for entry in read} == entries
        version = found[0].version
        await client.update_table(table, {b"key 3": b"new"}, versions={b"key 3": version})
        with pytest.raises(TableKeyBadVersion):
            await client.update_table(table, {b"key 3": b"newer"}, versions={b"key 3": version})
        with pytest.raises(TableKeyBadVersion):
            await client.update_table(table, {b"key 3": b"x"}, versions={b"key 3": NOT_THERE})
        with pytest.raises(SegmentIsTruncated) as longer:
            await client.update_table(table, {b"key 3": b"x"}, expected_length=5)
        length = (await client.get_table_info(table)).length
        assert longer.value.start_offset == length
        await client.update_table(table, {b"key 3": b"newer"}, expected_length=length)
        for refused in [
            client.update_table(table, {b"": b"x"}),
            client.remove_from_table(table, [b"key 3", b""]),
            client.read_table(table, [b""]),
        ]:
            with pytest.raises(ValueError, match="empty key"):
                await refused
        assert (await client.read_table(table, [b"key 3"]))[0].value == b"newer"
        with pytest.raises(TableSegmentNotEmpty):
            await client.delete_table(table, must_be_empty=True)
        await client.remove_from_table(table, entries)
        assert await client.read_table(table, [b"key 3"]) == [None]
        await client.delete_table(table)


@in_every_style
async def test_keys_of_one_length_are_in_order(style, endpoint):
    table = f"client/sorted/{next(numbers)}"
    async with connect(style, endpoint) as client:
        await client.create_table(table, key_length=4)
        assert (await client.get_table_info(table)).key_length == 4
        entries = {number.to_bytes(4, "big"): b"%d" % number for number in range(50)}
        await client.update_table(table, entries)
        for page in 1, 3, 1000:
            between = client.table_keys(
                table, start=bytes([0, 0, 0, 10]), end=bytes([0, 0, 0, 19]), page=page
            )
            keys = [int.from_bytes(key.key, "big") async for key in style.each(client, between)]
            assert keys == list(range(10, 20))
        found = style.each(client, client.table_entries(table, page=7))
        assert [(entry.key, entry.value) async for entry in found] == list(entries.items())


@in_every_style
async def test_a_late_reply_is_dropped_and_the_connection_lives(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_segment(name)
        with pytest.raises(CallTimeout):
            await client.within(0.2).read_segment(name, 0)
        writer = appender(style, client, name)
        await writer.append(b"now it is answered")
        assert await events(style, client, name) == [b"now it is answered"]


@in_every_style
async def test_key_over_the_limit_of_the_store_is_refused_with_its_reason(style, endpoint, name):
    async with connect(style, endpoint) as client:
        await client.create_table(name)
        with pytest.raises(ErrorMessage, match="Key too large") as told:
            await client.update_table(name, {bytes(8193): b""})
        assert told.value.code == 0
        assert (await client.get_table_info(name)).entry_count == 0


@in_every_style
async def test_appender_is_told_that_another_client_has_its_writer_id(style, endpoint, name):
    writer_id = uuid.uuid4()
    async with (
        connect(style, endpoint) as client,
        connect(style, endpoint) as other,
    ):
        await client.create_segment(name)
        first = appender(style, client, name, writer_id=writer_id)
        await first.append(b"of the first")
        second = appender(style, other, name, writer_id=writer_id)
        await second.append(b"of the second")
        with pytest.raises(LocalProtocolError, match="another appender uses the writer id"):
            await first.append(b"of the first again")
        assert await first.unacknowledged() == [b"of the first again"]
        assert await events(style, client, name) == [b"of the first", b"of the second"]


@in_every_style
async def test_nobody_there_is_told_after_the_retries(style):
    once = RetryPolicy(attempts=2, first_wait=0.001, jitter=0.001)
    async with connect(style, Tcp("127.0.0.1", free_port()), retry=once) as client:
        with pytest.raises(ConnectFailed):
            await client.get_segment_info("a")
        writer = appender(style, client, "a/b/0")
        with pytest.raises(ConnectFailed):
            await writer.append(b"lost")
        assert await writer.unacknowledged() == [b"lost"]
