"""Small asyncio server of Pravega's first protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from jvmwire._escaping import get_logger
from jvmwire._runtime.session import Closed, Pushed
from jvmwire.errors import JvmWireError, LimitExceeded, RemoteProtocolError
from jvmwire.pravega._session import KEEP_ALIVE_INTERVAL
from jvmwire.pravega.early._limits import EarlyLimits
from jvmwire.pravega.early._messages import (
    AppendBlock,
    AppendSetup,
    DataAppended,
    ReadSegment,
    SegmentRead,
    SetupAppend,
)
from jvmwire.pravega.early._session import EarlyServerSession
from jvmwire.pravega.early._store import MemoryStore, Store
from jvmwire.transports._listen import AcceptedConnection, ListeningSocket, listen

if TYPE_CHECKING:
    from uuid import UUID

    from jvmwire._core import PravegaDialect

SWEEP = 1.0
"""Seconds between two checks for idle connections (chosen by jvmwire)."""
MAX_READ = 64 << 20
"""Bytes per read request, at most: all of them are returned (chosen by jvmwire)."""

_log = get_logger("jvmwire.connection")


class EarlyServer:
    """Server of segments on one port; a segment is created by the first append to it.

    Args:
        dialect: The numbers of the message types; by default those of jvmwire.
        store: The segment storage, which is closed with the server; by default in memory.
        keep_alive_interval: Seconds of silence of the server until it sends a KeepAlive to a
            client; None disables keep-alives.
        limits: Limits of memory and time.
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
        """Bytes of unfinished blocks and messages, and of unread replies, of all connections."""
        self._sweeping: asyncio.TimerHandle | None = None
        self._dialect = dialect
        self._keep_alive_interval = keep_alive_interval
        self._listener: ListeningSocket | None = None
        self.connections: set[_EarlyConnection] = set()
        self.owners: dict[tuple[str, UUID], _EarlyConnection] = {}
        """The connection that set up a connection id of a segment last: no other may append under
        it.
        """

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen on a port.

        Args:
            host: The address to listen on.
            port: The port; 0 (the default) chooses a free one.

        Returns:
            The port.

        Raises:
            TransportError: the port is in use, or the address is not one of this machine.
        """
        self._listener = await listen(self._connection, host, port)
        self._sweep()
        return self._listener.port

    async def close(self) -> None:
        """Close the listener, all connections and the store."""
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

    def _connection(self) -> _EarlyConnection:
        session = EarlyServerSession(
            self._dialect,
            keep_alive_interval=self._keep_alive_interval,
            max_block=self.limits.max_block,
        )
        return _EarlyConnection(self, session)

    def _sweep(self) -> None:
        """Close connections that are idle or too slow, and schedule the next check."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self.connections):
            connection.end_if_slow(now)
        self._sweeping = loop.call_later(SWEEP, self._sweep)


class _EarlyConnection(AcceptedConnection):
    """One connected client."""

    def __init__(self, server: EarlyServer, session: EarlyServerSession) -> None:
        self._server = server
        self._limits = server.limits
        self._store = server.store
        self._session = session
        self._owners = server.owners
        self._set_up: dict[UUID, str] = {}
        self._read: ReadSegment | None = None
        """A read whose reply is not complete; further requests wait for it."""
        self._paused = False
        """Whether the client has not read the replies that were written."""
        self._loop = asyncio.get_running_loop()
        self._since = self._last_received = self._loop.time()
        """The times at which the connection was made, and at which the client last sent data."""
        self._has_requested = False
        """Whether the client has sent a request."""
        self._begun_since: float | None = None
        """The time at which the incomplete block or message began."""
        self._blocked_since = 0.0
        """The time since which the client has not read its replies, if `_paused`."""
        self._buffered = 0
        """Bytes of this connection in the server's count."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection, or reject it if there are too many."""
        super().connection_made(transport)
        if len(self._server.connections) >= self._limits.max_connections:
            self._reject(LimitExceeded(f"{self._limits.max_connections} are connected"))
            return
        self._server.connections.add(self)
        self._run_timers()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - it is over
        """Deregister the connection and its connection ids."""
        self._server.connections.discard(self)
        self._count(0)
        for connection_id in list(self._set_up):
            self._give_up(connection_id)
        self._stop_keepalive()

    def pause_writing(self) -> None:
        """Stop handling requests until the client has read its replies."""
        self._paused = True
        self._blocked_since = self._loop.time()
        self._stop_keepalive()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Continue to handle requests."""
        self._paused = False
        self._process()
        if not self._paused:
            self.transport.resume_reading()
            self._run_timers()

    def eof_received(self) -> None:
        """Handle the end of the client's data."""
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        """Handle data of the client."""
        self._last_received = self._loop.time()
        try:
            self._session.receive_data(data)
        except JvmWireError as error:
            self._reject(error)
        else:
            self._process()

    def _process(self) -> None:
        """Handle requests while replies can be written; close on a protocol error."""
        more = True
        try:
            while more and not self._paused and not self.transport.is_closing():
                more = (
                    self._handle_event()
                    if self._read is None
                    else self._send_read_chunk(self._read)
                )
            self._update_buffered()
        except JvmWireError as error:
            self._reject(error)

    def _update_buffered(self) -> None:
        """Update the count of bytes that are held for the client.

        Raises:
            LimitExceeded: the limit for all clients together is exceeded.
        """
        if self.transport.is_closing():
            return
        begun = self._session.buffered
        if not begun:
            self._begun_since = None
        elif self._begun_since is None:
            self._begun_since = self._last_received
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
        """Close the connection if it is idle or too slow."""
        limits = self._limits
        if self._paused:
            slow = now - self._blocked_since > limits.write_timeout
        elif self._begun_since is not None and now - self._begun_since > limits.block_timeout:
            slow = True
        elif not self._has_requested:
            slow = now - self._since > limits.opening_timeout
        else:
            slow = now - self._last_received > limits.idle_timeout
        if slow:
            _log.info("a client of the early protocol is ended: nothing moves on its connection")
            self.transport.abort()

    def _reject(self, error: JvmWireError) -> None:
        _log.warning("a client of the early protocol is turned away: %s", error)
        self.transport.close()

    def _handle_event(self) -> bool:
        """Handle received requests up to a read, and reply once they are stored.

        Returns:
            Whether a read is to be answered.

        Raises:
            JvmWireError: the error in the rest of the data.
        """
        wrong: JvmWireError | None = None
        with self._store.transaction():
            try:
                for event in self._session.events():
                    if isinstance(event, Pushed):
                        self._has_requested = True
                        # A complete block means that the next one has just begun.
                        self._begun_since = None
                        self._execute(event.message)
                    elif isinstance(event, Closed) and event.torn:
                        raise RemoteProtocolError("the client ended within a block or message")
                    if self._read is not None:
                        break
            except JvmWireError as error:
                # Requests before the error are valid, and stay stored.
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
                    # The connection that set up the id later relies on no further bytes from this
                    # one.
                    raise RemoteProtocolError(f"a block of {connection_id}, set up elsewhere since")
                level = self._store.append(name, connection_id, offset, data)
                self._session.send(DataAppended(connection_id, level))
            case ReadSegment(name, offset, length):
                if not 0 <= length <= MAX_READ:
                    raise RemoteProtocolError(f"a read of {length} bytes, where {MAX_READ} may be")
                tail = self._store.length(name)
                if tail is None or not 0 <= offset <= tail:
                    raise RemoteProtocolError(
                        f"a read of {name!r} at {offset}, where the segment has no bytes"
                    )
                self._read = request

    def _check_room(self, name: str) -> None:
        """Raise an error if another appender to a segment would exceed a limit."""
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
        """Stop appends under a connection id, if this connection still owns it."""
        key = (self._set_up.pop(connection_id, ""), connection_id)
        if self._owners.get(key) is self:
            del self._owners[key]

    def _send_read_chunk(self, read: ReadSegment) -> bool:
        """Send a chunk of a read's reply; return True, since there may be more to do."""
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
        """Send a KeepAlive when it is due, and schedule the next one."""
        self._session.handle_timeout(self._loop.time())
        self._write()
        due = self._session.next_timeout()
        if due is not None and not self._paused and not self.transport.is_closing():
            self._timer = self._loop.call_at(due, self._run_timers)

    def _stop_keepalive(self) -> None:
        """Stop keep-alives: the client is gone, or has not read its replies."""
        if self._timer is not None:
            self._timer.cancel()

    def _write(self) -> None:
        # The rest of the output of a rejected client may acknowledge data that is not stored.
        if self.transport.is_closing():
            return
        if data := self._session.data_to_send(self._loop.time()):
            self.transport.write(data)
