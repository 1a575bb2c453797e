"""Connections of both styles behind one interface: a minimal driver."""

import asyncio
import gc
import select
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
import uvloop

from jvmwire.transports import AsyncTransport, Endpoint, Transport, transport_error

SOON = 30.0
"""Seconds within which any required event must happen, on however slow a machine."""

LITTLE = 64 * 1024
"""Bytes that may remain in an asyncio transport when a test continues."""

STYLES = ("blocking", "asyncio", "uvloop")

# libuv makes a pipe for signals with its first loop and keeps it: that is not a leak.
uvloop.new_event_loop().close()


class TransportAdapter(ABC):
    """A connection for tests."""

    transport: Any

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send all bytes, and read bytes that arrive meanwhile."""

    @abstractmethod
    def read(self, length: int) -> bytes:
        """Return exactly this many bytes."""

    @abstractmethod
    def read_to_end(self) -> bytes:
        """Return all bytes until the peer ends the stream; raise if the stream is cut off."""

    @abstractmethod
    def close(self) -> None:
        """Close, and wait until the connection is closed."""


class BlockingAdapter(TransportAdapter):
    """Adapter that waits for descriptors."""

    transport: Transport

    def __init__(self, endpoint: Endpoint, *, timeout: float) -> None:
        self.transport = endpoint.connect(timeout=timeout)
        self._heard = bytearray()
        self._ended = False

    def send(self, data: bytes) -> None:
        left = memoryview(data)
        while left or self.transport.unsent:
            sent = self.transport.send(left)
            left = left[sent:]
            if not sent:
                self._turn(writing=True)

    def read(self, length: int) -> bytes:
        while len(self._heard) < length:
            assert not self._ended, f"the stream ended after {bytes(self._heard)!r}"
            self._turn()
        heard = bytes(self._heard[:length])
        del self._heard[:length]
        return heard

    def read_to_end(self) -> bytes:
        while not self._ended:
            self._turn()
        return bytes(self._heard)

    def close(self) -> None:
        self.transport.close()

    def _turn(self, *, writing: bool = False) -> None:
        transport = self.transport
        if not transport.pending:
            interest = {transport.read_fd: 0 if self._ended else select.POLLIN}
            if writing or transport.unsent:
                fd = transport.write_fd
                interest[fd] = interest.get(fd, 0) | select.POLLOUT
            poll = select.poll()
            for fd, events in interest.items():
                poll.register(fd, events)
            ready = dict(poll.poll(SOON * 1000))
            assert ready, "nothing happened"
            if not ready.get(transport.read_fd, 0) & ~select.POLLOUT:
                return
        if transport.unsent:
            transport.send(b"")
        data = transport.recv()
        if data is not None:
            self._heard += data
            self._ended |= not data


class AsyncAdapter(TransportAdapter):
    """Adapter that runs a loop while it waits."""

    transport: AsyncTransport

    def __init__(self, endpoint: Endpoint, runner: asyncio.Runner, *, timeout: float) -> None:
        self._runner = runner
        self.transport = runner.run(self._connect(endpoint, timeout))

    async def _connect(self, endpoint: Endpoint, timeout: float) -> AsyncTransport:
        self.ears = EventRecorder()
        transport = await endpoint.connect_async(self.ears, timeout=timeout)
        assert self.ears.calls[0] == "made"
        return transport

    def send(self, data: bytes) -> None:
        self.transport.write(data)
        self._wait(lambda: self.ears.lost or self.transport.get_write_buffer_size() < LITTLE)

    def read(self, length: int) -> bytes:
        self._wait(lambda: len(self.ears.heard) >= length or self.ears.lost)
        assert len(self.ears.heard) >= length, self.ears.why_lost
        heard = bytes(self.ears.heard[:length])
        del self.ears.heard[:length]
        return heard

    def read_to_end(self) -> bytes:
        self._wait(lambda: self.ears.lost)
        if not self.ears.ended:
            raise transport_error(self.ears.why_lost)
        return bytes(self.ears.heard)

    def close(self) -> None:
        self.transport.close()
        self._wait(lambda: self.ears.lost)

    def _wait(self, done: Callable[[], bool]) -> None:
        async def turn() -> None:
            async with asyncio.timeout(SOON):
                while not done():
                    await asyncio.sleep(0.001)

        self._runner.run(turn())


class EventRecorder(asyncio.Protocol):
    """Recorder of the events of a transport."""

    def __init__(self) -> None:
        self.transport: Any = None
        self.heard = bytearray()
        self.calls: list[str] = []
        self.ended = False
        self.lost = False
        self.why_lost: Exception | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.calls.append("made")
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        assert data
        assert self.calls[0] == "made"
        assert not self.ended
        assert not self.lost
        self.heard += data

    def eof_received(self) -> None:
        self.calls.append("ended")
        self.ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        self.calls.append("lost")
        self.lost = True
        self.why_lost = exc

    def pause_writing(self) -> None:
        self.calls.append("pause")

    def resume_writing(self) -> None:
        self.calls.append("resume")


class Connect(Protocol):
    """Connects in the style of the test."""

    def __call__(self, endpoint: Endpoint, *, timeout: float = SOON) -> TransportAdapter: ...


@pytest.fixture
def no_leak() -> Iterator[None]:
    """Fail a test after which a descriptor is open that was not open before."""
    before = _descriptors().items()
    yield
    if _descriptors().items() - before:
        gc.collect()
    # Those of earlier tests, such as gRPC's, may be closed meanwhile.
    assert _descriptors().items() - before == set()


@pytest.fixture(params=STYLES)
def connect(request: pytest.FixtureRequest, no_leak: None) -> Iterator[Connect]:
    """Connects in each style; connections that a test leaves open are closed after it."""
    lines: list[TransportAdapter] = []
    if request.param == "blocking":

        def connect_blocking(endpoint: Endpoint, *, timeout: float = SOON) -> TransportAdapter:
            lines.append(BlockingAdapter(endpoint, timeout=timeout))
            return lines[-1]

        yield connect_blocking
        for line in lines:
            line.close()
        return

    factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:

        def connect_async(endpoint: Endpoint, *, timeout: float = SOON) -> TransportAdapter:
            lines.append(AsyncAdapter(endpoint, runner, timeout=timeout))
            return lines[-1]

        yield connect_async
        for line in lines:
            line.close()


def _descriptors() -> dict[str, str]:
    found = {}
    for link in Path("/proc/self/fd").iterdir():
        try:
            found[link.name] = str(link.readlink())
        except FileNotFoundError:  # the descriptor of the listing itself
            continue
    return found
