"""Hama streaming: BSP tasks in Python, run by a Hama cluster or by `jvmwire hama local`."""

from jvmwire.hama.bsp import BSP
from jvmwire.hama.configuration import JobConfiguration
from jvmwire.hama.errors import HamaError, JobFailed, SyncFailed
from jvmwire.hama.peer import BSPPeer
from jvmwire.hama.runner import BSPOptions, run_stdio

__all__ = [
    "BSP",
    "BSPOptions",
    "BSPPeer",
    "HamaError",
    "JobConfiguration",
    "JobFailed",
    "SyncFailed",
    "run_stdio",
]
