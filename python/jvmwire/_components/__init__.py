"""Runtime of components that a JVM starts: their standard streams carry the protocol only."""

from jvmwire._components.channel import ComponentChannel
from jvmwire._components.loading import load, load_instance
from jvmwire._components.output_capture import Noise, flush_outputs
from jvmwire._components.watchdog import Watch

__all__ = ["ComponentChannel", "Noise", "Watch", "flush_outputs", "load", "load_instance"]
