"""The tap: its traffic arrives, and is recorded in order."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .tap import Side, Tap


class Notes:
    """Fake writer of a capture that notes its calls as text, one line each."""

    def __init__(self) -> None:
        self.opened = 0

    def header(self) -> bytes:
        return b"header\n"

    def open(self, client: str, server: str, _ts: int) -> tuple[int, bytes]:
        self.opened += 1
        return self.opened, f"{self.opened} open {client} {server}\n".encode()

    def data(self, connection: int, side: Side, data: bytes, _ts: int) -> bytes:
        return f"{connection} {side} {data.decode()}\n".encode()

    def close(self, connection: int, _ts: int) -> bytes:
        return f"{connection} close\n".encode()


def test_what_goes_through_is_passed_on_and_recorded() -> None:
    record = bytearray()
    with (
        shouter() as server,
        Tap(server, record.extend, writer=Notes()) as tap,
        socket.create_connection(("127.0.0.1", tap.port)) as client,
    ):
        name = f"127.0.0.1:{client.getsockname()[1]}"
        client.sendall(b"one")
        assert client.recv(10) == b"ONE"
        client.sendall(b"two")
        assert client.recv(10) == b"TWO"
        client.shutdown(socket.SHUT_WR)
        assert client.recv(10) == b""
    assert record.decode().splitlines() == [
        "header",
        f"1 open {name} 127.0.0.1:{server}",
        "1 client one",
        "1 server ONE",
        "1 client two",
        "1 server TWO",
        "1 close",
    ]


def test_connections_are_recorded_side_by_side() -> None:
    record = bytearray()
    with shouter() as server, Tap(server, record.extend, writer=Notes()) as tap:
        clients = [socket.create_connection(("127.0.0.1", tap.port)) for _ in range(3)]
        for number, client in enumerate(clients):
            client.sendall(f"hello {number}".encode())
        for number, client in enumerate(clients):
            assert client.recv(20) == f"HELLO {number}".encode()
            client.close()
    lines = record.decode().splitlines()
    assert sum("open" in line for line in lines) == 3
    assert sum("close" in line for line in lines) == 3
    for number in range(3):
        (sent,) = (line for line in lines if line.endswith(f"client hello {number}"))
        assert f"{sent[0]} server HELLO {number}" in lines


def test_a_connection_that_is_open_when_the_tap_ends_is_closed_and_recorded_as_such() -> None:
    record = bytearray()
    with shouter() as server, Tap(server, record.extend, writer=Notes()) as tap:
        client = socket.create_connection(("127.0.0.1", tap.port))
        client.sendall(b"one")
        assert client.recv(10) == b"ONE"
    with client:
        assert client.recv(10) == b""
    assert record.decode().splitlines()[-1] == "1 close"


def test_without_a_server_the_client_sees_its_connection_end() -> None:
    with shouter() as gone:
        pass
    with (
        Tap(gone, bytearray().extend, writer=Notes()) as tap,
        socket.create_connection(("127.0.0.1", tap.port)) as client,
    ):
        assert client.recv(10) == b""


@contextmanager
def shouter() -> Iterator[int]:
    """A server that replies in capitals; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threads: list[threading.Thread] = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threads.append(threading.Thread(target=shout, args=(connection,)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        accepting.join()
        for thread in threads:
            thread.join()


def shout(connection: socket.socket) -> None:
    with connection:
        while heard := connection.recv(1 << 16):
            connection.sendall(heard.upper())
