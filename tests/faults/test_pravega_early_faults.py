"""The first protocol's client and server, on connections that end at any byte."""

import asyncio
import functools
import socket
from contextlib import ExitStack
from typing import Any

import pytest

from jvmwire.errors import JvmWireError
from jvmwire.options import RetryPolicy
from jvmwire.pravega.early import (
    AsyncEarlyClient,
    Dialect,
    EarlyClient,
    EarlyOptions,
    EarlyServer,
    MemoryStore,
)
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Awaited, Style, in_every_style
from kit.faults import Cut, Reset, on
from kit.pravega_early_server import serving
from kit.pravega_early_transcript import ONE, block, message
from kit.proxy import FaultProxy
from kit.scale import seeded, times

AT_ONCE = RetryPolicy(attempts=20, first_wait=0.001, longest_wait=0.05, jitter=0.001)
DEADLINE = 60.0


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


def in_memory(server: EarlyServer) -> MemoryStore:
    """Return the data that the server keeps."""
    assert isinstance(server.store, MemoryStore)
    return server.store


def stored_in(server: EarlyServer, segment: str) -> bytearray:
    """Return the contents of a segment."""
    return in_memory(server).segments[segment].data


def connect(style: Style, port: int, **told: Any) -> Any:
    options = EarlyOptions(retry=AT_ONCE, **told)
    return style.connect(EarlyClient, AsyncEarlyClient, Tcp("127.0.0.1", port), options)


def appender(style: Style, client: Any, segment: str) -> Any:
    if style.name == "sync":
        return Awaited(client.client.appender(segment), client._pool)
    return client.appender(segment)


async def read_all(style: Style, client: Any, segment: str) -> bytes:
    pieces = [piece async for piece in style.each(client, client.read_bytes(segment))]
    return b"".join(pieces)


@in_every_style
async def test_what_is_appended_is_read_again(style):
    data = seeded(1).randbytes(3_000_000)
    with serving() as (server, port):
        async with connect(style, port) as client:
            writer = appender(style, client, "s")
            assert await writer.append([data[:10], data[10:20]]) == 20
            assert await writer.append([data[20:]]) == len(data)
            assert await read_all(style, client, "s") == data
            piece = await client.read("s", 5, length=7)
            assert (piece.data, piece.at_tail, piece.end_of_segment) == (data[5:12], False, False)
            server.store.seal("s")
            last = await client.read("s", len(data))
            assert (last.data, last.at_tail, last.end_of_segment) == (b"", True, True)


@in_every_style
async def test_many_appenders_share_a_connection(style):
    with serving() as (server, port):
        async with connect(style, port) as client:

            async def write(name: str) -> None:
                writer = appender(style, client, name)
                await asyncio.gather(*(writer.append([b"%d" % at]) for at in range(10)))

            await asyncio.gather(*(write(f"s{number}") for number in range(5)))
            for number in range(5):
                stored = stored_in(server, f"s{number}")
                assert sorted(stored) == sorted(b"0123456789")


@in_every_style
async def test_a_conversation_cut_at_any_byte_stores_each_byte_once(style):
    blocks = [[b"one"], [b"two", b"three"], [b"four"]]

    async def converse(client: Any) -> None:
        async with asyncio.timeout(DEADLINE):
            writer = appender(style, client, "s")
            for block in blocks:
                await writer.append(block)

    with serving() as (server, port), FaultProxy(("127.0.0.1", port)) as proxy:
        async with connect(style, proxy.port) as client:
            await converse(client)
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
        cuts = [Cut("client", at) for at in range(link.client.read)] + [
            Cut("server", at) for at in range(link.server.read)
        ]
        for cut in cuts:
            in_memory(server).segments.clear()
            proxy.script = on(len(proxy.links), cut)
            async with connect(style, proxy.port) as client:
                await converse(client)
            assert stored_in(server, "s") == b"onetwothreefour", cut


@in_every_style
async def test_connections_reset_again_and_again_store_each_byte_once(style):
    random, data = seeded(2), seeded(3).randbytes(times(300_000))

    def script(number: int) -> list[Any]:
        return [Reset("client", random.randrange(50, 20_000))] if number < 30 else []

    with serving() as (server, port), FaultProxy(("127.0.0.1", port), script) as proxy:
        async with connect(style, proxy.port) as client, asyncio.timeout(DEADLINE):
            writer, at = appender(style, client, "s"), 0
            while at < len(data):
                size = random.choice([1, 100, 5000])
                await writer.append([data[at : at + size]])
                at += size
        assert len(proxy.links) > 5
        assert stored_in(server, "s") == data


@in_every_style
async def test_who_has_nothing_to_say_is_heard_to_live(style):
    keep_alive = Dialect.early().encode("KeepAlive", {"data": b""})
    quick = {"keep_alive_interval": 0.02}
    with (
        serving(**quick) as (_, port),
        FaultProxy(("127.0.0.1", port), recorded=True) as proxy,
    ):
        async with connect(style, proxy.port, **quick) as client:
            writer = appender(style, client, "s")
            await writer.append([b"before "])
            [link] = proxy.links
            for said in link.client.transcript, link.server.transcript:
                heard = functools.partial(said.endswith, 3 * keep_alive)
                await asyncio.to_thread(proxy.wait_until, heard)
            await writer.append([b"and after"])
            assert await read_all(style, client, "s") == b"before and after"


@in_every_style
async def test_who_breaks_a_rule_is_cut_off_and_the_others_go_on(style):
    with serving() as (_, port):
        async with connect(style, port) as client:
            writer = appender(style, client, "s")
            await writer.append([b"before "])
            reader, other = await asyncio.open_connection("127.0.0.1", port)
            other.write(b"\0\0\0\x08\0\0\0\1x")  # an event outside any block
            async with asyncio.timeout(DEADLINE):
                assert await reader.read() == b""
            other.close()
            with pytest.raises(JvmWireError):
                await client.read("no such segment", 0)
            await writer.append([b"and after"])
            assert await read_all(style, client, "s") == b"before and after"


def test_who_set_up_a_connection_id_before_another_did_appends_no_more():
    with serving() as (server, port), ExitStack() as stack:
        address = ("127.0.0.1", port)
        old, new = (stack.enter_context(socket.create_connection(address)) for _ in range(2))
        for client in (old, new):
            client.settimeout(DEADLINE)
            client.sendall(message("SetupAppend", connection_id=ONE, segment="s"))
            assert b"s" in client.recv(1000)
        # As if sent before the other client got the segment's length.
        old.sendall(block(0, b"old"))
        assert old.recv(1000) == b""
        new.sendall(block(0, b"new"))
        assert len(new.recv(1000)) > 0
        assert stored_in(server, "s") == b"new"


def test_who_waits_to_append_has_a_turn_though_one_before_waits_no_longer() -> None:
    async def append() -> None:
        async with EarlyServer() as server:
            endpoint = Tcp("127.0.0.1", await server.start())
            async with AsyncEarlyClient(endpoint) as client, asyncio.timeout(DEADLINE):
                writer = client.appender("s")
                first, second, third = [
                    asyncio.create_task(writer.append([data])) for data in (b"1", b"2", b"3")
                ]
                await asyncio.sleep(0)
                assert not first.done()
                second.cancel()
                assert (await first, await third) == (1, 2)
            assert stored_in(server, "s") == b"13"

    asyncio.run(append())
