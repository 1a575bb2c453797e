"""Server side of Pravega's wire protocol, without I/O, for test doubles and proxies.

A session emits the commands of a client and its appends, assembled from blocks; its owner stores
the data and chooses the replies. The rules are those of `CommandDecoder`, `AppendDecoder` and
`AppendProcessor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import PRAVEGA_FRAME_LIMIT, PravegaAppendAssembler
from jvmwire._runtime.session import (
    NEED_DATA,
    Event,
    Failed,
    NeedData,
    Opened,
    RequestReceived,
    Session,
    State,
)
from jvmwire.errors import LocalProtocolError, RemoteProtocolError
from jvmwire.pravega._session import CURRENT_DIALECT, OLDEST_COMPATIBLE_VERSION, WIRE_VERSION
from jvmwire.pravega.errors import VersionMismatch

if TYPE_CHECKING:
    from uuid import UUID

_ROLES = {name: role for _, name, role, _ in CURRENT_DIALECT.commands()}


@dataclass(frozen=True, slots=True)
class CommandReceived(RequestReceived):
    """A command that requires a reply, or `SetupAppend`, which permits a writer to append.

    Attributes:
        name: The name of the command in Java.
        request_id: The id that the reply must carry.
        fields: The other fields, by their names in the wire format.
        delegation_token: The token of the client, `""` if there is none.
    """

    name: str
    request_id: int
    fields: dict[str, Any]
    delegation_token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class AppendReceived(RequestReceived):
    """The events of one append, to be acknowledged once stored, or refused.

    Attributes:
        writer_id: The UUID of the writer.
        event_number: The number of the last event.
        num_events: The number of events.
        data: The bytes to store in the segment, headers of events included.
        request_id: The id of the writer's `SetupAppend`; -1 if an old client does not send it.
        expected_offset: The offset at which the segment must end, None without that condition.
    """

    writer_id: UUID
    event_number: int
    num_events: int
    data: bytes
    request_id: int
    expected_offset: int | None = None

    def __repr__(self) -> str:
        return (
            f"Appended({self.writer_id}, {self.event_number}, {self.num_events} events, "
            f"{len(self.data)} bytes)"
        )


@dataclass(frozen=True, slots=True)
class SendReply:
    """A reply to send.

    Args:
        name: The name of the reply in Java.
        fields: The fields, by their names in the wire format.
    """

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    name: str
    fields: dict[str, Any]


@dataclass(slots=True)
class _AppendWriter:
    """A writer that was set up."""

    request_id: int
    last: int
    """The number of its last event that is stored or was received."""


class PravegaServerSession(Session[SendReply]):
    """Server side of one connection; emits `CommandReceived` and `AppendReceived`.

    Args:
        frame_limit: Bytes of the largest frame that is accepted.
    """

    def __init__(self, *, frame_limit: int = PRAVEGA_FRAME_LIMIT) -> None:
        super().__init__()
        self._decoder = CURRENT_DIALECT.decoder(limit=frame_limit)
        self._assembler = PravegaAppendAssembler()
        self._open: dict[int, str] = {}
        """The names of requests without a reply, by request id."""
        self._setups: dict[int, UUID] = {}
        """The writer that was set up by each request id."""
        self._writers: dict[UUID, _AppendWriter] = {}

    def _encode(self, command: SendReply, call_id: int) -> bytes:
        del call_id  # the reply carries the request id
        name, fields = command.name, command.fields
        if _ROLES.get(name) != "reply":
            raise LocalProtocolError(f"{name} is not a reply of a segment store")
        data = CURRENT_DIALECT.encode(name, fields)
        request_id = fields.get("request_id", -1)
        if name in {"DataAppended", "ConditionalCheckFailed", "InvalidEventNumber"}:
            if fields["writer_id"] not in self._writers:
                raise LocalProtocolError(
                    f"{name} for {fields['writer_id']}, which is not a writer of this connection"
                )
        elif (asked := self._open.pop(request_id, None)) is not None:
            if asked == "SetupAppend":
                self._set_up(name, request_id, fields)
        elif request_id not in self._setups:
            raise LocalProtocolError(f"{name} as reply to {request_id}, which is not open")
        return data

    def _set_up(self, name: str, request_id: int, fields: dict[str, Any]) -> None:
        if name == "AppendSetup":
            writer_id = fields["writer_id"]
            self._setups[request_id] = writer_id
            self._writers[writer_id] = _AppendWriter(request_id, fields["last_event_number"])

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered + self._assembler.is_open

    def _next_event(self) -> Event | NeedData:
        while (received := self._decoder.next_command()) is not None:
            code, name, fields = received
            match self.state, name:
                case State.OPENING, "Hello":
                    return self._agree(fields["high_version"], fields["low_version"])
                case State.OPEN, "KeepAlive":
                    self._queue(CURRENT_DIALECT.encode("KeepAlive", {}))
                case State.OPEN, "AppendBlock":
                    self._writer(fields["writer_id"])
                    self._assembler.begin(fields["writer_id"], fields["data"])
                case State.OPEN, "AppendBlockEnd":
                    return self._append(fields)
                case State.OPEN, "ConditionalAppend":
                    event = CURRENT_DIALECT.encode("Event", {"data": fields["event"]})
                    return self._append_if(fields, event)
                case State.OPEN, "ConditionalBlockEnd":
                    return self._append_if(fields, fields["data"])
                case State.OPEN, str() if _ROLES[name] == "request":
                    return self._request(name, fields)
                case state, _:
                    what = name or f"a command of the unknown type {code}"
                    raise RemoteProtocolError(f"{what} from the client while {state.name}")
        return NEED_DATA

    def _agree(self, high: int, low: int) -> Event:
        ours = {"high_version": WIRE_VERSION, "low_version": OLDEST_COMPATIBLE_VERSION}
        # A client with unsupported versions also gets the `Hello`; both sides close then.
        self._queue(CURRENT_DIALECT.encode("Hello", ours))
        if low > WIRE_VERSION or high < OLDEST_COMPATIBLE_VERSION:
            known = f"{OLDEST_COMPATIBLE_VERSION} to {WIRE_VERSION}"
            text = f"the client speaks the versions {low} to {high}, we speak {known}"
            return Failed(VersionMismatch(text))
        self.state = State.OPEN
        return Opened()

    def _request(self, name: str, fields: dict[str, Any]) -> Event:
        request_id = fields.pop("request_id", -1)
        token = fields.pop("delegation_token", "")
        if request_id in self._open:
            raise RemoteProtocolError(f"{name} as {request_id}, which is not answered yet")
        self._open[request_id] = name
        return CommandReceived(name, request_id, fields, token)

    def _append(self, fields: dict[str, Any]) -> Event:
        writer = self._writer(fields["writer_id"])
        data = self._assembler.end(
            fields["writer_id"],
            fields["size_of_whole_events"],
            fields["data"],
            fields["num_events"],
        )
        number = fields["last_event_number"]
        self._advance(writer, number)
        return AppendReceived(
            fields["writer_id"], number, fields["num_events"], data, writer.request_id
        )

    def _append_if(self, fields: dict[str, Any], data: bytes) -> Event:
        writer = self._writer(fields["writer_id"])
        if self._assembler.is_open:
            raise RemoteProtocolError("a conditional append within an append block")
        number = fields["event_number"]
        # An event that was refused at another offset is sent again under its number.
        self._advance(writer, number, is_repeated=number == writer.last)
        return AppendReceived(
            fields["writer_id"], number, 1, data, writer.request_id, fields["expected_offset"]
        )

    def _writer(self, writer_id: UUID) -> _AppendWriter:
        writer = self._writers.get(writer_id)
        if writer is None:
            raise RemoteProtocolError(f"an append of {writer_id} before its SetupAppend")
        return writer

    def _advance(self, writer: _AppendWriter, number: int, *, is_repeated: bool = False) -> None:
        # `AppendProcessor` closes the connection if the number is lower; an equal one is a
        # duplicate.
        if number <= writer.last and not is_repeated:
            raise RemoteProtocolError(f"event {number} of a writer whose last was {writer.last}")
        writer.last = number
