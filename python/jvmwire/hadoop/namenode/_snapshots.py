"""Snapshot calls of the NameNode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop.namenode._choices import DiffType
from jvmwire.hadoop.namenode._status import FileStatus, decode_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop.namenode._paths import StrPath


@dataclass(frozen=True, slots=True)
class SnapshottableDirectory:
    """Directory that allows snapshots.

    Attributes:
        status: The status of the directory.
        snapshot_number: The number of existing snapshots.
        snapshot_quota: The largest number of snapshots.
    """

    status: FileStatus
    snapshot_number: int
    snapshot_quota: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Snapshot of a directory.

    Attributes:
        name: The name.
        status: The status of the directory in the snapshot, with the path `.../.snapshot/name`.
        snapshot_id: The number of the snapshot.
        deleted: Whether it is marked as deleted.
    """

    name: str
    status: FileStatus
    snapshot_id: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class SnapshotDiffEntry:
    """Difference between two snapshots at one path, which is relative to the directory.

    Attributes:
        kind: The kind, a member of `DiffType`, which is equal to its name; the label of the report
            if it is of none of these kinds.
        path: The path, relative to the directory.
        target: The new path of a renamed file or directory.
    """

    kind: DiffType | str
    path: str
    target: str | None = None


# The labels of the report: DFSUtilClient, INode.DiffType.
_KINDS = {
    "+": DiffType.CREATE,
    "M": DiffType.MODIFY,
    "-": DiffType.DELETE,
    "R": DiffType.RENAME,
}


class SnapshotMethods(RpcMethods):
    """Calls that create, list, compare and delete snapshots."""

    @operation
    def allow_snapshot(self, path: StrPath) -> Operation[None]:
        """Allow snapshots of a directory.

        Args:
            path: Path of the directory.

        Source: ClientProtocol.allowSnapshot.
        """
        yield from self._invoke("allowSnapshot", {"snapshot_root": self._absolute(path)})

    @operation
    def disallow_snapshot(self, path: StrPath) -> Operation[None]:
        """Disallow snapshots of a directory, which must have none.

        Args:
            path: Path of the directory.

        Raises:
            SnapshotRefused: the directory has snapshots.

        Source: ClientProtocol.disallowSnapshot.
        """
        yield from self._invoke("disallowSnapshot", {"snapshot_root": self._absolute(path)})

    @operation
    def create_snapshot(self, path: StrPath, name: str | None = None) -> Operation[str]:
        """Create a snapshot of a directory.

        Args:
            path: Path of the directory.
            name: Name of the snapshot. Default: the server derives a name from the time.

        Returns:
            The path of the snapshot.

        Raises:
            SnapshotRefused: the directory does not allow snapshots.

        Source: ClientProtocol.createSnapshot.
        """
        asked = {"snapshot_root": self._absolute(path), "snapshot_name": name}
        made: str = (yield from self._invoke("createSnapshot", asked))["snapshot_path"]
        return made

    @operation
    def rename_snapshot(self, path: StrPath, old: str, new: str) -> Operation[None]:
        """Rename a snapshot.

        Args:
            path: Path of the directory.
            old: Name of the snapshot.
            new: New name of the snapshot.

        Raises:
            SnapshotRefused: the directory has no such snapshot.

        Source: ClientProtocol.renameSnapshot.
        """
        asked = {
            "snapshot_root": self._absolute(path),
            "snapshot_old_name": old,
            "snapshot_new_name": new,
        }
        yield from self._invoke("renameSnapshot", asked)

    @operation
    def delete_snapshot(self, path: StrPath, name: str) -> Operation[None]:
        """Delete a snapshot.

        Args:
            path: Path of the directory.
            name: Name of the snapshot.

        Raises:
            SnapshotRefused: the directory has no such snapshot.

        Source: ClientProtocol.deleteSnapshot.
        """
        asked = {"snapshot_root": self._absolute(path), "snapshot_name": name}
        yield from self._invoke("deleteSnapshot", asked)

    @operation
    def list_snapshottable_directories(self) -> Operation[list[SnapshottableDirectory]]:
        """Return the user's directories that allow snapshots; a superuser sees those of all users.

        Returns:
            The directories, with the numbers of their snapshots.

        Source: ClientProtocol.getSnapshottableDirListing.
        """
        answer = yield from self._invoke("getSnapshottableDirListing", {})
        listing = answer.get("snapshottable_dir_list", {}).get("snapshottable_dir_listing", [])
        return [
            SnapshottableDirectory(
                FileStatus.from_fields(decode_name(found["parent_fullpath"]), found["dir_status"]),
                found["snapshot_number"],
                found["snapshot_quota"],
            )
            for found in listing
        ]

    @operation
    def list_snapshots(self, path: StrPath) -> Operation[list[Snapshot]]:
        """Return the snapshots of a directory.

        Args:
            path: Path of the directory.

        Returns:
            The snapshots.

        Source: ClientProtocol.getSnapshotListing.
        """
        path = self._absolute(path)
        answer = yield from self._invoke("getSnapshotListing", {"snapshot_root": path})
        listing = answer.get("snapshot_list", {}).get("snapshot_listing", [])
        return [
            Snapshot(
                decode_name(found["dir_status"]["path"]),
                FileStatus.from_fields(f"{path.rstrip('/')}/.snapshot", found["dir_status"]),
                found["snapshot_id"],
                found["is_deleted"],
            )
            for found in listing
        ]

    @operation
    def diff_snapshots(
        self, path: StrPath, old: str, new: str = ""
    ) -> Operation[Sequence[SnapshotDiffEntry]]:
        """Return the differences of two snapshots of a directory, or of a snapshot and the present.

        Args:
            path: Path of the directory.
            old: Name of the earlier snapshot.
            new: Name of the later snapshot. Default: the empty name, which stands for the present.

        Returns:
            The differences.

        Source: ClientProtocol.getSnapshotDiffReport.
        """
        asked = {"snapshot_root": self._absolute(path), "from_snapshot": old, "to_snapshot": new}
        answer = yield from self._invoke("getSnapshotDiffReport", asked)
        entries = answer["diff_report"].get("diff_report_entries", [])
        return [
            SnapshotDiffEntry(
                _KINDS.get(entry["modification_label"], entry["modification_label"]),
                decode_name(entry["fullpath"]),
                decode_name(entry["target_path"]) if entry.get("target_path") else None,
            )
            for entry in entries
        ]
