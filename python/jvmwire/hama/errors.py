"""Exceptions of BSP tasks and jobs."""

from jvmwire.errors import JvmWireError, RemoteProtocolError

__all__ = [
    "HamaError",
    "JobFailed",
    "SyncFailed",
]


class HamaError(JvmWireError):
    """Base class of errors that are specific to Hama's tasks and jobs."""


class SyncFailed(RemoteProtocolError):
    """The barrier failed: the task's reply to a sync was not success."""


class JobFailed(HamaError):
    """A local job ended before all its peers were done; the message names peer and reason."""
