"""Protocol sessions without I/O: commands become bytes, bytes become events."""

from __future__ import annotations

import abc
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from jvmwire.errors import DecodeError, JvmWireError, LocalProtocolError, RemoteProtocolError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator


Buffer = bytes | bytearray | memoryview
"""Bytes to write: the receiver owns a bytearray, and only reads a memoryview."""


class NeedData(enum.Enum):
    """The type of `NEED_DATA`."""

    NEED_DATA = enum.auto()

    def __repr__(self) -> str:
        return self.name


NEED_DATA: Final = NeedData.NEED_DATA
"""Answer of `Session.next_event` when only more bytes can help."""


class State(enum.Enum):
    """State of a session."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    CLOSED = enum.auto()


# By themselves, as Python 3.11 takes longer to look up a member than to make an event.
OPENING: Final = State.OPENING
OPEN: Final = State.OPEN
CLOSED: Final = State.CLOSED


@dataclass(frozen=True, slots=True)
class Opened:
    """The handshake is done; commands may be sent."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The peer ended the conversation."""

    torn: int = 0
    """Bytes of a frame whose rest never came."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The peer ended the conversation and said why."""

    error: JvmWireError
    unprocessed: bool = False
    """Whether it looked at nothing that it was asked."""


@dataclass(slots=True)  # not frozen: making one would take twice as long
class Reply:
    """What the peer answered to the command sent as `call_id`."""

    call_id: int
    message: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The peer's refusal of the command sent as `call_id`."""

    call_id: int
    error: JvmWireError


@dataclass(frozen=True, slots=True)
class Replies:
    """What the peer answered to `count` calls of the batch whose first is `call_id`."""

    call_id: int
    count: int
    message: Any
    """The replies as columns; refusals among them are a column too."""


@dataclass(slots=True)
class Pushed:
    """What the peer sent on its own, to a listener registered under `key`."""

    key: Hashable
    message: Any


@dataclass(frozen=True, slots=True)
class RequestReceived:
    """What the peer asks of us, where we are the server; each protocol has its own."""


_LAST: Final = frozenset({Closed, Failed})
"""After these nothing follows."""

Event = Opened | Closed | Failed | Reply | Refused | Replies | Pushed | RequestReceived


class Command(Protocol):
    """What a caller sends: one call, or a batch of calls with consecutive ids."""

    @property
    def repeatable(self) -> bool:
        """Whether carrying it out twice does and answers the same as once."""

    @property
    def calls(self) -> int:
        """How many replies it asks for: 1, 0 if the peer does not answer, n of a batch."""


CommandT = TypeVar("CommandT", bound=Command)


class Session(abc.ABC, Generic[CommandT]):
    """One conversation with one peer. Does no I/O and reads no clock."""

    def __init__(self) -> None:
        self.state: State = OPENING
        self.position = 0
        """Bytes queued since the beginning, whether handed out yet or not."""
        self.bytes_handed_out = 0
        """Bytes that `data_to_send` has returned since the beginning."""
        self._outbound: Buffer = b""
        self.exhausted = False
        """After an event: whether nothing can follow before more data, as far as is known."""
        self._last_write = 0.0
        self._peer_active = True
        """Whether the peer said something since `_quiet_since`."""
        self._quiet_since = 0.0
        """When we wrote first after the peer had said something."""
        self._eof = False

    @property
    def pending_bytes(self) -> int:
        """Bytes that wait for `data_to_send`."""
        return self.position - self.bytes_handed_out

    def send(self, command: CommandT, call_id: int = 0, retry: int = 0) -> None:
        """Queue `command` behind what the session already owes.

        A batch takes the ids from `call_id` on; under the same ids it was sent `retry` times
        before, on other connections or refused.

        Raises:
            LocalProtocolError: the conversation is not open.
        """
        if self.state is not OPEN:
            raise LocalProtocolError(f"cannot send {command} while {self.state.name}")
        if retry:
            self._queue(self._encode_again(command, call_id, retry))
        else:
            self._queue(self._encode(command, call_id))

    def data_to_send(self, now: float) -> Buffer:
        """Return the bytes to write, once; the session takes `now` for when they were."""
        data = self._outbound
        if data:
            self._outbound = b""
            self.bytes_handed_out = self.position
            self._last_write = now
            if self._peer_active:
                self._quiet_since, self._peer_active = now, False
        return data

    def receive_data(self, data: bytes) -> None:
        """Take bytes off the transport; `b""` says that the peer closed its side."""
        if data:
            self._peer_active = True
            self._feed(data)
        else:
            self._eof = True

    def next_event(self) -> Event | NeedData:
        """Return the next event, or `NEED_DATA`. Call until it says so.

        Raises:
            RemoteProtocolError: the peer sent what it may not; the conversation is over.
        """
        if self.state is CLOSED:
            return Closed()
        self.exhausted = False
        try:
            event = self._next_event()
        except DecodeError as error:
            self.state = CLOSED
            raise RemoteProtocolError(str(error)) from error
        except RemoteProtocolError:
            self.state = CLOSED
            raise
        kind = type(event)
        if kind is Reply or kind is Pushed:  # nearly all are so
            return event
        if event is NEED_DATA:
            if self._eof:
                self.state = CLOSED
                return Closed(torn=self._buffered())
        elif kind in _LAST:
            self.state = CLOSED
        return event

    def events(self) -> Iterator[Event]:
        """Yield what the bytes so far amount to; nothing follows `Closed` or `Failed`."""
        while (event := self.next_event()) is not NEED_DATA:
            yield event
            if isinstance(event, (Closed, Failed)):
                return

    def forget(self, call_id: int) -> None:
        """Drop what is kept for a call that nobody waits for any more."""

    def next_timeout(self) -> float | None:
        """Return when to call `handle_timeout`, by the clock of `data_to_send`; None is never."""
        return None

    def handle_timeout(self, now: float) -> None:
        """Do what is due at `now`: it shows in `data_to_send` or `next_event`."""

    def _queue(self, data: Buffer) -> None:
        """Owe the peer `data`, behind what is owed already; a bytearray is the session's now."""
        self.position += len(data)
        if not self._outbound:  # what is alone goes out as it was made
            self._outbound = data
            return
        if not isinstance(self._outbound, bytearray):
            self._outbound = bytearray(self._outbound)
        self._outbound += data

    @abc.abstractmethod
    def _encode(self, command: CommandT, call_id: int) -> Buffer: ...

    def _encode_again(self, command: CommandT, call_id: int, retry: int) -> Buffer:
        """Encode a command that was sent `retry` times before; most protocols do not tell."""
        del retry
        return self._encode(command, call_id)

    @abc.abstractmethod
    def _feed(self, data: bytes) -> None: ...

    @abc.abstractmethod
    def _next_event(self) -> Event | NeedData: ...

    @abc.abstractmethod
    def _buffered(self) -> int:
        """Return how many bytes of an unfinished frame are kept."""
