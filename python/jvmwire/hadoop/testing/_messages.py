"""The messages that tell of a namespace's files and directories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.hadoop.testing._acls import complete
from jvmwire.hadoop.testing._inodes import Directory, File, Inode, Symlink, walk
from jvmwire.hadoop.testing._policies import ec_policy_message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire.hadoop.testing._acls import AclEntry
    from jvmwire.hadoop.testing._inodes import Snapshot

HAS_ACL, HAS_EC, SNAPSHOT_ENABLED = 1, 4, 8
"""Flags of `HdfsFileStatusProto`."""
NO_QUOTA = (1 << 64) - 1
"""The number -1 in a field without a sign."""
REPLICATED = "Replicated"
"""The erasure coding policy of a summary of a file that has none."""
POOL = "BP-jvmwire-double"


def status(inode: Inode, name: str = "", *, located: bool = False) -> dict[str, Any]:
    """Return the status of an inode as a `HdfsFileStatusProto`.

    Args:
        inode: The inode.
        name: Name of the inode in the answer. Default: empty, for the path of the request.
        located: Whether to name the blocks. Default: False.

    Returns:
        The fields.
    """
    fields: dict[str, Any] = {
        "file_type": inode.kind,
        "path": name.encode(),
        "length": 0,
        "permission": {"perm": inode.permission},
        "owner": inode.owner,
        "group": inode.group,
        "modification_time": inode.modified,
        "access_time": inode.accessed,
        "file_id": inode.inode_id,
        "storage_policy": storage_policy(inode),
        "flags": HAS_ACL if inode.acl is not None else 0,
    }
    if isinstance(inode, File):
        fields["length"] = inode.length
        fields["block_replication"] = inode.replication
        fields["blocksize"] = inode.block_size
        fields["children_num"] = 0
        if located:
            fields["locations"] = locations(inode)
    elif isinstance(inode, Directory):
        fields["children_num"] = len(inode.children)
        if inode.snapshots is not None and inode.parent is not None:
            fields["flags"] |= SNAPSHOT_ENABLED
    elif isinstance(inode, Symlink):
        fields["symlink"] = inode.target.encode()
    policy = ec_policy(inode)
    if policy is not None:
        fields["ec_policy"] = ec_policy_message(policy, is_enabled=True)
        fields["flags"] |= HAS_EC
    return fields


def locations(file: File) -> dict[str, Any]:
    """Return the blocks of a file, which no DataNode holds, as a `LocatedBlocksProto`.

    Args:
        file: The file.

    Returns:
        The fields.
    """
    blocks = [
        {
            "b": {
                "pool_id": POOL,
                "block_id": (file.inode_id << 20) + at // file.block_size,
                "generation_stamp": 1001,
                "num_bytes": min(file.block_size, file.length - at),
            },
            "offset": at,
            "corrupt": False,
            "block_token": {"identifier": b"", "password": b"", "kind": "", "service": ""},
        }
        for at in range(0, file.length, file.block_size)
    ]
    return {
        "file_length": file.length,
        "blocks": blocks,
        "under_construction": file.writer is not None,
        "is_last_block_complete": True,
    } | ({"last_block": blocks[-1]} if blocks else {})


def ec_policy(inode: Inode) -> str | None:
    """Return the name of the erasure coding policy of an inode, its own or an inherited one.

    Args:
        inode: The inode.

    Returns:
        The name, or None.
    """
    for each in (inode, *inode.ancestors()):
        if isinstance(each, Directory) and each.ec_policy is not None:
            return each.ec_policy or None
    return None


def storage_policy(inode: Inode) -> int:
    """Return the number of the storage policy of an inode, its own or an inherited one.

    Args:
        inode: The inode.

    Returns:
        The number; 0 if no directory above has a policy.
    """
    inodes = () if isinstance(inode, Symlink) else (inode, *inode.ancestors())
    return next((each.storage_policy for each in inodes if each.storage_policy), 0)


def acl_status(inode: Inode) -> dict[str, Any]:
    """Return the access control list of an inode as an `AclStatusProto`.

    Args:
        inode: The inode.

    Returns:
        The fields: entries that the permission bits imply are left out.
    """
    entries = complete(inode.permission, inode.acl) if inode.acl is not None else []
    shown = [
        entry
        for entry in entries
        if entry.scope == "DEFAULT"
        or entry.name
        or (entry.kind == "GROUP" and _has_access(entries))
    ]
    return {
        "owner": inode.owner,
        "group": inode.group,
        "sticky": bool(inode.permission & 0o1000),
        "entries": [entry.message for entry in shown],
        "permission": {"perm": inode.permission},
    }


def _has_access(entries: Iterable[AclEntry]) -> bool:
    """Return whether a list has a mask for access, which the bits of the group show instead."""
    return any(entry.key == ("ACCESS", "MASK", "") for entry in entries)


def content_summary(inode: Inode) -> dict[str, Any]:
    """Return what a tree contains as a `ContentSummaryProto`.

    Args:
        inode: Root of the tree.

    Returns:
        The fields.
    """
    files = [each for each in walk(inode) if isinstance(each, File)]
    summary = {
        "length": sum(file.length for file in files),
        "file_count": sum(not isinstance(each, Directory) for each in walk(inode)),
        "directory_count": sum(isinstance(each, Directory) for each in walk(inode)),
        "space_consumed": sum(file.replica_bytes for file in files),
    }
    policy = ec_policy(inode) or (REPLICATED if isinstance(inode, File) else None)
    return summary | _quotas(inode) | ({"erasure_coding_policy": policy} if policy else {})


def quota_usage(inode: Inode) -> dict[str, Any]:
    """Return the quotas of a tree and what it uses as a `QuotaUsageProto`.

    Args:
        inode: Root of the tree.

    Returns:
        The fields.
    """
    used = {"file_and_directory_count": inode.count, "space_consumed": inode.replica_bytes}
    return used | _quotas(inode)


def _quotas(inode: Inode) -> dict[str, Any]:
    quota = space_quota = None
    types: dict[str, int] = {}
    if isinstance(inode, Directory):
        quota, space_quota, types = inode.namespace_quota, inode.space_quota, inode.type_quotas
    fields: dict[str, Any] = {
        "quota": NO_QUOTA if quota is None else quota,
        "space_quota": NO_QUOTA if space_quota is None else space_quota,
    }
    if types:
        infos = [{"type": kind, "quota": value, "consumed": 0} for kind, value in types.items()]
        fields["type_quota_infos"] = {"type_quota_info": infos}
    return fields


def snapshot_status(directory: Directory, snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as a `SnapshotStatusProto`.

    Args:
        directory: The directory that it was taken of.
        snapshot: The snapshot.

    Returns:
        The fields.
    """
    return {
        "dir_status": status(snapshot.root, snapshot.name)
        | {"modification_time": snapshot.created},
        "snapshot_id": snapshot.number,
        "parent_fullpath": directory.path.encode(),
        "is_deleted": False,
    }


def snapshottable_status(directory: Directory) -> dict[str, Any]:
    """Return a directory that may have snapshots as a `SnapshottableDirectoryStatusProto`.

    Args:
        directory: The directory.

    Returns:
        The fields.
    """
    above = directory.parent.path if directory.parent is not None else ""
    return {
        "dir_status": status(directory, directory.name),
        "snapshot_quota": 65536,
        "snapshot_number": len(directory.snapshots or {}),
        "parent_fullpath": above.encode(),
    }
