"""Listening TCP sockets of asyncio servers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from jvmwire.errors import ConnectFailed
from jvmwire.transports._fork_safety import redirect_to_devnull, register_after_fork
from jvmwire.transports._recorder import Recorder
from jvmwire.transports._tap import AsyncTapped, Tap
from jvmwire.transports._transport import Endpoint, Side, os_error_message

BACKLOG = 1024
"""Maximum connections that wait to be accepted; Hadoop's `ipc.server.listen.queue.size` is 256."""


class AcceptedConnection(asyncio.Protocol):
    """Base class of protocols for accepted connections."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport and register its fork handler."""
        self.transport = cast("asyncio.Transport", transport)
        register_after_fork(self, AcceptedConnection._close_inherited)

    def _close_inherited(self) -> None:
        redirect_to_devnull(self.transport.get_extra_info("socket"))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ListeningSocket:
    """A listening port, until it is closed."""

    server: asyncio.Server
    port: int

    def close(self) -> None:
        """Stop accepting connections; accepted connections stay open."""
        self.server.close()

    def close_inherited(self) -> None:
        """Stop listening in a forked child: the port belongs to the parent."""
        for sock in self.server.sockets:
            redirect_to_devnull(sock)


@dataclass(frozen=True, slots=True)
class _ServerSide:
    """Stand-in for the endpoint of an accepted connection: this process is the server."""

    side: Side = "server"


async def listen(
    new_protocol: Callable[[], AcceptedConnection],
    host: str,
    port: int,
    *,
    recorder: Recorder | None = None,
) -> ListeningSocket:
    """Listen on a port of this machine; port 0 is any free port.

    Args:
        new_protocol: Factory of the protocol of each accepted connection.
        host: Address or name of this machine to bind to.
        port: Port number; 0 lets the system choose one, see `ListeningSocket.port`.
        recorder: Records all accepted connections if given.

    Returns:
        The open listener, which also knows the port.

    Raises:
        ConnectFailed: the port is in use, or the host is not an address of this machine.
    """

    def protocol() -> asyncio.Protocol:
        if recorder is None:
            return new_protocol()
        return AsyncTapped(new_protocol(), Tap(cast("Endpoint", _ServerSide()), recorder))

    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(protocol, host, port, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        raise ConnectFailed(f"cannot listen on {host}:{port}: {os_error_message(error)}") from error
    listener = ListeningSocket(server, server.sockets[0].getsockname()[1])
    register_after_fork(listener, ListeningSocket.close_inherited)
    return listener
