"""Options of Hadoop clients."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jvmwire._escaping import is_unicode, quote
from jvmwire.errors import ConfigError
from jvmwire.hadoop._observer_reads import ObserverReads
from jvmwire.hadoop._session import IDLE_TIMEOUT, PING_INTERVAL, REPLY_LIMIT
from jvmwire.hadoop.sasl._authentication import Authentication
from jvmwire.options import (
    CONNECT_TIMEOUT,
    ClientKeywords,
    ClientOptions,
    ConnectRetries,
    RetryPolicy,
    at_most,
    of_class,
)

if TYPE_CHECKING:
    from datetime import timedelta

NAMENODE_PORT = 8020
"""The default RPC port of a NameNode: `HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT`."""
DEFAULT_RETRY = RetryPolicy()
FAILOVER_RETRY = RetryPolicy(attempts=15, first_wait=0.5, longest_wait=15.0)
"""The retry policy for a group of servers: `dfs.client.failover.max.attempts`,
`dfs.client.failover.sleep.base.millis` and `dfs.client.failover.sleep.max.millis`."""
HOME_PREFIX = "/user"
"""Default of `home_prefix`: `dfs.user.home.dir.prefix`."""
REPLICATION = 3
"""Default of `replication`: `dfs.replication`."""
BLOCK_SIZE = 128 << 20
"""Default of `block_size` in bytes: `dfs.blocksize`."""
UMASK = 0o022
"""Default of `umask`: `fs.permissions.umask-mode`."""


def current_user() -> str:
    """Return the user of this process by Hadoop's rules.

    Returns:
        The value of `HADOOP_USER_NAME`, or the user of the operating system if it is not set.
    """
    return os.environ.get("HADOOP_USER_NAME") or getpass.getuser()


class _ProxyUser(str):
    """User named by `HADOOP_PROXY_USER`, for which the current user is the real user."""

    __slots__ = ()


def _acting_user() -> str:
    proxy = os.environ.get("HADOOP_PROXY_USER")
    return _ProxyUser(proxy) if proxy else current_user()


def with_url_user(options: HadoopOptions, user: str | None) -> HadoopOptions:
    """Return options whose user is the one of a URL, if it names one.

    Raises:
        ConfigError: the options name another user, which is not the default either.
    """
    if user is None or options.user == user:
        return options
    if options.user != HadoopOptions().user:
        raise ConfigError(
            f"the URL is of the user {quote(user)}, and the option user is {quote(options.user)}"
        )
    return replace(options, user=user)


@dataclass(frozen=True, slots=True, kw_only=True)
class HadoopOptions(ClientOptions):
    """Options of a Hadoop client.

    Args:
        timeout: Seconds for a call, all its round trips together; for an iterator, seconds per
            item.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call, in the calling thread or task.
        trace: Whether the logger `jvmwire.wire` logs commands and events at DEBUG, secrets masked.
        user: The effective user of calls: by default `HADOOP_PROXY_USER`, else `HADOOP_USER_NAME`,
            else the user of this process.
        real_user: The real user, if it differs from `user`: the server must allow the
            impersonation. If `user` comes from `HADOOP_PROXY_USER`, the default is the user of this
            process.
        caller_context: The caller context, which servers write to audit logs along with each call.
        home_prefix: The parent directory of all home directories, by which relative paths are
            resolved.
        replication: The number of replicas of the blocks of a new file, unless the call gives one.
        block_size: The size of the blocks of a new file in bytes, unless the call gives one.
        umask: The permission bits that new files and directories do not get.
        connect_timeout: Seconds until a server must have accepted a connection.
        retry: The retry policy of idempotent calls, and of connecting. None stands for
            `DEFAULT_RETRY`, or for `FAILOVER_RETRY` if there is more than one server.
        connect_retries: How often to reconnect to one server before a call fails or fails over to
            another server: `ipc.client.connect.max.retries` and related settings of Java. None
            leaves that to `retry`.
        ping_interval: Seconds of silence after which a server that owes replies is pinged; None
            disables pings.
        idle_timeout: Seconds without a call after which (or after at most twice as many) a
            connection is closed; the next call reconnects. None disables that. Setting of Java:
            `ipc.client.connection.maxidletime`.
        observer_reads: How observer NameNodes serve read-only calls; None sends all calls to the
            active NameNode.
        reply_limit: The longest reply that is accepted, in bytes.
        authentication: The credentials of the client; None leaves `user` unproven (SIMPLE).
            Default: the tokens in the file `HADOOP_TOKEN_FILE_LOCATION` and in `HADOOP_TOKEN`, if
            any.
        service_class: The service class in the header of connections, 0 to 255; Hadoop servers
            record it.
        beta: Whether to use the dialect of Hadoop 2.1.0-beta, which later servers do not
            understand.
    """

    user: str = field(default_factory=_acting_user)
    real_user: str | None = None
    caller_context: str | None = None
    home_prefix: str = HOME_PREFIX
    replication: int = field(default=REPLICATION, metadata=at_most(0xFFFF))
    block_size: int = BLOCK_SIZE
    umask: int = field(default=UMASK, metadata=at_most(0o777))
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy | None = None
    connect_retries: ConnectRetries | None = None
    ping_interval: float | None = PING_INTERVAL
    idle_timeout: float | None = IDLE_TIMEOUT
    observer_reads: ObserverReads | None = field(default=None, metadata=of_class(ObserverReads))
    reply_limit: int = REPLY_LIMIT
    authentication: Authentication | None = field(
        default_factory=Authentication.of_environment, metadata=of_class(Authentication)
    )
    service_class: int = field(default=0, metadata=at_most(0xFF))
    beta: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.user, _ProxyUser):
            if self.real_user is None:
                object.__setattr__(self, "real_user", current_user())
            object.__setattr__(self, "user", str(self.user))
        ClientOptions.__post_init__(self)
        for name in ("user", "real_user", "caller_context"):
            text = getattr(self, name)
            if isinstance(text, str) and not is_unicode(text):
                raise ConfigError(f"{name} is {quote(text)}, which is not valid Unicode")
            if text == "" and name != "caller_context":
                raise ConfigError(f"{name} is empty: expected the name of a user")


class HadoopKeywords(ClientKeywords, total=False):
    """Options as keyword arguments: the fields of `HadoopOptions`."""

    user: str
    real_user: str | None
    caller_context: str | None
    home_prefix: str
    replication: int
    block_size: int
    umask: int
    connect_timeout: float | timedelta
    retry: RetryPolicy | None
    connect_retries: ConnectRetries | None
    ping_interval: float | timedelta | None
    idle_timeout: float | timedelta | None
    observer_reads: ObserverReads | None
    reply_limit: int
    authentication: Authentication | None
    service_class: int
    beta: bool
