"""Status of files and directories, and its decoding from the NameNode's messages."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast, overload

from jvmwire._arrow_stream import ArrowStream
from jvmwire._core import HadoopRecord, encode_message, pick_field
from jvmwire.hadoop.errors import from_java

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmwire._core import HadoopReplyTable
    from jvmwire.hadoop.errors import HadoopError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def as_datetime(milliseconds: int) -> datetime:
    """Return a time of Java as a datetime; HDFS allows any number of 64 bits.

    Args:
        milliseconds: Milliseconds since 1970, signed or as an unsigned number of 64 bits, in which
            times before 1970 are the largest.

    Returns:
        The time in UTC. Times before the year 1 or after 9999 become the first or the last time
        that a datetime can express.
    """
    if milliseconds >= 1 << 63:
        milliseconds -= 1 << 64
    try:
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return LATEST if milliseconds > 0 else EARLIEST


class FileType(enum.StrEnum):
    """Type of a path: `HdfsFileStatusProto.FileType`."""

    DIRECTORY = "IS_DIR"
    FILE = "IS_FILE"
    SYMLINK = "IS_SYMLINK"


class FileFlags(enum.IntFlag):
    """Flags of a file or directory: `HdfsFileStatusProto.Flags`."""

    HAS_ACL = 1
    HAS_CRYPT = 2
    HAS_EC = 4
    SNAPSHOT_ENABLED = 8


NO_FLAGS = FileFlags(0)


def _flags_of_permission(permission: int) -> FileFlags:
    """Return the flags that Hadoop 2 sends above the permission bits: `FsPermissionExtension`."""
    return FileFlags(permission >> 12 & 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStatus:
    """Status of a file, a directory or a symbolic link.

    Attributes:
        path: The absolute path.
        file_type: Whether it is a file, a directory or a link.
        length: The length of a file in bytes.
        permission: The permission bits with the sticky bit, such as `0o755`.
        owner: The owner's name.
        group: The group's name.
        modification_time: Milliseconds since 1970, negative before it; `modified` is the same time
            as a datetime.
        access_time: Milliseconds since 1970; 0 for directories, and if the NameNode does not record
            access times.
        symlink: The target of a symbolic link.
        block_replication: The number of replicas of a file's blocks.
        block_size: The size of a file's blocks in bytes.
        file_id: The inode number.
        children_num: The number of entries of a directory; -1 if the server does not send it.
        storage_policy: The number of the storage policy.
        flags: Further properties of the path, such as encryption.
        namespace: The name service, if a router answered.
        locations: The fields of `LocatedBlocksProto`, if the call requested locations.
        file_encryption_info: The fields of `FileEncryptionInfoProto`, for a file in an encryption
            zone.
        ec_policy: The fields of `ErasureCodingPolicyProto`, for an erasure-coded file; only the id
            for Hadoop's built-in policies.

    Source: HdfsFileStatusProto.
    """

    path: str
    file_type: FileType
    length: int
    permission: int
    owner: str
    group: str
    modification_time: int
    access_time: int
    symlink: str | None = None
    block_replication: int = 0
    block_size: int = 0
    file_id: int = 0
    children_num: int = -1
    storage_policy: int = 0
    flags: FileFlags = NO_FLAGS
    namespace: str | None = None
    locations: Mapping[str, Any] | None = None
    file_encryption_info: Mapping[str, Any] | None = None
    ec_policy: Mapping[str, Any] | None = None

    @property
    def is_directory(self) -> bool:
        """Whether the path is a directory."""
        return self.file_type is FileType.DIRECTORY

    @property
    def modified(self) -> datetime:
        """The modification time in UTC; see `as_datetime`."""
        return as_datetime(self.modification_time)

    @property
    def accessed(self) -> datetime:
        """The access time in UTC; see `as_datetime`."""
        return as_datetime(self.access_time)

    @classmethod
    def from_fields(cls, asked: str, fields: Mapping[str, Any]) -> FileStatus:
        """Return the status of a decoded message.

        Args:
            asked: Path of the request: the file itself, or the directory that contains it.
            fields: Fields of an `HdfsFileStatusProto`.

        Returns:
            The status.

        Raises:
            DecodeError: the file type is unknown.
        """
        return STATUS.decode(asked, encode_message(_MESSAGE, dict(fields)))


_MESSAGE = "HdfsFileStatusProto"
STATUS = HadoopRecord(
    FileStatus,
    _MESSAGE,
    [
        ("file_type", "file_type", lru_cache(FileType)),
        ("path", "path", "child"),
        ("length", "length", ""),
        ("permission", "permission.perm", "mode"),
        ("owner", "owner", ""),
        ("group", "group", ""),
        ("modification_time", "modification_time", "signed"),
        ("access_time", "access_time", "signed"),
        ("symlink", "symlink", "text"),
        ("block_replication", "block_replication", ""),
        ("block_size", "blocksize", ""),
        ("file_id", "file_id", ""),
        ("children_num", "children_num", ""),
        ("storage_policy", "storage_policy", ""),
        ("flags", "flags", lru_cache(FileFlags)),
        ("flags", "permission.perm", lru_cache(_flags_of_permission)),
        ("namespace", "namespace", ""),
        ("locations", "locations", ""),
        ("file_encryption_info", "file_encryption_info", ""),
        ("ec_policy", "ec_policy", ""),
    ],
    {field.name: field.default for field in fields(FileStatus) if field.default is not MISSING},
)
"""The mapping of the message to `FileStatus`: attribute, field, and conversion."""


def join_path(parent: str, name: str) -> str:
    """Return the path of an entry of a directory.

    Args:
        parent: Path of the directory.
        name: Name of the entry; empty for the directory itself.

    Returns:
        The path.
    """
    return f"{parent.rstrip('/')}/{name}" if name else parent


def decode_name(name: bytes) -> str:
    """Decode a name from UTF-8; as in `DFSUtilClient.bytes2String`, invalid bytes are replaced.

    Args:
        name: Bytes of the name.

    Returns:
        The name as a text.
    """
    return name.decode("utf-8", "replace")


def decode_file_info(path: str, payload: bytes) -> FileStatus | None:
    """Decode a reply to `getFileInfo`.

    Args:
        path: Path of the request.
        payload: A `GetFileInfoResponseProto`.

    Returns:
        The status, or None if the path does not exist.

    Raises:
        DecodeError: the payload is not such a message.
    """
    found = pick_field(_ANSWER, payload, "fs")
    return None if found is None else STATUS.decode(path, found)


_ANSWER = "GetFileInfoResponseProto"


class FileInfos(ArrowStream, Sequence["FileStatus | HadoopError | None"]):
    """Status of many paths, in the order of the request.

    An item is None if the path does not exist, and the error itself, not raised, if the server
    refused the call: `raise_for_errors` raises the first. Arrow imports the whole as one record
    batch, without a Python object per row.

    Args:
        paths: Paths of the request, in order.
        replies: Replies of the server, in the same order.
    """

    def __init__(self, paths: Sequence[str], replies: HadoopReplyTable) -> None:
        self.paths = paths
        self.errors: Mapping[int, HadoopError] = {
            index: from_java(failure, paths[index]) for index, failure in replies.failures()
        }
        """The errors of the calls that the server refused, by index."""
        self._replies = replies
        self._found: list[FileStatus | HadoopError | None] | None = None

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> FileStatus | HadoopError | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[FileStatus | HadoopError | None]: ...
    def __getitem__(
        self, index: int | slice
    ) -> FileStatus | HadoopError | list[FileStatus | HadoopError | None] | None:
        return self._items()[index]

    def _items(self) -> list[FileStatus | HadoopError | None]:
        if self._found is None:
            known = self._replies.records(_ANSWER, "fs", self.paths, STATUS)
            found = cast("list[FileStatus | HadoopError | None]", known)
            for at, error in self.errors.items():
                found[at] = error
            self._found = found
        return self._found

    def __iter__(self) -> Iterator[FileStatus | HadoopError | None]:
        return iter(self._items())

    def raise_for_errors(self) -> None:
        """Raise the error of the first path that the server refused, if it refused any.

        A path that does not exist raises no error: its item is None.

        Raises:
            HadoopError: the server refused a path, which is the `filename` of the error.
        """
        if self.errors:
            raise self.errors[min(self.errors)]

    def __repr__(self) -> str:
        return f"<FileInfos of {len(self)} paths, {len(self.errors)} refused>"

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export `path`, the columns `STATUS_COLUMNS`, `error_class` and `error_message`."""
        columns = self._replies.columns(_ANSWER, ("path", list(self.paths)), _COLUMNS)
        return columns.__arrow_c_array__(requested_schema)


STATUS_COLUMNS = [
    ("file_type", "file_type", ""),
    ("length", "length", ""),
    ("permission", "permission.perm", "mode"),
    ("owner", "owner", ""),
    ("group", "group", ""),
    ("modification_time", "modification_time", "timestamp"),
    ("access_time", "access_time", "timestamp"),
    ("symlink", "symlink", "text"),
    ("block_replication", "block_replication", ""),
    ("block_size", "blocksize", ""),
    ("file_id", "file_id", ""),
    ("children_num", "children_num", ""),
    ("storage_policy", "storage_policy", ""),
    ("flags", "flags", ""),
    ("flags", "permission.perm", "flags"),
    ("ec_policy_id", "ec_policy.id", ""),
]
"""The columns of `HdfsFileStatusProto`: name, field, and conversion.

A name that comes again has the field for where the first has nothing, as in `STATUS`.
"""
# Null if the path does not exist.
_COLUMNS = [(name, f"fs.{field}", shown) for name, field, shown in STATUS_COLUMNS]
