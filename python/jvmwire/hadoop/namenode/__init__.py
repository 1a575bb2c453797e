"""NameNode client for all metadata of HDFS: files, attributes, snapshots, the cluster, trees."""

from jvmwire._lazy import lazy_exports

TYPE_CHECKING = False  # importing `typing` itself takes time
if TYPE_CHECKING:
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
    from jvmwire.hadoop.namenode._snapshots import (
        Snapshot,
        SnapshotDiffEntry,
        SnapshottableDirectory,
    )
    from jvmwire.hadoop.namenode._status import FileFlags, FileInfos, FileStatus, FileType
    from jvmwire.hadoop.namenode._summary import ContentSummary, QuotaUsage, TypeQuota
    from jvmwire.hadoop.namenode._traversal import DirectoryContent
else:
    __getattr__ = lazy_exports(
        __name__,
        AclEntry="_acl",
        AclEntryScope="_choices",
        AclEntryType="_choices",
        AclStatus="_acl",
        AsyncNameNode="_client",
        ContentSummary="_summary",
        DatanodeInfo="_cluster",
        DatanodeReport="_cluster",
        DatanodeReportType="_choices",
        DiffType="_choices",
        DirectoryContent="_traversal",
        FileFlags="_status",
        FileInfos="_status",
        FileStatus="_status",
        FileType="_status",
        FsAction="_choices",
        FsStats="_cluster",
        HAServiceState="_choices",
        Listing="_listing",
        LocatedBlock="_blocks",
        LocatedBlocks="_blocks",
        NameNode="_client",
        QuotaUsage="_summary",
        Replica="_blocks",
        ServerDefaults="_cluster",
        Snapshot="_snapshots",
        SnapshotDiffEntry="_snapshots",
        SnapshottableDirectory="_snapshots",
        TypeQuota="_summary",
    )

__all__ = [
    "AclEntry",
    "AclEntryScope",
    "AclEntryType",
    "AclStatus",
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
    "Listing",
    "LocatedBlock",
    "LocatedBlocks",
    "NameNode",
    "QuotaUsage",
    "Replica",
    "ServerDefaults",
    "Snapshot",
    "SnapshotDiffEntry",
    "SnapshottableDirectory",
    "TypeQuota",
]
