"""Engine of both drivers, without I/O and without a clock: operations, calls, timers.

A driver starts operations here and passes in the bytes that its transports receive; it then
processes the lists `opening`, `dirty`, `closing` and `external_calls`, and returns when `due`. Only
one thread at a time may use the engine.
"""

from __future__ import annotations

import copy
import heapq
import itertools
import logging
import math
import weakref
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime.connection import EngineConnection
from jvmwire._runtime.operations import (
    NOTHING,
    AnyOperation,
    Call,
    Cancel,
    Close,
    Emit,
    EndOfMessages,
    Future,
    Gather,
    Instruction,
    Join,
    Listen,
    Mailbox,
    NewMailbox,
    Now,
    Open,
    Operation,
    Receive,
    RunExternal,
    Sleep,
    Spawn,
    Task,
    WaitClosed,
    WallTime,
)
from jvmwire._runtime.session import (
    CLOSED,
    NEED_DATA,
    Buffer,
    Closed,
    Event,
    Failed,
    Opened,
    Pushed,
    Refused,
    Replies,
    Reply,
)
from jvmwire._runtime.wire_log import Described
from jvmwire.errors import (
    CallCancelled,
    CallTimeout,
    ClientClosed,
    ConnectFailed,
    ConnectionLost,
    ConnectTimeout,
    JvmWireError,
    LimitExceeded,
    RemoteProtocolError,
    StateError,
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire._runtime.operations import ExternalFuture
    from jvmwire.options import Limits


_log = get_logger("jvmwire.connection")
_wire = logging.getLogger("jvmwire.wire")
"""A plain logger: descriptions of commands and events escape, and its records keep the objects."""


def _timed_out(task: Task) -> CallTimeout:
    """Return the timeout error of a task, with the last refusal as its cause."""
    text = f"no answer to {task.name} in {task.timeout:g} s"
    refusal, other = task.refusal, task.joined
    while refusal is None and other is not None and not other.done:
        refusal, other = other.refusal, other.joined
    if not isinstance(refusal, JvmWireError) or isinstance(refusal, LimitExceeded):
        return CallTimeout(text)
    error = CallTimeout(f"{text}; the last try failed: {refusal}")
    error.__cause__ = refusal
    return error


# All objects that operations use as a `Connection` are `EngineConnection`s of the engine.


class Engine:
    """The operations of one client, and its connections."""

    def __init__(
        self,
        *,
        limits: Limits,
        dispatch: Callable[[Mailbox], None],
        wall_time: Callable[[], float],
        trace: bool = False,
    ) -> None:
        self._wall_time = wall_time
        self.opening: list[EngineConnection] = []
        """Connections to make, some at a time and the newest first.

        The driver calls `connected` or `lost` with the result of each.
        """
        self.dirty: dict[EngineConnection, None] = {}
        """Connections that may have bytes to write."""
        self.closing: list[EngineConnection] = []
        """Connections whose transport must be closed."""
        self.external_calls: list[ExternalCall] = []
        """Calls of other libraries to start with `begin`; `external_done` accepts their results."""
        self.due = math.inf
        """Time of the next call of `handle_timeout` at the latest."""
        self.connections: dict[EngineConnection, None] = {}
        self.unrouted_pushes = 0
        """Number of pushed messages without a listener."""
        self._max_calls = limits.calls
        self._max_bytes_in_flight = limits.bytes_in_flight
        self._max_bytes_unsent = limits.bytes_unsent
        self._dispatch = dispatch
        self._trace = trace
        self._next_call_id = 1
        self._sequence = itertools.count()
        self._ready: deque[tuple[Task, Any, BaseException | None]] = deque()
        self._tasks: dict[Task, None] = {}
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._now = -math.inf
        self._closed = False
        # The result of a handler is sent to the task at once; None suspends the task until it is
        # resumed.
        self._handlers: dict[type[Instruction | Emit[Any]], Callable[[Task, Any], object]] = {
            Call: self._call,
            Open: self._open,
            Close: self._close,
            WaitClosed: self._await_loss,
            Now: self._read_time,
            WallTime: self._read_wall_time,
            Sleep: self._sleep,
            Spawn: self._spawn,
            Join: self._join,
            Cancel: self._end,
            Gather: self._gather,
            Emit: self._emit,
            NewMailbox: self._make_mailbox,
            Listen: self._listen,
            Receive: self._receive,
            Future: self._await_future,
            RunExternal: self._outside,
        }

    # Methods called by drivers.

    def start(
        self,
        operation: AnyOperation,
        name: str,
        now: float,
        timeout: float | None,
        wake: Callable[[Task], None] | None = None,
    ) -> Task:
        """Start an operation; the task may be done on return.

        Raises:
            ClientClosed: the client is closed.
        """
        if self._closed:
            operation.close()
            raise _closed()
        self._now = now
        task = Task(operation, name, now, timeout, wake)
        self._tasks[task] = None
        deadline = task.deadline
        if deadline is not None and deadline < self.due:
            self.due = deadline
        self._step(task, None, None)
        self._run()
        return task

    def resume_stream(self, task: Task, now: float) -> None:
        """Resume a task that has emitted a value."""
        self._now = now
        task.emitted = NOTHING
        if task.timeout is not None:
            task.deadline = now + task.timeout
            self.due = min(self.due, task.deadline)
        self._ready.append((task, None, None))
        self._run()

    def cancel(self, task: Task, now: float) -> None:
        """Cancel a task; replies to its calls will be dropped, or undone."""
        self._now = now
        if not task.done:
            self._release(task)
            task.operation.close()
            self._finish(task, None, CallCancelled(f"{task.name} was cancelled"))
            self._run()
        elif (undo := task.undo) is not None and not self._closed:
            task.undo = None
            self._undo(undo)
            self._run()

    def connected(self, connection: EngineConnection, now: float) -> None:
        """Record that the transport is connected, and begin the handshake."""
        self._now = now
        self.connections[connection] = None
        self._process_data(connection)
        self._run()

    def received(self, connection: EngineConnection, data: bytes, now: float) -> None:
        """Process received bytes; `b""` means that the peer closed its side."""
        self._now = now
        if connection.failure is None:
            self._process_data(connection, data)
            if self._ready:
                self._run()

    def data_to_send(self, connection: EngineConnection, now: float) -> Buffer:
        """Return the bytes to write, which the driver owns from now on."""
        session = connection.session
        data = session.data_to_send(now)
        due = session.next_timeout()
        if due is not None and due < self.due:
            self.due = due
        return data

    def lost(self, connection: EngineConnection, failure: JvmWireError, now: float) -> None:
        """Record that a transport failed, or could not be connected."""
        self._now = now
        self._lose(connection, failure)
        self._run()

    def on_writable(self, connection: EngineConnection, now: float) -> None:
        """Record that a transport accepted bytes that had to wait."""
        self._now = now
        self._send_waiting(connection)
        self._run()

    def begin(
        self, external_call: ExternalCall, done: Callable[[ExternalCall], object], now: float
    ) -> None:
        """Start an external call; `done` may be called from any thread."""
        try:
            external_call.begin(done)
        except Exception as error:  # passed to the waiting task
            if external_call.task is not None:
                self._now = now
                self._resume(external_call.task, error=error)
                self._run()

    def external_done(self, external_call: ExternalCall, now: float) -> None:
        """Process the result of an external call that is done."""
        if external_call.task is None or external_call.future is None:
            return
        self._now = now
        try:
            value = external_call.future.result()
        except Exception as error:  # passed to the waiting task
            self._resume(external_call.task, error=error)
        else:
            self._resume(external_call.task, value)
        self._run()

    def handle_timeout(self, now: float) -> None:
        """Run all timers that are due."""
        self._now = now
        self.due = math.inf
        while self._timers and self._timers[0][0] <= now:
            heapq.heappop(self._timers)[2]()
        self._expire()
        self._run_session_timers()
        self._run()
        if self._timers:
            self.due = min(self.due, self._timers[0][0])

    def stop_accepting(self) -> None:
        """Refuse new operations."""
        self._closed = True

    def close(self, now: float) -> None:
        """Fail every operation, end every connection, refuse what comes.

        Also where a signal's handler raised in the midst of any other method: what was left half
        done is ended all the same.
        """
        self._now = now
        self.stop_accepting()
        for task in list(self._tasks):
            self._cancel_with(task, _closed())
        for connection in [*self.connections, *self.opening]:
            self._lose(connection, _closed())
        self._run()
        self.dirty.clear()

    @property
    def closed(self) -> bool:
        """Whether new operations are refused."""
        return self._closed

    @property
    def state(self) -> str:
        """The state of the client, for `repr`: closed, connected or not connected."""
        if self._closed:
            return "closed"
        return "connected" if self.connections else "not connected"

    @property
    def busy(self) -> bool:
        """Whether an operation with a deadline has a waiting caller."""
        return any(t.deadline is not None and t.emitted is NOTHING for t in self._tasks)

    # Operations.

    def _begin(self, operation: AnyOperation, name: str) -> Task:
        """Create a task for an operation of an operation; it runs when it is resumed."""
        task = Task(operation, name, self._now, None, self._note_failure)
        self._tasks[task] = None
        return task

    def _undo(self, operation: Operation[Any]) -> None:
        """Start an operation that undoes a call without a waiting caller."""
        self._resume(self._begin(operation, "undoing what was given up"))

    def _note_failure(self, task: Task) -> None:
        """Log the failure of a task without a waiting caller."""
        if task.error is not None and not task.join_waiters and not self._closed:
            _log.warning("%s failed: %s", task.name, task.error)

    def _run(self) -> None:
        """Run all operations that can continue, one after the other, never nested."""
        ready = self._ready
        while ready:
            task, value, error = ready.popleft()
            if not task.done:
                task.cancel_wait = None
                self._step(task, value, error)

    def _step(self, task: Task, value: Any, error: BaseException | None) -> None:
        """Run an operation until it must wait, or is done."""
        operation, carry_out = task.operation, self._handlers
        while True:
            try:
                instruction = operation.send(value) if error is None else operation.throw(error)
            except StopIteration as stop:
                if task.on_abandoned_reply is not None and error is None:
                    task.undo = task.on_abandoned_reply(value)
                self._finish(task, stop.value, None)
                return
            except Exception as failure:  # passed to the caller
                self._finish(task, None, failure)
                return
            except BaseException as interruption:
                self._finish(task, None, interruption)
                raise
            value, error = carry_out[type(instruction)](task, instruction), None
            if value is None:
                return

    def _resume(self, task: Task, value: Any = None, error: BaseException | None = None) -> None:
        task.cancel_wait = None
        if error is not None:
            task.refusal = error
        self._ready.append((task, value, error))

    def _finish(self, task: Task, result: Any, error: BaseException | None) -> None:
        # In this order: another thread's task is not taken for done without its result.
        task.result = result
        task.error = error
        task.done = True
        del self._tasks[task]
        if task.join_waiters:
            for joiner in task.join_waiters:
                self._resume(joiner, result, copy.copy(error))
        if task.wake is not None:
            task.wake(task)

    def _release(self, task: Task) -> None:
        if task.cancel_wait is not None:
            try:
                task.cancel_wait(task)
            except Exception:
                if not self._closed:
                    raise
                # An interruption left the task where it waits no more, or a session half changed.
            task.cancel_wait = None

    def _cancel_with(self, task: Task, error: JvmWireError) -> None:
        """End a task that may do no more than clean up."""
        if task.done:  # with who gathered it, or just before an interruption
            self._tasks.pop(task, None)
            return
        self._release(task)
        try:
            task.operation.throw(error)
            task.operation.close()
        except StopIteration as stop:
            self._finish(task, stop.value, None)
        except Exception as failure:  # passed to the caller
            self._finish(task, None, failure)
        else:
            self._finish(task, None, error)

    def _expire(self) -> None:
        now, due = self._now, self.due
        late = []
        for task in self._tasks:
            # An emitted value has no deadline until its reader returns.
            if task.deadline is not None and task.emitted is NOTHING:
                if task.deadline <= now:
                    late.append(task)
                elif task.deadline < due:
                    due = task.deadline
        self.due = due
        for task in late:
            self._cancel_with(task, _timed_out(task))

    # Instructions.

    def _call(self, task: Task, call: Call) -> bool | None:
        """Send a call if there is room within the limits, else queue it."""
        connection: EngineConnection = call.connection  # type: ignore[assignment]
        if connection.failure is not None:
            self._resume(task, error=copy.copy(connection.failure))
        elif connection.waiting or not self._has_room(connection):
            connection.waiting.append((task, call))
            task.cancel_wait = partial(_stop_waiting, connection)
        else:
            return self._send(task, call)
        return None

    def _has_room(self, connection: EngineConnection) -> bool:
        session = connection.session
        return (
            len(connection.calls) < self._max_calls
            and connection.in_flight < self._max_bytes_in_flight
            and connection.unsent + session.position - session.bytes_handed_out
            < self._max_bytes_unsent
        )

    def _send(self, task: Task, call: Call) -> bool | None:
        """Send a call; return True if the call has no reply."""
        connection: EngineConnection = call.connection  # type: ignore[assignment]
        command = call.command
        session = connection.session
        start = session.position
        replies_left = command.expected_replies
        if (call_id := call.call_id) is None:
            call_id = call.call_id = self._next_call_id
            self._next_call_id = call_id + (replies_left or 1)
        if self._trace:
            _wire.debug("%s > %s %s", connection.endpoint, call_id, Described(command))
        task.commands += 1
        task.endpoint = connection.endpoint
        try:
            session.send(command, call_id, call.sent)
        except Exception as error:  # the command cannot be encoded: passed to the caller
            self._resume(task, error=error)
            return None
        call.sent += 1
        self.dirty[connection] = None
        task.command = command
        task.on_abandoned_reply = call.on_abandoned_reply
        task.replies_left = replies_left
        if not replies_left:
            return True
        task.call_id = call_id
        task.start = start
        task.size = size = session.position - start
        task.cancel_wait = connection.abandon
        connection.calls[call_id] = task
        connection.in_flight += size
        return None

    def _send_waiting(self, connection: EngineConnection) -> None:
        """Send queued calls while there is room."""
        waiting = connection.waiting
        while waiting and self._has_room(connection):
            task, call = waiting.popleft()
            if self._send(task, call):
                self._resume(task)

    def _open(self, task: Task, open_: Open) -> None:
        connection = EngineConnection(open_.endpoint, open_.session, timeout=open_.timeout)
        connection.opener = task
        # A weak reference, since the timer outlives many connections.
        abandon = partial(self._give_up_opening, weakref.ref(connection))
        self._at(self._now + open_.timeout, abandon)
        task.cancel_wait = partial(self._stop_opening, connection)
        self.opening.append(connection)

    def _give_up_opening(self, begun: weakref.ref[EngineConnection]) -> None:
        connection = begun()
        if connection is not None and connection.opener is not None:
            reason = f"no handshake with {connection.endpoint} in {connection.timeout:g} s"
            self._lose(connection, ConnectTimeout(reason))

    def _stop_opening(self, connection: EngineConnection, task: Task) -> None:
        connection.opener = None
        self._lose(connection, CallCancelled(f"{task.name} waits no longer"))

    def _close(self, task: Task, close: Close) -> None:
        failure = close.failure or StateError("the connection was closed by us")
        connection: EngineConnection = close.connection  # type: ignore[assignment]
        self._lose(connection, failure)
        self._resume(task)

    def _await_loss(self, task: Task, wait: WaitClosed) -> None:
        connection: EngineConnection = wait.connection  # type: ignore[assignment]
        if connection.failure is not None:
            self._resume(task, connection.failure)
        else:
            connection.close_waiters.append(task)
            task.cancel_wait = connection.close_waiters.remove

    def _read_time(self, task: Task, instruction: Now) -> float:
        del task, instruction
        return self._now

    def _read_wall_time(self, task: Task, instruction: WallTime) -> float:
        del task, instruction
        return self._wall_time()

    def _sleep(self, task: Task, sleep: Sleep) -> None:
        asleep = [task]
        task.cancel_wait = asleep.remove
        self._at(self._now + sleep.seconds, partial(self._wake_up, asleep))

    def _wake_up(self, asleep: list[Task]) -> None:
        for task in asleep:
            self._resume(task)

    def _at(self, when: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (when, next(self._sequence), act))
        self.due = min(self.due, when)

    def _spawn(self, task: Task, spawn: Spawn) -> Task:
        del task
        spawned = self._begin(spawn.operation, spawn.name)
        self._resume(spawned)
        return spawned

    def _join(self, task: Task, join: Join) -> None:
        other = join.task
        if other.done:
            self._resume(task, other.result, copy.copy(other.error))
        else:
            other.join_waiters = other.join_waiters or []
            other.join_waiters.append(task)
            task.joined = other
            task.cancel_wait = other.join_waiters.remove

    def _end(self, task: Task, end: Cancel) -> None:
        self._cancel_with(end.task, CallCancelled(f"{end.task.name} was ended"))
        self._resume(task)

    def _gather(self, task: Task, gather: Gather) -> None:
        tasks = [self._begin(each, task.name) for each in gather.operations]
        if not tasks:
            self._resume(task, [])
            return
        gathering = _GatherState(task, tasks)
        task.cancel_wait = partial(self._stop_gathering, gathering)
        for each in tasks:
            each.wake = partial(self._note_gathered, gathering)
            self._resume(each)

    def _note_gathered(self, gathering: _GatherState, done: Task) -> None:
        done.wake = None  # breaks a reference cycle that would keep all results alive
        if gathering.note(done):
            self._resume(gathering.task, gathering.results(), gathering.error())

    def _stop_gathering(self, gathering: _GatherState, task: Task) -> None:
        for each in gathering.tasks:
            each.wake = _forget
            self._cancel_with(each, CallCancelled(f"{task.name} waits no longer"))

    def _emit(self, task: Task, emit: Emit[Any]) -> None:
        task.emitted = emit.value
        if task.wake is not None:
            task.wake(task)

    def _make_mailbox(self, task: Task, wanted: NewMailbox) -> Mailbox:
        del task
        notify = self._hand_over if wanted.callback is None else self._dispatch
        return Mailbox(
            wanted.callback,
            wanted.capacity,
            notify,
            max_bytes=wanted.max_bytes,
            size=wanted.size,
            hint=wanted.hint,
        )

    def _listen(self, task: Task, listen: Listen) -> bool:
        del task
        connection: EngineConnection = listen.connection  # type: ignore[assignment]
        connection.close_with_connection.discard(listen.key)
        if listen.listener is None:
            connection.listeners.pop(listen.key, None)
        else:
            connection.listeners[listen.key] = listen.listener
            if listen.close_with_connection:
                connection.close_with_connection.add(listen.key)
                if connection.failure is not None:
                    listen.listener.end(copy.copy(connection.failure))
        return True

    def _receive(self, task: Task, receive: Receive) -> None:
        mailbox = receive.mailbox
        mailbox.receivers.append(task)
        task.cancel_wait = mailbox.receivers.remove
        self._hand_over(mailbox)

    def _await_future(self, task: Task, future: Future) -> None:
        future.add_waiter(task, self._resume)

    def _hand_over(self, mailbox: Mailbox) -> None:
        """Pass queued messages to waiting receivers."""
        receivers = mailbox.receivers
        while receivers:
            if mailbox:
                message = mailbox.take()
            elif mailbox.ended:
                message = mailbox.error or EndOfMessages()
            else:
                return
            if isinstance(message, (JvmWireError, EndOfMessages)):
                self._resume(receivers.popleft(), error=message)
            else:
                self._resume(receivers.popleft(), message)

    def _outside(self, task: Task, outside: RunExternal) -> None:
        external_call = ExternalCall(task, outside.begin)
        task.cancel_wait = external_call.abandon
        self.external_calls.append(external_call)

    # Connections.

    def _run_session_timers(self) -> None:
        for connection in list(self.connections):
            due = connection.session.next_timeout()
            if due is not None and due <= self._now:
                try:
                    connection.session.handle_timeout(self._now)
                except Exception as error:  # the other connections continue
                    self._lose(connection, _as_connection_error(error))
                else:
                    self._process_data(connection)
            elif due is not None and due < self.due:
                self.due = due

    def _process_data(self, connection: EngineConnection, data: bytes | None = None) -> None:
        """Pass data, if any, to the session and process its events."""
        session = connection.session
        try:
            if data is not None:
                session.receive_data(data)
            while (event := session.next_event()) is not NEED_DATA:
                if self._trace:
                    _wire.debug("%s < %s", connection.endpoint, Described(event))
                if type(event) is Reply:
                    if (task := connection.calls.pop(event.call_id, None)) is not None:
                        connection.in_flight -= task.size
                        self._ready.append((task, event.message, None))
                    else:
                        on_abandoned_reply = connection.complete_abandoned(event.call_id, 1)
                        if on_abandoned_reply is not None:
                            self._undo(on_abandoned_reply(event.message))
                elif type(event) is Pushed:
                    if (listener := connection.listeners.get(event.key)) is not None:
                        listener.push(event.message)
                    else:
                        self.unrouted_pushes += 1
                else:
                    self._deliver(connection, event)
                    if connection.failure is not None:
                        break
                if session.exhausted:
                    break
            if connection.waiting:
                self._send_waiting(connection)
        except Exception as error:  # the other connections continue
            self._lose(connection, _as_connection_error(error))
        if connection.failure is None:
            if session.position > session.bytes_handed_out:
                self.dirty[connection] = None
            due = session.next_timeout()
            if due is not None and due < self.due:
                self.due = due

    def _deliver(self, connection: EngineConnection, event: Event) -> None:
        match event:
            case Replies(call_id, count, message):
                if (task := connection.complete_batch_part(call_id, count, message)) is not None:
                    self._resume(task, task.replies)
            case Refused(call_id, error):
                if (task := connection.complete(call_id)) is not None:
                    self._resume(task, error=error)
            case Opened():
                _log.debug("%s opened", connection.endpoint)
                if (opener := connection.opener) is not None:
                    connection.opener = None
                    self._resume(opener, connection)
            case Failed(error, unprocessed):
                self._lose(connection, error, unprocessed=unprocessed)
            case Closed(torn):
                inside = f", {torn} bytes into a message" if torn else ""
                self._lose(connection, ConnectionLost(f"the peer closed the connection{inside}"))

    def _lose(
        self, connection: EngineConnection, failure: JvmWireError, *, unprocessed: bool = False
    ) -> None:
        """End a connection and pass the failure to all waiting tasks.

        If the peer left its calls `unprocessed`, they fail with `failure`, never with
        `OutcomeUnknown`.
        """
        if connection.failure is not None:
            return
        connection.failure = failure
        connection.session.state = CLOSED
        self.connections.pop(connection, None)
        self.dirty.pop(connection, None)
        if connection in self.opening:  # not started yet
            self.opening.remove(connection)
        self.closing.append(connection)
        _log.debug("%s ended: %s", connection.endpoint, failure)
        if (opener := connection.opener) is not None:
            connection.opener = None
            self._resume(opener, error=_as_failed_opening(connection, failure))
        # First, so that a task that calls again does not find the lost connection.
        for waiter in connection.close_waiters:
            self._resume(waiter, failure)
        connection.close_waiters.clear()
        for key in connection.close_with_connection:
            connection.listeners[key].end(copy.copy(failure))
        for task in connection.calls.values():
            error = copy.copy(failure) if unprocessed else connection.error_for(task, failure)
            self._resume(task, error=error)
        connection.calls.clear()
        connection.in_flight = 0
        for task, _ in connection.waiting:
            self._resume(task, error=copy.copy(failure))
        connection.waiting.clear()


def _stop_waiting(connection: EngineConnection, task: Task) -> None:
    connection.waiting = deque(entry for entry in connection.waiting if entry[0] is not task)


def _forget(_: Task) -> None:
    """Ignore the end of a task that has no waiting task any more."""


def _as_failed_opening(connection: EngineConnection, failure: JvmWireError) -> JvmWireError:
    if isinstance(failure, TransportError) and not isinstance(failure, ConnectFailed):
        error = ConnectFailed(f"no handshake with {connection.endpoint}: {failure}")
        error.__cause__ = failure
        return error
    return copy.copy(failure)


def _as_connection_error(error: Exception) -> JvmWireError:
    """Return the failure of a connection whose session raised `error`."""
    if isinstance(error, JvmWireError):
        return error
    blamed = RemoteProtocolError(f"the peer sent data that cannot be decoded: {error!r}")
    blamed.__cause__ = error
    return blamed


def _closed() -> JvmWireError:
    return ClientClosed("the client is closed")


class ExternalCall:
    """A call of another library, started by a driver; any thread may report its end."""

    def __init__(self, task: Task, begin: Callable[[], ExternalFuture]) -> None:
        self.task: Task | None = task
        """The waiting task; None if it waits no longer."""
        self.future: ExternalFuture | None = None
        self._begin = begin

    def begin(self, done: Callable[[ExternalCall], object]) -> None:
        """Start the call unless it was abandoned; `done` is called once, possibly at once."""
        if self.task is not None:
            self.future = self._begin()
            self.future.add_done_callback(lambda _: done(self))

    def abandon(self, _: Task) -> None:
        """Cancel the call, since its task waits no longer."""
        self.task = None
        if self.future is not None:
            self.future.cancel()


class _GatherState:
    """The tasks that `task` waits for, and the number of unfinished ones."""

    __slots__ = ("_left", "task", "tasks")

    def __init__(self, task: Task, tasks: Sequence[Task]) -> None:
        self.task = task
        self.tasks = tasks
        self._left = len(tasks)

    def note(self, done: Task) -> bool:
        """Record that one of the tasks is done; return whether all are."""
        self.task.commands += done.commands
        self.task.endpoint = done.endpoint or self.task.endpoint
        self._left -= 1
        return not self._left

    def results(self) -> list[Any]:
        """Return the results of all tasks."""
        return [task.result for task in self.tasks]

    def error(self) -> BaseException | None:
        """Return the first error of the tasks, in their order, or None."""
        return next((copy.copy(task.error) for task in self.tasks if task.error), None)
