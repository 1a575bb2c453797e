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
"""Result of `Session.next_event` if more bytes are needed."""


class State(enum.Enum):
    """State of a session."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    CLOSED = enum.auto()


# Separate constants: Python 3.11 looks up an enum member more slowly than it creates an event.
OPENING: Final = State.OPENING
OPEN: Final = State.OPEN
CLOSED: Final = State.CLOSED


@dataclass(frozen=True, slots=True)
class Opened:
    """The handshake is done; commands may be sent."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The peer closed its side of the connection."""

    torn: int = 0
    """Bytes of an incomplete frame at the end."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The peer ended the session with an error."""

    error: JvmWireError
    unprocessed: bool = False
    """Whether the peer processed none of the outstanding calls."""


@dataclass(slots=True)  # not frozen, which would double the cost of creation
class Reply:
    """The reply to the command sent as `call_id`."""

    call_id: int
    message: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The peer's refusal of the command sent as `call_id`."""

    call_id: int
    error: JvmWireError


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies to `count` calls of the batch that begins at `call_id`."""

    call_id: int
    count: int
    message: Any
    """The replies as columns; refusals among them are a column too."""


@dataclass(slots=True)
class Pushed:
    """A message that the peer sent unasked, for the listener registered under `key`."""

    key: Hashable
    message: Any


@dataclass(frozen=True, slots=True)
class RequestReceived:
    """Base of the requests that a server session receives; each protocol defines its own."""


_LAST: Final = frozenset({Closed, Failed})
"""Events that are not followed by any other."""

Event = Opened | Closed | Failed | Reply | Refused | Replies | Pushed | RequestReceived


class Command(Protocol):
    """Interface of commands: one call, or a batch of calls with consecutive IDs."""

    @property
    def idempotent(self) -> bool:
        """Whether a second execution has no further effect and the same reply."""

    @property
    def expected_replies(self) -> int:
        """Number of replies: 1, 0 if the peer does not reply, n for a batch."""


CommandT = TypeVar("CommandT", bound=Command)


class Session(abc.ABC, Generic[CommandT]):
    """One session with one peer, without I/O and without a clock."""

    def __init__(self) -> None:
        self.state: State = OPENING
        self.position = 0
        """Total bytes queued, handed out or not."""
        self.bytes_handed_out = 0
        """Total bytes returned by `data_to_send`."""
        self._outbound: Buffer = b""
        self.exhausted = False
        """After an event: whether no further event is expected without more data."""
        self._last_write = 0.0
        self._peer_active = True
        """Whether the peer sent data since `_quiet_since`."""
        self._quiet_since = 0.0
        """Time of the first write after the peer's last data."""
        self._eof = False

    @property
    def pending_bytes(self) -> int:
        """Bytes that wait for `data_to_send`."""
        return self.position - self.bytes_handed_out

    def send(self, command: CommandT, call_id: int = 0, retry: int = 0) -> None:
        """Queue `command` after the data that is queued already.

        A batch uses the IDs from `call_id` on. `retry` is the number of times that it was sent
        before under the same IDs, on other connections or refused.

        Raises:
            LocalProtocolError: the session is not open.
        """
        if self.state is not OPEN:
            raise LocalProtocolError(f"cannot send {command} while {self.state.name}")
        if retry:
            self._queue(self._encode_again(command, call_id, retry))
        else:
            self._queue(self._encode(command, call_id))

    def data_to_send(self, now: float) -> Buffer:
        """Return the queued bytes once, and record `now` as the time of the write."""
        data = self._outbound
        if data:
            self._outbound = b""
            self.bytes_handed_out = self.position
            self._last_write = now
            if self._peer_active:
                self._quiet_since, self._peer_active = now, False
        return data

    def receive_data(self, data: bytes) -> None:
        """Process received bytes; `b""` means that the peer closed its side."""
        if data:
            self._peer_active = True
            self._feed(data)
        else:
            self._eof = True

    def next_event(self) -> Event | NeedData:
        """Return the next event; call again until the result is `NEED_DATA`.

        Raises:
            RemoteProtocolError: the peer violated the protocol; the session is over.
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
        if kind is Reply or kind is Pushed:  # nearly all events
            return event
        if event is NEED_DATA:
            if self._eof:
                self.state = CLOSED
                return Closed(torn=self._buffered())
        elif kind in _LAST:
            self.state = CLOSED
        return event

    def events(self) -> Iterator[Event]:
        """Yield all events of the bytes so far; `Closed` or `Failed` is the last event."""
        while (event := self.next_event()) is not NEED_DATA:
            yield event
            if isinstance(event, (Closed, Failed)):
                return

    def forget(self, call_id: int) -> None:
        """Drop the state of a call that has no waiting task any more."""

    def next_timeout(self) -> float | None:
        """Return the time for `handle_timeout`, by the clock of `data_to_send`; None is never."""
        return None

    def handle_timeout(self, now: float) -> None:
        """Process timers due at `now`, with effects on `data_to_send` or `next_event`."""

    def _queue(self, data: Buffer) -> None:
        """Queue `data` for the peer; the session owns a bytearray from now on."""
        self.position += len(data)
        if not self._outbound:  # a single piece is sent without a copy
            self._outbound = data
            return
        if not isinstance(self._outbound, bytearray):
            self._outbound = bytearray(self._outbound)
        self._outbound += data

    @abc.abstractmethod
    def _encode(self, command: CommandT, call_id: int) -> Buffer: ...

    def _encode_again(self, command: CommandT, call_id: int, retry: int) -> Buffer:
        """Encode a command that was sent `retry` times before; most protocols ignore the number."""
        del retry
        return self._encode(command, call_id)

    @abc.abstractmethod
    def _feed(self, data: bytes) -> None: ...

    @abc.abstractmethod
    def _next_event(self) -> Event | NeedData: ...

    @abc.abstractmethod
    def _buffered(self) -> int:
        """Return the number of buffered bytes of an incomplete frame."""
