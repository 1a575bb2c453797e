"""Server connection: moves bytes between a transport, a session and the dispatcher."""

from __future__ import annotations

import asyncio
import fcntl
import sys
import termios
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime.session import CLOSED, NEED_DATA, OPEN
from jvmwire.errors import JvmWireError
from jvmwire.hadoop.sasl._server import TokenLookupFailed
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._error_responses import make_error
from jvmwire.hadoop.server._session import (
    CallsReceived,
    ClientIdentified,
    HadoopServerSession,
    Refuse,
    SendReplies,
)
from jvmwire.transports._listen import AcceptedConnection
from jvmwire.transports._transport import address_text

if TYPE_CHECKING:
    from jvmwire._core import HadoopCalls, JavaClass
    from jvmwire.hadoop.errors import HadoopError
    from jvmwire.hadoop.server._call import RpcCall
    from jvmwire.hadoop.server._dispatch import Dispatcher

FLUSH_BYTES = 1 << 20
"""Bytes of answers that are buffered until the end of the event loop's iteration; more are written
at once, and so counted. (Chosen by jvmwire.)"""

_log = get_logger("jvmwire.connection")


class ServerConnection(AcceptedConnection):
    """Connection of one client to a server.

    Args:
        dispatcher: The dispatcher of the server.
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._loop = asyncio.get_running_loop()
        self.session: HadoopServerSession
        self.address = "?"
        self.since = self.last_received = self._loop.time()
        """The times of the connection's start and of the last received bytes, by the loop's
        clock."""
        self.frame_since: float | None = None
        """The time since which a request is incomplete."""
        self.blocked_since: float | None = None
        """The time since which the client has not read its answers."""
        self.open_calls = 0
        self.open_bytes = 0
        """The bytes of the open calls on the wire."""
        self.unsent_bytes = 0
        """The bytes of answers that the transport has not sent, as last counted by the
        dispatcher."""
        self.knows_instance = False
        """Whether the client queried the instance id: it then resends only to the same instance."""
        self.buffered = 0
        """The bytes of incomplete requests, as last counted by the dispatcher."""
        self._pumping = False
        self._paused = False
        self._finished = False
        """Whether nothing more is sent, and received bytes are discarded."""
        self._ended = False

    # Methods that the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Create the session of the connection, or abort if there are too many connections.

        Args:
            transport: The transport of the connection.
        """
        super().connection_made(transport)
        self.address = address_text(transport.get_extra_info("peername")) or "?"
        self.session = self._dispatcher.new_session(self.address)
        if not self._dispatcher.connected(self):
            self.abort()

    def data_received(self, data: bytes) -> None:
        """Process received bytes.

        Args:
            data: The bytes.
        """
        if self._finished:
            return
        self.last_received = self._loop.time()
        self.session.receive_data(data)
        self.process()

    def eof_received(self) -> bool:
        """Let the transport close: a client that sends no more receives no more, as in Java.

        Returns:
            False, so that the transport closes.
        """
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Deregister the connection.

        Args:
            exc: Error that ended the connection, if any.
        """
        self._ended = True
        self._dispatcher.disconnected(self, exc)

    def pause_writing(self) -> None:
        """Stop processing requests until the client has read its answers."""
        self.blocked_since = self._loop.time()

    def resume_writing(self) -> None:
        """Resume processing requests."""
        self.blocked_since = None
        self._dispatcher.owes(self, 0)
        self.process()

    # Input.

    def process(self) -> None:
        """Process received requests while the limits of open calls allow it."""
        if self._pumping or self._is_over():
            return
        self._pumping = True
        try:
            while self._has_room():
                self.session.room = self._dispatcher.options.calls_per_connection - self.open_calls
                event = self.session.next_event()
                if event is NEED_DATA:
                    break
                match event:
                    case CallsReceived(batch):
                        self.open_calls += len(batch)
                        self._dispatcher.called(self, batch)
                    case ClientIdentified():
                        self._authenticate()
                if self._is_over():
                    return
        except JvmWireError as error:
            self._dispatcher.metrics.protocol_errors += 1
            _log.info("%s: %s", self.address, error)
            self.flush()
            self.transport.close()
            return
        except TokenLookupFailed as error:
            _log.error("%s: it was not found out who it is", self.address, exc_info=error)
            self._reject(
                make_error("FATAL_UNAUTHORIZED", _error_responses.ACCESS_CONTROL, str(error))
            )
            return
        finally:
            self._pumping = False
        if self.session.position > self.session.bytes_handed_out:
            self._dispatcher.flush_soon(self)
        self._update_buffered()
        self._read_on()

    def _is_over(self) -> bool:
        return self._ended or self._finished or self.session.state is CLOSED

    def _has_room(self) -> bool:
        return (
            self.blocked_since is None
            and not self._dispatcher.stopping
            and self.open_calls < self._dispatcher.options.calls_per_connection
            and self.open_bytes < self._dispatcher.options.bytes_per_connection
        )

    def _read_on(self) -> None:
        """Pause or resume reading, depending on the limits of open calls."""
        wanted = not self._has_room()
        if wanted is not self._paused and not self.transport.is_closing():
            self._paused = wanted
            if wanted:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def _update_buffered(self) -> None:
        buffered = self.session.buffered
        if not buffered:
            self.frame_since = None
        elif self.frame_since is None or buffered < self.buffered:
            self.frame_since = self.last_received
        if buffered != self.buffered and not self._dispatcher.update_buffered(self, buffered):
            _log.warning("%s: cut off: too much is on its way at once", self.address)
            self.abort()

    def _authenticate(self) -> None:
        try:
            self._dispatcher.options.on_connect(self.session.caller)
        except Exception as error:  # any exception rejects the client
            self._reject(self._dispatcher.refused(error))

    def _reject(self, refused: HadoopError) -> None:
        _log.info("%s: turned away: %s", self.address, refused)
        self._dispatcher.metrics.rejected += 1
        self.session.turn_away(refused)
        self.flush()
        self.transport.close()

    # Output.

    def answer(
        self,
        calls: HadoopCalls,
        java_class: JavaClass | None,
        values: list[Any],
        *,
        at: int = 0,
        first: int = 0,
    ) -> int:
        """Answer calls; return the number of answered calls.

        Args:
            calls: Decoded calls.
            java_class: Class of the values (Writable engine), or None for messages as bytes.
            values: Results.
            at: Index of the first value to write. Default: 0.
            first: Index of the call that gets it. Default: 0.

        Returns:
            The number of values up to the first exception, or the first that cannot be written.

        Raises:
            TypeError: the first value is not of its class.
            ValueError: the first value cannot be written.
        """
        if self._ended or self.session.state is not OPEN:
            return len(values) - at
        answer = SendReplies(calls, java_class, values, at, first)
        self.session.send(answer)
        if self.session.pending_bytes > FLUSH_BYTES:
            self.flush()
        else:
            self._dispatcher.flush_soon(self)
        return answer.written

    def refuse(self, call: RpcCall, error: HadoopError) -> None:
        """Refuse a call.

        Args:
            call: The call.
            error: Error that the client receives.
        """
        if not self._ended and self.session.state is OPEN:
            self.session.send(Refuse(call.calls, call.index, error))
            self._dispatcher.flush_soon(self)

    def calls_completed(self, calls: int) -> None:
        """Count completed calls, and process requests that waited for them.

        Args:
            calls: Number of completed calls.
        """
        self.open_calls -= calls
        if self._paused and not self._ended:
            self.process()

    def flush(self) -> None:
        """Write the pending answers to the transport."""
        if self._ended or self.transport.is_closing():
            return
        data = self.session.data_to_send(0.0)
        if data:
            self.transport.write(data)
            if self.blocked_since is not None:
                self._dispatcher.owes(self, self.transport.get_write_buffer_size())

    @property
    def unsent(self) -> int:
        """The bytes of answers that the client's system has not acknowledged, if known."""
        if self._ended:
            return 0
        ours = self.transport.get_write_buffer_size()
        with suppress(OSError):  # not all kinds of sockets support it
            unsent = fcntl.ioctl(
                self.transport.get_extra_info("socket"), termios.TIOCOUTQ, bytes(4)
            )
            ours += int.from_bytes(unsent, sys.byteorder)
        return ours

    def finish(self) -> None:
        """Send all pending answers, and then shut down the sending side.

        The client receives the end of the stream and closes. Bytes that it sends meanwhile are read
        and discarded: if a socket closes with unread bytes, the peer loses the bytes in flight.
        """
        if self._ended or self._finished:
            return
        self.flush()
        self._finished = True
        if self.transport.is_closing() or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        if self._paused:
            self.transport.resume_reading()

    def abort(self) -> None:
        """Close the connection at once."""
        if not self._ended:
            self.transport.abort()
