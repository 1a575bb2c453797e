"""Blocking driver: runs operations for threads by the Leader/Followers pattern (POSA 2).

One calling thread at a time, the *leader*, polls the transports with the lock released, and does
all else with it held, on behalf of the others. The *followers* sleep until their own task is done
or one of them is promoted. A thread of the driver, the *background leader*, leads only while no
call waits.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from contextlib import suppress
from functools import partial
from itertools import repeat
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from jvmwire._runtime import process_hooks, threads
from jvmwire._runtime.callbacks import CallbackThreads
from jvmwire._runtime.engine import Engine
from jvmwire._runtime.operations import MAX_CONNECTS, NOTHING, Task
from jvmwire._runtime.poller import READABLE, Poller
from jvmwire._runtime.threads import THREAD_JOIN_TIMEOUT
from jvmwire.errors import (
    ConnectFailed,
    JvmWireError,
    LocalProtocolError,
    TransportError,
    wrap_error,
)
from jvmwire.options import CLOSE_TIMEOUT, Limits
from jvmwire.transports.sockets import PATIENCE
from jvmwire.transports.transport import CHUNK, Patient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmwire._runtime.connection import EngineConnection
    from jvmwire._runtime.engine import ExternalCall
    from jvmwire._runtime.operations import AnyOperation, Operation, OperationStream
    from jvmwire._runtime.session import Buffer
    from jvmwire.transports import Transport

BACKGROUND_TAKEOVER_DELAY = 0.01
"""Seconds without a call until the background leader takes over: a busy caller never meets it."""
_MIN_TIMED_RECV = 2 * PATIENCE
"""Within so many seconds there is something else to do than to be patient."""

T = TypeVar("T")


class _TransportState:
    """A connection's transport, and what it has not taken yet."""

    __slots__ = ("broken", "connection", "inbox", "patient", "transport", "unsent", "writing")

    def __init__(self, connection: EngineConnection, transport: Transport) -> None:
        self.connection = connection
        self.transport = transport
        self.patient: Patient | None = transport if isinstance(transport, Patient) else None
        """The transport, if the leader may wait for a chunk by receiving it."""
        self.inbox: deque[bytes] = deque()
        """What the leader took and did not understand yet."""
        self.broken: TransportError | None = None
        """How the transport broke, for the leader to find: it is receiving."""
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
        """Takes the lock for a `for`: that it has it is noted in one step, as signals see it."""
        self._callbacks = CallbackThreads(callbacks)
        self._engine = Engine(limits=limits, dispatch=self._callbacks.dispatch, trace=trace)
        self._poller: Poller[_TransportState] = Poller()
        self._links: dict[EngineConnection, _TransportState] = {}
        self._pending_notifications: deque[Callable[[float], None]] = deque()
        """What the engine is to be told by whoever leads next."""
        self._on_done = on_done
        self._leading = False
        self._until = math.inf
        """When the leader comes back by itself."""
        self._now = -math.inf
        """When something was last written or read."""
        self._only_connection: _TransportState | None = None
        """The only connection there is, if it is patient."""
        self._awaiting_reply_on: _TransportState | None = None
        """It, if all was written last: who says something soon, most likely."""
        self._recv_owner: _TransportState | None = None
        """From whom the leader receives: nobody else may."""
        self._followers: dict[Task, threading.Lock] = {}
        self._call_seen = False
        """Whether there was a call since the background leader began to lead."""
        self._caller_led = False
        """Whether a caller led since the background leader last looked."""
        self._closing = threading.Event()
        """Tells the background leader to end."""
        self._stopping = False
        """Whether `close` was called, by whomever."""
        self._finished = False
        """Whether it is done: the last to lead closes the poller."""
        self._drained = threading.Event()
        self._orphaned = False
        self._background_thread: threading.Thread | None = None
        self._connectors: set[threading.Thread] = set()
        process_hooks.register(self)

    def run(self, operation: Operation[T], name: str, timeout: float | None) -> T:
        """Carry an operation out; return what it returns."""
        if self._orphaned:  # the lock may be held by a thread that is not in this process
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
        """Yield what an operation emits; `timeout` is for each."""
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
        """Cancel a task of which nobody wants more."""
        # The collector ends iterators wherever it runs, in a thread that has the lock, too.
        held: list[bool] = []
        try:  # as where the lock is taken again
            held.extend(map(self._lock.acquire, (True,), (BACKGROUND_TAKEOVER_DELAY,)))
            if True in held:
                self._cancel(task)
            else:
                self._note(partial(self._engine.cancel, task))
        finally:
            if True in held:
                self._lock.release()

    # All of these have the lock.

    def _start(self, operation: AnyOperation, name: str, timeout: float | None) -> Task:
        self._call_seen = True
        now = monotonic()
        try:
            task = self._engine.start(operation, name, now, timeout)
            self._flush(now)
        except LocalProtocolError:
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
        """Lead, or follow who leads, until `task` has something to tell."""
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
        self._call_seen = True  # the background leader leads no further
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
        """Take the lock, though a signal's handler raised as it was awaited.

        What that raised goes on; what others raise meanwhile would say the same.
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
        """Let somebody else lead."""
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
        """Lead for one turn: wait with the lock released; read, act, write."""
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
        # A signal's handler may raise while one of these waits for the lock, as soon as it has it,
        # or has it no more. It is noted in one step, as signals see it, that it has.
        try:
            try:
                self._lock.release()
                if link is None or patient is None:
                    ready = self._poller.wait(until)
                else:
                    patient.recv_soon(link.inbox)
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
                # A caller who came meanwhile reads: between two threads all that is read and made
                # would move, and each has memory of its own to make it in.
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
        """Take what the leader received."""
        now = self._now = monotonic()
        inbox = link.inbox
        try:
            if (
                not inbox and self._awaiting_reply_on is link
            ):  # it takes longer: wait for all there is
                self._awaiting_reply_on = None
            while inbox:
                self._engine.received(link.connection, inbox.popleft(), now)
            if link.broken is not None:
                self._fail_transport(link, link.broken, now)
        except BaseException:
            self._abort_all()
            raise

    def _process_ready(self, ready: Sequence[tuple[int, int]]) -> None:
        """Read what can be read, write what can be written."""
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
        """Do what the engine wants done outside."""
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
            if not (self._may_connect() or engine.closing or engine.external_calls):
                break
            while engine.external_calls:
                engine.begin(engine.external_calls.pop(), self._on_external_done, now)
                with suppress(ConnectFailed):  # without one, who waits for it leads
                    self._ensure_background_thread("begin an external call")
                self._awaiting_reply_on = None  # who is asked now is another
            while self._may_connect():
                self._connect(engine.opening.pop())
            while engine.closing:
                if (link := self._links.pop(engine.closing.pop(), None)) is not None:
                    self._count_links()
                    self._poller.forget(link.transport.read_fd, link.transport.write_fd)
                    link.transport.close()
        if self._leading and (changed or engine.due < self._until):
            self._poller.wake()

    def _on_external_done(self, external_call: ExternalCall) -> None:
        """Let the leader take the result of an external call; any thread may call this."""
        self._note(partial(self._engine.external_done, external_call))

    def _note(self, tell: Callable[[float], None]) -> None:
        self._pending_notifications.append(tell)
        self._poller.wake()

    def _write(self, connection: EngineConnection, link: _TransportState, now: float) -> bool:
        """Write what there is; return whether the leader must watch for something else."""
        if link.broken is not None:  # then what is not handed out has not left
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
            taken = transport.send(data) if len(data) <= CHUNK else self._send(link, data, now)
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
        self._awaiting_reply_on = None  # there is more to wait for than what it says
        if taken == len(data):
            link.unsent = bytearray()
        elif backlog and isinstance(data, bytearray):  # made by us
            del data[:taken]
        else:
            link.unsent = memoryview(data)[taken:]
        left = connection.unsent = len(link.unsent) + transport.unsent
        if backlog and not left:  # not before: what is added to a backlog is copied
            self._engine.on_writable(connection, now)
        if link.writing == bool(left):
            return False
        link.writing = bool(left)
        self._poller.watch(link, transport.read_fd, transport.write_fd, writing=link.writing)
        return True

    def _send(self, link: _TransportState, data: Buffer, now: float) -> int:
        """Send in parts, and read between them; return how much the transport took.

        So neither side waits for the other, and what is sent and read is still in the cache.
        """
        connection = link.connection
        sent = 0
        # An error keeps our frame: what views of `data` are in it must not outlive their use.
        with memoryview(data) as whole:
            while connection.alive:
                with whole[sent : sent + CHUNK] as part:
                    taken = link.transport.send(part)
                sent += taken
                connection.unsent = len(data) - sent
                if taken < CHUNK or not connection.unsent:
                    break
                if self._recv_owner is not link:
                    self._read(link, now)
        return sent

    def _fail_transport(self, link: _TransportState, error: TransportError, now: float) -> None:
        # What the peer said before it hung up tells more than how we noticed.
        self._read(link, now)
        self._engine.lost(link.connection, error, now)

    def _abort_all(self) -> None:
        """Fail what is on its way and close what is connected.

        So after an exception in the midst of things, too: a signal handler's, most likely.
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

    # Connecting: a look-up of a name blocks, and so do handshakes of TLS.

    def _may_connect(self) -> bool:
        return bool(self._engine.opening) and len(self._connectors) < MAX_CONNECTS

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
            self._connectors.add(connector)  # it waits for the lock before it takes itself out

    def _connect_in_thread(self, connection: EngineConnection) -> None:
        made: Transport | JvmWireError
        try:
            made = connection.endpoint.connect(
                timeout=connection.timeout, cancelled=lambda: not connection.alive
            )
        except Exception as error:  # who waits for the connection is told
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
        except ConnectFailed as error:  # it would be silent while nobody calls
            made.close()
            self._engine.lost(connection, error, now)
            return
        link = self._links[connection] = _TransportState(connection, made)
        self._count_links()
        self._poller.watch(link, made.read_fd, made.write_fd, writing=False)
        self._engine.connected(connection, now)

    def _count_links(self) -> None:
        """Note whether there is but one connection."""
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

    # The background leader, and the end.

    def _background_loop(self) -> None:
        """Lead while nobody calls: heartbeats go out, what the peer says on its own comes in."""
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
            self._shut(0.0)

    def close_soon(self) -> None:
        """Have a thread of ours close the driver: for finalizers, which may not take a lock."""
        if self._orphaned or self._closing.is_set():
            return
        if self._background_thread is None:  # nothing was ever connected
            with suppress(ConnectFailed):  # then its descriptors end with it
                threads.start_thread(
                    "jvmwire-close", self.close_at_exit, purpose="close the client"
                )
        else:
            self._closing.set()
            self._poller.wake()

    def close(self, *, linger: float = CLOSE_TIMEOUT) -> None:
        """Refuse new calls, give the open ones `linger` seconds, end the rest. Twice is fine."""
        if not self._orphaned:
            self._shut(linger)

    def close_at_exit(self) -> None:
        """Close without waiting."""
        self.close(linger=0.0)

    def _shut(self, linger: float) -> None:
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
        """Become useless in a forked child."""
        self._orphaned = True
        self._poller.close()


def _joined(unsent: bytearray | memoryview, data: Buffer) -> bytearray:
    """Return `unsent` with `data` behind it."""
    if isinstance(unsent, memoryview):
        unsent = bytearray(unsent)
    unsent += data
    return unsent
