"""What a server counts of its calls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class MethodMetrics:
    """One method, since the server began."""

    calls: int = 0
    """Those carried out."""
    errors: int = 0
    """Those of them that were refused."""
    queue_seconds: float = 0.0
    """What they waited together before they were carried out."""
    processing_seconds: float = 0.0
    """What carrying them out took together."""
    longest_seconds: float = 0.0
    """What the slowest of them took, of those that came together all."""

    def add(self, queued: float, processed: float, *, calls: int, errors: int) -> None:
        """Count calls that waited so long each and were carried out together."""
        self.calls += calls
        self.errors += errors
        self.queue_seconds += queued * calls
        self.processing_seconds += processed
        if processed > self.longest_seconds:
            self.longest_seconds = processed

    def include(self, other: MethodMetrics) -> None:
        """Count what another has counted."""
        self.calls += other.calls
        self.errors += other.errors
        self.queue_seconds += other.queue_seconds
        self.processing_seconds += other.processing_seconds
        self.longest_seconds = max(self.longest_seconds, other.longest_seconds)


@dataclass(slots=True)
class ServerMetrics:
    """The connections of a server, since it began."""

    connections: int = 0
    """Those that are open."""
    accepted: int = 0
    rejected: int = 0
    """Those over `max_connections`, and those who may not."""
    protocol_errors: int = 0
    """Those ended because of what was said on them."""
    timeouts: int = 0
    """Those ended because nothing was said, or not read, for too long."""
    too_busy: int = 0
    """Calls refused because the queue was full, by number or by bytes."""
    open_calls: int = 0
    """Those that wait or are carried out."""
    open_bytes: int = 0
    """Bytes of those calls on the wire."""
    unsent_bytes: int = 0
    """Bytes of answers that clients who read slowly have yet to take."""
    retry_cache_hits: int = 0
    """Calls sent again and answered as the first time."""
