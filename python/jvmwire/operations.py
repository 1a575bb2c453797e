"""Client calls without their I/O: generators that yield what they want done.

An operation neither blocks nor awaits. It yields an instruction, is sent what came of it or
thrown what went wrong, and returns its result; a driver does the rest, one way or the other.
Operations of one client never run at the same time, so what they share needs no lock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from jvmwire.mailbox import CAPACITY, Mailbox
from jvmwire.promise import Promise

if TYPE_CHECKING:
    from jvmwire.drivers.connection import Connection
    from jvmwire.drivers.task import Task
    from jvmwire.errors import JvmWireError
    from jvmwire.sansio import Session
    from jvmwire.transports import Endpoint

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
    unheard: Callable[[Any], Operation[Any]] | None = None
    """Makes an operation, which is run, of a reply that comes when its caller has given up, or that
    its caller is cancelled over: what undoes it. For the last call of an operation, no batch."""


@dataclass(frozen=True, slots=True)
class Open:
    """Connect and shake hands; be sent the `Connection`."""

    endpoint: Endpoint
    session: Session[Any]
    timeout: float


@dataclass(frozen=True, slots=True)
class Close:
    """End a connection: what was called on it fails, for the reason given."""

    connection: Connection
    failure: JvmWireError | None = None


@dataclass(frozen=True, slots=True)
class AwaitLoss:
    """Be sent the error that ended a connection, once it has ended; before its calls fail."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Sleep:
    """Go on after so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Spawn:
    """Run another operation beside this one; be sent its `Task`."""

    operation: Operation[Any]
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Be sent what a task returns, or thrown what it raises."""

    task: Task


@dataclass(frozen=True, slots=True)
class End:
    """End a task: what it waits for is given up, and it may do no more than clean up."""

    task: Task


@dataclass(frozen=True, slots=True)
class Gather:
    """Run operations beside each other; be sent what they return, in their order.

    If some raise, the first of their errors is thrown once all are done. They end with who
    gathers them.
    """

    operations: Sequence[Operation[Any]]


@dataclass(frozen=True, slots=True)
class Emit(Generic[T]):
    """Hand a value to whoever iterates; go on when the next one is asked for."""

    value: T


@dataclass(slots=True)
class MakeMailbox:
    """Be sent a new `Mailbox`, which empties itself into `callback`, or is `Receive`d from."""

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


class Listener(Protocol):
    """Who is told what a connection is pushed: a `Mailbox`, or what looks at it at once."""

    def push(self, message: Any, /) -> None:
        """Take a message; neither wait nor raise."""

    def end(self, error: JvmWireError | None = None, /) -> None:
        """Take nothing more."""


@dataclass(frozen=True, slots=True)
class Listen:
    """From now on, what `connection` is pushed under `key` goes to `listener`; None ends it."""

    connection: Connection
    key: Hashable
    listener: Listener | None
    until_lost: bool = False
    """Whether the listener ends with the connection, by what became of it."""


@dataclass(slots=True)
class Receive:
    """Be sent the next message of a mailbox.

    Thrown are `MessagesLost` where messages were dropped, and `EndOfMessages`.
    """

    mailbox: Mailbox


class Future(Protocol):
    """What another library is about; it is done in a thread of that library's."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> object:
        """Call `callback` once it is done, from any thread; now, if it is."""

    def result(self) -> Any:
        """Return what came of it, or raise what went wrong; it is done."""

    def cancel(self) -> object:
        """Give it up."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Have another library begin something; be sent its result, or thrown what it raises."""

    begin: Callable[[], Future]


Instruction = (
    Call
    | Open
    | Close
    | AwaitLoss
    | Sleep
    | Spawn
    | Join
    | End
    | Gather
    | MakeMailbox
    | Listen
    | Receive
    | Promise
    | Outside
)

Operation = Generator[Instruction, Any, T]
"""A client call without its I/O, which returns a T."""

Emission = Generator[Instruction | Emit[T], Any, None]
"""An iterator of a client without its I/O, which emits Ts."""

Running = Operation[Any] | Emission[Any]
"""What drivers carry out."""
