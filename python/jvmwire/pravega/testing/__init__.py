"""A double of Pravega, for tests of programs that use it; it needs no JVM."""

from jvmwire._faults import Fault
from jvmwire.pravega.testing._double import PravegaDouble

__all__ = ["Fault", "PravegaDouble"]
