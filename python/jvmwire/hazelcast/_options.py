"""Settings of a Hazelcast client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._checks import at_least
from jvmwire._escaping import is_unicode, quote
from jvmwire._runtime.retry import UNLIMITED_ATTEMPTS
from jvmwire.errors import ConfigError
from jvmwire.hazelcast._session import (
    FRAGMENT_LIMIT,
    HEARTBEAT_INTERVAL,
    HEARTBEAT_TIMEOUT,
    MESSAGE_LIMIT,
)
from jvmwire.hazelcast.near_cache._config import NearCacheConfig
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.options import ClientKeywords, ClientOptions, RetryPolicy, of_class
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import timedelta

    from jvmwire.hazelcast._members import Address, Member
    from jvmwire.transports import Endpoint

INVOCATION_TIMEOUT = 120.0
"""Seconds per call, including its retries. `hazelcast.client.invocation.timeout.seconds`."""
CONNECT_TIMEOUT = 5.0
"""Seconds until a member must accept a connection. `connectionTimeout` of the Java client."""
EVENT_QUEUE = 1_000_000
"""Events queued per listener. `hazelcast.client.event.queue.capacity`, there for all listeners."""
EVENT_QUEUE_BYTES = 256 << 20
"""Bytes of the events queued per listener. (Chosen by jvmwire; Java's client has no limit.)"""
RETRY_PAUSE = 1.0
"""Seconds before a call is retried. `hazelcast.client.invocation.retry.pause.millis`."""

CONNECT_RETRY = RetryPolicy(attempts=3, first_wait=0.2)
"""Retry policy of the first connection; each attempt tries all addresses once."""
RECONNECT_RETRY = RetryPolicy(attempts=UNLIMITED_ATTEMPTS, first_wait=0.1, longest_wait=5.0)
"""Retry policy of the connection to a lost cluster: retried until the client is closed."""


def tcp(address: Address) -> Endpoint:
    """Return the TCP endpoint of a member at the address that it advertises.

    Args:
        address: Address that the member advertises.

    Returns:
        The endpoint.
    """
    return Tcp(address.host, address.port)


@dataclass(frozen=True, slots=True, kw_only=True)
class HazelcastOptions(ClientOptions):
    """Settings of a Hazelcast client other than the addresses of the cluster.

    Args:
        timeout: Seconds per call, including its retries; 120 by default, None is unlimited.
        cluster_name: Name of the group; "dev" by default.
        password: Password of the group; "dev-pass" by default.
        credentials: Function that returns custom credentials, called at each authentication.
        client_name: Name that members show; `jvmwire-` and a number by default.
        labels: Labels of the client, for Management Center and the members' filters.
        smart: True sends each call to the owner of its partition, False all calls to one member.
        redo: True also retries calls that are not idempotent after their connection was lost.
        connect_timeout: Seconds until a member must have accepted a connection; 5 by default.
        connect_retry: Retry policy of the first connection.
        reconnect_retry: Retry policy of the connection to a lost cluster.
        retry_pause: Seconds before a call is retried; 1 by default.
        heartbeat_interval: Seconds of an idle connection before a ping; None disables pings.
        heartbeat_timeout: Seconds that a member may leave a request unanswered.
        message_limit: Largest message in bytes.
        fragment_limit: Largest frame in bytes.
        endpoint: Function from a member's advertised address to an endpoint.
        load_balancer: Function that picks the member for a call without a partition.
        event_queue: Events queued per listener or iterator; 1,000,000 by default.
        event_queue_bytes: Bytes queued per listener or iterator; 256 MiB by default.
        event_threads: Number of listeners that are called at the same time; 1 by default.
        statistics_period: Seconds between two statistics reports; None disables them.
        near_caches: Configurations of near caches by map name or pattern.
        serialization: Serialization service, with the registered classes.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call, in the calling thread or task.
        trace: Whether the logger `jvmwire.wire` logs commands and events at DEBUG, secrets masked.

    Raises:
        ConfigError: a setting is outside of its range, or not valid Unicode.
    """

    timeout: float | None = INVOCATION_TIMEOUT
    """Seconds per call, including its retries; None is unlimited."""
    cluster_name: str = "dev"
    """Name of the group; members of another group refuse the client."""
    password: str = field(default="dev-pass", repr=False)
    """Password of the group."""
    credentials: Callable[[], object] | None = field(default=None, repr=False)
    """Function called at each authentication, so that credentials may be renewed. It returns custom
    credentials: a value to serialize, or serialized `Data`. They replace name and password."""
    client_name: str | None = None
    """Name of the client that members show; by default `jvmwire-` and a number."""
    labels: Sequence[str] = ()
    smart: bool = True
    """Whether each call goes to the owner of its partition; else all calls go to one member."""
    redo: bool = False
    """Whether calls that are not idempotent are retried too after their connection was lost."""
    connect_timeout: float = CONNECT_TIMEOUT
    connect_retry: RetryPolicy = CONNECT_RETRY
    reconnect_retry: RetryPolicy = RECONNECT_RETRY
    retry_pause: float = RETRY_PAUSE
    heartbeat_interval: float | None = HEARTBEAT_INTERVAL
    """Seconds without a message from the client after which it pings the member; None disables
    pings."""
    heartbeat_timeout: float | None = HEARTBEAT_TIMEOUT
    """Seconds that a member may leave a request unanswered before its connection is closed."""
    message_limit: int = MESSAGE_LIMIT
    fragment_limit: int = FRAGMENT_LIMIT
    endpoint: Callable[[Address], Endpoint] = tcp
    """Function from the address that a member advertises to its endpoint, for TLS or address
    translation."""
    load_balancer: Callable[[Sequence[Member]], Member] | None = None
    """Function that picks the member for a call without a partition; round-robin by default."""
    event_queue: int = EVENT_QUEUE
    """Events queued per listener or iterator. Further events are dropped: a listener gets an
    `EventsLost` in their place, an iterator raises `MessagesLost` and can be continued."""
    event_queue_bytes: int = EVENT_QUEUE_BYTES
    """Bytes of keys, values and other data in the events queued per listener or iterator."""
    event_threads: int = 1
    """Number of listeners that are called at the same time, each in a thread, with asyncio each in
    a task. Calls of one listener never overlap and are in order. Java's default is 5."""
    statistics_period: float | None = None
    """Seconds between two statistics reports to the cluster, for Management Center; None disables
    them."""
    near_caches: Mapping[str, NearCacheConfig] = field(
        default_factory=dict, metadata=of_class(NearCacheConfig)
    )
    """Configurations of near caches by map name, or by a pattern with one `*`."""
    serialization: SerializationService = field(
        default_factory=SerializationService, metadata=of_class(SerializationService)
    )

    def __post_init__(self) -> None:
        ClientOptions.__post_init__(self)
        if not is_unicode(self.cluster_name):
            raise ConfigError(f"cluster_name is {quote(self.cluster_name)}: it is not Unicode")
        if not is_unicode(self.password):
            raise ConfigError("password is not valid Unicode")
        for name in ("event_queue", "event_queue_bytes", "event_threads"):
            at_least(name, getattr(self, name), 1)


class HazelcastKeywords(ClientKeywords, total=False):
    """Options as keyword arguments: the fields of `HazelcastOptions`."""

    cluster_name: str
    password: str
    credentials: Callable[[], object] | None
    client_name: str | None
    labels: Sequence[str]
    smart: bool
    redo: bool
    connect_timeout: float | timedelta
    connect_retry: RetryPolicy
    reconnect_retry: RetryPolicy
    retry_pause: float | timedelta
    heartbeat_interval: float | timedelta | None
    heartbeat_timeout: float | timedelta | None
    message_limit: int
    fragment_limit: int
    endpoint: Callable[[Address], Endpoint]
    load_balancer: Callable[[Sequence[Member]], Member] | None
    event_queue: int
    event_queue_bytes: int
    event_threads: int
    statistics_period: float | timedelta | None
    near_caches: Mapping[str, NearCacheConfig]
    serialization: SerializationService
