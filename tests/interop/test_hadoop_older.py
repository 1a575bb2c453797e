"""Older versions of Hadoop: version 7 of its RPC, and the dialect of 2.1.0-beta."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.hadoop import HadoopOptions
from jvmwire.hadoop.errors import VersionMismatch
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.transports import Tcp
from kit.hadoop import CLIENT_TIMEOUT, program
from kit.hadoop_protocols import NewPing, OldPing, PingService
from kit.peer import Peer

BETA = "hadoop-2.1"
VERSION_SEVEN = "hadoop-2.0"
ASKED = ("ACME", "Bob", 7, 1 << 40, True, False)
ENTERPRISE = "ACME by Bob: 7, 1099511627776, true, false"


@pytest.fixture(scope="module")
def server() -> Iterator[RpcServer]:
    with RpcServer(RpcServerOptions(beta=True)) as server:
        server.add(NewPing, PingService())
        server.start()
        yield server


def test_our_clients_of_the_beta_are_answered_by_java(tmp_path: Path) -> None:
    options = HadoopOptions(user="alice", beta=True)
    with Peer(program("Versions", "server", "0", directory=tmp_path, module=BETA)) as java:
        endpoint = Tcp("127.0.0.1", java.port)
        with connect(OldPing, endpoint, options) as ping:
            assert ping.ping("X") == "pong=X"
        with connect(NewPing, endpoint, options) as ping:
            assert ping.enterprise_ping(*ASKED) == ENTERPRISE


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("old", "Server ping returned pong=X\n"),
        ("new", f"Server ping returned pong=X\n{ENTERPRISE}\n"),
    ],
)
def test_javas_clients_of_the_beta_are_answered_by_us(
    server: RpcServer, version: str, told: str, tmp_path: Path
) -> None:
    asked = program("Versions", version, str(server.port), directory=tmp_path, module=BETA)
    assert asked.run(CLIENT_TIMEOUT) == told


def test_a_server_of_an_older_version_is_named_with_it(tmp_path: Path) -> None:
    with Peer(program("OlderServer", directory=tmp_path, module=VERSION_SEVEN)) as java:
        with (
            connect(OldPing, Tcp("127.0.0.1", java.port)) as ping,
            pytest.raises(VersionMismatch, match="Server IPC version 7") as refused,
        ):
            ping.ping("X")
        assert refused.value.version == 7
