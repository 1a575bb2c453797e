"""A small server of the first protocol, which keeps its segments in memory."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast

from jvmwire.errors import JvmWireError, LocalProtocolError, RemoteProtocolError
from jvmwire.pravega.early.messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    Reply,
    SegmentRead,
    SetupAppend,
)
from jvmwire.pravega.early.session import EarlyServerSession
from jvmwire.sansio import Closed, Pushed

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire._core import PravegaDialect

PIECE = 1 << 20
"""Bytes of a `SegmentRead` at most. Ours."""

_log = logging.getLogger("jvmwire.connection")


@dataclass(slots=True)
class Segment:
    """Bytes, and how far each connection's appends to them have come."""

    data: bytearray = field(default_factory=bytearray)
    levels: dict[UUID, int] = field(default_factory=dict)
    is_sealed: bool = False


class EarlyServer:
    """Segments on one port; they are made when they are first appended to."""

    def __init__(self, dialect: PravegaDialect | None = None) -> None:
        self.segments: dict[str, Segment] = {}
        self._dialect = dialect
        self._server: asyncio.Server | None = None
        self._connections: set[_Connection] = set()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen; return the port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, host, port)
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        """End every connection."""
        if self._server is not None:
            self._server.close()
            for connection in list(self._connections):
                connection.transport.abort()
            await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _connection(self) -> _Connection:
        return _Connection(self.segments, EarlyServerSession(self._dialect), self._connections)


class _Connection(asyncio.Protocol):
    """A client, as long as it is connected."""

    def __init__(
        self,
        segments: dict[str, Segment],
        session: EarlyServerSession,
        all_connections: set[_Connection],
    ) -> None:
        self.transport: asyncio.Transport
        self._segments = segments
        self._session = session
        self._all = all_connections
        self._set_up: dict[UUID, Segment] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Meet the client."""
        self.transport = cast("asyncio.Transport", transport)
        self._all.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - it is over
        """Take the end."""
        self._all.discard(self)

    def pause_writing(self) -> None:
        """Hear no more until the client has read."""
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        self.transport.resume_reading()

    def eof_received(self) -> None:
        """Take the client's last word."""
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        """Do what is asked; where the client breaks a rule, close."""
        try:
            self._session.receive_data(data)
            for event in self._session.events():
                if isinstance(event, Pushed):
                    self._carry_out(event.message)
                elif isinstance(event, Closed) and event.torn:
                    raise RemoteProtocolError("the client ended within a block or message")
        except JvmWireError as error:
            _log.warning("a client of the early protocol is turned away: %s", error)
            self.transport.write(bytes(self._session.data_to_send(0.0)))
            self.transport.close()
        else:
            self.transport.write(bytes(self._session.data_to_send(0.0)))

    def _carry_out(self, request: Any) -> None:
        match request:
            case SetupAppend(connection_id, name):
                segment = self._segments.setdefault(name, Segment())
                self._set_up[connection_id] = segment
                level = segment.levels.get(connection_id, 0)
                self._answer(AppendSetup(name, connection_id, level))
            case AppendBlock(connection_id, offset, data):
                segment = self._set_up[connection_id]
                level = segment.levels.get(connection_id, 0)
                if offset != level or segment.is_sealed:
                    # Another TCP connection has gone on with it, or nobody may.
                    raise LocalProtocolError(f"a block at {offset}, where {level} are stored")
                segment.data += data
                segment.levels[connection_id] = offset + len(data)
                self._answer(DataAppended(connection_id, offset + len(data)))
            case ReadSegment(name, offset, length):
                self._read(name, offset, length)

    def _read(self, name: str, offset: int, length: int) -> None:
        segment = self._segments.get(name)
        if segment is None or not 0 <= offset <= len(segment.data) or length < 0:
            raise RemoteProtocolError(f"a read of {name!r} at {offset}, where there is nothing")
        end = min(offset + length, len(segment.data))
        while True:
            piece = bytes(segment.data[offset : min(end, offset + PIECE)])
            behind = offset + len(piece)
            at_tail = behind == len(segment.data)
            self._answer(SegmentRead(name, offset, at_tail, at_tail and segment.is_sealed, piece))
            offset = behind
            if offset >= end:
                return

    def _answer(self, reply: Reply) -> None:
        self._session.send(reply)
