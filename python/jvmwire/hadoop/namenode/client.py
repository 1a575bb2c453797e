"""A NameNode's client, for threads and for asyncio."""

from __future__ import annotations

from jvmwire.hadoop.client import AsyncHadoopClient, HadoopClient
from jvmwire.hadoop.namenode.attributes import AttributeCalls
from jvmwire.hadoop.namenode.cluster import ClusterCalls
from jvmwire.hadoop.namenode.files import FileCalls
from jvmwire.hadoop.namenode.snapshots import SnapshotCalls
from jvmwire.hadoop.namenode.tokens import TokenCalls
from jvmwire.hadoop.namenode.trees import TreeCalls


class NameNodeCalls(FileCalls, TreeCalls, AttributeCalls, SnapshotCalls, ClusterCalls, TokenCalls):
    """All that a NameNode can be asked."""


class NameNode(NameNodeCalls, HadoopClient):
    """Blocking client of a NameNode, or of several of which one is active; threads may share it."""


class AsyncNameNode(NameNodeCalls, AsyncHadoopClient):
    """The same calls, awaited; they may overlap."""
