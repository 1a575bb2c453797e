"""Much is sent in parts; the blocking driver reads between them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jvmwire.client import operation
from jvmwire.errors import ConnectionLost, JvmWireError, OutcomeUnknown
from jvmwire.operations import Gather, Operation
from jvmwire.sansio import Buffer
from jvmwire.transports import Tcp, Transport
from jvmwire.transports.transport import CHUNK
from kit.echo_client import EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Echo

pytestmark = pytest.mark.usefixtures("no_leak")


class _Watched:
    """A transport whose steps are known, and which may end after it took a whole part."""

    def __init__(self, inner: Transport, *, ends: bool) -> None:
        self._inner = inner
        self._ends = ends
        self.sent = [0]
        """Bytes that each send took; 0 stands for a look at what came in."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def send(self, data: Buffer) -> int:
        taken = self._inner.send(data)
        self.sent.append(taken)
        return taken

    def recv(self) -> bytes | None:
        if self.sent[-1] == CHUNK and self._ends:
            return b""
        self.sent.append(0)
        return self._inner.recv()


class _Server:
    """An endpoint whose transport is watched."""

    side = "client"

    def __init__(self, server: EchoServer) -> None:
        self._endpoint = Tcp(*server.address)
        self.ends = False

    def connect(self, **how: Any) -> _Watched:
        self.transport = _Watched(self._endpoint.connect(**how), ends=self.ends)
        return self.transport


@pytest.fixture
def server() -> Iterator[_Server]:
    with EchoServer() as server:
        yield _Server(server)


class _Client(EchoClient):
    @operation
    def fates(self, *sizes: int) -> Operation[list[type[JvmWireError] | None]]:
        """Return how calls with so many bytes fail that must not be repeated."""
        calls = [self._fate(Echo(bytes(size), repeatable=False)) for size in sizes]
        fates: list[type[JvmWireError] | None] = yield Gather(calls)
        return fates

    def _fate(self, command: Echo) -> Operation[type[JvmWireError] | None]:
        try:
            yield from self._link.call(command)
        except JvmWireError as error:
            return type(error)
        return None


def test_no_part_follows_another_without_a_look_at_what_came(server):
    payloads = np.random.default_rng(1).integers(0, 256, (5 * CHUNK // 1024, 1024), np.uint8)
    with EchoClient(server) as client:
        assert np.array_equal(np.concatenate(client.echo_all(payloads)), payloads)
        sent = server.transport.sent
    assert max(sent) == CHUNK
    assert not any(after for before, after in pairwise(sent) if before == CHUNK)


def test_what_was_in_no_part_that_was_sent_is_known_not_to_have_left(server):
    server.ends = True
    with _Client(server) as client:
        assert client.fates(3 * CHUNK // 2, 1000) == [OutcomeUnknown, ConnectionLost]
        assert sum(server.transport.sent) < 3 * CHUNK // 2
