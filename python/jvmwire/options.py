"""Options that all clients share: timeouts, limits of a connection, when to try again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


CALL_TIMEOUT = 30.0
"""Seconds an operation may take, all its round trips together. Ours."""
CONNECT_TIMEOUT = 20.0
"""Seconds until a connection is made and its handshake done. Hadoop's `ipc.client.connect.timeout`
has the same default."""
CLOSE_TIMEOUT = 1.0
"""Seconds that `close` waits for calls that are on their way. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of each connection of a client; a call that exceeds one waits for room."""

    calls: int = 4096
    """Calls in flight. Ours."""
    bytes_in_flight: int = 64 << 20
    """Bytes of the commands in flight; one may exceed it alone. Ours."""
    bytes_unsent: int = 1 << 20
    """Bytes not yet taken by the transport. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often to try what is safe to try again, and how long to wait in between."""

    attempts: int = 5
    """Tries altogether, the first one included."""
    first_wait: float = 0.05
    """Seconds before the second try; each wait after it is `factor` times as long."""
    longest_wait: float = 5.0
    """Seconds that no wait exceeds."""
    factor: float = 2.0
    jitter: float = 0.05
    """Up to so many seconds, chosen at random, are added to each wait."""

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"attempts must be at least 1, got {self.attempts}")

    def waits(self) -> Iterator[float]:
        """Yield the seconds to wait before the second try, the third and so on."""
        wait = self.first_wait
        for _ in range(1, self.attempts):
            jitter = random.uniform(0.0, self.jitter)  # noqa: S311 - not for secrets
            yield max(0.0, min(wait + jitter, self.longest_wait))
            if wait < self.longest_wait or self.factor < 1:  # it would grow without end
                wait *= self.factor


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectRetries:
    """How often a server is connected to again before it is given up, or another is asked."""

    failures: int
    """Times after it could not be reached, with `wait` in between."""
    timeouts: int
    """Times after it did not answer in time, at once."""
    wait: float = 1.0
    """Seconds."""


NEVER = RetryPolicy(attempts=1)
"""One try."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """What became of one call of a client."""

    name: str
    """The client's method."""
    seconds: float
    commands: int
    """Commands sent for it, repetitions included."""
    error: BaseException | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What every client may be told."""

    timeout: float | None = CALL_TIMEOUT
    """Seconds that a call may take, all its round trips together; of an iterator, each item."""
    limits: Limits = field(default_factory=Limits)
    on_call: Callable[[CallReport], None] | None = None
    """Called after each call of the client, where it was called: for metrics and spans."""
    trace: bool = False
    """Whether the logger `jvmwire.wire` tells, at DEBUG, every command sent and event understood;
    secrets in them are masked."""
