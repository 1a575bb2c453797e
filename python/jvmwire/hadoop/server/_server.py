"""Hadoop RPC servers on an event loop of the caller, or in a thread with its own loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime import threads
from jvmwire._times import to_seconds
from jvmwire.errors import NotStarted, StateError
from jvmwire.hadoop.server._connection import ServerConnection
from jvmwire.hadoop.server._dispatch import Dispatcher
from jvmwire.hadoop.server._options import RpcServerOptions
from jvmwire.hadoop.server._registry import Services
from jvmwire.transports._listen import ListeningSocket, listen

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Coroutine
    from datetime import timedelta

    from jvmwire.hadoop.rpc._interface import Interface
    from jvmwire.hadoop.server._metrics import MethodMetrics, ServerMetrics

DRAIN_TIMEOUT = 10.0
"""Seconds that accepted calls have to finish after the server is stopped. (Chosen by jvmwire.)"""
SWEEP = 1.0
"""Seconds between two checks for connections that exceed a timeout. (Chosen by jvmwire.)"""


class AsyncRpcServer:
    """Asyncio server of Hadoop RPC, which serves interfaces on one port.

    Args:
        options: Options of the server. Default: `RpcServerOptions()`.
    """

    def __init__(self, options: RpcServerOptions | None = None) -> None:
        self._options = options or RpcServerOptions()
        self._services = Services()
        self._dispatcher: Dispatcher | None = None
        self._listener: ListeningSocket | None = None
        self._sweeping: asyncio.TimerHandle | None = None

    def add(self, interface: type[Interface], implementation: object) -> None:
        """Serve an interface, and the older versions that it extends.

        Args:
            interface: The interface.
            implementation: Object with the interface's methods: coroutines, or functions, which run
                in threads.

        Raises:
            ConfigError: the interface is served already, or the implementation lacks a method.
        """
        self._services.add(interface, implementation)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Start to serve.

        Args:
            host: Address to listen at. Default: 127.0.0.1.
            port: Port to listen at. Default: 0, for a free port.

        Returns:
            The port.

        Raises:
            TransportError: the port is in use, or the address is not one of this machine.
            StateError: the server was started already.
        """
        if self._dispatcher is not None:
            raise StateError("this server was started already")
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
        """The port that the server listens at."""
        if self._listener is None:
            raise NotStarted("this server was not started")
        return self._listener.port

    def _sweep(self, dispatcher: Dispatcher) -> None:
        loop = asyncio.get_running_loop()
        dispatcher.close_idle(loop.time())
        self._sweeping = loop.call_later(SWEEP, self._sweep, dispatcher)

    @property
    def metrics(self) -> ServerMetrics:
        """The counters of the server's connections."""
        if self._dispatcher is None:
            raise NotStarted("this server was not started")
        return self._dispatcher.metrics

    @property
    def method_metrics(self) -> dict[str, MethodMetrics]:
        """The counters of each method that was called; versions that share a method are added
        up."""
        found: dict[str, MethodMetrics] = {}
        for served in self._services.methods:
            if served.metrics.calls:
                found.setdefault(served.name, type(served.metrics)()).include(served.metrics)
        return found

    async def stop(self, *, grace: float | timedelta = DRAIN_TIMEOUT) -> None:
        """Stop accepting calls, answer the accepted ones, and close all connections.

        Further calls of this method return at once.

        Args:
            grace: Seconds that accepted calls have to finish, or a `timedelta`. Default: 10.

        Raises:
            ConfigError: `grace` is negative or NaN.
        """
        grace = to_seconds("grace", grace)
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
    """Blocking server of Hadoop RPC, which runs in its own thread.

    Args:
        options: Options of the server. Default: `RpcServerOptions()`.
    """

    def __init__(self, options: RpcServerOptions | None = None) -> None:
        self._server = AsyncRpcServer(options)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def add(self, interface: type[Interface], implementation: object) -> None:
        """Serve an interface, and the older versions that it extends.

        Args:
            interface: The interface.
            implementation: Object with the interface's methods: coroutines, which run on the
                server's loop, or functions, which run in threads.

        Raises:
            ConfigError: the interface is served already, or the implementation lacks a method.
        """
        self._server.add(interface, implementation)

    def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Start to serve.

        Args:
            host: Address to listen at. Default: 127.0.0.1.
            port: Port to listen at. Default: 0, for a free port.

        Returns:
            The port.

        Raises:
            TransportError: the port is in use, or the address is not one of this machine; the
                thread has ended then.
            StateError: the server was started already.
        """
        if self._thread is not None:
            raise StateError("this server was started already")
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
        """The port that the server listens at."""
        return self._server.port

    @property
    def metrics(self) -> ServerMetrics:
        """The counters of the server's connections."""
        return self._server.metrics

    @property
    def method_metrics(self) -> dict[str, MethodMetrics]:
        """The counters of each method that was called; versions that share a method are added
        up."""
        return self._server.method_metrics

    def stop(self, *, grace: float | timedelta = DRAIN_TIMEOUT) -> None:
        """Stop accepting calls, answer the accepted ones, and close all connections.

        Further calls of this method return at once.

        Args:
            grace: Seconds that accepted calls have to finish, or a `timedelta`. Default: 10.

        Raises:
            ConfigError: `grace` is negative or NaN.
        """
        grace = to_seconds("grace", grace)
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
