"""Client calls without their I/O: generators that yield instructions.

An operation neither blocks nor awaits. It yields an instruction, is sent its result or thrown its
error, and returns the result of the call; a driver carries instructions out, blocking or on an
asyncio loop. Operations of one client never run at the same time, so their shared state needs no
lock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from jvmwire._escaping import get_logger
from jvmwire.errors import JvmWireError, MessagesLost

if TYPE_CHECKING:
    from jvmwire._runtime.session import Command, Session
    from jvmwire.transports import Endpoint


NOTHING: Any = object()
"""Value of `Task.emitted` while the task has emitted nothing."""


class Connection(Protocol):
    """Interface of a connection to one peer for operations, implemented by `EngineConnection`."""

    endpoint: Endpoint
    session: Session[Any]
    failure: JvmWireError | None
    """The error that ended the connection; None while it is alive."""
    late_replies: int
    """Number of replies dropped because their call was abandoned."""
    listeners: dict[Hashable, PushHandler]
    """Handlers of messages that the peer sends unasked, by key."""

    @property
    def alive(self) -> bool:
        """Whether calls are still possible."""

    def is_idle(self) -> bool:
        """Return whether the connection is alive with nothing in flight."""


class Task:
    """Running operation: the instruction it waits for, and finally its result or error."""

    __slots__ = (
        "call_id",
        "cancel_wait",
        "command",
        "commands",
        "deadline",
        "done",
        "emitted",
        "endpoint",
        "error",
        "join_waiters",
        "joined",
        "name",
        "on_abandoned_reply",
        "operation",
        "refusal",
        "replies",
        "replies_left",
        "result",
        "size",
        "start",
        "started",
        "timeout",
        "undo",
        "wake",
    )

    command: Command
    call_id: int
    """Call ID of the command that was sent last."""
    start: int
    size: int
    """Size of `command` in bytes; `start` is its position among the bytes of its session."""
    replies_left: int
    """Replies to `command` that have not arrived yet."""
    replies: list[Any]
    """Replies to a batch so far; set only for a batch."""

    def __init__(
        self,
        operation: AnyOperation,
        name: str,
        started: float,
        timeout: float | None,
        wake: Callable[[Task], None] | None,
    ) -> None:
        self.operation = operation
        self.name = name
        self.started = started
        self.timeout = timeout
        self.deadline = None if timeout is None else started + timeout
        self.wake = wake
        """Called when there is an emitted value, and when the task is done."""
        self.cancel_wait: Callable[[Task], None] | None = None
        """Cancels the wait of the task, so that nothing resumes it."""
        self.commands = 0
        """Commands sent so far."""
        self.endpoint: Endpoint | None = None
        """Server to which the last command was sent."""
        self.join_waiters: list[Task] | None = None
        self.joined: Task | None = None
        """The task whose end was awaited last."""
        self.refusal: BaseException | None = None
        """The last error that was raised in the operation."""
        self.emitted: Any = NOTHING
        self.on_abandoned_reply: Callable[[Any], Operation[Any]] | None = None
        """The handler of the call that was sent last: see `Call`."""
        self.undo: Operation[Any] | None = None
        """Operation to run if the result has no receiver any more."""
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def __repr__(self) -> str:
        return f"<Task {self.name}, {'done' if self.done else 'on its way'}>"


class Future:
    """Instruction: wait for a result or an error that another operation sets.

    One operation may wait for it; the result is set once, before or after the wait begins.
    """

    # Thousands are made, and most have no attribute of their own but the waiting task.
    _is_settled = False
    _value: Any = None
    _error: BaseException | None = None
    _task: Task | None = None
    _resume: Callable[[Task, Any, BaseException | None], None]

    def set_result(self, value: Any = None) -> None:
        """Resume the waiting operation with `value`."""
        if (task := self._task) is None:
            self._is_settled, self._value = True, value
        else:
            self._task = None
            self._resume(task, value, None)

    def set_exception(self, error: BaseException) -> None:
        """Raise `error` in the waiting operation."""
        if (task := self._task) is None:
            self._is_settled, self._error = True, error
        else:
            self._task = None
            self._resume(task, None, error)

    def add_waiter(
        self, task: Task, resume: Callable[[Task, Any, BaseException | None], None]
    ) -> None:
        """Let `task` wait; `resume` is called with the result."""
        if self._is_settled:
            resume(task, self._value, self._error)
        else:
            self._task, self._resume = task, resume
            task.cancel_wait = self._release

    def _release(self, _: Task) -> None:
        self._task = None


CAPACITY = 10_000
"""Default maximum of queued messages per listener; further ones are dropped (chosen by jvmwire)."""

_log = get_logger("jvmwire.callbacks")


class EndOfMessages(Exception):
    """The mailbox has ended and is empty."""


class Mailbox:
    """Bounded queue of messages for one listener; messages without room are dropped and counted."""

    def __init__(
        self,
        callback: Callable[[Any], Any] | None,
        capacity: int,
        notify: Callable[[Mailbox], None],
        *,
        max_bytes: int | None = None,
        size: Callable[[Any], int] | None = None,
        hint: str = "",
    ) -> None:
        self.callback = callback
        self.total_drops = 0
        """Total number of dropped messages."""
        self.ended = False
        self.error: JvmWireError | None = None
        self.receivers: deque[Task] = deque()
        """Tasks that wait for a message, in order."""
        self._capacity = capacity
        self._max_bytes = max_bytes
        """Maximum queued bytes, measured by `size`; None is no limit."""
        self._size = size
        self._hint = hint
        """Advice that is appended to the error for dropped messages."""
        self._sizes: deque[int] = deque()
        """Sizes of the queued messages, if bytes are limited."""
        self._pushed = self._taken = 0
        """Total bytes in and out; each counter has one writer, possibly in a thread of its own."""
        self._notify = notify
        self.messages: deque[Any] = deque()
        """Queued messages; `take` reports dropped ones in their place."""
        self.unreported_drops = 0
        """Number of dropped messages that were not reported to a receiver yet."""
        self._full = False
        """Whether messages are dropped: from a full queue until the queue is half empty."""
        self._drop_reported = False
        """Whether drops were logged since the queue was last empty."""
        self._counting = threading.Lock()
        """Lock for the drop count and its reports, since another thread may take messages."""

    def push(self, message: Any) -> None:
        """Queue a message, or drop it if there is no room."""
        if self.ended:
            return
        size = 0 if self._size is None else self._size(message)
        if (self.messages or self.unreported_drops) and not self._find_room(size):
            with self._counting:
                self.unreported_drops += 1
                self.total_drops += 1
        else:
            self._append(message, size)
            self._notify(self)

    def _append(self, message: Any, size: int) -> None:
        # before the message, so that a taker of the message finds its size
        if self._size is not None:
            self._sizes.append(size)
            self._pushed += size
        self.messages.append(message)

    def _find_room(self, size: int) -> bool:
        """Return whether the queue has room for `size` more bytes."""
        self._full = self._is_beyond(2 if self._full else 1, size)
        if not self._full:
            if self.unreported_drops:
                with self._counting:
                    if self.unreported_drops:  # else reported in the meantime
                        self._append(self._report_lost(), 0)
        elif not self._drop_reported:
            self._drop_reported = True
            _log.warning("a listener is %d messages behind: more are dropped", len(self.messages))
        return not self._full

    def _is_beyond(self, part: int, size: int) -> bool:
        """Return whether the queue has reached a limit, or exceeds a `part`-th of a limit."""
        waiting = part * len(self.messages)
        if waiting >= self._capacity and (part == 1 or waiting > self._capacity):
            return True
        if self._max_bytes is None:
            return False
        return part * (self._pushed - self._taken) + size > self._max_bytes

    def end(self, error: JvmWireError | None = None) -> None:
        """Accept no more messages; queued ones are still delivered."""
        if not self.ended:
            self.ended, self.error = True, error
            self._notify(self)

    def __bool__(self) -> bool:
        return bool(self.messages or self.unreported_drops)

    def take(self) -> Any:
        """Return the oldest message, or a `MessagesLost` in the place of dropped messages."""
        if not self.messages:
            with self._counting:
                # A message may have been added in the meantime.
                if not self.messages:
                    self._drop_reported = False
                    return self._report_lost()
        message = self.messages.popleft()
        if self._size is not None:
            self._taken += self._sizes.popleft()
        return message

    def _report_lost(self) -> MessagesLost:
        lost, self.unreported_drops = self.unreported_drops, 0
        on_writable = f"{self._capacity} messages"
        if self._max_bytes is not None:
            on_writable += f" or {self._max_bytes} bytes"
        return MessagesLost(
            f"{lost} messages were dropped: the queue has room for {on_writable}{self._hint}", lost
        )


T = TypeVar("T")


# Instructions created per call are not frozen, which would double the cost of creation.


@dataclass(slots=True)
class Call:
    """Send `command` and return its reply, or the replies to a batch as a list of columns.

    The same call may be yielded again, also on another connection: it keeps its call ID.
    """

    connection: Connection
    command: Any
    call_id: int | None = None
    """The call ID, if chosen by the caller; else assigned by the engine."""
    sent: int = 0
    """Number of times that the call was sent, counted by the engine."""
    on_abandoned_reply: Callable[[Any], Operation[Any]] | None = None
    """Function that returns an operation to undo the call, from an abandoned reply.

    It is called if the reply arrives after the caller has given up, or if the caller is cancelled
    before it receives the reply. Only for the last call of an operation, and not for a batch.
    """


MAX_CONNECTS = 32
"""Maximum simultaneous connection attempts of a client (chosen by jvmwire).

Others wait, the newest first. The blocking driver has a thread for each attempt.
"""


@dataclass(frozen=True, slots=True)
class Open:
    """Connect and complete the handshake; return the `Connection`."""

    endpoint: Endpoint
    session: Session[Any]
    timeout: float


@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection: its calls in flight fail with `failure`."""

    connection: Connection
    failure: JvmWireError | None = None


@dataclass(frozen=True, slots=True)
class WaitClosed:
    """Wait for the end of a connection and return its error, before its calls fail."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Now:
    """Return the driver's monotonic time in seconds, by which it measures waits and timeouts."""


@dataclass(frozen=True, slots=True)
class WallTime:
    """Return the time since 1970 in seconds."""


@dataclass(frozen=True, slots=True)
class Sleep:
    """Wait for `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Spawn:
    """Run another operation concurrently; return its `Task`."""

    operation: Operation[Any]
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Wait for a task; return its result or raise its error."""

    task: Task


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancel a task: its wait ends, and it may only clean up."""

    task: Task


@dataclass(frozen=True, slots=True)
class Gather:
    """Run operations concurrently; return their results, in order.

    If some fail, the first of their errors is raised after all are done. If the gathering task is
    cancelled, they are cancelled too.
    """

    operations: Sequence[Operation[Any]]


@dataclass(frozen=True, slots=True)
class Emit(Generic[T]):
    """Yield a value to the iterator; continue when the next value is requested."""

    value: T


@dataclass(slots=True)
class NewMailbox:
    """Return a new `Mailbox`, whose messages go to `callback` or are returned by `Receive`."""

    callback: Callable[[Any], Any] | None = None
    """Called with each message, and with a `MessagesLost` in the place of dropped messages."""
    capacity: int = CAPACITY
    max_bytes: int | None = None
    """Maximum queued bytes, measured by `size`; None is no limit."""
    size: Callable[[Any], int] | None = None
    hint: str = ""
    """Advice that is appended to the error for dropped messages."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Emitted value that `event_stream` raises as an error; the iteration may continue."""

    error: JvmWireError


class PushHandler(Protocol):
    """Interface of handlers of messages that a peer sends unasked: a `Mailbox`, or another."""

    def push(self, message: Any, /) -> None:
        """Handle a message without waiting or raising."""

    def end(self, error: JvmWireError | None = None, /) -> None:
        """Accept no more messages."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Set the `listener` for messages pushed to `connection` under `key`; None removes it."""

    connection: Connection
    key: Hashable
    listener: PushHandler | None
    close_with_connection: bool = False
    """Whether the listener ends with the connection, with its error."""


@dataclass(slots=True)
class Receive:
    """Wait for the next message of a mailbox and return it.

    Raises `MessagesLost` in the place of dropped messages, and `EndOfMessages` at the end.
    """

    mailbox: Mailbox


class ExternalFuture(Protocol):
    """Interface of futures of other libraries, which are completed in other threads."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> object:
        """Call `callback` after the future is done, from any thread; at once if it is done."""

    def result(self) -> Any:
        """Return the result or raise the error of the future, which is done."""

    def cancel(self) -> object:
        """Cancel the future."""


@dataclass(frozen=True, slots=True)
class RunExternal:
    """Start work in another library; return its result or raise its error."""

    begin: Callable[[], ExternalFuture]


Instruction = (
    Call
    | Open
    | Close
    | WaitClosed
    | Now
    | WallTime
    | Sleep
    | Spawn
    | Join
    | Cancel
    | Gather
    | NewMailbox
    | Listen
    | Receive
    | Future
    | RunExternal
)

Operation = Generator[Instruction, Any, T]
"""A client call without its I/O, with a result of type T."""

OperationStream = Generator[Instruction | Emit[T], Any, None]
"""An iterator of a client without its I/O, which emits values of type T."""

AnyOperation = Operation[Any] | OperationStream[Any]
"""Operation or stream of operations: the input of drivers."""
