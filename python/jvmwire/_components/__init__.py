"""Runtime of components that a JVM starts: their standard streams carry the protocol only."""

from jvmwire._components.channel import ComponentChannel
from jvmwire._components.loading import load, load_instance
from jvmwire._components.output_capture import OutputCapture, flush_outputs
from jvmwire._components.watchdog import Watchdog

__all__ = [
    "ComponentChannel",
    "OutputCapture",
    "Watchdog",
    "flush_outputs",
    "load",
    "load_instance",
]
