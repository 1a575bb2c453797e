"""Limits of a server of Pravega's first protocol."""

from __future__ import annotations

from dataclasses import dataclass

from jvmwire.options import check_options
from jvmwire.pravega.early._session import MAX_BLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyLimits:
    """Limits of a server's memory for its clients, and its timeouts (chosen by jvmwire).

    Args:
        max_connections: Open connections; further ones are closed at once.
        max_block: Bytes of a block on the wire, headers of its events included.
        buffer_limit: Bytes of unfinished blocks and messages, and of unread replies, of all
            connections; the connection that exceeds the limit is closed.
        max_segments: Segments; a client that would create another is rejected.
        max_name: Bytes of a segment's name in UTF-8.
        max_appenders: Connection ids that are set up at the same time, over all connections.
        appenders_per_connection: Connection ids that are set up at the same time, per connection.
        opening_timeout: Seconds until a connection must have sent a request.
        idle_timeout: Seconds of silence after which a connection is closed. Clients of jvmwire send
            a KeepAlive every 10 seconds.
        block_timeout: Seconds that a block or a message may take from its beginning to its end.
        write_timeout: Seconds that a client may take to read its replies.

    Times are seconds or a `timedelta`.

    Raises:
        ConfigError: a limit is negative or NaN, or of a wrong type.
    """

    max_connections: int = 1000
    max_block: int = MAX_BLOCK
    buffer_limit: int = 256 << 20
    max_segments: int = 100_000
    max_name: int = 1024
    max_appenders: int = 100_000
    appenders_per_connection: int = 10_000
    opening_timeout: float = 60.0
    idle_timeout: float = 300.0
    block_timeout: float = 120.0
    write_timeout: float = 60.0

    def __post_init__(self) -> None:
        check_options(self)
