"""Methods of jvmwire's server that handle calls in batches, as they arrived."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hadoop import HadoopError, HadoopOptions
from jvmwire.hadoop.rpc._interface import Interface, method
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.rpc._writable import Int
from jvmwire.hadoop.server import (
    CallBatch,
    RpcServer,
    RpcServerOptions,
    batched,
    current_call,
)
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop import CLIENT_TIMEOUT, program
from kit.hadoop_adversarial_inputs import ask
from kit.hadoop_echo import Ping, PingService
from kit.hadoop_protocols import Groups

OPENED = wire.connection_header() + wire.context("alice", "ping")
APPLICATION = "ERROR_APPLICATION"
CALLS = 50


class Together:
    """Service that answers as the seed's server did, any number of calls at once."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    @batched
    async def ping(self, batch: CallBatch) -> list[Any]:
        """Return "pong" for each."""
        with pytest.raises(LookupError):
            current_call()
        assert batch.caller.user is not None
        self.taken.append(len(batch))
        return ["pong"] * len(batch)


class InThreads:
    """The same, as a function."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    @batched
    def ping(self, batch: CallBatch) -> list[Any]:
        """Return "pong" for each."""
        self.taken.append(len(batch))
        return ["pong" for _ in batch]


class Halves(Interface, protocol="halves", version=1):
    """Protocol that halves numbers."""

    def half(self, number: Int) -> Int:
        """Return half of an even number."""
        raise NotImplementedError


class HalvesService:
    """Service that refuses odd numbers, and fails on some."""

    @batched
    async def half(self, batch: CallBatch) -> Any:
        """Return a result or an error for each number."""
        found = [self._half(number) for [number] in batch.arguments]
        if found == [3]:
            return []
        if found == [5]:
            raise PermissionError("not you")
        return found

    def _half(self, number: int) -> Any:
        if number % 2:
            return ArithmeticError(f"{number} is odd")
        return "nine" if number == 18 else number // 2


class GroupsTogether:
    """Service in which every user is in their own group."""

    @batched
    async def get_groups_for_user(self, batch: CallBatch) -> list[bytes]:
        """Return the received message: its field is also the reply's."""
        return [message for [message] in batch.arguments]


@pytest.fixture
def ending() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def serve(
    ending: ExitStack, interface: type[Interface], service: object, **options: Any
) -> RpcServer:
    server = ending.enter_context(RpcServer(RpcServerOptions(**options)))
    server.add(interface, service)
    server.start()
    return server


def test_javas_client_is_answered_by_a_method_that_takes_calls_together(
    ending: ExitStack, tmp_path: Path
) -> None:
    server = serve(ending, Ping, Together())
    asked = program("WPing", "seed", str(server.port), directory=tmp_path)
    assert asked.run(CLIENT_TIMEOUT) == "ping -> pong\n"


@pytest.mark.parametrize("service", [Together, InThreads])
def test_calls_are_answered_together_as_one_by_one(
    ending: ExitStack, service: type[Together] | type[InThreads]
) -> None:
    together = service()
    asked = OPENED + b"".join(map(wire.invocation, range(CALLS)))
    server = serve(ending, Ping, together)
    other = serve(ending, Ping, PingService())
    heard = [ask(port, asked, answers=CALLS) for port in (server.port, other.port)]
    assert heard[0] == heard[1]
    assert len(heard[0].told) == sum(together.taken) == CALLS
    assert server.method_metrics["ping.ping"].calls == CALLS


def test_as_many_calls_are_taken_together_as_a_connection_may_have(ending: ExitStack) -> None:
    together = Together()
    server = serve(ending, Ping, together, calls_per_connection=3)
    asked = OPENED + b"".join(map(wire.invocation, range(CALLS)))
    assert len(ask(server.port, asked, answers=CALLS).told) == CALLS
    assert max(together.taken) <= 3


def test_calls_beyond_the_queue_are_told_to_come_again_and_the_others_answered(
    ending: ExitStack,
) -> None:
    may_end = threading.Event()

    class Held:
        @batched
        def ping(self, batch: CallBatch) -> list[Any]:
            assert may_end.wait(CLIENT_TIMEOUT)
            return ["pong"] * len(batch)

    server = serve(ending, Ping, Held(), call_queue=4, threads=1)
    ending.callback(may_end.set)  # before the server stops
    asked = OPENED + b"".join(map(wire.invocation, range(CALLS)))
    refused = ask(server.port, asked, answers=CALLS - 4)
    assert {(one.kind, one.code) for one in refused.told} == {("error", "ERROR_RPC_SERVER")}
    assert {one.call_id for one in refused.told} == set(range(4, CALLS))
    assert server.metrics.too_busy == CALLS - 4


def test_each_call_of_a_batch_is_refused_or_answered_by_itself(
    ending: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(ending, Halves, HalvesService())
    numbers = [2, 3, 4, 18, 8, 5, 7, 12]
    opened = wire.connection_header() + wire.context("alice", "halves")
    with caplog.at_level("INFO", "jvmwire.hadoop.audit"):
        heard = ask(server.port, opened + halves(numbers), answers=len(numbers))
    told = [one.payload[-4:] if one.kind == "success" else one.code for one in heard.told]
    assert told == [
        number(1),
        APPLICATION,
        number(2),
        "ERROR_SERIALIZING_RESPONSE",
        number(4),
        APPLICATION,
        APPLICATION,
        number(6),
    ]
    counted = server.method_metrics["halves.half"]
    assert (counted.calls, counted.errors) == (8, 4)
    audited = [message for message in caplog.messages if "call=halves.half " in message]
    assert len(audited) == len(numbers)
    assert sum(message.endswith("outcome=ok") for message in audited) == 4


def test_a_batch_that_fails_or_lacks_results_is_refused_as_a_whole(ending: ExitStack) -> None:
    server = serve(ending, Halves, HalvesService())
    options = HadoopOptions(user="alice", retry=NEVER)
    with connect(Halves, Tcp("127.0.0.1", server.port), options) as client:
        assert client.half(4) == 2
        with pytest.raises(HadoopError, match="0 results for 1 calls"):
            client.half(6)
        with pytest.raises(HadoopError, match="not you") as refused:
            client.half(10)
        assert refused.value.java_class.endswith("AccessControlException")


def test_messages_come_and_go_as_bytes(ending: ExitStack) -> None:
    server = serve(ending, Groups, GroupsTogether())
    named = wire.conversation(
        [
            wire.call(
                number, "getGroupsForUser", wire.content(1, f"user {number}"), protocol=GROUPS
            )
            for number in range(CALLS)
        ],
        protocol=GROUPS,
    )
    heard = ask(server.port, named, answers=CALLS, engine="protobuf")
    assert [one.payload for one in heard.told] == [
        wire.content(1, f"user {number}") for number in range(CALLS)
    ]


def test_who_may_not_call_is_refused_before_the_batch_is_carried_out(ending: ExitStack) -> None:
    def authorize(*_: object) -> None:
        raise PermissionError("not you")

    together = Together()
    server = serve(ending, Ping, together, authorize=authorize)
    asked = OPENED + b"".join(map(wire.invocation, range(CALLS)))
    heard = ask(server.port, asked, answers=CALLS)
    assert {(one.kind, one.code) for one in heard.told} == {("error", APPLICATION)}
    assert (len(heard.told), together.taken) == (CALLS, [])


def test_calls_that_are_carried_out_at_most_once_cannot_be_taken_together() -> None:
    class Careful(Interface, protocol="careful", version=1):
        @method(at_most_once=True)
        def ping(self) -> str:
            raise NotImplementedError

    with pytest.raises(ConfigError, match=r"careful\.ping is at_most_once"):
        RpcServer().add(Careful, Together())


GROUPS = "org.apache.hadoop.tools.GetUserMappingsProtocol"


def halves(numbers: Sequence[int]) -> bytes:
    return b"".join(
        wire.invocation(call_id, "half", wire.writable("int", number(of)), protocol="halves")
        for call_id, of in enumerate(numbers)
    )


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")
