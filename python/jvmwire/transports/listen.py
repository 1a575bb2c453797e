"""Waiting for who connects to us."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from jvmwire.errors import ConnectFailed
from jvmwire.transports.recorder import Recorder
from jvmwire.transports.tap import AsyncTapped, Tap
from jvmwire.transports.transport import Endpoint, Side, reason

BACKLOG = 1024
"""Connections that wait to be accepted. Hadoop's `ipc.server.listen.queue.size` is 256."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A port that is listened on, until it is closed."""

    server: asyncio.Server
    port: int

    def close(self) -> None:
        """Accept nobody any more; those accepted stay."""
        self.server.close()


@dataclass(frozen=True, slots=True)
class _Accepted:
    """Who we are to those who connect to us."""

    side: Side = "server"


async def listen(
    new_protocol: Callable[[], asyncio.Protocol],
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
        return AsyncTapped(new_protocol(), Tap(cast("Endpoint", _Accepted()), recorder))

    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(protocol, host, port, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        raise ConnectFailed(f"cannot listen on {host}:{port}: {reason(error)}") from error
    return Listener(server, server.sockets[0].getsockname()[1])
