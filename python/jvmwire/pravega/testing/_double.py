"""A double of Pravega: a segment store, and with gRPC a controller, in a thread of this process."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from jvmwire._checks import check_range
from jvmwire._faults import Fault, Faults
from jvmwire._runtime import threads
from jvmwire.errors import ConfigError, NotStarted, StateError
from jvmwire.pravega.errors import PravegaError
from jvmwire.pravega.testing._refusals import Refusal
from jvmwire.pravega.testing._segments import Segments
from jvmwire.pravega.testing._store import Store
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from typing import Self

    from jvmwire.pravega.testing._controller import ControllerServer

T = TypeVar("T")

MAX_BYTES = 256 << 20
"""The default of `max_bytes`."""
MAX_SEGMENTS = 100_000
"""The default of `max_segments`; an empty one takes about 500 bytes."""
MAX_CONNECTIONS = 1000
"""The default of `max_connections`."""
MAX_WAITING_READS = 10_000
"""The default of `max_waiting_reads`."""
MAX_LONG = (1 << 63) - 1


class PravegaDouble:
    """Double of a segment store of Pravega, and of its controller, for tests without a JVM.

    It is no Pravega: it keeps its segments in memory, at most `max_bytes`, and they end with the
    object. It has no long-term storage, no automatic scaling, no retention and no watermarks. What
    it answers is held by the tests that a real Pravega passes.

    Args:
        host: Address to listen at. Default: 127.0.0.1.
        port: Port of the segment store. Default: 0, for a free port.
        controller: Whether there is a controller, for streams; it needs the extra `pravega`.
            Default: False.
        controller_port: Port of the controller. Default: 0, for a free port.
        delegation_token: The token that commands to the segment store must carry, and that the
            controller returns. Default: `""`, for any.
        max_bytes: Bytes of all segments and tables, at most. Default: 256 MiB.
        max_segments: Number of segments and tables, at most. Default: 100,000.
        max_connections: Clients of the segment store at a time, at most. Default: 1000.
        max_waiting_reads: Reads that wait for bytes, at most; more are answered at once, without
            bytes. Default: 10,000.

    Raises:
        ConfigError: a value is out of its range.
        MissingExtra: the controller needs packages that are not installed.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        controller: bool = False,
        controller_port: int = 0,
        delegation_token: str = "",
        max_bytes: int = MAX_BYTES,
        max_segments: int = MAX_SEGMENTS,
        max_connections: int = MAX_CONNECTIONS,
        max_waiting_reads: int = MAX_WAITING_READS,
    ) -> None:
        self.host = host
        self.faults = Faults()
        """The failures that commands and calls have."""
        self._port = check_range("port", port, 0, 65535)
        self._token = delegation_token
        self._max_connections = check_range("max_connections", max_connections, 1, MAX_LONG)
        self._segments = Segments(
            check_range("max_bytes", max_bytes, 0, MAX_LONG),
            check_range("max_segments", max_segments, 1, MAX_LONG),
            check_range("max_waiting_reads", max_waiting_reads, 0, MAX_LONG),
            _milliseconds,
        )
        self._controller: ControllerServer | None = None
        if controller:
            import_module("jvmwire.pravega.streams")  # names the extra if a package is missing
            from jvmwire.pravega.testing._controller import ControllerServer

            self._controller = ControllerServer(
                self._segments,
                self.faults,
                (host, check_range("controller_port", controller_port, 0, 65535)),
                delegation_token,
                _milliseconds,
            )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._store_port: int | None = None

    # Life

    def start(self) -> Self:
        """Start to serve.

        Returns:
            This double.

        Raises:
            TransportError: a port is in use, or the address is not one of this machine.
            StateError: the double serves already.
        """
        if self._thread is not None:
            raise StateError("this double serves already")
        started: Future[int] = Future()
        thread = threads.start_thread(
            "jvmwire Pravega double", self._run, started, purpose="serve a double of Pravega"
        )
        self._store_port = started.result()
        self._thread = thread
        if self._controller is not None and self._loop is not None:
            try:
                self._controller.start(self._loop, (self.host, self._store_port))
            except BaseException:
                self.stop()
                raise
        return self

    def stop(self) -> None:
        """Stop to serve; the segments stay as they are, and `start` serves them again."""
        if self._thread is None or self._loop is None:
            return
        if self._controller is not None:
            self._controller.stop()
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()
        self._thread = self._loop = self._store_port = None

    def _run(self, started: Future[int]) -> None:
        async def serve() -> None:
            self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
            store = Store(self._segments, self.faults, self._max_connections, self._token)
            try:
                port = await store.start(self.host, self._port)
            except BaseException as error:
                started.set_exception(error)
                return
            started.set_result(port)
            await self._ended.wait()
            await store.close()

        asyncio.run(serve())

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """The port of the segment store."""
        if self._store_port is None:
            raise NotStarted("this double was not started")
        return self._store_port

    @property
    def address(self) -> str:
        """The address of the segment store, as `host:port`."""
        return str(Tcp(self.host, self.port))

    @property
    def controller_port(self) -> int:
        """The port of the controller."""
        if self._controller is None:
            raise NotStarted("this double has no controller: pass controller=True")
        if self._thread is None:
            raise NotStarted("this double was not started")
        return self._controller.port

    @property
    def controller(self) -> str:
        """The address of the controller, as `host:port`."""
        return str(Tcp(self.host, self.controller_port))

    # Control

    def create_segment(self, name: str) -> None:
        """Create an empty segment.

        Args:
            name: Its full name, such as `scope/stream/0.#epoch.0`.

        Raises:
            PravegaError: a segment of that name exists, or there are too many.
            ConfigError: the name is empty.
        """
        if not name:
            raise ConfigError("the name of a segment must not be empty")
        try:
            self._within_loop(partial(self._segments.create, name))
        except Refusal as refusal:
            raise refusal.error() from None

    def _within_loop(self, do: Callable[[], T]) -> T:
        """Call a function in the thread that serves, if there is one, and return its result."""
        if self._loop is None:
            return do()

        async def call() -> T:
            return do()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()

    def fail(self, fault: Fault) -> None:
        """Let commands and calls fail.

        Args:
            fault: The failure.

        Raises:
            ConfigError: its error is none of `jvmwire.pravega.errors`.
        """
        if fault.error is not None and not isinstance(fault.error, PravegaError):
            kind = type(fault.error).__name__
            raise ConfigError(f"error must be a PravegaError, got {kind}")
        self.faults.add(fault)

    def __repr__(self) -> str:
        if self._thread is None:
            return "<PravegaDouble not started>"
        places = f"store {self.address}"
        if self._controller is not None:
            places += f", controller {self.controller}"
        return f"<PravegaDouble {places}>"


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000
