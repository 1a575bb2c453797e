"""Forbidden input from clients: jvmwire's server answers as Java's does, and serves others."""

import socket
import struct
from collections.abc import Callable, Iterator

import pytest

from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop import WritablePeer
from kit.hadoop_adversarial_inputs import (
    LENGTHS,
    LIMIT,
    WAIT_TIMEOUT,
    ask,
    broken_off,
    first_frame,
    forged,
    header,
    interrupted,
)
from kit.hadoop_echo import Echo, EchoService, Ping, PingService

INT_MAX = 2**31 - 1
HEADER = wire.connection_header()
CONTEXT = wire.context("alice", "ping")
OPENED = HEADER + CONTEXT
PING = wire.invocation(0)
NEGOTIATING = wire.connection_header(auth=0xDF)


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    settings = {"ipc.maximum.data.length": str(LIMIT)}
    with WritablePeer(tmp_path_factory.mktemp("hostile"), settings=settings) as peer:
        yield peer.port


@pytest.fixture(scope="module")
def ours() -> Iterator[int]:
    with RpcServer(RpcServerOptions(data_limit=LIMIT)) as server:
        server.add(Ping, PingService())
        server.add(Echo, EchoService())
        yield server.start()


LIVES_ID = 77
LIVES = wire.invocation(LIVES_ID)
"""A call that is answered if the connection lives."""


INVOCATION = PING[4 + len(wire.request_header(0, kind=wire.WRITABLE)) :]


def invocation(
    *,
    version: int = 2,
    protocol: str = "ping",
    method: str = "ping",
    client_version: int = 1,
    hashed: int = 0,
    count: int = 0,
    parameters: bytes = b"",
) -> bytes:
    head = struct.pack(">q", version) + wire.utf8(protocol) + wire.utf8(method)
    return head + struct.pack(">qii", client_version, hashed, count) + parameters


def call(body: bytes, **changed: object) -> bytes:
    return OPENED + wire.frame(header(**changed), body)


def echo(method: str, *parameters: bytes) -> bytes:
    body = invocation(
        protocol="test.Echo",
        method=method,
        client_version=42,
        count=len(parameters),
        parameters=b"".join(parameters),
    )
    return call(body)


COMPACT = "org.apache.hadoop.io.ArrayPrimitiveWritable$Internal"
POINT = wire.utf8("test.Point")
REAL = wire.content(1, "bob") + wire.content(2, "alice")
UNANSWERED = {
    "a service class",
    "a ping before the context",
    "a ping",
    "a context of nobody",
    "a context of no protocol",
    "an unknown part of a context",
}
"""Cases that request nothing, or whose user is not accepted here."""
TWICE = {"the same call twice", "a negotiation that is not needed"}
"""Cases that are answered once more."""

CASES: dict[str, bytes] = {
    # The connection header.
    "an older magic": b"hrpx\x09\0\0",
    "another version's magic": b"hrpx\x05\0\0",
    **{
        f"version {version}": wire.connection_header(version=version)
        for version in (0, 1, 2, 3, 4, 8, 10, 127, 128, 255)
    },
    "a service class": wire.connection_header(service_class=7) + CONTEXT,
    "an authentication that is none": wire.connection_header(auth=5),
    "HTTP": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP to write": b"POST / HTTP/1.1\r\n\r\n",
    # Headers.
    "a header longer than its frame": OPENED + wire.frame(b"\x7f\x08"),
    "a header that is no message": OPENED + wire.frame(wire.delimited(b"\xff\xff\xff")),
    "a header without a length": OPENED + wire.frame(b"\xff" * 10),
    "an empty header": OPENED + wire.frame(b"\0"),
    **{
        f"no {name}": call(INVOCATION, **{name: None})
        for name in ("kind", "op", "call", "client", "retry")
    },
    **{f"the engine {kind}": call(INVOCATION, kind=kind) for kind in (0, 3, 99)},
    **{f"the operation {op}": call(INVOCATION, op=op) for op in (1, 2, 3, 99)},
    **{f"the call {number}": call(INVOCATION, call=number) for number in (-1, -2, -5, INT_MAX)},
    "the call -2^31": call(INVOCATION, call=-(2**31)),
    "a client id of 0": call(INVOCATION, client=b""),
    "a retry": call(INVOCATION, retry=3),
    "an unknown field": call(INVOCATION, more=wire.number(99, 1)),
    "the same call twice": OPENED + PING + PING,
    "a trace": call(INVOCATION, more=wire.content(6, wire.number(1, 5) + wire.number(2, 6))),
    "a trace that is no message": call(INVOCATION, more=wire.content(6, b"\xff\xff")),
    "a state": call(INVOCATION, more=wire.signed(8, 5)),
    "states of a router": call(INVOCATION, more=wire.content(9, b"\xff\x01")),
    "an authorization": call(INVOCATION, more=wire.content(10, b"Bearer \xff")),
    "numbers where states and authorizations belong": call(
        INVOCATION, more=b"".join(wire.number(field, 5) for field in (6, 9, 10))
    ),
    "who signs a caller's context": call(
        INVOCATION, more=wire.content(7, wire.content(1, "job") + wire.content(2, b"\xff"))
    ),
    "a caller's context without one": call(INVOCATION, more=wire.content(7, b"")),
    "a caller's context that is no text": call(
        INVOCATION, more=wire.content(7, wire.content(1, b"\xff\xfe"))
    ),
    "numbers where texts belong": call(INVOCATION, more=wire.number(4, 5) + wire.number(7, 5)),
    "texts where numbers belong": call(
        INVOCATION, more=b"".join(wire.content(field, "x") for field in (1, 2, 3, 5, 8))
    ),
    **{
        f"{deep} groups in a caller's context": call(
            INVOCATION, more=wire.content(7, wire.content(1, "job") + wire.groups(deep))
        )
        for deep in (99, 100)
    },
    # The context.
    "a call before the context": HEADER + PING,
    "two contexts": OPENED + CONTEXT,
    "a ping before the context": HEADER + wire.ping() + CONTEXT,
    "a ping": OPENED + wire.ping(),
    "a context of nobody": HEADER + wire.context(None, "ping"),
    "a context of no protocol": HEADER
    + wire.frame(wire.request_header(-3, retry=-1), wire.delimited(b"")),
    "a context that is no message": HEADER
    + wire.frame(wire.request_header(-3, retry=-1), wire.delimited(b"\xff\xff")),
    "a context that is cut": HEADER + wire.frame(wire.request_header(-3, retry=-1), b"\x20\x08"),
    "a context that is not there": HEADER + wire.frame(wire.request_header(-3, retry=-1)),
    "a context in another's name": HEADER
    + wire.frame(
        wire.request_header(-3, retry=-1),
        wire.delimited(wire.content(2, REAL) + wire.content(3, "ping")),
    ),
    "an unknown part of a context": HEADER
    + wire.frame(
        wire.request_header(-3, retry=-1),
        wire.delimited(wire.content(3, "ping") + wire.content(99, "x")),
    ),
    "a negotiation that is not needed": NEGOTIATING + wire.sasl("client", 1) + CONTEXT + PING,
    "a negotiation that nobody begins": NEGOTIATING + CONTEXT,
    "a negotiation that begins with a proof": NEGOTIATING + wire.sasl("client", 2),
    "a negotiation that begins with a wrap": NEGOTIATING + wire.sasl("client", 5),
    "a negotiation after another": NEGOTIATING
    + wire.sasl("client", 1)
    + wire.sasl("client", 1)
    + CONTEXT,
    "a call amid a negotiation": NEGOTIATING + PING,
    "a negotiation that was not asked for": OPENED + wire.sasl("client", 1),
    "the seed's dialect": HEADER + wire.context("alice", "ping", beta=True),
    # The Writable engine.
    **{f"version {one} of the engine": call(invocation(version=one)) for one in (-1, 0, 1, 3)},
    "a protocol of nobody": call(invocation(protocol="nobody")),
    "an empty protocol": call(invocation(protocol="")),
    "a method of nobody": call(invocation(method="nothing")),
    **{f"version {one} of ping": call(invocation(client_version=one)) for one in (0, 2, -1)},
    "another hash": call(invocation(hashed=INT_MAX)),
    "bytes behind an invocation": call(invocation() + b"more"),
    "a parameter too many": call(invocation(count=1, parameters=wire.writable("int", b"\0" * 4))),
    "parameters that are not there": call(invocation(count=3)),
    "a class of nobody": echo("poly", wire.instance("nobody.Knows", b"x")),
    "an enumeration of nobody": echo("kind", wire.writable("nobody.Knows", wire.utf8("RED"))),
    "a constant of nobody": echo(
        "kind", wire.writable("jvmwire.peers.hadoop.WPing$Kind", wire.utf8("BLUE"))
    ),
    "a string where a number belongs": echo(
        "add", *[wire.writable("java.lang.String", b"\0\0")] * 2
    ),
    "a string that is cut": echo("ping", wire.writable("java.lang.String", b"\0\x05abc")),
    "null": echo(
        "ping",
        wire.instance(
            "org.apache.hadoop.io.ObjectWritable$NullInstance",
            wire.utf8("java.lang.String"),
            declared="org.apache.hadoop.io.Writable",
        ),
    ),
    "bytes behind an array": echo(
        "ints", wire.writable(COMPACT, wire.utf8("int") + b"\0\0\0\x01\0\0\0\x07")
    ),
    "an array that is cut": echo("ints", wire.writable("[I", b"\0\0\0\x02")),
}


def int32(value: int) -> bytes:
    return struct.pack(">i", value)


def uint16(value: int) -> bytes:
    return struct.pack(">H", value & 0xFFFF)


def vint(value: int) -> bytes:
    """Encode as `WritableUtils.writeVInt`."""
    if -112 <= value <= 127:
        return struct.pack(">b", value)
    data = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return struct.pack(">b", -112 - len(data)) + data


def introduced(body: bytes) -> bytes:
    return HEADER + wire.frame(wire.request_header(-3, retry=-1), body)


def mapped(body: bytes) -> bytes:
    return echo("map", wire.instance(f"{IO}MapWritable", body))


IO = "org.apache.hadoop.io."
NUMBER = f"{IO}IntWritable"
USER = wire.content(1, "alice")
WHO = wire.content(2, USER)
FIELDS: dict[str, Callable[[int], bytes]] = {
    "a frame": lambda n: OPENED + int32(n),
    "a first frame": lambda n: HEADER + int32(n),
    # Of the header.
    "a header": lambda n: OPENED + wire.frame(wire.varint(n) + header()[1:], INVOCATION),
    "a client id": lambda n: call(INVOCATION, client=None, more=forged(4, n, wire.CLIENT_ID)),
    "a trace": lambda n: call(INVOCATION, more=forged(6, n, wire.number(1, 1))),
    "a caller's context": lambda n: call(
        INVOCATION, more=forged(7, n, wire.content(1, "job") + wire.content(2, "sig"))
    ),
    "the text of a caller's context": lambda n: call(
        INVOCATION, more=wire.content(7, forged(1, n, b"job"))
    ),
    "an unknown field": lambda n: call(INVOCATION, more=forged(99, n, b"abc")),
    # Of the connection context.
    "a context": lambda n: introduced(wire.varint(n) + WHO + wire.content(3, "ping")),
    "who it is": lambda n: introduced(wire.delimited(forged(2, n, USER) + wire.content(3, "ping"))),
    "a user": lambda n: introduced(
        wire.delimited(wire.content(2, forged(1, n, b"alice")) + wire.content(3, "ping"))
    ),
    "a protocol to open": lambda n: introduced(wire.delimited(WHO + forged(3, n, b"ping"))),
    # Of the Writable engine.
    "a protocol": lambda n: call(
        struct.pack(">q", 2) + uint16(n) + invocation()[10:],
    ),
    "a method": lambda n: call(
        struct.pack(">q", 2) + wire.utf8("ping") + uint16(n) + invocation()[16:],
    ),
    "parameters": lambda n: call(
        invocation(
            protocol="test.Echo",
            client_version=42,
            count=n,
            parameters=wire.writable("java.lang.String", wire.utf8("X")),
        )
    ),
    "a class": lambda n: echo("ping", uint16(n) + b"java.lang.String" + wire.utf8("X")),
    "a string": lambda n: echo("ping", wire.writable("java.lang.String", uint16(n) + b"X")),
    "a component's class": lambda n: echo(
        "ints", wire.writable(COMPACT, uint16(n) + b"int" + int32(1) + int32(7))
    ),
    "a compact array": lambda n: echo(
        "ints", wire.writable(COMPACT, wire.utf8("int") + int32(n) + int32(7))
    ),
    "a compact array of bytes": lambda n: echo(
        "bytes", wire.writable(COMPACT, wire.utf8("byte") + int32(n) + b"abc")
    ),
    "an array": lambda n: echo(
        "ints", wire.writable("[I", int32(n) + wire.writable("int", int32(7)))
    ),
    "an array of strings": lambda n: echo(
        "strings",
        wire.writable(
            "[Ljava.lang.String;", int32(n) + wire.writable("java.lang.String", wire.utf8("a"))
        ),
    ),
    "an array of Writables": lambda n: echo(
        "writables", wire.writable(f"[L{IO}Writable;", int32(n) + wire.instance(NUMBER, int32(7)))
    ),
    "a constant": lambda n: echo(
        "kind", wire.writable("jvmwire.peers.hadoop.WPing$Kind", uint16(n) + b"RED")
    ),
    "the class of a Writable": lambda n: echo(
        "poly", wire.utf8(NUMBER) + uint16(n) + NUMBER.encode() + int32(7)
    ),
    "the class of null": lambda n: echo(
        "poly",
        wire.instance(
            f"{IO}ObjectWritable$NullInstance",
            uint16(n) + f"{IO}Writable".encode(),
            declared=f"{IO}Writable",
        ),
    ),
    "a text": lambda n: echo("text", wire.instance(f"{IO}Text", vint(n) + b"abc")),
    "bytes": lambda n: echo("poly", wire.instance(f"{IO}BytesWritable", int32(n) + b"abc")),
    "a map": lambda n: mapped(b"\0" + int32(n)),
    "the classes of a map": lambda n: mapped(bytes([n & 0xFF, 1]) + POINT + int32(0)),
    "a class of a map": lambda n: mapped(b"\1\1" + uint16(n) + b"test.Point" + int32(0)),
}
"""Fields with a length or a count: lengths of texts have 16 bits, classes of a map 8."""
INTRODUCING = {"a context", "who it is", "a user", "a protocol to open"}
FORGED = {
    f"{field} of {length}": make(length) for field, make in FIELDS.items() for length in LENGTHS
}

DIFFERENT = {
    "a caller's context that is no text": "Java makes a text of it that nobody wrote, for its logs",
    f"the classes of a map of {LIMIT + 1}": (
        "Java answers with all the classes that were named to it, we with those that entries have"
    ),
}
"""Cases in which jvmwire replies otherwise, and the reason; both go on, or end the connection."""


@pytest.mark.parametrize("case", [*CASES, *FORGED])
def test_we_answer_as_java_does(case: str, java: int, ours: int) -> None:
    # Two at most: the reply to the case, if it requests one, and the reply to the call after it.
    answers = 2 + (case in TWICE) - (case in UNANSWERED or case.partition(" of ")[0] in INTRODUCING)
    data = (CASES.get(case) or FORGED[case]) + LIVES
    heard, javas = (ask(port, data, answers=answers) for port in (ours, java))
    if case in DIFFERENT:
        assert heard != javas
        assert (heard.told[-1].call_id == LIVES_ID) is not heard.ended
    else:
        assert heard == javas


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 255])
def test_a_client_id_may_have_any_length(length: int, java: int, ours: int) -> None:
    client_id = b"x" * length
    data = call(INVOCATION, client=client_id)
    answer = first_frame(ours, data)
    assert client_id in answer
    assert answer == first_frame(java, data)


WHOLE = {
    "a call": OPENED + PING,
    "a negotiation": NEGOTIATING + wire.sasl("client", 1) + CONTEXT + PING,
}


@pytest.mark.parametrize("case", WHOLE)
def test_who_ends_amid_a_frame_is_told_what_java_tells(case: str, java: int, ours: int) -> None:
    whole = WHOLE[case]
    assert broken_off(ours, whole) == broken_off(java, whole)


@pytest.mark.parametrize("case", WHOLE)
def test_who_pauses_amid_a_frame_is_answered_as_who_does_not(
    case: str, java: int, ours: int
) -> None:
    whole = WHOLE[case]
    answers = 2 if case == "a negotiation" else 1
    at_once = ask(ours, whole, answers=answers)
    assert at_once.told[-1].kind == "success"
    for port in (ours, java):
        assert interrupted(port, whole, answers=answers) == [at_once] * len(whole)


def test_one_client_cannot_stop_the_server_for_others(ours: int) -> None:
    with connect(Ping, Tcp("127.0.0.1", ours)) as ping:
        for case, data in [*CASES.items(), ("noise", bytes(range(256)) * 40)]:
            with socket.create_connection(
                ("127.0.0.1", ours), timeout=WAIT_TIMEOUT
            ) as conversation:
                conversation.sendall(data)
            assert ping.ping() == "pong", case


def test_who_says_nothing_is_ended_and_others_are_served() -> None:
    with RpcServer(RpcServerOptions(opening_timeout=0.5)) as server:
        server.add(Ping, PingService())
        port = server.start()
        with (
            socket.create_connection(("127.0.0.1", port), timeout=WAIT_TIMEOUT) as silent,
            connect(Ping, Tcp("127.0.0.1", port)) as ping,
        ):
            silent.sendall(OPENED[:20])
            assert _end_of(silent) == b""
            assert ping.ping() == "pong"
        assert server.metrics.timeouts == 1


def _end_of(conversation: socket.socket) -> bytes:
    try:
        return conversation.recv(1)
    except ConnectionResetError:
        return b""
