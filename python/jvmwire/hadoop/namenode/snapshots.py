"""Snapshots of directories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._runtime.client import operation
from jvmwire.hadoop.client import RpcMethods
from jvmwire.hadoop.namenode.status import FileStatus, decode_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire._runtime.operations import Operation


@dataclass(frozen=True, slots=True)
class SnapshottableDirectory:
    """A directory that may have snapshots."""

    status: FileStatus
    snapshot_number: int
    """How many there are."""
    snapshot_quota: int
    """How many there may be."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a directory."""

    name: str
    status: FileStatus
    """Of the directory in it: its path is `.../.snapshot/name`."""
    snapshot_id: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class SnapshotDiffEntry:
    """What changed between two snapshots, at a path from their directory on."""

    kind: str
    """CREATE, MODIFY, DELETE or RENAME."""
    path: str
    target: str | None = None
    """What a renamed path is called now."""


# DFSUtilClient, INode.DiffType: what the report's labels stand for.
_KINDS = {"+": "CREATE", "M": "MODIFY", "-": "DELETE", "R": "RENAME"}


class SnapshotMethods(RpcMethods):
    """What can be done with snapshots."""

    @operation
    def allow_snapshot(self, path: str) -> Operation[None]:
        """Let a directory have snapshots."""
        yield from self._invoke("allowSnapshot", {"snapshot_root": self._absolute(path)})

    @operation
    def disallow_snapshot(self, path: str) -> Operation[None]:
        """Let a directory, which has none, no longer have snapshots."""
        yield from self._invoke("disallowSnapshot", {"snapshot_root": self._absolute(path)})

    @operation
    def create_snapshot(self, path: str, name: str | None = None) -> Operation[str]:
        """Take a snapshot; return its path. Without a name, the server names it by the time."""
        asked = {"snapshot_root": self._absolute(path), "snapshot_name": name}
        made: str = (yield from self._invoke("createSnapshot", asked))["snapshot_path"]
        return made

    @operation
    def rename_snapshot(self, path: str, old: str, new: str) -> Operation[None]:
        """Give a snapshot another name."""
        asked = {
            "snapshot_root": self._absolute(path),
            "snapshot_old_name": old,
            "snapshot_new_name": new,
        }
        yield from self._invoke("renameSnapshot", asked)

    @operation
    def delete_snapshot(self, path: str, name: str) -> Operation[None]:
        """Delete a snapshot."""
        asked = {"snapshot_root": self._absolute(path), "snapshot_name": name}
        yield from self._invoke("deleteSnapshot", asked)

    @operation
    def list_snapshottable_directories(self) -> Operation[list[SnapshottableDirectory]]:
        """Return the directories of ours that may have snapshots; a superuser sees all."""
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
    def list_snapshots(self, path: str) -> Operation[list[Snapshot]]:
        """Return the snapshots of a directory."""
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
        self, path: str, old: str, new: str = ""
    ) -> Operation[Sequence[SnapshotDiffEntry]]:
        """Return what changed from one snapshot to another, or to the present: the empty name."""
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
