"""What a client of Hadoop may be told."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.escaping import is_unicode, quote
from jvmwire.hadoop.sasl.authentication import Authentication
from jvmwire.hadoop.session import IDLE_TIMEOUT, PING_INTERVAL, REPLY_LIMIT
from jvmwire.options import CONNECT_TIMEOUT, ClientOptions, ConnectRetries, RetryPolicy

if TYPE_CHECKING:
    from jvmwire.hadoop.observer_reads import ObserverReads

DEFAULT_RETRY = RetryPolicy()
FAILOVER_RETRY = RetryPolicy(attempts=15, first_wait=0.5, longest_wait=15.0)
"""Where servers stand in for each other: `dfs.client.failover.max.attempts`,
`dfs.client.failover.sleep.base.millis` and `dfs.client.failover.sleep.max.millis`."""
HOME_PREFIX = "/user"
"""`dfs.user.home.dir.prefix`."""
REPLICATION = 3
"""`dfs.replication`."""
BLOCK_SIZE = 128 << 20
"""Bytes: `dfs.blocksize`."""
UMASK = 0o022
"""`fs.permissions.umask-mode`."""


def current_user() -> str:
    """Return the user that Hadoop takes us for: `HADOOP_USER_NAME`, else who runs this process."""
    return os.environ.get("HADOOP_USER_NAME") or getpass.getuser()


class _ProxyUser(str):
    """The user that `HADOOP_PROXY_USER` names: calls in that name are made by the current one."""

    __slots__ = ()


def _acting_user() -> str:
    proxy = os.environ.get("HADOOP_PROXY_USER")
    return _ProxyUser(proxy) if proxy else current_user()


@dataclass(frozen=True, slots=True, kw_only=True)
class HadoopOptions(ClientOptions):
    """What a client of Hadoop may be told."""

    user: str = field(default_factory=_acting_user)
    """In whose name calls are made; by default `HADOOP_PROXY_USER`, `HADOOP_USER_NAME`, or who runs
    this process."""
    real_user: str | None = None
    """Who makes them, where that is another: the server must allow it. Where `user` is that of
    `HADOOP_PROXY_USER`, it is who would else be the user."""
    caller_context: str | None = None
    """What audit logs are told of our calls."""
    home_prefix: str = HOME_PREFIX
    """The directory of all home directories, in which paths without a first slash are."""
    replication: int = REPLICATION
    """How many copies of its blocks a new file is to have, if it is not said of the file."""
    block_size: int = BLOCK_SIZE
    """Bytes of the blocks of a new file, if it is not said of the file."""
    umask: int = UMASK
    """Permissions that new files and directories do not get."""
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy | None = None
    """Of what is safe to repeat; connections are made again as often. None is `DEFAULT_RETRY`, or
    `FAILOVER_RETRY` where there is more than one server."""
    connect_retries: ConnectRetries | None = None
    """How often a server is connected to again before a call fails, or another server is asked:
    Java's `ipc.client.connect.max.retries` and its kin. None leaves that to `retry`."""
    ping_interval: float | None = PING_INTERVAL
    """Seconds of silence after which a server that owes replies is pinged; None is never."""
    idle_timeout: float | None = IDLE_TIMEOUT
    """Seconds without a call after which, or after twice as many, a connection is closed; the next
    call makes another. None is never. `ipc.client.connection.maxidletime`."""
    observer_reads: ObserverReads | None = None
    """Whether observers answer what is only read; None asks the active NameNode for all."""
    reply_limit: int = REPLY_LIMIT
    """Bytes of a reply."""
    authentication: Authentication | None = field(default_factory=Authentication.of_environment)
    """How we prove who we are; None lets `user` be believed. As delivered: by the tokens that
    `HADOOP_TOKEN_FILE_LOCATION` and `HADOOP_TOKEN` name, if any."""
    service_class: int = 0
    """What connections say that they are for, 0 to 255: servers of Hadoop note it."""
    beta: bool = False
    """Whether to speak the dialect of Hadoop 2.1.0-beta, which later servers do not understand."""

    def __post_init__(self) -> None:
        if isinstance(self.user, _ProxyUser):
            if self.real_user is None:
                object.__setattr__(self, "real_user", current_user())
            object.__setattr__(self, "user", str(self.user))
        for name in ("user", "real_user", "caller_context"):
            text = getattr(self, name)
            if isinstance(text, str) and not is_unicode(text):
                raise ConfigError(f"{name} is {quote(text)}, which is not valid Unicode")
