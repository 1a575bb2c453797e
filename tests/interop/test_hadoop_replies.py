"""Replies that no current server sends: jvmwire's client accepts exactly those of Java's."""

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from jvmwire.errors import OutcomeUnknown
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.server import RpcServer
from jvmwire.transports import Tcp
from kit.hadoop import CLIENT_TIMEOUT, program
from kit.hadoop_protocols import OldPing, PingService
from kit.peer import PeerError
from kit.servers import serving


@pytest.fixture(scope="module")
def server() -> Iterator[RpcServer]:
    with RpcServer() as server:
        server.add(OldPing, PingService())
        server.start()
        yield server


@contextmanager
def relaying(port: int, change: Callable[[bytes], bytes]) -> Iterator[int]:
    """Yield a port that relays to another one and changes its replies."""

    def carry(source: socket.socket, sink: socket.socket, change: Callable[[bytes], bytes]) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(change(data))
            sink.shutdown(socket.SHUT_WR)

    def relay(outside: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", port)) as inside:
            back = threading.Thread(target=carry, args=(inside, outside, change))
            back.start()
            carry(outside, inside, bytes)
            back.join()

    with serving(relay) as relayed:
        yield relayed


VERSION = re.compile(rb"\x10\x00\x18\x09")
"""`serverIpcVersionNum`, after the status of a success."""
CLIENT_ID = re.compile(rb"\x3a\x10.{16}", re.DOTALL)


def of_version_eight(reply: bytes) -> bytes:
    return VERSION.sub(b"\x10\x00\x18\x08", reply, 1)


def to_nobody(reply: bytes) -> bytes:
    # Field 15 in place of 7: an unknown field.
    return CLIENT_ID.sub(b"\x7a\x10" + b"x" * 16, reply, 1)


def to_another(reply: bytes) -> bytes:
    return CLIENT_ID.sub(b"\x3a\x10" + b"x" * 16, reply, 1)


@pytest.mark.parametrize("change", [of_version_eight, to_nobody])
def test_a_reply_may_be_of_any_version_and_name_no_client(
    server: RpcServer, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    changed = []

    def changing(reply: bytes) -> bytes:
        changed.append(change(reply) != reply)
        return change(reply)

    with relaying(server.port, changing) as port:
        asked = program("Versions", "old", str(port), directory=tmp_path)
        assert asked.run(CLIENT_TIMEOUT) == "Server ping returned pong=X\n"
        with connect(OldPing, Tcp("127.0.0.1", port)) as ping:
            assert ping.ping("X") == "pong=X"
    assert len(changed) >= 2
    assert all(changed)


def test_a_reply_to_another_client_fails_the_connection(server: RpcServer, tmp_path: Path) -> None:
    with relaying(server.port, to_another) as port:
        with pytest.raises(PeerError, match="Client IDs not matched"):
            program("Versions", "old", str(port), directory=tmp_path).run(CLIENT_TIMEOUT)
        with (
            connect(OldPing, Tcp("127.0.0.1", port)) as ping,
            pytest.raises(OutcomeUnknown, match="client"),
        ):
            ping.ping("X")
