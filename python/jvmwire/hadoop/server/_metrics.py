"""Counters of a server's calls and connections."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class MethodMetrics:
    """Counters of one method since the server started.

    Attributes:
        calls: The number of executed calls.
        errors: The number of executed calls that were refused.
        queue_seconds: The total seconds that calls waited before their execution.
        processing_seconds: The total seconds of execution.
        longest_seconds: The seconds of the longest execution; a batch counts as one.
    """

    calls: int = 0
    errors: int = 0
    queue_seconds: float = 0.0
    processing_seconds: float = 0.0
    longest_seconds: float = 0.0

    def add(self, queued: float, processed: float, *, calls: int, errors: int) -> None:
        """Count calls that were executed together.

        Args:
            queued: Seconds that each of them waited.
            processed: Seconds of the execution of all.
            calls: Number of calls.
            errors: Number of refused calls.
        """
        self.calls += calls
        self.errors += errors
        self.queue_seconds += queued * calls
        self.processing_seconds += processed
        if processed > self.longest_seconds:
            self.longest_seconds = processed

    def include(self, other: MethodMetrics) -> None:
        """Add the counters of another method.

        Args:
            other: The other counters.
        """
        self.calls += other.calls
        self.errors += other.errors
        self.queue_seconds += other.queue_seconds
        self.processing_seconds += other.processing_seconds
        self.longest_seconds = max(self.longest_seconds, other.longest_seconds)


@dataclass(slots=True)
class ServerMetrics:
    """Counters of a server's connections since the server started.

    Attributes:
        connections: The number of open connections.
        accepted: Connections that were accepted, those that are closed included.
        rejected: The number of connections beyond `max_connections`, or rejected by authentication.
        protocol_errors: The number of connections that ended with a protocol error.
        timeouts: The number of connections that ended because a client sent or read nothing for too
            long.
        too_busy: The number of calls refused because the queue was full, by number or by bytes.
        open_calls: The number of calls that wait or are executed.
        open_bytes: The bytes of these calls on the wire.
        unsent_bytes: The bytes of answers that slow clients have not read yet.
        retry_cache_hits: The number of resent calls that were answered from the retry cache.
    """

    connections: int = 0
    accepted: int = 0
    rejected: int = 0
    protocol_errors: int = 0
    timeouts: int = 0
    too_busy: int = 0
    open_calls: int = 0
    open_bytes: int = 0
    unsent_bytes: int = 0
    retry_cache_hits: int = 0
