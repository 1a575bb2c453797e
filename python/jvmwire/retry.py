"""When to try again, as plain data."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
