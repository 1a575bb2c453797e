"""What no client should write: our server answers it as Java's does, and goes on serving others."""

import socket
import struct
from collections.abc import Iterator

import pytest

from jvmwire.hadoop.proxy import connect
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.transports import Tcp
from kit import wire
from kit.depth import times
from kit.hadoop import WritablePeer
from kit.hadoop_echo import Echo, EchoService, Ping, PingService
from kit.hadoop_hostile import PATIENCE, ask, decoded, header

LIMIT = 1 << 20
INT_MAX = 2**31 - 1
HEADER = wire.connection_header()
CONTEXT = wire.context("alice", "ping")
OPENED = HEADER + CONTEXT
PING = wire.invocation(0)


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


LIVES = wire.invocation(77)
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
LENGTHS = (-1, 0, LIMIT + 1, INT_MAX)
UNANSWERED = {
    "a service class",
    "a ping before the context",
    "a ping",
    "a context of nobody",
    "a context of no protocol",
}
"""Those that ask for nothing, or in whose name nobody is known here."""

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
    # Lengths of frames.
    **{f"a frame of {length}": OPENED + struct.pack(">i", length) for length in LENGTHS},
    "a first frame of -1": HEADER + b"\xff" * 4,
    "an old ping": OPENED + wire.OLD_PING,
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
    **{
        f"a compact array of {length}": echo(
            "ints", wire.writable(COMPACT, wire.utf8("int") + struct.pack(">i", length))
        )
        for length in (-1, 1000)
    },
    "bytes behind an array": echo(
        "ints", wire.writable(COMPACT, wire.utf8("int") + b"\0\0\0\x01\0\0\0\x07")
    ),
    "an array of -1": echo("ints", wire.writable("[I", b"\xff" * 4)),
    "an array that is cut": echo("ints", wire.writable("[I", b"\0\0\0\x02")),
}


@pytest.mark.parametrize("case", CASES)
def test_we_answer_as_java_does(case: str, java: int, ours: int) -> None:
    data = CASES[case] + LIVES
    # Two at most: that to the case, if it asks for one, and that to the call behind it.
    answers = 1 if case in UNANSWERED else 2
    assert ask(ours, data, answers=answers) == ask(java, data, answers=answers)


def test_a_request_that_is_cut_at_any_byte_is_waited_for(ours: int) -> None:
    whole = OPENED + PING
    for cut in range(0, len(whole), 1 if times(1) > 1 else 5):
        with socket.create_connection(("127.0.0.1", ours), timeout=PATIENCE) as conversation:
            conversation.sendall(whole[:cut])
            conversation.sendall(whole[cut:])
            said = b""
            while not decoded(said, "writable")[0]:
                said += conversation.recv(1 << 16)
            [told] = decoded(said, "writable")[0]
            assert (told.kind, told.call_id) == ("success", 0)


def test_one_client_cannot_stop_the_server_for_others(ours: int) -> None:
    with connect(Ping, Tcp("127.0.0.1", ours)) as ping:
        for case, data in [*CASES.items(), ("noise", bytes(range(256)) * 40)]:
            with socket.create_connection(("127.0.0.1", ours), timeout=PATIENCE) as conversation:
                conversation.sendall(data)
            assert ping.ping() == "pong", case


def test_who_says_nothing_is_ended_and_others_are_served() -> None:
    with RpcServer(RpcServerOptions(opening_timeout=0.5)) as server:
        server.add(Ping, PingService())
        port = server.start()
        with (
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as silent,
            connect(Ping, Tcp("127.0.0.1", port)) as ping,
        ):
            silent.sendall(OPENED[:20])
            assert _end_of(silent) == b""
            assert ping.ping() == "pong"
        assert server.metrics.too_slow == 1


def _end_of(conversation: socket.socket) -> bytes:
    try:
        return conversation.recv(1)
    except ConnectionResetError:
        return b""
