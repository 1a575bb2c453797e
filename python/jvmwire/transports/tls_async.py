"""TLS over any asyncio transport."""

import asyncio
from typing import cast

from jvmwire._runtime.session import Buffer
from jvmwire.errors import ConnectFailed, ConnectionLost
from jvmwire.transports.layer import AsyncLayer
from jvmwire.transports.tls_engine import TlsEngine
from jvmwire.transports.transport import AsyncTransport, reason


class AsyncTls(AsyncLayer):
    """What is above it is in plain text, what is below it in TLS.

    asyncio has TLS of its own, which can't tell a stream that was cut off from one that ended.
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
        """Wait until the handshake is done; the protocol has met `connection_made` then."""
        await self._handshake

    # What is below calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake; what is above hears of the connection when it is done."""
        self._below = cast("AsyncTransport", transport)
        self._shake_hands(b"")

    def data_received(self, data: bytes) -> None:
        """Go on with the handshake, or decrypt."""
        if self._closing:
            return
        if not self._open:
            self._shake_hands(data)
        else:
            self._decrypted += self._engine.decrypt(data)
            self._flush()  # the answer to a key update
            self._hand_on()

    def eof_received(self) -> None:
        """Judge whether this is the end or a cut."""
        if self._closing:
            return
        if not self._open:
            self._give_up(self._engine.not_connected("the peer closed the connection"))
        else:
            self._engine.end_of_wire()
            self._hand_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass on what ended the connection."""
        self._closing = True
        if self._open:
            self._above.connection_lost(self._failure or exc)
        else:
            why = "the peer closed the connection" if exc is None else reason(exc)
            self._give_up(self._engine.not_connected(why))

    def _shake_hands(self, data: bytes) -> None:
        try:
            done = self._engine.handshake(data)
        except ConnectFailed as error:
            self._flush()  # the alert that says so
            self._give_up(error)
            return
        self._flush()
        if done:
            self._open = True
            self._greet()
            if not self._handshake.done():  # else nobody waits any more
                self._handshake.set_result(None)
            # What the peer said right after its part of the handshake came with it.
            self._decrypted = self._engine.decrypt(b"")
            self._hand_on()

    def _give_up(self, error: ConnectFailed) -> None:
        if not self._handshake.done():
            self._handshake.set_exception(error)
        self.abort()

    def _hand_on(self) -> None:
        if self._decrypted and not self._paused:
            decrypted, self._decrypted = self._decrypted, b""
            self._above.data_received(decrypted)
        if self._decrypted or self._paused or self._closing:
            return
        if self._engine.failure is not None:
            self._failure = self._engine.failure
            self.abort()
        elif self._engine.ended:
            self._above.eof_received()
            self.close()

    def _flush(self) -> None:
        if self._engine.unsent:
            self._below.write(self._engine.take())

    # What is above calls these.

    def write(self, data: Buffer) -> None:
        """Encrypt and send `data`."""
        if not data or self._closing:
            return
        try:
            self._engine.encrypt(data)
        except ConnectionLost as error:  # said where all else is said, in connection_lost
            self._failure = error
            self.abort()
        else:
            self._flush()

    def pause_reading(self) -> None:
        """Hand no more to `data_received`."""
        if not self._paused and not self._closing:
            self._paused = True
            self._below.pause_reading()

    def resume_reading(self) -> None:
        """Hand on again, first what was decrypted before the pause."""
        if self._paused and not self._closing:
            self._paused = False
            self._below.resume_reading()
            self._loop.call_soon(self._hand_on)

    def is_closing(self) -> bool:
        """Return whether the connection ended or will."""
        return self._closing or self._below.is_closing()

    def close(self) -> None:
        """Send what waits, then close_notify, and close what is below."""
        if not self._closing:
            self._closing = True
            self._engine.close()
            self._flush()
            self._below.close()

    def abort(self) -> None:
        """Close what is below at once."""
        self._closing = True
        self._below.abort()
