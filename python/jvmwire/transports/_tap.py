"""Endpoint wrapper that records its connections into a capture file."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from jvmwire._runtime.session import Buffer
from jvmwire.errors import TransportError
from jvmwire.transports._async_layer import AsyncLayer
from jvmwire.transports._recorder import Recorder, Recording
from jvmwire.transports._transport import (
    Address,
    AsyncTransport,
    Endpoint,
    Side,
    Transport,
    format_address_pair,
    never_cancelled,
)


@dataclass(frozen=True, slots=True)
class Tap:
    """An endpoint whose connections are recorded; TLS connections are recorded as plaintext.

    Args:
        endpoint: The endpoint to connect to.
        recorder: The recorder that writes the capture file.
    """

    endpoint: Endpoint
    recorder: Recorder

    @property
    def side(self) -> Side:
        """The role of this process in the protocol: `client` or `server`."""
        return self.endpoint.side

    def __str__(self) -> str:
        return str(self.endpoint)

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        """Connect to the endpoint and record the connection.

        Args:
            timeout: As for the endpoint.
            cancelled: As for the endpoint.

        Returns:
            The transport of the endpoint, with a recording.

        Raises:
            ConnectFailed: the endpoint cannot be connected.
        """
        inner = self.endpoint.connect(timeout=timeout, cancelled=cancelled)
        return TappedTransport(inner, self.recorder.open(self.side, inner.addresses))

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Connect to the endpoint and record the connection.

        Args:
            protocol: The protocol of the connection.
            timeout: As for the endpoint.

        Returns:
            The asyncio transport of the endpoint, with a recording.

        Raises:
            ConnectFailed: the endpoint cannot be connected.
        """
        tapped = AsyncTapped(protocol, self)
        await self.endpoint.connect_async(tapped, timeout=timeout)
        return tapped


class TappedTransport:
    """A transport that records all data it sends and receives."""

    def __init__(self, inner: Transport, recording: Recording) -> None:
        self._inner = inner
        self._recording = recording
        self.read_fd = inner.read_fd
        self.write_fd = inner.write_fd

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """The local address and the peer's address, or None."""
        return self._inner.addresses

    @property
    def unsent(self) -> int:
        """Bytes that the inner transport accepted but has not sent yet."""
        return self._inner.unsent

    @property
    def pending(self) -> bool:
        """Whether `recv` can return more data without a readable descriptor."""
        return self._inner.pending

    def recv(self) -> bytes | None:
        """Return a chunk, `b""` at the end of the stream, or None while no data is available."""
        try:
            data = self._inner.recv()
        except TransportError:
            self._recording.reset()
            raise
        if data:
            self._recording.received(data)
        return data

    def send(self, data: Buffer) -> int:
        """Write `data`, record the accepted part, and return its length in bytes."""
        try:
            taken = self._inner.send(data)
        except TransportError:
            self._recording.reset()
            raise
        if taken:
            self._recording.sent(data, taken)
        return taken

    def close(self) -> None:
        """Close the connection and its recording; safe to call twice."""
        self._inner.close()
        self._recording.close()


class AsyncTapped(AsyncLayer):
    """An asyncio layer that records all data it sends and receives."""

    def __init__(self, protocol: asyncio.Protocol, tap: Tap) -> None:
        super().__init__(protocol)
        self._tap = tap
        self._recording: Recording

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the recording, and forward that the connection is open."""
        addresses = format_address_pair(
            transport.get_extra_info("sockname"), transport.get_extra_info("peername")
        )
        self._recording = self._tap.recorder.open(self._tap.side, addresses)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Record received data and forward it."""
        self._recording.received(data)
        super().data_received(data)

    def write(self, data: Buffer) -> None:
        """Record `data` and forward it."""
        if data and not self.is_closing():
            self._recording.sent(data, len(data))
        super().write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the recording, and forward the end of the connection."""
        if exc is None:
            self._recording.close()
        else:
            self._recording.reset()
        super().connection_lost(exc)
