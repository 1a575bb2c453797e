"""Errors of Storm components, in addition to those of `jvmwire.errors`."""

from __future__ import annotations

from jvmwire.errors import JvmWireError, LocalProtocolError

__all__ = [
    "ComponentDied",
    "NotDeclared",
    "NotJsonSerializable",
    "NotPending",
]


class NotPending(LocalProtocolError):
    """A tuple was acked, failed or used as an anchor for which Storm no longer waits.

    Storm would end a component that does so (`ShellBolt.handleAck`, `handleEmit`).
    """


class NotDeclared(LocalProtocolError):
    """The topology has no such stream or metric, or the stream has another number of values."""


class NotJsonSerializable(JvmWireError, ValueError):
    """A value cannot be sent as JSON: NaN, infinite, too deeply nested, or of a wrong type."""


class ComponentDied(JvmWireError):
    """The process of a task ended unexpectedly, or hung.

    Args:
        message: The text of the error.
        said: The last lines that the process logged, reported or wrote to its standard error.
    """

    def __init__(self, message: str, said: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.said = said
        """The last lines that the process logged, reported or wrote to its standard error."""
