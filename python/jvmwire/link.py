"""A connection that is made at the first call and made again after it was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.errors import ServerError, TransportError
from jvmwire.operations import Call, Join, Open, Sleep, Spawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire.drivers.connection import Connection
    from jvmwire.drivers.task import Task
    from jvmwire.operations import Operation
    from jvmwire.retry import RetryPolicy
    from jvmwire.sansio import Command, Session
    from jvmwire.transports import Endpoint


class Link:
    """One peer, and the present connection to it."""

    def __init__(
        self,
        endpoint: Endpoint,
        new_session: Callable[[], Session[Any]],
        *,
        connect_timeout: float,
        retry: RetryPolicy,
    ) -> None:
        self._endpoint = endpoint
        self._new_session = new_session
        self._connect_timeout = connect_timeout
        self._retry = retry
        self._connection: Connection | None = None
        self._opening: Task | None = None

    def connection(self) -> Operation[Connection]:
        """Return the connection that lives, else make one; who comes meanwhile shares it."""
        if self._connection is not None and self._connection.alive:
            return self._connection
        if self._opening is None or self._opening.done:
            self._opening = yield Spawn(self._open(), f"connect to {self._endpoint}")
        connection: Connection = yield Join(self._opening)
        return connection

    def _open(self) -> Operation[Connection]:
        session = self._new_session()
        self._connection = yield Open(self._endpoint, session, self._connect_timeout)
        return self._connection

    def call(self, command: Command, *, call_id: int | None = None) -> Operation[Any]:
        """Return what `command` is answered; try again what is safe to try again.

        Safe are a connection that could not be made, one that was lost before the command left
        or with a command that is repeatable, and a refusal that its server calls retryable.
        """
        waits = self._retry.waits()
        while True:
            try:
                connection = yield from self.connection()
                return (yield Call(connection, command, call_id))
            except (TransportError, ServerError) as error:
                wait = next(waits, None)
                if wait is None or (isinstance(error, ServerError) and not error.retryable):
                    raise
            yield Sleep(wait)
