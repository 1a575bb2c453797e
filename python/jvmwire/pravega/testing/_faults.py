"""Failures that a double of Pravega is told to have."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from jvmwire.errors import ConfigError
from jvmwire.pravega.errors import PravegaError


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Failure of commands to the segment store, or of calls of the controller.

    Args:
        command: Name of the command in Java, such as `ReadSegment`, or of the method of the
            controller, such as `createStream`. Appends are `AppendBlockEnd`, `ConditionalAppend`
            or `ConditionalBlockEnd`. Default: None, for all commands and calls.
        times: Number of commands that fail. Default: None, for all from now on.
        delay: Seconds that a command waits before it is executed, or fails; later commands of the
            same connection wait for it. Default: 0.
        error: The exception that the client receives; the command is not executed. A controller
            has only one kind of error. Default: None.
        disconnect: Whether the connection is closed without an answer; a controller answers that
            it is not available. Default: False.
        drop: Whether the command gets no answer, and the connection stays open; a controller
            answers that it is not available. Default: False.
        executes: Whether a command is executed before the connection is closed or its answer is
            dropped, so that only its answer is lost. Default: False.

    Raises:
        ConfigError: the values contradict each other.
    """

    command: str | None = None
    times: int | None = None
    delay: float = 0.0
    error: PravegaError | None = None
    disconnect: bool = False
    drop: bool = False
    executes: bool = False

    def __post_init__(self) -> None:
        if self.times is not None and self.times < 1:
            raise ConfigError(f"times must be at least 1, got {self.times}")
        if not 0 <= self.delay < float("inf"):
            raise ConfigError(f"delay must be a number of seconds, got {self.delay}")
        if self.error is not None and not isinstance(self.error, PravegaError):
            raise ConfigError(f"error must be a PravegaError, got {type(self.error).__name__}")
        if self.executes and not (self.disconnect or self.drop):
            raise ConfigError("executes is of use with disconnect or drop only")
        if (self.error is not None) + self.disconnect + self.drop > 1:
            raise ConfigError("a command gets an error, is disconnected, or is dropped: only one")

    @property
    def is_silent(self) -> bool:
        """Whether the command gets no answer."""
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

    def take(self, command: str) -> Fault | None:
        """Return the fault of a command, and count it.

        Args:
            command: Name of the command or method.

        Returns:
            The fault, or None.
        """
        if not self._waiting:
            return None
        with self._lock:
            for at, (fault, left) in enumerate(self._waiting):
                if fault.command not in (None, command):
                    continue
                if left == 1:
                    del self._waiting[at]
                elif left is not None:
                    self._waiting[at] = (fault, left - 1)
                return fault
        return None
