"""The smallest protocol that has all that drivers must cope with; its server is build/echo.

A frame is `length: u32`, `id: u64`, both big-endian, then length - 8 bytes. The first byte of an
id is its `Kind`, the rest the number of a call or the key of a listener. Either side greets first.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from jvmwire.errors import RemoteProtocolError, ServerError
from jvmwire.sansio import (
    NEED_DATA,
    Event,
    Failed,
    NeedData,
    Opened,
    Pushed,
    Refused,
    Replies,
    Reply,
    Session,
    State,
)

MAX_FRAME = 1 << 24
"""Largest length; ours, and the server's."""

_HEADER = struct.Struct(">IQ")
_KEY = struct.Struct(">QI")
_LENGTH_OF_ID = 8


class Kind(IntEnum):
    """What a frame is."""

    HELLO = 0
    CALL = 1
    """A call and its reply, with the same payload."""
    LATE = 2
    """A call that is answered after the next `CALL` was."""
    REFUSE = 3
    """A call that is refused, and the refusal; the payload says why."""
    SUBSCRIBE = 4
    PUSH = 5
    HEARTBEAT = 6
    """Sent back as it came."""
    FAIL = 7
    """A call that makes the server say goodbye, with that payload, and close."""


def frame(kind: Kind, number: int, payload: bytes = b"") -> bytes:
    """Return one frame."""
    return _HEADER.pack(_LENGTH_OF_ID + len(payload), kind << 56 | number) + payload


@dataclass(frozen=True, slots=True)
class Echo:
    """Answered with its payload, or as its kind says."""

    calls: ClassVar[int] = 1

    payload: bytes
    kind: Kind = Kind.CALL
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Answered with nothing; then `count` numbers, from 0, are pushed to the listener `key`."""

    calls: ClassVar[int] = 1
    repeatable: ClassVar[bool] = False

    key: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """One echo for each row of payloads, which are bytes."""

    payloads: npt.NDArray[np.uint8]
    repeatable: bool = True

    @property
    def calls(self) -> int:
        return len(self.payloads)


Command = Echo | Subscribe | Batch


@dataclass(slots=True)
class _Awaited:
    """What is missing of a batch: replies come in order."""

    first: int
    missing: int
    frame: np.dtype[np.void]
    number: int


class EchoSession(Session[Command]):
    """The client's side. With `heartbeat`, it says something at least each so many seconds."""

    def __init__(self, *, heartbeat: float | None = None) -> None:
        super().__init__()
        self._heartbeat = heartbeat
        self._inbound = bytearray()
        self._read = 0
        self._batches: dict[int, _Awaited] = {}
        """By the number of the call whose reply comes next."""
        self._queue(frame(Kind.HELLO, 0))

    def next_timeout(self) -> float | None:
        if self._heartbeat is None or self.state is not State.OPEN:
            return None
        return self._last_write + self._heartbeat

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is not None and now >= due:
            self._queue(frame(Kind.HEARTBEAT, 0))

    def _encode(self, command: Command, call_id: int) -> bytes:
        match command:
            case Echo(payload, kind):
                return frame(kind, call_id, payload)
            case Subscribe(key, count):
                return frame(Kind.SUBSCRIBE, call_id, _KEY.pack(key, count))
            case Batch(payloads):
                return self._encode_batch(payloads, call_id)

    def _encode_batch(self, payloads: npt.NDArray[np.uint8], call_id: int) -> bytes:
        count, size = payloads.shape
        frames = np.empty(count, _frames_of(size))
        frames["length"] = _LENGTH_OF_ID + size
        frames["id"] = np.arange(call_id, call_id + count, dtype=np.uint64) + (Kind.CALL << 56)
        frames["payload"] = payloads
        if count:
            self._batches[call_id] = _Awaited(call_id, count, frames.dtype, call_id)
        return frames.tobytes()

    def _feed(self, data: bytes) -> None:
        if self._read:
            del self._inbound[: self._read]
            self._read = 0
        self._inbound += data

    def _buffered(self) -> int:
        return len(self._inbound) - self._read

    def _next_event(self) -> Event | NeedData:
        while self._buffered() >= _HEADER.size:
            length, id_ = _HEADER.unpack_from(self._inbound, self._read)
            if not _LENGTH_OF_ID <= length <= MAX_FRAME:
                raise RemoteProtocolError(
                    f"a frame of {length} bytes; 8 to {MAX_FRAME} are allowed"
                )
            start = self._read + _HEADER.size
            end = start + length - _LENGTH_OF_ID
            if end > len(self._inbound):
                break
            kind, number = id_ >> 56, id_ & ((1 << 56) - 1)
            if kind == Kind.CALL and (awaited := self._batches.pop(number, None)) is not None:
                return self._replies(awaited)
            self._read = end
            payload = bytes(self._inbound[start:end])
            match self.state, kind:
                case State.OPENING, Kind.HELLO:
                    self.state = State.OPEN
                    return Opened()
                case State.OPEN, Kind.CALL:
                    return Reply(number, payload)
                case State.OPEN, Kind.REFUSE:
                    return Refused(number, ServerError(payload.decode(errors="replace")))
                case State.OPEN, Kind.PUSH:
                    return Pushed(number, payload)
                case State.OPEN, Kind.HEARTBEAT:
                    pass
                case State.OPEN, Kind.FAIL:
                    return Failed(ServerError(payload.decode(errors="replace")))
                case state, other:
                    raise RemoteProtocolError(f"a frame of kind {other} while {state.name}")
        return NEED_DATA

    def _replies(self, awaited: _Awaited) -> Replies:
        """Take the replies to a batch that are whole, and follow one another."""
        whole = min(awaited.missing, self._buffered() // awaited.frame.itemsize)
        if not whole:
            raise RemoteProtocolError(f"the reply to call {awaited.number} is not what it was sent")
        frames = np.frombuffer(self._inbound, awaited.frame, whole, self._read)
        ids = np.arange(awaited.number, awaited.number + whole, dtype=np.uint64)
        fits = (frames["id"] == ids + (Kind.CALL << 56)) & (
            frames["length"] == awaited.frame["payload"].itemsize + _LENGTH_OF_ID
        )
        count = whole if fits.all() else int(fits.argmin())
        if not count:
            raise RemoteProtocolError(f"the reply to call {awaited.number} is not what it was sent")
        self._read += count * awaited.frame.itemsize
        awaited.number += count
        awaited.missing -= count
        if awaited.missing:
            self._batches[awaited.number] = awaited
        # A copy: while anything looks into a bytearray, it can't grow.
        return Replies(awaited.first, count, frames["payload"][:count].copy())


def _frames_of(size: int) -> np.dtype[np.void]:
    """Return the layout of frames with payloads of one size."""
    return np.dtype([("length", ">u4"), ("id", ">u8"), ("payload", np.uint8, (size,))])


def commands(data: bytes, *, torn: bool = False) -> Iterator[tuple[int, Command | None]]:
    """Yield what a client said, a batch as its calls; what is no command is None.

    If `torn`, the last frame may lack its end; it is left out.
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
    """Yield what an event says, of replies in bulk each by itself."""
    if isinstance(event, Replies):
        yield from ((event.call_id, row.tobytes()) for row in event.message)
    else:
        yield event
