"""Base class of layers between an asyncio transport and its protocol."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from jvmwire._runtime.session import Buffer

if TYPE_CHECKING:
    from jvmwire.transports._transport import AsyncTransport


class AsyncLayer(asyncio.Protocol):
    """A protocol for the transport below and a transport for the protocol above; forwards calls."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._upper = protocol
        self._lower: AsyncTransport

    # Protocol methods, called by the transport below.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Forward that the connection is open."""
        self._lower = cast("AsyncTransport", transport)
        self._notify_connected()

    def _notify_connected(self) -> None:
        self._upper.connection_made(cast("asyncio.Transport", self))

    def data_received(self, data: bytes) -> None:
        """Forward received data."""
        self._upper.data_received(data)

    def eof_received(self) -> bool | None:
        """Forward the end of the stream."""
        return self._upper.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forward the end of the connection and its error."""
        self._upper.connection_lost(exc)

    def pause_writing(self) -> None:
        """Forward that the write buffer is above its high-water mark."""
        self._upper.pause_writing()

    def resume_writing(self) -> None:
        """Forward that the write buffer is below its low-water mark."""
        self._upper.resume_writing()

    # Transport methods, called by the protocol above.

    def write(self, data: Buffer) -> None:
        """Accept all of `data`, which the caller must not change afterwards."""
        self._lower.write(data)

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that wait to be sent."""
        return self._lower.get_write_buffer_size()

    def pause_reading(self) -> None:
        """Stop calling `data_received`."""
        self._lower.pause_reading()

    def resume_reading(self) -> None:
        """Resume calling `data_received`."""
        self._lower.resume_reading()

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing."""
        return self._lower.is_closing()

    def close(self) -> None:
        """Close the connection after all data is sent."""
        self._lower.close()

    def abort(self) -> None:
        """Close the connection at once; unsent data is lost."""
        self._lower.abort()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return extra information from the transport below."""
        return self._lower.get_extra_info(name, default)
