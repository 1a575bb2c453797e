"""What a NameNode knows of files and directories."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

from jvmwire._core import HadoopRecord, encode_message, pick_field
from jvmwire.hadoop.errors import from_java

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmwire._core import HadoopReplyTable
    from jvmwire.hadoop.errors import HadoopError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def as_datetime(milliseconds: int) -> datetime:
    """Return a time of Java, which anybody may have set to any number of 64 bits.

    It may come as an unsigned number, in which those before 1970 are the largest. What is before
    the year 1 or after 9999 is the first or the last time that Python knows.
    """
    if milliseconds >= 1 << 63:
        milliseconds -= 1 << 64
    try:
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return LATEST if milliseconds > 0 else EARLIEST


class FileType(enum.StrEnum):
    """`HdfsFileStatusProto.FileType`: what stands at a path."""

    DIRECTORY = "IS_DIR"
    FILE = "IS_FILE"
    SYMLINK = "IS_SYMLINK"


class FileFlags(enum.IntFlag):
    """`HdfsFileStatusProto.Flags`."""

    HAS_ACL = 1
    HAS_CRYPT = 2
    HAS_EC = 4
    SNAPSHOT_ENABLED = 8


NO_FLAGS = FileFlags(0)


def _flags_of_permission(permission: int) -> FileFlags:
    """Return the flags that Hadoop 2 sends above the permission: `FsPermissionExtension`."""
    return FileFlags(permission >> 12 & 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStatus:
    """A file, a directory or a symbolic link: `HdfsFileStatusProto`."""

    path: str
    """From the root on."""
    file_type: FileType
    length: int
    permission: int
    """As `0o755`; with the sticky bit."""
    owner: str
    group: str
    modification_time: int
    """Milliseconds since 1970, less than 0 before it; `modified` is the same as a datetime."""
    access_time: int
    """Milliseconds since 1970; 0 where the NameNode does not note it, and of directories."""
    symlink: str | None = None
    """Where a symbolic link leads."""
    block_replication: int = 0
    block_size: int = 0
    file_id: int = 0
    """The inode's number."""
    children_num: int = -1
    """How many entries a directory has; -1 where the server does not say."""
    storage_policy: int = 0
    flags: FileFlags = NO_FLAGS
    namespace: str | None = None
    """The name service, where a router answered."""
    locations: Mapping[str, Any] | None = None
    """`LocatedBlocksProto`, if it was asked for."""
    file_encryption_info: Mapping[str, Any] | None = None
    """`FileEncryptionInfoProto` of a file in an encryption zone."""
    ec_policy: Mapping[str, Any] | None = None
    """`ErasureCodingPolicyProto` of an erasure-coded file: of Hadoop's own there is but the id."""

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory."""
        return self.file_type is FileType.DIRECTORY

    @property
    def modified(self) -> datetime:
        """When it was last written to, UTC; see `as_datetime`."""
        return as_datetime(self.modification_time)

    @property
    def accessed(self) -> datetime:
        """When it was last read, UTC; see `as_datetime`."""
        return as_datetime(self.access_time)

    @classmethod
    def from_fields(cls, asked: str, fields: Mapping[str, Any]) -> FileStatus:
        """Make one of a decoded `HdfsFileStatusProto` about `asked`, or about what is in it.

        Raises:
            DecodeError: the file type is none.
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
"""How the bytes become objects: attribute, field, and how it is shown."""


def join_path(parent: str, name: str) -> str:
    """Return the path of `name` in `parent`; without a name, the parent's."""
    return f"{parent.rstrip('/')}/{name}" if name else parent


def decode_name(name: bytes) -> str:
    """Return a name as a text; as `DFSUtilClient.bytes2String`, what is not UTF-8 is replaced."""
    return name.decode("utf-8", "replace")


def decode_file_info(path: str, payload: bytes) -> FileStatus | None:
    """Decode a `GetFileInfoResponseProto` about `path`."""
    found = pick_field(_ANSWER, payload, "fs")
    return None if found is None else STATUS.decode(path, found)


_ANSWER = "GetFileInfoResponseProto"


class FileInfos(Sequence[FileStatus | None]):
    """What many paths were found to be, in the order in which they were asked for.

    An item is None where there is nothing; where the server refused, asking for the item raises
    what it said. Arrow takes the whole as one record batch, with no Python object a row.
    """

    def __init__(self, paths: Sequence[str], replies: HadoopReplyTable) -> None:
        self.paths = paths
        self.errors: Mapping[int, HadoopError] = {
            index: from_java(failure) for index, failure in replies.failures()
        }
        """What the server refused, by index."""
        self._replies = replies
        self._found: list[FileStatus | None] | None = None

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> FileStatus | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[FileStatus | None]: ...
    def __getitem__(self, index: int | slice) -> FileStatus | list[FileStatus | None] | None:
        if self._found is None:
            self._found = self._replies.records(_ANSWER, "fs", self.paths, STATUS)
        if isinstance(index, slice):
            for at in range(len(self))[index]:
                self._check(at)
        else:
            self._check(range(len(self))[index])
        return self._found[index]

    def _check(self, at: int) -> None:
        if (error := self.errors.get(at)) is not None:
            raise error

    def __iter__(self) -> Iterator[FileStatus | None]:
        # Most often nothing is refused: the list's own iterator is the fastest.
        return (self[at] for at in range(len(self))) if self.errors else iter(self[:])

    def __repr__(self) -> str:
        return f"<FileInfos of {len(self)} paths, {len(self.errors)} refused>"

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export the columns: `path`, the fields, `error_class` and `error_message`."""
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
    ("ec_policy_id", "ec_policy.id", ""),
]
"""Of `HdfsFileStatusProto`: name, field, and how it is shown."""
# Null where there is nothing at the path.
_COLUMNS = [(name, f"fs.{field}", shown) for name, field, shown in STATUS_COLUMNS]
