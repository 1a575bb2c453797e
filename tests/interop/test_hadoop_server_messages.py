"""Forbidden input from clients of the Protobuf engine: jvmwire's server answers as Java's does."""

import struct
from collections.abc import Callable, Iterator

import pytest

from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from kit import wire
from kit.hadoop import program
from kit.hadoop_adversarial_inputs import (
    LENGTHS,
    LIMIT,
    ask,
    broken_off,
    forged,
    header,
    interrupted,
)
from kit.hadoop_protocols import Groups, GroupsService
from kit.peer import Peer

GROUPS = "org.apache.hadoop.tools.GetUserMappingsProtocol"
METHOD = "getGroupsForUser"
OPENED = wire.connection_header() + wire.context("alice", GROUPS)
ANN = wire.content(1, "ann")
KIND = 2
INT_MAX = 2**31 - 1
LIMITED = f"ipc.maximum.data.length={LIMIT}"


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    directory = tmp_path_factory.mktemp("messages")
    with Peer(program("Groups", "server", "0", LIMITED, directory=directory)) as peer:
        yield peer.port


@pytest.fixture(scope="module")
def ours() -> Iterator[int]:
    with RpcServer(RpcServerOptions(data_limit=LIMIT)) as server:
        server.add(Groups, GroupsService())
        yield server.start()


def named(
    method: str | None = METHOD,
    protocol: str | None = GROUPS,
    version: int | None = 1,
    more: bytes = b"",
) -> bytes:
    """Encode a RequestHeaderProto; fields that are None are left out."""
    out = b"" if method is None else wire.content(1, method)
    out += b"" if protocol is None else wire.content(2, protocol)
    out += b"" if version is None else wire.number(3, version)
    return wire.delimited(out + more)


def call(*body: bytes, **changed: object) -> bytes:
    return OPENED + wire.frame(header(**{"kind": KIND} | changed), *body)


def asked(argument: bytes) -> bytes:
    return call(named(), wire.delimited(argument))


LIVES = wire.frame(header(kind=KIND, call=77), named(), wire.delimited(ANN))
"""A call that is answered if the connection lives."""

CASES: dict[str, bytes] = {
    "a call": asked(ANN),
    "the other engine": call(named(), wire.delimited(ANN), kind=1),
    **{f"the engine {kind}": call(named(), wire.delimited(ANN), kind=kind) for kind in (0, 3, 99)},
    # The called method.
    "an empty method": call(named(method=""), wire.delimited(ANN)),
    "a method of nobody": call(named(method="nothing"), wire.delimited(ANN)),
    "an empty protocol": call(named(protocol=""), wire.delimited(ANN)),
    "a protocol of nobody": call(named(protocol="nobody"), wire.delimited(ANN)),
    **{
        f"version {version}": call(named(version=version), wire.delimited(ANN))
        for version in (0, 2, -1, INT_MAX)
    },
    "an unknown field of what is called": call(named(more=wire.number(99, 1)), wire.delimited(ANN)),
    "another type of what is called": call(
        named(more=wire.number(1, 5) + wire.number(2, 5) + wire.content(3, "x")),
        wire.delimited(ANN),
    ),
    "a group in what is called": call(named(more=wire.groups(1)), wire.delimited(ANN)),
    "all in a group that is called": call(
        named(more=b"\x0b" + wire.content(1, "x") + wire.number(2, 1) + b"\x0c"),
        wire.delimited(ANN),
    ),
    "groups as deep as they may be": call(named(more=wire.groups(100)), wire.delimited(ANN)),
    # Arguments.
    "no argument": call(named()),
    "an empty argument": asked(b""),
    "an argument that is no message": asked(b"\xff\xff\xff"),
    "an argument longer than its frame": call(named(), b"\x7f\x0a"),
    "an argument that is cut": call(named(), b"\x05\x0a\x03an"),
    "bytes behind an argument": call(named(), wire.delimited(ANN), b"more"),
    "an unknown field": asked(ANN + wire.content(99, "x")),
    "a group": asked(wire.groups(1) + ANN),
    "a field twice": asked(wire.content(1, "bob") + ANN),
    "a number where text belongs": asked(wire.number(1, 5)),
    "a group without an end": asked(b"\x0b"),
    "the field 0": asked(b"\x02\x00"),
    "who is nobody": asked(wire.content(1, "")),
}


UNREADABLE: dict[str, bytes] = {
    "no body": call(),
    "no method": call(named(method=None), wire.delimited(ANN)),
    "no protocol": call(named(protocol=None), wire.delimited(ANN)),
    "no version": call(named(version=None), wire.delimited(ANN)),
    "longer than its frame": call(b"\x7f\x0a"),
    "of a length without end": call(b"\xff" * 10),
    "groups too deep": call(named(more=wire.groups(101)), wire.delimited(ANN)),
    "a group without its end": call(named(more=b"\x0b"), wire.delimited(ANN)),
    "a group with another's end": call(named(more=b"\x0b\x14"), wire.delimited(ANN)),
    "the end of no group": call(named(more=b"\x0c"), wire.delimited(ANN)),
    "no message": call(wire.delimited(b"\xff\xff\xff"), wire.delimited(ANN)),
}
"""Invalid RequestHeaderProtos, or those without a required field.

Java's handler fails while it formats the call, before it can reply (`RpcProtobufRequest.toString`):
the caller waits for its own timeout. jvmwire's server sends an error.
"""


def of_lengths(fields: dict[str, Callable[[int], bytes]]) -> dict[str, bytes]:
    return {
        f"{field} of {length}": make(length)
        for field, make in fields.items()
        for length in (*LENGTHS, INT_MAX + 1)
    }


ARGUMENT = wire.delimited(ANN)
NAMED = {
    1: wire.content(1, METHOD),
    2: wire.content(2, GROUPS),
    3: wire.number(3, 1),
}


def misnamed(field: int, length: int, name: str) -> bytes:
    """Encode a call whose name has a forged length."""
    fields = NAMED | {field: forged(field, length, name.encode())}
    return call(wire.delimited(b"".join(fields.values())), ARGUMENT)


FORGED = of_lengths(
    {
        "a frame": lambda n: OPENED + struct.pack(">I", n & 0xFFFFFFFF),
        "a header": lambda n: (
            OPENED + wire.frame(wire.varint(n) + header(kind=KIND)[1:], named(), ARGUMENT)
        ),
        "an argument": lambda n: call(named(), wire.varint(n) + ANN),
        "a user": lambda n: asked(forged(1, n, b"ann")),
        "an unknown field": lambda n: asked(ANN + forged(99, n, b"abc")),
    }
)
UNREADABLE |= of_lengths(
    {
        "what is called": lambda n: call(wire.varint(n) + named()[1:], ARGUMENT),
        "a method": lambda n: misnamed(1, n, METHOD),
        "a protocol": lambda n: misnamed(2, n, GROUPS),
        "an unknown field": lambda n: misnamed(99, n, "abc"),
    }
)


@pytest.mark.parametrize("case", [*CASES, *FORGED])
def test_we_answer_as_java_does(case: str, java: int, ours: int) -> None:
    data = (CASES.get(case) or FORGED[case]) + LIVES
    heard = [ask(port, data, answers=2, engine="protobuf") for port in (ours, java)]
    assert heard[0] == heard[1]


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_java_leaves_without_an_answer_is_refused(case: str, java: int, ours: int) -> None:
    data = UNREADABLE[case] + LIVES
    [alive] = ask(java, data, answers=1, engine="protobuf").told
    refused, alive_too = ask(ours, data, answers=2, engine="protobuf").told
    assert alive == alive_too
    assert (refused.kind, refused.call_id) == ("error", 5)
    assert str(refused.code).startswith("ERROR_")


def test_who_ends_amid_a_frame_is_told_what_java_tells(java: int, ours: int) -> None:
    whole = CASES["a call"]
    assert broken_off(ours, whole, "protobuf") == broken_off(java, whole, "protobuf")


def test_who_pauses_amid_a_frame_is_answered_as_who_does_not(java: int, ours: int) -> None:
    whole = CASES["a call"]
    at_once = ask(ours, whole, answers=1, engine="protobuf")
    assert at_once.told[0].kind == "success"
    for port in (ours, java):
        heard = interrupted(port, whole, answers=1, engine="protobuf")
        assert heard == [at_once] * len(whole)
