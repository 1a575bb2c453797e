"""Client side of Hazelcast's Open Binary Client Protocol 1.x.

A connection starts with `CB2` and an authentication, followed by requests, responses in any order,
events and pings.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from jvmwire._core import HazelcastDecoder, HazelcastMessage, HazelcastReplies
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    OPENING,
    Closed,
    Event,
    Failed,
    NeedData,
    Opened,
    Pushed,
    Refused,
    Replies,
    Reply,
    Session,
)
from jvmwire.errors import ConnectFailed, ConnectionLost, RemoteProtocolError
from jvmwire.hazelcast._commands import Command, Request, Requests
from jvmwire.hazelcast.errors import AuthenticationFailed, from_fields

PREAMBLE = b"CB2"
HEARTBEAT_INTERVAL = 5.0
"""Seconds without a sent message before a ping. `hazelcast.client.heartbeat.interval`."""
HEARTBEAT_TIMEOUT = 60.0
"""Seconds that a member may leave a request unanswered. `hazelcast.client.heartbeat.timeout`."""
MESSAGE_LIMIT = 512 << 20
"""Bytes of a received message. (Chosen by jvmwire: a response holds the whole result.)"""
FRAGMENT_LIMIT = 1 << 20
"""Bytes of a sent frame; longer messages are sent in fragments. (Chosen by jvmwire.)"""

EXCEPTION = 109
"""The type of `Response.Exception`."""
AUTHENTICATION = 107
"""The type of `Response.MemberAuthentication`."""
PING_ID = -(1 << 62)
"""Correlation id of the first ping; later ones decrease, so that they never collide with calls."""
AUTHENTICATION_ID = 1 << 62
"""The correlation id of a client's first authentication: members refuse one that is not above the
last of the same client (`ClientEngineImpl.trySetLastAuthenticationCorrelationId`)."""

_PING = HazelcastMessage.named("Client.ping")


@dataclass(frozen=True, slots=True)
class MemberAuthentication:
    """The description of member and client in a `Response.MemberAuthentication`."""

    address: tuple[str, int]
    """Address that the member advertises."""
    uuid: str
    """UUID of the client."""
    owner_uuid: str
    """UUID of the member that owns the resources of the client."""
    server_version: str = ""
    """Version such as `3.12.13`; empty from members before 3.8."""
    partition_count: int | None = None
    cluster_id: str | None = None


def authenticated(fields: tuple[Any, ...]) -> MemberAuthentication:
    """Return the content of a `Response.MemberAuthentication`.

    Raises:
        AuthenticationFailed: the member rejects the client.
        RemoteProtocolError: the member accepts the client, but sends no address or UUID.
    """
    status, address, uuid, owner_uuid, _, version, _, partition_count, cluster_id = fields
    if status:
        raise AuthenticationFailed(
            _REASONS.get(status, f"the member refuses the client with status {status}")
        )
    if address is None or uuid is None or owner_uuid is None:
        raise RemoteProtocolError("the member lets the client in and gives it no name")
    return MemberAuthentication(
        (address["host"], address["port"]),
        uuid,
        owner_uuid,
        version or "",
        partition_count,
        cluster_id,
    )


# AuthenticationStatus
_REASONS = {
    1: "the cluster does not take the group name, the user or the credentials",
    2: "the member serializes in another version",
    3: "the client may not join this cluster",
}


class HazelcastClientSession(Session[Command]):
    """The client side of one connection."""

    def __init__(
        self,
        authentication: Request,
        *,
        authentication_id: int = AUTHENTICATION_ID,
        heartbeat_interval: float | None = HEARTBEAT_INTERVAL,
        heartbeat_timeout: float | None = HEARTBEAT_TIMEOUT,
        message_limit: int = MESSAGE_LIMIT,
        fragment_limit: int = FRAGMENT_LIMIT,
    ) -> None:
        super().__init__()
        self.authentication: MemberAuthentication | None = None
        """Content of the member's authentication response."""
        self._interval = heartbeat_interval
        self._timeout = heartbeat_timeout
        self._fragment_limit = fragment_limit
        self._decoder = HazelcastDecoder(limit=message_limit)
        self._messages: deque[tuple[int, int, bool, Any]] = deque()
        self._expected: dict[int, int] = {}
        """Expected response type by correlation id."""
        self._batches: dict[int, tuple[HazelcastReplies, int, int]] = {}
        """By the first of their ids, with the type of answers, and how many were not told yet."""
        self._authentication_id = authentication_id
        self._ping_id = PING_ID
        self._said_anything = False
        self._silent = False
        """Whether the member exceeded the heartbeat timeout."""
        self._queue(PREAMBLE)
        self._queue(authentication.message.encode(authentication_id, -1, authentication.fields))

    def next_timeout(self) -> float | None:
        if self._interval is None or self.state is not OPEN:
            return None
        due = self._last_write + self._interval
        if self._timeout is not None and not self._peer_active:
            silent = self._quiet_since + self._timeout
            if silent < due:
                return silent
        return due

    def handle_timeout(self, now: float) -> None:
        if self._interval is None or self.state is not OPEN:
            return
        silent = not self._peer_active and self._timeout is not None
        if silent and now >= self._quiet_since + (self._timeout or 0.0):
            # Reported as if the member had closed the connection: calls may be retried elsewhere.
            self._messages.clear()
            self._silent = True
            return
        # The client protocol guide: only messages that the client writes count, not the member's.
        if now >= self._last_write + self._interval:
            self._queue(_PING.encode(self._ping_id, -1, ()))
            self._ping_id -= 1

    def forget(self, call_id: int) -> None:
        # For a batch, the decoder only counts the remaining responses.
        kept = self._expected.pop(call_id, None) or self._batches.pop(call_id, None)
        if kept is not None:
            self._decoder.forget(call_id)

    def _encode(self, command: Command, call_id: int) -> bytes:
        message = command.message
        if isinstance(command, Requests):
            data = message.encode_all(
                call_id, list(command.partition_ids), command.rows, limit=self._fragment_limit
            )
            if command.rows:
                replies = HazelcastReplies(len(command.rows), message.response)
                self._batches[call_id] = replies, message.response, len(replies)
                self._decoder.expect(call_id, replies)
            return data
        data = message.encode(
            call_id, command.partition_id, command.fields, limit=self._fragment_limit
        )
        self._expected[call_id] = message.response
        if command.gathered is not None:
            self._decoder.gather(call_id, command.gathered)
        return data

    def _feed(self, data: bytes) -> None:
        self._said_anything = True
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        if self._silent:
            reason = f"the member said nothing for {self._timeout:g} s"
            return Failed(ConnectionLost(reason))
        while True:
            if not self._messages:
                self._messages.extend(self._decoder.next_messages())
                if not self._messages:
                    return self._at_end() if self._eof else NEED_DATA
            kind, id_, is_event, fields = self._messages.popleft()
            if kind == self._expected.get(id_):  # nearly all are so
                del self._expected[id_]
                self.exhausted = not self._messages and self._decoder.spent
                return Reply(id_, fields)
            if not kind and fields is not None:
                return self._on_replies(id_, fields)
            if fields is None:
                raise RemoteProtocolError(f"a message of type {kind}, which the protocol has not")
            if is_event:
                return Pushed(id_, (kind, fields))
            if self.state is OPENING:
                return self._on_authenticated(kind, id_, fields)
            if id_ > PING_ID:
                return self._on_reply(kind, id_, fields)
            if id_ <= self._ping_id:
                raise RemoteProtocolError(f"an answer to ping {id_}, which was never made")

    def _on_authenticated(self, kind: int, id_: int, fields: tuple[Any, ...]) -> Event:
        if id_ != self._authentication_id:
            raise RemoteProtocolError(f"an answer to call {id_} before the authentication")
        if kind == EXCEPTION:
            return Failed(from_fields(fields))
        if kind != AUTHENTICATION:
            raise RemoteProtocolError(f"the authentication is answered with type {kind}")
        try:
            self.authentication = authenticated(fields)
        except AuthenticationFailed as refusal:
            return Failed(refusal)
        self.state = OPEN
        return Opened()

    def _on_reply(self, kind: int, id_: int, fields: tuple[Any, ...]) -> Event:
        expected = self._expected.pop(id_, None)
        if expected is None:
            return Reply(id_, fields)  # a late one: perhaps its fields were dropped
        if kind == EXCEPTION:
            return Refused(id_, from_fields(fields))
        raise RemoteProtocolError(f"call {id_} is answered with type {kind}, not {expected}")

    def _on_replies(self, first_id: int, count: int) -> Event:
        if (known := self._batches.pop(first_id, None)) is None:
            return Replies(first_id, count, None)  # late ones
        replies, expected, missing = known
        for _, kind, _ in replies.failures():
            if kind != EXCEPTION:
                raise RemoteProtocolError(
                    f"a request of batch {first_id} is answered with type {kind}, not {expected}"
                )
        if missing > count:
            self._batches[first_id] = replies, expected, missing - count
        return Replies(first_id, count, replies)

    def _at_end(self) -> Event | NeedData:
        if self.state is OPENING:
            if not self._said_anything:
                # Members of Hazelcast 4 and later close a connection with CB2: they speak CP2.
                reason = "the member hung up on CB2: it may be of Hazelcast 4 or later"
                return Failed(ConnectFailed(reason))
            return Closed(self._buffered())
        return NEED_DATA
