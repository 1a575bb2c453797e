"""The first protocol's server and client with peers that send too much, or too little."""

import asyncio
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest

from jvmwire._runtime.session import Failed, Reply
from jvmwire.errors import CallTimeout, ConnectionLost, JvmWireError, RemoteProtocolError
from jvmwire.options import NEVER
from jvmwire.pravega.early import (
    AsyncEarlyClient,
    Dialect,
    EarlyClient,
    EarlyLimits,
    EarlyOptions,
    MemoryStore,
    SegmentRead,
)
from jvmwire.pravega.early._messages import ReadSegment, SetupAppend
from jvmwire.pravega.early._session import MAX_GIVEN_UP, EarlyClientSession
from jvmwire.transports import Tcp
from kit.polling import eventually
from kit.pravega_early_server import serving
from kit.servers import serving as serving_bytes

ENCODE = Dialect.early().encode
MIB = 1 << 20
PATIENCE = 30.0
OPTIONS = EarlyOptions(timeout=PATIENCE, retry=NEVER)


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as conversation:
        yield conversation


def set_up(conversation: socket.socket, segment: str = "s") -> uuid.UUID:
    one = uuid.uuid4()
    conversation.sendall(ENCODE("SetupAppend", {"connection_id": one, "segment": segment}))
    assert conversation.recv(4096)
    return one


def begin(one: uuid.UUID, length: int = 0) -> bytes:
    place = {"connection_id": one, "connection_offset": 0}
    return ENCODE("BeginAppendBlock", place | {"length": length})


def is_ended(conversation: socket.socket) -> bool:
    """Return whether the server closes the connection in time, after any replies."""
    latest = time.monotonic() + PATIENCE
    with suppress(ConnectionError):
        while conversation.recv(1 << 16):
            if time.monotonic() > latest:
                return False
    return True


def works(port: int) -> None:
    with EarlyClient(Tcp("127.0.0.1", port), OPTIONS) as client:
        appended = client.appender(f"ok {uuid.uuid4()}").append([b"hello"])
        assert appended == 5


def test_empty_events_count_against_the_limit_of_a_block() -> None:
    with serving(limits=EarlyLimits(max_block=8000)) as (_, port), connected(port) as eve:
        one = set_up(eve)
        event = ENCODE("Event", {"data": b""})
        assert len(event) == 8
        with suppress(ConnectionError):
            eve.sendall(begin(one) + event * 1002)
        assert is_ended(eve)
        works(port)


def test_events_of_a_block_are_stored_whatever_their_sizes() -> None:
    with serving() as (server, port), connected(port) as alice:
        one = set_up(alice)
        parts = [b"", b"a", b"", b"bc" * 1000, b"d", b""]
        whole = b"".join(parts)
        events = b"".join(ENCODE("Event", {"data": part}) for part in parts)
        place = {"connection_id": one, "connection_offset": 0}
        end = ENCODE("EndAppendBlock", place | {"block_length": len(whole)})
        alice.sendall(begin(one) + events + end)
        assert alice.recv(4096)
        assert bytes(server.store.read("s", 0, len(whole))) == whole


def test_open_blocks_of_all_connections_have_one_limit() -> None:
    with serving(limits=EarlyLimits(buffer_limit=4 * MIB)) as (server, port):
        conversations = []
        event = ENCODE("Event", {"data": bytes(MIB // 2)})
        for number in range(10):
            conversation = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            conversations.append(conversation)
            one = set_up(conversation, f"s{number}")
            with suppress(ConnectionError):
                conversation.sendall(begin(one) + event)
        eventually(lambda: len(server.connections) <= 8)
        assert server.buffered <= 4 * MIB
        works(port)
        for conversation in conversations:
            conversation.close()
        eventually(lambda: server.buffered == 0)


def test_connection_over_the_limit_is_closed_at_once() -> None:
    # No time limit can be the cause of the end.
    limits = EarlyLimits(max_connections=3, opening_timeout=1e6, idle_timeout=1e6)
    with serving(limits=limits) as (server, port), ExitStack() as open_ones:
        for _ in range(3):
            open_ones.enter_context(connected(port))
        eventually(lambda: len(server.connections) == 3)
        with connected(port) as surplus:
            assert is_ended(surplus)
        assert len(server.connections) == 3
        open_ones.close()
        eventually(lambda: not server.connections)
        works(port)


def test_idle_connections_are_ended() -> None:
    limits = EarlyLimits(opening_timeout=0.5, idle_timeout=0.5)
    with serving(limits=limits) as (server, port), connected(port) as one, connected(port) as other:
        set_up(one)
        assert is_ended(one)
        assert is_ended(other)
        eventually(lambda: not server.connections)
        works(port)


def test_block_that_does_not_end_is_ended_though_its_client_talks_on() -> None:
    with serving(limits=EarlyLimits(block_timeout=0.5)) as (server, port), connected(port) as eve:
        eve.sendall(begin(set_up(eve)))

        def is_ended_though_it_talks() -> bool:
            with suppress(ConnectionError):
                eve.sendall(ENCODE("KeepAlive", {"data": b""}))
            return not server.connections

        eventually(is_ended_though_it_talks)
        assert is_ended(eve)


def test_client_that_does_not_read_is_ended() -> None:
    limits = EarlyLimits(write_timeout=0.5, opening_timeout=1e6, idle_timeout=1e6)
    with serving(limits=limits) as (server, port):
        with EarlyClient(Tcp("127.0.0.1", port), OPTIONS) as alice:
            alice.appender("big").append([bytes(8 * MIB)])
        eventually(lambda: not server.connections)
        with connected(port) as deaf:
            asked = {"segment": "big", "offset": 0, "suggested_length": 8 * MIB}
            deaf.sendall(ENCODE("ReadSegment", asked) * 4)
            eventually(lambda: bool(server.connections))
            eventually(lambda: not server.connections)
        works(port)


def test_segments_names_and_appenders_have_limits() -> None:
    limits = EarlyLimits(max_segments=2, max_name=10, appenders_per_connection=3)
    with serving(limits=limits) as (server, port):
        for names in (["n" * 11], ["a", "b", "c"], ["a"] * 4):
            with connected(port) as eve:
                for name in names:
                    one = uuid.uuid4()
                    fields = {"connection_id": one, "segment": name}
                    eve.sendall(ENCODE("SetupAppend", fields))
                assert is_ended(eve)
        assert server.store.count() == 2
        with EarlyClient(Tcp("127.0.0.1", port), OPTIONS) as client:
            assert client.appender("a").append([b"x"]) == 1


def test_store_in_memory_has_a_limit() -> None:
    with serving(store=MemoryStore(limit=10_000)) as (server, port):
        with EarlyClient(Tcp("127.0.0.1", port), OPTIONS) as client:
            assert client.appender("a").append([bytes(5000)]) == 5000
            with pytest.raises(JvmWireError):
                client.appender("a").append([bytes(5000)])
        assert server.store.length("a") == 5000


# The client.


def read_piece(data: bytes, offset: int, *, final: bool = False) -> bytes:
    fields = {"segment": "s", "offset": offset, "at_tail": final, "end_of_segment": False}
    return ENCODE("SegmentRead", fields | {"data": data})


def events_of(session: EarlyClientSession, data: bytes) -> list[Any]:
    session.receive_data(data)
    return list(session.events())


def test_empty_piece_that_is_not_the_end_breaks_the_rules() -> None:
    session = EarlyClientSession()
    session.send(ReadSegment("s", 0, 10), 1)
    with pytest.raises(RemoteProtocolError, match="an empty piece of 's' at 0"):
        events_of(session, read_piece(b"", 0))


def test_read_that_was_given_up_keeps_no_pieces() -> None:
    session = EarlyClientSession()
    session.send(ReadSegment("s", 0, 100), 1)
    session.send(ReadSegment("s", 0, 2), 2)
    assert len(events_of(session, read_piece(b"x" * 40, 0))) == 1  # Opened
    session.forget(1)
    [reading] = session._reads.values()
    assert reading.pieces == []
    assert events_of(session, read_piece(b"x" * 40, 40)) == []
    assert reading.pieces == []
    # The reply to the second request is not mistaken for that to the first.
    [first, second] = events_of(session, read_piece(b"x" * 20, 80) + read_piece(b"yz", 0))
    assert (first.call_id, second.call_id) == (1, 2)
    assert isinstance(second, Reply)
    assert isinstance(second.message, SegmentRead)
    assert second.message.data == b"yz"
    assert (session._reads, session._given_up) == ({}, set())


def test_connection_with_too_many_unanswered_calls_is_given_up() -> None:
    session = EarlyClientSession(keep_alive_interval=None)
    for call_id in range(MAX_GIVEN_UP + 1):
        session.send(SetupAppend(uuid.UUID(int=call_id), "s"), call_id)
        assert session.next_timeout() is None
        session.forget(call_id)
    assert session.next_timeout() is not None
    found = list(session.events())
    assert isinstance(found[-1], Failed)
    assert isinstance(found[-1].error, ConnectionLost)


def endless(conversation: socket.socket) -> None:
    """Answer a read with pieces that never end it."""
    conversation.recv(4096)
    piece = bytes(1 << 16)
    offset = 0
    with suppress(OSError):
        while True:
            conversation.sendall(read_piece(piece, offset))
            offset += len(piece)


def test_calls_that_timed_out_are_not_kept_while_their_answers_come() -> None:
    async def use(port: int) -> None:
        options = EarlyOptions(timeout=0.3, retry=NEVER)
        client = AsyncEarlyClient(Tcp("127.0.0.1", port), options)
        async with client:
            with pytest.raises(CallTimeout):
                await client.read("s", 0, length=(1 << 31) - 1)
            connection = client._link.live_connection(client._link.member)
            assert connection is not None
            session = connection.session
            assert isinstance(session, EarlyClientSession)
            got = session._reads["s"].got
            while session._reads and session._reads["s"].got < got + 4 * MIB:
                await asyncio.sleep(0.01)
            assert session._reads["s"].pieces == []

    with serving_bytes(endless) as port:
        asyncio.run(use(port))
