"""TLS without I/O, shared by the blocking and the asyncio transport."""

import ssl
from contextlib import suppress

from jvmwire._runtime.session import Buffer
from jvmwire.errors import ConnectFailed, ConnectionLost
from jvmwire.transports._tls import describe_tls_error

MAX_RECORD_LEN = 16 * 1024
"""Maximum plaintext length of a record in bytes: RFC 8446, section 5.1."""

UNFINISHED = "TLS: the handshake was not done"
"""Text of the timeout error if the deadline passes during the handshake."""


class TlsEngine:
    """The client side of one TLS connection: ciphertext in and out through memory buffers."""

    def __init__(self, context: ssl.SSLContext, host: str, endpoint: object) -> None:
        self._endpoint = endpoint
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        # The trailing dot of an absolute name is for the resolver only; certificates contain names
        # without it.
        name = host.removesuffix(".").partition("%")[0]
        try:
            self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name)
        except ValueError as error:  # an invalid host name, possibly sent by a peer
            raise self.not_connected(str(error)) from error
        self.ended = False
        """Whether the peer sent close_notify."""
        self.failure: ConnectionLost | None = None
        """The error after which no further received bytes are decrypted."""

    def handshake(self, data: bytes = b"") -> bool:
        """Continue the handshake with `data`; return whether the handshake is done."""
        self._incoming.write(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError as error:
            raise self.not_connected(describe_tls_error(error)) from error
        return True

    def not_connected(self, why: str) -> ConnectFailed:
        """Return the error for a failed handshake."""
        return ConnectFailed(f"cannot connect to {self._endpoint}: TLS: {why}")

    def decrypt(self, data: bytes) -> bytes:
        """Return the plaintext of complete records; afterwards check `ended` and `failure`."""
        self._incoming.write(data)
        whole = []
        try:
            while chunk := self._tls.read(MAX_RECORD_LEN):
                whole.append(chunk)
            self.ended = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.ended = True
        except ssl.SSLError as error:
            self.failure = _lost(error)
        return b"".join(whole)

    def receive_eof(self) -> None:
        """Handle the end of the TCP stream: set `failure` unless the peer sent close_notify."""
        if not self.ended and self.failure is None:
            self.failure = ConnectionLost(
                "the connection was lost: TLS: cut off before the peer's close_notify"
            )

    def encrypt(self, data: Buffer) -> None:
        """Encrypt `data`, which must not be empty, into records."""
        try:
            self._tls.write(data)
        except ssl.SSLError as error:
            raise _lost(error) from error

    def close(self) -> None:
        """Queue close_notify for the peer."""
        # the peer's close_notify is outstanding, or the connection is broken
        with suppress(ssl.SSLError):
            self._tls.unwrap()

    @property
    def unsent(self) -> int:
        """Bytes that `take` would return."""
        return self._outgoing.pending

    def data_to_send(self) -> bytes:
        """Return all ciphertext that must be sent."""
        return self._outgoing.read()


def _lost(error: ssl.SSLError) -> ConnectionLost:
    lost = ConnectionLost(f"the connection was lost: TLS: {describe_tls_error(error)}")
    lost.__cause__ = error
    return lost
