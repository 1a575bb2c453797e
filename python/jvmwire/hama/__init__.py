"""Programs for Apache Hama's streaming: supersteps in Python, run by a real cluster."""

from jvmwire.hama.bsp import BSP
from jvmwire.hama.conf import Conf
from jvmwire.hama.errors import NoCounters, NotALine, SyncFailed
from jvmwire.hama.peer import Peer

__all__ = ["BSP", "Conf", "NoCounters", "NotALine", "Peer", "SyncFailed"]
