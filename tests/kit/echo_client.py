"""Client of the echo protocol in both styles, with which drivers are tested and measured."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.client import AsyncClient, SyncClient, operation, operation_stream
from jvmwire._runtime.operations import (
    CAPACITY,
    Call,
    Emit,
    Gather,
    Listen,
    Mailbox,
    NewMailbox,
    Operation,
    OperationStream,
    Receive,
    Sleep,
)
from jvmwire.options import NEVER, ClientOptions, RetryPolicy
from jvmwire.transports import Endpoint

from .echo_session import Batch, Echo, EchoSession, Kind, Subscribe

PART = 1 << 20
"""Bytes of payloads that are encoded at once, so that the server can start before the last."""


class _Operations:
    _link: FailoverChannel

    @operation
    def echo(
        self, payload: bytes, kind: Kind = Kind.CALL, *, idempotent: bool = True
    ) -> Operation[bytes]:
        """Return the reply to `payload`."""
        return self._link.call(Echo(payload, kind, idempotent))

    @operation
    def echo_all(self, payloads: npt.NDArray[np.uint8]) -> Operation[list[npt.NDArray[np.uint8]]]:
        """Return the replies to each row of `payloads`: rows of arrays, in order of arrival."""
        rows = max(1, PART // max(1, payloads.shape[1]))
        starts = range(0, len(payloads), rows)
        parts = [self._link.call(Batch(payloads[at : at + rows])) for at in starts]
        return list(chain.from_iterable((yield Gather(parts))))

    @operation
    def echo_late(self, payload: bytes) -> Operation[list[bytes]]:
        """Return the replies to two calls; the second call releases the first reply."""
        late, next_one = Echo(payload, Kind.LATE), Echo(payload)
        replies: list[bytes] = yield Gather([self._link.call(late), self._link.call(next_one)])
        return replies

    @operation
    def listen(
        self, key: int, count: int, callback: Callable[[bytes], Any], capacity: int = CAPACITY
    ) -> Operation[Mailbox]:
        """Have `count` messages pushed to `callback`."""
        mailbox: Mailbox = yield NewMailbox(callback, capacity)
        yield from self._subscribe(key, count, mailbox)
        return mailbox

    @operation_stream
    def pushed(self, key: int, count: int, capacity: int = CAPACITY) -> OperationStream[bytes]:
        """Yield `count` messages as they are pushed."""
        mailbox: Mailbox = yield NewMailbox(None, capacity)
        yield from self._subscribe(key, count, mailbox)
        for _ in range(count):
            yield Emit((yield Receive(mailbox)))

    @operation
    def sleep(self, seconds: float) -> Operation[None]:
        """Return after `seconds`."""
        yield Sleep(seconds)

    @operation
    def late_replies(self) -> Operation[int]:
        """Return how many replies of the present connection had no waiting call."""
        connection = yield from self._link.connection()
        return connection.late_replies

    def _subscribe(self, key: int, count: int, mailbox: Mailbox) -> Operation[None]:
        connection = yield from self._link.connection()
        yield Listen(connection, key, mailbox)
        yield Call(connection, Subscribe(key, count))


def _link(endpoint: Endpoint, heartbeat: float | None, retry: RetryPolicy) -> FailoverChannel:
    return FailoverChannel(
        endpoint, lambda: EchoSession(heartbeat=heartbeat), connect_timeout=10.0, retry=retry
    )


class EchoClient(_Operations, SyncClient):
    """Client of the echo protocol whose calls block."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        heartbeat: float | None = None,
        retry: RetryPolicy = NEVER,
        **options: Any,
    ) -> None:
        super().__init__(ClientOptions(**options))
        self._link = _link(endpoint, heartbeat, retry)


class AsyncEchoClient(_Operations, AsyncClient):
    """Client of the echo protocol whose calls are awaited."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        heartbeat: float | None = None,
        retry: RetryPolicy = NEVER,
        **options: Any,
    ) -> None:
        super().__init__(ClientOptions(**options))
        self._link = _link(endpoint, heartbeat, retry)
