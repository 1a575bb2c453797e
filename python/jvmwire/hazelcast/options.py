"""What a client of Hazelcast may be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.escaping import is_unicode, quote
from jvmwire.hazelcast.arguments import at_least
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.hazelcast.session import (
    FRAGMENT_LIMIT,
    HEARTBEAT_INTERVAL,
    HEARTBEAT_TIMEOUT,
    MESSAGE_LIMIT,
)
from jvmwire.options import Options, RetryPolicy
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jvmwire.hazelcast.members import Address, Member
    from jvmwire.hazelcast.near_cache.config import NearCacheConfig
    from jvmwire.transports import Endpoint

INVOCATION_TIMEOUT = 120.0
"""Seconds of a call, its repetitions included. `hazelcast.client.invocation.timeout.seconds`."""
CONNECT_TIMEOUT = 5.0
"""Seconds until a member lets us in. Java's `connectionTimeout`."""
EVENT_QUEUE = 1_000_000
"""Events that wait for a listener. `hazelcast.client.event.queue.capacity`, of all listeners."""
EVENT_QUEUE_BYTES = 256 << 20
"""Bytes of the events that wait for a listener. (Chosen by jvmwire; Java's client has no limit.)"""
RETRY_PAUSE = 1.0
"""Seconds before a call is repeated. `hazelcast.client.invocation.retry.pause.millis`."""

CONNECT_RETRY = RetryPolicy(attempts=3, first_wait=0.2)
"""Of the first connection: so many rounds over all addresses."""
RECONNECT_RETRY = RetryPolicy(attempts=1 << 30, first_wait=0.1, longest_wait=5.0)
"""Of the connection to a cluster that was lost: until the client is closed."""


def tcp(address: Address) -> Endpoint:
    """Return the endpoint of a member that is reached as it says."""
    return Tcp(address.host, address.port)


@dataclass(frozen=True, slots=True, kw_only=True)
class HazelcastOptions(Options):
    """What a client of Hazelcast may be told, beside where the cluster is."""

    timeout: float | None = INVOCATION_TIMEOUT
    """Seconds that a call may take, its repetitions included; None is for ever."""
    cluster_name: str = "dev"
    """The group's name: members of another group refuse the client."""
    password: str = field(default="dev-pass", repr=False)
    """The group's password."""
    credentials: Callable[[], object] | None = field(default=None, repr=False)
    """Asked for custom credentials at each authentication, so that they may be renewed: a value
    that is serialized, or serialized `Data`. Takes the place of name and password."""
    client_name: str | None = None
    """As members show it; else `jvmwire-` and a number."""
    labels: Sequence[str] = ()
    smart: bool = True
    """Whether each call goes to the member that holds its partition; else all go to one member."""
    redo: bool = False
    """Whether calls that are not safe to repeat are repeated too, where the connection was lost."""
    connect_timeout: float = CONNECT_TIMEOUT
    connect_retry: RetryPolicy = CONNECT_RETRY
    reconnect_retry: RetryPolicy = RECONNECT_RETRY
    retry_pause: float = RETRY_PAUSE
    heartbeat_interval: float | None = HEARTBEAT_INTERVAL
    """Seconds without a word from us after which a member is pinged; None is never."""
    heartbeat_timeout: float | None = HEARTBEAT_TIMEOUT
    """Seconds that a member may owe an answer; then its connection is given up."""
    message_limit: int = MESSAGE_LIMIT
    fragment_limit: int = FRAGMENT_LIMIT
    endpoint: Callable[[Address], Endpoint] = tcp
    """How a member is reached that says where it listens: for TLS, for address translation."""
    load_balancer: Callable[[Sequence[Member]], Member] | None = None
    """Picks the member for a call that is for no partition; else they take turns."""
    event_queue: int = EVENT_QUEUE
    """Events that wait for one listener or iterator. If there are more, they are dropped, and what
    it gets in their place is an `EventsLost`, an iterator raises `MessagesLost` and goes on."""
    event_queue_bytes: int = EVENT_QUEUE_BYTES
    """Bytes of keys, values and other data in the events that wait for one listener or iterator."""
    event_threads: int = 1
    """How many listeners are called back at the same time: in as many threads, with asyncio in as
    many tasks. One listener is never called twice at a time, and in order. Java's default is 5."""
    statistics_period: float | None = None
    """Seconds between telling the cluster of the client, for Management Center; None is never."""
    near_caches: Mapping[str, NearCacheConfig] = field(default_factory=dict)
    """Of which maps what was read is kept, by name or by a pattern with one `*`."""
    serialization: SerializationService = field(default_factory=SerializationService)

    def __post_init__(self) -> None:
        if not is_unicode(self.cluster_name):
            raise ConfigError(f"cluster_name is {quote(self.cluster_name)}: it is not Unicode")
        if not is_unicode(self.password):
            raise ConfigError("password is not valid Unicode")
        for name in ("event_queue", "event_queue_bytes", "event_threads"):
            at_least(name, getattr(self, name), 1)
