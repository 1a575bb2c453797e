"""A small server of the first protocol."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self, cast

from jvmwire.errors import JvmWireError, RemoteProtocolError
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
from jvmwire.pravega.early.store import MemoryStore, Store
from jvmwire.sansio import Closed, Pushed

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire._core import PravegaDialect

MAX_READ = 64 << 20
"""Bytes that may be asked for at once: all of them are answered. Ours."""

_log = logging.getLogger("jvmwire.connection")


class EarlyServer:
    """Segments on one port; they are made when they are first appended to.

    They are in memory, or in a `store` that is closed with the server.
    """

    def __init__(
        self, dialect: PravegaDialect | None = None, *, store: Store | None = None
    ) -> None:
        self.store = store or MemoryStore()
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
        self.store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _connection(self) -> _Connection:
        return _Connection(self.store, EarlyServerSession(self._dialect), self._connections)


class _Connection(asyncio.Protocol):
    """A client, as long as it is connected."""

    def __init__(
        self,
        store: Store,
        session: EarlyServerSession,
        all_connections: set[_Connection],
    ) -> None:
        self.transport: asyncio.Transport
        self._store = store
        self._session = session
        self._all = all_connections
        self._set_up: dict[UUID, str] = {}

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
            self._answer_all()
        except JvmWireError as error:
            _log.warning("a client of the early protocol is turned away: %s", error)
            self.transport.close()

    def _answer_all(self) -> None:
        """Answer what came once it is stored, then raise what is wrong with the rest."""
        wrong: JvmWireError | None = None
        with self._store.transaction():
            try:
                for event in self._session.events():
                    if isinstance(event, Pushed):
                        self._carry_out(event.message)
                    elif isinstance(event, Closed) and event.torn:
                        raise RemoteProtocolError("the client ended within a block or message")
            except JvmWireError as error:
                # What came before it is right, and stays.
                wrong = error
        self.transport.write(bytes(self._session.data_to_send(0.0)))
        if wrong is not None:
            raise wrong

    def _carry_out(self, request: Any) -> None:
        match request:
            case SetupAppend(connection_id, name):
                self._set_up[connection_id] = name
                level = self._store.level(name, connection_id)
                self._answer(AppendSetup(name, connection_id, level))
            case AppendBlock(connection_id, offset, data):
                name = self._set_up[connection_id]
                level = self._store.append(name, connection_id, offset, data)
                self._answer(DataAppended(connection_id, level))
            case ReadSegment(name, offset, length):
                self._read(name, offset, length)

    def _read(self, name: str, offset: int, length: int) -> None:
        tail = self._store.length(name)
        if not 0 <= length <= MAX_READ:
            raise RemoteProtocolError(f"a read of {length} bytes, where {MAX_READ} may be")
        if tail is None or not 0 <= offset <= tail:
            raise RemoteProtocolError(f"a read of {name!r} at {offset}, where there is nothing")
        end, is_sealed = min(offset + length, tail), self._store.is_sealed(name)
        while True:
            piece = self._store.read(name, offset, end)
            behind = offset + len(piece)
            at_tail = behind == tail
            self._answer(SegmentRead(name, offset, at_tail, at_tail and is_sealed, piece))
            offset = behind
            if offset >= end:
                return

    def _answer(self, reply: Reply) -> None:
        self._session.send(reply)
