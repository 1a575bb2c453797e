"""A small server of the first protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime.session import Closed, Pushed
from jvmwire.errors import JvmWireError, LimitExceeded, RemoteProtocolError
from jvmwire.escaping import get_logger
from jvmwire.pravega.early.limits import EarlyLimits
from jvmwire.pravega.early.messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    SegmentRead,
    SetupAppend,
)
from jvmwire.pravega.early.session import EarlyServerSession
from jvmwire.pravega.early.store import MemoryStore, Store
from jvmwire.pravega.session import KEEP_ALIVE_INTERVAL
from jvmwire.transports.listen import AcceptedConnection, ListeningSocket, listen

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire._core import PravegaDialect

SWEEP = 1.0
"""Seconds between two looks for connections on which nothing moves. (Chosen by jvmwire.)"""
MAX_READ = 64 << 20
"""Bytes that may be asked for at once: all of them are answered. Ours."""

_log = get_logger("jvmwire.connection")


class EarlyServer:
    """Segments on one port; they are made when they are first appended to.

    They are in memory, or in a `store` that is closed with the server. After `keep_alive_interval`
    seconds without a word to a client it is told that we live; None is never.
    """

    def __init__(
        self,
        dialect: PravegaDialect | None = None,
        *,
        store: Store | None = None,
        keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL,
        limits: EarlyLimits | None = None,
    ) -> None:
        self.store = store or MemoryStore()
        self.limits = limits or EarlyLimits()
        self.buffered = 0
        """Bytes of unfinished blocks and messages, and of unread answers, of all connections."""
        self._sweeping: asyncio.TimerHandle | None = None
        self._dialect = dialect
        self._keep_alive_interval = keep_alive_interval
        self._listener: ListeningSocket | None = None
        self.connections: set[_Connection] = set()
        self.owners: dict[tuple[str, UUID], _Connection] = {}
        """Who set up a connection id of a segment last: nobody else appends under it."""

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen; return the port.

        Raises:
            TransportError: the port is taken, or is none of this machine.
        """
        self._listener = await listen(self._connection, host, port)
        self._sweep()
        return self._listener.port

    async def close(self) -> None:
        """End every connection."""
        if self._listener is not None:
            self._listener.close()
            if self._sweeping is not None:
                self._sweeping.cancel()
            for connection in list(self.connections):
                connection.transport.abort()
            await self._listener.server.wait_closed()
        self.store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _connection(self) -> _Connection:
        session = EarlyServerSession(
            self._dialect,
            keep_alive_interval=self._keep_alive_interval,
            max_block=self.limits.max_block,
        )
        return _Connection(self, session)

    def _sweep(self) -> None:
        """End connections on which nothing moves, and look again in a while."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self.connections):
            connection.end_if_slow(now)
        self._sweeping = loop.call_later(SWEEP, self._sweep)


class _Connection(AcceptedConnection):
    """A client, as long as it is connected."""

    def __init__(self, server: EarlyServer, session: EarlyServerSession) -> None:
        self._server = server
        self._limits = server.limits
        self._store = server.store
        self._session = session
        self._owners = server.owners
        self._set_up: dict[UUID, str] = {}
        self._read: ReadSegment | None = None
        """What is still to be answered before anything else is done."""
        self._paused = False
        """Whether the client has yet to take what was written."""
        self._loop = asyncio.get_running_loop()
        self._since = self._heard = self._loop.time()
        """When it was made, and when its client said something last."""
        self._asked = False
        """Whether its client has asked for anything."""
        self._begun_since: float | None = None
        """Since when a block or message is on its way."""
        self._blocked_since = 0.0
        """Since when the client has yet to take what was written, if it has."""
        self._buffered = 0
        """Bytes that the server has counted."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Meet the client."""
        super().connection_made(transport)
        if len(self._server.connections) >= self._limits.max_connections:
            self._reject(LimitExceeded(f"{self._limits.max_connections} are connected"))
            return
        self._server.connections.add(self)
        self._run_timers()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - it is over
        """Take the end."""
        self._server.connections.discard(self)
        self._count(0)
        for connection_id in list(self._set_up):
            self._give_up(connection_id)
        self._stop_keepalive()

    def pause_writing(self) -> None:
        """Do no more until the client has read what it asked for."""
        self._paused = True
        self._blocked_since = self._loop.time()
        self._stop_keepalive()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on with what was asked."""
        self._paused = False
        self._go_on()
        if not self._paused:
            self.transport.resume_reading()
            self._run_timers()

    def eof_received(self) -> None:
        """Take the client's last word."""
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        """Take what is asked."""
        self._heard = self._loop.time()
        try:
            self._session.receive_data(data)
        except JvmWireError as error:
            self._reject(error)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Do what is asked while the answers are taken; where the client breaks a rule, close."""
        more = True
        try:
            while more and not self._paused and not self.transport.is_closing():
                more = (
                    self._handle_event()
                    if self._read is None
                    else self._send_read_chunk(self._read)
                )
            self._account()
        except JvmWireError as error:
            self._reject(error)

    def _account(self) -> None:
        """Count what is held for the client.

        Raises:
            LimitExceeded: all clients together hold too much.
        """
        if self.transport.is_closing():
            return
        begun = self._session.buffered
        if not begun:
            self._begun_since = None
        elif self._begun_since is None:
            self._begun_since = self._heard
        held = begun + (self.transport.get_write_buffer_size() if self._paused else 0)
        if held != self._buffered:
            self._count(held)
            if self._server.buffered > self._limits.buffer_limit:
                self._count(0)
                raise LimitExceeded(f"more than {self._limits.buffer_limit} bytes are on their way")

    def _count(self, held: int) -> None:
        self._server.buffered += held - self._buffered
        self._buffered = held

    def end_if_slow(self, now: float) -> None:
        """End the connection if nothing moves on it."""
        limits = self._limits
        if self._paused:
            slow = now - self._blocked_since > limits.write_timeout
        elif self._begun_since is not None and now - self._begun_since > limits.block_timeout:
            slow = True
        elif not self._asked:
            slow = now - self._since > limits.opening_timeout
        else:
            slow = now - self._heard > limits.idle_timeout
        if slow:
            _log.info("a client of the early protocol is ended: nothing moves on its connection")
            self.transport.abort()

    def _reject(self, error: JvmWireError) -> None:
        _log.warning("a client of the early protocol is turned away: %s", error)
        self.transport.close()

    def _handle_event(self) -> bool:
        """Do what came, up to a read, and answer once it is stored; return whether there is one.

        Raises:
            JvmWireError: what is wrong with the rest.
        """
        wrong: JvmWireError | None = None
        with self._store.transaction():
            try:
                for event in self._session.events():
                    if isinstance(event, Pushed):
                        self._asked = True
                        # A block that is whole says that the next one has just begun.
                        self._begun_since = None
                        self._execute(event.message)
                    elif isinstance(event, Closed) and event.torn:
                        raise RemoteProtocolError("the client ended within a block or message")
                    if self._read is not None:
                        break
            except JvmWireError as error:
                # What came before it is right, and stays.
                wrong = error
        self._write()
        if wrong is not None:
            raise wrong
        return self._read is not None

    def _execute(self, request: Any) -> None:
        match request:
            case SetupAppend(connection_id, name):
                self._give_up(connection_id)
                self._check_room(name)
                self._set_up[connection_id] = name
                self._owners[name, connection_id] = self
                level = self._store.acked_bytes(name, connection_id)
                self._session.send(AppendSetup(name, connection_id, level))
            case AppendBlock(connection_id, offset, data):
                name = self._set_up[connection_id]
                if self._owners.get((name, connection_id)) is not self:
                    # What was set up elsewhere counts on nothing more being stored from here.
                    raise RemoteProtocolError(f"a block of {connection_id}, set up elsewhere since")
                level = self._store.append(name, connection_id, offset, data)
                self._session.send(DataAppended(connection_id, level))
            case ReadSegment(name, offset, length):
                if not 0 <= length <= MAX_READ:
                    raise RemoteProtocolError(f"a read of {length} bytes, where {MAX_READ} may be")
                tail = self._store.length(name)
                if tail is None or not 0 <= offset <= tail:
                    raise RemoteProtocolError(
                        f"a read of {name!r} at {offset}, where there is nothing"
                    )
                self._read = request

    def _check_room(self, name: str) -> None:
        """Raise what is wrong with one appender more to a segment."""
        limits = self._limits
        if (size := len(name.encode("utf-8", "surrogatepass"))) > limits.max_name:
            text = f"a segment's name of {size} bytes: expected at most {limits.max_name}"
            raise RemoteProtocolError(text)
        mine, all_together = len(self._set_up), len(self._owners)
        if mine >= limits.appenders_per_connection or all_together >= limits.max_appenders:
            raise LimitExceeded(f"{mine} of {all_together} connection ids are set up by one client")
        full = self._store.count() >= limits.max_segments
        if full and self._store.length(name) is None:
            raise LimitExceeded(f"there are {limits.max_segments} segments")

    def _give_up(self, connection_id: UUID) -> None:
        """Append no more under an id, if it is still ours."""
        key = (self._set_up.pop(connection_id, ""), connection_id)
        if self._owners.get(key) is self:
            del self._owners[key]

    def _send_read_chunk(self, read: ReadSegment) -> bool:
        """Answer a piece of a read; return `True`, as there may be more to do."""
        name, offset, length = read.segment, read.offset, read.suggested_length
        with self._store.transaction():
            tail = self._store.length(name) or 0
            piece = self._store.read(name, offset, min(offset + length, tail))
            behind, left = offset + len(piece), length - len(piece)
            at_tail = behind == tail
            at_end = at_tail and self._store.is_sealed(name)
        self._session.send(SegmentRead(name, offset, at_tail, at_end, piece))
        self._read = ReadSegment(name, behind, left) if left and not at_tail else None
        self._write()
        return True

    def _run_timers(self) -> None:
        """Say that we live when it is due."""
        self._session.handle_timeout(self._loop.time())
        self._write()
        due = self._session.next_timeout()
        if due is not None and not self._paused and not self.transport.is_closing():
            self._timer = self._loop.call_at(due, self._run_timers)

    def _stop_keepalive(self) -> None:
        """Say nothing of ourselves: the client is gone, or has yet to take what it was told."""
        if self._timer is not None:
            self._timer.cancel()

    def _write(self) -> None:
        # Who is turned away may be so because what is left to say is not true: it is not stored.
        if self.transport.is_closing():
            return
        if data := self._session.data_to_send(self._loop.time()):
            self.transport.write(data)
