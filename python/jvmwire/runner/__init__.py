"""Runtime of components that a JVM starts: their standard streams carry the protocol only."""

from jvmwire.runner.line import Line
from jvmwire.runner.loading import load, load_instance
from jvmwire.runner.noise import Noise, flush_outputs
from jvmwire.runner.watch import Watch

__all__ = ["Line", "Noise", "Watch", "flush_outputs", "load", "load_instance"]
