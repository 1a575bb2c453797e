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
from jvmwire.hadoop.errors import (
    AccessDenied,
    AlreadyExists,
    AuthenticationRequired,
    DirectoryNotEmpty,
    FileNotFound,
    HadoopError,
    IllegalArgument,
    InvalidListing,
    InvalidPath,
    InvalidToken,
    LeaseRefused,
    NoSuchMethod,
    NoSuchProtocol,
    NotADirectory,
    ObserverBehind,
    PathIsLink,
    QuotaExceeded,
    Retriable,
    RetryUnknown,
    SafeMode,
    SnapshotRefused,
    Standby,
    VersionMismatch,
)
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
    "AccessDenied",
    "AclEntry",
    "AclEntryScope",
    "AclEntryType",
    "AclStatus",
    "AlreadyExists",
    "AsyncHadoopClient",
    "AsyncNameNode",
    "AuthenticationRequired",
    "ContentSummary",
    "DatanodeInfo",
    "DatanodeReport",
    "DatanodeReportType",
    "DiffType",
    "DirectoryContent",
    "DirectoryNotEmpty",
    "FileFlags",
    "FileInfos",
    "FileNotFound",
    "FileStatus",
    "FileType",
    "FsAction",
    "FsStats",
    "HAServiceState",
    "HadoopClient",
    "HadoopConfiguration",
    "HadoopError",
    "HadoopOptions",
    "IllegalArgument",
    "InvalidListing",
    "InvalidPath",
    "InvalidToken",
    "LeaseRefused",
    "Listing",
    "LocatedBlock",
    "LocatedBlocks",
    "NameNode",
    "NoSuchMethod",
    "NoSuchProtocol",
    "NotADirectory",
    "ObserverBehind",
    "ObserverReads",
    "PathIsLink",
    "QuotaExceeded",
    "QuotaUsage",
    "Replica",
    "Retriable",
    "RetryUnknown",
    "SafeMode",
    "ServerDefaults",
    "Snapshot",
    "SnapshotDiffEntry",
    "SnapshotRefused",
    "SnapshottableDirectory",
    "Standby",
    "TypeQuota",
    "VersionMismatch",
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
