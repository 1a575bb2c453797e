"""Options of the client of streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire._checks import check_range
from jvmwire.options import CONNECT_TIMEOUT, ClientKeywords, ClientOptions, RetryPolicy
from jvmwire.pravega._appender import MAX_EVENT
from jvmwire.pravega._arguments import MAX_INT
from jvmwire.pravega._session import KEEP_ALIVE_INTERVAL

if TYPE_CHECKING:
    from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions(ClientOptions):
    """Options of a client of streams.

    Args:
        user: The user name for the controller; `""` (the default) for no authentication.
        password: The user's password.
        connect_timeout: Seconds to connect to a segment store.
        retry: How often idempotent calls, including those to the controller, are retried, and how
            often connections are re-established.
        keep_alive_interval: Seconds of silence of the client until it sends `KeepAlive` to a store;
            None disables keep-alives. Default: 10.
        max_event: Bytes of the largest event that is read or written. Three times as much memory is
            needed while such an event is read. Java has no such limit.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call, in the calling thread or task.
        trace: Whether the logger `jvmwire.wire` logs commands and events at DEBUG, secrets masked.
    """

    user: str = ""
    """The user name for the controller; `""` for no authentication."""
    password: str = field(default="", repr=False)
    connect_timeout: float = CONNECT_TIMEOUT
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """How often idempotent calls, including those to the controller, and connections are
    retried.
    """
    keep_alive_interval: float | None = KEEP_ALIVE_INTERVAL
    """Seconds of silence of the client until it sends `KeepAlive` to a store; None disables
    keep-alives.
    """
    max_event: int = MAX_EVENT

    def __post_init__(self) -> None:
        ClientOptions.__post_init__(self)
        check_range("max_event", self.max_event, 1, MAX_INT)


class StreamKeywords(ClientKeywords, total=False):
    """Options as keyword arguments: the fields of `StreamOptions`."""

    user: str
    password: str
    connect_timeout: float | timedelta
    retry: RetryPolicy
    keep_alive_interval: float | timedelta | None
    max_event: int
