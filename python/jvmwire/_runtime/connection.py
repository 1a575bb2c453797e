"""One session, and the calls in flight on it."""

from __future__ import annotations

import copy
from collections import deque
from typing import TYPE_CHECKING, Any

from jvmwire.errors import JvmWireError, RemoteProtocolError, outcome_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jvmwire._runtime.operations import Call, Operation, PushHandler, Task
    from jvmwire._runtime.session import Session
    from jvmwire.transports import Endpoint

MAX_ABANDONED = 65_536
"""Maximum abandoned calls with outstanding replies per connection (chosen by jvmwire).

If a peer leaves more calls unanswered, a late reply may be treated as a reply to an unknown call.
"""


class EngineConnection:
    """Connection to one peer: its session, its calls in flight and its listeners."""

    def __init__(self, endpoint: Endpoint, session: Session[Any], *, timeout: float) -> None:
        self.endpoint = endpoint
        self.session = session
        self.timeout = timeout
        """Seconds for the connection and the handshake."""
        self.calls: dict[int, Task] = {}
        """Tasks that wait for a reply, by call id; a task waits for one call at a time."""
        self.listeners: dict[Hashable, PushHandler] = {}
        self.close_with_connection: set[Hashable] = set()
        """Keys of the listeners that end with the connection."""
        self.waiting: deque[tuple[Task, Call]] = deque()
        """Calls that wait for room within the limits, in order."""
        self.opener: Task | None = None
        """Task that waits for the handshake."""
        self.close_waiters: list[Task] = []
        """Tasks that wait for the end of the connection."""
        self.failure: JvmWireError | None = None
        self.unsent = 0
        """Bytes handed out that the transport has not accepted; updated by the driver."""
        self.in_flight = 0
        """Bytes of the commands without a complete reply."""
        self.late_replies = 0
        """Number of replies dropped because their call was abandoned."""
        self._abandoned: dict[int, int] = {}
        self._abandoned_reply_handlers: dict[int, Callable[[Any], Operation[Any]]] = {}
        """Functions that undo abandoned calls when their replies arrive, by call ID."""

    @property
    def alive(self) -> bool:
        """Whether calls are still possible."""
        return self.failure is None

    def is_idle(self) -> bool:
        """Return whether the connection is alive with nothing in flight: a call need not wait."""
        session = self.session
        return not (
            self.calls
            or self.unsent
            or self.waiting
            or session.position > session.bytes_handed_out
            or self.failure is not None
        )

    def complete(self, call_id: int) -> Task | None:
        """Record the reply to a call; return the waiting task, or None if the call was abandoned.

        Raises:
            RemoteProtocolError: there is no such call.
        """
        task = self.calls.pop(call_id, None)
        if task is None:
            self.complete_abandoned(call_id, 1)
        else:
            self.in_flight -= task.size
        return task

    def complete_batch_part(self, call_id: int, count: int, message: Any) -> Task | None:
        """Record `count` replies to a batch; return the waiting task after the last of them.

        Raises:
            RemoteProtocolError: there is no such batch, or it has fewer outstanding replies.
        """
        task = self.calls.get(call_id)
        if task is None:
            self.complete_abandoned(call_id, count)
            return None
        if count > task.replies_left:
            raise RemoteProtocolError(
                f"{count - task.replies_left} replies too many to call {call_id}"
            )
        if task.replies_left == task.command.expected_replies:
            task.replies = []
        task.replies.append(message)
        task.replies_left -= count
        return None if task.replies_left else self.complete(call_id)

    def complete_abandoned(
        self, call_id: int, count: int
    ) -> Callable[[Any], Operation[Any]] | None:
        """Drop `count` replies to an abandoned call; return the function that undoes it, if any.

        Raises:
            RemoteProtocolError: there is no such call.
        """
        left = self._abandoned.get(call_id, 0) - count
        if left < 0:
            raise RemoteProtocolError(f"a reply to call {call_id}, which was never made")
        self.late_replies += count
        if left:
            self._abandoned[call_id] = left
        else:
            del self._abandoned[call_id]
        return self._abandoned_reply_handlers.pop(call_id, None)

    def abandon(self, task: Task) -> None:
        """Abandon the call of `task`: its late replies are dropped, or undone."""
        call_id = task.call_id
        del self.calls[call_id]
        self.in_flight -= task.size
        self._abandoned[call_id] = task.replies_left
        if len(self._abandoned) > MAX_ABANDONED:
            oldest = next(iter(self._abandoned))
            del self._abandoned[oldest]
            if self._abandoned_reply_handlers.pop(oldest, None) is not None:
                self.session.forget(oldest)
        if task.on_abandoned_reply is None:
            self.session.forget(call_id)
        else:  # its reply must be undone
            self._abandoned_reply_handlers[call_id] = task.on_abandoned_reply

    def error_for(self, task: Task, failure: JvmWireError) -> JvmWireError:
        """Return the error of a task whose command is unanswered when the connection ends."""
        left_us = self.session.bytes_handed_out - self.unsent > task.start
        error: JvmWireError
        if task.command.idempotent or not left_us:
            error = copy.copy(failure)  # raising an error adds to its traceback
        else:
            error = outcome_unknown(task.command, failure)
        error.__cause__ = failure
        return error

    def __repr__(self) -> str:
        state = "lost" if self.failure is not None else self.session.state.name.lower()
        return f"<Connection to {self.endpoint}, {state}, {len(self.calls)} calls in flight>"
