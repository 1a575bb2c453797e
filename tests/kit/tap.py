"""Recording TCP proxy on 127.0.0.1, for hosts where tcpdump may not capture."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Literal, Protocol, Self

CHUNK = 1 << 16

Side = Literal["client", "server"]


class CaptureWriter(Protocol):
    """Interface of a writer of captures of connections, such as `jvmwire._core.CaptureWriter`.

    Each method returns the bytes to append to the file. Times are microseconds since 1970.
    """

    def header(self) -> bytes:
        """Begin the file."""

    def open(self, client: str, server: str, ts_us: int, /) -> tuple[int, bytes]:
        """Open a connection between two `ip:port`; returns its id too."""

    def data(self, connection: int, side: Side, data: bytes, ts_us: int, /) -> bytes:
        """Add bytes that one side wrote."""

    def close(self, connection: int, ts_us: int, /) -> bytes:
        """Close the connection."""


class Tap:
    """Proxy that listens on its own port, relays to `upstream` and back, and records all bytes.

    The recording shows the client's address and the upstream's, as if there were no tap; bytes are
    recorded before they are passed on, so no reply comes before its request.
    """

    def __init__(
        self, upstream: int, sink: Callable[[bytes], object], *, writer: CaptureWriter | None = None
    ) -> None:
        self._upstream = ("127.0.0.1", upstream)
        self._sink = sink
        self._writer = writer if writer is not None else _core_writer()
        self._recording = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._closed = False

    @property
    def port(self) -> int:
        """The port to connect to."""
        port: int = self._listener.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        self._sink(self._writer.header())
        self._accepting = threading.Thread(target=self._accept, name="tap")
        self._accepting.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closed = True
        # Wakes accept(), unlike closing the socket alone.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, address = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client, address))
            self._threads.append(thread)
            self._sockets.append(client)
            thread.start()

    def _serve(self, client: socket.socket, address: tuple[str, int]) -> None:
        with client:
            try:
                server = socket.create_connection(self._upstream)
            except OSError:
                return  # to the client it is a connection that ends at once
            with server:
                self._sockets.append(server)
                with self._recording:
                    names = (_name(address), _name(self._upstream))
                    id_, record = self._writer.open(*names, _now())
                    self._sink(record)
                back = threading.Thread(target=self._pass, args=(server, client, id_, "server"))
                back.start()
                self._pass(client, server, id_, "client")
                back.join()
                with self._recording:
                    self._sink(self._writer.close(id_, _now()))

    def _pass(self, source: socket.socket, target: socket.socket, id_: int, side: Side) -> None:
        # A side that aborted has ended, for the other one as for the tap.
        with suppress(OSError):
            while chunk := source.recv(CHUNK):
                with self._recording:
                    self._sink(self._writer.data(id_, side, chunk, _now()))
                target.sendall(chunk)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def _core_writer() -> CaptureWriter:
    # Imported here, so that the tap can be tested without the extension module.
    from jvmwire import _core

    return _core.CaptureWriter()


def _name(address: tuple[str, int]) -> str:
    host, port = address
    return f"{host}:{port}"


def _now() -> int:
    return time.time_ns() // 1000
