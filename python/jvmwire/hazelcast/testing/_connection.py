"""Connection of one client to a member of a double."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from jvmwire._escaping import get_logger
from jvmwire._runtime.session import NEED_DATA
from jvmwire.errors import JvmWireError
from jvmwire.hazelcast.errors import HazelcastError
from jvmwire.hazelcast.testing import _java_errors as java
from jvmwire.hazelcast.testing._calls import Call
from jvmwire.hazelcast.testing._limits import MAX_UNAUTHENTICATED, MAX_UNSENT
from jvmwire.hazelcast.testing._session import EVENT_FLAG, MemberSession, Outgoing, Received
from jvmwire.transports._listen import AcceptedConnection
from jvmwire.transports._transport import address_text

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Hashable

    from jvmwire._core import HazelcastMessage
    from jvmwire._faults import Fault, Faults
    from jvmwire.hazelcast.testing._calls import ParkedCall
    from jvmwire.hazelcast.testing._cluster import DoubleCluster
    from jvmwire.hazelcast.testing._members import DoubleMember

FLUSH_BYTES = 1 << 20
"""Bytes of answers that are queued until the end of the event loop's iteration; more are written at
once, so that requests wait for a client that does not read. (Chosen by jvmwire.)"""

_log = get_logger("jvmwire.connection")


class ConnectionOwner(Protocol):
    """The part of the server that its connections call."""

    cluster: DoubleCluster
    faults: Faults

    def connected(self, connection: ClientConnection) -> bool:
        """Count a connection; return whether there is room for it."""

    def disconnected(self, connection: ClientConnection) -> None:
        """Forget a connection."""

    def executed(self, connection: ClientConnection, buffered: int) -> None:
        """Count the bytes of an incomplete message after requests were executed."""

    def flush_soon(self, connection: ClientConnection) -> None:
        """Write what a connection has queued by the end of this iteration of the loop."""

    def later(self, delay: float, function: Callable[[], None]) -> None:
        """Call a function after a delay."""


class ClientConnection(AcceptedConnection):
    """Connection of one client to a member.

    Args:
        server: The server.
        member: The member.
    """

    def __init__(self, server: ConnectionOwner, member: DoubleMember) -> None:
        self._server = server
        self.member = member
        self.uuid = ""
        self.parked: set[ParkedCall] = set()
        self.registrations: set[tuple[Hashable, str]] = set()
        self._session = MemberSession()
        self._address = "?"
        self.buffered = 0
        """The bytes of an incomplete message, as last counted by the server."""
        self._lost: dict[int, Fault] = {}
        """By correlation id of a call, the fault that loses its answer."""
        self._is_blocked = False
        """Whether the client does not read what was written."""
        self._is_over = False

    # Methods that the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection, or abort it if there are too many.

        Args:
            transport: The transport of the connection.
        """
        super().connection_made(transport)
        self._address = address_text(transport.get_extra_info("peername")) or "?"
        if not self._server.connected(self):
            self.abort()

    def data_received(self, data: bytes) -> None:
        """Execute the requests of received bytes.

        Args:
            data: The bytes.
        """
        if self._is_over:
            return
        self._session.receive_data(data)
        self._process()

    def _process(self) -> None:
        """Execute the received requests while the client reads the answers."""
        try:
            while (
                not self._is_blocked
                and (event := self._session.next_event()) is not NEED_DATA
                and not self._is_over
            ):
                if isinstance(event, Received):
                    self._receive(event)
                if self._session.pending_bytes > FLUSH_BYTES:
                    self.flush()
        except JvmWireError as error:
            _log.info("%s: %s", self._address, error)
            self.close()
        if not self.uuid and self._session.buffered > MAX_UNAUTHENTICATED:
            _log.info("%s: a message of this size needs an authentication", self._address)
            self.abort()
        self._server.executed(self, self._session.buffered)

    def eof_received(self) -> bool:
        """Let the transport close.

        Returns:
            False, so that the transport closes.
        """
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection.

        Args:
            exc: Error that ended the connection, if any.
        """
        self._is_over = True
        self._server.disconnected(self)

    def pause_writing(self) -> None:
        """Read no more requests until the client has read its answers."""
        self._is_blocked = True
        if not self._is_over:
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read requests again."""
        self._is_blocked = False
        if not self._is_over and not self.transport.is_closing():
            self.flush()
            self.transport.resume_reading()
            self._process()

    # Requests

    def _receive(self, received: Received) -> None:
        if received.message is None:
            text = f"Unrecognized client message received with type: 0x{received.kind:x}"
            self.refuse(received.call_id, java.refuse(java.UNSUPPORTED, text))
            return
        call = Call(self, received.message, received.call_id, received.fields)
        if not self.uuid and not received.message.name.startswith("Client.authentication"):
            text = f"Client {self._address} must authenticate before any operation."
            self.refuse(received.call_id, java.refuse(java.RETRYABLE, text))
            self.close()
            return
        fault = self._server.faults.take(received.message.name)
        if fault is None:
            self._server.cluster.execute(call)
        elif fault.delay:
            self._server.later(fault.delay, lambda: self._fail(call, fault))
        else:
            self._fail(call, fault)

    def _fail(self, call: Call, fault: Fault) -> None:
        """Execute a call as a fault says, after its delay."""
        if self._is_over:
            return
        if fault.error is not None:
            error = fault.error
            if not isinstance(error, HazelcastError) or not error.code:
                error = java.refuse(error.java_class, str(error))
            self.refuse(call.call_id, error)
        elif fault.disconnect and not fault.executes:
            self.abort()
        elif fault.executes or not fault.drop:
            if fault.executes:
                self._lost[call.call_id] = fault
            self._server.cluster.execute(call)

    # Answers

    def send(
        self, message: HazelcastMessage, call_id: int, fields: tuple[Any, ...], *, event: bool
    ) -> None:
        """Send a response or an event.

        Args:
            message: The message.
            call_id: Correlation id of the request.
            fields: The fields of the message.
            event: Whether it is an event.
        """
        if self._is_over or (not event and self._is_lost(call_id)):
            return
        self._session.send(Outgoing(message, fields, EVENT_FLAG if event else 0), call_id)
        self._server.flush_soon(self)

    def refuse(self, call_id: int, error: HazelcastError) -> None:
        """Send an exception.

        Args:
            call_id: Correlation id of the request.
            error: The exception.
        """
        if self._is_over or self._is_lost(call_id):
            return
        self._session.refuse(call_id, error)
        self._server.flush_soon(self)

    def _is_lost(self, call_id: int) -> bool:
        """Return whether a fault loses an answer, and close the connection if it says so."""
        fault = self._lost.pop(call_id, None)
        if fault is None:
            return False
        if fault.disconnect:
            self.abort()
        return True

    def flush(self) -> None:
        """Write what is queued, unless the client does not read; one for which too much is queued
        is cut off."""
        if self._is_over or self.transport.is_closing():
            return
        if self._is_blocked:
            if self._session.pending_bytes > MAX_UNSENT:
                _log.warning("%s: cut off: it does not read what it is sent", self._address)
                self.abort()
            return
        if data := self._session.data_to_send(0.0):
            self.transport.write(data)

    def close(self) -> None:
        """Send what is queued, and close."""
        self.flush()
        self._is_over = True
        self.transport.close()

    def abort(self) -> None:
        """Close without sending what is queued."""
        self._is_over = True
        self.transport.abort()
