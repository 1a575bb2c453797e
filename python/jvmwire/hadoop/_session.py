"""Client side of Hadoop RPC, without I/O.

A connection starts with a header and a context, which are not answered; then calls and replies
follow, in any order. If the client authenticates, SASL messages are exchanged between the header
and the context, and the calls and replies may be wrapped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._core import HadoopCaller, HadoopReplyDecoder, HadoopReplyTable
from jvmwire._runtime.session import (
    NEED_DATA,
    OPEN,
    OPENING,
    Buffer,
    Event,
    Failed,
    NeedData,
    Opened,
    Refused,
    Replies,
    Reply,
    Session,
)
from jvmwire.errors import ConnectionLost, MissingExtra, RemoteProtocolError
from jvmwire.hadoop._commands import HadoopCommand, SelfEncodedCall, SingleCall
from jvmwire.hadoop.errors import AuthenticationRequired, VersionMismatch, from_java
from jvmwire.hadoop.sasl._message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl._wraps import wrapped
from jvmwire.hadoop.sasl.errors import AuthenticationFailed

if TYPE_CHECKING:
    from jvmwire._core import HadoopResponse
    from jvmwire.hadoop.rpc._interface import Engine
    from jvmwire.hadoop.sasl._negotiation import SaslClient
    from jvmwire.hadoop.sasl._protection import SecurityLayer

PING_INTERVAL = 60.0
"""Seconds of silence of the server after which it is pinged: `ipc.ping.interval`."""
IDLE_TIMEOUT = 10.0
"""Seconds without a call until a connection is closed: `ipc.client.connection.maxidletime`."""
REPLY_LIMIT = 128 << 20
"""The longest reply in bytes: `ipc.maximum.response.length`."""
MAX_CALL_ID = (1 << 31) - 1
"""The largest call id, after which ids wrap around: `Client.nextCallId`."""

_BEFORE_CALLS = frozenset({"FATAL_UNAUTHORIZED", "FATAL_VERSION_MISMATCH"})
"""The codes of errors about the connection itself: Server.Connection.authorizeConnection and
setupBadVersionResponse."""

_SERVER_VERSION = re.compile(r"Server IPC version (\d{1,9}) ")
"""The version in the text of Server.Connection.setupBadVersionResponse, which has no field for
it."""


MAX_FORGOTTEN_BATCHES = 1024
"""The number of abandoned batches whose late replies are recognised. (Chosen by jvmwire.)"""


@dataclass(slots=True)
class _Batch:
    call_id: int
    replies: HadoopReplyTable


@dataclass(slots=True)
class _ForgottenBatch:
    """Abandoned batch: its replies are counted and discarded."""

    call_id: int
    calls: int
    missing: int


class StateAlignment:
    """Latest known state of the NameNodes of a name service: `ClientGSIContext`."""

    __slots__ = ("state_id",)

    def __init__(self) -> None:
        self.state_id: int | None = None
        """The latest state id that any of them has sent."""

    def advance(self, state_id: int | None) -> None:
        """Record the state id of a reply.

        Args:
            state_id: State id, or None if the reply has none.
        """
        if state_id is not None and (self.state_id is None or state_id > self.state_id):
            self.state_id = state_id


class HadoopClientSession(Session[HadoopCommand | SelfEncodedCall]):
    """Client side of one connection.

    Args:
        protocol: Name of the protocol on the wire.
        user: Effective user.
        client_id: Id of the client, 16 bytes.
        real_user: Real user, if it differs. Default: None.
        caller_context: Caller context for audit logs. Default: None.
        ping_interval: Seconds of silence until a ping; None disables pings. Default: 60.
        reply_limit: The longest reply in bytes. Default: 128 MiB.
        sasl: SASL client; None for no authentication. Default: None.
        engine: Encoding of arguments and results. Default: "protobuf".
        version: Version of the protocol. Default: that of the Rust core's description.
        service_class: Service class in the header, 0 to 255. Default: 0.
        beta: Whether to use the dialect of Hadoop 2.1.0-beta. Default: False.
        idle_timeout: Seconds without a call until the connection is closed; None disables that.
            Default: None.
        alignment: State that the connections to all NameNodes of a name service share. Default:
            None.
    """

    def __init__(
        self,
        *,
        protocol: str,
        user: str,
        client_id: bytes,
        real_user: str | None = None,
        caller_context: str | None = None,
        ping_interval: float | None = PING_INTERVAL,
        reply_limit: int = REPLY_LIMIT,
        sasl: SaslClient | None = None,
        engine: Engine = "protobuf",
        version: int | None = None,
        service_class: int = 0,
        beta: bool = False,
        idle_timeout: float | None = None,
        alignment: StateAlignment | None = None,
    ) -> None:
        super().__init__()
        self.instance: bytes | None = None
        """The id of the server instance, if it was queried and the server has one."""
        self.sasl = sasl
        """The SASL client, or None without authentication."""
        self._seal: SecurityLayer | None = None
        self._user, self._real_user = user, real_user
        self._client_id, self._reply_limit = client_id, reply_limit
        self._engine = engine
        self._wraps: HadoopReplyDecoder | None = None
        """The decoder of SASL wraps; `_decoder` then decodes their contents."""
        self._caller = HadoopCaller(
            client_id=client_id,
            protocol=protocol,
            version=version,
            engine=engine,
            beta=beta,
            context=caller_context,
        )
        self._decoder = HadoopReplyDecoder(client_id=client_id, limit=reply_limit, engine=engine)
        self._ping_interval = ping_interval
        self._idle_timeout = idle_timeout
        self._alignment = alignment
        """The state that the connections to all NameNodes of a name service share."""
        self._calls: dict[int, tuple[int, SingleCall]] = {}
        """By id on the wire, the caller's id and the call."""
        self._latest = -1
        """The highest of the callers' ids."""
        self._batches: dict[int, _Batch] = {}
        """The batches by their first id on the wire."""
        self._forgotten: dict[int, _ForgottenBatch] = {}
        """The abandoned batches by their first id on the wire."""
        self._idle = False
        """Whether there was no call for `idle_timeout`."""
        header = self._caller.encode_connection_header(
            sasl=sasl is not None, service_class=service_class
        )
        self._queue(header)
        self._describe = False
        if sasl is None:
            self._queue(self._caller.encode_context(user, real_user))
            # There is no reply to await: calls may follow at once.
            self.state = OPEN
        else:
            self._queue(sasl.begin())

    def next_timeout(self) -> float | None:
        if self.state is not OPEN:
            return None
        if self._idle_timeout is None or self._calls or self._batches:
            interval = self._ping_interval
        else:
            interval = self._idle_timeout
        return None if interval is None else self._quiet_since + interval

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is None or now < due:
            return
        # Client.Connection.PingInputStream: pings are sent only while replies are awaited.
        if not self._peer_active:
            if self._calls or self._batches:
                self._queue(self._caller.encode_ping())
            elif self._idle_timeout is not None:
                self._idle = True
        self._quiet_since, self._peer_active = now, False

    def forget(self, call_id: int) -> None:
        wire_id = call_id & MAX_CALL_ID
        if (batch := self._batches.pop(wire_id, None)) is not None:
            if len(self._forgotten) >= MAX_FORGOTTEN_BATCHES:
                del self._forgotten[next(iter(self._forgotten))]
            replies = batch.replies
            forgotten = _ForgottenBatch(batch.call_id, len(replies), replies.missing)
            self._forgotten[wire_id] = forgotten
        else:
            self._calls.pop(wire_id, None)

    def _encode(
        self, command: HadoopCommand | SelfEncodedCall, call_id: int, retry: int = 0
    ) -> bytes:
        wire_id = call_id & MAX_CALL_ID
        last = call_id + command.expected_replies - 1
        if last > self._latest:
            self._latest = last
        if isinstance(command, SelfEncodedCall):
            data = command.encode(self._caller, wire_id, retry, self._state_id())
            self._calls[wire_id] = call_id, command
            return data
        # ClientGSIContext: an observer must be at least as recent as the latest state seen.
        data = self._caller.encode_calls(
            command.method,
            wire_id,
            command.expected_replies,
            command.columns(),
            retry=retry,
            state_id=self._state_id(),
        )
        if isinstance(command, SingleCall):
            self._calls[wire_id] = call_id, command
        elif command.expected_replies:
            self._batches[wire_id] = _Batch(call_id, HadoopReplyTable(command.expected_replies))
        return data

    def _encode_again(
        self, command: HadoopCommand | SelfEncodedCall, call_id: int, retry: int
    ) -> bytes:
        return self._encode(command, call_id, retry)

    def _state_id(self) -> int | None:
        if self._alignment is None:
            return self._decoder.state_id
        return self._alignment.state_id

    def _queue(self, data: Buffer) -> None:
        if self._seal is not None:
            data = wrapped("client", self._seal, data)
        Session._queue(self, data)

    def _feed(self, data: bytes) -> None:
        (self._wraps or self._decoder).feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered + (self._wraps.buffered if self._wraps is not None else 0)

    def _next_event(self) -> Event | NeedData:
        if self.state is OPENING and (failed := self._negotiate()) is not None:
            return failed
        if not self._describe:
            if self.state is OPENING:
                return NEED_DATA
            self._describe = True
            return Opened()
        if self._idle:
            # Client.Connection.waitForWork: the next call reconnects.
            return Failed(ConnectionLost(f"nobody called for {self._idle_timeout:g} s"))
        while True:
            if self._batches and (replies := self._next_replies()) is not None:
                self._align()
                return replies
            if (answer := self._decoder.next_response()) is not None:
                if self._alignment is not None:
                    self._align()
                self.exhausted = self._wraps is None and not self._decoder.buffered
                return self._event(answer)
            if self._wraps is None:
                return NEED_DATA
            if (outer := self._wraps.next_response()) is None:
                return NEED_DATA
            if (event := self._unwrap(outer)) is not None:
                return event

    def _align(self) -> None:
        if self._alignment is not None:
            self._alignment.advance(self._decoder.state_id)

    def _negotiate(self) -> Failed | None:
        """Process the SASL messages of the server until the authentication is complete."""
        while self.sasl is not None and (answer := self._decoder.next_response()) is not None:
            if answer.sasl is None:
                event = self._event(answer)
                if not isinstance(event, Failed):
                    raise RemoteProtocolError(f"a reply to call {answer.call_id} before any call")
                return event
            state, token, auths = answer.sasl
            message = SaslMessage(state, token, [SaslAuth(*auth) for auth in auths])
            try:
                self._queue(self.sasl.receive(message))
            except (AuthenticationFailed, MissingExtra) as error:
                return Failed(error)
            if self.sasl.done:
                self._begin(self.sasl)
                return None
        return None

    def _begin(self, sasl: SaslClient) -> None:
        """Send the context with the users, and let calls follow."""
        self._seal = sasl.seal
        if self._seal is not None:
            self._wraps = self._decoder
            self._decoder = HadoopReplyDecoder(
                client_id=self._client_id, limit=self._reply_limit, engine=self._engine
            )
        # ProtoUtil.makeIpcConnectionContext: the server knows the real user from the
        # authentication.
        if not sasl.secure:
            context = self._caller.encode_context(self._user, self._real_user)
        elif sasl.user is None:
            context = self._caller.encode_context(None)
        else:
            user = sasl.user if self._real_user is None else self._user
            context = self._caller.encode_context(user)
        self._queue(context)
        self.state = OPEN

    def _unwrap(self, answer: HadoopResponse) -> Event | None:
        """Unwrap a SASL message, and pass its content to the decoder."""
        if answer.kind == "fatal":
            return self._event(answer)
        if answer.sasl is None or self._seal is None:
            raise RemoteProtocolError(
                "the server sent a message without the protection that was negotiated: "
                f"{answer.kind}"
            )
        state, token, _ = answer.sasl
        if state != "WRAP" or token is None:
            raise RemoteProtocolError(f"the server says {state} where it must wrap")
        self._decoder.feed(self._seal.unwrap(token))
        return None

    def _next_replies(self) -> Replies | None:
        """Return the replies to one batch that precede all other messages."""
        next_id = self._decoder.peek_call_id()
        if next_id is None or next_id in self._calls:
            return None
        for first_id, batch in self._batches.items():
            if (next_id - first_id) & MAX_CALL_ID < len(batch.replies):
                count = self._decoder.next_replies(first_id, batch.replies)
                if not batch.replies.missing:
                    del self._batches[first_id]
                return Replies(batch.call_id, count, batch.replies) if count else None
        return None

    def _event(self, answer: HadoopResponse) -> Event:
        match answer.kind:
            case "success" | "error" as kind:
                if (call := self._calls.pop(answer.call_id, None)) is None:
                    return self._late(answer.call_id)
                call_id, command = call
                if kind == "error":
                    return Refused(call_id, from_java(answer.failure, command.path))
                return Reply(call_id, command.decode(answer.payload))
            case "fatal":
                error = from_java(answer.failure)
                if isinstance(error, VersionMismatch):
                    error.version = self._decoder.version
                return Failed(error, unprocessed=error.code in _BEFORE_CALLS)
            case "old version":
                java_class, text, _ = answer.failure
                old = VersionMismatch(f"the server is too old: {text}", java_class)
                if (said := _SERVER_VERSION.search(text)) is not None:
                    old.version = int(said[1])
                return Failed(old, unprocessed=True)
            case "sasl":
                if self.sasl is not None:
                    raise RemoteProtocolError("the server negotiates again")
                auths = answer.sasl[2] if answer.sasl is not None else []
                methods = ", ".join(SaslAuth(*auth).method for auth in auths)
                refusal = AuthenticationRequired(f"the server wants one of {methods}")
                return Failed(refusal, unprocessed=True)
            case "http":
                raise RemoteProtocolError(f"the server speaks HTTP: {answer.words[0]!r}")

    def _late(self, wire_id: int) -> Reply | Replies:
        for first_id, batch in self._forgotten.items():
            if (wire_id - first_id) & MAX_CALL_ID < batch.calls:
                batch.missing -= 1
                if not batch.missing:
                    del self._forgotten[first_id]
                return Replies(batch.call_id, 1, None)
        # The connection records whether the call was ever made and then abandoned.
        behind = (self._latest - wire_id) & MAX_CALL_ID
        return Reply(self._latest - behind if behind <= self._latest else wire_id, None)
