"""Servers that say what they may not: one clear error, and the client goes on with another."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from jvmwire._core import HadoopCalls, HadoopRequestDecoder, JavaClass
from jvmwire.errors import JvmWireError
from jvmwire.hadoop import AuthenticationRequired, HadoopError, HadoopOptions, VersionMismatch
from jvmwire.hadoop.interface import Interface, method
from jvmwire.hadoop.proxy import connect, connect_async
from jvmwire.hadoop.writable import CLASSES
from jvmwire.retry import NEVER
from jvmwire.transports import Tcp
from kit import wire

STRING = JavaClass("java.lang.String")
REPLY_LIMIT = 1 << 16
PATIENCE = 20.0


class Ping(Interface, protocol="ping", version=1):
    """The seed's protocol, and a call that may not be repeated."""

    @method(repeatable=True)
    def ping(self) -> str:
        """Return "pong"."""
        raise NotImplementedError

    @method()
    def once(self) -> str:
        """Return "pong"."""
        raise NotImplementedError


def pong(calls: HadoopCalls) -> bytes:
    """Encode the right answer."""
    return calls.answer_objects(STRING, ["pong"], 0, 0)[0]


def lasting(piece: bytes) -> Callable[[HadoopCalls], bytes]:
    """Say more than a client should keep."""
    return lambda _: piece * ((1 << 24) // len(piece))


SAID: dict[str, tuple[Callable[[HadoopCalls], bytes], str]] = {
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
        lambda _: wire.frame(wire.delimited(wire.number(1, 999) + wire.number(2, 0)), b""),
        "call 999, which was never made",
    ),
    "a reply to another client": (lambda _: wire.reply(0, b""), "client_id"),
    "bytes behind a reply": (
        lambda calls: wire.frame(pong(calls)[4:], b"more"),
        "trailing",
    ),
    "a class of nobody's": (
        lambda calls: wire.frame(head(calls), wire.instance("nobody.Knows", b"x")),
        "nobody.Knows",
    ),
    "a page of the web": (lambda _: b"HTTP/1.1 200 OK\r\n\r\n", "HTTP"),
}


def head(calls: HadoopCalls) -> bytes:
    """Encode the header of a reply."""
    return wire.delimited(wire.number(1, calls.call_id(0)) + wire.number(2, 0))


@contextmanager
def server(says: Callable[[HadoopCalls], bytes]) -> Iterator[int]:
    """Answer the first connection as `says`, all others rightly."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        how = says
        while True:
            try:
                conversation, _ = listening.accept()
            except OSError:
                return
            with conversation, suppress(OSError):
                converse(conversation, how)
            how = pong

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def converse(conversation: socket.socket, says: Callable[[HadoopCalls], bytes]) -> None:
    """Answer each call, and end with the first wrong answer."""
    conversation.settimeout(PATIENCE)
    decoder = HadoopRequestDecoder()
    while data := conversation.recv(1 << 16):
        decoder.feed(data)
        while True:
            calls = decoder.next_calls(CLASSES, 1)
            if calls is not None:
                conversation.sendall(says(calls))
                if says is not pong:
                    return
            elif decoder.next_request() is None:
                break


def options() -> HadoopOptions:
    return HadoopOptions(user="alice", retry=NEVER, reply_limit=REPLY_LIMIT)


@pytest.mark.parametrize("said", SAID)
def test_what_a_server_may_not_say_is_an_error_and_the_next_call_is_answered(said: str) -> None:
    says, why = SAID[said]
    with server(says) as port, connect(Ping, Tcp("127.0.0.1", port), options()) as client:
        with pytest.raises(JvmWireError, match=why):
            client.ping()
        assert client.ping() == "pong"


@pytest.mark.parametrize("said", SAID)
def test_so_it_is_where_calls_are_awaited(said: str) -> None:
    says, why = SAID[said]

    async def ask(port: int) -> None:
        async with (
            asyncio.timeout(PATIENCE),
            await connect_async(Ping, Tcp("127.0.0.1", port), options()) as client,
        ):
            with pytest.raises(JvmWireError, match=why):
                await client.ping()
            assert await client.ping() == "pong"

    with server(says) as port:
        asyncio.run(ask(port))


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
        client.once()  # not an unknown outcome: it was not carried out
