"""Hama streaming: BSP tasks in Python, run by a Hama cluster or by `jvmwire hama local`."""

from jvmwire.hama._bsp import BSP
from jvmwire.hama._configuration import JobConfiguration
from jvmwire.hama._peer import BSPPeer
from jvmwire.hama._runner import BSPOptions, run_stdio
from jvmwire.hama.errors import HamaError

__all__ = [
    "BSP",
    "BSPOptions",
    "BSPPeer",
    "HamaError",
    "JobConfiguration",
    "run_stdio",
]
