"""TCP: a host and a port."""

import asyncio
import queue
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.transports import race
from jvmwire.transports.deadline import Deadline
from jvmwire.transports.race import Candidate, Race, interleaved
from jvmwire.transports.sockets import SocketTransport
from jvmwire.transports.transport import AsyncTransport, Side, Transport, never, reason

KEEP_ALIVE_INTERVAL = 10
"""Seconds between two probes of a silent peer, once `keep_alive` seconds passed without a word."""

KEEP_ALIVE_PROBES = 6
"""Probes without an answer after which the connection is lost."""

MAX_KEEP_ALIVE = 32767
"""Linux: MAX_TCP_KEEPIDLE, seconds."""


@dataclass(frozen=True, slots=True)
class Tcp:
    """A host, by name or address, and its port; the first of its addresses that answers is taken.

    After `keep_alive` seconds of silence the kernel asks whether the peer still lives; None leaves
    that out. `source_address` is an address of this machine to connect from.
    """

    side: ClassVar[Side] = "client"

    host: str
    port: int
    _: KW_ONLY
    keep_alive: float | None = 60.0
    source_address: str | None = None

    def __post_init__(self) -> None:
        if not self.host:
            raise ConfigError("the host's name is empty")
        if not 0 < self.port < 1 << 16:
            raise ConfigError(f"{self.port} is no port of TCP")
        if self.keep_alive is not None and not 1 <= self.keep_alive <= MAX_KEEP_ALIVE:
            raise ConfigError(
                f"keep_alive is {self.keep_alive:g} s, and must be 1 to {MAX_KEEP_ALIVE} s"
            )

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def connect(self, *, timeout: float, cancelled: Callable[[], bool] = never) -> Transport:
        """Connect, blocking for `timeout` seconds at most."""
        deadline = Deadline(self, timeout, cancelled)
        entrants = self._race(self._resolve(deadline))
        return SocketTransport(race.run(entrants, deadline))

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        """Connect within `timeout` seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        entrants = self._race(await self._resolve_async(timeout))
        sock = await race.run_async(entrants, end - loop.time())
        try:
            transport, _ = await loop.create_connection(lambda: protocol, sock=sock)
        except BaseException:
            sock.close()
            raise
        return transport

    def _race(self, candidates: deque[Candidate]) -> Race:
        return Race(self, candidates, self._open)

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
            if self.source_address is not None:
                sock.bind((self.source_address, 0))
        except BaseException:
            sock.close()
            raise
        return sock

    def _resolve(self, deadline: Deadline) -> deque[Candidate]:
        with suppress(OSError, UnicodeError):  # else it is a name, not an address
            return _candidates(
                socket.getaddrinfo(
                    self.host,
                    self.port,
                    type=socket.SOCK_STREAM,
                    flags=socket.AI_NUMERICHOST,
                )
            )
        # The resolver can't be told to hurry: its thread may outlive our patience.
        answer: queue.SimpleQueue[deque[Candidate] | Exception] = queue.SimpleQueue()
        threading.Thread(
            target=self._look_up, args=(answer,), name="jvmwire resolver", daemon=True
        ).start()
        while True:
            deadline.check(f"the name {self.host} was not resolved")
            with suppress(queue.Empty):
                found = answer.get(timeout=deadline.slice())
                break
        if isinstance(found, Exception):
            raise self._unresolved(found) from found
        return found

    def _look_up(self, answer: queue.SimpleQueue[deque[Candidate] | Exception]) -> None:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            answer.put(_candidates(found))
        except Exception as error:  # handed to who waits
            answer.put(error)

    async def _resolve_async(self, timeout: float) -> deque[Candidate]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                found = await loop.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
                return _candidates(found)
        except TimeoutError as error:
            raise ConnectFailed(
                f"cannot connect to {self}: the name {self.host} was not resolved; "
                f"no connection within {timeout:g} s"
            ) from error
        except (OSError, UnicodeError) as error:
            raise self._unresolved(error) from error

    def _unresolved(self, error: Exception) -> ConnectFailed:
        return ConnectFailed(f"cannot connect to {self}: {reason(error)}")


def _candidates(found: Iterable[tuple[Any, ...]]) -> deque[Candidate]:
    return interleaved(Candidate(family, address) for family, _, _, _, address in found)
