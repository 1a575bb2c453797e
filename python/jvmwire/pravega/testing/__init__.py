"""A double of Pravega, for tests of programs that use it; it needs no JVM."""

from jvmwire.pravega.testing._double import PravegaDouble
from jvmwire.pravega.testing._faults import Fault

__all__ = ["Fault", "PravegaDouble"]
