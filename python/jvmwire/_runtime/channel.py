"""Reconnecting channels: calls to one server, or to a group of equivalent servers, with retries."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._runtime.operations import Call, Close, Join, Open, Spawn
from jvmwire._runtime.retry import AT_ONCE, RetryStrategy, retry, steady_policy
from jvmwire.errors import (
    ConnectFailed,
    ConnectTimeout,
    JvmWireError,
    OutcomeUnknown,
    ServerError,
    TransportError,
    outcome_unknown,
)
from jvmwire.options import NEVER, RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from jvmwire._runtime.operations import Connection, Operation, Task
    from jvmwire._runtime.session import Command, Session
    from jvmwire.options import ConnectRetries
    from jvmwire.transports import Endpoint

M = TypeVar("M")


class RetryingChannel(abc.ABC, Generic[M]):
    """Base of channels that repeat a call where repeating it is safe."""

    def __init__(self, policy: RetryPolicy, member: M) -> None:
        self._policy = policy
        self.member = member
        """The server that is called: the last one that did not fail."""

    def live_connection(self, member: M) -> Connection | None:  # noqa: ARG002
        """Return the connection to `member`, or None if none is known to be alive."""
        return None

    @abc.abstractmethod
    def connect(self, member: M) -> Operation[Connection]:
        """Return a new connection to `member`."""

    @abc.abstractmethod
    def fail_over(self, member: M, error: JvmWireError) -> int:
        """Select another server; return how many others there are, 0 if `member` stays selected."""

    def is_final(self, error: JvmWireError) -> bool:  # noqa: ARG002
        """Return whether no retry can help after `error`."""
        return False

    def connection(self) -> Operation[Connection]:
        """Return the live connection, or a new one; concurrent callers share it."""
        member = self.member
        return self.live_connection(member) or (yield from self.connect(member))

    def failed(self, error: JvmWireError) -> None:
        """Fail over after an error on a connection that `connection` returned."""
        self.fail_over(self.member, error)

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
        return retry(
            _ChannelCall(self, command, call_id, server_deduplicates, instance_of), self._policy
        )


class _ChannelCall(RetryStrategy[Any]):
    """Call over a channel: repeated where the server cannot have executed it, or recognises it."""

    errors = (TransportError, ServerError, OutcomeUnknown)

    # Defaults of the class: an object is made for every call.
    _call: Call | None = None
    _instance: Hashable | None = None
    """The instance that was called last."""
    _unknown: OutcomeUnknown | None = None
    """The last error of an attempt that may have been executed."""
    _sent = False
    """Whether the command was handed to the connection in the last attempt."""

    def __init__(
        self,
        channel: RetryingChannel[Any],
        command: Command,
        call_id: int | None,
        server_deduplicates: bool,  # noqa: FBT001 - by position: it is made for every call
        instance_of: Callable[[Connection], Hashable | None] | None,
    ) -> None:
        self._channel = channel
        self._command = command
        self._call_id = call_id
        self._server_deduplicates = server_deduplicates
        self._instance_of = instance_of

    def attempt(self) -> Operation[Any]:
        channel = self._channel
        member = self._member = channel.member
        connection = channel.live_connection(member) or (yield from channel.connect(member))
        if self._instance_of is not None:
            found = self._instance_of(connection)
            if self._unknown is not None and found != self._instance:
                self._instance = None  # no server remembers the call
                raise _other_instance(self._unknown)
            self._instance = found
        if (call := self._call) is None:
            call = self._call = Call(connection, self._command, self._call_id)
        else:
            call.connection = connection
        self._sent = True
        return (yield call)

    def judge(self, error: TransportError | ServerError | OutcomeUnknown) -> int:
        unknown, was_sent = self._unknown, self._sent
        self._sent = False
        if isinstance(error, OutcomeUnknown):
            self._unknown = error
            again = self._server_deduplicates or self._instance is not None
        elif isinstance(error, ServerError):
            if error.undecided:
                raise outcome_unknown(self._command, error) from error
            again = error.retryable
            if unknown is not None and not again and (error.fatal or not was_sent):
                # A refused connection says nothing about the earlier attempts.
                raise unknown from error
        else:
            again = True
        if not again:
            raise error
        others = self._channel.fail_over(self._member, error)
        if not others and self._channel.is_final(error):
            raise self.final_error(error) from error
        return others

    def final_error(self, error: Exception) -> Exception:
        return self._unknown or error


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
        self.members = [_Member(found) for found in (endpoint, *others)]
        super().__init__(retry, self.members[0])
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
        return self.member.endpoint

    @property
    def connected(self) -> bool:
        """Whether a connection to any server of the group is alive."""
        return any(self.live_connection(member) is not None for member in self.members)

    def live_connection(self, member: _Member) -> Connection | None:
        connection = member.connection
        return connection if connection is not None and connection.failure is None else None

    def connection(self) -> Operation[Connection]:
        """Return the live connection, or a new one to the first server that can be reached."""
        return retry(_AnyServer(self), NEVER)

    def connect(self, member: _Member) -> Operation[Connection]:
        if member.opening is None or member.opening.done:
            member.opening = yield Spawn(self._open(member), f"connect to {member.endpoint}")
        connection: Connection = yield Join(member.opening)
        return connection

    def _open(self, member: _Member) -> Operation[Connection]:
        retries = self._connect_retries
        if retries is None:
            return retry(_OpenAttempt(member, self._open_once, 0), NEVER)
        attempt = _OpenAttempt(member, self._open_once, retries.timeouts)
        return retry(attempt, steady_policy(1 + retries.failures, retries.wait))

    def _open_once(self, member: _Member) -> Operation[Connection]:
        session = self._new_session()
        endpoint = self._approach(member.endpoint, session)
        connection: Connection = yield Open(endpoint, session, self._connect_timeout)
        if self._greet is not None:
            yield from self._begin(connection, self._greet)
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

    def is_final(self, error: JvmWireError) -> bool:
        # In a group, another server may be reachable after one more failure.
        alone = len(self.members) == 1
        return alone and self._connect_retries is not None and isinstance(error, ConnectFailed)

    def fail_over(self, member: _Member, error: JvmWireError) -> int:
        if isinstance(error, ServerError) and not error.failover:
            return 0
        # A second caller with the same failure finds another server selected already.
        members = self.members
        if self.member is member:
            self.member = members[(members.index(member) + 1) % len(members)]
        return len(members) - 1


class _AnyServer(RetryStrategy["Connection"]):
    """Connection to one server of a group after the other; each is tried once."""

    errors = (TransportError, ServerError)

    def __init__(self, channel: FailoverChannel) -> None:
        self._channel = channel

    def attempt(self) -> Operation[Connection]:
        channel = self._channel
        member = self._member = channel.member
        return channel.live_connection(member) or (yield from channel.connect(member))

    def judge(self, error: TransportError | ServerError) -> int:
        return self._channel.fail_over(self._member, error)


class _OpenAttempt(RetryStrategy["Connection"]):
    """Connection to one server; timeouts are counted apart and repeated without a wait."""

    errors = (ConnectFailed,)

    def __init__(
        self, member: _Member, open_once: Callable[[_Member], Operation[Connection]], timeouts: int
    ) -> None:
        self._member = member
        self._open_once = open_once
        self._timeouts_left = timeouts

    def attempt(self) -> Operation[Connection]:
        return self._open_once(self._member)

    def judge(self, error: ConnectFailed) -> int:
        if not isinstance(error, ConnectTimeout):
            return 0
        if self._timeouts_left <= 0:
            raise error
        self._timeouts_left -= 1
        return AT_ONCE


class _Member:
    """One server of a group, and the connection to it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.connection: Connection | None = None
        self.opening: Task | None = None
