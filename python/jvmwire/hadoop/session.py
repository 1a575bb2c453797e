"""Hadoop RPC, seen from a client that is not asked to prove who it is.

It opens with a header and a context that are not answered; then calls and replies, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._core import HadoopCaller, HadoopReplyDecoder, HadoopReplyTable
from jvmwire.errors import RemoteProtocolError
from jvmwire.hadoop.commands import HadoopCommand, LoneCommand
from jvmwire.hadoop.errors import AuthenticationRequired, VersionMismatch, from_java
from jvmwire.sansio import (
    NEED_DATA,
    Event,
    Failed,
    NeedData,
    Opened,
    Refused,
    Replies,
    Reply,
    Session,
    State,
)

if TYPE_CHECKING:
    from jvmwire._core import HadoopAnswer

PING_INTERVAL = 60.0
"""Seconds without a word from the server after which it is pinged. `ipc.ping.interval`."""
REPLY_LIMIT = 128 << 20
"""Bytes of a reply. `ipc.maximum.response.length`."""
MAX_CALL_ID = (1 << 31) - 1
"""Ids go round: `Client.nextCallId`."""
MAX_FORGOTTEN = 65_536
"""Calls given up whose replies are still known when they come. Ours."""


@dataclass(slots=True)
class _Batch:
    call_id: int
    replies: HadoopReplyTable


class HadoopClientSession(Session[HadoopCommand]):
    """The client's side of one connection."""

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
    ) -> None:
        super().__init__()
        self._caller = HadoopCaller(client_id=client_id, protocol=protocol, context=caller_context)
        self._decoder = HadoopReplyDecoder(client_id=client_id, limit=reply_limit)
        self._ping_interval = ping_interval
        self._calls: dict[int, tuple[int, LoneCommand]] = {}
        """By id on the wire: the caller's id, and what was called."""
        self._forgotten: dict[int, int] = {}
        self._batches: dict[int, _Batch] = {}
        """By the first of their ids on the wire."""
        self._heard = True
        """Whether the server said something since `_quiet_since`."""
        self._quiet_since = 0.0
        self._queue(self._caller.encode_opening(user, real_user))
        self._told = False
        # Nothing is awaited: calls may follow at once.
        self.state = State.OPEN

    def data_to_send(self, now: float) -> bytearray:
        data = super().data_to_send(now)
        if data and self._heard:
            self._quiet_since, self._heard = now, False
        return data

    def next_timeout(self) -> float | None:
        if self._ping_interval is None or self.state is not State.OPEN:
            return None
        return self._quiet_since + self._ping_interval

    def handle_timeout(self, now: float) -> None:
        due = self.next_timeout()
        if due is None or now < due:
            return
        # Client.Connection.PingInputStream: only who waits for a reply pings.
        if not self._heard and (self._calls or self._batches or self._forgotten):
            self._queue(self._caller.encode_ping())
        self._quiet_since, self._heard = now, False

    def forget(self, call_id: int) -> None:
        wire_id = call_id & MAX_CALL_ID
        if self._calls.pop(wire_id, None) is not None:
            self._forgotten[wire_id] = call_id
            if len(self._forgotten) > MAX_FORGOTTEN:
                del self._forgotten[next(iter(self._forgotten))]

    def _encode(self, command: HadoopCommand, call_id: int) -> bytes:
        return self._encode_again(command, call_id, 0)

    def _encode_again(self, command: HadoopCommand, call_id: int, retry: int) -> bytes:
        wire_id = call_id & MAX_CALL_ID
        data = self._caller.encode_calls(
            command.method,
            wire_id,
            command.calls,
            command.columns(),
            retry=retry,
            # ClientGSIContext: an observer is to be no older than what we have seen.
            state_id=self._decoder.state_id,
        )
        if isinstance(command, LoneCommand):
            self._calls[wire_id] = call_id, command
        elif command.calls:
            self._batches[wire_id] = _Batch(call_id, HadoopReplyTable(command.calls))
        return data

    def _feed(self, data: bytes) -> None:
        self._heard = True
        self._decoder.feed(data)

    def _buffered(self) -> int:
        return self._decoder.buffered

    def _next_event(self) -> Event | NeedData:
        if not self._told:
            self._told = True
            return Opened()
        if self._batches and (replies := self._next_replies()) is not None:
            return replies
        answer = self._decoder.next_answer()
        return NEED_DATA if answer is None else self._event(answer)

    def _next_replies(self) -> Replies | None:
        """Take the replies to one batch that stand before all else."""
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

    def _event(self, answer: HadoopAnswer) -> Event:
        match answer.kind:
            case "success" | "error":
                return self._reply(answer)
            case "fatal":
                return Failed(from_java(answer.failure))
            case "old version":
                java_class, text, _ = answer.failure
                return Failed(VersionMismatch(f"the server is too old: {text}", java_class))
            case "sasl":
                methods = ", ".join(answer.words)
                return Failed(AuthenticationRequired(f"the server wants one of {methods}"))
            case "http":
                raise RemoteProtocolError(f"the server speaks HTTP: {answer.words[0]!r}")

    def _reply(self, answer: HadoopAnswer) -> Event:
        wire_id = answer.call_id
        if (call := self._calls.pop(wire_id, None)) is None:
            if (call_id := self._forgotten.pop(wire_id, None)) is None:
                raise RemoteProtocolError(f"a reply to call {wire_id}, which was never made")
            return Reply(call_id, None)
        call_id, command = call
        if answer.kind == "error":
            return Refused(call_id, from_java(answer.failure))
        return Reply(call_id, command.decode(answer.payload))
