"""Bytes that a server holds for its clients at once: calls and replies have limits."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from jvmwire.hadoop import HadoopOptions
from jvmwire.hadoop.rpc._interface import Interface
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.rpc._writable import Int
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop_adversarial_inputs import Heard, hear
from kit.polling import eventually

PATIENCE = 60.0
MIB = 1 << 20
RETRIABLE = "org.apache.hadoop.ipc.RetriableException"


class Depot(Interface, protocol="depot", version=1):
    """Protocol with large arguments and results."""

    def hold(self, text: str) -> Int:
        """Return the length of the text, once calls may end."""
        raise NotImplementedError

    def size(self, text: str) -> Int:
        """Return the length of the text at once."""
        raise NotImplementedError

    def fill(self) -> bytes:
        """Return 900 KB on the wire."""
        raise NotImplementedError


class DepotService:
    """Service that holds calls until they may end."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    def hold(self, text: str) -> int:
        """Wait."""
        assert self.may_end.wait(PATIENCE)
        return len(text)

    async def size(self, text: str) -> int:
        """Reply at once."""
        return len(text)

    async def fill(self) -> bytes:
        """Return a large result."""
        return bytes(1 << 17)


@pytest.fixture
def depot() -> Iterator[DepotService]:
    depot = DepotService()
    yield depot
    depot.may_end.set()


def serve(ending: ExitStack, depot: DepotService, options: RpcServerOptions) -> RpcServer:
    server = ending.enter_context(RpcServer(options))
    ending.callback(depot.may_end.set)
    server.add(Depot, depot)
    server.start()
    return server


def converse(ending: ExitStack, server: RpcServer) -> socket.socket:
    conversation = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    ending.callback(conversation.close)
    conversation.sendall(wire.connection_header() + wire.context("eve", "depot"))
    return conversation


def call(call_id: int, method: str, size: int) -> bytes:
    # Java cuts the texts of this class beyond 64 KB: many of them make a large call.
    text = wire.writable("java.lang.String", wire.utf8("x" * size))
    return wire.invocation(call_id, method, text, protocol="depot")


def kinds(heard: Heard) -> list[tuple[int, str]]:
    return [(told.call_id, told.java_class or told.kind) for told in heard.told]


def test_calls_beyond_the_bytes_of_the_queue_are_refused_and_small_ones_served(
    depot: DepotService,
) -> None:
    # 60 KB per call: half of the limit is six of them.
    options = RpcServerOptions(queue_bytes=720_000, max_connections=100)
    with ExitStack() as ending:
        server = serve(ending, depot, options)
        eve = converse(ending, server)
        eve.sendall(b"".join(call(number, "hold", 60_000) for number in range(9)))
        eventually(lambda: server.metrics.too_busy == 4)
        assert kinds(hear(eve, answers=4)) == [(number, RETRIABLE) for number in range(5, 9)]
        assert server.metrics.open_bytes <= 360_000
        alone = HadoopOptions(retry=NEVER)
        with connect(Depot, Tcp("127.0.0.1", server.port), alone) as bob:
            assert bob.size("small") == 5
        depot.may_end.set()
        assert len(hear(eve, answers=5).told) == 5
        assert (server.metrics.open_bytes, server.metrics.open_calls) == (0, 0)
        eve.sendall(call(9, "size", 60_000))
        assert kinds(hear(eve, answers=1)) == [(9, "success")]


def test_one_call_larger_than_the_queue_is_served_when_it_is_alone(depot: DepotService) -> None:
    with ExitStack() as ending:
        server = serve(ending, depot, RpcServerOptions(queue_bytes=1000))
        eve = converse(ending, server)
        for number in range(3):
            eve.sendall(call(number, "size", 60_000))
            assert kinds(hear(eve, answers=1)) == [(number, "success")]


def test_connection_with_too_many_bytes_of_calls_is_not_read_until_they_are_answered(
    depot: DepotService,
) -> None:
    with ExitStack() as ending:
        server = serve(ending, depot, RpcServerOptions(bytes_per_connection=2 * MIB))
        eve = converse(ending, server)
        many = b"".join(call(number, "hold", 60_000) for number in range(100))
        writing = threading.Thread(target=eve.sendall, args=(many,))
        writing.start()
        eventually(lambda: server.metrics.open_bytes > 2 * MIB)
        for _ in range(20):
            assert server.metrics.open_bytes <= 3 * MIB + 61_000
        with connect(Depot, Tcp("127.0.0.1", server.port)) as bob:
            assert bob.size("small") == 5
        depot.may_end.set()
        assert len(hear(eve, answers=100).told) == 100
        writing.join()
        assert server.metrics.too_busy == 0


def test_clients_that_do_not_read_are_ended_when_they_owe_too_much(depot: DepotService) -> None:
    limit = 8 * MIB
    with ExitStack() as ending:
        server = serve(ending, depot, RpcServerOptions(unsent_limit=limit))
        question = b"".join(
            wire.invocation(number, "fill", protocol="depot") for number in range(200)
        )
        deaf = [converse(ending, server) for _ in range(3)]
        for conversation in deaf:
            with suppress(ConnectionError):
                conversation.sendall(question)
        with connect(Depot, Tcp("127.0.0.1", server.port)) as bob:
            eventually(lambda: server.metrics.timeouts >= 1)
            assert server.metrics.unsent_bytes <= limit
            assert bob.size("small") == 5
        for conversation in deaf:
            conversation.close()
        eventually(lambda: server.metrics.unsent_bytes == 0)
