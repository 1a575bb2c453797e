"""A double of a NameNode, for tests of programs that use HDFS; it needs no JVM."""

from jvmwire._faults import Fault
from jvmwire.hadoop.testing._namenode import NameNodeDouble

__all__ = ["Fault", "NameNodeDouble"]
