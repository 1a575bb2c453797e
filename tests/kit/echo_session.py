"""Session of the smallest protocol with every feature of drivers; its server is build/echo.

A frame is `length: u32`, `id: u64`, both big-endian, then length - 8 bytes. The first byte of an id
is its `Kind`, the rest the number of a call or the key of a listener. Both sides begin with a
greeting, in any order.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    Event,
    Failed,
    NeedData,
    Opened,
    Pushed,
    Refused,
    Replies,
    Reply,
    Session,
)
from jvmwire.errors import RemoteProtocolError, ServerError
from reference.cython.echo import encode, following

MAX_FRAME = 1 << 24
"""Largest length of a frame, in this session and in the server."""

_HEADER = struct.Struct(">IQ")
_HEADER_SIZE = _HEADER.size
_KEY = struct.Struct(">QI")
_LENGTH = 4
_LENGTH_OF_ID = 8


class Kind(IntEnum):
    """The kind of a frame."""

    HELLO = 0
    CALL = 1
    """A call and its reply, with the same payload."""
    LATE = 2
    """A call that is answered after the reply to the next `CALL`."""
    REFUSE = 3
    """A call that is refused, and the refusal; the payload is the reason."""
    SUBSCRIBE = 4
    PUSH = 5
    HEARTBEAT = 6
    """Sent back as it came."""
    FAIL = 7
    """A call that makes the server send a goodbye with that payload, and close."""


_NUMBER = (1 << 56) - 1
# Plain numbers, since Python 3.11 takes longer to look up a member than to read a frame.
_HELLO, _CALL, _HEARTBEAT = int(Kind.HELLO), int(Kind.CALL), int(Kind.HEARTBEAT)
_CALL_BITS = _CALL << 56


def _says(payload: bytes) -> ServerError:
    return ServerError(payload.decode(errors="replace"))


_EVENTS: dict[int, Callable[[int, bytes], Event]] = {
    Kind.REFUSE.value: lambda number, payload: Refused(number, _says(payload)),
    Kind.PUSH.value: Pushed,
    Kind.FAIL.value: lambda _, payload: Failed(_says(payload)),
}
"""The events of the other kinds that an open session receives."""


def frame(kind: int, number: int, payload: bytes = b"") -> bytes:
    """Encode one frame."""
    return _HEADER.pack(_LENGTH_OF_ID + len(payload), kind << 56 | number) + payload


@dataclass(slots=True, unsafe_hash=True)  # not frozen: creation would take twice as long
class Echo:
    """Call that is answered with its payload, or as its kind demands."""

    expected_replies: ClassVar[int] = 1

    payload: bytes
    kind: Kind = Kind.CALL
    idempotent: bool = True


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Subscription without a reply: `count` numbers, from 0, are pushed to listener `key`."""

    expected_replies: ClassVar[int] = 1
    idempotent: ClassVar[bool] = False

    key: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """One echo for each row of payloads, which are bytes."""

    payloads: npt.NDArray[np.uint8]
    idempotent: bool = True

    @property
    def expected_replies(self) -> int:
        return len(self.payloads)


Command = Echo | Subscribe | Batch


@dataclass(slots=True)
class _Awaited:
    """The missing replies of a batch: replies arrive in order."""

    first: int
    size: int
    """Bytes of each payload."""
    count: int
    known: int = 0
    """Number of replies that have arrived."""

    @property
    def number(self) -> int:
        """Number of the call whose reply comes next."""
        return self.first + self.known


class EchoSession(Session[Command]):
    """The client's session; with `heartbeat`, it sends a frame at least every so many seconds."""

    def __init__(self, *, heartbeat: float | None = None) -> None:
        super().__init__()
        self._heartbeat = heartbeat
        self._inbound: bytes | bytearray | memoryview = b""
        self._read = 0
        self._later = memoryview(b"")
        """The bytes after `_inbound`, which is then one frame."""
        self._batches: dict[int, _Awaited] = {}
        """The batches by the number of the call whose reply comes next."""
        self._queue(frame(Kind.HELLO, 0))

    def next_timeout(self) -> float | None:
        if self._heartbeat is None or self.state is not OPEN:
            return None
        return self._last_write + self._heartbeat

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is not None and now >= due:
            self._queue(frame(Kind.HEARTBEAT, 0))

    def _encode(self, command: Command, call_id: int) -> bytes | bytearray:
        if isinstance(command, Echo):
            return frame(command.kind, call_id, command.payload)
        if isinstance(command, Subscribe):
            return frame(Kind.SUBSCRIBE, call_id, _KEY.pack(command.key, command.count))
        return self._encode_batch(command, call_id)

    def _encode_batch(self, batch: Batch, call_id: int) -> bytearray:
        count, size = batch.payloads.shape
        if count:
            self._batches[call_id] = _Awaited(call_id, size, count)
        return encode(batch.payloads, call_id + _CALL_BITS)

    def _feed(self, data: bytes) -> None:
        if self._read == len(self._inbound) and not self._later:
            self._inbound, self._read = data, 0
            return
        # Replies are views of the received buffer, so only the incomplete frame is moved.
        if self._read or not isinstance(self._inbound, bytearray):
            self._inbound, self._read = bytearray(self._inbound[self._read :]), 0
        if self._later:
            data = bytes(self._later) + data
        self._later = memoryview(data)[_mend(self._inbound, data) :]

    def _buffered(self) -> int:
        return len(self._inbound) - self._read + len(self._later)

    def _next_event(self) -> Event | NeedData:
        inbound = self._inbound
        end = self._read
        while len(inbound) - end >= _HEADER_SIZE:
            length, id_ = _HEADER.unpack_from(inbound, end)
            if not _LENGTH_OF_ID <= length <= MAX_FRAME:
                raise RemoteProtocolError(
                    f"a frame of {length} bytes; 8 to {MAX_FRAME} are allowed"
                )
            start = end + _HEADER_SIZE
            end += _LENGTH + length
            if end > len(inbound):
                break
            kind, number = id_ >> 56, id_ & _NUMBER
            if self._batches and kind == _CALL and number in self._batches:
                return self._replies(self._batches.pop(number), length)
            self._read = end
            payload = bytes(inbound[start:end])
            if self.state is OPEN:
                if kind == _CALL:
                    self.exhausted = end == len(inbound) and not self._later
                    return Reply(number, payload)
                if kind == _HEARTBEAT:
                    continue
                if (event := _EVENTS.get(kind)) is not None:
                    return event(number, payload)
            elif kind == _HELLO:
                self.state = OPEN
                return Opened()
            raise RemoteProtocolError(f"a frame of kind {kind} while {self.state.name}")
        if self._later:
            self._inbound, self._read, self._later = self._later, 0, memoryview(b"")
            return self._next_event()
        if end == len(inbound):
            self._inbound, self._read = b"", 0  # holders of views of it may release them first
        return NEED_DATA

    def _replies(self, awaited: _Awaited, length: int) -> Replies:
        """Take the complete, consecutive replies to a batch; the first one has arrived."""
        if length != _LENGTH_OF_ID + awaited.size:
            raise RemoteProtocolError(f"the reply to call {awaited.number} is not what it was sent")
        inbound, read, size = self._inbound, self._read, _HEADER_SIZE + awaited.size
        missing = awaited.count - awaited.known
        count = following(inbound, read, awaited.size, awaited.number + _CALL_BITS, missing)
        self._read += count * size
        awaited.known += count
        if awaited.known < awaited.count:
            self._batches[awaited.number] = awaited
        shape = count, awaited.size
        replies = np.ndarray(shape, np.uint8, inbound, read + _HEADER_SIZE, (size, 1))
        return Replies(awaited.first, count, replies)


def _mend(torn: bytearray, data: bytes) -> int:
    """Append to an incomplete frame its bytes from `data`; return how many bytes that is."""
    before = len(torn)
    torn += data[: max(0, _HEADER_SIZE - before)]
    if len(torn) >= _HEADER_SIZE:
        added = len(torn) - before
        missing = _LENGTH + _HEADER.unpack_from(torn)[0] - len(torn)
        torn += data[added : added + max(0, missing)]
    return len(torn) - before


def commands(data: bytes, *, torn: bool = False) -> Iterator[tuple[int, Command | None]]:
    """Yield the commands that a client sent, a batch as its calls; None stands for anything else.

    If `torn`, the last frame may be incomplete; it is left out.
    """
    place = 0
    while place < len(data):
        if torn and len(data) - place < _HEADER.size:
            return
        length, id_ = _HEADER.unpack_from(data, place)
        payload = data[place + _HEADER.size : place + 4 + length]
        place += 4 + length
        if torn and place > len(data):
            return
        kind, number = Kind(id_ >> 56), id_ & ((1 << 56) - 1)
        if kind is Kind.SUBSCRIBE:
            yield number, Subscribe(*_KEY.unpack(payload))
        elif kind in (Kind.HELLO, Kind.HEARTBEAT):
            yield number, None
        else:
            yield number, Echo(payload, kind)


def each(event: Event) -> Iterator[Any]:
    """Yield the parts of an event: replies in bulk one by one."""
    if isinstance(event, Replies):
        yield from ((event.call_id, row.tobytes()) for row in event.message)
    else:
        yield event
