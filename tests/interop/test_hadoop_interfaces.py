"""One interface, shared with Java: Java's clients call jvmwire's server, and vice versa."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jvmwire._runtime.session import Failed
from jvmwire.errors import OutcomeUnknown
from jvmwire.hadoop import HadoopError
from jvmwire.hadoop._options import HadoopOptions
from jvmwire.hadoop._session import HadoopClientSession
from jvmwire.hadoop.errors import VersionMismatch
from jvmwire.hadoop.rpc._interface import Interface, method, methods
from jvmwire.hadoop.rpc._proxy import connect, connect_async
from jvmwire.hadoop.rpc._writable import (
    BytesWritable,
    IntWritable,
    LongWritable,
    MapWritable,
    NullWritable,
    ProtocolSignature,
    Text,
    VLongWritable,
)
from jvmwire.hadoop.server import RpcServer
from jvmwire.transports import Tcp
from kit import wire
from kit.faults import Cut, on
from kit.hadoop import CLIENT_TIMEOUT, MODULES, WritablePeer, program
from kit.hadoop_echo import Echo, EchoService, Kind, Ping
from kit.hadoop_protocols import (
    Groups,
    GroupsService,
    NewPing,
    OldPing,
    PingService,
)
from kit.peer import Peer
from kit.polling import eventually
from kit.proxy import FaultProxy
from kit.user_mappings_pb2 import GetGroupsForUserRequestProto, GetGroupsForUserResponseProto

ENTERPRISE = "ACME by Bob: 7, 1099511627776, true, false"
ASKED = ("ACME", "Bob", 7, 1 << 40, True, False)


@pytest.fixture(scope="module")
def server() -> Iterator[RpcServer]:
    with RpcServer() as server:
        server.add(NewPing, PingService())
        server.add(Groups, GroupsService())
        server.add(Echo, EchoService())
        server.start()
        yield server


@pytest.fixture(scope="module", params=MODULES)
def module(request: pytest.FixtureRequest) -> str:
    """Return the class path of a version of Hadoop."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory, module: str) -> Iterator[Peer]:
    """Java's server of both versions."""
    directory = tmp_path_factory.mktemp("versions")
    with Peer(program("Versions", "server", "0", directory=directory, module=module)) as peer:
        yield peer


@pytest.fixture(scope="module")
def java_echo(tmp_path_factory: pytest.TempPathFactory, module: str) -> Iterator[WritablePeer]:
    """Java's server of every type."""
    with WritablePeer(tmp_path_factory.mktemp("echo"), module=module) as peer:
        yield peer


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("old", "Server ping returned pong=X\n"),
        ("new", f"Server ping returned pong=X\n{ENTERPRISE}\n"),
    ],
)
def test_javas_clients_of_both_versions_are_answered(
    server: RpcServer, module: str, tmp_path: Path, version: str, told: str
) -> None:
    asked = program("Versions", version, str(server.port), directory=tmp_path, module=module)
    assert asked.run(CLIENT_TIMEOUT) == told


def test_javas_client_of_protobuf_is_answered(
    server: RpcServer, module: str, tmp_path: Path
) -> None:
    asked = program("Groups", "client", str(server.port), directory=tmp_path, module=module)
    refused = "java.io.FileNotFoundException ERROR_APPLICATION nobody"
    assert asked.run(CLIENT_TIMEOUT) == f"[ann, annann]\n{refused}\n"


def test_our_clients_of_both_versions_are_answered(java: Peer, server: RpcServer) -> None:
    for port in (java.port, server.port):
        with connect(OldPing, Tcp("127.0.0.1", port)) as ping:
            assert ping.ping("X") == "pong=X"
        with connect(NewPing, Tcp("127.0.0.1", port)) as ping:
            assert ping.ping("X") == "pong=X"
            assert ping.enterprise_ping(*ASKED) == ENTERPRISE


def test_our_client_of_protobuf_is_answered(server: RpcServer, module: str, tmp_path: Path) -> None:
    with Peer(program("Groups", "server", "0", directory=tmp_path, module=module)) as java:
        for port in (java.port, server.port):
            with connect(Groups, Tcp("127.0.0.1", port)) as groups:
                answer = groups.get_groups_for_user(GetGroupsForUserRequestProto(user="ann"))
                assert isinstance(answer, GetGroupsForUserResponseProto)
                assert list(answer.groups) == ["ann", "annann"]
                with pytest.raises(FileNotFoundError, match="nobody") as refused:
                    groups.get_groups_for_user(GetGroupsForUserRequestProto(user=""))
                assert refused.value.java_class == "java.io.FileNotFoundException"  # type: ignore[attr-defined]


class Raw(Interface, protocol=Groups.protocol, version=1, engine="protobuf"):
    """The same protocol without authentication."""

    def get_groups_for_user(self, request: bytes) -> bytes:
        raise NotImplementedError


class Demanding(Interface, protocol=Groups.protocol, version=1, engine="protobuf"):
    """The same protocol, whose replies require a user."""

    def get_groups_for_user(self, request: bytes) -> GetGroupsForUserRequestProto:
        raise NotImplementedError


class Silent:
    """Service that never replies."""

    async def get_groups_for_user(self, _: bytes) -> bytes:
        return b""


def test_a_message_without_what_it_must_have_is_refused_by_who_reads_it(server: RpcServer) -> None:
    lacks = "GetGroupsForUserRequestProto has no user"
    with (
        connect(Raw, Tcp("127.0.0.1", server.port)) as raw,
        pytest.raises(HadoopError, match=lacks),
    ):
        raw.get_groups_for_user(b"")
    with RpcServer() as silent:
        silent.add(Raw, Silent())
        with (
            connect(Demanding, Tcp("127.0.0.1", silent.start())) as demanding,
            pytest.raises(OutcomeUnknown, match=lacks),
        ):
            demanding.get_groups_for_user(b"")


def all_values(echo: Any) -> list[Any]:
    """Call the methods for every type of ObjectWritable."""
    entries = MapWritable({Text("k"): LongWritable(9)})
    return [
        echo.get_protocol_version("test.Echo", 42),
        echo.get_protocol_signature("test.Echo", 42, 0),
        echo.ping("h\u00e9\u20ac\U0001f600\0z"),
        echo.ping(None),
        echo.add(2, b=-3),
        echo.addl(1 << 40, 5),
        echo.not_(True),
        echo.half(3.0),
        echo.halff(3.0),
        echo.incb(127),
        echo.incs(7),
        echo.incc("a"),
        echo.nothing(),
        echo.nul(),
        echo.text(Text("txt\u20ac")),
        echo.ints([1, 2, -3]),
        echo.bytes(b"\0\1\xff"),
        echo.strings(["a", "b"]),
        echo.writables([IntWritable(300), None, Text("w")]),
        echo.map(entries),
        echo.nw(NullWritable()),
        echo.kind(Kind.RED),
        echo.poly(VLongWritable(-123456)),
        echo.poly(None),
        echo.poly(BytesWritable(b"\t\x08")),
        echo.slow(5),
    ]


def the_values() -> list[Any]:
    hashes = sorted(method.fingerprint for method in methods(Echo).values())
    return [
        42,
        ProtocolSignature(42, hashes),
        "pong=h\u00e9\u20ac\U0001f600\0z",
        "pong=null",
        -1,
        (1 << 40) + 5,
        False,
        1.5,
        1.5,
        -128,
        8,
        "b",
        None,
        None,
        Text("T:txt\u20ac"),
        [-1, -2, 3],
        b"UT\xaa",
        ["a!", "b!"],
        [IntWritable(300), None, Text("w")],
        MapWritable({Text("k"): LongWritable(9)}),
        NullWritable(),
        Kind.GREEN,
        VLongWritable(-123456),
        None,
        BytesWritable(b"\t\x08"),
        "slept",
    ]


def test_every_type_goes_to_javas_server_and_comes_back(java_echo: WritablePeer) -> None:
    with connect(Echo, Tcp("127.0.0.1", java_echo.port)) as echo:
        assert all_values(echo) == the_values()
        with pytest.raises(FileNotFoundError, match="no such thing"):
            echo.fail("no such thing")
    with connect(Ping, Tcp("127.0.0.1", java_echo.port)) as ping:
        assert ping.ping() == "pong"


def test_every_type_goes_to_our_server_and_comes_back(server: RpcServer) -> None:
    with connect(Echo, Tcp("127.0.0.1", server.port)) as echo:
        assert all_values(echo) == the_values()


def test_calls_of_asyncio_are_in_flight_together(server: RpcServer) -> None:
    async def ask() -> list[int]:
        async with await connect_async(Echo, Tcp("127.0.0.1", server.port)) as echo:
            slow = asyncio.create_task(echo.slow(50))
            found: list[int] = await asyncio.gather(*(echo.add(i, i) for i in range(100)))
            assert not slow.done()
            assert await slow == "slept"
            return found

    assert asyncio.run(ask()) == [2 * i for i in range(100)]


class FuturePing(Interface, protocol="ping", version=3):
    """Protocol of a version that no server has."""

    def ping(self, message: str) -> str:
        """Return a pong."""
        raise NotImplementedError


class LongerPing(Interface, protocol="ping", version=2):
    """Protocol with a method that no server has."""

    def pong(self, message: str) -> str:
        """Return a ping."""
        raise NotImplementedError


@pytest.mark.parametrize("spoken", [3, 8, 10])
def test_a_server_of_another_version_is_named_with_it(java: Peer, spoken: int) -> None:
    with socket.create_connection(("127.0.0.1", java.port), timeout=CLIENT_TIMEOUT) as client:
        client.sendall(wire.connection_header(version=spoken))
        with client.makefile("rb") as answer:
            said = answer.read()
    # Java's error, as if it were of another version than the client.
    said = said.replace(b"IPC version 9 ", b"IPC version 4 ")
    said = said.replace(b"\x10\x02\x18\x09", b"\x10\x02\x18\x04")
    session = HadoopClientSession(
        protocol="ping", user="alice", client_id=wire.CLIENT_ID, engine="writable", version=1
    )
    session.receive_data(said)
    [failed] = [event for event in session.events() if isinstance(event, Failed)]
    assert isinstance(failed.error, VersionMismatch)
    assert failed.error.version == 4
    text = f"Server IPC version 4 cannot communicate with client version {spoken}"
    assert text in str(failed.error)
    assert failed.unprocessed


class Unheard(Interface, protocol="test.Unheard", version=1):
    """Protocol that no server has."""

    def ping(self, message: str) -> str:
        """Return a pong."""
        raise NotImplementedError


@pytest.mark.parametrize("of_java", [True, False])
def test_what_is_not_served_is_refused_as_in_java(
    java: Peer, server: RpcServer, *, of_java: bool
) -> None:
    endpoint = Tcp("127.0.0.1", java.port if of_java else server.port)
    with connect(FuturePing, endpoint) as ping, pytest.raises(VersionMismatch) as refused:
        ping.ping("X")
    assert refused.value.code == "ERROR_RPC_VERSION_MISMATCH"
    with connect(LongerPing, endpoint) as longer, pytest.raises(HadoopError) as without:
        longer.pong("X")
    assert without.value.java_class == "java.io.IOException"
    assert "NoSuchMethodException" in str(without.value)
    assert without.value.code == "ERROR_APPLICATION"
    with connect(Unheard, endpoint) as unheard, pytest.raises(HadoopError) as unknown:
        unheard.ping("X")
    assert unknown.value.java_class == "org.apache.hadoop.ipc.RpcServerException"
    assert unknown.value.code == "ERROR_RPC_SERVER"


def test_our_client_writes_what_javas_writes(
    server: RpcServer, module: str, tmp_path: Path
) -> None:
    def ask_as_java_does(port: int) -> None:
        with connect(NewPing, Tcp("127.0.0.1", port), HadoopOptions(user="hdfs")) as ping:
            ping.ping("X")
            ping.enterprise_ping(*ASKED)

    def ask_by_java(port: int) -> None:
        asked = program("Versions", "new", str(port), directory=tmp_path, module=module)
        asked.run(CLIENT_TIMEOUT)

    written = []
    for ask in (ask_by_java, ask_as_java_does):
        with FaultProxy(("127.0.0.1", server.port), recorded=True) as proxy:
            ask(proxy.port)
            [link] = proxy.links
        theirs = bytes(link.client.transcript)
        client_id = theirs[20:36]
        written.append(theirs.replace(client_id, b"c" * 16))
    assert shifted(written[1], written[0]) == written[0]


def shifted(ours: bytes, theirs: bytes) -> bytes:
    """Return the client's bytes with the call ids of Java, whose library made calls before."""
    assert len(ours) == len(theirs)
    [*places] = (at for at, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
    assert len(places) <= 2
    for at in places:
        # rpcOp 0, and then the call id.
        assert ours[at - 3 : at] == b"\x10\x00\x18"
        ours = ours[:at] + theirs[at : at + 1] + ours[at + 1 :]
    return ours


def test_a_connection_on_which_nobody_calls_is_closed_and_the_next_call_makes_another() -> None:
    with RpcServer() as server:
        server.add(Echo, EchoService())
        endpoint = Tcp("127.0.0.1", server.start())
        options = HadoopOptions(user="alice", idle_timeout=0.5)
        with connect(Echo, endpoint, options) as client:
            before = 0
            for _ in range(2):
                assert client.add(1, 2) == 3
                assert eventually(lambda: not server.metrics.connections)
                # On a slow machine one is closed before the call that it was made for.
                assert server.metrics.accepted > before
                before = server.metrics.accepted


class OncePing(Interface, protocol="ping", version=1):
    """Protocol that Java serves too, whose call must not be repeated."""

    @method(at_most_once=True)
    def ping(self, message: str) -> str:
        """Ping."""
        raise NotImplementedError


class OnceGroups(Interface, protocol=Groups.protocol, version=1, engine="protobuf"):
    """The same by the Protobuf engine."""

    @method(at_most_once=True)
    def get_groups_for_user(self, request: bytes) -> bytes:
        """Return the groups."""
        raise NotImplementedError


def test_java_servers_answer_at_most_once_calls_and_a_lost_answer_is_an_unknown_outcome(
    java: Peer, module: str, tmp_path: Path
) -> None:
    asked = GetGroupsForUserRequestProto(user="alice").SerializeToString()
    with Peer(program("Groups", "server", "0", directory=tmp_path, module=module)) as groups:
        for interface, port, call in (
            (OncePing, java.port, lambda client: client.ping("X")),
            (OnceGroups, groups.port, lambda client: client.get_groups_for_user(asked)),
        ):
            with FaultProxy(("127.0.0.1", port)) as proxy:
                endpoint = Tcp("127.0.0.1", proxy.port)
                with connect(interface, endpoint) as client:
                    # Java refuses the call by its instance, and the connection goes on.
                    eventually(lambda: proxy.links[0].server.read > 0)
                    greeted = proxy.links[0].server.read
                    assert call(client)
                    assert len(proxy.links) == 1
                proxy.script = on(1, Cut("server", greeted + 1))
                with connect(interface, endpoint) as client:
                    with pytest.raises(OutcomeUnknown):
                        call(client)
                    assert call(client)
                    assert len(proxy.links) == 3
