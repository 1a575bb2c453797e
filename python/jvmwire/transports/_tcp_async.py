"""Connection attempts of asyncio clients to TCP endpoints."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

from jvmwire.transports import _happy_eyeballs_async
from jvmwire.transports._deadline_async import AsyncDeadline
from jvmwire.transports._tcp_attempts import (
    candidates,
    connect_attempts,
    numeric_address,
    resolve_error,
    resolve_progress,
    tls_engine,
)
from jvmwire.transports._tls_async import AsyncTls
from jvmwire.transports._tls_engine import UNFINISHED

if TYPE_CHECKING:
    from collections import deque

    from jvmwire.transports._happy_eyeballs import Candidate
    from jvmwire.transports._tcp_attempts import TcpSettings
    from jvmwire.transports._transport import AsyncTransport


async def connect(
    endpoint: TcpSettings, protocol: asyncio.Protocol, timeout: float
) -> AsyncTransport:
    """Connect within `timeout` seconds, as `Tcp.connect_async` says."""
    deadline = AsyncDeadline(endpoint, timeout)
    if endpoint.tls is None:
        return await _connect_plain(endpoint, protocol, deadline)
    # In the executor: it reads files, and `key_password` may block to ask a user.
    context = await asyncio.get_running_loop().run_in_executor(None, endpoint.tls.context)
    secure = AsyncTls(tls_engine(endpoint, context), protocol)
    plain = await _connect_plain(endpoint, secure, deadline)
    try:
        async with deadline.timeout(lambda: UNFINISHED):
            await secure.handshake()
    except BaseException:
        plain.abort()
        raise
    return secure


async def _connect_plain(
    endpoint: TcpSettings, protocol: asyncio.Protocol, deadline: AsyncDeadline
) -> AsyncTransport:
    attempts = connect_attempts(endpoint, await _resolve(endpoint, deadline))
    sock = await _happy_eyeballs_async.run(attempts, deadline)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_connection(lambda: protocol, sock=sock)
    return transport


async def _resolve(endpoint: TcpSettings, deadline: AsyncDeadline) -> deque[Candidate]:
    if parsed := numeric_address(endpoint):
        return parsed
    loop = asyncio.get_running_loop()  # runs the resolver in a thread of its executor
    async with deadline.timeout(lambda: resolve_progress(endpoint)):
        try:
            found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
        # RuntimeError: raised by the executor
        except (OSError, ValueError, RuntimeError) as error:
            raise resolve_error(endpoint, error) from error
        return candidates(found)
