"""A look at what crosses a connection, kept as a capture."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from jvmwire._runtime.session import Buffer
from jvmwire.errors import TransportError
from jvmwire.transports.layer import AsyncLayer
from jvmwire.transports.recorder import Recorder, Recording
from jvmwire.transports.transport import (
    Address,
    AsyncTransport,
    Endpoint,
    Side,
    Transport,
    both_addresses,
    never,
)


@dataclass(frozen=True, slots=True)
class Tap:
    """An endpoint whose connections are recorded: of TLS, what is said inside it."""

    endpoint: Endpoint
    recorder: Recorder

    @property
    def side(self) -> Side:
        """Who we are in the conversation."""
        return self.endpoint.side

    def __str__(self) -> str:
        return str(self.endpoint)

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> Transport:
        """Connect, and record from now on."""
        inner = self.endpoint.connect(timeout=timeout, cancelled=cancelled)
        return TappedTransport(inner, self.recorder.open(self.side, inner.addresses))

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Connect, and record from now on."""
        tapped = AsyncTapped(protocol, self)
        await self.endpoint.connect_async(tapped, timeout=timeout)
        return tapped


class TappedTransport:
    """Passes all on, and to the recording."""

    def __init__(self, inner: Transport, recording: Recording) -> None:
        self._inner = inner
        self._recording = recording
        self.read_fd = inner.read_fd
        self.write_fd = inner.write_fd

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """Ours and the peer's."""
        return self._inner.addresses

    @property
    def unsent(self) -> int:
        """Bytes that wait below."""
        return self._inner.unsent

    @property
    def pending(self) -> bool:
        """Whether `recv` has more to give that no descriptor announces."""
        return self._inner.pending

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while there is nothing."""
        try:
            data = self._inner.recv()
        except TransportError:
            self._recording.lost()
            raise
        if data:
            self._recording.received(data)
        return data

    def send(self, data: Buffer) -> int:
        """Return how much of `data` was taken: that much is recorded."""
        try:
            taken = self._inner.send(data)
        except TransportError:
            self._recording.lost()
            raise
        if taken:
            self._recording.sent(data, taken)
        return taken

    def close(self) -> None:
        """End the connection and its recording; twice is fine."""
        self._inner.close()
        self._recording.close()


class AsyncTapped(AsyncLayer):
    """Passes all on, and to the recording."""

    def __init__(self, protocol: asyncio.Protocol, tap: Tap) -> None:
        super().__init__(protocol)
        self._tap = tap
        self._recording: Recording

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the recording."""
        addresses = both_addresses(
            transport.get_extra_info("sockname"), transport.get_extra_info("peername")
        )
        self._recording = self._tap.recorder.open(self._tap.side, addresses)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Record what came, and pass it on."""
        self._recording.received(data)
        super().data_received(data)

    def write(self, data: Buffer) -> None:
        """Record `data` and take it."""
        if data and not self.is_closing():
            self._recording.sent(data, len(data))
        super().write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the recording."""
        if exc is None:
            self._recording.close()
        else:
            self._recording.lost()
        super().connection_lost(exc)
