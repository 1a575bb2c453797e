"""What can go wrong with a BSP task."""

from jvmwire.errors import JvmWireError, RemoteProtocolError


class HamaError(JvmWireError):
    """Base of what only Hama's tasks and jobs meet."""


class SyncFailed(RemoteProtocolError):
    """The barrier broke: the task answered a sync with something else than success."""


class JobFailed(HamaError):
    """A local job ended before all its peers were done; the message says which and why."""
