"""Asyncio driver: runs operations for the tasks of one event loop, without a thread."""

from __future__ import annotations

import asyncio
import math
import threading
from contextlib import suppress
from time import time
from typing import TYPE_CHECKING, TypeVar

from jvmwire._runtime import process_hooks
from jvmwire._runtime.callback_tasks import CallbackTasks
from jvmwire._runtime.engine import Engine
from jvmwire._runtime.operations import MAX_CONNECTS, NOTHING, Task
from jvmwire.errors import WrongLoop, wrap_error
from jvmwire.options import CLOSE_TIMEOUT, Limits
from jvmwire.transports import AsyncTransport, transport_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from jvmwire._runtime.connection import EngineConnection
    from jvmwire._runtime.engine import ExternalCall
    from jvmwire._runtime.operations import AnyOperation, Operation, OperationStream
    from jvmwire.errors import JvmWireError

T = TypeVar("T")


class _TransportProtocol(asyncio.Protocol):
    """The transport of a connection, and the protocol that receives its callbacks."""

    def __init__(self, driver: AsyncDriver, connection: EngineConnection) -> None:
        self._driver = driver
        self._connection = connection
        self.connector: asyncio.Task[None] | None = None
        self.transport: AsyncTransport | None = None
        self.blocked = False
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self._driver.received(self._connection, data)

    def eof_received(self) -> bool:
        self._driver.received(self._connection, b"")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()
        self._driver.lost(self._connection, transport_error(exc))

    def close(self) -> None:
        """Begin to close: `connection_lost` follows after all written data is sent."""
        if self.transport is not None:
            self.transport.close()
        elif self.connector is not None:
            self.connector.cancel()

    async def end(self, linger: float) -> None:
        """Wait up to `linger` seconds for the end of the connection, then abort it."""
        if self.connector is not None:
            await asyncio.gather(self.connector, return_exceptions=True)
        if self.transport is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(linger):
                    await self.ended.wait()
            if not self.ended.is_set():
                self.transport.abort()
                await self.ended.wait()

    def pause_writing(self) -> None:
        self.blocked = True

    def resume_writing(self) -> None:
        self.blocked = False
        self._driver.on_writable(self._connection, self)


class AsyncDriver:
    """The connections of one client, shared by the tasks of one event loop.

    The driver belongs to the event loop of its first operation.
    """

    loop: asyncio.AbstractEventLoop
    """The event loop of all tasks that share the driver, from the first operation on."""

    def __init__(
        self,
        *,
        limits: Limits,
        trace: bool = False,
        on_done: Callable[[Task, float], None] | None = None,
        callbacks: int = 1,
    ) -> None:
        self._bound = False
        self._thread: int | None = None
        """The thread that runs the loop: looking at it is cheaper than asking for the loop, which
        takes a system call in Python 3.11."""
        self._binding = threading.Lock()
        self._callbacks = CallbackTasks(callbacks)
        self._engine = Engine(
            limits=limits, dispatch=self._callbacks.dispatch, wall_time=time, trace=trace
        )
        self._on_done = on_done
        self._links: dict[EngineConnection, _TransportProtocol] = {}
        self._futures: dict[Task, asyncio.Future[None]] = {}
        self._flushing = False
        self._connecting = 0
        """Number of connection attempts in progress."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_due = math.inf
        self._drained: asyncio.Event | None = None
        self._orphaned = False
        process_hooks.register(self)

    @property
    def closed(self) -> bool:
        """Whether new operations are refused."""
        return self._engine.closed

    @property
    def state(self) -> str:
        """The state of the client, for `repr`."""
        return "of another process" if self._orphaned else self._engine.state

    def bind(self) -> None:
        """Bind the driver to the running loop, or check that it is bound to it.

        Raises:
            WrongLoop: the driver is bound to another loop.
        """
        loop = asyncio.get_running_loop()
        with self._binding:
            if not self._bound:
                self.loop, self._bound = loop, True
        if self.loop is not loop:
            raise WrongLoop(
                "this client belongs to the event loop of its first call, which is not the running "
                "one: create a client per event loop"
            )
        self._thread = threading.get_ident()

    async def run(self, operation: Operation[T], name: str, timeout: float | None) -> T:
        """Run an operation to its end and return its result."""
        task = self._start(operation, name, timeout)
        if not task.done:
            future = self._futures[task] = self.loop.create_future()
            try:
                await future
            except BaseException:
                self._cancel(task)
                self._report(task)
                raise
        if self._on_done is not None:
            self._report(task)
        if task.error is not None:
            raise task.error
        result: T = task.result
        return result

    async def iterate(
        self, operation: OperationStream[T], name: str, timeout: float | None
    ) -> AsyncIterator[T]:
        """Yield the values that an operation emits; `timeout` applies to each value."""
        task = self._start(operation, name, timeout)
        try:
            while True:
                if not task.done and task.emitted is NOTHING:
                    future = self._futures[task] = self.loop.create_future()
                    await future
                if task.emitted is NOTHING:
                    break
                yield task.emitted
                if self._orphaned:
                    process_hooks.refuse(operation)
                self._engine.resume_stream(task, self.loop.time())
                self._flush()
        finally:
            self._cancel(task)
            self._report(task)
        if task.error is not None:
            raise task.error

    def _start(self, operation: AnyOperation, name: str, timeout: float | None) -> Task:
        if self._orphaned:
            process_hooks.refuse(operation)
        if self._thread != threading.get_ident() or not self.loop.is_running():
            try:
                self.bind()
            except WrongLoop:
                operation.close()
                raise
        task = self._engine.start(operation, name, self.loop.time(), timeout, self._wake)
        if not self._futures:
            self._flush()
        elif not self._flushing:
            # Other calls are in flight: commands of this turn of the event loop are written
            # together.
            self._flushing = True
            self.loop.call_soon(self._flush)
        return task

    def _wake(self, task: Task) -> None:
        future = self._futures.pop(task, None)
        if future is not None and not future.done():
            future.set_result(None)
        if self._drained is not None and not self._engine.busy:
            self._drained.set()

    def _cancel(self, task: Task) -> None:
        self._futures.pop(task, None)
        if not self._orphaned and (not task.done or task.undo is not None):
            self._engine.cancel(task, self.loop.time())
            self._flush()

    def _report(self, task: Task) -> None:
        if self._on_done is not None and not self._orphaned:
            self._on_done(task, self.loop.time())

    # Methods called by transports.

    def received(self, connection: EngineConnection, data: bytes) -> None:
        """Process a received chunk, or `b""` for the end of the stream."""
        self._engine.received(connection, data, self.loop.time())
        self._flush()

    def lost(self, connection: EngineConnection, failure: JvmWireError) -> None:
        """Process the end of a transport."""
        self._links.pop(connection, None)
        self._engine.lost(connection, failure, self.loop.time())
        self._flush()

    def on_writable(self, connection: EngineConnection, link: _TransportProtocol) -> None:
        """Continue to send data that waited for the transport."""
        if link.transport is not None:
            connection.unsent = link.transport.get_write_buffer_size()
            self._engine.on_writable(connection, self.loop.time())
            self._flush()

    # Execution of the engine's requests.

    def _flush(self) -> None:
        self._flushing = False
        engine = self._engine
        while (
            engine.dirty
            or (engine.opening and self._may_connect())
            or engine.closing
            or engine.external_calls
        ):
            while engine.external_calls:
                engine.begin(
                    engine.external_calls.pop(), self._schedule_external_done, self.loop.time()
                )
            while engine.opening and self._may_connect():
                self._open(engine.opening.pop())
            while engine.dirty:
                connection, _ = engine.dirty.popitem()
                link = self._links.get(connection)
                if link is not None and link.transport is not None:
                    self._write(connection, link, link.transport)
            while engine.closing:
                if (link := self._links.get(engine.closing.pop())) is not None:
                    link.close()
        due = engine.due
        if due < self._timer_due:
            self._set_timer(due)

    def _schedule_external_done(self, external_call: ExternalCall) -> None:
        """Schedule the result of an external call on the event loop, from any thread."""
        with suppress(RuntimeError):  # the event loop has ended: no task waits
            self.loop.call_soon_threadsafe(self._on_external_done, external_call)

    def _on_external_done(self, external_call: ExternalCall) -> None:
        self._engine.external_done(external_call, self.loop.time())
        self._flush()

    def _write(
        self, connection: EngineConnection, link: _TransportProtocol, transport: AsyncTransport
    ) -> None:
        if transport.is_closing():  # `connection_lost` follows
            return
        data = self._engine.data_to_send(connection, self.loop.time())
        if data:
            transport.write(data)
            if link.blocked:
                connection.unsent = transport.get_write_buffer_size()
            elif connection.waiting:
                self._engine.on_writable(connection, self.loop.time())

    def _set_timer(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_due = due
        self._timer = self.loop.call_at(due, self._on_timer)

    def _on_timer(self) -> None:
        self._timer, self._timer_due = None, math.inf
        self._engine.handle_timeout(self.loop.time())
        self._flush()
        due = self._engine.due
        if self._timer is None and due < math.inf:
            self._set_timer(due)

    def _may_connect(self) -> bool:
        return self._connecting < MAX_CONNECTS

    def _open(self, connection: EngineConnection) -> None:
        self._connecting += 1
        link = self._links[connection] = _TransportProtocol(self, connection)
        link.connector = self.loop.create_task(self._connect(connection, link))

    async def _connect(self, connection: EngineConnection, link: _TransportProtocol) -> None:
        try:
            link.transport = await connection.endpoint.connect_async(
                link, timeout=connection.timeout
            )
        except Exception as error:  # passed to the task that waits for the connection
            self.lost(connection, wrap_error(error, f"connect to {connection.endpoint}"))
        else:
            if connection.alive:
                self._engine.connected(connection, self.loop.time())
                self._flush()
            else:
                link.transport.abort()
        finally:
            self._connecting -= 1
            if link.transport is None:
                self._links.pop(connection, None)
            if self._engine.opening and self._may_connect():
                self._flush()

    async def close(self, *, linger: float = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give open calls `linger` seconds, then close; safe to call twice."""
        if self._orphaned:
            return
        self.bind()
        self._engine.stop_accepting()
        if self._engine.busy and linger > 0 and self._drained is None:
            self._drained = asyncio.Event()
            with suppress(TimeoutError):
                async with asyncio.timeout(linger):
                    await self._drained.wait()
        self._close_now()
        links = list(self._links.values())
        await self._callbacks.close()
        await asyncio.gather(*(link.end(linger) for link in links))

    def _close_now(self) -> None:
        self._engine.close(self.loop.time())
        self._flush()
        if self._timer is not None:
            self._timer.cancel()
            self._timer, self._timer_due = None, math.inf
        process_hooks.unregister(self)

    def close_soon(self) -> None:
        """Schedule the close on the event loop, for finalizers; without a loop nothing is open."""
        if self._bound and not self._orphaned and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._close_now)

    def close_at_exit(self) -> None:
        """Do nothing: the event loop and its transports have ended by then."""

    def invalidate_after_fork(self) -> None:
        """Mark the driver as unusable in a forked child."""
        self._orphaned = True
