"""What a streams' client may be told."""

from __future__ import annotations

from dataclasses import dataclass, field

from jvmwire.options import CONNECT_TIMEOUT, ClientOptions, RetryPolicy
from jvmwire.pravega.appender import MAX_EVENT
from jvmwire.pravega.arguments import MAX_INT, check_range
from jvmwire.pravega.session import KEEP_ALIVE_INTERVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions(ClientOptions):
    """What a streams' client may be told."""

    user: str = ""
    """Who we are to the controller; `""` if it asks nobody."""
    password: str = field(default="", repr=False)
    connect_timeout: float = CONNECT_TIMEOUT
    """Seconds to connect to a segment store."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """Of what is safe to repeat, the controller's calls among it; and of connections."""
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of our own silence after which a store is told that we live; None is never."""
    max_event: int = MAX_EVENT
    """Bytes of the largest event that is read or written.

    Memory for three times as many is needed while such an event is read. Java has no such limit.
    """

    def __post_init__(self) -> None:
        check_range("max_event", self.max_event, 1, MAX_INT)
