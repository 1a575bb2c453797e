"""Writers of Pravega with a fake store that waits, hangs up or seals at the worst moment."""

import asyncio
import itertools
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from jvmwire._runtime.client import operation
from jvmwire._runtime.connection import EngineConnection
from jvmwire._runtime.operations import Operation, Sleep
from jvmwire.errors import InternalError
from jvmwire.options import RetryPolicy
from jvmwire.pravega import AsyncAppender, AsyncSegmentStore, SegmentStoreOptions
from jvmwire.pravega._writer import FIRST_REQUEST_ID, Writer
from jvmwire.pravega.streams._names import StreamSegment
from jvmwire.pravega.streams._writer import StreamWriter
from kit.fake_store import StoreDouble, store_double

SEGMENT = "faults/double/0"
PATIENCE = 30.0


def with_a_store(test: Callable[[StoreDouble], Awaitable[None]]) -> Callable[[], None]:
    def run() -> None:
        async def in_time() -> None:
            async with asyncio.timeout(PATIENCE), store_double() as store:
                await test(store)

        asyncio.run(in_time())

    run.__name__ = test.__name__
    return run


async def until(seen: Callable[[], object]) -> None:
    while not seen():
        await asyncio.sleep(0.01)


def has_ended(appender: AsyncAppender) -> bool:
    return not appender._writer._is_running


def connect(store: StoreDouble, **options: Any) -> AsyncSegmentStore:
    return AsyncSegmentStore(store.endpoint, SegmentStoreOptions(**options))


@with_a_store
async def test_a_store_that_does_not_read_for_long_is_waited_for(store):
    events = 200_000
    store.reading.clear()
    async with connect(store, timeout=None) as client:
        appender = client.appender(SEGMENT)

        async def write() -> None:
            for _ in range(events):
                await appender.write(b"\0" * 92)

        writing = asyncio.create_task(write())
        # Their bytes are more than the system buffers for a peer that does not read.
        await until(lambda: appender._writer.accepted > 150_000)
        store.reading.set()
        await writing
        assert await appender.flush() == events
    assert store.stored[SEGMENT] == events


@with_a_store
async def test_a_large_list_is_sent_before_any_of_it_is_acknowledged(store):
    async with connect(store) as client:
        appender = client.appender(SEGMENT)
        await appender.append(b"first")
        store.ignored.add(SEGMENT)
        await appender.write_all([bytes(1 << 20)] * 8)
        await until(lambda: not appender._writer._events.unsent)


@with_a_store
async def test_an_append_that_is_given_up_while_nothing_is_read_is_stored_in_its_turn(store):
    store.reading.clear()
    async with connect(store, timeout=None) as client:
        appender = client.appender(SEGMENT)
        # More than the system buffers for a peer that does not read.
        await appender.write_all([bytes(1 << 20)] * 12)
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(appender.append(bytes(1 << 20)), 0.1)
        store.reading.set()
        assert await appender.append(b"last") == 15
    assert store.stored[SEGMENT] == 15


@with_a_store
async def test_an_appender_with_nothing_to_say_outlives_any_number_of_lost_connections(store):
    async with connect(store) as client, client.appender(SEGMENT) as appender:
        await appender.append(b"one")
        for number in range(2, 12):
            store.hang_up()
            await until(lambda: has_ended(appender))
            await appender.append(b"another")
            assert store.stored[SEGMENT] == number
        store.hang_up()
        setups = store.setups
        await asyncio.sleep(0.2)
        assert store.setups == setups


@with_a_store
async def test_nothing_is_sent_after_the_end(store):
    store.open.clear()
    async with connect(store) as client:
        appender = client.appender(SEGMENT)
        await appender.write(b"not this one")
        await until(lambda: store.setups > 0)
        await appender.__aexit__(ZeroDivisionError, ZeroDivisionError(), None)
        store.open.set()
        await until(lambda: has_ended(appender))
    assert not store.stored


@with_a_store
async def test_what_returns_a_token_may_fail_and_who_appends_is_told(store):
    def token() -> str:
        raise KeyError("the vault is away")

    async with connect(store, delegation_token=token) as client:
        appender = client.appender(SEGMENT)
        for _ in range(2):
            with pytest.raises(InternalError, match="the vault is away"):
                await appender.append(b"event")


@with_a_store
async def test_appenders_that_are_closed_leave_nothing_on_their_connection(store):
    async with connect(store) as client:
        async with client.appender(SEGMENT) as appender:
            await appender.append(b"first")
        connection = appender._writer._connection
        assert isinstance(connection, EngineConnection)
        for _ in range(50):
            async with client.appender(SEGMENT) as other:
                await other.append(b"event")
            await until(partial(has_ended, other))
        assert not connection.listeners
        assert not connection.close_with_connection
        assert not connection.close_waiters


class Streams(AsyncSegmentStore):
    """Writer to segments as to a stream's, whose succession a test determines."""

    @operation
    def do(self, work: Operation[Any]) -> Operation[Any]:
        """Run `work`."""
        return (yield from work)

    def writer(
        self, successors: Callable[[StreamSegment], Operation[Any]], *first: StreamSegment
    ) -> StreamWriter:
        """Return a writer of a stream that begins with these segments."""
        request_ids = itertools.count(FIRST_REQUEST_ID)

        def current() -> Operation[list[StreamSegment]]:
            yield from ()
            return list(first)

        def new_writer(segment: StreamSegment) -> Writer:
            return Writer(
                self._link,
                segment.name,
                writer_id=uuid.uuid4(),
                request_id=next(request_ids),
                max_bytes=1 << 20,
                max_events=1000,
                retry=RetryPolicy(),
            )

        return StreamWriter(
            "s/t",
            current=current,
            successors=successors,
            new_writer=new_writer,
            max_event=1 << 20,
        )


@with_a_store
async def test_a_flush_waits_for_what_is_being_handed_to_successors_of_successors(store):
    first, second = StreamSegment("s/t", 0, 0.0, 0.5), StreamSegment("s/t", 1, 0.5, 1.0)
    merged = StreamSegment("s/t", 2 | 1 << 32, 0.0, 1.0)
    last = StreamSegment("s/t", 3 | 2 << 32, 0.0, 1.0)
    told = False

    def successors(segment: StreamSegment) -> Operation[list[StreamSegment]]:
        while segment is merged and not told:
            yield Sleep(0.01)
        yield from ()
        return [last] if segment is merged else [merged]

    async with Streams(store.endpoint) as client:
        writer = client.writer(successors, first, second)
        store.ignored.add(second.name)
        await client.do(writer.enqueue([b"a"], [0.2]))
        await client.do(writer.enqueue([b"b", b"c"], [0.7, 0.8]))
        await until(lambda: store.stored[first.name] == 1)
        store.seal(first.name)
        await until(lambda: first.name not in named(writer))
        await client.do(writer.enqueue([b"d"], [0.2]))
        await until(lambda: store.stored[merged.name] == 1)
        store.seal(merged.name)
        store.seal(second.name)
        await until(lambda: any(branch.left for branch in writer._branches.values()))
        flushing = asyncio.create_task(client.do(writer.flush()))
        await asyncio.sleep(0.1)
        assert not flushing.done()
        told = True
        await flushing
        assert store.stored == {first.name: 1, merged.name: 1, last.name: 2}


@with_a_store
async def test_of_events_of_which_one_is_too_long_none_is_taken(store):
    first, second = StreamSegment("s/t", 0, 0.0, 0.5), StreamSegment("s/t", 1, 0.5, 1.0)

    def successors(_: StreamSegment) -> Operation[list[StreamSegment]]:
        yield from ()
        return []

    async with Streams(store.endpoint) as client:
        writer = client.writer(successors, first, second)
        with pytest.raises(ValueError, match="value 1: 8388609 bytes"):
            await client.do(writer.enqueue([b"a", bytes((8 << 20) + 1)], [0.2, 0.7]))
        await client.do(writer.enqueue([b"b"], [0.2]))
        await client.do(writer.flush())
        assert store.stored == {first.name: 1}


def named(writer: StreamWriter) -> list[str]:
    return [branch.segment.name for branch in writer._branches.values()]
