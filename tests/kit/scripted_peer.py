"""A server that says one thing to whoever connects, whatever it is asked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def saying(data: bytes) -> Iterator[tuple[str, int]]:
    """Listen; say `data` on each connection, then hear all until its end. Give the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=_serve, args=(listener, data))
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()


def _serve(listener: socket.socket, data: bytes) -> None:
    with suppress(OSError):  # the listener is shut down
        while True:
            connection, _ = listener.accept()
            with connection, suppress(ConnectionError):
                connection.sendall(data)
                while connection.recv(65536):
                    pass
