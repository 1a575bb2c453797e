"""Snapshots of directories in a namespace in memory, and their differences."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing._inodes import Directory, File, Inode, Snapshot, Symlink, walk
from jvmwire.hadoop.testing._paths import SNAPSHOTS

if TYPE_CHECKING:
    from jvmwire.hadoop.testing._namespace import Namespace

_InodeT = TypeVar("_InodeT", bound=Inode)

MAX_SNAPSHOTS = 65536
"""The default of `dfs.namenode.snapshot.max.limit`."""


def take(namespace: Namespace, directory: Directory, name: str) -> Snapshot:
    """Take a snapshot of a directory.

    Args:
        namespace: The namespace.
        directory: The directory.
        name: Name of the snapshot.

    Returns:
        The snapshot.

    Raises:
        HadoopError: the directory may not have snapshots or has one of that name.
    """
    snapshots = of(directory)
    _check_name(directory, name)
    if len(snapshots) >= MAX_SNAPSHOTS:
        text = f"Failed to add snapshot: there are already {len(snapshots)} snapshot(s)"
        raise java.refuse(java.SNAPSHOT, text)
    namespace.reserve(directory.count)
    root = _copy(directory)
    root.name = f"{directory.path.rstrip('/')}/{SNAPSHOTS}/{name}"
    namespace.copied += root.count
    namespace.changed()
    made = Snapshot(namespace.transactions, name, root, namespace.clock())
    snapshots[name] = made
    return made


def remove(namespace: Namespace, directory: Directory, name: str) -> None:
    """Delete a snapshot.

    Args:
        namespace: The namespace.
        directory: The directory.
        name: Name of the snapshot.

    Raises:
        HadoopError: there is no such snapshot.
    """
    snapshot = get(directory, name)
    del of(directory)[name]
    namespace.copied -= snapshot.root.count
    namespace.changed()


def rename(namespace: Namespace, directory: Directory, old: str, new: str) -> None:
    """Rename a snapshot.

    Args:
        namespace: The namespace.
        directory: The directory.
        old: Its name.
        new: Its new name.

    Raises:
        HadoopError: there is no such snapshot, or one of the new name.
    """
    snapshot = get(directory, old)
    if old == new:
        return
    _check_name(directory, new)
    kept = of(directory)
    directory.snapshots = {new if name == old else name: each for name, each in kept.items()}
    snapshot.name = new
    snapshot.root.name = f"{directory.path.rstrip('/')}/{SNAPSHOTS}/{new}"
    namespace.changed()


def of(directory: Directory) -> dict[str, Snapshot]:
    """Return the snapshots of a directory that may have some.

    Args:
        directory: The directory.

    Returns:
        The snapshots by name.

    Raises:
        HadoopError: it may have none.
    """
    if directory.snapshots is None:
        text = f"Directory is not a snapshottable directory: {directory.path}"
        raise java.refuse(java.SNAPSHOT, text)
    return directory.snapshots


def get(directory: Directory, name: str) -> Snapshot:
    """Return a snapshot of a directory.

    Args:
        directory: The directory.
        name: Name of the snapshot.

    Returns:
        The snapshot.

    Raises:
        HadoopError: there is none.
    """
    found = of(directory).get(name)
    if found is None:
        text = f"Cannot find the snapshot of directory {directory.path} with name {name}"
        raise java.refuse(java.SNAPSHOT, text)
    return found


def differences(directory: Directory, before: str, after: str) -> list[dict[str, Any]]:
    """Return what changed between two snapshots of a directory.

    Args:
        directory: The directory.
        before: Name of a snapshot; empty for the present state.
        after: Name of a snapshot; empty for the present state.

    Returns:
        Fields of `SnapshotDiffReportEntryProto`.

    Raises:
        HadoopError: there is no such snapshot.
    """
    old, new = (
        _by_number(get(directory, name).root if name else directory) for name in (before, after)
    )
    found = [
        {"fullpath": path.encode(), "modification_label": "M"}
        for number, (path, inode) in new.items()
        if number in old and _is_modified(old[number][1], inode)
    ]
    found += [
        {"fullpath": path.encode(), "modification_label": "-"}
        for number, (path, inode) in old.items()
        if number not in new and _parent_is_in(inode, new)
    ]
    for number, (path, inode) in new.items():
        if number not in old:
            if _parent_is_in(inode, old):
                found.append({"fullpath": path.encode(), "modification_label": "+"})
        elif path and _is_renamed(old[number][1], inode):
            entry = {"fullpath": old[number][0].encode(), "modification_label": "R"}
            found.append(entry | {"target_path": path.encode()})
    return found


def _by_number(root: Directory) -> dict[int, tuple[str, Inode]]:
    paths = {root.inode_id: ""}
    found: dict[int, tuple[str, Inode]] = {}
    for inode in walk(root):
        if inode is not root and inode.parent is not None:
            above = paths[inode.parent.inode_id]
            paths[inode.inode_id] = f"{above}/{inode.name}" if above else inode.name
        found[inode.inode_id] = (paths[inode.inode_id], inode)
    return found


def _is_modified(old: Inode, new: Inode) -> bool:
    if isinstance(old, Directory) and isinstance(new, Directory):
        entries = ({each.inode_id: name for name, each in of.children.items()} for of in (old, new))
        before, after = entries
        if before != after:
            return True
    return _attributes(old) != _attributes(new)


def _attributes(inode: Inode) -> tuple[object, ...]:
    length = inode.length if isinstance(inode, File) else 0
    target = inode.target if isinstance(inode, Symlink) else ""
    about = (inode.owner, inode.group, inode.permission, inode.acl, inode.xattrs)
    return (*about, inode.storage_policy, length, target)


def _is_renamed(old: Inode, new: Inode) -> bool:
    above = [each.parent.inode_id if each.parent is not None else None for each in (old, new)]
    return (old.name, above[0]) != (new.name, above[1])


def _parent_is_in(inode: Inode, other: dict[int, tuple[str, Inode]]) -> bool:
    return inode.parent is not None and inode.parent.inode_id in other


def _check_name(directory: Directory, name: str) -> None:
    if not name or "/" in name or name == SNAPSHOTS:
        text = f'Snapshot name cannot contain "/" or be reserved, got "{name}"'
        raise java.refuse(java.SNAPSHOT, text)
    if name in of(directory):
        text = f'Failed to add snapshot: there is already a snapshot with the same name "{name}".'
        raise java.refuse(java.SNAPSHOT, text)


def _copy(directory: Directory) -> Directory:
    """Copy a tree with the numbers of its inodes."""
    root = _copy_one(directory)
    copies: dict[int, Directory] = {directory.inode_id: root}
    for inode in walk(directory):
        if inode is directory or inode.parent is None:
            continue
        made = _copy_one(inode)
        if isinstance(made, Directory):
            copies[inode.inode_id] = made
        copies[inode.parent.inode_id].attach(made)
    return root


def _copy_one(inode: _InodeT) -> _InodeT:
    made = copy.copy(inode)
    made.xattrs = dict(inode.xattrs)
    made.parent = None
    if isinstance(made, Directory):
        made.children, made.snapshots, made.inodes = {}, None, 1
        made.type_quotas = dict(made.type_quotas)
    return made
