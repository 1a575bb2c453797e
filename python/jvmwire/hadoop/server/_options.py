"""Options of Hadoop RPC servers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST, Protection
from jvmwire.hadoop.sasl._server import SecretManager
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._error_responses import make_error
from jvmwire.hadoop.server._retry_cache import KEPT_BYTES, KEPT_CALLS, KEPT_SECONDS
from jvmwire.hadoop.server._session import DATA_LIMIT
from jvmwire.options import check_options, of_class
from jvmwire.transports import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.hadoop.rpc._interface import Method
    from jvmwire.hadoop.server._call import Caller, ServedCall


def token_owner_default(identifier: bytes) -> str:
    """Return the identifier of a token as the name of its user.

    Args:
        identifier: Identifier of the token.

    Returns:
        The name of the user.
    """
    return identifier.decode(errors="replace")


def reject_proxy_users(caller: Caller) -> None:
    """Accept only clients that act for themselves, as `ProxyUsers` does without configuration.

    Args:
        caller: The client.

    Raises:
        HadoopError: the real user differs from the effective user.
    """
    if caller.real_user is not None:
        text = f"{caller.real_user} may not call in the name of {caller.user}"
        raise make_error("FATAL_UNAUTHORIZED", _error_responses.AUTHORIZATION, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class RpcServerOptions:
    """Options of a Hadoop RPC server; times are seconds or a `timedelta`.

    Args:
        threads: The number of threads for methods that are not coroutines: `ipc.server.handler` of
            Hadoop.
        concurrency: The largest number of coroutine methods that run concurrently. (Chosen by
            jvmwire.)
        call_queue: The largest number of waiting calls of all clients; further calls are refused
            with a retriable error. `ipc.server.handler.queue.size`, times ten handlers.
        queue_bytes: The bytes, on the wire, of the calls of all clients that wait or run; a call
            without room is refused with "Server too busy". One half is first come, first served.
            The other half is divided equally among `max_connections`, so that small calls of any
            client find room. Lists of numbers take up to 18 times as much memory. (Chosen by
            jvmwire; Hadoop has no such setting.)
        bytes_per_connection: The bytes of waiting and running calls of one connection; beyond them
            the connection is not read until some are answered. One call, or 1 MiB of small ones,
            may exceed it. (Chosen by jvmwire; Hadoop has no such setting.)
        unsent_limit: The bytes of answers that clients of all connections have not read; beyond
            them the connection with the most is closed. (Chosen by jvmwire; Hadoop has no such
            setting.)
        calls_per_connection: The largest number of waiting and running calls of one connection,
            which is not read beyond it. (Chosen by jvmwire.)
        data_limit: The longest request in bytes.
        buffer_limit: The bytes of incomplete requests of all connections; a client that exceeds it
            is disconnected. (Chosen by jvmwire.)
        max_connections: The largest number of open connections; further ones are closed at once.
            (Chosen by jvmwire; Hadoop has no limit.)
        opening_timeout: Seconds until a client must have completed its authentication and context.
            (Chosen by jvmwire.)
        idle_timeout: Seconds that a connection without calls stays open if there are more than
            `idle_threshold`. Twice `ipc.client.connection.maxidletime`.
        idle_threshold: The number of connections up to which idle ones stay open:
            `ipc.client.idlethreshold`.
        write_timeout: Seconds that a client may take to read its answers. (Chosen by jvmwire.)
        frame_timeout: Seconds that the rest of a request may take to arrive. (Chosen by jvmwire.)
        beta: Whether to accept clients of Hadoop 2.1.0-beta too; today's Java servers do not.
        on_connect: Function that is called after a client has authenticated; an error that it
            raises rejects the client.
        authorize: Function that is called before each call, or once before a batch; the call is
            refused with the error that it raises.
        on_call: Function that is called with a `ServedCall` after each executed call or batch, in
            the server's event loop; an error that it raises is logged. Default: none.
        secrets: The passwords of tokens; with a `SecretManager`, only clients with a valid token
            are served.
        user_of_token: Function that returns the user of a token's identifier.
        protections: The SASL protections that clients with a token may select:
            `hadoop.rpc.protection`.
        remember_calls: The number of answers of `at_most_once` methods that the retry cache keeps.
        remember_seconds: Seconds that the retry cache keeps an answer.
        remember_bytes: The bytes of answers that the retry cache keeps; beyond them the oldest is
            dropped, and its call is refused with `RetryUnknown` if it is sent again. (Chosen by
            jvmwire; Hadoop counts entries.)
        trust_retries: Whether to execute the retry of an `at_most_once` call that this server does
            not know, for clients that do not check which server instance they call (Java's). Such a
            call may have been executed before a restart, or by another server; without this option
            it is refused with `RetryUnknown`. (Chosen by jvmwire; Java's servers execute it.)
        recorder: The recorder of the bytes of connections. Default: none.

    Raises:
        ConfigError: a value is out of its range or of a wrong type.
    """

    threads: int = 10
    concurrency: int = 256
    call_queue: int = 1000
    queue_bytes: int = 512 << 20
    bytes_per_connection: int = 64 << 20
    unsent_limit: int = 512 << 20
    calls_per_connection: int = 256
    data_limit: int = DATA_LIMIT
    buffer_limit: int = 512 << 20
    max_connections: int = 10_000
    opening_timeout: float = 20.0
    idle_timeout: float = 20.0
    idle_threshold: int = 4000
    write_timeout: float = 60.0
    frame_timeout: float = 120.0
    beta: bool = False
    on_connect: Callable[[Caller], None] = reject_proxy_users
    authorize: Callable[[Caller, Method], None] | None = None
    on_call: Callable[[ServedCall], None] | None = None
    secrets: SecretManager | None = field(
        default=None, repr=False, metadata=of_class(SecretManager)
    )
    user_of_token: Callable[[bytes], str] = token_owner_default
    protections: Sequence[Protection] = field(
        default=STRONGEST_FIRST, metadata=of_class(Protection)
    )
    remember_calls: int = KEPT_CALLS
    remember_seconds: float = KEPT_SECONDS
    remember_bytes: int = KEPT_BYTES
    trust_retries: bool = False
    recorder: Recorder | None = field(default=None, metadata=of_class(Recorder))

    def __post_init__(self) -> None:
        check_options(self)
