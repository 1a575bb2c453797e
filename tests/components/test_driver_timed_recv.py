"""A leader with one connection calls `recv` without polling first; nothing else waits for that."""

import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, repeat
from types import SimpleNamespace
from typing import Any

import pytest

from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Operation, OperationStream
from jvmwire.errors import CallTimeout
from jvmwire.transports import Tcp, memory_pair
from jvmwire.transports._sockets import RECV_TIMEOUT, SocketTransport
from jvmwire.transports._transport import LARGE_READ, SMALL_READ, SupportsTimedRecv
from kit.echo_client import EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Echo, Kind
from kit.polling import eventually
from kit.scale import times

pytestmark = pytest.mark.usefixtures("no_leak")


class _Interruption(Exception):
    """Exception that the handler raises."""


@pytest.fixture
def endpoint() -> Iterator[Tcp]:
    with EchoServer() as server:
        yield Tcp(*server.address)


@pytest.fixture
def exposed() -> Iterator[SimpleNamespace]:
    """Have a signal's handler raise once, at any point of the thread, when `now` is true.

    Python handles a signal some time after it arrived, when the code that expects it may be over.
    """
    window = SimpleNamespace(now=False)

    def interrupt(*_: object) -> None:
        if window.now:
            window.now = False
            raise _Interruption

    before = signal.signal(signal.SIGALRM, interrupt)
    yield window
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_socket_is_patient_and_says_nothing_came_after_a_while():
    ours, theirs = (end.connect(timeout=1) for end in memory_pair())
    assert isinstance(ours, SupportsTimedRecv)
    inbox: deque[bytes] = deque()
    before = time.monotonic()
    ours.recv_with_timeout(inbox)
    assert not inbox
    assert time.monotonic() - before >= RECV_TIMEOUT / 2
    assert ours.recv() is None
    theirs.close()
    ours.recv_with_timeout(inbox)
    assert list(inbox) == [b""]
    ours.close()


@pytest.mark.parametrize("patiently", [False, True])
def test_a_socket_makes_room_for_much_only_where_much_comes(*, patiently: bool):
    ours, theirs = socket.socketpair()
    theirs.settimeout(0)
    transport = SocketTransport(ours)

    def next_chunk() -> bytes:
        if not patiently:
            return transport.recv() or b""
        inbox: deque[bytes] = deque()
        transport.recv_with_timeout(inbox)
        return inbox[0]

    for _ in range(2):
        said = 0
        with suppress(BlockingIOError):
            while True:
                said += theirs.send(bytes(LARGE_READ))
        first, second = next_chunk(), next_chunk()
        assert len(first) == SMALL_READ < len(second)
        said -= len(first) + len(second)
        while said:
            said -= len(next_chunk())
        theirs.send(b"x")
        assert next_chunk() == b"x"
    transport.close()
    theirs.close()


def test_no_chunk_is_lost_to_the_exception_of_a_signals_handler(exposed: SimpleNamespace):
    ours, theirs = socket.socketpair()
    transport, inbox, said = SocketTransport(ours), deque[bytes](), bytearray()
    for number in range(times(1000)):
        word = number.to_bytes(4)
        said += word
        theirs.sendall(word)
        with suppress(_Interruption):
            exposed.now = True
            signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + number % 50))
            transport.recv_with_timeout(inbox)
            exposed.now = False
    for _ in range(times(1000)):
        if len(b"".join(inbox)) == len(said):
            break
        transport.recv_with_timeout(inbox)
    assert b"".join(inbox) == said
    transport.close()
    theirs.close()


def test_a_follower_with_less_time_is_not_kept_waiting_by_the_leader(endpoint):
    with EchoClient(endpoint) as client:
        held: list[bytes] = []
        leader = threading.Thread(target=lambda: held.append(client.echo(b"held", Kind.LATE)))
        leader.start()
        with pytest.raises(CallTimeout):
            client.within(0.05).echo(b"late", Kind.LATE)
        assert leader.is_alive()
        assert client.echo(b"releases what is held") == b"releases what is held"
        leader.join()
        assert held == [b"held"]


def test_who_calls_after_a_pause_reads_what_is_answered(endpoint):
    class Client(EchoClient):
        @operation
        def reader(self) -> Operation[threading.Thread]:
            """Return the thread that continues an operation when its reply has arrived."""
            yield from self._link.call(Echo(b"x"))
            return threading.current_thread()

    with Client(endpoint) as client:
        client.echo(b"connects")
        driver = client._driver
        for _ in range(times(20)):
            eventually(lambda: driver._leading and driver._awaiting_reply_on is None)
            assert client.reader() is threading.current_thread()


def test_who_goes_on_with_a_stream_after_a_pause_is_given_what_comes(endpoint):
    class Client(EchoClient):
        @operation_stream
        def echoed(
            self, payloads: list[bytes], links: list[FailoverChannel]
        ) -> OperationStream[bytes]:
            for payload, link in zip(payloads, cycle(links), strict=False):
                yield Emit((yield from link.call(Echo(payload))))

    # With two connections the leader never waits for only one of them.
    with Client(endpoint) as client, EchoClient(endpoint) as other:
        driver = client._driver
        payloads = [b"%d" % number for number in range(times(20))]
        replies = client.within(10.0).echoed(payloads, [client._link, other._link])
        for payload in payloads:
            assert next(replies) == payload
            eventually(lambda: driver._leading and driver._awaiting_reply_on is None)


def test_calls_in_turn_leave_what_the_peer_pushes_in_order(endpoint):
    heard: list[bytes] = []
    with EchoClient(endpoint) as client:
        client.listen(7, 200, heard.append)
        for number in range(times(200)):
            assert client.echo(b"%d" % number) == b"%d" % number
        deadline = time.monotonic() + 20
        while len(heard) < 200 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert [int.from_bytes(message) for message in heard] == list(range(200))


class _Interrupting:
    """Lock at which signals' handlers raise: while it is awaited, or while it is released."""

    def __init__(self, lock: Any, method: str, signals: int) -> None:
        self._lock = lock
        self._method = method
        self._signals = signals

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def acquire(self, *how: Any) -> bool:
        self._interrupt("acquire")
        acquired: bool = self._lock.acquire(*how)
        return acquired

    def release(self) -> None:
        self._lock.release()
        self._interrupt("release")

    def _interrupt(self, method: str) -> None:
        ours = threading.current_thread() is threading.main_thread()
        if method == self._method and ours and self._signals:
            self._signals -= 1
            raise _Interruption


@pytest.mark.parametrize("follows", [False, True])
@pytest.mark.parametrize(("method", "signals"), [("acquire", 1), ("acquire", 3), ("release", 1)])
def test_who_is_interrupted_as_it_waits_leaves_the_client_to_others(
    endpoint: Tcp, method: str, signals: int, *, follows: bool
) -> None:
    with EchoClient(endpoint) as client:
        client.echo(b"connects")
        driver = client._driver
        leader = threading.Thread(target=lambda: client.echo(b"held", Kind.LATE))
        if follows:
            leader.start()
            eventually(lambda: driver._leading)
        lock = _Interrupting(driver._lock, method, signals)
        driver._lock = lock  # type: ignore[assignment]
        driver._acquire_lock_iter = map(lock.acquire, repeat(True))
        with pytest.raises(_Interruption):
            client.echo(b"interrupted")
        assert client.within(10.0).echo(b"goes on") == b"goes on"
        if follows:
            leader.join(10.0)
            assert not leader.is_alive()


def test_signal_while_acquiring_lock_does_not_release_it(endpoint, exposed):
    def hold() -> None:
        eventually(lambda: driver._leading and any(link.calls for link in driver._links))
        with driver._lock:
            driver._poller.wake()
            time.sleep(0.1)
            exposed.now = True
            signal.pthread_kill(waiter, signal.SIGALRM)
            time.sleep(0.1)
            kept.append(driver._lock.locked())

    kept: list[bool] = []
    waiter = threading.get_ident()
    with EchoClient(endpoint) as client:
        client.echo(b"connects")
        driver = client._driver
        holder = threading.Thread(target=hold)
        holder.start()
        with pytest.raises(_Interruption):
            client.echo(b"held", Kind.LATE)
        holder.join()
        assert kept == [True]
        assert client.within(10.0).echo(b"goes on") == b"goes on"
