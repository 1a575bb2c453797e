"""What can go wrong with a Storm component, beside `jvmwire.errors`."""

from __future__ import annotations

from jvmwire.errors import JvmWireError, LocalProtocolError


class NotPending(LocalProtocolError):
    """A tuple was acked, failed or anchored to that Storm does not wait for any more.

    Storm ends a component that does so (`ShellBolt.handleAck`, `handleEmit`).
    """


class NotDeclared(LocalProtocolError):
    """Something that the topology does not have: a stream, its number of values, or a metric."""


class NotJsonSerializable(LocalProtocolError, ValueError):
    """A value that Storm would not read as it is: NaN, an infinity, too deep, no JSON at all."""


class ComponentDied(JvmWireError):
    """The process of a task ended by itself, or hung."""

    def __init__(self, message: str, said: tuple[str, ...]) -> None:
        super().__init__(message)
        self.said = said
        """The last lines that it logged, reported or wrote to its standard error."""
