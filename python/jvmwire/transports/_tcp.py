"""TCP endpoints, with name resolution, keep-alive and optional TLS."""

import asyncio
import queue
import socket
import ssl
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

from jvmwire._checks import WrongType, whole_number
from jvmwire._escaping import hide_password, quote, shorten
from jvmwire._runtime import threads
from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.transports import _happy_eyeballs
from jvmwire.transports._deadline import AsyncDeadline, Deadline
from jvmwire.transports._happy_eyeballs import Candidate, ConnectAttempts, interleave_families
from jvmwire.transports._sockets import SocketTransport
from jvmwire.transports._tls import Tls
from jvmwire.transports._tls_async import AsyncTls
from jvmwire.transports._tls_engine import UNFINISHED, TlsEngine
from jvmwire.transports._tls_transport import TlsTransport
from jvmwire.transports._transport import (
    AsyncTransport,
    Side,
    Transport,
    never_cancelled,
    os_error_message,
)

KEEP_ALIVE_INTERVAL = 10
"""Seconds between keep-alive probes, after `keep_alive` seconds without received data."""

KEEP_ALIVE_PROBES = 6
"""Unanswered keep-alive probes after which the connection is lost."""

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
        engine = None if self.tls is None else self._engine(self.tls.context())
        plain = SocketTransport(
            _happy_eyeballs.run(self._attempts(self._resolve(deadline)), deadline)
        )
        return plain if engine is None else TlsTransport.connect(plain, engine, deadline)

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
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
        deadline = AsyncDeadline(self, timeout)
        if self.tls is None:
            return await self._connect_async(protocol, deadline)
        # In the executor: it reads files, and `key_password` may block to ask a user.
        context = await asyncio.get_running_loop().run_in_executor(None, self.tls.context)
        secure = AsyncTls(self._engine(context), protocol)
        plain = await self._connect_async(secure, deadline)
        try:
            async with deadline.timeout(lambda: UNFINISHED):
                await secure.handshake()
        except BaseException:
            plain.abort()
            raise
        return secure

    async def _connect_async(
        self, protocol: asyncio.Protocol, deadline: AsyncDeadline
    ) -> AsyncTransport:
        attempts = self._attempts(await self._resolve_async(deadline))
        sock = await _happy_eyeballs.run_async(attempts, deadline)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: protocol, sock=sock)
        return transport

    def _engine(self, context: ssl.SSLContext) -> TlsEngine:
        name = self.tls.server_hostname if self.tls is not None else None
        return TlsEngine(context, name or self.host, self)

    def _attempts(self, candidates: deque[Candidate]) -> ConnectAttempts:
        return ConnectAttempts(self, candidates, self._open)

    def _open(self, candidate: Candidate) -> socket.socket:
        sock = socket.socket(candidate.family, socket.SOCK_STREAM)
        try:
            sock.settimeout(0)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.keep_alive is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                tcp = socket.IPPROTO_TCP
                sock.setsockopt(tcp, socket.TCP_KEEPIDLE, round(self.keep_alive))
                sock.setsockopt(tcp, socket.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL)
                sock.setsockopt(tcp, socket.TCP_KEEPCNT, KEEP_ALIVE_PROBES)
                # The kernel sends no keep-alive probes while sent data is unacknowledged, and
                # retransmits it for a quarter of an hour.
                silence = self.keep_alive + KEEP_ALIVE_INTERVAL * KEEP_ALIVE_PROBES
                sock.setsockopt(tcp, socket.TCP_USER_TIMEOUT, round(silence * 1000))
            if self.source_address is not None:
                sock.bind((self.source_address, 0))
        except BaseException:
            sock.close()
            raise
        return sock

    def _numeric_address(self) -> deque[Candidate] | None:
        """Return the addresses if the host is an IP address, or None if it is a name."""
        numeric = socket.AI_NUMERICHOST
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM, flags=numeric)
        except (OSError, ValueError):
            return None
        return _candidates(found)

    def _resolve(self, deadline: Deadline) -> deque[Candidate]:
        if found := self._numeric_address():
            return found
        # The resolver cannot be interrupted, so that its thread may outlive the deadline.
        answer: queue.SimpleQueue[deque[Candidate] | Exception] = queue.SimpleQueue()
        threads.start_thread(
            "jvmwire resolver", self._look_up, answer, purpose=f"connect to {self}"
        )
        while True:
            deadline.check(self._resolve_progress())
            with suppress(queue.Empty):
                answered = answer.get(timeout=deadline.next_wait())
                break
        if isinstance(answered, Exception):
            raise self._resolve_error(answered) from answered
        return answered

    def _look_up(self, answer: queue.SimpleQueue[deque[Candidate] | Exception]) -> None:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            answer.put(_candidates(found))
        except Exception as error:  # passed to the waiting thread
            answer.put(error)

    async def _resolve_async(self, deadline: AsyncDeadline) -> deque[Candidate]:
        if parsed := self._numeric_address():
            return parsed
        loop = asyncio.get_running_loop()  # runs the resolver in a thread of its executor
        async with deadline.timeout(self._resolve_progress):
            try:
                found = await loop.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            # RuntimeError: raised by the executor
            except (OSError, ValueError, RuntimeError) as error:
                raise self._resolve_error(error) from error
            return _candidates(found)

    def _resolve_progress(self) -> str:
        return f"the name {self.host} was not resolved"

    def _resolve_error(self, error: Exception) -> ConnectFailed:
        return ConnectFailed(f"cannot connect to {self}: {os_error_message(error)}")


def _candidates(found: Iterable[tuple[Any, ...]]) -> deque[Candidate]:
    return interleave_families(Candidate(family, address) for family, _, _, _, address in found)
