"""TCP endpoints, with name resolution, keep-alive and optional TLS."""

import queue
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from jvmwire._checks import WrongType, whole_number
from jvmwire._escaping import hide_password, quote, shorten
from jvmwire._runtime import threads
from jvmwire.errors import ConfigError
from jvmwire.transports import _happy_eyeballs
from jvmwire.transports._deadline import Deadline
from jvmwire.transports._happy_eyeballs import Candidate
from jvmwire.transports._sockets import SocketTransport
from jvmwire.transports._tcp_attempts import (
    candidates,
    connect_attempts,
    numeric_address,
    resolve_error,
    resolve_progress,
    tls_engine,
)
from jvmwire.transports._tls import Tls
from jvmwire.transports._tls_transport import TlsTransport
from jvmwire.transports._transport import (
    AsyncTransport,
    Side,
    Transport,
    never_cancelled,
)

if TYPE_CHECKING:
    import asyncio

MAX_KEEP_ALIVE = 32767
"""The maximum of `keep_alive` in seconds: MAX_TCP_KEEPIDLE of Linux."""


def _is_ipv6(text: str) -> bool:
    from ipaddress import IPv6Address  # few addresses need it

    try:
        IPv6Address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Tcp:
    """A TCP endpoint: a host and a port, with the first address of the host that accepts.

    Args:
        host: Host name or IP address.
        port: Port, 1 to 65535.
        tls: TLS settings; None (the default) connects without TLS.
        keep_alive: Idle seconds (default 60, at most 32767) before the kernel probes the peer. A
            peer that does not answer for another minute is lost; so is a peer that acknowledges no
            sent data for `keep_alive` plus 60 seconds. None disables both checks.
        source_address: Local address to bind to; None (the default) lets the system choose.

    Raises:
        ConfigError: an argument is out of its range.
        TypeError: an argument is of a wrong type; this is also a `ConfigError`.
    """

    side: ClassVar[Side] = "client"

    host: str
    port: int
    _: KW_ONLY
    tls: Tls | None = None
    keep_alive: float | None = 60.0
    source_address: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.host, str):
            raise WrongType(f"host must be a str, got {type(self.host).__name__}")
        port = whole_number("port", self.port)
        if "@" in self.host:  # not shown: it may contain a secret
            raise ConfigError("a host must not contain a user or a password")
        if not self.host or "\0" in self.host:  # the resolver would stop reading at a NUL
            raise ConfigError(f"{self.host!r} is not a valid host name")
        if not 0 < port < 1 << 16:
            raise ConfigError(f"{port} is not a valid port: expected 1 to 65535")
        if self.tls is not None and not isinstance(self.tls, Tls):
            raise WrongType(f"tls must be a Tls, got {type(self.tls).__name__}")
        if self.source_address is not None and not isinstance(self.source_address, str):
            kind = type(self.source_address).__name__
            raise WrongType(f"source_address must be a str, got {kind}")
        if self.keep_alive is not None and not isinstance(self.keep_alive, (int, float)):
            kind = type(self.keep_alive).__name__
            raise WrongType(f"keep_alive must be a number of seconds, or None, got {kind}")
        if self.keep_alive is not None and not 1 <= self.keep_alive <= MAX_KEEP_ALIVE:
            raise ConfigError(
                f"keep_alive is {self.keep_alive:g} s, and must be 1 to {MAX_KEEP_ALIVE} s"
            )

    @classmethod
    def parse(cls, text: str, *, default_port: int | None = None, tls: Tls | None = None) -> Self:
        """Parse `host:port` or `[::1]:port`; with a default port also a host alone.

        Args:
            text: The text to parse.
            default_port: Port of a text without a port; None requires a port in the text.
            tls: TLS settings of the endpoint.

        Returns:
            The endpoint.

        Raises:
            ConfigError: the text has none of these forms.
        """
        shown = quote(hide_password(text))
        host, colon, port = text.rpartition(":")
        alone = not colon or text.endswith("]") or (":" in host and not host.startswith("["))
        if alone and default_port is not None:
            host, port, alone = text, str(default_port), ":" in text and not _is_ipv6(text)
        if alone or not host or not port.isdecimal():
            raise ConfigError(f"{shown} is not host:port")
        try:
            number = int(port)
        except ValueError:  # more digits than Python's `int` accepts
            raise ConfigError(f"{shown} is not host:port: the port is too large") from None
        try:
            return cls(host.removeprefix("[").removesuffix("]"), number, tls=tls)
        except ConfigError as error:
            raise ConfigError(f"{shown} is not host:port: {shorten(str(error))}") from error

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = never_cancelled
    ) -> Transport:
        """Connect and block for at most `timeout` seconds.

        Args:
            timeout: Seconds for resolution, connection and TLS handshake together.
            cancelled: Called about every 0.05 seconds; a true result ends the attempt.

        Returns:
            The connected transport.

        Raises:
            ConnectTimeout: the time is over.
            ConnectFailed: no address of the host accepted the connection, or the TLS handshake
                failed.
            ConfigError: a file of `tls` cannot be used.
        """
        deadline = Deadline(self, timeout, cancelled)
        engine = None if self.tls is None else tls_engine(self, self.tls.context())
        plain = SocketTransport(
            _happy_eyeballs.run(connect_attempts(self, self._resolve(deadline)), deadline)
        )
        return plain if engine is None else TlsTransport.connect(plain, engine, deadline)

    async def connect_async(
        self, protocol: "asyncio.Protocol", *, timeout: float
    ) -> AsyncTransport:
        """Connect within `timeout` seconds.

        Args:
            protocol: The protocol of the connection.
            timeout: Seconds for resolution, connection and TLS handshake together.

        Returns:
            The connected transport; `protocol.connection_made` was called.

        Raises:
            ConnectTimeout: the time is over.
            ConnectFailed: no address of the host accepted the connection, or the TLS handshake
                failed.
            ConfigError: a file of `tls` cannot be used.
        """
        from jvmwire.transports import _tcp_async  # blocking clients need no asyncio

        return await _tcp_async.connect(self, protocol, timeout)

    def _resolve(self, deadline: Deadline) -> deque[Candidate]:
        if found := numeric_address(self):
            return found
        # The resolver cannot be interrupted, so that its thread may outlive the deadline.
        answer: queue.SimpleQueue[deque[Candidate] | Exception] = queue.SimpleQueue()
        threads.start_thread(
            "jvmwire resolver", self._look_up, answer, purpose=f"connect to {self}"
        )
        while True:
            deadline.check(resolve_progress(self))
            with suppress(queue.Empty):
                answered = answer.get(timeout=deadline.next_wait())
                break
        if isinstance(answered, Exception):
            raise resolve_error(self, answered) from answered
        return answered

    def _look_up(self, answer: queue.SimpleQueue[deque[Candidate] | Exception]) -> None:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            answer.put(candidates(found))
        except Exception as error:  # passed to the waiting thread
            answer.put(error)
