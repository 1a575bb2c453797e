"""What runs a component that a JVM started: its standard streams are the protocol's alone."""

from jvmwire.runner.line import Line
from jvmwire.runner.loading import load, load_instance
from jvmwire.runner.noise import Noise, flush_outputs
from jvmwire.runner.watch import Watch

__all__ = ["Line", "Noise", "Watch", "flush_outputs", "load", "load_instance"]
