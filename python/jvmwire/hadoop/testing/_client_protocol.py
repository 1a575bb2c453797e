"""`ClientProtocol` of a NameNode, answered from a namespace in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire.hadoop.errors import HadoopError
from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing import _messages as messages
from jvmwire.hadoop.testing import _snapshots as snapshots
from jvmwire.hadoop.testing._attributes import AttributeMethods
from jvmwire.hadoop.testing._inodes import Directory, File, Inode, Symlink, walk
from jvmwire.hadoop.testing._paths import SNAPSHOTS, split
from jvmwire.hadoop.testing._permissions import EXECUTE, READ, WRITE

if TYPE_CHECKING:
    from jvmwire.hadoop.testing._permissions import User

Fields = dict[str, Any]

LISTING_LIMIT = 1000
"""Number of entries that one listing returns: the default of `dfs.ls.limit`."""
OVERWRITE = 2
"""Bit of `CreateFlagProto`."""
WRITES = frozenset(
    (
        *("addBlock", "append", "complete", "concat", "create", "createSymlink", "delete", "fsync"),
        *("mkdirs", "recoverLease", "rename", "rename2", "truncate"),
        *(
            "allowSnapshot",
            "disallowSnapshot",
            "createSnapshot",
            "deleteSnapshot",
            "renameSnapshot",
        ),
        *("modifyAclEntries", "removeAcl", "removeAclEntries", "removeDefaultAcl", "setAcl"),
        *("removeXAttr", "setOwner", "setPermission", "setReplication", "setTimes", "setXAttr"),
        *("setErasureCodingPolicy", "setQuota", "setStoragePolicy"),
        *("unsetErasureCodingPolicy", "unsetStoragePolicy"),
    )
)
"""Methods that change the namespace, which safe mode forbids."""
ALWAYS = frozenset(["getHAServiceState", "setSafeMode"])
"""Methods that a standby answers too."""


class ClientProtocol(AttributeMethods):
    """The calls of clients: each method takes the fields of its request and returns its answer's.

    Args:
        namespace: The namespace.
        trash_interval: Minutes that clients keep deleted files in their trash.
    """

    # Files and directories

    def get_file_info(self, user: User, request: Fields) -> Fields:
        return self._status(user, request["src"])

    def get_file_link_info(self, user: User, request: Fields) -> Fields:
        return self._status(user, request["src"], follow=False)

    def get_located_file_info(self, user: User, request: Fields) -> Fields:
        return self._status(user, request["src"], located=True)

    def _status(
        self, user: User, path: str, *, follow: bool = True, located: bool = False
    ) -> Fields:
        if user.is_superuser and self.namespace.is_below_file(path):
            return {}  # only others are told
        found = self.namespace.find(user, path, follow=follow)
        return {} if found is None else {"fs": messages.status(found, located=located)}

    def is_file_closed(self, user: User, request: Fields) -> Fields:
        return {"result": self.file(user, request["src"]).writer is None}

    def get_block_locations(self, user: User, request: Fields) -> Fields:
        file = self.file(user, request["src"])
        user.check(file, READ)
        return {"locations": messages.locations(file)}

    def get_preferred_block_size(self, user: User, request: Fields) -> Fields:
        return {"bsize": self.file(user, request["filename"]).block_size}

    def get_link_target(self, user: User, request: Fields) -> Fields:
        found = self.namespace.find(user, request["path"], follow=False)
        if found is None:
            raise java.missing(request["path"])
        if not isinstance(found, Symlink):
            raise java.refuse(java.IO, f"Path {request['path']} is not a symbolic link")
        return {"target_path": found.target}

    def get_listing(self, user: User, request: Fields) -> Fields:
        start = request["start_after"].decode(errors="surrogateescape")
        page = self._page(
            user, request["src"], start, LISTING_LIMIT, located=request["need_location"]
        )
        if page is None:
            return {}
        entries, remaining = page
        return {"dir_list": {"partial_listing": entries, "remaining_entries": remaining}}

    def _page(
        self, user: User, path: str, start: str, limit: int, *, located: bool
    ) -> tuple[list[Fields], int] | None:
        parts = split(path)
        found = self.namespace.find(user, path)
        if parts[-1:] == [SNAPSHOTS] and isinstance(found, Directory):
            listed: list[tuple[str, Inode]] = [
                (each.name, each.root) for each in snapshots.of(found).values()
            ]
        elif isinstance(found, Directory):
            user.check(found, READ | EXECUTE)
            listed = list(found.children.items())
        elif found is None:
            return None
        else:
            return [messages.status(found, located=located)], 0
        # Java compares the bytes of names.
        rest = sorted(
            ((n.encode(), n, i) for n, i in listed if n.encode() > start.encode()),
            key=lambda entry: entry[0],
        )
        shown = [messages.status(inode, name, located=located) for _, name, inode in rest[:limit]]
        return shown, max(0, len(rest) - limit)

    def get_batched_listing(self, user: User, request: Fields) -> Fields:
        paths, room = request["paths"], LISTING_LIMIT
        at, _, start = request["start_after"].partition(b"\0")
        index, after = int(at or b"0"), start.decode()
        listings: list[Fields] = []
        while index < len(paths) and room > 0:
            listing: Fields = {"parent_idx": index, "partial_listing": []}
            try:
                page = self._page(user, paths[index], after, room, located=request["need_location"])
                if page is None:
                    raise java.missing(paths[index])
            except HadoopError as error:
                about = {"class_name": error.java_class, "message": str(error)}
                listings.append(listing | {"exception": about})
            else:
                entries, remaining = page
                room -= len(entries)
                listings.append(listing | {"partial_listing": entries})
                if remaining:
                    after = entries[-1]["path"].decode()
                    return _incomplete_batch(listings, index, after)
            index, after = index + 1, ""
        return _incomplete_batch(listings, index, "") if index < len(paths) else _done(listings)

    def mkdirs(self, user: User, request: Fields) -> Fields:
        mode, unmasked = _modes(request)
        self.namespace.mkdirs(
            user, request["src"], mode, unmasked, create_parent=request["create_parent"]
        )
        return {"result": True}

    def create(self, user: User, request: Fields) -> Fields:
        mode, unmasked = _modes(request)
        made = self.namespace.create(
            user,
            request["src"],
            permission=mode,
            unmasked=unmasked,
            replication=request["replication"],
            block_size=request["block_size"],
            writer=request["client_name"],
            overwrite=bool(request["create_flag"] & OVERWRITE),
            create_parent=request["create_parent"],
        )
        return {"fs": messages.status(made)}

    def append(self, user: User, request: Fields) -> Fields:
        file = self.file(user, request["src"])
        user.check(file, WRITE)
        file.writer = request["client_name"]
        return {"stat": messages.status(file)}

    def add_block(self, user: User, request: Fields) -> Fields:
        self.file(user, request["src"])
        raise java.refuse(
            java.IO,
            f"File {request['src']} could only be written to 0 of the 1 minReplication nodes. "
            "There are 0 datanode(s) running: the double of a NameNode has none.",
        )

    def complete(self, user: User, request: Fields) -> Fields:
        file = self.file(user, request["src"])
        if file.writer not in (None, request["client_name"]):
            text = f"Client {request['client_name']} is not the lease owner of {request['src']}"
            raise java.refuse(java.LEASE_EXPIRED, text)
        file.writer = None
        return {"result": True}

    def abandon_block(self, user: User, request: Fields) -> Fields:
        return {}

    def fsync(self, user: User, request: Fields) -> Fields:
        self.file(user, request["src"])
        return {}

    def renew_lease(self, user: User, request: Fields) -> Fields:
        return {}

    def recover_lease(self, user: User, request: Fields) -> Fields:
        file = self.file(user, request["src"])
        user.check(file, WRITE)
        file.writer = None
        return {"result": True}

    def truncate(self, user: User, request: Fields) -> Fields:
        file = self.file(user, request["src"])
        user.check(file, WRITE)
        if request["new_length"] > file.length:
            text = (
                f"Cannot truncate to a larger file size. Current size: {file.length}, truncate "
                f"size: {request['new_length']}."
            )
            raise java.refuse(java.ILLEGAL_ARGUMENT, text)
        file.length, file.modified = request["new_length"], self.namespace.clock()
        self.namespace.changed()
        return {"result": True}

    def delete(self, user: User, request: Fields) -> Fields:
        found = self.namespace.delete(user, request["src"], recursive=request["recursive"])
        return {"result": found}

    def rename(self, user: User, request: Fields) -> Fields:
        return {"result": self.namespace.move(user, request["src"], request["dst"])}

    def rename2(self, user: User, request: Fields) -> Fields:
        overwrite = request["overwrite_dest"]
        self.namespace.rename(user, request["src"], request["dst"], overwrite=overwrite)
        return {}

    def create_symlink(self, user: User, request: Fields) -> Fields:
        create_parent = request["create_parent"]
        self.namespace.symlink(
            user, request["target"], request["link"], create_parent=create_parent
        )
        return {}

    def list_open_files(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        entries = [
            {
                "id": inode.inode_id,
                "path": inode.path,
                "client_name": inode.writer,
                "client_machine": "",
            }
            for inode in walk(self.namespace.root)
            if isinstance(inode, File) and inode.writer is not None
        ]
        return {"entries": entries[:LISTING_LIMIT], "has_more": False, "types": request["types"]}

    # Snapshots

    def allow_snapshot(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        directory = self.directory(user, request["snapshot_root"])
        if directory.snapshots is None:
            directory.snapshots = {}
            self.namespace.changed()
        return {}

    def disallow_snapshot(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        directory = self.directory(user, request["snapshot_root"])
        if snapshots.of(directory):
            text = (
                f"The directory {directory.path} has snapshot(s). Please redo the operation after "
                "removing all the snapshots."
            )
            raise java.refuse(java.SNAPSHOT, text)
        directory.snapshots = None
        self.namespace.changed()
        return {}

    def create_snapshot(self, user: User, request: Fields) -> Fields:
        directory = self._own_root(user, request)
        name = request.get("snapshot_name") or f"s{self.namespace.clock()}"
        taken = snapshots.take(self.namespace, directory, name)
        return {"snapshot_path": taken.root.path}

    def delete_snapshot(self, user: User, request: Fields) -> Fields:
        directory = self._own_root(user, request)
        snapshots.remove(self.namespace, directory, request["snapshot_name"])
        return {}

    def rename_snapshot(self, user: User, request: Fields) -> Fields:
        directory = self._own_root(user, request)
        names = request["snapshot_old_name"], request["snapshot_new_name"]
        snapshots.rename(self.namespace, directory, *names)
        return {}

    def get_snapshot_diff_report(self, user: User, request: Fields) -> Fields:
        directory = self.directory(user, request["snapshot_root"])
        user.check(directory, READ)
        names = request["from_snapshot"], request["to_snapshot"]
        return {
            "diff_report": {
                "snapshot_root": request["snapshot_root"],
                "from_snapshot": names[0],
                "to_snapshot": names[1],
                "diff_report_entries": snapshots.differences(directory, *names),
            }
        }

    def get_snapshot_diff_report_listing(self, user: User, request: Fields) -> Fields:
        raise java.refuse(
            "org.apache.hadoop.ipc.RpcNoSuchMethodException",
            "Unknown method getSnapshotDiffReportListing: the double has getSnapshotDiffReport",
        )

    def get_snapshottable_dir_listing(self, user: User, request: Fields) -> Fields:
        found = [
            messages.snapshottable_status(inode)
            for inode in walk(self.namespace.root)
            if isinstance(inode, Directory)
            and inode.snapshots is not None
            and inode.parent is not None
            and (user.is_superuser or user.name == inode.owner)
        ]
        return {"snapshottable_dir_list": {"snapshottable_dir_listing": found}} if found else {}

    def get_snapshot_listing(self, user: User, request: Fields) -> Fields:
        directory = self.directory(user, request["snapshot_root"])
        taken = snapshots.of(directory).values()
        listed = [messages.snapshot_status(directory, each) for each in taken]
        return {"snapshot_list": {"snapshot_listing": listed}}

    def _own_root(self, user: User, request: Fields) -> Directory:
        directory = self.directory(user, request["snapshot_root"])
        user.check_owner(directory)
        return directory

    # The cluster

    def get_server_defaults(self, user: User, request: Fields) -> Fields:
        return {
            "server_defaults": {
                "block_size": 128 << 20,
                "bytes_per_checksum": 512,
                "write_packet_size": 65536,
                "replication": 3,
                "file_buffer_size": 4096,
                "encrypt_data_transfer": False,
                "trash_interval": self.trash_interval,
                "checksum_type": "CHECKSUM_CRC32C",
            }
        }

    def get_fs_stats(self, user: User, request: Fields) -> Fields:
        names = (
            "capacity", "used", "remaining", "under_replicated", "corrupt_blocks", "missing_blocks",
            "missing_repl_one_blocks", "blocks_in_future", "pending_deletion_blocks",
        )  # fmt: skip
        return dict.fromkeys(names, 0)

    def get_datanode_report(self, user: User, request: Fields) -> Fields:
        return {"di": []}

    def get_datanode_storage_report(self, user: User, request: Fields) -> Fields:
        return {"datanode_storage_reports": []}

    def get_slow_datanode_report(self, user: User, request: Fields) -> Fields:
        return {"datanode_info_proto": []}

    def list_corrupt_file_blocks(self, user: User, request: Fields) -> Fields:
        return {"corrupt": {"files": [], "cookie": request.get("cookie", "")}}

    def get_current_edit_log_txid(self, user: User, request: Fields) -> Fields:
        return {"txid": self.namespace.transactions}

    def get_delegation_token(self, user: User, request: Fields) -> Fields:
        return {}  # as a NameNode without security

    def set_safe_mode(self, user: User, request: Fields) -> Fields:
        action = request["action"]
        if action != "SAFEMODE_GET":
            user.check_superuser()
            self.is_in_safe_mode = action == "SAFEMODE_ENTER"
        return {"result": self.is_in_safe_mode}

    def save_namespace(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        if not self.is_in_safe_mode:
            text = "Safe mode should be turned ON in order to create namespace image."
            raise java.refuse(java.IO, text)
        return {"saved": True}

    def refresh_nodes(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        return {}

    def roll_edits(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        self.namespace.changed()
        return {"new_segment_tx_id": self.namespace.transactions}

    def upgrade_status(self, user: User, request: Fields) -> Fields:
        return {"upgrade_finalized": True}

    def finalize_upgrade(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        return {}

    def msync(self, user: User, request: Fields) -> Fields:
        return {}

    def list_cache_pools(self, user: User, request: Fields) -> Fields:
        return {"entries": [], "has_more": False}

    def list_cache_directives(self, user: User, request: Fields) -> Fields:
        return {"elements": [], "has_more": False}

    def list_encryption_zones(self, user: User, request: Fields) -> Fields:
        user.check_superuser()
        return {"zones": [], "has_more": False}

    def get_ez_for_path(self, user: User, request: Fields) -> Fields:
        self.namespace.existing(user, request["src"])
        return {}

    def get_enclosing_root(self, user: User, request: Fields) -> Fields:
        return {"enclosing_root_path": "/"}


def _modes(request: Fields) -> tuple[int, int]:
    """Return the permission bits of a request with and without the client's umask."""
    mode = request["masked"]["perm"]
    return mode, request.get("unmasked", {}).get("perm", mode)


def _incomplete_batch(listings: list[Fields], index: int, after: str) -> Fields:
    place = b"%d\0%s" % (index, after.encode())
    return {"listings": listings, "has_more": True, "start_after": place}


def _done(listings: list[Fields]) -> Fields:
    return {"listings": listings, "has_more": False, "start_after": b""}
