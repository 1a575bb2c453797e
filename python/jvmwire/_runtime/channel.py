"""A connection that is made at the first call and made again after it was lost."""

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
    """What calls go over, and go over again where that is safe."""

    def __init__(self, retry: RetryPolicy, member: M) -> None:
        self._retry = retry
        self._member = member
        """Who is called: the last one that did not turn us away."""

    def _live_connection(self, member: M) -> Connection | None:  # noqa: ARG002
        """Return the connection to it, if it is known to live."""
        return None

    @abc.abstractmethod
    def _connect(self, member: M) -> Operation[Connection]:
        """Return a connection to it where none is known to live."""

    @abc.abstractmethod
    def _fail_over(self, member: M, error: JvmWireError) -> int:
        """Turn from `member` to who stands in for it; return how many do, 0 if it goes on."""

    def _is_final(self, error: JvmWireError) -> bool:  # noqa: ARG002
        """Return whether there is nothing left to try where `error` came up."""
        return False

    def connection(self) -> Operation[Connection]:
        """Return the connection that lives, else make one; who comes meanwhile shares it."""
        member = self._member
        return self._live_connection(member) or (yield from self._connect(member))

    def failed(self, error: JvmWireError) -> None:
        """Note what became of a connection that was given, or of what was said over it."""
        self._fail_over(self._member, error)

    def call(
        self,
        command: Command,
        *,
        call_id: int | None = None,
        server_deduplicates: bool = False,
        instance_of: Callable[[Connection], Hashable | None] | None = None,
    ) -> Operation[Any]:
        """Return what `command` is answered; try again what is safe to try again.

        Safe are a connection that could not be made, one that was lost before the command left
        or with a command that is repeatable, and a refusal that its server calls retryable. Of a
        command that is `server_deduplicates` the server knows that it was sent before, by its call id, and
        answers what it answered then: so that is safe even if nobody knows whether it was
        carried out. All tries have one call id.

        Where only one instance of the server remembers its calls, `instance_of` returns the
        instance that a connection leads to, None if that is not known: then a command that may have
        been carried out is sent again to the same instance only.

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
                        instance = None  # no server remembers it
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
                        # The connection was refused, which says nothing of the tries before.
                        raise unknown from error
                else:
                    again = True
                if not again:
                    raise
                if turns < self._fail_over(member, error):
                    # Nobody was asked twice yet: there is nothing to wait for.
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
    """One peer, or a group whose members stand in for each other, and the present connection."""

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
        # How a session gets to an endpoint: what must be done before may block.
        self._approach = prepare_endpoint
        # What is asked on each new connection before anything else is called on it.
        self._greet = greet
        self._connect_timeout = connect_timeout
        # None: each call tries again by its own `retry`.
        self._connect_retries = connect_retries

    @property
    def endpoint(self) -> Endpoint:
        """Who is called at present."""
        return self._member.endpoint

    @property
    def connected(self) -> bool:
        """Whether there is a connection, to whichever of them."""
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
        """Greet the peer; a connection on which that fails is closed, as nobody else knows it."""
        try:
            yield from greet(connection)
        except JvmWireError as error:
            yield Close(connection, error)
            raise

    def _is_final(self, error: JvmWireError) -> bool:
        # Who stands in for others may be reached when these have failed once more.
        alone = len(self._members) == 1
        return alone and self._connect_retries is not None and isinstance(error, ConnectFailed)

    def _fail_over(self, member: _Member, error: JvmWireError) -> int:
        if isinstance(error, ServerError) and not error.elsewhere:
            return 0
        # Who comes second with the same bad news finds that we have turned.
        members = self._members
        if self._member is member:
            self._member = members[(members.index(member) + 1) % len(members)]
        return len(members) - 1


class _Member:
    """One of those who are called, and the connection to it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.connection: Connection | None = None
        self.opening: Task | None = None
