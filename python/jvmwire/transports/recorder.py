"""Conversations written as a capture file while they go on."""

import os
import threading
import time
from types import TracebackType
from typing import Protocol, Self

from jvmwire._core import CaptureWriter
from jvmwire._runtime.session import Buffer
from jvmwire.transports.transport import Address, Side

NOBODY = "192.0.2.1", "192.0.2.2"
"""Stand for the two ends of a pipe: RFC 5737, addresses that no host has."""

FIRST_PORT = 1 << 15
"""Where the made-up ports of clients begin."""


class BinaryFile(Protocol):
    """What a recording is written to."""

    def write(self, data: bytes, /) -> object:
        """Append all of `data`."""

    def flush(self) -> object:
        """Let others see it."""


class Recorder:
    """Writes what crosses any number of connections, of any threads, into one pcap file.

    The file is flushed at each turn, so it can be read while it grows and outlives a crash; it is
    the caller's to close. If it takes no more, the recording ends and the connections go on; then
    `close` raises what the file said.
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
        """Begin a connection in which we are `side`, between our address and the peer's."""
        if not self._is_recording():
            return Recording(self, None, side)
        with self._lock:
            if addresses is None:
                port = FIRST_PORT + self._opened % FIRST_PORT
                client, server = f"{NOBODY[0]}:{port}", f"{NOBODY[1]}:1"
            else:
                client, server = addresses if side == "client" else addresses[::-1]
            self._opened += 1
            connection, packets = self._writer.open(client, server, _now())
            self._append(packets)
            return Recording(self, connection, side)

    def data(self, connection: int, side: Side, data: bytes) -> None:
        """Write what `side` wrote."""
        if self._is_recording():
            with self._lock:
                self._append(self._writer.data(connection, side, data, _now()))

    def end(self, connection: int) -> None:
        """Write the end of a connection."""
        if self._is_recording():
            with self._lock:
                self._append(self._writer.close(connection, _now()))

    def reset(self, connection: int, side: Side) -> None:
        """Write that `side` broke a connection off."""
        if self._is_recording():
            with self._lock:
                self._append(self._writer.reset(connection, side, _now()))

    def close(self) -> None:
        """Record no more, of connections that live on neither; twice is fine."""
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
        # In a forked child the lock may be held for ever, and the file is the parent's.
        return not self._closed and os.getpid() == self._pid

    def _append(self, packets: bytes) -> None:
        if self._closed:  # while we waited for the lock
            return
        try:
            self._file.write(packets)
            self._file.flush()
        except Exception as error:  # a full disk must not end a connection
            self._failure = error
            self._closed = True


class Recording:
    """One connection of a recorder."""

    def __init__(self, recorder: Recorder, connection: int | None, side: Side) -> None:
        self._recorder = recorder
        self._connection = connection
        self._ours = side
        self._peers: Side = "server" if side == "client" else "client"

    def sent(self, data: Buffer, taken: int) -> None:
        """Write that we sent the first `taken` bytes of `data`."""
        if self._connection is not None:
            if not isinstance(data, bytes) or taken < len(data):
                data = bytes(memoryview(data)[:taken])
            self._recorder.data(self._connection, self._ours, data)

    def received(self, data: bytes) -> None:
        """Write that the peer sent `data`."""
        if self._connection is not None:
            self._recorder.data(self._connection, self._peers, data)

    def close(self) -> None:
        """Write that the connection ended; twice is fine."""
        if self._connection is not None:
            self._recorder.end(self._connection)
            self._connection = None

    def lost(self) -> None:
        """Write that the connection broke off; twice is fine."""
        if self._connection is not None:
            self._recorder.reset(self._connection, self._peers)
            self._connection = None


def _now() -> int:
    return time.time_ns() // 1000
