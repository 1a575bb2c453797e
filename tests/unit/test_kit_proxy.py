"""Each fault of the proxy, as plain sockets on both sides of it see it."""

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import pytest

from kit.faults import (
    NONE,
    Corrupt,
    Cut,
    Delay,
    Fault,
    HalfClose,
    Reset,
    Script,
    Stall,
    Swallow,
    Trickle,
    always,
    on,
)
from kit.polling import eventually
from kit.proxy import Ending, FaultProxy
from kit.resources import steady
from kit.scale import times

LARGE = bytes(range(256)) * 4096


class EchoServer:
    """Server that sends all bytes back, and keeps them."""

    def __init__(self) -> None:
        self._heard: list[bytearray] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = self._listener.getsockname()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def heard(self) -> list[bytes]:
        """The bytes that each connection received."""
        return [bytes(heard) for heard in self._heard]

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._heard.append(bytearray())
            self._threads.append(
                threading.Thread(target=self._echo, args=(connection, self._heard[-1]))
            )
            self._threads[-1].start()

    def _echo(self, connection: socket.socket, heard: bytearray) -> None:
        with connection, suppress(OSError):
            while chunk := connection.recv(1 << 16):
                heard += chunk
                connection.sendall(chunk)


@pytest.fixture
def server() -> Iterator[EchoServer]:
    server = EchoServer()
    yield server
    server.close()


@contextmanager
def through(
    server: EchoServer, script: Script = NONE, *, recorded: bool = False
) -> Iterator[tuple[FaultProxy, socket.socket]]:
    """A proxy, and a client connected through it."""
    with FaultProxy(server.address, script, recorded=recorded) as proxy, connect(proxy) as client:
        proxy.wait_until(lambda: bool(proxy.links))
        yield proxy, client


def connect(proxy: FaultProxy) -> socket.socket:
    return socket.create_connection(proxy.address, 30)


def read(client: socket.socket, size: int) -> bytes:
    """Read so many bytes; fewer only at the end of the stream."""
    data = bytearray()
    while len(data) < size and (chunk := client.recv(size - len(data))):
        data += chunk
    return bytes(data)


def silent(client: socket.socket) -> bool:
    """Return whether there is nothing to read now."""
    return not select.select([client], [], [], 0)[0]


def test_without_faults_all_bytes_pass_and_are_counted_and_recorded(server):
    with through(server, recorded=True) as (proxy, client):
        threading.Thread(target=client.sendall, args=(LARGE,)).start()
        assert read(client, len(LARGE)) == LARGE
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is Ending.BY_ITSELF)
        assert link.client.read == link.client.passed == len(LARGE)
        assert link.server.read == link.server.passed == len(LARGE)
        assert bytes(link.client.transcript) == bytes(link.server.transcript) == LARGE


@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_cut_ends_the_connection_after_its_byte(server, at):
    with through(server, always(Cut("server", at))) as (proxy, client):
        client.sendall(b"hello")
        assert read(client, 10) == b"hello"[:at]
        proxy.wait_until(lambda: proxy.links[0].ending is Ending.CLOSED)


def test_a_cut_of_what_the_client_wrote_keeps_the_rest_from_the_server(server):
    with through(server, always(Cut("client", 3))) as (proxy, client):
        client.sendall(b"hello")
        assert b"hel".startswith(read(client, 10))
        proxy.wait_until(lambda: proxy.links[0].ending is Ending.CLOSED)
        eventually(lambda: server.heard == [b"hel"])  # it may accept later than the proxy ends
    server.close()
    assert server.heard == [b"hel"]


def test_a_reset_is_an_error_for_the_client(server):
    with through(server, always(Reset("server", 2))) as (proxy, client):
        client.sendall(b"hello")
        proxy.wait_until(lambda: proxy.links[0].ending is Ending.RESET)
        with pytest.raises(ConnectionResetError):
            read(client, 10)


def test_a_reset_by_the_client_is_passed_on(server):
    with through(server) as (proxy, client):
        client.sendall(b"hello")
        assert read(client, 5) == b"hello"
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()
        proxy.wait_until(lambda: proxy.links[0].ending is Ending.RESET)


def test_after_a_half_close_the_other_direction_goes_on(server):
    with through(server, always(HalfClose("server", 2))) as (proxy, client):
        client.sendall(b"hello")
        assert read(client, 10) == b"he"
        client.sendall(b"more")
        proxy.wait_until(lambda: proxy.links[0].server.read == 9)
        assert server.heard == [b"hellomore"]
        assert proxy.links[0].ending is None


def test_a_stall_holds_the_bytes_until_it_is_released(server):
    with through(server, always(Stall("server", 2))) as (proxy, client):
        client.sendall(b"hello")
        assert read(client, 2) == b"he"
        proxy.wait_until(lambda: proxy.links[0].server.stalled)
        assert silent(client)
        proxy.links[0].release()
        assert read(client, 3) == b"llo"


def test_a_stalled_side_is_not_read(server):
    with through(server, always(Stall("client", 0))) as (proxy, client):
        client.setblocking(False)
        with pytest.raises(BlockingIOError):  # in the end there is no room
            for _ in iter(lambda: client.send(LARGE), 0):
                pass
        assert proxy.links[0].client.read == 0


def test_a_stall_for_some_time_ends_by_itself(server):
    with through(server, always(Stall("client", 2, seconds=0.01))) as (_, client):
        client.sendall(b"hello")
        assert read(client, 5) == b"hello"


def test_a_trickle_waits_before_each_piece(server):
    with through(server, always(Trickle("server", 2, 0.05, at=1))) as (_, client):
        begun = time.monotonic()
        client.sendall(b"hello")
        assert read(client, 5) == b"hello"
        assert time.monotonic() - begun >= 2 * 0.05


def test_a_delay_is_before_each_chunk(server):
    with through(server, always(Delay("server", 0.05))) as (_, client):
        begun = time.monotonic()
        for _ in range(3):
            client.sendall(b"hello")
            assert read(client, 5) == b"hello"
        assert time.monotonic() - begun >= 3 * 0.05


def test_one_byte_is_corrupt(server):
    with through(server, always(Corrupt("server", 1, mask=0x20))) as (_, client):
        client.sendall(b"hello")
        assert read(client, 5) == b"hEllo"


def test_faults_at_neighbouring_bytes_all_act(server):
    script = always(Cut("server", 4), Corrupt("server", 3, 0x20), Corrupt("server", 2, 0x20))
    with through(server, script) as (_, client):
        client.sendall(b"hello")
        assert read(client, 5) == b"heLL"


def test_swallowed_replies_were_sent_and_never_come(server):
    with through(server, always(Swallow("server", 3)), recorded=True) as (proxy, client):
        client.sendall(b"hello")
        assert read(client, 3) == b"hel"
        proxy.wait_until(lambda: proxy.links[0].server.read == 5)
        assert proxy.links[0].server.passed == 3
        assert bytes(proxy.links[0].server.transcript) == b"hello"
        assert silent(client)
        assert proxy.links[0].ending is None


def test_faults_are_those_of_the_number_of_the_connection(server):
    with FaultProxy(server.address, on(1, Cut("server", 0))) as proxy:
        for number in range(3):
            with connect(proxy) as client:
                client.sendall(b"hello")
                with suppress(ConnectionResetError):
                    assert read(client, 5) == (b"" if number == 1 else b"hello")


def test_a_script_may_be_any_function_of_the_number(server):
    with FaultProxy(
        server.address, lambda number: [Corrupt("server", number, 0x20)] if number % 2 else []
    ) as proxy:
        heard = []
        for _ in range(4):
            with connect(proxy) as client:
                client.sendall(b"hello")
                heard.append(read(client, 5))
        assert heard == [b"hello", b"hEllo", b"hello", b"helLo"]


def test_a_refused_connection_is_refused_until_the_proxy_accepts_again(server):
    with FaultProxy(server.address) as proxy:
        with connect(proxy) as before:
            before.sendall(b"one")
            assert read(before, 3) == b"one"
            proxy.refuse()
            with pytest.raises(ConnectionRefusedError):
                connect(proxy)
            before.sendall(b"two")
            assert read(before, 3) == b"two"
        proxy.accept()
        with connect(proxy) as after:
            after.sendall(b"three")
            assert read(after, 5) == b"three"
    with pytest.raises(ConnectionRefusedError):
        connect(proxy)


def test_the_next_connection_goes_to_the_new_target(server):
    other = EchoServer()
    with FaultProxy(server.address) as proxy, connect(proxy) as first:
        first.sendall(b"one")
        assert read(first, 3) == b"one"
        proxy.target = other.address
        with connect(proxy) as second:
            second.sendall(b"two")
            assert read(second, 3) == b"two"
        first.sendall(b"more")
        assert read(first, 4) == b"more"
    other.close()
    assert (server.heard, other.heard) == ([b"onemore"], [b"two"])


def test_a_server_that_is_not_there_is_a_reset(server):
    server.close()
    with FaultProxy(server.address) as proxy:
        with pytest.raises(ConnectionResetError), connect(proxy) as client:
            client.recv(1)
        proxy.wait_until(lambda: [link.ending for link in proxy.links] == [Ending.NO_SERVER])


def test_a_running_connection_can_be_cut_or_reset(server):
    with FaultProxy(server.address) as proxy, connect(proxy) as one, connect(proxy) as two:
        for client in (one, two):
            client.sendall(b"hello")
            assert read(client, 5) == b"hello"
        proxy.links[0].cut()
        proxy.links[1].reset()
        proxy.wait_until(lambda: all(link.ending is not None for link in proxy.links))
        assert one.recv(1) == b""
        with pytest.raises(ConnectionResetError):
            two.recv(1)


def test_what_never_comes_true_is_an_error_that_shows_the_connections(server):
    with (
        through(server) as (proxy, _),
        pytest.raises(TimeoutError, match="<Link 0, client wrote 0, 0 passed"),
    ):
        proxy.wait_until(lambda: False, timeout=0.01)


def test_the_proxy_leaves_nothing_behind_whatever_befell(server):
    faults: list[Fault] = [
        Cut("server", 3),
        Reset("client", 2),
        HalfClose("server", 1),
        Stall("client", 1),
        Swallow("server"),
        Corrupt("server", 1),
    ]

    def read_of(proxy: FaultProxy, number: int) -> bool:
        return len(proxy.links) > number and proxy.links[number].client.read > 0

    def soak() -> None:
        with FaultProxy(server.address, lambda number: [faults[number % 6]]) as proxy:
            for number in range(times(60)):
                with connect(proxy) as client, suppress(OSError):
                    client.sendall(b"hello")
                    proxy.wait_until(partial(read_of, proxy, number))

    soak()
    with steady():
        soak()
