"""Pravega's first wire protocol, without I/O: both sides of a connection.

The protocol's document leaves some rules open; jvmwire has chosen these:

- An offset of a connection counts stored bytes: the data of events, without headers. Both offsets
  of a block are that of its beginning.
- The length at a block's end is the number of bytes it stores. It exceeds the bytes received before
  only by the one event that was begun before the end and is completed after it.
- A KeepAlive sent by jvmwire is empty. As there is no Hello, the first interval of silence begins
  when the session first receives the time.
- Reads of one segment are answered in order. A read is complete when the requested number of bytes
  has arrived, or when a chunk reports the tail or the end of the segment.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire._core import PRAVEGA_FRAME_LIMIT, PravegaDialect
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    Event,
    Failed,
    NeedData,
    Opened,
    Pushed,
    Reply,
    Session,
)
from jvmwire.errors import ConnectionLost, LocalProtocolError, RemoteProtocolError
from jvmwire.pravega._session import KEEP_ALIVE_INTERVAL
from jvmwire.pravega.early._messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    SegmentRead,
    SetupAppend,
)

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire.pravega.early._messages import Reply as Answer
    from jvmwire.pravega.early._messages import Request

MAX_MESSAGE = PRAVEGA_FRAME_LIMIT
"""Bytes of a message, header included: the document requires less than 2^24."""
MAX_BLOCK = 64 << 20
"""Bytes of a block that a server buffers until it ends, headers included (chosen by jvmwire)."""
EVENT_HEADER = 8
"""Bytes of an event on the wire in addition to its data, also of an empty one."""
MAX_GIVEN_UP = 1024
"""Cancelled calls without a reply, after which a client reconnects (chosen by jvmwire).

The protocol has no call ids, so each cancelled call is kept until its reply arrives.
"""


class _EarlySession(Session[Any]):
    """Base class of both sides."""

    def __init__(
        self,
        dialect: PravegaDialect | None = None,
        *,
        keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL,
    ) -> None:
        super().__init__()
        self._dialect = dialect or PravegaDialect.early()
        self._keep_alive_interval = keep_alive_interval
        self._decoder = self._dialect.decoder(limit=MAX_MESSAGE)
        self._describe = False
        self._timed = False
        """Whether the interval of silence has begun before anything was sent."""
        # The protocol has no handshake.
        self.state = OPEN

    def next_timeout(self) -> float | None:
        if self._keep_alive_interval is None or self.state is not OPEN:
            return None
        return self._last_write + self._keep_alive_interval

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is None or now < due:
            return
        if self._timed or self.position:
            self._queue(self._dialect.encode("KeepAlive", {"data": b""}))
        else:
            self._timed, self._last_write = True, now

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        if not self._describe:
            self._describe = True
            return Opened()
        while (received := self._decoder.next_command()) is not None:
            code, name, fields = received
            if name is None:
                raise RemoteProtocolError(f"a message of the unknown type {code}")
            # A KeepAlive is never answered, whatever its content.
            if name != "KeepAlive" and (event := self._handle_message(name, fields)) is not None:
                return event
        return NEED_DATA

    def _handle_message(self, name: str, fields: dict[str, Any]) -> Event | None:
        raise NotImplementedError


@dataclass(slots=True)
class _Reading:
    """Pending reads of one segment, in order."""

    calls: deque[tuple[int, ReadSegment]] = field(default_factory=deque)
    pieces: list[SegmentRead] = field(default_factory=list)
    """The chunks received for the first read."""
    got: int = 0


@dataclass(slots=True)
class _AppendState:
    """The state of one connection id of this client."""

    level: int
    sent: int
    blocks: deque[tuple[int, int]] = field(default_factory=deque)
    """The end offset and the call id of each block that is not acknowledged."""


class EarlyClientSession(_EarlySession):
    """Client side of one connection."""

    def __init__(
        self,
        dialect: PravegaDialect | None = None,
        *,
        keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL,
    ) -> None:
        super().__init__(dialect, keep_alive_interval=keep_alive_interval)
        self._set_up: dict[UUID, deque[tuple[int, str]]] = {}
        """Unanswered set-ups in order, each with its call id and segment, by connection id."""
        self._awaited: dict[int, UUID] = {}
        """The connection id of each set-up that was not cancelled, by call id."""
        self._appends: dict[UUID, _AppendState] = {}
        self._reads: dict[str, _Reading] = {}
        self._given_up: set[int] = set()
        """Cancelled calls whose replies may still arrive."""

    def forget(self, call_id: int) -> None:
        # The reply still arrives, and another set-up may be sent before it does.
        self._awaited.pop(call_id, None)
        self._given_up.add(call_id)
        for reading in self._reads.values():
            if reading.calls[0][0] == call_id:
                reading.pieces.clear()

    def next_timeout(self) -> float | None:
        if len(self._given_up) > MAX_GIVEN_UP and self.state is OPEN:
            return self._last_write
        return super().next_timeout()

    def _answered(self, call_id: int, message: Any) -> Reply:
        self._given_up.discard(call_id)
        return Reply(call_id, message)

    def _encode(self, command: Request, call_id: int) -> bytes:
        encode = self._dialect.encode
        match command:
            case SetupAppend(connection_id, segment):
                if connection_id in self._awaited.values():
                    raise LocalProtocolError(f"{connection_id} waits to be set up already")
                self._set_up.setdefault(connection_id, deque()).append((call_id, segment))
                self._awaited[call_id] = connection_id
                return encode("SetupAppend", {"connection_id": connection_id, "segment": segment})
            case AppendBlock(connection_id, offset, data):
                appending = self._appends.get(connection_id)
                if appending is None:
                    raise LocalProtocolError(f"{connection_id} was not set up")
                if appending.sent != offset:
                    raise LocalProtocolError(
                        f"a block at offset {offset}, where {appending.sent} bytes were sent"
                    )
                place = {"connection_id": connection_id, "connection_offset": offset}
                wire = (
                    encode("BeginAppendBlock", place | {"length": len(data)})
                    + encode("Event", {"data": data})
                    + encode("EndAppendBlock", place | {"block_length": len(data)})
                )
                appending.sent += len(data)
                appending.blocks.append((appending.sent, call_id))
                return wire
            case ReadSegment(segment, offset, length):
                self._reads.setdefault(segment, _Reading()).calls.append((call_id, command))
                asked = {"segment": segment, "offset": offset, "suggested_length": length}
                return encode("ReadSegment", asked)

    def _handle_message(self, name: str, fields: dict[str, Any]) -> Event | None:
        match name:
            case "AppendSetup":
                return self._on_append_setup(AppendSetup(**fields))
            case "DataAppended":
                return self._on_data_appended(DataAppended(**fields))
            case "SegmentRead":
                return self._on_segment_read(SegmentRead(**fields))
        raise RemoteProtocolError(f"{name} from the server")

    def _on_append_setup(self, reply: AppendSetup) -> Event:
        asked = self._set_up.get(reply.connection_id)
        if asked is None or asked[0][1] != reply.segment:
            raise RemoteProtocolError(f"{reply.connection_id} was not to be set up")
        call_id, _ = asked.popleft()
        if not asked:
            del self._set_up[reply.connection_id]
        self._awaited.pop(call_id, None)
        level = reply.connection_offset_ack_level
        if level < 0:
            raise RemoteProtocolError(f"{level} bytes of {reply.connection_id} are stored")
        if (former := self._appends.get(reply.connection_id)) is not None:
            # Blocks that were sent before are no longer acknowledged.
            self._given_up.difference_update(call for _, call in former.blocks)
        self._appends[reply.connection_id] = _AppendState(level, level)
        return self._answered(call_id, level)

    def _on_data_appended(self, reply: DataAppended) -> Event | None:
        appending = self._appends.get(reply.connection_id)
        level = reply.connection_offset_ack_level
        if appending is None or not appending.level <= level <= appending.sent:
            raise RemoteProtocolError(f"{level} bytes of {reply.connection_id} are acknowledged")
        appending.level = level
        if appending.blocks and appending.blocks[0][0] <= level:
            _, call_id = appending.blocks.popleft()
            if appending.blocks and appending.blocks[0][0] <= level:
                # One acknowledgement may cover several blocks: it is processed again.
                self._again = reply
            return self._answered(call_id, level)
        return None

    _again: DataAppended | None = None

    def _next_event(self) -> Event | NeedData:
        if len(self._given_up) > MAX_GIVEN_UP:
            text = f"{len(self._given_up)} calls were given up and are not answered"
            return Failed(ConnectionLost(text))
        if (again := self._again) is not None:
            self._again = None
            event = self._on_data_appended(again)
            if event is not None:
                return event
        return super()._next_event()

    def _on_segment_read(self, piece: SegmentRead) -> Event | None:
        reading = self._reads.get(piece.segment)
        if reading is None:
            raise RemoteProtocolError(f"bytes of {piece.segment!r}, which were not requested")
        call_id, asked = reading.calls[0]
        if piece.offset != asked.offset + reading.got:
            raise RemoteProtocolError(
                f"bytes of {piece.segment!r} at {piece.offset}, not {asked.offset + reading.got}"
            )
        final = piece.at_tail or piece.end_of_segment
        if not (piece.data or final or asked.suggested_length <= reading.got):
            raise RemoteProtocolError(
                f"an empty piece of {piece.segment!r} at {piece.offset}, which is not the end"
            )
        if call_id not in self._given_up:
            reading.pieces.append(piece)
        reading.got += len(piece.data)
        if reading.got < asked.suggested_length and not final:
            return None
        data = b"".join(each.data for each in reading.pieces)
        whole = SegmentRead(piece.segment, asked.offset, piece.at_tail, piece.end_of_segment, data)
        reading.calls.popleft()
        reading.pieces, reading.got = [], 0
        if not reading.calls:
            del self._reads[piece.segment]
        return self._answered(call_id, whole)


@dataclass(slots=True)
class _Block:
    """A block that is being received."""

    connection_id: UUID
    offset: int
    data: bytes | bytearray = b""
    wire: int = 0
    """Bytes of its events on the wire."""
    length: int | None = None
    """The number of bytes that the block stores; None until its end arrives."""


class EarlyServerSession(_EarlySession):
    """Server side of one connection; requests are pushed under `None`, blocks as a whole."""

    def __init__(
        self,
        dialect: PravegaDialect | None = None,
        *,
        keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL,
        max_block: int = MAX_BLOCK,
    ) -> None:
        super().__init__(dialect, keep_alive_interval=keep_alive_interval)
        self._max_block = max_block
        self._levels: dict[UUID, int] = {}
        """The number of bytes received for each connection id that is set up."""
        self._block: _Block | None = None

    def _buffered(self) -> int:
        block = self._block
        return super()._buffered() + (0 if block is None else max(1, len(block.data)))

    @property
    def buffered(self) -> int:
        """Bytes of the incomplete message and block, headers of events included."""
        block = self._block
        return super()._buffered() + (0 if block is None else max(1, block.wire))

    def _encode(self, command: Answer, call_id: int) -> bytes:  # noqa: ARG002 - it has none
        match command:
            case AppendSetup(segment, connection_id, level):
                self._levels[connection_id] = level
                fields: dict[str, Any] = {"segment": segment}
            case DataAppended(connection_id, level):
                fields = {}
            case SegmentRead(segment, offset, at_tail, end_of_segment, data):
                return self._dialect.encode(
                    "SegmentRead",
                    {
                        "segment": segment,
                        "offset": offset,
                        "at_tail": at_tail,
                        "end_of_segment": end_of_segment,
                        "data": data,
                    },
                )
        fields |= {"connection_id": connection_id, "connection_offset_ack_level": level}
        return self._dialect.encode(type(command).__name__, fields)

    def _handle_message(self, name: str, fields: dict[str, Any]) -> Event | None:
        match name:
            case "SetupAppend":
                return Pushed(None, SetupAppend(**fields))
            case "ReadSegment":
                return Pushed(None, ReadSegment(**fields))
            case "BeginAppendBlock":
                self._begin(fields["connection_id"], fields["connection_offset"])
                return None
            case "Event":
                return self._event(fields["data"])
            case "EndAppendBlock":
                return self._end(
                    fields["connection_id"], fields["connection_offset"], fields["block_length"]
                )
        raise RemoteProtocolError(f"{name} from the client")

    def _begin(self, connection_id: UUID, offset: int) -> None:
        if self._block is not None:
            raise RemoteProtocolError("a block begins in another")
        level = self._levels.get(connection_id)
        if level is None:
            raise RemoteProtocolError(f"a block of {connection_id}, which was not set up")
        if offset != level:
            raise RemoteProtocolError(f"a block of {connection_id} at {offset}, not at {level}")
        self._block = _Block(connection_id, offset)

    def _event(self, data: bytes) -> Event | None:
        block = self._block
        if block is None:
            raise RemoteProtocolError(f"an event of {len(data)} bytes outside of any block")
        block.wire += EVENT_HEADER + len(data)
        if block.wire > self._max_block + EVENT_HEADER:
            raise RemoteProtocolError(f"a block of more than {self._max_block} bytes")
        if not block.data:
            block.data = data
        else:
            if not isinstance(block.data, bytearray):
                block.data = bytearray(block.data)
            block.data += data
        return None if block.length is None else self._whole(block, block.length)

    def _end(self, connection_id: UUID, offset: int, length: int) -> Event | None:
        block = self._block
        if block is None or (block.connection_id, block.offset) != (connection_id, offset):
            raise RemoteProtocolError(f"the end of a block of {connection_id} that did not begin")
        if block.length is not None:
            raise RemoteProtocolError(f"a second end of a block of {connection_id}")
        if not len(block.data) <= length <= self._max_block:
            raise RemoteProtocolError(f"a block of {len(block.data)} bytes ends after {length}")
        block.length = length
        # The missing bytes are those of the event that was begun before the end.
        return self._whole(block, length) if len(block.data) == length else None

    def _whole(self, block: _Block, length: int) -> Event:
        if len(block.data) != length:
            raise RemoteProtocolError(f"a block of {length} bytes has {len(block.data)}")
        self._block = None
        self._levels[block.connection_id] = block.offset + length
        return Pushed(None, AppendBlock(block.connection_id, block.offset, bytes(block.data)))
