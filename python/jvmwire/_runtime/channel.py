"""Reconnecting channels: calls to one server, or to a group of equivalent servers, with retries."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._runtime.operations import Call, Close, Join, Open, Sleep, Spawn
from jvmwire.errors import (
    ConnectFailed,
    ConnectTimeout,
    JvmWireError,
    OutcomeUnknown,
    ServerError,
    TransportError,
    outcome_unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from jvmwire._runtime.operations import Connection, Operation, Task
    from jvmwire._runtime.session import Command, Session
    from jvmwire.options import ConnectRetries, RetryPolicy
    from jvmwire.transports import Endpoint

M = TypeVar("M")


class RetryingChannel(abc.ABC, Generic[M]):
    """Base of channels that repeat a call where repeating it is safe."""

    def __init__(self, retry: RetryPolicy, member: M) -> None:
        self._retry = retry
        self._member = member
        """The server that is called: the last one that did not fail."""

    def _live_connection(self, member: M) -> Connection | None:  # noqa: ARG002
        """Return the connection to `member`, or None if none is known to be alive."""
        return None

    @abc.abstractmethod
    def _connect(self, member: M) -> Operation[Connection]:
        """Return a new connection to `member`."""

    @abc.abstractmethod
    def _fail_over(self, member: M, error: JvmWireError) -> int:
        """Select another server; return how many others there are, 0 if `member` stays selected."""

    def _is_final(self, error: JvmWireError) -> bool:  # noqa: ARG002
        """Return whether no retry can help after `error`."""
        return False

    def connection(self) -> Operation[Connection]:
        """Return the live connection, or a new one; concurrent callers share it."""
        member = self._member
        return self._live_connection(member) or (yield from self._connect(member))

    def failed(self, error: JvmWireError) -> None:
        """Fail over after an error on a connection that `connection` returned."""
        self._fail_over(self._member, error)

    def call(
        self,
        command: Command,
        *,
        call_id: int | None = None,
        server_deduplicates: bool = False,
        instance_of: Callable[[Connection], Hashable | None] | None = None,
    ) -> Operation[Any]:
        """Send `command` and return its reply; retry where that is safe.

        A retry is safe if no connection could be made, if the connection was lost before the
        command left or with a repeatable command, and if the server marks its refusal as retryable.
        With `server_deduplicates` the server recognises a repeated call by its call id and returns
        its first reply: then a retry is safe even if the outcome is unknown. All tries have one
        call id.

        If only one instance of the server recognises its calls, `instance_of` returns the instance
        that a connection leads to, None if that is unknown: then a command that may have been
        carried out is repeated on the same instance only.

        Raises:
            OutcomeUnknown: a try may have been carried out, and none was answered.
        """
        waits: Iterator[float] | None = None
        call: Call | None = None
        unknown: OutcomeUnknown | None = None
        instance: Hashable | None = None
        turns = 0
        while True:
            member, sent = self._member, False
            try:
                connection = self._live_connection(member) or (yield from self._connect(member))
                if instance_of is not None:
                    found = instance_of(connection)
                    if unknown is not None and found != instance:
                        instance = None  # no server remembers the call
                        raise _other_instance(unknown)
                    instance = found
                if call is None:
                    call = Call(connection, command, call_id)
                else:
                    call.connection = connection
                sent = True
                return (yield call)
            except (TransportError, ServerError, OutcomeUnknown) as error:
                if isinstance(error, OutcomeUnknown):
                    unknown = error
                    again = server_deduplicates or instance is not None
                elif isinstance(error, ServerError):
                    if error.undecided:
                        raise outcome_unknown(command, error) from error
                    again = error.retryable
                    if unknown is not None and not again and (error.fatal or not sent):
                        # A refused connection says nothing about the earlier attempts.
                        raise unknown from error
                else:
                    again = True
                if not again:
                    raise
                if turns < self._fail_over(member, error):
                    # No server was called twice yet: continue without a wait.
                    turns += 1
                    continue
                waits = waits or self._retry.waits()
                wait = None if self._is_final(error) else next(waits, None)
                if wait is None:
                    raise unknown or error from error
            yield Sleep(wait)


def _other_instance(unknown: OutcomeUnknown) -> OutcomeUnknown:
    error = OutcomeUnknown(
        f"{unknown}; not sent again: the server that may have carried it out has been restarted,"
        " or is another one"
    )
    error.__cause__ = unknown.__cause__
    return error


class FailoverChannel(RetryingChannel["_Member"]):
    """Channel to one server, or to a group of equivalent servers with failover."""

    def __init__(
        self,
        endpoint: Endpoint,
        new_session: Callable[[], Session[Any]],
        *,
        connect_timeout: float,
        retry: RetryPolicy,
        connect_retries: ConnectRetries | None = None,
        others: Sequence[Endpoint] = (),
        prepare_endpoint: Callable[[Endpoint, Any], Endpoint] = lambda endpoint, _: endpoint,
        greet: Callable[[Connection], Operation[None]] | None = None,
    ) -> None:
        self._members = [_Member(found) for found in (endpoint, *others)]
        super().__init__(retry, self._members[0])
        self._new_session = new_session
        # Prepares the endpoint for a session; blocking work is left to the endpoint.
        self._approach = prepare_endpoint
        # Runs on each new connection before any other call.
        self._greet = greet
        self._connect_timeout = connect_timeout
        # None: only the `retry` policy of the calls applies.
        self._connect_retries = connect_retries

    @property
    def endpoint(self) -> Endpoint:
        """The currently selected server."""
        return self._member.endpoint

    @property
    def connected(self) -> bool:
        """Whether a connection to any server of the group is alive."""
        return any(self._live_connection(member) is not None for member in self._members)

    def _live_connection(self, member: _Member) -> Connection | None:
        connection = member.connection
        return connection if connection is not None and connection.failure is None else None

    def _connect(self, member: _Member) -> Operation[Connection]:
        if member.opening is None or member.opening.done:
            member.opening = yield Spawn(self._open(member), f"connect to {member.endpoint}")
        connection: Connection = yield Join(member.opening)
        return connection

    def _open(self, member: _Member) -> Operation[Connection]:
        retries = self._connect_retries
        failures = timeouts = 0
        while True:
            session = self._new_session()
            endpoint = self._approach(member.endpoint, session)
            try:
                connection: Connection = yield Open(endpoint, session, self._connect_timeout)
                if self._greet is not None:
                    yield from self._begin(connection, self._greet)
            except ConnectTimeout:
                timeouts += 1
                if retries is None or timeouts > retries.timeouts:
                    raise
            except ConnectFailed:
                failures += 1
                if retries is None or failures > retries.failures:
                    raise
                yield Sleep(retries.wait)
            else:
                member.connection = connection
                return connection

    def _begin(
        self, connection: Connection, greet: Callable[[Connection], Operation[None]]
    ) -> Operation[None]:
        """Greet the peer; if that fails, close the connection, which has no other owner."""
        try:
            yield from greet(connection)
        except JvmWireError as error:
            yield Close(connection, error)
            raise

    def _is_final(self, error: JvmWireError) -> bool:
        # In a group, another server may be reachable after one more failure.
        alone = len(self._members) == 1
        return alone and self._connect_retries is not None and isinstance(error, ConnectFailed)

    def _fail_over(self, member: _Member, error: JvmWireError) -> int:
        if isinstance(error, ServerError) and not error.elsewhere:
            return 0
        # A second caller with the same failure finds another server selected already.
        members = self._members
        if self._member is member:
            self._member = members[(members.index(member) + 1) % len(members)]
        return len(members) - 1


class _Member:
    """One server of a group, and the connection to it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.connection: Connection | None = None
        self.opening: Task | None = None
