"""Member's side of Hazelcast's Open Binary Client Protocol 1.x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire._core import HazelcastDecoder, HazelcastMessage
from jvmwire._runtime.session import NEED_DATA, OPEN, NeedData, RequestReceived, Session
from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast._session import FRAGMENT_LIMIT, PREAMBLE

if TYPE_CHECKING:
    from jvmwire._runtime.session import Event
    from jvmwire.hazelcast.errors import HazelcastError

MESSAGE_LIMIT = 64 << 20
"""Bytes of a received message. (Chosen by jvmwire.)"""
EVENT_FLAG = 1
"""Flag of a frame: the message is an event (`ClientMessage.LISTENER_EVENT_FLAG`)."""

_EXCEPTION = HazelcastMessage.named("Response.Exception")


@dataclass(slots=True)
class Outgoing:
    """Response or event of a member."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 0

    message: HazelcastMessage
    fields: tuple[Any, ...]
    flags: int = 0

    def __repr__(self) -> str:
        return f"<{self.message.name}>"  # without the fields, which hold keys and values


@dataclass(frozen=True, slots=True)
class Received(RequestReceived):
    """A request of a client."""

    message: HazelcastMessage | None
    """None if the protocol has no such type."""
    kind: int
    call_id: int
    fields: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"<{self.message.name if self.message else self.kind}>"


class MemberSession(Session[Outgoing]):
    """The member's side of one connection.

    Args:
        message_limit: Maximum bytes of a received message.
    """

    def __init__(self, *, message_limit: int = MESSAGE_LIMIT) -> None:
        super().__init__()
        self._decoder = HazelcastDecoder(limit=message_limit)
        self._preamble = b""
        self._messages: list[tuple[int, int, bool, Any]] = []

    @property
    def buffered(self) -> int:
        """The number of bytes that wait for the rest of their message."""
        return self._buffered()

    def refuse(self, call_id: int, error: HazelcastError) -> None:
        """Queue an exception as the response to a request.

        Args:
            call_id: Correlation id of the request.
            error: The exception.
        """
        fields: tuple[Any, ...] = (error.code, error.java_class, str(error), [], 0, None)
        self.send(Outgoing(_EXCEPTION, fields), call_id)

    def _encode(self, command: Outgoing, call_id: int) -> bytes:
        return command.message.encode(
            call_id, -1, command.fields, flags=command.flags, limit=FRAGMENT_LIMIT
        )

    def _feed(self, data: bytes) -> None:
        missing = len(PREAMBLE) - len(self._preamble)
        if missing:
            self._preamble += data[:missing]
            data = data[missing:]
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        if self.state is not OPEN:
            if not PREAMBLE.startswith(self._preamble):
                raise RemoteProtocolError(f"a client that begins with {self._preamble!r}, not CB2")
            if len(self._preamble) < len(PREAMBLE):
                return NEED_DATA
            self.state = OPEN
        if not self._messages:
            self._messages = self._decoder.next_messages()[::-1]
            if not self._messages:
                return NEED_DATA
        kind, call_id, is_event, fields = self._messages.pop()
        message = HazelcastMessage.of_type(kind)
        if is_event or (message is not None and not message.response):
            raise RemoteProtocolError(f"a client sends type {kind}, which only members send")
        return Received(message, kind, call_id, fields or ())
