"""Blocking driver: runs operations for threads by the Leader/Followers pattern (POSA 2).

One calling thread at a time, the *leader*, polls the transports with the lock released, and does
all other work with the lock held, on behalf of the others. The *followers* sleep until their own
task is done or one of them is promoted. A thread of the driver, the *background leader*, leads only
while no call waits.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from contextlib import suppress
from functools import partial
from itertools import repeat
from time import monotonic, time
from typing import TYPE_CHECKING, TypeVar

from jvmwire._runtime import process_hooks, threads
from jvmwire._runtime.callbacks import CallbackThreads
from jvmwire._runtime.engine import Engine
from jvmwire._runtime.operations import MAX_CONNECTS, NOTHING, Task
from jvmwire._runtime.poller import READABLE, Poller
from jvmwire._runtime.threads import THREAD_JOIN_TIMEOUT
from jvmwire.errors import (
    ClientClosed,
    ConnectFailed,
    JvmWireError,
    TransportError,
    wrap_error,
)
from jvmwire.options import CLOSE_TIMEOUT, Limits
from jvmwire.transports._sockets import RECV_TIMEOUT
from jvmwire.transports._transport import LARGE_READ, SupportsTimedRecv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmwire._runtime.connection import EngineConnection
    from jvmwire._runtime.engine import ExternalCall
    from jvmwire._runtime.operations import AnyOperation, Operation, OperationStream
    from jvmwire._runtime.session import Buffer
    from jvmwire.transports import Transport

BACKGROUND_TAKEOVER_DELAY = 0.01
"""Seconds without a call before the background leader takes over, so that busy callers lead."""
_MIN_TIMED_RECV = 2 * RECV_TIMEOUT
"""Seconds to the next timer below which the leader polls instead of a timed receive."""

T = TypeVar("T")


class _TransportState:
    """The transport of a connection, and the bytes that it has not accepted yet."""

    __slots__ = ("broken", "connection", "inbox", "patient", "transport", "unsent", "writing")

    def __init__(self, connection: EngineConnection, transport: Transport) -> None:
        self.connection = connection
        self.transport = transport
        self.patient: SupportsTimedRecv | None = (
            transport if isinstance(transport, SupportsTimedRecv) else None
        )
        """The transport, if it supports a timed receive."""
        self.inbox: deque[bytes] = deque()
        """Chunks that the leader received and the engine has not processed yet."""
        self.broken: TransportError | None = None
        """The transport's error, to be handled by the leader, which is receiving from it."""
        self.unsent: bytearray | memoryview = bytearray()
        self.writing = False


class SyncDriver:
    """The connections of one client, shared by threads."""

    def __init__(
        self,
        *,
        limits: Limits,
        trace: bool = False,
        on_done: Callable[[Task, float], None] | None = None,
        callbacks: int = 1,
    ) -> None:
        self._lock = threading.Lock()
        self._acquire_lock_iter = map(self._lock.acquire, repeat(True))  # noqa: FBT003 - that it waits
        """Acquires the lock in a `for` statement, which is one step for signal handlers."""
        self._callbacks = CallbackThreads(callbacks)
        self._engine = Engine(
            limits=limits, dispatch=self._callbacks.dispatch, wall_time=time, trace=trace
        )
        self._poller: Poller[_TransportState] = Poller()
        self._links: dict[EngineConnection, _TransportState] = {}
        self._pending_notifications: deque[Callable[[float], None]] = deque()
        """Functions to call with the time, by the next leader, to inform the engine."""
        self._on_done = on_done
        self._leading = False
        self._until = math.inf
        """Time at which the leader returns on its own."""
        self._now = -math.inf
        """Time of the last write or read."""
        self._only_connection: _TransportState | None = None
        """The only connection, if it is a single one that supports a timed receive."""
        self._awaiting_reply_on: _TransportState | None = None
        """The only connection, if all data was written: most likely a reply arrives soon."""
        self._recv_owner: _TransportState | None = None
        """The connection that the leader receives from; no other thread may."""
        self._followers: dict[Task, threading.Lock] = {}
        self._call_seen = False
        """Whether there was a call since the background leader began to lead."""
        self._caller_led = False
        """Whether a caller led since the background leader last checked."""
        self._closing = threading.Event()
        """Set to end the background leader."""
        self._stopping = False
        """Whether `close` was called by any thread."""
        self._finished = False
        """Whether `close` is done: the last leader closes the poller."""
        self._drained = threading.Event()
        self._orphaned = False
        self._background_thread: threading.Thread | None = None
        self._connectors: set[threading.Thread] = set()
        process_hooks.register(self)

    @property
    def closed(self) -> bool:
        """Whether new operations are refused."""
        return self._engine.closed

    @property
    def state(self) -> str:
        """The state of the client, for `repr`."""
        return "of another process" if self._orphaned else self._engine.state

    def run(self, operation: Operation[T], name: str, timeout: float | None) -> T:
        """Run an operation to its end and return its result."""
        if self._orphaned:  # the lock may be held by a thread that does not exist in this process
            process_hooks.refuse(operation)
        task: Task | None = None
        try:
            with self._lock:
                task = self._start(operation, name, timeout)
                if not task.done:
                    self._wait(task)
        finally:
            if self._on_done is not None and task is not None:
                self._on_done(task, monotonic())
        if task.error is not None:
            raise task.error
        result: T = task.result
        return result

    def iterate(
        self, operation: OperationStream[T], name: str, timeout: float | None
    ) -> Iterator[T]:
        """Yield the values that an operation emits; `timeout` applies to each value."""
        if self._orphaned:
            process_hooks.refuse(operation)
        with self._lock:
            task = self._start(operation, name, timeout)
        try:
            while True:
                if not task.done and task.emitted is NOTHING:
                    with self._lock:
                        self._wait(task)
                if task.emitted is NOTHING:
                    break
                yield task.emitted
                if self._orphaned:
                    process_hooks.refuse(operation)
                with self._lock:
                    self._advance(task)
        finally:
            if not self._orphaned:
                if not task.done:
                    self._give_up(task)
                if self._on_done is not None:
                    self._on_done(task, monotonic())
        if task.error is not None:
            raise task.error

    def _give_up(self, task: Task) -> None:
        """Cancel a task whose values are no longer wanted."""
        # The garbage collector may end an iterator in a thread that holds the lock.
        held: list[bool] = []
        try:  # in one step for signal handlers, as elsewhere
            held.extend(map(self._lock.acquire, (True,), (BACKGROUND_TAKEOVER_DELAY,)))
            if True in held:
                self._cancel(task)
            else:
                self._note(partial(self._engine.cancel, task))
        finally:
            if True in held:
                self._lock.release()

    # Methods of this section are called with the lock held.

    def _start(self, operation: AnyOperation, name: str, timeout: float | None) -> Task:
        self._call_seen = True
        now = monotonic()
        try:
            task = self._engine.start(operation, name, now, timeout)
            self._flush(now)
        except ClientClosed:
            raise
        except BaseException:
            self._abort_all()
            raise
        return task

    def _advance(self, task: Task) -> None:
        now = monotonic()
        try:
            self._engine.resume_stream(task, now)
            self._flush(now)
        except BaseException:
            self._abort_all()
            raise

    def _wait(self, task: Task) -> None:
        """Lead, or follow the leader, until `task` is done or has emitted a value."""
        try:
            while not task.done and task.emitted is NOTHING:
                if self._leading:
                    self._follow(task)
                else:
                    self._caller_led = True
                    self._run_once()
        except BaseException:
            self._cancel(task)
            raise
        finally:
            if self._followers or self._stopping:
                self._promote_follower()

    def _follow(self, task: Task) -> None:
        wakeup = threading.Lock()
        wakeup.acquire()
        self._followers[task] = wakeup
        self._call_seen = True  # makes the background leader stop leading
        task.wake = self._wake
        held = False
        try:
            self._lock.release()
            wakeup.acquire()
        finally:
            try:
                for held in self._acquire_lock_iter:  # noqa: B007 - it is looked at below
                    break
            finally:
                if not held:
                    self._reacquire_lock()
                self._followers.pop(task, None)

    def _reacquire_lock(self) -> None:
        """Take the lock although a signal handler raised during the wait.

        The first exception is propagated; further ones raised meanwhile are dropped.
        """
        held = False
        while not held:
            with suppress(BaseException):
                for held in self._acquire_lock_iter:  # noqa: B007 - it is looked at above
                    break

    def _wake(self, task: Task) -> None:
        if (wakeup := self._followers.pop(task, None)) is not None:
            wakeup.release()

    def _promote_follower(self) -> None:
        """Promote a follower to leader, and complete `close` if it waits."""
        if not self._leading and self._followers:
            self._wake(next(iter(self._followers)))
        if self._stopping and not self._engine.busy:
            self._drained.set()
        if self._finished and not self._leading:
            self._poller.close()

    def _cancel(self, task: Task) -> None:
        now = monotonic()
        try:
            self._engine.cancel(task, now)
            self._flush(now)
        except BaseException:
            self._abort_all()
            raise

    def _run_once(self, *, tending: bool = False) -> None:
        """Lead for one turn: wait with the lock released, then read, process and write."""
        engine = self._engine
        until = self._until = engine.due
        link = self._awaiting_reply_on
        if link is not None and until - self._now < _MIN_TIMED_RECV:
            link = None
        patient = None if link is None else link.patient
        ready: Sequence[tuple[int, int]] = ()
        self._recv_owner = link
        self._leading = True
        held = False
        # A signal handler may raise while a thread waits for the lock, has just acquired it, or has
        # released it. Whether the lock is held is recorded in one step for signal handlers.
        try:
            try:
                self._lock.release()
                if link is None or patient is None:
                    ready = self._poller.wait(until)
                else:
                    patient.recv_with_timeout(link.inbox)
            except TransportError as error:
                if link is not None:
                    link.broken = error
            finally:
                for held in self._acquire_lock_iter:  # noqa: B007 - it is looked at below
                    break
        finally:
            if not held:
                self._reacquire_lock()
            self._leading = False
            self._recv_owner = None
            if link is not None:
                self._process_inbox(link)
        try:
            if link is None:
                self._now = monotonic()
                # A caller that arrived meanwhile reads: moving the work between threads would also
                # move the data between their memory pools.
                if not (tending and self._followers):
                    self._process_ready(ready)
            now = self._now
            while self._pending_notifications:
                self._pending_notifications.popleft()(now)
            if now >= engine.due:
                engine.handle_timeout(now)
            if engine.dirty or engine.opening or engine.closing or engine.external_calls:
                self._flush(now)
        except BaseException:
            self._abort_all()
            raise

    def _process_inbox(self, link: _TransportState) -> None:
        """Process the chunks that the leader received."""
        now = self._now = monotonic()
        inbox = link.inbox
        try:
            if (
                not inbox and self._awaiting_reply_on is link
            ):  # the reply takes longer: poll all descriptors
                self._awaiting_reply_on = None
            while inbox:
                self._engine.received(link.connection, inbox.popleft(), now)
            if link.broken is not None:
                self._fail_transport(link, link.broken, now)
        except BaseException:
            self._abort_all()
            raise

    def _process_ready(self, ready: Sequence[tuple[int, int]]) -> None:
        """Read from and write to the ready descriptors."""
        now = self._now
        watched = self._poller.watched
        for fd, mask in ready:
            if (link := watched.get(fd)) is None:
                self._poller.drain_wakeup(fd)
                continue
            if mask & READABLE:
                self._read(link, now)
            if link.writing:
                self._engine.dirty[link.connection] = None

    def _read(self, link: _TransportState, now: float) -> None:
        transport = link.transport
        try:
            while (data := transport.recv()) is not None:
                self._engine.received(link.connection, data, now)
                if not (data and transport.pending):
                    break
        except TransportError as error:
            self._engine.lost(link.connection, error, now)

    def _flush(self, now: float) -> None:
        """Process the engine's requests: writes, connections, closings and external calls."""
        self._now = now
        engine = self._engine
        dirty = engine.dirty
        changed = False
        while True:
            while dirty:
                connection, _ = dirty.popitem()
                if (link := self._links.get(connection)) is not None and self._write(
                    connection, link, now
                ):
                    changed = True
            may_connect = engine.opening and self._may_connect()
            if not (may_connect or engine.closing or engine.external_calls):
                break
            while engine.external_calls:
                engine.begin(engine.external_calls.pop(), self._on_external_done, now)
                # without a background thread, the caller that waits leads
                with suppress(ConnectFailed):
                    self._ensure_background_thread("begin an external call")
                self._awaiting_reply_on = None  # the reply comes from another library
            while engine.opening and self._may_connect():
                self._connect(engine.opening.pop())
            while engine.closing:
                if (link := self._links.pop(engine.closing.pop(), None)) is not None:
                    self._count_links()
                    self._poller.forget(link.transport.read_fd, link.transport.write_fd)
                    link.transport.close()
        if self._leading and (changed or engine.due < self._until):
            self._poller.wake()

    def _on_external_done(self, external_call: ExternalCall) -> None:
        """Schedule the result of an external call for the leader, from any thread."""
        self._note(partial(self._engine.external_done, external_call))

    def _note(self, notify: Callable[[float], None]) -> None:
        self._pending_notifications.append(notify)
        self._poller.wake()

    def _write(self, connection: EngineConnection, link: _TransportState, now: float) -> bool:
        """Write queued data; return whether the set of polled events changed."""
        if link.broken is not None:  # data not handed out counts as not sent
            return False
        transport = link.transport
        data: Buffer = self._engine.data_to_send(connection, now)
        backlog = connection.unsent
        if backlog:
            if data:
                link.unsent = _joined(link.unsent, data)
            data = link.unsent
        elif not data:
            return False
        try:
            taken = transport.send(data) if len(data) <= LARGE_READ else self._send(link, data, now)
        except TransportError as error:
            if self._recv_owner is link:
                link.broken = error
            else:
                self._fail_transport(link, error, now)
            return False
        if taken == len(data) and not backlog and not transport.unsent:
            self._awaiting_reply_on = self._only_connection
            if connection.waiting:
                self._engine.on_writable(connection, now)
            return False
        self._awaiting_reply_on = None  # not only a reply is awaited
        if taken == len(data):
            link.unsent = bytearray()
        elif backlog and isinstance(data, bytearray):  # created by this driver
            del data[:taken]
        else:
            link.unsent = memoryview(data)[taken:]
        left = connection.unsent = len(link.unsent) + transport.unsent
        if backlog and not left:  # not earlier, since data is copied onto a backlog
            self._engine.on_writable(connection, now)
        if link.writing == bool(left):
            return False
        link.writing = bool(left)
        self._poller.watch(link, transport.read_fd, transport.write_fd, writing=link.writing)
        return True

    def _send(self, link: _TransportState, data: Buffer, now: float) -> int:
        """Send in parts, and read between them; return the number of bytes accepted.

        So neither side can deadlock, and sent and received data is still in the processor's cache.
        """
        connection = link.connection
        sent = 0
        # An error keeps this frame alive: views of `data` must be released before.
        with memoryview(data) as whole:
            while connection.alive:
                with whole[sent : sent + LARGE_READ] as part:
                    taken = link.transport.send(part)
                sent += taken
                connection.unsent = len(data) - sent
                if taken < LARGE_READ or not connection.unsent:
                    break
                if self._recv_owner is not link:
                    self._read(link, now)
        return sent

    def _fail_transport(self, link: _TransportState, error: TransportError, now: float) -> None:
        # The peer's last data explains the failure better than the transport's error.
        self._read(link, now)
        self._engine.lost(link.connection, error, now)

    def _abort_all(self) -> None:
        """Fail all calls and close all connections.

        Also used after an unexpected exception, most likely one raised by a signal handler.
        """
        now = monotonic()
        try:
            self._engine.close(now)
            self._flush(now)
        finally:
            # What an interrupted turn was about to close, the engine no longer knows.
            left = [*self._links.values(), *self._poller.watched.values()]
            for fd in list(self._poller.watched):
                self._poller.forget(fd, fd)
            self._links.clear()
            self._count_links()
            for link in left:
                with suppress(Exception):  # it may be half changed, too
                    link.transport.close()
            self._closing.set()  # the background leader has nothing more to lead
            if self._leading:
                self._poller.wake()

    # Connecting in threads: name resolution and TLS handshakes block.

    def _may_connect(self) -> bool:
        return len(self._connectors) < MAX_CONNECTS

    def _connect(self, connection: EngineConnection) -> None:
        try:
            connector = threads.start_thread(
                "jvmwire-connect",
                self._connect_in_thread,
                connection,
                purpose=f"connect to {connection.endpoint}",
            )
        except ConnectFailed as error:
            self._engine.lost(connection, error, self._now)
        else:
            # the thread waits for the lock before it removes itself
            self._connectors.add(connector)

    def _connect_in_thread(self, connection: EngineConnection) -> None:
        made: Transport | JvmWireError
        try:
            made = connection.endpoint.connect(
                timeout=connection.timeout, cancelled=lambda: not connection.alive
            )
        except Exception as error:  # passed to the task that waits for the connection
            made = wrap_error(error, f"connect to {connection.endpoint}")
        with self._lock:
            now = monotonic()
            self._connectors.discard(threading.current_thread())
            if isinstance(made, JvmWireError):
                self._engine.lost(connection, made, now)
            elif not connection.alive:
                made.close()
            else:
                self._take_over(connection, made, now)
            self._flush(now)
            if self._leading:
                self._poller.wake()

    def _take_over(self, connection: EngineConnection, made: Transport, now: float) -> None:
        try:
            self._ensure_background_thread(f"connect to {connection.endpoint}")
        except ConnectFailed as error:  # the connection would be silent while there is no call
            made.close()
            self._engine.lost(connection, error, now)
            return
        link = self._links[connection] = _TransportState(connection, made)
        self._count_links()
        self._poller.watch(link, made.read_fd, made.write_fd, writing=False)
        self._engine.connected(connection, now)

    def _count_links(self) -> None:
        """Record whether there is exactly one connection."""
        self._awaiting_reply_on = self._only_connection = None
        if len(self._links) == 1:
            [link] = self._links.values()
            if link.patient is not None:
                self._only_connection = link

    def _ensure_background_thread(self, why: str) -> None:
        if self._background_thread is None and not self._closing.is_set():
            self._background_thread = threads.start_thread(
                "jvmwire-background", self._background_loop, purpose=why
            )

    # The background leader, and the end of the driver.

    def _background_loop(self) -> None:
        """Lead while there is no call: send heartbeats, receive pushed messages."""
        while not self._closing.wait(BACKGROUND_TAKEOVER_DELAY):
            with self._lock:
                tended, self._caller_led = self._caller_led, False
                self._call_seen = tended
                while not (self._call_seen or self._leading or self._closing.is_set()):
                    self._run_once(tending=True)
                self._promote_follower()
        with self._lock:
            abandoned = not self._stopping
        if abandoned:
            self._close_now(0.0)

    def close_soon(self) -> None:
        """Close the driver in another thread, for finalizers, which must not take a lock."""
        if self._orphaned or self._closing.is_set():
            return
        if self._background_thread is None:  # there was never a connection
            with suppress(ConnectFailed):  # the descriptors are closed with the object then
                threads.start_thread(
                    "jvmwire-close", self.close_at_exit, purpose="close the client"
                )
        else:
            self._closing.set()
            self._poller.wake()

    def close(self, *, linger: float = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give open calls `linger` seconds, then close; safe to call twice."""
        if not self._orphaned:
            self._close_now(linger)

    def close_at_exit(self) -> None:
        """Close without waiting."""
        self.close(linger=0.0)

    def _close_now(self, linger: float) -> None:
        with self._lock:
            first = not self._stopping
            self._stopping = True
            self._engine.stop_accepting()
            self._closing.set()
            busy = self._engine.busy
            if self._leading:
                self._poller.wake()
        if first and busy and linger > 0:
            self._drained.wait(linger)
        with self._lock:
            self._abort_all()
            connectors = list(self._connectors)
            if self._leading:
                self._poller.wake()
        self._callbacks.close()
        me = threading.current_thread()
        for thread in (self._background_thread, *connectors):
            if thread is not None and thread is not me:
                thread.join(THREAD_JOIN_TIMEOUT)
        with self._lock:
            self._finished = True
            self._promote_follower()
        process_hooks.unregister(self)

    def invalidate_after_fork(self) -> None:
        """Mark the driver as unusable in a forked child."""
        self._orphaned = True
        self._poller.close()


def _joined(unsent: bytearray | memoryview, data: Buffer) -> bytearray:
    """Return `unsent` followed by `data`."""
    if isinstance(unsent, memoryview):
        unsent = bytearray(unsent)
    unsent += data
    return unsent
