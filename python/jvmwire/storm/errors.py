"""What can go wrong with a Storm component, beside `jvmwire.errors`."""

from __future__ import annotations

from jvmwire.errors import LocalProtocolError


class NotPending(LocalProtocolError):
    """A tuple was acked, failed or anchored to that Storm does not wait for any more.

    Storm ends a component that does so (`ShellBolt.handleAck`, `handleEmit`).
    """


class NotDeclared(LocalProtocolError):
    """Something that the topology does not have: a stream, its number of values, or a metric."""


class NotJson(LocalProtocolError, ValueError):
    """A value that Storm would not read as it is: NaN, an infinity, too deep, no JSON at all."""
