"""Waiting for who connects to us."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from jvmwire.errors import ConnectFailed
from jvmwire.transports.forks import in_child, lead_nowhere
from jvmwire.transports.recorder import Recorder
from jvmwire.transports.tap import AsyncTapped, Tap
from jvmwire.transports.transport import Endpoint, Side, reason

BACKLOG = 1024
"""Connections that wait to be accepted. Hadoop's `ipc.server.listen.queue.size` is 256."""


class Accepted(asyncio.Protocol):
    """Who answers on a connection that was accepted."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Meet the client."""
        self.transport = cast("asyncio.Transport", transport)
        in_child(self, Accepted._leave)

    def _leave(self) -> None:
        lead_nowhere(self.transport.get_extra_info("socket"))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Listener:
    """A port that is listened on, until it is closed."""

    server: asyncio.Server
    port: int

    def close(self) -> None:
        """Accept nobody any more; those accepted stay."""
        self.server.close()

    def leave(self) -> None:
        """Listen no more in a forked child: the port is the parent's."""
        for sock in self.server.sockets:
            lead_nowhere(sock)


@dataclass(frozen=True, slots=True)
class _AcceptedBy:
    """Who we are to those who connect to us."""

    side: Side = "server"


async def listen(
    new_protocol: Callable[[], Accepted],
    host: str,
    port: int,
    *,
    recorder: Recorder | None = None,
) -> Listener:
    """Listen on a port of this machine, 0 for any that is free.

    Raises:
        ConnectFailed: it is taken, or the host is not this one.
    """

    def protocol() -> asyncio.Protocol:
        if recorder is None:
            return new_protocol()
        return AsyncTapped(new_protocol(), Tap(cast("Endpoint", _AcceptedBy()), recorder))

    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(protocol, host, port, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        raise ConnectFailed(f"cannot listen on {host}:{port}: {reason(error)}") from error
    listener = Listener(server, server.sockets[0].getsockname()[1])
    in_child(listener, Listener.leave)
    return listener
