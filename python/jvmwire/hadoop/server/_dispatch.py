"""Dispatcher of a server's calls: coroutines run in tasks of the loop, other methods in threads."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmwire._escaping import audit_value, get_logger
from jvmwire.errors import ConnectFailed, DecodeError
from jvmwire.hadoop._instance import PROTOCOL as INSTANCE_PROTOCOL
from jvmwire.hadoop.errors import HadoopError
from jvmwire.hadoop.sasl._server import SaslServer
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._call import CallBatch, Disconnect, RpcCall, ServedCall, _current
from jvmwire.hadoop.server._error_responses import from_exception, make_error
from jvmwire.hadoop.server._metrics import ServerMetrics
from jvmwire.hadoop.server._retry_cache import CacheEntry, RetryCache
from jvmwire.hadoop.server._session import HadoopServerSession

if TYPE_CHECKING:
    from jvmwire.hadoop.server._connection import ServerConnection
    from jvmwire.hadoop.server._options import RpcServerOptions
    from jvmwire.hadoop.server._registry import MethodBinding, Services

CLIENT_CLOSE_TIMEOUT = 1.0
"""Seconds that clients with all their answers have to close after the server stops (chosen by
jvmwire)."""

_log = get_logger("jvmwire.hadoop.server")
_audit = logging.getLogger("jvmwire.hadoop.audit")
"""A plain logger: `audit_value` escapes each value of a record."""
_IDENTIFIER = re.compile(r"[A-Za-z0-9_$]+")
"""Names of methods in Java that need no quotes."""


class _PendingCall(NamedTuple):
    """Call or batch that waits or is executed."""

    connection: ServerConnection
    asked: RpcCall | CallBatch
    calls: int
    served: MethodBinding
    since: float
    remembered: CacheEntry | None = None

    def begin(self) -> None:
        """Set the current call for the code that runs next."""
        _current.set(self.asked if isinstance(self.asked, RpcCall) else None)


class _ThreadResult(NamedTuple):
    """Outcome of a call or batch that a thread has executed."""

    waiting: _PendingCall
    began: float
    result: Any
    error: Exception | None


class Dispatcher:
    """Queues, executes and answers the calls of all connections of a server.

    Args:
        services: The protocols that the server serves.
        options: The options of the server.
    """

    def __init__(self, services: Services, options: RpcServerOptions) -> None:
        self.options = options
        self.metrics = ServerMetrics()
        self.connections: dict[ServerConnection, None] = {}
        self.stopping = False
        self._services = services
        self._loop = asyncio.get_running_loop()
        self._free_bytes = options.queue_bytes >> 1
        """The bytes of open calls up to which every call is accepted."""
        self._buffered = 0
        self._answered = RetryCache(
            seconds=options.remember_seconds,
            calls=options.remember_calls,
            limit=options.remember_bytes,
            trusting=options.trust_retries,
        )
        self._queue: deque[_PendingCall] = deque()
        """The calls that wait for a task; calls that wait for a thread are in the pool's queue."""
        self._queued = 0
        """The number of calls that wait for a task."""
        self._in_threads = 0
        self._threads = ThreadPoolExecutor(options.threads, thread_name_prefix="jvmwire call")
        try:
            self._threads.submit(int)  # starts the first thread
        except (RuntimeError, MemoryError) as error:
            raise ConnectFailed(f"cannot start a thread for the server's calls: {error}") from error
        self._done: deque[_ThreadResult] = deque()
        self._workers: set[asyncio.Task[None]] = set()
        self._idle: list[asyncio.Future[None]] = []
        self._waking = False
        self._to_flush: dict[ServerConnection, None] = {}
        self._flushing = False
        self._drained: asyncio.Event | None = None
        self._emptied: asyncio.Event | None = None

    # Methods that connections call.

    def new_session(self, address: str) -> HadoopServerSession:
        """Return the session of a new connection.

        Args:
            address: Address of the client.

        Returns:
            The session.
        """
        options = self.options
        sasl = None
        if options.secrets is not None:
            sasl = SaslServer(options.secrets, protections=options.protections)
        return HadoopServerSession(
            address=address,
            engines=self._services.engines,
            data_limit=options.data_limit,
            beta=options.beta,
            sasl=sasl,
            user_of=options.user_of_token,
        )

    def connected(self, connection: ServerConnection) -> bool:
        """Register a connection; return False if there are too many.

        Args:
            connection: The connection.

        Returns:
            Whether the connection may stay.
        """
        self.metrics.accepted += 1
        if self.stopping or len(self.connections) >= self.options.max_connections:
            self.metrics.rejected += 1
            _log.warning(
                "%s: turned away: %d are connected", connection.address, len(self.connections)
            )
            return False
        self.connections[connection] = None
        self.metrics.connections = len(self.connections)
        return True

    def disconnected(self, connection: ServerConnection, error: Exception | None) -> None:
        """Deregister a connection; its calls are executed nevertheless.

        Args:
            connection: The connection.
            error: Error that ended the connection, if any.
        """
        if error is not None:
            _log.info("%s: the connection was lost: %s", connection.address, error)
        self.connections.pop(connection, None)
        self.metrics.connections = len(self.connections)
        if self._emptied is not None and not self.connections:
            self._emptied.set()
        self._buffered -= connection.buffered
        connection.buffered = 0
        self.owes(connection, 0)
        self._to_flush.pop(connection, None)

    def update_buffered(self, connection: ServerConnection, buffered: int) -> bool:
        """Count the bytes of a connection's incomplete requests.

        Args:
            connection: The connection.
            buffered: Bytes of its incomplete requests.

        Returns:
            Whether the bytes of all connections are within `buffer_limit`.
        """
        self._buffered += buffered - connection.buffered
        connection.buffered = buffered
        return self._buffered <= self.options.buffer_limit

    def owes(self, connection: ServerConnection, unsent: int) -> None:
        """Count the bytes of answers that a client has not read; beyond the limit, abort the worst.

        Args:
            connection: The connection of the client.
            unsent: Bytes of its unsent answers.
        """
        metrics = self.metrics
        total = metrics.unsent_bytes + unsent - connection.unsent_bytes
        connection.unsent_bytes = unsent
        worst = None
        if total > self.options.unsent_limit:
            worst = max(self.connections, key=lambda each: each.unsent_bytes, default=None)
        if worst is None or not worst.unsent_bytes:
            metrics.unsent_bytes = total
            return
        # Other threads read the metrics: the sum is within the limit whenever they look.
        owed, worst.unsent_bytes = worst.unsent_bytes, 0
        metrics.unsent_bytes = total - owed
        metrics.timeouts += 1
        _log.warning(
            "%s: ended: it has not read %d bytes of answers, and all clients together %d",
            worst.address,
            owed,
            total,
        )
        worst.abort()

    def flush_soon(self, connection: ServerConnection) -> None:
        """Write the answers of this iteration of the loop at its end, as one write per connection.

        Args:
            connection: The connection with answers to write.
        """
        self._to_flush[connection] = None
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        while self._to_flush:
            self._to_flush.popitem()[0].flush()

    def refused(self, error: Exception) -> HadoopError:
        """Return the error that a client receives for an exception of a hook.

        Args:
            error: Exception that the hook raised.

        Returns:
            The error.
        """
        if not isinstance(error, (HadoopError, PermissionError)):
            _log.error("a hook of the server failed", exc_info=error)
        return from_exception(error)

    # From a call to its answer.

    def called(self, connection: ServerConnection, batch: CallBatch) -> None:
        """Accept or refuse calls.

        Args:
            connection: The connection of the calls.
            batch: The calls.
        """
        calls, size = len(batch), batch.bytes_per_call
        self.metrics.open_calls += calls
        now = self._loop.time()
        try:
            served = self._services.find(batch)
            if served.batched:
                self._authorize(batch, served)
        except HadoopError as error:
            self._count_bytes(connection, calls * size)
            self._refuse_all(connection, batch, error)
            return
        if batch.protocol == INSTANCE_PROTOCOL:
            # Neither queued nor authorized: the client waits for it before its first call.
            connection.knows_instance = True
            self._count_bytes(connection, calls * size)
            for call in batch:
                self._send_result(connection, call, served, served.function(), None)
            return
        if served.batched:
            self._count_bytes(connection, calls * size)
            self._take_together(connection, batch, served, now)
        elif self.metrics.open_bytes + calls * size <= self._free_bytes:
            # There is room for all of them, so they are counted at once.
            self._count_bytes(connection, calls * size)
            for call in batch:
                self._accept(connection, call, served, now)
        else:
            for call in batch:
                self._count_bytes(connection, size)
                self._accept(connection, call, served, now)

    def _take_together(
        self, connection: ServerConnection, batch: CallBatch, served: MethodBinding, now: float
    ) -> None:
        """Accept as many calls of a batch as there is room for, and refuse the others."""
        room = min(len(batch), max(self._room(), 0)) if self._has_bytes(connection, batch) else 0
        if room:
            self._wait(_PendingCall(connection, batch.first(room), room, served, now))
        for index in range(room, len(batch)):
            self._finish(connection, batch[index], self._too_busy())

    def _accept(
        self, connection: ServerConnection, call: RpcCall, served: MethodBinding, now: float
    ) -> None:
        """Accept a call, or answer it from the retry cache."""
        remembered = None
        at_most_once = served.method.at_most_once
        try:
            try:
                self._authorize(call, served)
                if self._room() <= 0 or not self._has_bytes(connection, call):
                    raise self._too_busy()
            except HadoopError as error:
                if at_most_once:
                    raise self._answered.refused(call, error) from error
                raise
            if at_most_once:
                send = partial(self._send_result, connection, call, served)
                remembered = self._answered.begin(
                    call, now, send, same_instance=connection.knows_instance
                )
                if remembered is None:
                    self.metrics.retry_cache_hits += 1
                    return
        except HadoopError as error:
            self._finish(connection, call, error)
            return
        self._wait(_PendingCall(connection, call, 1, served, now, remembered))

    def _room(self) -> int:
        """Return how many more calls may wait."""
        return self.options.call_queue - self._queued - self._in_threads

    def _has_bytes(self, connection: ServerConnection, asked: RpcCall | CallBatch) -> bool:
        """Return whether there is room for the bytes of a call, which are counted already."""
        half = self._free_bytes
        if self.metrics.open_bytes <= half:
            return True
        alone = connection.open_bytes <= asked.bytes_per_call
        if alone and self.metrics.open_bytes == connection.open_bytes:
            return True
        return connection.open_bytes <= half // self.options.max_connections

    def _count_bytes(self, connection: ServerConnection, size: int) -> None:
        self.metrics.open_bytes += size
        connection.open_bytes += size

    def _too_busy(self) -> HadoopError:
        self.metrics.too_busy += 1
        # Clients in other languages search for this text of Java's server.
        return make_error("ERROR_RPC_SERVER", _error_responses.RETRIABLE, "Server too busy")

    def _wait(self, waiting: _PendingCall) -> None:
        if waiting.served.is_async:
            self._queue.append(waiting)
            self._queued += waiting.calls
            self._wake()
        else:
            self._in_threads += waiting.calls
            # If the system starts no more threads, the call stays in the queue of the pool's other
            # threads; the first one was started with the server.
            with suppress(RuntimeError, MemoryError):
                self._threads.submit(self._in_thread, waiting)

    def _authorize(self, call: RpcCall | CallBatch, served: MethodBinding) -> None:
        authorize = self.options.authorize
        if authorize is None:
            return
        try:
            authorize(call.caller, served.method)
        except Exception as error:
            raise self.refused(error) from error

    def _wake(self) -> None:
        """Wake or start one more worker, unless one is about to take the next call."""
        if self._waking or not self._queue:
            return
        if self._idle:
            self._waking = True
            self._idle.pop().set_result(None)
        elif len(self._workers) < self.options.concurrency:
            self._waking = True
            worker = self._loop.create_task(self._work(), name="jvmwire calls")
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        while True:
            self._waking = False
            while self._queue:
                waiting = self._queue.popleft()
                self._queued -= waiting.calls
                # While this call awaits something, another worker may continue.
                self._wake()
                began = self._loop.time()
                waiting.begin()
                result = error = None
                try:
                    served = waiting.served
                    result = await served.function(*served.arguments(waiting.asked))
                except Exception as raised:  # any exception is sent to the client
                    error = raised
                self._carried_out(waiting, began, result, error)
            idle = self._loop.create_future()
            self._idle.append(idle)
            await idle

    def _in_thread(self, waiting: _PendingCall) -> None:
        began = self._loop.time()
        waiting.begin()
        result = error = None
        try:
            served = waiting.served
            result = served.function(*served.arguments(waiting.asked))
        except Exception as raised:  # any exception is sent to the client
            error = raised
        self._done.append(_ThreadResult(waiting, began, result, error))
        self._loop.call_soon_threadsafe(self._take_done)

    def _take_done(self) -> None:
        while self._done:
            done = self._done.popleft()
            self._in_threads -= done.waiting.calls
            self._carried_out(done.waiting, done.began, done.result, done.error)

    def _carried_out(
        self, waiting: _PendingCall, began: float, result: Any, error: Exception | None
    ) -> None:
        connection, asked, calls, served, since, remembered = waiting
        if isinstance(error, Disconnect):
            connection.abort()
            if error.result is not None:
                result, error = error.result, None
        if isinstance(asked, CallBatch):
            errors = self._send_results(connection, asked, served, result, error)
        else:
            if remembered is not None:
                error = self._remember(remembered, asked, served, result, error)
            errors = int(self._send_result(connection, asked, served, result, error))
        now = self._loop.time()
        served.metrics.add(began - since, now - began, calls=calls, errors=errors)
        if (on_call := self.options.on_call) is not None:
            report = ServedCall(
                *(asked.protocol, asked.method, asked.caller, calls, errors),
                *(began - since, now - began, error),
            )
            try:
                on_call(report)
            except Exception as wrong:  # the call has been answered
                _log.error("on_call of the server failed", exc_info=wrong)

    def _remember(
        self,
        remembered: CacheEntry,
        call: RpcCall,
        served: MethodBinding,
        result: Any,
        error: Exception | None,
    ) -> Exception | None:
        """Add the outcome of a call to the retry cache; return the error to answer with, if any."""
        size, unwritable = 0, None
        if error is None:
            try:
                size = _size_of(result, call, served)
            except Exception as wrong:  # the method returned a wrong type
                unwritable = self._unwritable(served, wrong)
        self._answered.end(
            remembered, result, error, self._loop.time(), size=size, unwritable=unwritable
        )
        return error or unwritable

    def _send_results(
        self,
        connection: ServerConnection,
        batch: CallBatch,
        served: MethodBinding,
        results: Any,
        error: Exception | None,
    ) -> int:
        """Answer a batch; return the number of refused calls."""
        if error is None and not (isinstance(results, list) and len(results) == len(batch)):
            returned = (
                f"{len(results)} results" if isinstance(results, list) else repr(type(results))
            )
            error = self._unwritable(served, TypeError(f"{returned} for {len(batch)} calls"))
        if error is not None:
            return self._refuse_all(connection, batch, self._error_response(served, error))
        java_class = served.method.result if served.method.messages is None else None
        answered = errors = 0
        while answered < len(batch):
            outcome = results[answered]
            refused = None
            written = 1
            if isinstance(outcome, Exception):
                refused = self._error_response(served, outcome)
            else:
                try:
                    written = connection.answer(
                        batch.calls, java_class, results, at=answered, first=answered
                    )
                except Exception as wrong:  # the method returned a wrong type
                    refused = self._unwritable(served, wrong)
            if refused is None:
                self._answered_all(connection, batch, range(answered, answered + written))
            else:
                errors += 1
                self._finish(connection, batch[answered], refused)
            answered += written
        return errors

    def _refuse_all(
        self, connection: ServerConnection, batch: CallBatch, error: HadoopError
    ) -> int:
        for call in batch:
            self._finish(connection, call, error)
        return len(batch)

    def _send_result(
        self,
        connection: ServerConnection,
        call: RpcCall,
        served: MethodBinding,
        result: Any,
        error: Exception | None,
    ) -> bool:
        """Answer a call; return whether it was refused."""
        refused = None
        if error is None:
            try:
                if served.method.messages is None:
                    java_class, value = served.method.result, result
                else:
                    java_class, value = None, served.message(result)
                connection.answer(call.calls, java_class, [value], first=call.index)
            except Exception as wrong:  # the method returned a wrong type
                refused = self._unwritable(served, wrong)
        else:
            refused = self._error_response(served, error)
        self._finish(connection, call, refused)
        return refused is not None

    def _error_response(self, served: MethodBinding, error: Exception) -> HadoopError:
        """Return the error that a client receives for an exception of a method."""
        if not isinstance(error, (HadoopError, DecodeError, OSError)):
            _log.warning("%s failed", served.name, exc_info=error)
        return from_exception(error)

    def _unwritable(self, served: MethodBinding, wrong: Exception) -> HadoopError:
        _log.error("%s: its result cannot be written", served.name, exc_info=wrong)
        text = f"{type(wrong).__name__}: {wrong}"
        return make_error("ERROR_SERIALIZING_RESPONSE", _error_responses.APPLICATION, text)

    def _finish(
        self, connection: ServerConnection, call: RpcCall, error: HadoopError | None
    ) -> None:
        if error is not None:
            connection.refuse(call, error)
        if _audit.isEnabledFor(logging.INFO):
            _note(call, error)
        self._finished(connection, 1, call.calls.bytes_per_call)

    def _answered_all(
        self, connection: ServerConnection, batch: CallBatch, answered: range
    ) -> None:
        if _audit.isEnabledFor(logging.INFO):
            for index in answered:
                _note(batch[index], None)
        self._finished(connection, len(answered), len(answered) * batch.bytes_per_call)

    def _finished(self, connection: ServerConnection, calls: int, size: int) -> None:
        self.metrics.open_calls -= calls
        self._count_bytes(connection, -size)
        connection.calls_completed(calls)
        if self._drained is not None and not self.metrics.open_calls:
            self._drained.set()

    # Methods that the server calls.

    def close_idle(self, now: float) -> None:
        """Abort connections that exceed a timeout.

        Args:
            now: The time by the loop's clock.
        """
        options = self.options
        many = len(self.connections) > options.idle_threshold
        for connection in list(self.connections):
            if connection.blocked_since is not None:
                slow = now - connection.blocked_since > options.write_timeout
            elif connection.session.opening:
                slow = now - connection.since > options.opening_timeout
            elif connection.frame_since is not None and not connection.open_calls:
                slow = now - connection.frame_since > options.frame_timeout
            else:
                idle = now - connection.last_received > options.idle_timeout
                slow = many and idle and not connection.open_calls
            if slow:
                self.metrics.timeouts += 1
                _log.info("%s: ended: nothing moves on it", connection.address)
                connection.abort()

    async def drain(self, grace: float) -> None:
        """Stop accepting calls, and wait until the accepted ones are answered.

        Args:
            grace: Seconds to wait at most.
        """
        self.stopping = True
        if self.metrics.open_calls:
            self._drained = asyncio.Event()
            try:
                async with asyncio.timeout(grace):
                    await self._drained.wait()
            except TimeoutError:
                _log.warning("%d calls are cut off", self.metrics.open_calls)

    async def close_connections(self, until: float) -> None:
        """Let each client read its answers, and close its connection.

        Args:
            until: Time by the loop's clock until which clients may read.
        """
        for connection in list(self.connections):
            connection.finish()
        # Clients that have read all their answers get only a short time to close.
        late = True
        while self.connections and late:
            self._emptied = asyncio.Event()
            with suppress(TimeoutError):
                async with asyncio.timeout(CLIENT_CLOSE_TIMEOUT):
                    await self._emptied.wait()
            late = any(it.unsent for it in self.connections) and self._loop.time() < until

    async def close(self) -> None:
        """Cancel all tasks, stop all threads, and abort all connections."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for connection in list(self.connections):
            connection.abort()


def _size_of(result: Any, call: RpcCall, served: MethodBinding) -> int:
    """Return the bytes that the retry cache counts for a result.

    Raises:
        Exception: the result cannot be written.
    """
    # Byte arrays take seven times as much on the wire of the Writable engine.
    if isinstance(result, (bytes, str)):
        return sys.getsizeof(result)
    if served.method.messages is not None:
        return len(served.message(result))
    data, _ = call.calls.answer_objects(served.method.result, [result], 0, call.index)
    return len(data)


def _note(call: RpcCall, error: HadoopError | None) -> None:
    caller = call.caller
    _audit.info(
        "user=%s real=%s address=%s call=%s.%s id=%d retry=%d context=%s outcome=%s",
        audit_value(caller.user),
        audit_value(caller.real_user),
        audit_value(caller.address),
        audit_value(call.protocol),
        # Quoted if it contains a full stop: the method is the part after the last unquoted one.
        audit_value(call.method, _IDENTIFIER),
        call.call_id,
        call.retry_count,
        audit_value(call.caller_context),
        "ok" if error is None else audit_value(error.java_class),
    )
