"""What can go wrong with a Hama task, beside `jvmwire.errors`."""

from __future__ import annotations

from jvmwire.errors import LocalProtocolError, ServerError


class SyncFailed(ServerError):
    """The barrier was broken: another task failed, or the job was ended."""


class NotALine(LocalProtocolError, ValueError):
    """A text that holds a line end: Hama would take what follows for a command."""


class NoCounters(LocalProtocolError):
    """Counters were asked for, which no streaming child of Hama can have.

    Hama reads what follows the operation from another stream than streaming children write to, and
    the task hangs (BinaryProtocol.incrementCounter below StreamingProtocol).
    """
