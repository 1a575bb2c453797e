"""TLS without I/O, for both styles."""

import ssl
from contextlib import suppress

from jvmwire._runtime.session import Buffer
from jvmwire.errors import ConnectFailed, ConnectionLost
from jvmwire.transports.tls import words

MAX_RECORD_LEN = 16 * 1024
"""Most plaintext in a record: RFC 8446, section 5.1."""

UNFINISHED = "TLS: the handshake was not done"
"""How far we came when the time to connect is over."""


class TlsEngine:
    """One connection of a client: bytes of the wire in, bytes for the wire out."""

    def __init__(self, context: ssl.SSLContext, host: str, goal: object) -> None:
        self._goal = goal
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        # The dot of an absolute name is the resolver's, no certificate has it.
        name = host.removesuffix(".").partition("%")[0]
        try:
            self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name)
        except ValueError as error:  # no name of a host, and a peer may have told it to us
            raise self.not_connected(str(error)) from error
        self.ended = False
        """Whether the peer said that it sends no more."""
        self.failure: ConnectionLost | None = None
        """What makes all that may come after the decrypted bytes worthless."""

    def handshake(self, data: bytes = b"") -> bool:
        """Go on with the handshake; return whether it is done."""
        self._incoming.write(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError as error:
            raise self.not_connected(words(error)) from error
        return True

    def not_connected(self, why: str) -> ConnectFailed:
        """Return what to raise when the handshake came to nothing."""
        return ConnectFailed(f"cannot connect to {self._goal}: TLS: {why}")

    def decrypt(self, data: bytes) -> bytes:
        """Return what `data` makes whole; then look at `ended` and `failure`."""
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

    def end_of_wire(self) -> None:
        """Judge that nothing comes any more: without the peer's word, something may be missing."""
        if not self.ended and self.failure is None:
            self.failure = ConnectionLost(
                "the connection was lost: TLS: cut off before the peer's close_notify"
            )

    def encrypt(self, data: Buffer) -> None:
        """Make records of `data`, which must not be empty."""
        try:
            self._tls.write(data)
        except ssl.SSLError as error:
            raise _lost(error) from error

    def close(self) -> None:
        """Tell the peer that we send no more."""
        with suppress(ssl.SSLError):  # the peer's own word is still to come, or it is past caring
            self._tls.unwrap()

    @property
    def unsent(self) -> int:
        """Bytes that `take` would return."""
        return self._outgoing.pending

    def take(self) -> bytes:
        """Return all that must go out."""
        return self._outgoing.read()


def _lost(error: ssl.SSLError) -> ConnectionLost:
    lost = ConnectionLost(f"the connection was lost: TLS: {words(error)}")
    lost.__cause__ = error
    return lost
