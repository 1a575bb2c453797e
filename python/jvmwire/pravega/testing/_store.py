"""Segment store of a double: the connections of its clients, in an event loop."""

from __future__ import annotations

import asyncio
import itertools
from functools import partial
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime.session import Failed
from jvmwire.errors import JvmWireError
from jvmwire.pravega.errors import PravegaError
from jvmwire.pravega.server import AppendReceived, CommandReceived, PravegaServerSession, SendReply
from jvmwire.pravega.testing import _refusals as refuse
from jvmwire.pravega.testing._refusals import Hangup, Refusal
from jvmwire.pravega.testing._store_commands import StoreCommands
from jvmwire.transports._listen import AcceptedConnection, ListeningSocket, listen

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from jvmwire._faults import Fault, Faults
    from jvmwire.pravega.testing._segments import Segment, Segments, Waiting

    Reply = Callable[[str, dict[str, Any]], None]

Request = CommandReceived | AppendReceived

WRITE_SIZE = 256 << 10
"""Bytes of replies that are written at once, so that a client that does not read is noticed."""

_log = get_logger("jvmwire.connection")


class Store:
    """A listening segment store.

    Args:
        segments: The segments that it serves.
        faults: The failures that commands have.
        max_connections: Clients that are served at a time, at most; others are disconnected.
        delegation_token: The token that commands must carry; `""` accepts any.
    """

    def __init__(
        self, segments: Segments, faults: Faults, max_connections: int, delegation_token: str
    ) -> None:
        self.segments = segments
        self.faults = faults
        self.delegation_token = delegation_token
        self.commands = StoreCommands(segments)
        self.connections: set[StoreConnection] = set()
        self.max_connections = max_connections
        self._listener: ListeningSocket | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; return the port."""
        self._listener = await listen(lambda: StoreConnection(self), host, port)
        return self._listener.port

    async def close(self) -> None:
        """Close the listener and all connections."""
        if self._listener is not None:
            self._listener.close()
            for connection in list(self.connections):
                connection.transport.abort()
            await self._listener.server.wait_closed()


class _AppendWriter:
    """A writer that is set up on a connection."""

    __slots__ = ("last", "segment")

    def __init__(self, segment: str, last: int) -> None:
        self.segment = segment
        self.last = last
        """The number of its last stored event, as the connection knows."""


class StoreConnection(AcceptedConnection):
    """One connected client, whose commands are executed in order.

    Args:
        store: The store that it is connected to.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._session = PravegaServerSession()
        self._writers: dict[UUID, _AppendWriter] = {}
        self._transient: list[str] = []
        self._reads: dict[int, tuple[Segment, Waiting]] = {}
        """Reads that wait, by numbers of this connection."""
        self._numbers = itertools.count()
        self._paused = False
        """Whether the client has not read the replies that were written."""
        self._delayed: asyncio.TimerHandle | None = None
        """Executes the command that a fault delays; later ones wait."""

    # Callbacks of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection, or reject it if there are too many."""
        super().connection_made(transport)
        if len(self._store.connections) >= self._store.max_connections:
            _log.warning(
                "a client of the double is turned away: %d are connected",
                self._store.max_connections,
            )
            self.transport.abort()
            return
        self._store.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - it is over
        """Forget the waiting reads and the transient segments of the client."""
        self._store.connections.discard(self)
        if self._delayed is not None:
            self._delayed.cancel()
        for segment, waiting in self._reads.values():
            self._store.segments.forget(segment, waiting)
        for name in self._transient:
            if name in self._store.segments:
                self._store.segments.delete(name)

    def pause_writing(self) -> None:
        """Stop executing commands until the client has read its replies."""
        self._paused = True
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Continue to execute commands."""
        self._paused = False
        self._process()

    def data_received(self, data: bytes) -> None:
        """Execute the commands of a client."""
        try:
            self._session.receive_data(data)
        except JvmWireError as error:
            self._reject(error)
        else:
            self._process()

    # Commands

    def _process(self) -> None:
        """Execute received commands while replies can be written and none is delayed."""
        try:
            events = self._session.events()
            while not (self._paused or self._delayed or self.transport.is_closing()):
                event = next(events, None)
                if event is None:
                    break
                if isinstance(event, CommandReceived | AppendReceived):
                    self._receive(event)
                else:  # `Hello`, or versions that do not fit: both are answered
                    self._write()
                    if isinstance(event, Failed):
                        raise event.error
        except JvmWireError as error:
            self._reject(error)
            return
        self._write()  # also what the session answers itself: `KeepAlive`
        if not (self._paused or self._delayed or self.transport.is_closing()):
            self.transport.resume_reading()

    def _reject(self, error: JvmWireError) -> None:
        _log.warning("a client of the double is turned away: %s", error)
        self.transport.close()

    def _receive(self, request: Request) -> None:
        fault = self._store.faults.take(_name(request))
        if fault is None:
            self._execute(request)
        elif fault.delay:
            self.transport.pause_reading()
            loop = asyncio.get_running_loop()
            self._delayed = loop.call_later(fault.delay, self._resume, request, fault)
        else:
            self._fail(request, fault)

    def _resume(self, request: Request, fault: Fault) -> None:
        """Execute a command whose delay is over, and those after it."""
        self._delayed = None
        try:
            self._fail(request, fault)
        except JvmWireError as error:
            self._reject(error)
            return
        self._process()

    def _fail(self, request: Request, fault: Fault) -> None:
        """Execute a command with the failure that it has after its delay."""
        if isinstance(fault.error, PravegaError):  # as a double takes no other
            fields = request.fields if isinstance(request, CommandReceived) else {}
            self._refuse(request, refuse.refusal_of(fault.error, fields))
        elif not fault.is_silent or fault.executes:
            self._execute(request, silent=fault.is_silent)
        if fault.disconnect:
            self._write()
            self.transport.close()

    def _execute(self, request: Request, *, silent: bool = False) -> None:
        try:
            if isinstance(request, AppendReceived):
                self._append(request, silent=silent)
            else:
                self._answer(request, silent=silent)
        except Refusal as refusal:
            if not silent:
                self._refuse(request, refusal)
        except Hangup:
            self._write()
            self.transport.close()

    def _answer(self, asked: CommandReceived, *, silent: bool) -> None:
        token = self._store.delegation_token
        if token and asked.delegation_token != token:
            raise refuse.bad_token()
        fields = asked.fields
        reply = self._forget_reply if silent else partial(self._send, asked.request_id)
        match asked.name:
            case "SetupAppend":
                writer, segment = fields["writer_id"], fields["segment"]
                last = self._store.segments.last_event(segment, writer)
                self._writers[writer] = _AppendWriter(segment, last)
                found = {"segment": segment, "writer_id": writer, "last_event_number": last}
                reply("AppendSetup", found)
            case "ReadSegment":
                self._read(fields, reply)
            case "CreateTransientSegment":
                parent, writer = fields["parent_segment"], fields["writer_id"]
                name = self._store.commands.create_transient(parent, writer)
                self._transient.append(name)
                reply("SegmentCreated", {"segment": name})
            case name:
                reply(*self._store.commands.answer(name, fields))

    def _read(self, asked: dict[str, Any], reply: Reply) -> None:
        number = next(self._numbers)

        def answer(name: str, fields: dict[str, Any]) -> None:
            self._reads.pop(number, None)
            reply(name, fields)

        arguments = (asked["segment"], asked["offset"], asked["suggested_length"])
        waiting = self._store.segments.read(*arguments, answer)
        if waiting is not None:
            self._reads[number] = waiting

    def _append(self, append: AppendReceived, *, silent: bool) -> None:
        writer = self._writers.get(append.writer_id)
        if writer is None:  # an append or a set-up before it was refused
            raise Hangup
        before, number = writer.last, append.event_number
        end = self._store.segments.append(
            *(writer.segment, append.writer_id, before, number),
            *(append.data, append.expected_offset),
        )
        found: dict[str, Any] = {"writer_id": append.writer_id, "event_number": number}
        if end is not None:
            writer.last = number
            found |= {"previous_event_number": before, "current_segment_write_offset": end}
        if not silent:
            name = "ConditionalCheckFailed" if end is None else "DataAppended"
            self._send(append.request_id, name, found)

    def _refuse(self, request: Request, refusal: Refusal) -> None:
        fields = refusal.fields
        if isinstance(request, AppendReceived):
            writer = self._writers.pop(request.writer_id, None)
            if fields.get("segment") == "" and writer is not None:
                fields = {**fields, "segment": writer.segment}
        elif request.name == "SetupAppend":
            self._writers.pop(request.fields["writer_id"], None)
        self._send(request.request_id, refusal.name, fields)

    def _send(self, request_id: int, name: str, fields: dict[str, Any]) -> None:
        """Queue a reply; it is written with others of this iteration of the loop."""
        if self.transport.is_closing():
            return
        if not self._session.pending_bytes:
            asyncio.get_running_loop().call_soon(self._write)
        self._session.send(SendReply(name, {**fields, "request_id": request_id}))
        if self._session.pending_bytes > WRITE_SIZE:
            self._write()

    def _forget_reply(self, name: str, fields: dict[str, Any]) -> None:
        """Drop the reply of a command whose answer is lost."""

    def _write(self) -> None:
        if self.transport.is_closing():
            return
        if data := self._session.data_to_send(asyncio.get_running_loop().time()):
            self.transport.write(data)


def _name(request: Request) -> str:
    """Return the name of a command by which faults are chosen."""
    if isinstance(request, CommandReceived):
        return request.name
    return "AppendBlockEnd" if request.expected_offset is None else "ConditionalAppend"
