"""Failures that a double is told to have."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from jvmwire.errors import ConfigError, ServerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Failure of calls.

    Args:
        method: Name of the method in Java, such as `getFileInfo` or the controller's
            `createStream`; of Hazelcast's message, such as `Map.put`; or of the segment store's
            command, such as `ReadSegment`, where appends are `AppendBlockEnd`, `ConditionalAppend`
            or `ConditionalBlockEnd`. Default: None, for all methods.
        times: Number of calls that fail. Default: None, for all calls from now on.
        delay: Seconds that a call waits before it is executed, or fails; later commands to the same
            connection of a segment store wait for it. Default: 0.
        error: The exception that the client receives; the call is not executed. A controller of
            Pravega has only one kind of error. Default: None.
        disconnect: Whether the connection is closed without an answer; a controller of Pravega
            answers that it is not available. Default: False.
        drop: Whether the call gets no answer, and the connection stays open; a controller of
            Pravega answers that it is not available. Default: False.
        executes: Whether a call is executed before the connection is closed or its answer is
            dropped, so that only its answer is lost. Default: False.

    Raises:
        ConfigError: the values contradict each other.
    """

    method: str | None = None
    times: int | None = None
    delay: float = 0.0
    error: ServerError | None = None
    disconnect: bool = False
    drop: bool = False
    executes: bool = False

    def __post_init__(self) -> None:
        if self.times is not None and self.times < 1:
            raise ConfigError(f"times must be at least 1, got {self.times}")
        if not 0 <= self.delay < float("inf"):
            raise ConfigError(f"delay must be a number of seconds, got {self.delay}")
        if self.executes and not (self.disconnect or self.drop):
            raise ConfigError("executes is of use with disconnect or drop only")
        if (self.error is not None) + self.disconnect + self.drop > 1:
            raise ConfigError("a call gets an error, is disconnected, or is dropped: only one")

    @property
    def is_silent(self) -> bool:
        """Whether the call gets no answer."""
        return self.disconnect or self.drop


class Faults:
    """The faults of a double, which any thread may change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[Fault, int | None]] = []

    def add(self, fault: Fault) -> None:
        """Add a fault, which applies when those added before it do not.

        Args:
            fault: The fault.
        """
        with self._lock:
            self._waiting.append((fault, fault.times))

    def clear(self) -> None:
        """Remove all faults."""
        with self._lock:
            self._waiting.clear()

    def take(self, method: str) -> Fault | None:
        """Return the fault of a call, and count it.

        Args:
            method: Name of the method.

        Returns:
            The fault, or None.
        """
        if not self._waiting:
            return None
        with self._lock:
            for at, (fault, left) in enumerate(self._waiting):
                if fault.method not in (None, method):
                    continue
                if left == 1:
                    del self._waiting[at]
                elif left is not None:
                    self._waiting[at] = (fault, left - 1)
                return fault
        return None
