"""Servers that send forbidden replies: one clear error, and the client uses another server."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from jvmwire._core import HadoopCalls, HadoopRequestDecoder, JavaClass, encode_message
from jvmwire.errors import CallTimeout, JvmWireError
from jvmwire.hadoop import AsyncNameNode, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AuthenticationRequired, VersionMismatch
from jvmwire.hadoop.rpc._interface import Interface, method
from jvmwire.hadoop.rpc._proxy import connect, connect_async
from jvmwire.hadoop.rpc._writable import CLASSES
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit import wire
from kit.environment import ROOT

STRING = JavaClass("java.lang.String")
REPLY_LIMIT = 1 << 16
PATIENCE = 20.0
TIMEOUT = 0.3
SLACK = 5.0


class Ping(Interface, protocol="ping", version=1):
    """The seed's protocol, and a call that may not be repeated."""

    @method(idempotent=True)
    def ping(self) -> str:
        """Return "pong"."""
        raise NotImplementedError

    @method()
    def once(self) -> str:
        """Return "pong"."""
        raise NotImplementedError


Says = Callable[[HadoopCalls], bytes]


@dataclass(frozen=True)
class Called:
    """A client that makes a repeatable call, and the right result."""

    connect: Callable[[Tcp, HadoopOptions], Any]
    connect_async: Callable[[Tcp, HadoopOptions], Awaitable[Any]]
    call: Callable[[Any], Any]
    told: object


async def name_node(endpoint: Tcp, options: HadoopOptions) -> AsyncNameNode:
    """Return a client in this loop."""
    return AsyncNameNode(endpoint, options)


CLIENTS = {
    "writable": Called(
        lambda *where: connect(Ping, *where),
        lambda *where: connect_async(Ping, *where),
        lambda client: client.ping(),
        "pong",
    ),
    "protobuf": Called(NameNode, name_node, lambda client: client.get_file_info("/a"), None),
}


def pong(calls: HadoopCalls) -> bytes:
    """Encode the right reply: the text, or an empty message."""
    if calls.rpc_kind == wire.PROTOBUF:
        return calls.answer_messages([b""], 0, 0)[0]
    return calls.answer_objects(STRING, ["pong"], 0, 0)[0]


def lasting(piece: bytes) -> Says:
    """Send more than a client should keep."""
    return lambda _: piece * ((1 << 24) // len(piece))


ENDLESS_ARRAY = wire.utf8("[I") + b"\x7f\xff\xff\xff"

SAID: dict[str, tuple[Says, str]] = {
    "nothing, and the end": (lambda _: b"", "ended|lost|closed"),
    "zeros without end": (lasting(b"\0"), "RpcResponseHeader length"),
    "ones without end": (lasting(b"\xff"), "exception_class_name at offset 8: -1 is negative"),
    "a reply over the limit": (
        lambda _: (REPLY_LIMIT + 1).to_bytes(4, "big"),
        f"over the limit of {REPLY_LIMIT}",
    ),
    "a length of 2^31 - 1": (lambda _: b"\x7f\xff\xff\xff", f"over the limit of {REPLY_LIMIT}"),
    "half a reply, and the end": (lambda calls: pong(calls)[:-3], "ended|lost|closed"),
    "a reply to nobody's call": (
        lambda _: wire.frame(wire.delimited(wire.number(1, 999) + wire.number(2, 0)), b"\0"),
        "call 999, which was never made",
    ),
    "a reply to another client": (lambda _: wire.reply(0, b""), "client_id"),
    "bytes behind a reply": (
        lambda calls: wire.frame(pong(calls)[4:], b"more"),
        "trailing",
    ),
    "a page of the web": (lambda _: b"HTTP/1.1 200 OK\r\n\r\n", "HTTP"),
}
SAID_BY: dict[str, dict[str, tuple[Says, str]]] = {
    "writable": SAID
    | {
        "a class of nobody's": (
            lambda calls: wire.frame(head(calls), wire.instance("nobody.Knows", b"x")),
            "nobody.Knows",
        ),
        "an array of 2^31 - 1": (
            lambda calls: wire.frame(head(calls), ENDLESS_ARRAY),
            "2147483647",
        ),
    },
    "protobuf": SAID
    | {
        "a message that is cut": (
            lambda calls: wire.frame(head(calls), wire.delimited(b"\x0a\x7f")),
            "field length at offset 1: 127 is over the limit of 1",
        ),
        "a message of 2^31 - 1": (
            lambda calls: wire.frame(head(calls), wire.varint((1 << 31) - 1)),
            "2147483647",
        ),
        "groups without end": (
            lambda calls: wire.frame(head(calls), wire.delimited(wire.groups(10_000))),
            "deep",
        ),
    },
}
CASES = [(engine, said) for engine, table in SAID_BY.items() for said in table]


def head(calls: HadoopCalls) -> bytes:
    """Encode the header of a reply."""
    return wire.delimited(wire.number(1, calls.call_id(0)) + wire.number(2, 0))


@contextmanager
def server(says: Says, then: Says = pong, *, pace: float | None = None) -> Iterator[int]:
    """Answer the first connection with `says`, all others with `then`.

    With a pace, a wrong reply is sent one byte per so many seconds, and never finished.
    """
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        how = says
        while True:
            try:
                conversation, _ = listening.accept()
            except OSError:
                return
            with conversation, suppress(OSError):
                converse(conversation, how, pace)
            how = then

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def converse(conversation: socket.socket, says: Says, pace: float | None) -> None:
    """Answer each call, and end with the first wrong reply."""
    conversation.settimeout(PATIENCE)
    decoder = HadoopRequestDecoder()
    while data := conversation.recv(1 << 16):
        decoder.feed(data)
        while True:
            calls = decoder.next_calls(CLASSES, 1)
            if calls is not None:
                if says is pong or pace is None:
                    conversation.sendall(says(calls))
                else:
                    tell_slowly(conversation, says(calls), pace)
                if says is not pong:
                    return
            elif decoder.next_request() is None:
                break


def tell_slowly(conversation: socket.socket, answer: bytes, pace: float) -> None:
    """Write one byte after the other, and nothing more, until the client has gone."""
    conversation.settimeout(pace)
    for byte in answer:
        conversation.sendall(bytes([byte]))
        with suppress(TimeoutError):
            if not conversation.recv(1 << 16):
                return
    conversation.settimeout(PATIENCE)
    while conversation.recv(1 << 16):
        pass


def options() -> HadoopOptions:
    return HadoopOptions(user="alice", retry=NEVER, reply_limit=REPLY_LIMIT)


@pytest.mark.parametrize(("engine", "said"), CASES)
def test_what_a_server_may_not_say_is_an_error_and_the_next_call_is_answered(
    engine: str, said: str
) -> None:
    (says, why), called = SAID_BY[engine][said], CLIENTS[engine]
    with server(says) as port, called.connect(Tcp("127.0.0.1", port), options()) as client:
        with pytest.raises(JvmWireError, match=why):
            called.call(client)
        assert called.call(client) == called.told


@pytest.mark.parametrize(("engine", "said"), CASES)
def test_async_client_raises_the_same_error(engine: str, said: str) -> None:
    (says, why), called = SAID_BY[engine][said], CLIENTS[engine]

    async def ask(port: int) -> None:
        async with (
            asyncio.timeout(PATIENCE),
            await called.connect_async(Tcp("127.0.0.1", port), options()) as client,
        ):
            with pytest.raises(JvmWireError, match=why):
                await called.call(client)
            assert await called.call(client) == called.told

    with server(says) as port:
        asyncio.run(ask(port))


def in_pieces(calls: HadoopCalls) -> bytes:
    """Begin the largest reply that is allowed."""
    return REPLY_LIMIT.to_bytes(4, "big") + head(calls) + bytes(REPLY_LIMIT // 2)


@pytest.mark.parametrize(
    ("says", "pace"),
    [(lambda calls: in_pieces(calls)[:4], 0.0001), (in_pieces, 0.01)],
    ids=["stalls", "trickles"],
)
@pytest.mark.parametrize("engine", CLIENTS)
def test_a_call_whose_reply_does_not_end_ends_in_its_time_and_so_does_closing(
    engine: str, says: Says, pace: float
) -> None:
    called, impatient = CLIENTS[engine], replace(options(), timeout=TIMEOUT)

    async def ask(endpoint: Tcp) -> None:
        async with await called.connect_async(endpoint, impatient) as client:
            with pytest.raises(CallTimeout):
                await called.call(client)

    with server(says, then=says, pace=pace) as port:
        endpoint = Tcp("127.0.0.1", port)
        began = time.monotonic()
        with called.connect(endpoint, impatient) as client, pytest.raises(CallTimeout):
            called.call(client)
        asyncio.run(ask(endpoint))
        assert time.monotonic() - began < 2 * TIMEOUT + SLACK


FLOODS: list[Says] = [
    lasting(b"\0"),
    lasting(b"\xff"),
    lambda _: b"\x7f\xff\xff\xff" + bytes(1 << 24),
    # The largest that is allowed: no more than its result is kept.
    lambda _: (127 << 20).to_bytes(4, "big") + bytes(1 << 24),
    lambda calls: (127 << 20).to_bytes(4, "big") + head(calls) + bytes(1 << 24),
    lambda calls: pong(calls) * 100_000,
    lambda calls: wants_a_token(calls) * 100_000,
    lambda _: b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000_000,
]


@pytest.mark.parametrize("style", ["sync", "asyncio"])
@pytest.mark.parametrize("engine", CLIENTS)
def test_what_a_server_claims_or_says_without_end_takes_no_memory(engine: str, style: str) -> None:
    """A client with the default limits meets each flood twice; it holds 16 MiB of one at most."""
    table = SAID_BY[engine]
    floods = [*FLOODS, *(says for says, _ in table.values())] * 2
    assert taken(engine, style, floods) < 120


def taken(engine: str, style: str, answers: Sequence[Says]) -> int:
    """Return the MiB that a client took over calls that were all answered like this, in turn."""
    waves = iter(answers)

    def flood(calls: HadoopCalls) -> bytes:
        return next(waves)(calls)

    with server(flood, then=flood) as port:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "kit.memory_probe_client",
                engine,
                style,
                str(port),
                str(len(answers)),
            ],
            cwd=ROOT / "tests",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    assert next(waves, None) is None, "a flood was not met"
    return int(done.stdout)


GIANT = 16 << 20
WORTHLESS = [wire.number(15, 1), wire.content(999, bytes(1000)), wire.content(1, b"")]


def filled(piece: bytes, *, inside: bool = False, size: int = GIANT) -> Says:
    """Encode a complete reply that is large and repetitive."""

    def say(calls: HadoopCalls) -> bytes:
        message = piece * (size // len(piece))
        if inside:
            message = wire.content(1, message + wire.number(2, 0))
        return wire.frame(head(calls), wire.delimited(message))

    return say


@pytest.mark.parametrize("style", ["sync", "asyncio"])
@pytest.mark.parametrize("engine", ["protobuf", "listing"])
def test_a_giant_reply_of_nothing_takes_a_few_times_its_size(engine: str, style: str) -> None:
    answers = [filled(piece, inside=inside) for piece in WORTHLESS for inside in (False, True)]
    assert taken(engine, style, answers) < 40 + 5 * (GIANT >> 20)


@pytest.mark.parametrize("style", ["sync", "asyncio"])
def test_a_giant_listing_of_tiny_entries_takes_a_few_times_its_size(style: str) -> None:
    """The limit is on the client: a caller that keeps all entries needs the memory for them."""
    nothing = {"owner": "", "group": "", "modification_time": 0, "access_time": 0}
    tiny = {"file_type": "IS_FILE", "path": b"a", "length": 0, "permission": {"perm": 0}}
    entry = wire.content(1, encode_message("HdfsFileStatusProto", tiny | nothing))
    size = GIANT // 2
    answers = [filled(entry, inside=True, size=size)]
    assert taken("listing", style, answers) < 60 + 5 * (size >> 20)


def too_old(_: HadoopCalls) -> bytes:
    return wire.old_answer(7, "org.apache.hadoop.ipc.RPC$VersionMismatch", "9")


def wants_a_token(_: HadoopCalls) -> bytes:
    of_sasl = wire.number(1, wire.SASL_ID & 0xFFFF_FFFF) + wire.number(2, 0)
    offered = wire.content(1, "TOKEN") + wire.content(2, "DIGEST-MD5")
    negotiate = wire.number(2, 1) + wire.content(4, offered)
    return wire.frame(wire.delimited(of_sasl), wire.delimited(negotiate))


def refuses(calls: HadoopCalls) -> bytes:
    return calls.refuse(0, "java.io.IOException", "no", 1)


@pytest.mark.parametrize(
    ("says", "kind"),
    [(too_old, VersionMismatch), (wants_a_token, AuthenticationRequired), (refuses, HadoopError)],
)
def test_what_a_server_refuses_is_told_by_its_kind(
    says: Callable[[HadoopCalls], bytes], kind: type[JvmWireError]
) -> None:
    with (
        server(says) as port,
        connect(Ping, Tcp("127.0.0.1", port), options()) as client,
        pytest.raises(kind),
    ):
        client.once()  # not an unknown outcome: it was not executed
