"""What a server may be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.hadoop.sasl.protection import STRONGEST_FIRST
from jvmwire.hadoop.server import error_responses
from jvmwire.hadoop.server.error_responses import make_error
from jvmwire.hadoop.server.retry_cache import KEPT_BYTES, KEPT_CALLS, KEPT_SECONDS
from jvmwire.hadoop.server.session import DATA_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.hadoop.interface import Method
    from jvmwire.hadoop.sasl.protection import Protection
    from jvmwire.hadoop.sasl.server import SecretManager
    from jvmwire.hadoop.server.call import Caller
    from jvmwire.transports import Recorder


def token_owner_default(identifier: bytes) -> str:
    """Return the identifier as the user's name: what tokens of our own making may be."""
    return identifier.decode(errors="replace")


def reject_proxy_users(caller: Caller) -> None:
    """Admit everybody who calls in their own name: `ProxyUsers` as it comes."""
    if caller.real_user is not None:
        text = f"{caller.real_user} may not call in the name of {caller.user}"
        raise make_error("FATAL_UNAUTHORIZED", error_responses.AUTHORIZATION, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class RpcServerOptions:
    """What a server may be told."""

    threads: int = 10
    """Those that methods run in which are no coroutines. `ipc.server.handler` of Hadoop."""
    concurrency: int = 256
    """Coroutines of methods that run beside each other. Ours."""
    call_queue: int = 1000
    """Calls that wait at most, of all clients; who calls then is told to come again.
    `ipc.server.handler.queue.size`, times ten handlers."""
    queue_bytes: int = 512 << 20
    """Bytes, on the wire, of the calls of all clients that wait or run; a call that finds no room
    is refused with "Server too busy". Half of them go to whoever comes first. The other half is
    shared out equally to `max_connections`, so small calls find room whatever others do. Lists of
    numbers take up to 18 times as much memory. (Chosen by jvmwire; Hadoop has no such setting.)"""
    bytes_per_connection: int = 64 << 20
    """Bytes of calls of one connection that wait or run, after which it is not read until some are
    answered. One call, or 1 MiB of small ones, may exceed it. (Chosen by jvmwire; Hadoop has no
    such setting.)"""
    unsent_limit: int = 512 << 20
    """Bytes of answers that clients have yet to take, of all connections; beyond them the
    connection with most of them is ended. (Chosen by jvmwire; Hadoop has no such setting.)"""
    calls_per_connection: int = 256
    """Calls of one connection that wait or run at most; it is not read meanwhile. Ours."""
    data_limit: int = DATA_LIMIT
    """Bytes of a request."""
    buffer_limit: int = 512 << 20
    """Bytes of unfinished requests, of all connections; who goes beyond is cut off. Ours."""
    max_connections: int = 10_000
    """Connections beside each other; others are closed at once. Ours: Hadoop has no limit."""
    opening_timeout: float = 20.0
    """Seconds until a connection has said who it is. Ours."""
    idle_timeout: float = 20.0
    """Seconds that a connection without calls is kept where there are more than
    `idle_threshold`. Twice `ipc.client.connection.maxidletime`."""
    idle_threshold: int = 4000
    """`ipc.client.idlethreshold`."""
    write_timeout: float = 60.0
    """Seconds that a client may take to read what it was answered. Ours."""
    frame_timeout: float = 120.0
    """Seconds that a request may take to come. Ours."""
    beta: bool = False
    """Whether clients of Hadoop 2.1.0-beta are understood too; today's Java servers do not."""
    on_connect: Callable[[Caller], None] = reject_proxy_users
    """Called when a client has said who it is; an error that this raises turns it away."""
    authorize: Callable[[Caller, Method], None] | None = None
    """Called before each call, which is refused with the error that this raises; before calls that
    are carried out together once."""
    secrets: SecretManager | None = field(default=None, repr=False)
    """Who knows the passwords of tokens: only who has one is served then."""
    user_of_token: Callable[[bytes], str] = token_owner_default
    """Whose a token is, by its identifier."""
    protections: Sequence[Protection] = STRONGEST_FIRST
    """What is done to the bytes of who has a token: `hadoop.rpc.protection`."""
    remember_calls: int = KEPT_CALLS
    """Answers kept for clients that did not hear them, of methods that are `at_most_once`."""
    remember_seconds: float = KEPT_SECONDS
    """Seconds that they are kept."""
    remember_bytes: int = KEPT_BYTES
    """Bytes of the answers kept; beyond them the oldest is dropped, and its call is refused with
    `RetryUnknown` if it is sent again. (Chosen by jvmwire; Hadoop counts entries.)"""
    trust_retries: bool = False
    """Whether to carry out the retry of an `at_most_once` call that this server does not remember,
    for clients that do not check which server instance they call: Java's. Such a call may have been
    carried out before a restart, or by another server; without this it is refused with
    `RetryUnknown`. (Chosen by jvmwire; Java's servers carry it out.)"""
    recorder: Recorder | None = None
    """What connections are recorded by."""
