"""Recorded conversations of Hadoop RPC beyond the NameNode: a server, and a Writable client."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from jvmwire._core import HadoopCalls, HadoopReplyDecoder, HadoopRequestDecoder, JavaClass
from jvmwire._runtime.session import Event
from jvmwire.hadoop._session import HadoopClientSession
from jvmwire.hadoop.rpc._interface import Interface, method, methods
from jvmwire.hadoop.rpc._proxy import InterfaceCall
from jvmwire.hadoop.rpc._writable import CLASSES
from jvmwire.hadoop.server._error_responses import make_error
from jvmwire.hadoop.server._session import CallsReceived, HadoopServerSession, Refuse, SendReplies
from kit.transcript import Conversation, Hears, Sends, Writes

from . import wire
from .environment import ROOT
from .hadoop_echo import Ping

OPENED = wire.connection_header() + wire.context("alice", "ping")
SEED = (ROOT / "tests/vectors/hadoop/seed/client-call.bin").read_bytes()
SEED_REPLY = (ROOT / "tests/vectors/hadoop/seed/reply.bin").read_bytes()
SEED_CLIENT_ID = SEED[24:40]
STRING = JavaClass("java.lang.String")

_INVOCATIONS = wire.invocation(0) + wire.invocation(1)
_CALLS = b"".join(wire.call(at, "m", b"\x08\x01", protocol="p") for at in range(2, 7))


def _asked(data: bytes, *, beta: bool = False) -> HadoopCalls:
    """Return calls of one method, as a separate decoder reads them."""
    decoder = HadoopRequestDecoder(beta=beta)
    decoder.feed(data)
    while (calls := decoder.next_calls(CLASSES, 9)) is None:
        assert decoder.next_request() is not None
    return calls


_INVOKED, _CALLED = _asked(OPENED + _INVOCATIONS), _asked(OPENED + _CALLS)


def _each(event: Event) -> Iterator[Any]:
    if not isinstance(event, CallsReceived):
        yield event
        return
    for call in event.batch:
        yield call.call_id, call.protocol, call.method, call.classes, call.arguments


def _answers(data: bytes) -> list[tuple[int, bytes | str]]:
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID)
    decoder.feed(data)
    found: list[tuple[int, bytes | str]] = []
    while (answer := decoder.next_response()) is not None:
        java_class, message, _ = answer.failure
        failed = answer.kind == "error"
        found.append((answer.call_id, f"{java_class}: {message}" if failed else answer.payload))
    return found


def _meaning(command: SendReplies | Refuse) -> list[tuple[int, bytes | str]]:
    if isinstance(command, Refuse):
        error = command.error
        return [(command.calls.call_id(command.index), f"{error.java_class}: {error}")]
    ids = (command.calls.call_id(command.first + at) for at in range(len(command.values)))
    return list(zip(ids, command.values, strict=True))


_ANSWERS = st.lists(st.binary(max_size=40), min_size=1, max_size=len(_CALLED)).map(
    lambda values: SendReplies(_CALLED, None, values, 0, 0)
)
_REFUSALS = st.builds(
    lambda index, text: Refuse(_CALLED, index, make_error("ERROR_APPLICATION", "a.B", text)),
    st.integers(0, len(_CALLED) - 1),
    st.text("abc ", max_size=20),
)

SERVER = Conversation(
    "hadoop's server",
    lambda: HadoopServerSession(address="10.0.0.7:4000"),
    [
        Hears(OPENED + _INVOCATIONS + wire.ping() + _CALLS),
        Writes(b""),
        Sends(SendReplies(_INVOKED, STRING, ["pong"], 0, 1)),
        Sends(SendReplies(_CALLED, None, [b"1", b"2"], 0, 0)),
        Writes(
            wire.written(1, wire.writable("java.lang.String", wire.utf8("pong")))
            + wire.reply(2, b"1")
            + wire.reply(3, b"2")
        ),
        Hears(wire.call(7, "m", protocol="p", retry=2)),
        Sends(Refuse(_CALLED, 2, make_error("ERROR_APPLICATION", "a.B", "no"))),
        Writes(wire.failure(4, "a.B", "no")),
    ],
    commands=_ANSWERS | _REFUSALS,
    decode=_answers,
    meaning=_meaning,
    each=_each,
)

BETA_SERVER = Conversation(
    "hadoop's server of 2.1.0-beta",
    lambda: HadoopServerSession(address="10.0.0.7:4000", beta=True),
    [Hears(SEED), Hears(wire.OLD_PING)],
    commands=_ANSWERS | _REFUSALS,
    decode=_answers,
    meaning=_meaning,
    each=_each,
)


class Echo(Interface, protocol="ping", version=1):
    """Protocol of one method with arguments."""

    @method()
    def echo(self, text: str, data: bytes) -> str:
        """Return the argument."""
        raise NotImplementedError


def _invoked(data: bytes) -> tuple[str, str, list[list[Any]]]:
    opening = wire.connection_header() + wire.context("eleibovi", "ping", beta=True)
    calls = _asked(opening + data, beta=True)
    return calls.protocol, calls.method, calls.arguments


WRITABLE_CLIENT = Conversation(
    "hadoop's writable engine",
    lambda: HadoopClientSession(
        protocol="ping",
        user="eleibovi",
        client_id=SEED_CLIENT_ID,
        engine="writable",
        version=1,
        beta=True,
    ),
    [
        Sends(InterfaceCall(methods(Ping)["ping"], ()), 0),
        Writes(SEED),
        # The document shows the two in separate conversations.
        Hears(SEED_REPLY.replace(SEED_REPLY[13:29], SEED_CLIENT_ID)),
    ],
    commands=st.builds(
        lambda text, data: InterfaceCall(methods(Echo)["echo"], (text, data)),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.binary(max_size=20),
    ),
    decode=_invoked,
    meaning=lambda command: ("ping", "echo", [list(command.arguments)]),
)
