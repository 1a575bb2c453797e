"""Bounds of a server of the first protocol."""

from __future__ import annotations

from dataclasses import dataclass

from jvmwire.pravega.early.session import MAX_BLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyLimits:
    """What a server holds for its clients, and how long it waits for them. (Chosen by jvmwire.)"""

    max_connections: int = 1000
    """Connections open together; others are closed at once."""
    max_block: int = MAX_BLOCK
    """Bytes of a block on the wire, the headers of its events included."""
    buffer_limit: int = 256 << 20
    """Bytes of unfinished blocks and messages, and of unread answers, of all connections; the
    connection that goes beyond is ended."""
    max_segments: int = 100_000
    """Segments; a client that would make another is turned away."""
    max_name: int = 1024
    """Bytes of a segment's name in UTF-8."""
    max_appenders: int = 100_000
    """Connection ids that are set up at the same time, of all connections."""
    appenders_per_connection: int = 10_000
    """Connection ids that are set up at the same time, of one connection."""
    opening_timeout: float = 60.0
    """Seconds until a connection has asked for something."""
    idle_timeout: float = 300.0
    """Seconds of silence after which a connection is ended. Clients of jvmwire send a KeepAlive
    every 10 seconds."""
    block_timeout: float = 120.0
    """Seconds that a block, or a message, may take from its beginning to its end."""
    write_timeout: float = 60.0
    """Seconds that a client may take to read what was answered."""
