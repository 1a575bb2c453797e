"""TCP proxy on 127.0.0.1 that injects network faults into a connection at a given byte.

    with FaultProxy(server, on(0, Cut("server", at=100))) as proxy:
        client.connect(proxy.address)  # the first connection ends inside a reply

A fault acts on the bytes that one side wrote, once `at` bytes of them were passed on. The faults of
a connection are chosen when it is accepted; `proxy.links` can inject more into an open connection.
"""

import asyncio
import itertools
import socket
import struct
import threading
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from enum import Enum
from types import TracebackType
from typing import Any, Self

from .faults import NONE, Fault, Script
from .tap import CHUNK, Side

Address = tuple[str, int]

BACKLOG = 4096
# Seconds after which a proxy whose event loop does not respond is broken.
WAIT_TIMEOUT = 30.0
# Zero seconds to linger: close() sends RST, and discards the bytes that were not sent yet.
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Ending(Enum):
    """The end of a connection."""

    BY_ITSELF = "both sides had ended"
    CLOSED = "closed by the proxy"
    RESET = "reset by the proxy, or passed on"
    NO_SERVER = "the server did not accept"


class Flow:
    """The bytes that one side writes, on their way to the other side."""

    def __init__(
        self, link: "ProxiedConnection", side: Side, source: socket.socket, target: socket.socket
    ) -> None:
        self.link = link
        self.side = side
        self.read = 0
        """Number of bytes that were taken from the side that wrote them, and processed."""
        self.passed = 0
        """Number of those bytes that were given to the other side."""
        self.transcript = bytearray()
        """The bytes that were written, before any fault, if the proxy records."""
        self.ended = False
        """Whether the writing side has ended its stream."""
        self.stalled = False
        self.pause = 0.0
        self.size = CHUNK
        self.mask = 0
        self.swallowing = False
        self._source = source
        self._target = target
        self._released = asyncio.Event()

    async def run(self, faults: Iterable[Fault]) -> None:
        """Pass bytes on until the source ends; faults act at their byte, in order."""
        due = sorted((f for f in faults if f.side == self.side), key=lambda fault: fault.at)
        loop = asyncio.get_running_loop()
        chunk = b""
        while True:
            while due and due[0].at <= self.read:
                await due.pop(0).act(self)
            if not chunk:
                chunk = await loop.sock_recv(self._source, CHUNK)
                if not chunk:
                    break
                if self.link.proxy.recorded:
                    self.transcript += chunk
            size = min(self.size, due[0].at - self.read if due else CHUNK)
            if self.mask:  # it applies to one byte
                size = 1
            await self._pass(chunk[:size])
            chunk = chunk[size:]
        self.ended = True
        self.finish()

    async def _pass(self, piece: bytes) -> None:
        if self.pause:
            await asyncio.sleep(self.pause)
        if self.mask:
            piece, self.mask = bytes([piece[0] ^ self.mask]), 0
        if not self.swallowing:
            await asyncio.get_running_loop().sock_sendall(self._target, piece)
            self.passed += len(piece)
        self.read += len(piece)
        self.link.proxy.changed()

    def finish(self) -> None:
        """Pass the end of the stream on; further bytes are read and discarded."""
        self.swallowing = True
        with suppress(OSError):
            self._target.shutdown(socket.SHUT_WR)
        self.link.proxy.changed()

    async def cut(self) -> None:
        """Close the connection for both sides; does not return."""
        await self.link.end(Ending.CLOSED)

    async def reset(self) -> None:
        """Reset the connection for both sides; does not return."""
        await self.link.end(Ending.RESET)

    async def stall(self, seconds: float | None) -> None:
        """Stop passing bytes on."""
        self.stalled = True
        self.link.proxy.changed()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._released.wait()
        self.stalled = False
        self.link.proxy.changed()

    def release(self) -> None:
        """Resume, now or at a later stall."""
        self._released.set()

    def __repr__(self) -> str:
        state = ", stalled" if self.stalled else ", ended" if self.ended else ""
        return f"{self.side} wrote {self.read}, {self.passed} passed{state}"


class ProxiedConnection:
    """One connection through the proxy; any thread may call `cut`, `reset` and `release`."""

    def __init__(
        self, proxy: "FaultProxy", number: int, client: socket.socket, server: socket.socket
    ) -> None:
        self.proxy = proxy
        self.number = number
        self.client = Flow(self, "client", client, server)
        """The bytes that the client writes."""
        self.server = Flow(self, "server", server, client)
        """The bytes that the server writes."""
        self.ending: Ending | None = None
        """How it ended; None while it is open."""
        self._ends: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._sockets = client, server

    def cut(self) -> None:
        """Close the connection for both sides, as if the peer had closed it."""
        self.proxy.soon(self._end, Ending.CLOSED)

    def reset(self) -> None:
        """Reset the connection for both sides."""
        self.proxy.soon(self._end, Ending.RESET)

    def release(self) -> None:
        """End each stall of this connection, including future ones."""
        self.proxy.soon(self.client.release)
        self.proxy.soon(self.server.release)

    async def end(self, ending: Ending) -> None:
        """End the connection from one of its flows, which does not continue."""
        self._end(ending)
        await asyncio.Event().wait()

    async def run(self, target: Address, faults: Iterable[Fault]) -> None:
        """Connect to the server, pass on until the end, and close."""
        ending = Ending.RESET
        try:
            ending = await self._run(target, tuple(faults))
        finally:
            self._close(ending)

    async def _run(self, target: Address, faults: Iterable[Fault]) -> Ending:
        try:
            await asyncio.get_running_loop().sock_connect(self._sockets[1], target)
        except OSError:
            return Ending.NO_SERVER
        flows = [asyncio.create_task(flow.run(faults)) for flow in (self.client, self.server)]
        both = asyncio.gather(*flows)
        try:
            ends: list[asyncio.Future[Any]] = [both, self._ends]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._ends.done():
                return self._ends.result()
            await both
        except OSError:
            # An error of one side ends the other side too.
            return Ending.RESET
        finally:
            for flow in flows:
                flow.cancel()
            await asyncio.gather(both, *flows, return_exceptions=True)
        return Ending.BY_ITSELF

    def __repr__(self) -> str:
        state = "open" if self.ending is None else self.ending.value
        return f"<Link {self.number}, {self.client!r}, {self.server!r}, {state}>"

    def _end(self, ending: Ending) -> None:
        if not self._ends.done():
            self._ends.set_result(ending)

    def _close(self, ending: Ending) -> None:
        for end in self._sockets:
            with suppress(OSError):
                if ending is Ending.CLOSED:
                    end.shutdown(socket.SHUT_RDWR)
                    # close() with unread bytes would be a reset.
                    while end.recv(CHUNK):
                        pass
                elif ending is not Ending.BY_ITSELF:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            end.close()
        self.ending = ending
        self.proxy.changed()


class FaultProxy:
    """Proxy that listens on its own port and relays to `target`, with the faults of `script`.

    `target` and `script` may be set at any time; open connections keep theirs.
    """

    def __init__(self, target: Address, script: Script = NONE, *, recorded: bool = False) -> None:
        self.target = target
        self.script = script
        self.links: list[ProxiedConnection] = []
        """All connections so far, by their number."""
        self._numbers = itertools.count()
        self.recorded = recorded
        self._changed = threading.Condition()
        # Holds the port while the proxy does not listen: then new connections are refused.
        self._port_holder = _bound(("127.0.0.1", 0))
        self.address: Address = self._port_holder.getsockname()
        """Address to connect to."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fault proxy")
        self._accepting: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """Port to connect to."""
        return self.address[1]

    def __enter__(self) -> Self:
        self._thread.start()
        self.accept()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._wait_for(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._port_holder.close()

    def accept(self) -> None:
        """Accept connections again."""
        self._wait_for(self._listen())

    def refuse(self) -> None:
        """Refuse new connections until `accept`; open ones go on."""
        self._wait_for(self._stop_listening())

    def wait_until(self, condition: Callable[[], bool], *, timeout: float = WAIT_TIMEOUT) -> None:
        """Wait for a condition of the links.

        Raises:
            TimeoutError: it did not come true.
        """
        with self._changed:
            if not self._changed.wait_for(condition, timeout):
                raise TimeoutError(f"not in {timeout} s: {'; '.join(map(repr, self.links))}")

    def changed(self) -> None:
        """Wake the waiting threads, since a link has changed."""
        with self._changed:
            self._changed.notify_all()

    def soon(self, action: Callable[..., object], *arguments: object) -> None:
        """Run a function in the thread of the proxy."""
        self._loop.call_soon_threadsafe(action, *arguments)

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(WAIT_TIMEOUT)

    async def _listen(self) -> None:
        if self._accepting is None:
            listener = _bound(self.address)
            listener.listen(BACKLOG)
            self._accepting = asyncio.create_task(self._accept_from(listener))

    async def _stop_listening(self) -> None:
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.gather(self._accepting, return_exceptions=True)
            self._accepting = None

    async def _stop(self) -> None:
        await self._stop_listening()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept_from(self, listener: socket.socket) -> None:
        with listener:
            while True:
                client, _ = await asyncio.get_running_loop().sock_accept(listener)
                server = socket.socket()
                for end in (client, server):
                    end.setblocking(False)
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                link = ProxiedConnection(self, next(self._numbers), client, server)
                self.links.append(link)
                task = asyncio.create_task(link.run(self.target, self.script(link.number)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                self.changed()


def _bound(address: Address) -> socket.socket:
    bound = socket.socket()
    # Lets a listener share the port with the socket that only holds it.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(address)
    bound.setblocking(False)
    return bound
