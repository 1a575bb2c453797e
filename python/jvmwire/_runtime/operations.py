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

from jvmwire.errors import JvmWireError, MessagesLost
from jvmwire.escaping import get_logger

if TYPE_CHECKING:
    from jvmwire._runtime.session import Command, Session
    from jvmwire.transports import Endpoint


NOTHING: Any = object()
"""Value of `Task.emitted` while the task has emitted nothing."""


class Connection(Protocol):
    """A connection to one peer, as operations see it: `EngineConnection` is what they get."""

    endpoint: Endpoint
    session: Session[Any]
    failure: JvmWireError | None
    """Why it ended; None while it lives."""
    late_replies: int
    """Replies dropped because their call had been given up."""
    listeners: dict[Hashable, PushHandler]
    """Handlers of what the peer sends on its own, by key."""

    @property
    def alive(self) -> bool:
        """Whether it may still be called on."""

    def is_idle(self) -> bool:
        """Return whether it lives and nothing is on its way."""


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
    """Call id of the command that was sent last."""
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
        self.join_waiters: list[Task] | None = None
        self.joined: Task | None = None
        """Whose end it waited for last."""
        self.refusal: BaseException | None = None
        """What went wrong last while it went on."""
        self.emitted: Any = NOTHING
        self.on_abandoned_reply: Callable[[Any], Operation[Any]] | None = None
        """Of the call that was sent last: see `Call`."""
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
"""Messages that wait for a listener before more are dropped. Ours."""

_log = get_logger("jvmwire.callbacks")


class EndOfMessages(Exception):
    """The mailbox has ended and is empty."""


class Mailbox:
    """Messages for one listener, in order. What finds no room is dropped and counted."""

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
        """Messages that found no room, since the beginning."""
        self.ended = False
        self.error: JvmWireError | None = None
        self.receivers: deque[Task] = deque()
        """Tasks that wait for a message, in order."""
        self._capacity = capacity
        self._max_bytes = max_bytes
        """Bytes that wait, as `size` says, before more are dropped; None is no limit."""
        self._size = size
        self._hint = hint
        """What an error says to do."""
        self._sizes: deque[int] = deque()
        """Of what waits, where bytes are limited."""
        self._pushed = self._taken = 0
        """Bytes since the beginning: each has one writer, which may be a thread of its own."""
        self._notify = notify
        self.messages: deque[Any] = deque()
        """What waits; where some were dropped, `take` says so."""
        self.unreported_drops = 0
        """Dropped messages that no receiver has been told of yet."""
        self._full = False
        """Whether what comes is dropped: from when no room is left until half of it is."""
        self._drop_reported = False
        """Whether some were dropped since nothing waited."""
        self._counting = threading.Lock()
        """Of what was lost, and where that is said: callbacks take in a thread of their own."""

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
        if self._size is not None:  # first: who takes the message takes its size too
            self._sizes.append(size)
            self._pushed += size
        self.messages.append(message)

    def _find_room(self, size: int) -> bool:
        """Return whether there is some for `size` bytes more behind what waits already."""
        self._full = self._is_beyond(2 if self._full else 1, size)
        if not self._full:
            if self.unreported_drops:
                with self._counting:
                    if self.unreported_drops:  # else it was said meanwhile
                        self._append(self._report_lost(), 0)
        elif not self._drop_reported:
            self._drop_reported = True
            _log.warning("a listener is %d messages behind: more are dropped", len(self.messages))
        return not self._full

    def _is_beyond(self, part: int, size: int) -> bool:
        """Return whether what waits has reached a limit, or exceeds one `part`-th of it."""
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
        """Return the oldest message; a `MessagesLost` stands where some were dropped."""
        if not self.messages:
            with self._counting:
                # It may have come ahead of what there was room for again.
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


# What each call makes is not frozen: making one would take twice as long.


@dataclass(slots=True)
class Call:
    """Send `command`; be sent the reply, or what a batch was answered as a list of columns.

    The same call may be yielded again, on another connection if need be: it keeps its id.
    """

    connection: Connection
    command: Any
    call_id: int | None = None
    """An id of the caller's choosing; else the driver counts."""
    sent: int = 0
    """How often it was sent so far; the driver counts."""
    on_abandoned_reply: Callable[[Any], Operation[Any]] | None = None
    """Makes an operation, which is run, of a reply that comes when its caller has given up, or that
    its caller is cancelled over: what undoes it. For the last call of an operation, no batch."""


MAX_CONNECTS = 32
"""Connections that a client makes at the same time; others wait their turn, the newest first. The
blocking driver has a thread for each of them. (Chosen by jvmwire.)"""


@dataclass(frozen=True, slots=True)
class Open:
    """Connect and complete the handshake; be sent the `Connection`."""

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
    """Be sent the error that ended a connection, once it has ended; before its calls fail."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Sleep:
    """Go on after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Spawn:
    """Run another operation concurrently; be sent its `Task`."""

    operation: Operation[Any]
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Wait for a task; be sent its result or thrown its error."""

    task: Task


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancel a task: its wait ends, and it may only clean up."""

    task: Task


@dataclass(frozen=True, slots=True)
class Gather:
    """Run operations concurrently; be sent their results, in order.

    If some raise, the first of their errors is thrown once all are done. They end with who
    gathers them.
    """

    operations: Sequence[Operation[Any]]


@dataclass(frozen=True, slots=True)
class Emit(Generic[T]):
    """Yield a value to the iterator; go on when the next one is asked for."""

    value: T


@dataclass(slots=True)
class NewMailbox:
    """Be sent a new `Mailbox`, whose messages go to `callback` or are `Receive`d."""

    callback: Callable[[Any], Any] | None = None
    """Called with each message, and with a `MessagesLost` where some were dropped."""
    capacity: int = CAPACITY
    max_bytes: int | None = None
    """Bytes that wait before more are dropped, as `size` says; None is no limit."""
    size: Callable[[Any], int] | None = None
    hint: str = ""
    """What the error of dropped messages says to do."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Emitted in the place of a value: `event_stream` raises the error, and may be asked on."""

    error: JvmWireError


class PushHandler(Protocol):
    """Handler of messages that a peer sends on its own: a `Mailbox`, or a direct one."""

    def push(self, message: Any, /) -> None:
        """Handle a message; neither wait nor raise."""

    def end(self, error: JvmWireError | None = None, /) -> None:
        """Handle no more messages."""


@dataclass(frozen=True, slots=True)
class Listen:
    """From now on, what `connection` is pushed under `key` goes to `listener`; None ends it."""

    connection: Connection
    key: Hashable
    listener: PushHandler | None
    close_with_connection: bool = False
    """Whether the listener ends with the connection, by what became of it."""


@dataclass(slots=True)
class Receive:
    """Be sent the next message of a mailbox.

    Thrown are `MessagesLost` where messages were dropped, and `EndOfMessages`.
    """

    mailbox: Mailbox


class ExternalFuture(Protocol):
    """Future of another library, which is done in a thread of that library."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> object:
        """Call `callback` once the future is done, from any thread; now, if it is done."""

    def result(self) -> Any:
        """Return the result or raise the error; the future is done."""

    def cancel(self) -> object:
        """Cancel the future."""


@dataclass(frozen=True, slots=True)
class RunExternal:
    """Start work in another library; be sent its result or thrown its error."""

    begin: Callable[[], ExternalFuture]


Instruction = (
    Call
    | Open
    | Close
    | WaitClosed
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
"""A client call without its I/O, which returns a T."""

OperationStream = Generator[Instruction | Emit[T], Any, None]
"""An iterator of a client without its I/O, which emits Ts."""

AnyOperation = Operation[Any] | OperationStream[Any]
"""Operation or stream of operations: the input of drivers."""
