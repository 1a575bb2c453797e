"""What a NameNode is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from jvmwire._core import decode_message
from jvmwire.hadoop.status import FileStatus, decode_file_info

if TYPE_CHECKING:
    from collections.abc import Sequence

CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol"
"""What HDFS clients call a NameNode's protocol."""


class HadoopCommand(Protocol):
    """One call of a method, or many of the same one."""

    @property
    def method(self) -> str:
        """Its name on the wire."""

    @property
    def repeatable(self) -> bool:
        """Whether carrying it out twice does and answers the same as once."""

    @property
    def calls(self) -> int:
        """How many calls it is."""

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return a value a call for each field of the request."""


@runtime_checkable
class LoneCommand(HadoopCommand, Protocol):
    """One call. Others are batches, which are answered with their replies undecoded."""

    def decode(self, payload: bytes) -> Any:
        """Return what the reply says."""


@dataclass(frozen=True, slots=True)
class GetFileInfo:
    """Asks what stands at a path; answered with a `FileStatus`, or None."""

    method: ClassVar[str] = "getFileInfo"
    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1

    path: str

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"src": [self.path]}

    def decode(self, payload: bytes) -> FileStatus | None:
        return decode_file_info(self.path, payload)


@dataclass(frozen=True, slots=True)
class GetFileInfos:
    """Asks what stands at each of many paths."""

    method: ClassVar[str] = "getFileInfo"
    repeatable: ClassVar[bool] = True

    paths: Sequence[str]

    @property
    def calls(self) -> int:
        return len(self.paths)

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"src": self.paths}

    def __repr__(self) -> str:
        return f"<GetFileInfos of {len(self.paths)} paths>"


@dataclass(frozen=True, slots=True)
class DirectoryListing:
    """A page of a directory."""

    entries: list[FileStatus]
    remaining_entries: int
    """How many follow."""
    last_name: bytes
    """What the next page begins after."""


@dataclass(frozen=True, slots=True)
class GetListing:
    """Asks for a page of a directory; answered with a `DirectoryListing`, or None."""

    method: ClassVar[str] = "getListing"
    repeatable: ClassVar[bool] = True
    calls: ClassVar[int] = 1

    path: str
    start_after: bytes = b""
    need_location: bool = False

    def columns(self) -> dict[str, Sequence[Any]]:
        return {
            "src": [self.path],
            "start_after": [self.start_after],
            "need_location": [self.need_location],
        }

    def decode(self, payload: bytes) -> DirectoryListing | None:
        fields = decode_message("GetListingResponseProto", payload).get("dir_list")
        if fields is None:
            return None
        listing = fields.get("partial_listing", [])
        return DirectoryListing(
            [FileStatus.from_fields(self.path, entry) for entry in listing],
            fields["remaining_entries"],
            listing[-1]["path"] if listing else b"",
        )
