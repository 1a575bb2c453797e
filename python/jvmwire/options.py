"""Options shared by all clients: timeouts, connection limits and retries."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "NEVER",
    "CallReport",
    "ClientOptions",
    "ConnectRetries",
    "Limits",
    "RetryPolicy",
]


CALL_TIMEOUT = 30.0
"""Default seconds for an operation, all its round trips together (chosen by jvmwire)."""
CONNECT_TIMEOUT = 20.0
"""Default seconds for a connection with its handshake (Hadoop: `ipc.client.connect.timeout`)."""
CLOSE_TIMEOUT = 1.0
"""Seconds that `close` waits for calls in flight (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of each connection of a client; a call that would exceed a limit waits.

    Args:
        calls: Maximum calls in flight, 4096 by default.
        bytes_in_flight: Maximum bytes of commands in flight, 64 MiB by default; one command alone
            may exceed it.
        bytes_unsent: Maximum bytes not yet accepted by the transport, 1 MiB by default.
    """

    calls: int = 4096
    """Maximum calls in flight (chosen by jvmwire)."""
    bytes_in_flight: int = 64 << 20
    """Maximum bytes of commands in flight; one command alone may exceed it (chosen by jvmwire)."""
    bytes_unsent: int = 1 << 20
    """Maximum bytes not yet accepted by the transport (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Number of attempts and exponential backoff for operations that are safe to repeat.

    Args:
        attempts: Maximum attempts including the first, 5 by default.
        first_wait: Seconds before the second attempt, 0.05 by default.
        longest_wait: Maximum seconds of a wait, 5 by default.
        factor: Ratio of each wait to the one before, 2 by default.
        jitter: Maximum random seconds added to each wait, 0.05 by default.

    Raises:
        ConfigError: `attempts` is less than 1.
    """

    attempts: int = 5
    """Maximum number of attempts, including the first."""
    first_wait: float = 0.05
    """Seconds before the second attempt; each later wait is `factor` times as long."""
    longest_wait: float = 5.0
    """Maximum seconds of a wait."""
    factor: float = 2.0
    jitter: float = 0.05
    """Maximum random seconds that are added to each wait."""

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ConfigError(f"attempts must be at least 1, got {self.attempts}")

    def waits(self) -> Iterator[float]:
        """Yield the seconds to wait before the second attempt, the third and so on."""
        wait = self.first_wait
        for _ in range(1, self.attempts):
            jitter = random.uniform(0.0, self.jitter)  # noqa: S311 - not for secrets
            yield max(0.0, min(wait + jitter, self.longest_wait))
            if wait < self.longest_wait or self.factor < 1:  # else it would grow without limit
                wait *= self.factor


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectRetries:
    """Number of reconnection attempts per server before it is given up or another server is tried.

    Args:
        failures: Attempts after the server could not be reached, each after `wait` seconds.
        timeouts: Attempts after the server did not answer in time, without a wait.
        wait: Seconds before an attempt after a failure, 1 by default.
    """

    failures: int
    timeouts: int
    wait: float = 1.0
    """Seconds before an attempt after a failure."""


NEVER = RetryPolicy(attempts=1)
"""Policy of a single attempt."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """The outcome of one call of a client.

    Args:
        name: Name of the client's method.
        seconds: Duration of the call in seconds.
        commands: Number of commands sent for the call, repetitions included.
        error: The error that the call raised; None if it succeeded.
    """

    name: str
    seconds: float
    commands: int
    error: BaseException | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientOptions:
    """Options of every client.

    Args:
        timeout: Seconds for a call, all its round trips together, 30 by default; for an iterator,
            seconds per item. None disables the timeout.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call.
        trace: Whether commands and events are logged.
    """

    timeout: float | None = CALL_TIMEOUT
    """Seconds for a call, all its round trips together; for an iterator, seconds per item."""
    limits: Limits = field(default_factory=Limits)
    on_call: Callable[[CallReport], None] | None = None
    """Called after each call, in the calling thread or task: for metrics and spans."""
    trace: bool = False
    """Whether the logger `jvmwire.wire` logs all commands and events at DEBUG, secrets masked."""
