"""File and directory calls of the NameNode: status, listing, creation, renaming, deletion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jvmwire._checks import MAX_LONG, check_range
from jvmwire._core import HadoopReplyTable
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Sleep
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop._commands import GetFileInfo, GetFileInfos
from jvmwire.hadoop.errors import FileNotFound, MetadataOnly, NotADirectory
from jvmwire.hadoop.namenode._blocks import LocatedBlocks
from jvmwire.hadoop.namenode._choices import ALL_BITS
from jvmwire.hadoop.namenode._listing import Listing, ListingSize, Page
from jvmwire.hadoop.namenode._status import FileInfos, FileStatus
from jvmwire.hadoop.namenode._summary import ContentSummary, QuotaUsage

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.hadoop.namenode._paths import StrPath

CREATE, OVERWRITE = 1, 2
"""The bits of `CreateFlagProto`."""
NEW_FILE, NEW_DIRECTORY = 0o666, 0o777
"""The permission bits of new files and directories before the umask: `FsCreateModes`."""
ENCRYPTION_ZONES = "ENCRYPTION_ZONES"
"""The encryption protocol version of clients, which a NameNode requires for creating files."""
COMPLETE_WAIT = 0.4
"""Seconds until `complete` is called again for a file that is not complete yet:
`dfs.client.block.write.locateFollowingBlock.initial.delay.ms`."""


class FileMethods(RpcMethods):
    """Calls that read and change files and directories."""

    @operation
    def get_file_info(self, path: StrPath) -> Operation[FileStatus | None]:
        """Return the status of a path.

        Args:
            path: Path of a file or directory.

        Returns:
            The status, or None if the path does not exist.

        Raises:
            PathIsLink: the path is a symbolic link, or leads through one; the client does not
                follow it.

        Source: ClientProtocol.getFileInfo.
        """
        found: FileStatus | None = yield from self._link().call(GetFileInfo(self._absolute(path)))
        return found

    @operation
    def exists(self, path: StrPath) -> Operation[bool]:
        """Return whether a path exists: a file or a directory.

        Args:
            path: Path of a file or directory.

        Returns:
            True if it exists; False if it does not, or if a parent of it is a file.

        Raises:
            AccessDenied: the user may not enter a parent of the path.
            PathIsLink: the path is a symbolic link, or leads through one; the client does not
                follow it.

        Source: ClientProtocol.getFileInfo.
        """
        try:
            found = yield from self._link().call(GetFileInfo(self._absolute(path)))
        except (FileNotFound, NotADirectory):
            return False
        return found is not None

    def open(self, path: StrPath, *_args: object, **_kwargs: object) -> NoReturn:
        """Raise `MetadataOnly`: the package does not read or write the bytes of files yet.

        Args:
            path: Path of a file.

        Raises:
            MetadataOnly: always.
        """
        raise MetadataOnly(
            f"{os.fspath(path)} cannot be opened: jvmwire does not read or write the bytes of HDFS "
            f"files yet"
        )

    @operation
    def get_file_infos(self, paths: Iterable[StrPath]) -> Operation[FileInfos]:
        """Fetch the status of many paths: one call per path, all in flight together.

        A path that does not exist, or that the server refuses, does not fail the other paths.

        Args:
            paths: Paths of files and directories.

        Returns:
            A sequence with one item per path, in order: a `FileStatus`, None if the path does not
            exist, or the `HadoopError` of a path that the server refused, which
            `raise_for_errors` raises. Arrow imports it as one record batch.

        Source: ClientProtocol.getFileInfo.
        """
        batch = GetFileInfos(self._all_absolute(paths))
        replies = HadoopReplyTable(0)
        if batch.paths:
            replies, *_ = yield from self._link().call(batch)
        return FileInfos(batch.paths, replies)

    @operation
    def get_file_link_info(self, path: StrPath) -> Operation[FileStatus | None]:
        """Return the status of a path; for a symbolic link, that of the link itself.

        Args:
            path: Path of a file, a directory or a symbolic link.

        Returns:
            The status, or None if the path does not exist.

        Source: ClientProtocol.getFileLinkInfo.
        """
        path = self._absolute(path)
        answer = yield from self._invoke("getFileLinkInfo", {"src": path})
        return FileStatus.from_fields(path, answer["fs"]) if "fs" in answer else None

    @operation_stream
    def get_listing(
        self, path: StrPath, *, need_location: bool = False
    ) -> OperationStream[FileStatus]:
        """Yield the status of each entry of a directory, in the NameNode's order of names.

        Each page is fetched after the previous one was consumed: concurrent changes may or may not
        be included.

        Args:
            path: Path of a directory, or of a file, which yields itself.
            need_location: Whether to include the block locations of files. Default: False.

        Yields:
            The status of each entry.

        Raises:
            FileNotFound: the path does not exist, or was deleted during the listing.
            InvalidListing: the name of an entry is impossible, or the pages do not end.

        Source: ClientProtocol.getListing.
        """
        path, start_after = self._absolute(path), b""
        size = ListingSize()
        while True:
            page = yield from self._page(path, start_after, need_location=need_location)
            size.add(page)
            for status in page.entries():
                yield Emit(status)
            if not page.remaining_entries:
                return
            start_after = page.last_name

    @operation
    def list_directory(self, path: StrPath) -> Operation[Listing]:
        """Return all entries of a directory, in the NameNode's order of names.

        Args:
            path: Path of a directory, or of a file, which is its own only entry.

        Returns:
            A sequence of `FileStatus`, which Arrow imports as one record batch.

        Raises:
            FileNotFound: the path does not exist, or was deleted during the listing.
            InvalidListing: the name of an entry is impossible, or the pages do not end.

        Source: ClientProtocol.getListing.
        """
        path = self._absolute(path)
        pages = [(yield from self._page(path, b""))]
        size = ListingSize()
        while pages[-1].remaining_entries:
            size.add(pages[-1])
            pages.append((yield from self._page(path, pages[-1].last_name)))
        return Listing(pages)

    def _page(
        self, path: str, start_after: bytes, *, need_location: bool = False
    ) -> Operation[Page]:
        asked = {"src": path, "start_after": start_after, "need_location": need_location}
        payload = yield from self._invoke_raw("getListing", asked)
        return Page.decode(path, start_after, payload)

    @operation
    def mkdirs(
        self, path: StrPath, *, permission: int = NEW_DIRECTORY, create_parent: bool = True
    ) -> Operation[None]:
        """Create a directory; an existing directory is left unchanged.

        Args:
            path: Path of the directory.
            permission: Permission bits before the umask. Default: 0o777.
            create_parent: Whether to create missing parents. Default: True.

        Raises:
            AlreadyExists, NotADirectory: the path or a parent of it is a file.
            FileNotFound: the parent does not exist, and `create_parent` is False.

        Source: ClientProtocol.mkdirs.
        """
        yield from self._invoke(
            "mkdirs",
            {
                "src": self._absolute(path),
                "create_parent": create_parent,
                **self._modes(permission),
            },
        )

    @operation
    def create(
        self,
        path: StrPath,
        *,
        overwrite: bool = False,
        create_parent: bool = True,
        permission: int = NEW_FILE,
        replication: int | None = None,
        block_size: int | None = None,
        storage_policy: str | None = None,
        ec_policy: str | None = None,
    ) -> Operation[FileStatus]:
        """Create an empty file and complete it.

        Args:
            path: Path of the file.
            overwrite: Whether to replace an existing file. Default: False.
            create_parent: Whether to create missing parents. Default: True.
            permission: Permission bits before the umask. Default: 0o666.
            replication: Number of replicas. Default: `HadoopOptions.replication`.
            block_size: Size of blocks in bytes. Default: `HadoopOptions.block_size`.
            storage_policy: Name of the storage policy. Default: inherited.
            ec_policy: Name of the erasure coding policy. Default: inherited.

        Returns:
            The status of the file as it was created.

        Raises:
            AlreadyExists: the file exists, and `overwrite` is False.
            FileNotFound: the parent does not exist, and `create_parent` is False.

        Source: ClientProtocol.create, ClientProtocol.complete.
        """
        path, options = self._absolute(path), self._options
        if block_size is not None:
            check_range("block_size", block_size, 0, MAX_LONG)
        answer = yield from self._invoke(
            "create",
            {
                "src": path,
                **self._modes(permission),
                "client_name": self._client_name,
                "create_flag": CREATE | OVERWRITE if overwrite else CREATE,
                "create_parent": create_parent,
                "replication": options.replication if replication is None else replication,
                "block_size": options.block_size if block_size is None else block_size,
                "crypto_protocol_version": [ENCRYPTION_ZONES],
                "ec_policy_name": ec_policy,
                "storage_policy": storage_policy,
            },
        )
        created = FileStatus.from_fields(path, answer["fs"])
        yield from self._complete(path, created.file_id)
        return created

    def _complete(self, path: str, file_id: int) -> Operation[None]:
        asked = {"src": path, "client_name": self._client_name, "file_id": file_id}
        while not (yield from self._invoke("complete", asked))["result"]:
            yield Sleep(COMPLETE_WAIT)

    @operation
    def rename(
        self, source: StrPath, target: StrPath, *, overwrite: bool = False
    ) -> Operation[None]:
        """Rename a file or directory.

        Args:
            source: Path of the file or directory.
            target: New path.
            overwrite: Whether to replace a file or an empty directory at `target`. Default: False.

        Raises:
            AlreadyExists: `target` exists, and `overwrite` is False.
            FileNotFound: `source` does not exist, or `target` has no parent.

        Source: ClientProtocol.rename2.
        """
        asked = {
            "src": self._absolute(source),
            "dst": self._absolute(target),
            "overwrite_dest": overwrite,
            "move_to_trash": False,
        }
        yield from self._invoke("rename2", asked)

    @operation
    def move(self, source: StrPath, target: StrPath) -> Operation[bool]:
        """Rename a file or directory as `hdfs dfs -mv` does: into `target` if that is a directory.

        Args:
            source: Path of the file or directory.
            target: New path, or the directory to move into.

        Returns:
            Whether it was renamed; the NameNode gives no reason if it was not.

        Source: ClientProtocol.rename.
        """
        answer = yield from self._invoke(
            "rename", {"src": self._absolute(source), "dst": self._absolute(target)}
        )
        moved: bool = answer["result"]
        return moved

    @operation
    def delete(self, path: StrPath, *, recursive: bool = False) -> Operation[bool]:
        """Delete a file or directory, without the trash.

        Args:
            path: Path of the file or directory.
            recursive: Whether to delete a directory with its entries. Default: False.

        Returns:
            Whether the path existed.

        Raises:
            DirectoryNotEmpty: the directory has entries, and `recursive` is False.

        Source: ClientProtocol.delete.
        """
        answer = yield from self._invoke(
            "delete", {"src": self._absolute(path), "recursive": recursive}
        )
        deleted: bool = answer["result"]
        return deleted

    @operation
    def concat(self, target: StrPath, sources: Iterable[StrPath]) -> Operation[None]:
        """Append the blocks of files to a file, and delete those files.

        Args:
            target: Path of the file that gets the blocks.
            sources: Paths of the files, in order.

        Source: ClientProtocol.concat.
        """
        yield from self._invoke(
            "concat",
            {
                "trg": self._absolute(target),
                "srcs": self._all_absolute(sources),
            },
        )

    @operation
    def truncate(self, path: StrPath, length: int) -> Operation[bool]:
        """Truncate a file.

        Args:
            path: Path of the file.
            length: New length in bytes.

        Returns:
            True, or False while the last block is being recovered.

        Source: ClientProtocol.truncate.
        """
        asked = {
            "src": self._absolute(path),
            "new_length": check_range("length", length, 0, MAX_LONG),
            "client_name": self._client_name,
        }
        done: bool = (yield from self._invoke("truncate", asked))["result"]
        return done

    @operation
    def is_file_closed(self, path: StrPath) -> Operation[bool]:
        """Return whether a file is closed, so that no client writes to it.

        Args:
            path: Path of the file.

        Returns:
            True if it is closed.

        Source: ClientProtocol.isFileClosed.
        """
        closed: bool = (yield from self._invoke("isFileClosed", {"src": self._absolute(path)}))[
            "result"
        ]
        return closed

    @operation
    def recover_lease(self, path: StrPath) -> Operation[bool]:
        """Revoke the lease of the client that writes a file, and close the file.

        Args:
            path: Path of the file.

        Returns:
            Whether the file is closed already; otherwise block recovery is in progress.

        Source: ClientProtocol.recoverLease.
        """
        asked = {"src": self._absolute(path), "client_name": self._client_name}
        closed: bool = (yield from self._invoke("recoverLease", asked))["result"]
        return closed

    @operation
    def create_symlink(
        self, target: StrPath, link: StrPath, *, create_parent: bool = False
    ) -> Operation[None]:
        """Create a symbolic link; the NameNode must have symbolic links enabled.

        Args:
            target: Path to which the link leads.
            link: Path of the link.
            create_parent: Whether to create missing parents. Default: False.

        Source: ClientProtocol.createSymlink.
        """
        yield from self._invoke(
            "createSymlink",
            {
                "target": target,
                "link": self._absolute(link),
                # Java's client also sends a file's mode for the directories that the call creates.
                "dir_perm": {"perm": NEW_FILE & ~self._options.umask},
                "create_parent": create_parent,
            },
        )

    @operation
    def get_link_target(self, path: StrPath) -> Operation[str]:
        """Return the target of the first symbolic link in a path.

        Args:
            path: Path with a symbolic link in it.

        Returns:
            The target of the link.

        Raises:
            FileNotFound: the path does not exist.

        Source: ClientProtocol.getLinkTarget.
        """
        answer = yield from self._invoke("getLinkTarget", {"path": self._absolute(path)})
        if "target_path" not in answer:
            raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
        target: str = answer["target_path"]
        return target

    @operation
    def get_block_locations(
        self, path: StrPath, offset: int = 0, length: int = (1 << 63) - 1
    ) -> Operation[LocatedBlocks]:
        """Return the locations of the blocks that contain a range of a file.

        Args:
            path: Path of the file.
            offset: First byte of the range. Default: 0.
            length: Length of the range in bytes. Default: to the end of the file.

        Returns:
            The blocks and their replicas.

        Raises:
            FileNotFound: the file does not exist.

        Source: ClientProtocol.getBlockLocations.
        """
        check_range("offset", offset, 0, MAX_LONG)
        check_range("length", length, 0, MAX_LONG)
        asked = {"src": self._absolute(path), "offset": offset, "length": length}
        answer = yield from self._invoke("getBlockLocations", asked)
        if "locations" not in answer:
            raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
        return LocatedBlocks.from_fields(answer["locations"])

    @operation
    def get_content_summary(self, path: StrPath) -> Operation[ContentSummary]:
        """Return the totals of a directory tree, and its quotas; the NameNode traverses the tree.

        Args:
            path: Path of a file or directory.

        Returns:
            Counts of files and directories, bytes, and quotas.

        Source: ClientProtocol.getContentSummary.
        """
        answer = yield from self._invoke("getContentSummary", {"path": self._absolute(path)})
        return ContentSummary.from_fields(answer["summary"])

    @operation
    def get_quota_usage(self, path: StrPath) -> Operation[QuotaUsage]:
        """Return the quotas of a directory and their usage.

        Args:
            path: Path of a directory.

        Returns:
            The quotas, and the names and bytes in use.

        Source: ClientProtocol.getQuotaUsage.
        """
        answer = yield from self._invoke("getQuotaUsage", {"path": self._absolute(path)})
        return QuotaUsage.from_fields(answer["usage"])

    @property
    def _client_name(self) -> str:
        # The holder of leases: one name for all files that a client writes.
        return f"jvmwire_{self._links.client_id.hex()}"

    def _modes(self, permission: int) -> dict[str, dict[str, int]]:
        check_range("permission", permission, 0, ALL_BITS)
        return {
            "masked": {"perm": permission & ~self._options.umask},
            "unmasked": {"perm": permission},
        }
