"""Recording of live connections into a capture file."""

import os
import threading
import time
from types import TracebackType
from typing import Protocol, Self

from jvmwire._core import CaptureWriter
from jvmwire._runtime.session import Buffer
from jvmwire.transports._transport import Address, Side

PLACEHOLDER_ADDRESSES = "192.0.2.1", "192.0.2.2"
"""Addresses that stand for the two ends of a pipe: documentation addresses of RFC 5737."""

FIRST_PORT = 1 << 15
"""The first synthetic port number of clients."""


class BinaryFile(Protocol):
    """A writable binary file for a recording."""

    def write(self, data: bytes, /) -> object:
        """Append all of `data`."""

    def flush(self) -> object:
        """Make the written data visible to readers."""


class Recorder:
    """Writer of a pcap file with the data of any number of connections, from any threads.

    The file is flushed after each write, so that it can be read while it grows and survives a
    crash. The caller closes the file. If writing to the file fails, the recording stops and the
    connections continue; `close` then raises the error of the file.

    Args:
        file: A binary file that is open for writing.
    """

    def __init__(self, file: BinaryFile) -> None:
        self._file = file
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._writer = CaptureWriter()
        self._opened = 0
        self._closed = False
        self._failure: Exception | None = None
        file.write(self._writer.header())
        file.flush()

    def open(self, side: Side, addresses: tuple[Address, Address] | None) -> "Recording":
        """Begin to record a connection with this process as `side`.

        Args:
            side: The role of this process: `client` or `server`.
            addresses: The local address and the peer's address; None stands for a pipe, which is
                recorded with synthetic addresses.

        Returns:
            The recording of this connection; it records nothing once the recorder is closed.
        """
        if not self._is_recording():
            return Recording(self, None, side)
        with self._lock:
            if addresses is None:
                port = FIRST_PORT + self._opened % FIRST_PORT
                client, server = (
                    f"{PLACEHOLDER_ADDRESSES[0]}:{port}",
                    f"{PLACEHOLDER_ADDRESSES[1]}:1",
                )
            else:
                client, server = addresses if side == "client" else addresses[::-1]
            self._opened += 1
            connection, packets = self._writer.open(client, server, _now())
            self._append(packets)
            return Recording(self, connection, side)

    def data(self, connection: int, side: Side, data: bytes) -> None:
        """Record that `side` sent `data`.

        Args:
            connection: The number of the connection in the recording.
            side: `client` or `server`.
            data: The bytes that were sent.
        """
        if self._is_recording():
            with self._lock:
                self._append(self._writer.data(connection, side, data, _now()))

    def end(self, connection: int) -> None:
        """Record that a connection was closed.

        Args:
            connection: The number of the connection in the recording.
        """
        if self._is_recording():
            with self._lock:
                self._append(self._writer.close(connection, _now()))

    def reset(self, connection: int, side: Side) -> None:
        """Record that `side` reset a connection.

        Args:
            connection: The number of the connection in the recording.
            side: `client` or `server`.
        """
        if self._is_recording():
            with self._lock:
                self._append(self._writer.reset(connection, side, _now()))

    def close(self) -> None:
        """Stop recording, also for open connections; safe to call twice.

        Raises:
            Exception: the file's own error, if writing to the file failed.
        """
        with self._lock:
            self._closed = True
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _is_recording(self) -> bool:
        # In a forked child the lock may be held for ever, and the file belongs to the parent.
        return not self._closed and os.getpid() == self._pid

    def _append(self, packets: bytes) -> None:
        if self._closed:  # closed while this thread waited for the lock
            return
        try:
            self._file.write(packets)
            self._file.flush()
        except Exception as error:  # a full disk must not end a connection
            self._failure = error
            self._closed = True


class Recording:
    """The recording of one connection."""

    def __init__(self, recorder: Recorder, connection: int | None, side: Side) -> None:
        self._recorder = recorder
        self._connection = connection
        self._ours = side
        self._peers: Side = "server" if side == "client" else "client"

    def sent(self, data: Buffer, taken: int) -> None:
        """Record that this process sent the first `taken` bytes of `data`."""
        if self._connection is not None:
            if not isinstance(data, bytes) or taken < len(data):
                data = bytes(memoryview(data)[:taken])
            self._recorder.data(self._connection, self._ours, data)

    def received(self, data: bytes) -> None:
        """Record that the peer sent `data`."""
        if self._connection is not None:
            self._recorder.data(self._connection, self._peers, data)

    def close(self) -> None:
        """Record that the connection was closed; safe to call twice."""
        if self._connection is not None:
            self._recorder.end(self._connection)
            self._connection = None

    def reset(self) -> None:
        """Record that the connection was reset by the peer; safe to call twice."""
        if self._connection is not None:
            self._recorder.reset(self._connection, self._peers)
            self._connection = None


def _now() -> int:
    return time.time_ns() // 1000
