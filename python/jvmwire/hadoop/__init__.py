"""Hadoop RPC: clients of a NameNode and of any other service, blocking and asyncio."""

from jvmwire.hadoop._client import AsyncHadoopClient, HadoopClient
from jvmwire.hadoop._config_mapping import (
    apply_name_service,
    find_namenodes,
    find_resource_managers,
    options_from_configuration,
)
from jvmwire.hadoop._configuration import HadoopConfiguration
from jvmwire.hadoop._observer_reads import ObserverReads
from jvmwire.hadoop._options import HadoopOptions
from jvmwire.hadoop.errors import HadoopError
from jvmwire.hadoop.namenode._acl import AclEntry, AclStatus
from jvmwire.hadoop.namenode._blocks import LocatedBlock, LocatedBlocks, Replica
from jvmwire.hadoop.namenode._choices import (
    AclEntryScope,
    AclEntryType,
    DatanodeReportType,
    DiffType,
    FsAction,
    HAServiceState,
)
from jvmwire.hadoop.namenode._client import AsyncNameNode, NameNode
from jvmwire.hadoop.namenode._cluster import (
    DatanodeInfo,
    DatanodeReport,
    FsStats,
    ServerDefaults,
)
from jvmwire.hadoop.namenode._listing import Listing
from jvmwire.hadoop.namenode._snapshots import Snapshot, SnapshotDiffEntry, SnapshottableDirectory
from jvmwire.hadoop.namenode._status import FileFlags, FileInfos, FileStatus, FileType
from jvmwire.hadoop.namenode._summary import ContentSummary, QuotaUsage, TypeQuota
from jvmwire.hadoop.namenode._traversal import DirectoryContent

__all__ = [
    "AclEntry",
    "AclEntryScope",
    "AclEntryType",
    "AclStatus",
    "AsyncHadoopClient",
    "AsyncNameNode",
    "ContentSummary",
    "DatanodeInfo",
    "DatanodeReport",
    "DatanodeReportType",
    "DiffType",
    "DirectoryContent",
    "FileFlags",
    "FileInfos",
    "FileStatus",
    "FileType",
    "FsAction",
    "FsStats",
    "HAServiceState",
    "HadoopClient",
    "HadoopConfiguration",
    "HadoopError",
    "HadoopOptions",
    "Listing",
    "LocatedBlock",
    "LocatedBlocks",
    "NameNode",
    "ObserverReads",
    "QuotaUsage",
    "Replica",
    "ServerDefaults",
    "Snapshot",
    "SnapshotDiffEntry",
    "SnapshottableDirectory",
    "TypeQuota",
    "apply_name_service",
    "connect",
    "connect_async",
    "find_namenodes",
    "find_resource_managers",
    "options_from_configuration",
]

connect = NameNode.connect
"""Return a connected client of a NameNode: `NameNode.connect`."""
connect_async = AsyncNameNode.connect
"""Return a connected asyncio client of a NameNode: `AsyncNameNode.connect`."""
