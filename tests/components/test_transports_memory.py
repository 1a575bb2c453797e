"""Connections inside this process behave as those to other processes do."""

import asyncio
import os
import pickle

import pytest

from jvmwire.transports import memory_pair
from kit.transport_adapters import Connect, EventRecorder

pytestmark = pytest.mark.usefixtures("no_leak")

SOME = os.urandom(50_000)


def test_what_one_says_the_other_hears(connect: Connect):
    client, server = memory_pair()
    ours, theirs = connect(client), connect(server)
    ours.send(SOME)
    theirs.send(SOME[::-1])
    assert theirs.read(len(SOME)) == SOME
    assert ours.read(len(SOME)) == SOME[::-1]


def test_who_comes_first_need_not_wait(connect: Connect):
    client, server = memory_pair()
    ours = connect(client)
    ours.send(b"hello")
    theirs = connect(server)
    assert theirs.read(5) == b"hello"


def test_who_connects_again_meets_the_next_of_the_other_side(connect: Connect):
    client, server = memory_pair()
    first, second = connect(client), connect(client)
    first.send(b"first")
    second.send(b"second")
    assert connect(server).read(5) == b"first"
    assert connect(server).read(6) == b"second"


def test_the_end_comes_after_what_was_said(connect: Connect):
    client, server = memory_pair()
    ours, theirs = connect(client), connect(server)
    ours.send(SOME)
    ours.close()
    ours.close()
    assert theirs.read_to_end() == SOME


def test_a_side_that_nobody_takes_is_no_leak():
    client, _ = memory_pair()
    client.connect(timeout=1).close()


def test_an_end_stays_in_its_process():
    with pytest.raises(TypeError, match="stays in its process"):
        pickle.dumps(memory_pair()[0])
    assert [str(end) for end in memory_pair()] == ["memory (client)", "memory (server)"]
    assert [end.side for end in memory_pair()] == ["client", "server"]


async def both() -> tuple[EventRecorder, EventRecorder]:
    client, server = memory_pair()
    ears = EventRecorder(), EventRecorder()
    await client.connect_async(ears[0], timeout=1)
    await server.connect_async(ears[1], timeout=1)
    return ears


async def turns() -> None:
    """Run the loop until nothing is due."""
    for _ in range(100):
        await asyncio.sleep(0)


def test_nothing_is_handed_over_within_the_write():
    async def scene() -> None:
        ours, theirs = await both()
        ours.transport.write(b"hello")
        assert not theirs.heard
        assert ours.transport.get_write_buffer_size() == 5
        await turns()
        assert theirs.heard == b"hello"
        assert ours.transport.get_write_buffer_size() == 0

    asyncio.run(scene())


def test_a_reader_that_pauses_makes_the_writer_pause():
    async def scene() -> None:
        ours, theirs = await both()
        theirs.transport.pause_reading()
        for _ in range(3):
            ours.transport.write(SOME)
        await turns()
        assert not theirs.heard
        assert ours.calls == ["made", "pause"]
        theirs.transport.resume_reading()
        await turns()
        assert theirs.heard == SOME * 3
        assert ours.calls == ["made", "pause", "resume"]

    asyncio.run(scene())


def test_an_aborted_connection_is_lost_to_the_other_side():
    async def scene() -> None:
        ours, theirs = await both()
        ours.transport.write(b"never heard")
        ours.transport.abort()
        await turns()
        assert ours.why_lost is None
        assert ours.calls == ["made", "lost"]
        assert isinstance(theirs.why_lost, ConnectionResetError)
        assert theirs.calls == ["made", "lost"]
        assert not theirs.heard

    asyncio.run(scene())


def test_who_comes_after_the_abort_is_told_of_it():
    async def scene() -> None:
        client, server = memory_pair()
        early, late = EventRecorder(), EventRecorder()
        (await client.connect_async(early, timeout=1)).abort()
        await server.connect_async(late, timeout=1)
        await turns()
        assert late.calls == ["made", "lost"]
        assert isinstance(late.why_lost, ConnectionResetError)

    asyncio.run(scene())
