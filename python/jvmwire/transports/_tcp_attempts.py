"""Steps of connecting to a TCP endpoint that blocking and asyncio clients share."""

from __future__ import annotations

import socket
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from jvmwire.errors import ConnectFailed
from jvmwire.transports._happy_eyeballs import Candidate, ConnectAttempts, interleave_families
from jvmwire.transports._tls_engine import TlsEngine
from jvmwire.transports._transport import os_error_message

if TYPE_CHECKING:
    import ssl
    from collections import deque
    from collections.abc import Iterable

    from jvmwire.transports._tls import Tls

KEEP_ALIVE_INTERVAL = 10
"""Seconds between keep-alive probes, after `keep_alive` seconds without received data."""

KEEP_ALIVE_PROBES = 6
"""Unanswered keep-alive probes after which the connection is lost."""


class TcpSettings(Protocol):
    """The fields of `Tcp`."""

    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def tls(self) -> Tls | None: ...
    @property
    def keep_alive(self) -> float | None: ...
    @property
    def source_address(self) -> str | None: ...


def tls_engine(endpoint: TcpSettings, context: ssl.SSLContext) -> TlsEngine:
    """Return the TLS engine of a new connection."""
    name = endpoint.tls.server_hostname if endpoint.tls is not None else None
    return TlsEngine(context, name or endpoint.host, endpoint)


def connect_attempts(endpoint: TcpSettings, found: deque[Candidate]) -> ConnectAttempts:
    """Return the race of connection attempts to the addresses that were found."""
    return ConnectAttempts(endpoint, found, partial(_open, endpoint))


def _open(endpoint: TcpSettings, candidate: Candidate) -> socket.socket:
    sock = socket.socket(candidate.family, socket.SOCK_STREAM)
    try:
        sock.settimeout(0)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if endpoint.keep_alive is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            tcp = socket.IPPROTO_TCP
            sock.setsockopt(tcp, socket.TCP_KEEPIDLE, round(endpoint.keep_alive))
            sock.setsockopt(tcp, socket.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL)
            sock.setsockopt(tcp, socket.TCP_KEEPCNT, KEEP_ALIVE_PROBES)
            # The kernel sends no keep-alive probes while sent data is unacknowledged, and
            # retransmits it for a quarter of an hour.
            silence = endpoint.keep_alive + KEEP_ALIVE_INTERVAL * KEEP_ALIVE_PROBES
            sock.setsockopt(tcp, socket.TCP_USER_TIMEOUT, round(silence * 1000))
        if endpoint.source_address is not None:
            sock.bind((endpoint.source_address, 0))
    except BaseException:
        sock.close()
        raise
    return sock


def numeric_address(endpoint: TcpSettings) -> deque[Candidate] | None:
    """Return the addresses if the host is an IP address, or None if it is a name."""
    numeric = socket.AI_NUMERICHOST
    try:
        found = socket.getaddrinfo(
            endpoint.host, endpoint.port, type=socket.SOCK_STREAM, flags=numeric
        )
    except (OSError, ValueError):
        return None
    return candidates(found)


def resolve_progress(endpoint: TcpSettings) -> str:
    """Return what a connection attempt waits for while the name is resolved."""
    return f"the name {endpoint.host} was not resolved"


def resolve_error(endpoint: TcpSettings, error: Exception) -> ConnectFailed:
    """Return the error of a connection attempt whose name was not resolved."""
    return ConnectFailed(f"cannot connect to {endpoint}: {os_error_message(error)}")


def candidates(found: Iterable[tuple[Any, ...]]) -> deque[Candidate]:
    """Return the addresses that `getaddrinfo` found, in the order of the attempts."""
    return interleave_families(Candidate(family, address) for family, _, _, _, address in found)
