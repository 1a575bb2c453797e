"""What stands between an asyncio transport and its protocol."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from jvmwire._runtime.session import Buffer

if TYPE_CHECKING:
    from jvmwire.transports.transport import AsyncTransport


class AsyncLayer(asyncio.Protocol):
    """Seen from below the protocol of a connection, from above a transport; passes all on."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._above = protocol
        self._below: AsyncTransport

    # What is below calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Pass on that there is a connection."""
        self._below = cast("AsyncTransport", transport)
        self._greet()

    def _greet(self) -> None:
        self._above.connection_made(cast("asyncio.Transport", self))

    def data_received(self, data: bytes) -> None:
        """Pass on what came."""
        self._above.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on that no more comes."""
        return self._above.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass on what ended the connection."""
        self._above.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass on that much waits to be sent."""
        self._above.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that little does."""
        self._above.resume_writing()

    # What is above calls these.

    def write(self, data: Buffer) -> None:
        """Take all of `data`, which must not be changed afterwards."""
        self._below.write(data)

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""
        return self._below.get_write_buffer_size()

    def pause_reading(self) -> None:
        """Hand no more to `data_received`."""
        self._below.pause_reading()

    def resume_reading(self) -> None:
        """Hand on again."""
        self._below.resume_reading()

    def is_closing(self) -> bool:
        """Return whether the connection ended or will."""
        return self._below.is_closing()

    def close(self) -> None:
        """End the connection once all was sent."""
        self._below.close()

    def abort(self) -> None:
        """End the connection now."""
        self._below.abort()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the connection below."""
        return self._below.get_extra_info(name, default)
