"""TLS over any non-blocking transport."""

import select
from contextlib import suppress
from typing import Self

from jvmwire._runtime.session import Buffer
from jvmwire.errors import TransportError
from jvmwire.transports._deadline import Deadline
from jvmwire.transports._tls_engine import UNFINISHED, TlsEngine
from jvmwire.transports._transport import LARGE_READ, Address, Transport


class TlsTransport:
    """A connection in TLS, after the handshake."""

    def __init__(self, inner: Transport, engine: TlsEngine) -> None:
        self._inner = inner
        self._engine = engine
        self._decrypted = b""
        self._eof_delivered = False
        self._records = memoryview(b"")
        self.read_fd = inner.read_fd
        self.write_fd = inner.write_fd

    @classmethod
    def connect(cls, inner: Transport, engine: TlsEngine, deadline: Deadline) -> Self:
        """Do the handshake over `inner`, which this transport owns from now on."""
        transport = cls(inner, engine)
        try:
            transport._shake_hands(deadline)
        except BaseException:
            inner.close()
            raise
        return transport

    def _shake_hands(self, deadline: Deadline) -> None:
        data: bytes | None = b""
        while True:
            try:
                done = data is not None and self._engine.handshake(data)
            finally:
                with suppress(TransportError):  # the receive call reports the error
                    self._flush()  # after a failure: the TLS alert
            if done:
                break
            deadline.check(UNFINISHED)
            poll = select.poll()
            poll.register(self.read_fd, select.POLLIN)
            if self.unsent:
                both = select.POLLIN if self.write_fd == self.read_fd else 0
                poll.register(self.write_fd, select.POLLOUT | both)
            deadline.wait(poll)
            try:
                data = self._inner.recv()
            except TransportError as error:
                raise self._engine.not_connected(str(error)) from error
            if data == b"":
                raise self._engine.not_connected("the peer closed the connection")
        # Data sent right after the peer's last handshake message may have arrived with it.
        self._decrypted = self._engine.decrypt(b"")

    @property
    def addresses(self) -> tuple[Address, Address] | None:
        """The local address and the peer's address, or None."""
        return self._inner.addresses

    @property
    def unsent(self) -> int:
        """Ciphertext bytes that the kernel has not accepted yet."""
        return len(self._records) + self._engine.unsent + self._inner.unsent

    @property
    def pending(self) -> bool:
        """Whether `recv` can return more without a readable descriptor: plaintext, or the end."""
        if self._decrypted or self._inner.pending:
            return True
        return self._is_over and not self._eof_delivered

    @property
    def _is_over(self) -> bool:
        return self._engine.ended or self._engine.failure is not None

    def recv(self) -> bytes | None:
        """Return plaintext, `b""` after the peer's close_notify, or None while there is none."""
        if self._decrypted:
            decrypted, self._decrypted = self._decrypted, b""
            return decrypted
        if not self._is_over:
            data = self._inner.recv()
            if data is None:
                return None
            if not data:
                self._engine.receive_eof()
            elif decrypted := self._engine.decrypt(data):
                return decrypted
        if not self._is_over:
            return None
        self._eof_delivered = True
        if self._engine.failure is not None:
            raise self._engine.failure
        return b""

    def send(self, data: Buffer) -> int:
        """Encrypt a part of `data` unless older data waits; return the part's length in bytes."""
        self._flush()
        if not data or self.unsent:
            return 0
        with memoryview(data) as whole, whole[:LARGE_READ] as part:
            taken = len(part)
            self._engine.encrypt(part)
        self._flush()
        return taken

    def _flush(self) -> None:
        if self._inner.unsent:
            self._inner.send(b"")
        while self._records or self._engine.unsent:
            if not self._records:
                self._records = memoryview(self._engine.data_to_send())
            sent = self._inner.send(self._records)
            if not sent:
                break
            self._records = self._records[sent:]

    def close(self) -> None:
        """Send close_notify if there is room, and close the inner transport; safe to call twice."""
        self._engine.close()
        with suppress(TransportError):
            self._flush()
        self._inner.close()
