"""What a client holds at most, and how long it waits."""

from __future__ import annotations

from dataclasses import dataclass

CALL_TIMEOUT = 30.0
"""Seconds an operation may take, all its round trips together. Ours."""
CONNECT_TIMEOUT = 20.0
"""Seconds until a connection is made and its handshake done. Hadoop's `ipc.client.connect.timeout`
has the same default."""
CONNECTS = 32
"""Connections that a client makes at the same time; others wait their turn, the newest first. The
blocking driver has a thread for each of them. (Chosen by jvmwire.)"""
LINGER = 1.0
"""Seconds that `close` waits for calls that are on their way. Ours."""
JOIN = 5.0
"""Seconds that `close` waits for a thread of ours, or for a task: one may sit in a callback of the
user's, or in the system's look-up of a host name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of each connection of a client; a call that exceeds one waits for room."""

    calls: int = 4096
    """Calls in flight. Ours."""
    bytes_in_flight: int = 64 << 20
    """Bytes of the commands in flight; one may exceed it alone. Ours."""
    bytes_unsent: int = 1 << 20
    """Bytes not yet taken by the transport. Ours."""
