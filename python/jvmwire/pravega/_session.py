"""Client side of Pravega's wire protocol without I/O: `Hello` both ways, commands, replies.

A reply carries the id of its request. Appends are acknowledged per writer: each acknowledgement is
pushed to its writer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any
from uuid import UUID

from jvmwire._core import PRAVEGA_FRAME_LIMIT, PravegaDataAppended, PravegaDialect
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    Buffer,
    Event,
    Failed,
    NeedData,
    Opened,
    Pushed,
    Refused,
    Reply,
    Session,
)
from jvmwire.errors import RemoteProtocolError
from jvmwire.pravega._commands import (
    Append,
    EndAppends,
    PravegaCommand,
    ReadSegment,
    SetupAppend,
)
from jvmwire.pravega.errors import (
    AuthTokenCheckFailed,
    PravegaError,
    VersionMismatch,
    refusal,
)

WIRE_VERSION = 16
"""The newest version that this client supports: `WireCommands.WIRE_VERSION`."""
OLDEST_COMPATIBLE_VERSION = 5
"""The oldest version that this client supports: `WireCommands.OLDEST_COMPATIBLE_VERSION`."""
KEEP_ALIVE_INTERVAL = 10.0
"""Seconds of silence of the client until it sends `KeepAlive` (chosen by jvmwire: half of
Java's).
"""
MAX_FORGOTTEN = 65_536
"""Cancelled calls whose late replies are still recognised, at most (chosen by jvmwire)."""

CURRENT_DIALECT = PravegaDialect.today()
"""The commands of version 16."""

_REPLIES = {name for _, name, role, _ in CURRENT_DIALECT.commands() if role == "reply"}
_TOKENED = {
    name
    for _, name, _, fields in CURRENT_DIALECT.commands()
    if ("delegation_token", "text", False) in fields
}
Token = str | Callable[[], str]
"""A delegation token, or a function that returns one that has not expired; `""` means none."""


class PravegaClientSession(Session[PravegaCommand | Append | EndAppends]):
    """The client's side of one connection to a segment store."""

    def __init__(
        self,
        *,
        delegation_token: Token = "",
        keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL,
        frame_limit: int = PRAVEGA_FRAME_LIMIT,
    ) -> None:
        super().__init__()
        self._token = delegation_token
        self._keep_alive_interval = keep_alive_interval
        self._decoder = CURRENT_DIALECT.decoder(limit=frame_limit)
        self._calls: dict[int, PravegaCommand] = {}
        self._forgotten: dict[int, int | None] = {}
        """Cancelled calls; for a read, its offset."""
        self._writers: dict[int, int] = {}
        """The writer of the appends with a request id, as the UUID's integer: hashing a UUID is a
        call.
        """
        self._known: set[int] = set()
        """All writers in `_writers`."""
        self._ended: deque[EndAppends] = deque()
        """Ended writers for which the store may still send a reply."""
        hello = {"high_version": WIRE_VERSION, "low_version": OLDEST_COMPATIBLE_VERSION}
        self._queue(CURRENT_DIALECT.encode("Hello", hello))

    def next_timeout(self) -> float | None:
        if self._keep_alive_interval is None or self.state is not OPEN:
            return None
        return self._last_write + self._keep_alive_interval

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is not None and now >= due:
            self._queue(CURRENT_DIALECT.encode("KeepAlive", {}))

    def forget(self, call_id: int) -> None:
        if (command := self._calls.pop(call_id, None)) is not None:
            self._forgotten[call_id] = command.offset if isinstance(command, ReadSegment) else None
            if len(self._forgotten) > MAX_FORGOTTEN:
                del self._forgotten[next(iter(self._forgotten))]
            # A `SetupAppend` without a reply has appended nothing.
            writer = self._writers.pop(call_id, None)
            if writer is not None and writer not in self._writers.values():
                self._known.discard(writer)

    def _encode(self, command: PravegaCommand | Append | EndAppends, call_id: int) -> Buffer:
        if isinstance(command, Append):
            return command.wire
        if isinstance(command, EndAppends):
            self._end_appends(command)
            return b""
        fields = command.fields()
        fields["request_id"] = call_id
        if command.name in _TOKENED:
            fields["delegation_token"] = (
                self._token if isinstance(self._token, str) else (self._token())
            )
        data = CURRENT_DIALECT.encode(command.name, fields)
        self._calls[call_id] = command
        if isinstance(command, SetupAppend):
            self._writers[call_id] = command.writer_id.int
            self._known.add(command.writer_id.int)
        return data

    def _end_appends(self, ended: EndAppends) -> None:
        self._ended.append(ended)
        if len(self._ended) > MAX_FORGOTTEN:
            oldest = self._ended.popleft()
            self._writers.pop(oldest.request_id, None)
            self._known.discard(oldest.writer_id.int)

    def _feed(self, data: bytes) -> None:
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        while (received := self._decoder.next_reply()) is not None:
            self.exhausted = not self._decoder.buffered
            if type(received) is PravegaDataAppended:
                writer = received.writer
                if writer not in self._known:  # no writer is known before the handshake is done
                    named = UUID(int=writer)
                    text = (
                        f"an acknowledgement for {named}, which is not a writer of this connection"
                    )
                    raise RemoteProtocolError(text)
                return Pushed(writer, received)
            code, name, fields = received
            if self.state is OPEN:
                if name in _REPLIES:
                    return self._replied(name, fields)
                if name == "KeepAlive":
                    continue  # the echo of a keep-alive of this client: FlowHandler answers none
            elif name == "Hello":
                return self._agree(fields["high_version"], fields["low_version"])
            what = name or f"a command of the unknown type {code}"
            raise RemoteProtocolError(f"{what} from the store while {self.state.name}")
        return NEED_DATA

    def _agree(self, high: int, low: int) -> Event:
        if low > WIRE_VERSION or high < OLDEST_COMPATIBLE_VERSION:
            ours = f"{OLDEST_COMPATIBLE_VERSION} to {WIRE_VERSION}"
            text = f"the store speaks the versions {low} to {high}, we speak {ours}"
            return Failed(VersionMismatch(text))
        self.state = OPEN
        return Opened()

    def _replied(self, name: str, fields: dict[str, Any]) -> Event:
        request_id = fields.get("request_id", -1)
        error = refusal(name, fields)
        if isinstance(error, AuthTokenCheckFailed):
            called = self._calls.get(request_id)
            # The refusal of a read never carries the id of the read.
            if called is None or isinstance(called, ReadSegment):
                request_id = self._read_at(request_id) or request_id
        if (command := self._calls.pop(request_id, None)) is not None:
            if error is not None:
                return Refused(request_id, error)
            if name != command.answered_by:
                raise RemoteProtocolError(f"{name} as reply to {command.name} {request_id}")
            return Reply(request_id, command.decode(fields))
        if request_id in self._forgotten:
            del self._forgotten[request_id]
            return Reply(request_id, None)
        return self._append_error(name, request_id, error)

    def _read_at(self, offset: int) -> int | None:
        """Return the first open read at an offset, else the first cancelled one.

        `PravegaRequestProcessor.readSegment` refuses a token by the read's offset, not by its id.
        """
        for call_id, command in self._calls.items():
            if isinstance(command, ReadSegment) and command.offset == offset:
                return call_id
        return next((call_id for call_id, at in self._forgotten.items() if at == offset), None)

    def _append_error(self, name: str, request_id: int, error: PravegaError | None) -> Event:
        """Push an error that refuses an append to its writer."""
        writer = self._writers.get(request_id)
        if writer is None or error is None:
            raise RemoteProtocolError(
                f"{name} as reply to {request_id}, which is not a pending request"
            )
        return Pushed(writer, error)
