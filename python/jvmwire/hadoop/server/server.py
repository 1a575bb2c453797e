"""A server of Hadoop RPC: on a loop, or in a thread with a loop of its own."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime import threads
from jvmwire.errors import LocalProtocolError
from jvmwire.hadoop.server.connection import ServerConnection
from jvmwire.hadoop.server.dispatch import Dispatcher
from jvmwire.hadoop.server.options import RpcServerOptions
from jvmwire.hadoop.server.registry import Services
from jvmwire.transports.listen import ListeningSocket, listen

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Coroutine

    from jvmwire.hadoop.interface import Interface
    from jvmwire.hadoop.server.metrics import MethodMetrics, ServerMetrics

DRAIN_TIMEOUT = 10.0
"""Seconds that calls taken on have until a server that stops cuts them off. Ours."""
SWEEP = 1.0
"""Seconds between two looks for connections on which nothing moves. Ours."""


class AsyncRpcServer:
    """Serves interfaces on one port, to the clients of one loop."""

    def __init__(self, options: RpcServerOptions | None = None) -> None:
        self._options = options or RpcServerOptions()
        self._services = Services()
        self._dispatcher: Dispatcher | None = None
        self._listener: ListeningSocket | None = None
        self._sweeping: asyncio.TimerHandle | None = None

    def add(self, interface: type[Interface], implementation: object) -> None:
        """Serve an interface by what has its methods: coroutines, or functions, run in threads.

        Older versions of it, which it extends, are served too.

        Raises:
            ConfigError: it is served already, or not all of it is implemented.
        """
        self._services.add(interface, implementation)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Begin to serve; return the port.

        Raises:
            TransportError: the port is taken, or is none of this machine.
        """
        if self._dispatcher is not None:
            raise LocalProtocolError("this server was started already")
        dispatcher = Dispatcher(self._services, self._options)
        try:
            self._listener = await listen(
                lambda: ServerConnection(dispatcher), host, port, recorder=self._options.recorder
            )
        except BaseException:
            await dispatcher.close()
            raise
        self._dispatcher = dispatcher
        self._sweep(dispatcher)
        return self._listener.port

    @property
    def port(self) -> int:
        """The port that is served."""
        if self._listener is None:
            raise LocalProtocolError("this server was not started")
        return self._listener.port

    def _sweep(self, dispatcher: Dispatcher) -> None:
        loop = asyncio.get_running_loop()
        dispatcher.close_idle(loop.time())
        self._sweeping = loop.call_later(SWEEP, self._sweep, dispatcher)

    @property
    def metrics(self) -> ServerMetrics:
        """What was counted of the connections."""
        if self._dispatcher is None:
            raise LocalProtocolError("this server was not started")
        return self._dispatcher.metrics

    @property
    def method_metrics(self) -> dict[str, MethodMetrics]:
        """What was counted of each method that was called: of versions that share it, the sum."""
        found: dict[str, MethodMetrics] = {}
        for served in self._services.methods:
            if served.metrics.calls:
                found.setdefault(served.name, type(served.metrics)()).include(served.metrics)
        return found

    async def stop(self, *, grace: float = DRAIN_TIMEOUT) -> None:
        """Take on no more, answer what was taken on, end the rest. Twice is fine."""
        listener, dispatcher = self._listener, self._dispatcher
        if listener is None or dispatcher is None or dispatcher.stopping:
            return
        listener.close()
        if self._sweeping is not None:
            self._sweeping.cancel()
        until = asyncio.get_running_loop().time() + grace
        await dispatcher.drain(grace)
        await dispatcher.close_connections(until)
        await dispatcher.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()


class RpcServer:
    """The same server, in a thread of its own."""

    def __init__(self, options: RpcServerOptions | None = None) -> None:
        self._server = AsyncRpcServer(options)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def add(self, interface: type[Interface], implementation: object) -> None:
        """Serve an interface by what has its methods; coroutines run on the server's own loop.

        Raises:
            ConfigError: it is served already, or not all of it is implemented.
        """
        self._server.add(interface, implementation)

    def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Begin to serve; return the port.

        Raises:
            TransportError: the port is taken, or is none of this machine; no thread is left.
        """
        if self._thread is not None:
            raise LocalProtocolError("this server was started already")
        started: Future[int] = Future()
        arguments = (host, port, started)
        self._thread = threads.start_thread(
            "jvmwire server", self._run, *arguments, purpose="serve"
        )
        return started.result()

    def _run(self, host: str, port: int, started: Future[int]) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            self._ended = asyncio.Event()
            try:
                started.set_result(await self._server.start(host, port))
            except BaseException as error:
                started.set_exception(error)
                return
            await self._ended.wait()

        asyncio.run(serve())

    @property
    def port(self) -> int:
        """The port that is served."""
        return self._server.port

    @property
    def metrics(self) -> ServerMetrics:
        """What was counted of the connections."""
        return self._server.metrics

    @property
    def method_metrics(self) -> dict[str, MethodMetrics]:
        """What was counted of each method that was called."""
        return self._server.method_metrics

    def stop(self, *, grace: float = DRAIN_TIMEOUT) -> None:
        """Take on no more, answer what was taken on, end the rest. Twice is fine."""
        thread, loop = self._thread, self._loop
        if thread is None or loop is None or not thread.is_alive():
            return
        self._within(loop, lambda: self._server.stop(grace=grace))
        loop.call_soon_threadsafe(self._ended.set)
        thread.join()

    def _within(
        self, loop: asyncio.AbstractEventLoop, do: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        asyncio.run_coroutine_threadsafe(do(), loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
