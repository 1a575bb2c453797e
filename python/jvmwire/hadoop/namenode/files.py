"""Files and directories: looked at, made, moved, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HadoopReplyTable
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Sleep
from jvmwire.hadoop.client import RpcMethods
from jvmwire.hadoop.commands import GetFileInfo, GetFileInfos
from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.namenode.blocks import LocatedBlocks
from jvmwire.hadoop.namenode.listing import Listing, ListingSize, Page
from jvmwire.hadoop.namenode.status import FileInfos, FileStatus
from jvmwire.hadoop.namenode.summary import ContentSummary, QuotaUsage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Operation, OperationStream

CREATE, OVERWRITE = 1, 2
"""`CreateFlagProto`."""
NEW_FILE, NEW_DIRECTORY = 0o666, 0o777
"""What a file and a directory are permitted before the umask: `FsCreateModes`."""
ENCRYPTION_ZONES = "ENCRYPTION_ZONES"
"""The version of encryption that clients say they know; a NameNode asks it of who creates files."""
COMPLETE_WAIT = 0.4
"""Seconds until a file that is not complete yet is asked for again:
`dfs.client.block.write.locateFollowingBlock.initial.delay.ms`."""


class FileMethods(RpcMethods):
    """What can be done with files and directories."""

    @operation
    def get_file_info(self, path: str) -> Operation[FileStatus | None]:
        """Return what stands at `path`, or None; a symbolic link is followed by the caller."""
        found: FileStatus | None = yield from self._link().call(GetFileInfo(self._absolute(path)))
        return found

    @operation
    def get_file_infos(self, paths: Iterable[str]) -> Operation[FileInfos]:
        """Return what stands at each of `paths`: one call a path, all in flight together."""
        batch = GetFileInfos(self._all_absolute(list(paths)))
        replies = HadoopReplyTable(0)
        if batch.paths:
            replies, *_ = yield from self._link().call(batch)
        return FileInfos(batch.paths, replies)

    @operation
    def get_file_link_info(self, path: str) -> Operation[FileStatus | None]:
        """Return what stands at `path`, itself where it is a symbolic link; or None."""
        path = self._absolute(path)
        answer = yield from self._invoke("getFileLinkInfo", {"src": path})
        return FileStatus.from_fields(path, answer["fs"]) if "fs" in answer else None

    @operation_stream
    def get_listing(self, path: str, *, need_location: bool = False) -> OperationStream[FileStatus]:
        """Yield what is in a directory, in order of name; a file yields itself.

        A page is asked for when the one before it was read: what changes meanwhile shows, or not.

        Raises:
            FileNotFound: there is nothing at `path`, or no longer.
            InvalidListing: an entry has a name that no file can have, or the pages do not end.
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
    def list_directory(self, path: str) -> Operation[Listing]:
        """Return all that is in a directory, in order of name; Arrow takes it as one batch.

        Raises:
            FileNotFound: there is nothing at `path`, or no longer.
            InvalidListing: an entry has a name that no file can have, or the pages do not end.
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
        self, path: str, *, permission: int = NEW_DIRECTORY, create_parent: bool = True
    ) -> Operation[None]:
        """Make a directory, and by default those above it; one that is there is left as it is.

        Raises:
            AlreadyExists, NotADirectory: a file is in the way.
            FileNotFound: there is no parent, and it was not to be made.
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
        path: str,
        *,
        overwrite: bool = False,
        create_parent: bool = True,
        permission: int = NEW_FILE,
        replication: int | None = None,
        block_size: int | None = None,
        storage_policy: str | None = None,
        ec_policy: str | None = None,
    ) -> Operation[FileStatus]:
        """Make an empty file and complete it; return what it was made as.

        `replication` and `block_size` are by default those of `HadoopOptions`.

        Raises:
            AlreadyExists: there is a file, and it was not to be overwritten.
            FileNotFound: there is no parent, and it was not to be made.
        """
        path, options = self._absolute(path), self._options
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
    def rename(self, source: str, target: str, *, overwrite: bool = False) -> Operation[None]:
        """Give a file or directory another name; `overwrite` replaces a file or an empty directory.

        Raises:
            AlreadyExists: something stands at `target`, and it was not to be overwritten.
            FileNotFound: nothing stands at `source`, or `target` has no parent.
        """
        asked = {
            "src": self._absolute(source),
            "dst": self._absolute(target),
            "overwrite_dest": overwrite,
            "move_to_trash": False,
        }
        yield from self._invoke("rename2", asked)

    @operation
    def move(self, source: str, target: str) -> Operation[bool]:
        """Rename as `hdfs dfs -mv` does: into `target` if it is a directory; return whether.

        The NameNode does not say why it did not.
        """
        answer = yield from self._invoke(
            "rename", {"src": self._absolute(source), "dst": self._absolute(target)}
        )
        moved: bool = answer["result"]
        return moved

    @operation
    def delete(self, path: str, *, recursive: bool = False) -> Operation[bool]:
        """Delete what stands at `path`, past the trash; return whether there was something.

        Raises:
            DirectoryNotEmpty: it is not empty, and was not to be deleted with what is in it.
        """
        answer = yield from self._invoke(
            "delete", {"src": self._absolute(path), "recursive": recursive}
        )
        deleted: bool = answer["result"]
        return deleted

    @operation
    def concat(self, target: str, sources: Iterable[str]) -> Operation[None]:
        """Append the blocks of files to the file `target`, and delete those files."""
        yield from self._invoke(
            "concat",
            {
                "trg": self._absolute(target),
                "srcs": [self._absolute(source) for source in sources],
            },
        )

    @operation
    def truncate(self, path: str, length: int) -> Operation[bool]:
        """Cut a file to `length` bytes; return whether that is done, or a block still recovers."""
        asked = {
            "src": self._absolute(path),
            "new_length": length,
            "client_name": self._client_name,
        }
        done: bool = (yield from self._invoke("truncate", asked))["result"]
        return done

    @operation
    def is_file_closed(self, path: str) -> Operation[bool]:
        """Return whether nobody writes to a file."""
        closed: bool = (yield from self._invoke("isFileClosed", {"src": self._absolute(path)}))[
            "result"
        ]
        return closed

    @operation
    def recover_lease(self, path: str) -> Operation[bool]:
        """Take a file from who writes it; return whether it is closed already."""
        asked = {"src": self._absolute(path), "client_name": self._client_name}
        closed: bool = (yield from self._invoke("recoverLease", asked))["result"]
        return closed

    @operation
    def create_symlink(
        self, target: str, link: str, *, create_parent: bool = False
    ) -> Operation[None]:
        """Make a symbolic link, where the NameNode has them enabled."""
        yield from self._invoke(
            "createSymlink",
            {
                "target": target,
                "link": self._absolute(link),
                # As Java's client does, for the directories above too.
                "dir_perm": {"perm": NEW_FILE & ~self._options.umask},
                "create_parent": create_parent,
            },
        )

    @operation
    def get_link_target(self, path: str) -> Operation[str]:
        """Return where the first symbolic link in `path` leads.

        Raises:
            FileNotFound: there is nothing at `path`.
        """
        answer = yield from self._invoke("getLinkTarget", {"path": self._absolute(path)})
        if "target_path" not in answer:
            raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
        target: str = answer["target_path"]
        return target

    @operation
    def get_block_locations(
        self, path: str, offset: int = 0, length: int = (1 << 63) - 1
    ) -> Operation[LocatedBlocks]:
        """Return where the blocks of a file are that have bytes from `offset` on.

        Raises:
            FileNotFound: there is no such file.
        """
        asked = {"src": self._absolute(path), "offset": offset, "length": length}
        answer = yield from self._invoke("getBlockLocations", asked)
        if "locations" not in answer:
            raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
        return LocatedBlocks.from_fields(answer["locations"])

    @operation
    def get_content_summary(self, path: str) -> Operation[ContentSummary]:
        """Return how much is at `path` and below it, and what may be: the NameNode counts."""
        answer = yield from self._invoke("getContentSummary", {"path": self._absolute(path)})
        return ContentSummary.from_fields(answer["summary"])

    @operation
    def get_quota_usage(self, path: str) -> Operation[QuotaUsage]:
        """Return the quotas of a directory and what is used of them."""
        answer = yield from self._invoke("getQuotaUsage", {"path": self._absolute(path)})
        return QuotaUsage.from_fields(answer["usage"])

    @property
    def _client_name(self) -> str:
        # Who holds the lease of a file: one name for all that a client writes.
        return f"jvmwire_{self._links.client_id.hex()}"

    def _modes(self, permission: int) -> dict[str, dict[str, int]]:
        return {
            "masked": {"perm": permission & ~self._options.umask},
            "unmasked": {"perm": permission},
        }
