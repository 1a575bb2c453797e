"""TLS over any asyncio transport."""

import asyncio
from typing import cast

from jvmwire._runtime.session import Buffer
from jvmwire.errors import ConnectFailed, ConnectionLost
from jvmwire.transports._async_layer import AsyncLayer
from jvmwire.transports._tls_engine import TlsEngine
from jvmwire.transports._transport import AsyncTransport, os_error_message


class AsyncTls(AsyncLayer):
    """An asyncio layer that encrypts the data of the protocol above for the transport below.

    asyncio's own TLS is not used, since it cannot tell a truncated stream from one that ended with
    close_notify.
    """

    def __init__(self, engine: TlsEngine, protocol: asyncio.Protocol) -> None:
        super().__init__(protocol)
        self._engine = engine
        self._loop = asyncio.get_running_loop()
        self._handshake: asyncio.Future[None] = self._loop.create_future()
        self._open = False
        self._decrypted = b""
        self._paused = False
        self._closing = False
        self._failure: ConnectionLost | None = None

    async def handshake(self) -> None:
        """Wait until the handshake is done and the protocol's `connection_made` was called."""
        await self._handshake

    # Protocol methods, called by the transport below.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake; the protocol above is connected after the handshake."""
        self._lower = cast("AsyncTransport", transport)
        self._shake_hands(b"")

    def data_received(self, data: bytes) -> None:
        """Continue the handshake, or decrypt `data` and forward the plaintext."""
        if self._closing:
            return
        if not self._open:
            self._shake_hands(data)
        else:
            self._decrypted += self._engine.decrypt(data)
            self._flush()  # the answer to a key update
            self._deliver()

    def eof_received(self) -> None:
        """Handle the end of the TCP stream: a failure unless the peer sent close_notify."""
        if self._closing:
            return
        if not self._open:
            self._fail(self._engine.not_connected("the peer closed the connection"))
        else:
            self._engine.receive_eof()
            self._deliver()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forward the end of the connection and its error."""
        self._closing = True
        if self._open:
            self._upper.connection_lost(self._failure or exc)
        else:
            why = "the peer closed the connection" if exc is None else os_error_message(exc)
            self._fail(self._engine.not_connected(why))

    def _shake_hands(self, data: bytes) -> None:
        try:
            done = self._engine.handshake(data)
        except ConnectFailed as error:
            self._flush()  # the TLS alert
            self._fail(error)
            return
        self._flush()
        if done:
            self._open = True
            self._notify_connected()
            if not self._handshake.done():  # else the waiting task was cancelled
                self._handshake.set_result(None)
            # Data sent right after the peer's last handshake message may have arrived with it.
            self._decrypted = self._engine.decrypt(b"")
            self._deliver()

    def _fail(self, error: ConnectFailed) -> None:
        if not self._handshake.done():
            self._handshake.set_exception(error)
        self.abort()

    def _deliver(self) -> None:
        if self._decrypted and not self._paused:
            decrypted, self._decrypted = self._decrypted, b""
            self._upper.data_received(decrypted)
        if self._decrypted or self._paused or self._closing:
            return
        if self._engine.failure is not None:
            self._failure = self._engine.failure
            self.abort()
        elif self._engine.ended:
            self._upper.eof_received()
            self.close()

    def _flush(self) -> None:
        if self._engine.unsent:
            self._lower.write(self._engine.data_to_send())

    # Transport methods, called by the protocol above.

    def write(self, data: Buffer) -> None:
        """Encrypt `data` and send it."""
        if not data or self._closing:
            return
        try:
            self._engine.encrypt(data)
        except ConnectionLost as error:  # reported by `connection_lost`
            self._failure = error
            self.abort()
        else:
            self._flush()

    def pause_reading(self) -> None:
        """Stop calling `data_received`."""
        if not self._paused and not self._closing:
            self._paused = True
            self._lower.pause_reading()

    def resume_reading(self) -> None:
        """Resume calling `data_received`, first with data that was decrypted before the pause."""
        if self._paused and not self._closing:
            self._paused = False
            self._lower.resume_reading()
            self._loop.call_soon(self._deliver)

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing."""
        return self._closing or self._lower.is_closing()

    def close(self) -> None:
        """Send the waiting data, then close_notify, and close the transport below."""
        if not self._closing:
            self._closing = True
            self._engine.close()
            self._flush()
            self._lower.close()

    def abort(self) -> None:
        """Close the transport below at once."""
        self._closing = True
        self._lower.abort()
