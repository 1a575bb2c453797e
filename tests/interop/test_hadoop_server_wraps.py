"""Contents of wraps, cut and damaged: jvmwire's server answers as a secured NameNode does."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, Self

import pytest

from jvmwire._core import HadoopReplyDecoder
from jvmwire._runtime.session import OPENING
from jvmwire.hadoop._session import HadoopClientSession
from jvmwire.hadoop.sasl import Protection, SaslClient, Token
from jvmwire.hadoop.sasl._credentials import TokenCredential
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from kit import wire
from kit.hadoop import SecureDfs
from kit.hadoop_adversarial_inputs import WAIT_TIMEOUT, Told, decoded, header
from kit.hadoop_protocols import Groups, GroupsService
from kit.hadoop_security import wrap

TOKEN = Token(b"alice", b"secret")
SEALED = (Protection.INTEGRITY, Protection.PRIVACY)
LAST = 77
"""A call that is answered if the connection lives."""


class Secrets:
    """Store of one token."""

    def password_of(self, identifier: bytes) -> bytes | None:
        return TOKEN.password if identifier == TOKEN.identifier else None


class Server(NamedTuple):
    """A server, and the client's means to authenticate to it."""

    port: int
    token: Token


@pytest.fixture(scope="module")
def servers(secure_dfs: SecureDfs) -> Iterator[Sequence[Server]]:
    """jvmwire's server, and Java's."""
    with RpcServer(RpcServerOptions(secrets=Secrets())) as server:
        server.add(Groups, GroupsService())
        java = Server(secure_dfs.port, Token.from_url(secure_dfs.token))
        yield Server(server.start(), TOKEN), java


class Heard(NamedTuple):
    """The replies inside and outside of wraps, and whether the connection ended."""

    inside: tuple[Told, ...]
    outside: tuple[Told, ...]
    ended: bool


class Sealed:
    """A conversation that has reached the point where all is wrapped."""

    def __init__(self, server: Server, protection: Protection) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=WAIT_TIMEOUT)
        self._outer = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine="protobuf")
        sasl = SaslClient([TokenCredential(server.token, (protection,))])
        session = HadoopClientSession(
            protocol=Groups.protocol, user="", client_id=wire.CLIENT_ID, sasl=sasl
        )
        while session.state is OPENING:
            self._socket.sendall(session.data_to_send(0.0))
            session.receive_data(self._socket.recv(1 << 16))
            list(session.events())
        assert sasl.seal is not None
        self._seal = sasl.seal
        self.say(bytes(session.data_to_send(0.0)))  # the context, in a wrap

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def wrapped(self, data: bytes) -> bytes:
        """Return a wrap of bytes."""
        return wrap("client", self._seal.wrap(data))

    def say(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._socket.sendall(data)

    def stop(self) -> None:
        """End the client's stream."""
        self._socket.shutdown(socket.SHUT_WR)

    def hear(self, answers: int = -1) -> Heard:
        """Read until `count` replies have arrived, or to the end of the stream."""
        inside, outside = b"", []
        while True:
            while (answer := self._outer.next_response()) is not None:
                if answer.sasl is None:
                    java_class, _, code = answer.failure
                    outside.append(Told(answer.kind, answer.call_id, code, java_class, b""))
                else:
                    inside += self._seal.unwrap(answer.sasl[1] or b"")
            told = tuple(one._replace(payload=b"") for one in decoded(inside, "protobuf")[0])
            if len(told) == answers or LAST in [one.call_id for one in told]:
                return Heard(told, tuple(outside), ended=False)
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            if not data:
                return Heard(told, tuple(outside), ended=True)
            self._outer.feed(data)


def asked(call_id: int) -> bytes:
    """Encode a short call, which both serve."""
    named = wire.content(1, "getGroupsForUser") + wire.content(2, Groups.protocol)
    return wire.frame(
        header(kind=2, call=call_id),
        wire.delimited(named + wire.number(3, 1)),
        wire.delimited(wire.content(1, "ann")),
    )


FIRST = 100
CALL = asked(FIRST)


@pytest.mark.parametrize("protection", SEALED)
def test_a_call_in_two_wraps_is_answered_wherever_it_is_cut(
    protection: Protection, servers: Sequence[Server]
) -> None:
    cuts = range(len(CALL) + 1)
    for server in servers:
        with Sealed(server, protection) as conversation:
            for cut in cuts:
                frame = asked(FIRST + cut)
                for piece in (frame[:cut], frame[cut:]):
                    conversation.say(conversation.wrapped(piece))
            heard = conversation.hear(len(cuts))
        assert heard.outside == ()
        assert [(one.call_id, one.kind) for one in heard.inside] == [
            (FIRST + cut, "success") for cut in cuts
        ]


@pytest.mark.parametrize("protection", SEALED)
def test_a_wrap_that_comes_in_pieces_is_answered_and_so_are_many_calls_in_one(
    protection: Protection, servers: Sequence[Server]
) -> None:
    for server in servers:
        with Sealed(server, protection) as conversation:
            data = conversation.wrapped(asked(0) + asked(1) + asked(2)[:9])
            data += conversation.wrapped(asked(2)[9:])
            for at in range(len(data)):
                conversation.say(data[at : at + 1])
            heard = conversation.hear(3)
        assert [(one.call_id, one.kind) for one in heard.inside] == [
            (call_id, "success") for call_id in range(3)
        ]


INNER = (0, 1, 4, 5, len(CALL) // 2, len(CALL) - 1)
OUTER = (1, 4, 5, 20, -1)


@pytest.mark.parametrize("protection", SEALED)
def test_who_ends_amid_a_wrap_or_what_is_in_it_is_told_what_java_tells(
    protection: Protection, servers: Sequence[Server]
) -> None:
    def ended(server: Server, inner: int, outer: int | None) -> Heard:
        with Sealed(server, protection) as conversation:
            conversation.say(conversation.wrapped(asked(1)))
            conversation.hear(1)
            conversation.say(conversation.wrapped(CALL[:inner])[:outer])
            conversation.stop()
            return conversation.hear()

    places = [(inner, None) for inner in INNER] + [(len(CALL), outer) for outer in OUTER]
    for inner, outer in places:
        heard, javas = (ended(server, inner, outer) for server in servers)
        assert heard == javas, (inner, outer)


def damaged(data: bytes, at: int) -> bytes:
    """Return a wrap with one changed byte, counted from its end."""
    return data[:-at] + bytes([data[-at] ^ 1]) + data[len(data) - at + 1 :]


def again(conversation: Sealed) -> bytes:
    """Send a call, read its reply, and return its wrap."""
    said = conversation.wrapped(asked(5))
    conversation.say(said)
    conversation.hear(1)
    return said


CASES: dict[str, Callable[[Sealed], bytes]] = {
    "a frame of -1": lambda one: one.wrapped(b"\xff" * 4),
    "a header that is none": lambda one: one.wrapped(wire.frame(b"\xff\xff")),
    "another context": lambda one: one.wrapped(wire.context("alice", Groups.protocol)),
    "a ping": lambda one: one.wrapped(wire.ping()),
    "a wrap in a wrap": lambda one: one.wrapped(one.wrapped(asked(5))),
    "a header outside that is none": lambda _: wire.frame(b"\xff\xff"),
    "a context outside": lambda _: wire.context("alice", Groups.protocol),
    "a negotiation outside": lambda _: wire.sasl("client", 1),
    "a wrap that is no message": lambda _: wire.frame(
        wire.request_header(wire.SASL_ID, retry=-1, client_id=b""), wire.delimited(b"\xff\xff")
    ),
    "a wrap of nothing": lambda one: one.wrapped(b""),
    "a wrap without a token": lambda _: wire.sasl("client", 5),
    "an empty token": lambda _: wire.sasl("client", 5, wire.content(3, b"")),
    "a short token": lambda _: wire.sasl("client", 5, wire.content(3, b"x" * 15)),
    "another number": lambda one: damaged(one.wrapped(asked(5)), 1),
    "another code": lambda one: damaged(one.wrapped(asked(5)), 10),
    "the same wrap again": again,
    "a call outside": lambda _: asked(5),
    "a ping outside": lambda _: wire.ping(),
}
DIFFERENT = {
    "a call outside": "Java carries out what is not sealed, whoever put it there",
    "a ping outside": "Java takes what is not sealed",
    "another code": "Java drops what was changed, and goes on as if nobody had tried",
    "the same wrap again": "where it is in cipher it reads as if it had been changed",
}
"""Cases in which jvmwire ends the connection and Java does not, and the reason."""


ASKED = [(case, protection) for case in CASES for protection in SEALED]
# Java's cipher continues from the changed state: it silently drops the following data, too.
ASKED.remove(("another code", Protection.PRIVACY))


@pytest.mark.parametrize(("case", "protection"), ASKED)
def test_what_must_not_stand_in_wraps_or_beside_them_is_answered_as_by_java(
    case: str, protection: Protection, servers: Sequence[Server]
) -> None:
    def answered(server: Server) -> Heard:
        with Sealed(server, protection) as conversation:
            conversation.say(CASES[case](conversation))
            with suppress(ConnectionError):
                conversation.say(conversation.wrapped(asked(LAST)))
            return conversation.hear()

    heard, javas = map(answered, servers)
    if case in DIFFERENT and not javas.ended:
        assert heard.ended
        assert [one.kind for one in heard.inside] == ["fatal"] * case.endswith("outside")
    else:
        assert heard == javas


# Not sent to Java, which reads nothing after the first one, and makes room for the others: the
# thread that reads from all its clients ends with it.
LENGTHS = (0, (128 << 20) + 1, 2**31 - 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_length_in_a_wrap_is_judged_like_any(length: int, servers: Sequence[Server]) -> None:
    with Sealed(servers[0], Protection.INTEGRITY) as conversation:
        conversation.say(conversation.wrapped(length.to_bytes(4, "big")))
        heard = conversation.hear()
    assert heard.ended
    assert [one.code for one in heard.inside] == ([] if length else ["FATAL_DESERIALIZING_REQUEST"])
