"""A double of a Hazelcast cluster, for tests of programs that are its clients; it needs no JVM."""

from jvmwire._faults import Fault
from jvmwire.hazelcast.testing._double import HazelcastDouble

__all__ = ["Fault", "HazelcastDouble"]
