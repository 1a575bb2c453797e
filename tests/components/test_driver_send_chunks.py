"""Large messages are sent in parts; the blocking driver reads between them."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Gather, Operation, OperationStream
from jvmwire._runtime.session import Buffer
from jvmwire.errors import ClientClosed, ConnectionLost, JvmWireError, OutcomeUnknown
from jvmwire.transports import Tcp, Transport
from jvmwire.transports._transport import LARGE_READ
from kit.echo_client import EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Echo
from kit.polling import eventually

pytestmark = pytest.mark.usefixtures("no_leak")


class _Watched:
    """Transport whose steps are recorded, and which may end after it took a complete part."""

    def __init__(self, inner: Transport, *, ends: bool) -> None:
        self._inner = inner
        self._ends = ends
        self.full = False
        self.between: Callable[[], object] = lambda: None
        self.sent = [0]
        """Bytes that each send took; 0 stands for a poll for input."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def send(self, data: Buffer) -> int:
        taken = 0 if self.full else self._inner.send(data)
        self.sent.append(taken)
        return taken

    def recv(self) -> bytes | None:
        if self.sent[-1] == LARGE_READ:
            self.between()
            if self._ends:
                return b""
        self.sent.append(0)
        return self._inner.recv()


class _Server:
    """Endpoint whose transport is watched."""

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
        """Return the errors of non-repeatable calls with so many bytes."""
        calls = [self._fate(Echo(bytes(size), idempotent=False)) for size in sizes]
        fates: list[type[JvmWireError] | None] = yield Gather(calls)
        return fates

    def _fate(self, command: Echo) -> Operation[type[JvmWireError] | None]:
        try:
            yield from self._link.call(command)
        except JvmWireError as error:
            return type(error)
        return None


def test_no_part_follows_another_without_a_look_at_what_came(server):
    payloads = np.random.default_rng(1).integers(0, 256, (5 * LARGE_READ // 1024, 1024), np.uint8)
    with EchoClient(server) as client:
        assert np.array_equal(np.concatenate(client.echo_all(payloads)), payloads)
        sent = server.transport.sent
    assert max(sent) == LARGE_READ
    assert not any(after for before, after in pairwise(sent) if before == LARGE_READ)


def test_what_was_in_no_part_that_was_sent_is_known_not_to_have_left(server):
    server.ends = True
    with _Client(server) as client:
        assert client.fates(3 * LARGE_READ // 2, 1000) == [OutcomeUnknown, ConnectionLost]
        assert sum(server.transport.sent) < 3 * LARGE_READ // 2


def _call_seen(client: _Client, size: int, fates: list[Any]) -> threading.Thread:
    """Call in another thread, and append the error of the call."""

    def run() -> None:
        try:
            fates.extend(client.fates(size))
        except BaseException as error:
            fates.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_who_resets_the_connection_between_two_parts_ends_no_more_than_it(server):
    def reset() -> None:
        raise ConnectionLost("reset")

    fates: list[list[Any]] = [[], []]
    with _Client(server) as client:
        client.fates(1)
        transport, driver = server.transport, client._driver
        transport.full = True
        first = _call_seen(client, 3 * LARGE_READ // 2, fates[0])
        eventually(lambda: [link.unsent for link in driver._links] > [0])
        unsent = [link.unsent for link in driver._links]
        second = _call_seen(client, 1000, fates[1])
        eventually(lambda: [link.unsent for link in driver._links] > unsent)
        transport.between = reset
        transport.full = False
        first.join(10.0)
        second.join(10.0)
        assert fates == [[OutcomeUnknown], [ConnectionLost]]
        assert client.within(10.0).echo(b"anew") == b"anew"


class _Interruption(BaseException):
    """Exception that a signal's handler raises."""


def test_a_stream_that_is_interrupted_between_two_parts_leaves_no_torn_message(server):
    class Client(_Client):
        @operation_stream
        def echoed(self, *payloads: bytes) -> OperationStream[bytes]:
            for payload in payloads:
                yield Emit((yield from self._link.call(Echo(payload))))

    def interrupt() -> None:
        raise _Interruption

    with Client(server) as client:
        replies = client.within(10.0).echoed(b"connects", bytes(3 * LARGE_READ // 2))
        assert next(replies) == b"connects"
        server.transport.between = interrupt
        with pytest.raises(_Interruption):
            next(replies)
        with pytest.raises(ClientClosed, match="the client is closed"):
            client.within(10.0).echo(b"later")


def test_who_is_interrupted_as_it_leaves_a_stream_ends_the_client(server):
    class Client(_Client):
        @operation_stream
        def numbers(self) -> OperationStream[int]:
            try:
                yield Emit(1)
            finally:
                raise _Interruption

    with Client(server) as client:
        client.fates(1)
        numbers = client.numbers()
        assert next(numbers) == 1
        with pytest.raises(_Interruption):
            numbers.close()  # type: ignore[attr-defined]
        assert not client._driver._links
        with pytest.raises(ClientClosed, match="the client is closed"):
            client.within(10.0).echo(b"later")


class _Breaking:
    """Transport from which the leader receives while it breaks."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self.on_writable: int | None = None
        """Bytes that it still takes before it breaks."""
        self.gone = threading.Event()
        self.gone.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def recv_with_timeout(self, inbox: deque[bytes]) -> None:
        self.gone.wait(10.0)
        if self.on_writable is None:
            self._inner.recv_with_timeout(inbox)  # type: ignore[attr-defined]

    def send(self, data: Buffer) -> int:
        if self.on_writable is None:
            return self._inner.send(data)
        if self.on_writable < 0:
            raise ConnectionLost("broke")
        taken, self.on_writable = min(self.on_writable, len(data)), -1
        return taken


def test_who_calls_after_a_transport_broke_and_before_the_leader_knows_is_told(server):
    connect = server._endpoint.connect

    class Server:
        side = "client"

        def connect(self, **how: Any) -> _Breaking:
            self.transport = _Breaking(connect(**how))
            return self.transport

    def waits(number: int) -> bool:
        return len(driver._followers) == number or bool(fates[number])

    endpoint = Server()
    fates: list[list[Any]] = [[] for _ in range(5)]
    with _Client(endpoint) as client:  # type: ignore[arg-type]
        client.fates(1)
        transport, driver = endpoint.transport, client._driver
        transport.gone.clear()
        threads = [_call_seen(client, 1, fates[0])]
        eventually(lambda: driver._recv_owner is not None)
        transport.on_writable = 0
        for number in range(1, 5):
            threads.append(_call_seen(client, 3 * LARGE_READ // 2, fates[number]))
            eventually(partial(waits, number))
        transport.gone.set()
        for thread in threads:
            thread.join(10.0)
    answered, left_maybe, stayed = [None], [OutcomeUnknown], [ConnectionLost]
    assert fates == [answered, left_maybe, stayed, stayed, stayed]
