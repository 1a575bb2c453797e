"""Guarantees of clients, in every way to call them."""

import asyncio
import logging
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from jvmwire._runtime import callbacks
from jvmwire.errors import (
    CallTimeout,
    ClientClosed,
    ConnectFailed,
    ConnectionLost,
    LimitExceeded,
    OutcomeUnknown,
    RemoteProtocolError,
    ServerError,
)
from jvmwire.options import Limits, RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import LOOPS, Style, in_every_style
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Kind, frame
from kit.faults import Cut, Reset, Stall, Swallow, always, on
from kit.polling import LATEST, comes_true
from kit.proxy import FaultProxy
from kit.scale import times
from kit.servers import saying, serving

if TYPE_CHECKING:
    from jvmwire.options import CallReport

Connect = Callable[..., Any]


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    with EchoServer() as server:
        yield server.address


@pytest.fixture(params=LOOPS, ids=lambda style: style.name)
def style(request):
    return request.param


def connect(style: Style, address: tuple[str, int], **options: Any) -> Any:
    return style.connect(EchoClient, AsyncEchoClient, Tcp(*address), **options)


@in_every_style
async def test_a_call_returns_its_reply(style, server):
    async with connect(style, server) as client:
        assert await client.echo(b"hello") == b"hello"
        assert await client.echo(b"") == b""


@in_every_style
async def test_a_hundred_callers_share_a_client_and_each_gets_its_own(style, server):
    async with connect(style, server) as client:

        async def caller(number: int) -> list[bytes]:
            return [await client.echo(b"%d:%d" % (number, i)) for i in range(20)]

        replies = await asyncio.gather(*map(caller, range(100)))
    assert replies == [[b"%d:%d" % (n, i) for i in range(20)] for n in range(100)]


@in_every_style
async def test_a_megabyte_each_way_at_once_does_not_lock_up(style, server):
    payload = bytes(1 << 20)
    async with connect(style, server) as client:
        replies = await asyncio.gather(*(client.echo(payload) for _ in range(20)))
    assert set(replies) == {payload}


@in_every_style
async def test_a_batch_is_one_command_and_its_replies_are_columns(style, server):
    payloads = np.arange(80_000, dtype=np.uint8).reshape(10_000, 8)
    async with connect(style, server) as client:
        replies, one = await asyncio.gather(client.echo_all(payloads), client.echo(b"beside it"))
    assert (np.concatenate(replies) == payloads).all()
    assert one == b"beside it"


@in_every_style
async def test_a_refusal_is_raised_where_the_call_was_made(style, server):
    async with connect(style, server) as client:
        with pytest.raises(ServerError, match="no such thing"):
            await client.echo(b"no such thing", Kind.REFUSE)
        assert await client.echo(b"goes on") == b"goes on"


@in_every_style
async def test_what_the_peer_says_as_it_hangs_up_is_raised(style, server):
    async with connect(style, server) as client:
        with pytest.raises(ServerError, match="I am tired"):
            await client.echo(b"I am tired", Kind.FAIL)
        assert await client.echo(b"a new connection") == b"a new connection"


@in_every_style
async def test_a_late_reply_is_dropped_and_the_connection_lives(style, server):
    async with connect(style, server) as client:
        await client.echo(b"connected")
        with pytest.raises(CallTimeout, match=r"no answer to echo in 0\.1 s"):
            await client.within(0.1).echo(b"early", Kind.LATE)
        assert await client.echo(b"next") == b"next"  # before which the server answers the first
        await client.echo(b"and one more, to have read what came behind it")
        assert await client.late_replies() == 1


@in_every_style
async def test_calls_beyond_the_bound_wait_and_are_answered(style, server):
    limits = Limits(calls=2)
    async with connect(style, server, limits=limits) as client:
        held = asyncio.ensure_future(client.echo(b"held", Kind.LATE))
        replies = await asyncio.gather(*(client.echo(b"%d" % i) for i in range(50)))
        assert replies == [b"%d" % i for i in range(50)]
        assert await held == b"held"


@in_every_style
async def test_a_call_that_waits_for_room_times_out_like_any_other(style, server):
    with FaultProxy(server, always(Stall("server", at=12))) as proxy:
        limits = Limits(calls=1)
        async with connect(style, proxy.address, limits=limits, timeout=0.2) as client:
            results = await asyncio.gather(
                client.echo(b"first"), client.echo(b"second"), return_exceptions=True
            )
            assert [type(result) for result in results] == [CallTimeout, CallTimeout]


@in_every_style
async def test_a_bound_on_bytes_in_flight_holds_calls_back(style, server):
    with FaultProxy(server, always(Stall("server", at=12)), recorded=True) as proxy:
        limits = Limits(bytes_in_flight=1000)
        async with connect(style, proxy.address, limits=limits) as client:
            calls = [asyncio.ensure_future(client.echo(bytes(600))) for _ in range(10)]
            # The greeting, two calls of 612 bytes, and none of the eight that are queued.
            await comes_true(lambda: proxy.links and proxy.links[0].client.read >= 12 + 2 * 612)
            await client.sleep(0.1)
            assert len(proxy.links[0].client.transcript) == 12 + 2 * 612
            await client.close(linger=0.0)
            await asyncio.gather(*calls, return_exceptions=True)


@in_every_style
async def test_a_call_waits_for_bytes_unsent_and_not_for_a_reply(style, server):
    limits = Limits(bytes_unsent=1000)
    async with connect(style, server, limits=limits, timeout=5.0) as client:
        await client.echo(b"connected")
        payload = bytes(2000)
        assert await client.echo_late(payload) == [payload, payload]


@in_every_style
async def test_a_lost_connection_is_made_again_for_what_is_safe_to_repeat(style, server):
    retry = RetryPolicy(attempts=3, first_wait=0.01, jitter=0.0)
    with FaultProxy(server, on(0, Cut("server", at=20))) as proxy:
        async with connect(style, proxy.address, retry=retry) as client:
            assert await client.echo(b"twice if need be") == b"twice if need be"
        assert len(proxy.links) == 2


@in_every_style
async def test_the_outcome_of_an_unsafe_call_is_unknown_when_the_connection_is_lost(style, server):
    with FaultProxy(server, on(0, Cut("server", at=20))) as proxy:
        async with connect(style, proxy.address) as client:
            with pytest.raises(OutcomeUnknown, match="may have been carried out"):
                await client.echo(b"once", idempotent=False)


@in_every_style
async def test_the_outcome_of_an_unsafe_call_that_never_left_is_known(style, server):
    with FaultProxy(server, on(0, Stall("client", at=12))) as proxy:
        limits = Limits(calls=1)
        async with connect(style, proxy.address, limits=limits) as client:
            first = asyncio.ensure_future(client.echo(b"sent", idempotent=False))
            await comes_true(lambda: proxy.links and proxy.links[0].client.stalled)
            second = asyncio.ensure_future(client.echo(b"waiting", idempotent=False))
            await asyncio.sleep(0.1)
            proxy.links[0].reset()
            results = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(result) for result in results] == [OutcomeUnknown, ConnectionLost]


@in_every_style
async def test_a_peer_that_hangs_up_inside_a_reply_is_a_lost_connection(style, server):
    with FaultProxy(server, on(0, Cut("server", at=30))) as proxy:
        async with connect(style, proxy.address) as client:
            with pytest.raises(ConnectionLost, match="18 bytes into a message"):
                await client.echo(b"longer than what comes")


@in_every_style
async def test_a_reset_is_a_lost_connection(style, server):
    with FaultProxy(server, on(0, Reset("client", at=20))) as proxy:
        async with connect(style, proxy.address) as client:
            with pytest.raises(ConnectionLost):
                await client.echo(b"never arrives")


@in_every_style
async def test_nobody_at_the_door_is_a_failed_connection(style, server):
    with FaultProxy(server) as proxy:
        proxy.refuse()
        async with connect(style, proxy.address) as client:
            with pytest.raises(ConnectFailed, match=f"{proxy.port}"):
                await client.echo(b"")


@in_every_style
async def test_a_handshake_that_is_cut_is_a_failed_connection(style, server):
    with FaultProxy(server, always(Cut("server", at=5))) as proxy:
        async with connect(style, proxy.address) as client:
            with pytest.raises(ConnectFailed, match="no handshake with"):
                await client.echo(b"")


@in_every_style
async def test_replies_that_are_swallowed_end_in_a_timeout_not_in_a_hang(style, server):
    with FaultProxy(server, always(Swallow("server", at=12))) as proxy:
        async with connect(style, proxy.address, timeout=0.2) as client:
            with pytest.raises(CallTimeout):
                await client.echo(b"no answer")


@in_every_style
async def test_a_reply_to_a_call_never_made_ends_the_connection_and_names_it(style, server):
    with serving(saying(frame(Kind.HELLO, 0) + frame(Kind.CALL, 999, b"unasked"))) as port:
        async with connect(style, ("127.0.0.1", port)) as client:
            with pytest.raises(RemoteProtocolError, match="call 999, which was never made"):
                await client.echo(b"")


@in_every_style
async def test_nonsense_ends_the_connection_and_says_what_was_wrong(style, server):
    with serving(saying(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as port:
        async with connect(style, ("127.0.0.1", port)) as client:
            with pytest.raises(RemoteProtocolError, match="a frame of 1213486160 bytes"):
                await client.echo(b"")


@in_every_style
async def test_pushed_messages_reach_a_callback_in_order(style, server):
    received: list[int] = []
    async with connect(style, server) as client:
        await client.listen(7, 1000, lambda message: received.append(int.from_bytes(message)))
        while len(received) < 1000:
            await asyncio.sleep(0.01)
    assert received == list(range(1000))


@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError, SystemExit])
@in_every_style
async def test_a_callback_that_fails_is_logged_and_the_next_message_comes(
    style, server, caplog, error
):
    if error is SystemExit and style.name != "sync":
        error = KeyError  # it ends a loop, as asyncio requires
    received: list[bytes] = []

    def fail_first(message: bytes) -> None:
        received.append(message)
        if len(received) == 1:
            raise error("not this one")

    async with connect(style, server) as client:
        await client.listen(7, 3, fail_first)
        while len(received) < 3:
            await asyncio.sleep(0.01)
    assert "not this one" in caplog.text
    ours = [record.name for record in caplog.records if record.name.startswith("jvmwire")]
    assert ours == ["jvmwire.callbacks"]


@in_every_style
async def test_closing_does_not_wait_for_ever_for_a_callback(style, server, monkeypatch):
    monkeypatch.setattr(callbacks, "THREAD_JOIN_TIMEOUT", 0.1)
    begun: list[bytes] = []
    never = threading.Event()

    def block(message: bytes) -> None:
        begun.append(message)
        never.wait(LATEST)

    async def wait(message: bytes) -> None:
        begun.append(message)
        await asyncio.sleep(LATEST)

    async with connect(style, server) as client:
        await client.listen(7, 2, block if style.name == "sync" else wait)
        await comes_true(lambda: begun)
        async with asyncio.timeout(LATEST / 2):
            await client.close()
        never.set()
    assert len(begun) == 1


@in_every_style
async def test_a_callback_may_call_the_client(style, server):
    echoed = asyncio.Queue[bytes]()
    loop = asyncio.get_running_loop()
    async with connect(style, server) as client:
        if style.name == "sync":

            def block(message: bytes) -> None:
                reply = client.client.echo(message)
                loop.call_soon_threadsafe(echoed.put_nowait, reply)

            await client.listen(7, 2, block)
        else:

            async def wait(message: bytes) -> None:
                echoed.put_nowait(await client.echo(message))

            await client.listen(7, 2, wait)
        assert [await echoed.get(), await echoed.get()] == [bytes(8), b"\0" * 7 + b"\1"]


@in_every_style
async def test_an_iterator_yields_what_is_pushed(style, server):
    async with (
        connect(style, server) as client,
        aclosing(style.each(client, client.pushed(3, 500))) as messages,
    ):
        received = [int.from_bytes(message) async for message in messages]
    assert received == list(range(500))


@in_every_style
async def test_a_listener_that_falls_behind_is_told_how_much_it_missed(style, server):
    async with (
        connect(style, server) as client,
        aclosing(style.each(client, client.pushed(3, 5000, 100))) as messages,
    ):
        assert int.from_bytes(await anext(messages)) == 0
        await client.echo(b"what was pushed meanwhile is dropped")
        assert [int.from_bytes(await anext(messages)) for _ in range(99)] == list(range(1, 100))
        with pytest.raises(
            LimitExceeded, match=r"\d+ messages were dropped: the queue has room for 100 messages"
        ):
            await anext(messages)


@in_every_style
async def test_heartbeats_go_out_while_nobody_calls(style, server):
    seconds = times(5)
    with FaultProxy(server, recorded=True) as proxy:
        async with connect(style, proxy.address, heartbeat=0.05) as client:
            await client.echo(b"")
            await asyncio.sleep(seconds)
            [link] = proxy.links
            assert link.ending is None
            said = bytes(link.client.transcript)
    assert said.count(b"\0\0\0\x08\x06") >= 2 * seconds


@in_every_style
async def test_a_closed_client_refuses_calls_and_may_be_closed_again(style, server):
    async with connect(style, server) as client:
        await client.echo(b"")
        await client.close()
        with pytest.raises(ClientClosed, match="the client is closed"):
            await client.echo(b"")
        await client.close()


@in_every_style
async def test_closing_fails_the_calls_that_do_not_end_in_time(style, server):
    with FaultProxy(server, always(Stall("server", at=12))) as proxy:
        async with connect(style, proxy.address) as client:
            call = asyncio.ensure_future(client.echo(b"stalled"))
            await asyncio.sleep(0.1)
            await client.close(linger=0.1)
            with pytest.raises(ClientClosed, match="the client is closed"):
                await call


@in_every_style
async def test_closing_lets_calls_end_that_do_so_in_time(style, server):
    with FaultProxy(server, always(Stall("server", at=12))) as proxy:
        async with connect(style, proxy.address) as client:
            slow = asyncio.ensure_future(client.echo(b"slow"))
            await comes_true(lambda: proxy.links and proxy.links[0].client.read > 12)
            closing = asyncio.ensure_future(client.close(linger=LATEST))
            await asyncio.sleep(0.1)
            proxy.links[0].release()
            assert await slow == b"slow"
            await closing


@in_every_style
async def test_a_client_does_not_pickle(style, server):
    async with connect(style, server) as client:
        client = client.client if style.name == "sync" else client
        with pytest.raises(TypeError, match="does not pickle"):
            pickle.dumps(client)


@in_every_style
async def test_each_call_is_reported_to_the_hook(style, server):
    reports: list[CallReport] = []
    async with connect(style, server, on_call=reports.append) as client:
        await client.echo(b"")
        with pytest.raises(ServerError):
            await client.echo(b"no", Kind.REFUSE)
    assert [(report.name, report.commands, type(report.error)) for report in reports] == [
        ("echo", 1, type(None)),
        ("echo", 1, ServerError),
    ]
    assert all(0 <= report.seconds < 60 for report in reports)


@in_every_style
async def test_a_call_that_is_cancelled_and_an_iterator_that_is_left_are_reported(style, server):
    reports: list[CallReport] = []
    async with connect(style, server, on_call=reports.append) as client:
        await client.echo(b"connected")
        if style.name != "sync":
            held = asyncio.create_task(client.echo(b"held", Kind.LATE))
            await asyncio.sleep(0)
            held.cancel()
            with pytest.raises(asyncio.CancelledError):
                await held
        if style.name == "sync":
            messages = client.client.pushed(3, 9)
            next(messages)
            messages.close()
        else:
            async with aclosing(client.pushed(3, 9)) as pushed:
                await anext(pushed)
    told = [(report.name, str(report.error)) for report in reports[1:]]
    cancelled = [] if style.name == "sync" else [("echo", "echo was cancelled")]
    assert told == [*cancelled, ("pushed", "pushed was cancelled")]


@in_every_style
async def test_the_wire_is_traced_on_demand(style, server, caplog):
    caplog.set_level(logging.DEBUG, "jvmwire.wire")
    async with connect(style, server, trace=True) as client:
        await client.echo(b"seen")
    lines = [record.getMessage() for record in caplog.records if record.name == "jvmwire.wire"]
    assert any("> 1 Echo(payload=<4 bytes>" in line for line in lines)
    assert any("< Reply(call_id=1, message=<4 bytes>)" in line for line in lines)


def test_a_cancelled_task_frees_its_call(server):
    async def cancel() -> None:
        async with AsyncEchoClient(Tcp(*server)) as client:
            await client.echo(b"connected")
            held = asyncio.create_task(client.echo(b"held", Kind.LATE))
            await asyncio.sleep(0)
            held.cancel()
            with pytest.raises(asyncio.CancelledError):
                await held
            await client.echo(b"released")
            await client.echo(b"and what came behind")
            assert await client.late_replies() == 1

    asyncio.run(cancel())
