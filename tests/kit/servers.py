"""Small servers of TCP and TLS on 127.0.0.1, each a function of a connected socket."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Serve = Callable[[socket.socket], None]

QUEUED = 8
"""More connections than the shortest queue holds, which is one or two of them."""


@contextmanager
def serving(
    serve: Serve, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Iterator[int]:
    """Serve each connection in a thread; yield the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        threads: list[threading.Thread] = []
        sockets: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                sockets.append(connection)
                threads.append(threading.Thread(target=answer, args=(connection,)))
                threads[-1].start()

        def answer(connection: socket.socket) -> None:
            # A client that aborts is normal for a server; tests look at the client.
            with connection, suppress(OSError):
                if tls is None:
                    serve(connection)
                    return
                with tls.wrap_socket(
                    connection, server_side=True, suppress_ragged_eofs=False
                ) as secure:
                    sockets.append(secure)
                    serve(secure)

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            accepting.join()
            for connection in sockets:
                with suppress(OSError):
                    # The shutdown of TLS would let its thread continue to read below TLS.
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)
            for thread in threads:
                thread.join()


def echo(connection: socket.socket) -> None:
    """Send all bytes back until the client ends."""
    while data := connection.recv(1 << 16):
        connection.sendall(data)


def saying(data: bytes) -> Serve:
    """Send `data` unconditionally; then read until the client ends."""

    def say(connection: socket.socket) -> None:
        connection.sendall(data)
        while connection.recv(1 << 16):
            pass

    return say


@contextmanager
def listening(host: str = "127.0.0.1", *, backlog: int = 8) -> Iterator[socket.socket]:
    """Listen, and leave the accepting of connections to the test."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family, backlog=backlog) as listener:
        listener.settimeout(30)
        yield listener


@contextmanager
def unanswering(host: str = "127.0.0.1") -> Iterator[socket.socket]:
    """Listen on a socket that neither accepts nor refuses connections, since its queue is full."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with listening(host, backlog=0) as listener:
        queued = [socket.socket(family) for _ in range(QUEUED)]
        try:
            for waiting in queued:
                waiting.settimeout(0)
                with suppress(BlockingIOError):
                    waiting.connect(listener.getsockname())
            yield listener
        finally:
            for waiting in queued:
                waiting.close()
