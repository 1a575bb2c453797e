"""Listings of directories: single pages, and all pages of one or more directories together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from jvmwire._core import HadoopList, pick_field
from jvmwire._escaping import quote
from jvmwire.errors import DecodeError, RemoteProtocolError
from jvmwire.hadoop.errors import FileNotFound, InvalidListing
from jvmwire.hadoop.namenode._lazy_rows import Rows
from jvmwire.hadoop.namenode._status import (
    STATUS,
    STATUS_COLUMNS,
    FileStatus,
    FileType,
    decode_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DECODE_CHUNK = 4096
"""Entries of a page that are decoded together (chosen by jvmwire): a NameNode's pages have at most
1,000 by its `dfs.ls.limit`, so each is decoded in one chunk."""

MAX_ENTRIES = 6_400_000
"""The largest number of entries of one directory: the maximum of
`dfs.namenode.fs-limits.max-directory-items`."""
MAX_BYTES = 1 << 30
"""The largest size of one directory's pages in bytes (chosen by jvmwire): 167 for each of
`MAX_ENTRIES`."""

_RESPONSE = "GetListingResponseProto"
_ENTRIES = HadoopList(_RESPONSE, "dir_list.partial_listing")
_DIRECTORY = ("file_type", FileType.DIRECTORY)
_COLUMNS = [("path", "path", "child"), *STATUS_COLUMNS]


class Listing(Rows[FileStatus]):
    """Sequence of the entries of one or more directories, which Arrow imports as one record batch.

    Args:
        pages: Pages of the directories, in order.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        answers = [(page.path, page.payload) for page in pages]
        count = sum(page.count for page in pages)
        super().__init__(answers, _ENTRIES, _decode, _COLUMNS, count)


def _decode(answers: Sequence[tuple[str, bytes]]) -> list[FileStatus]:
    return _ENTRIES.records(answers, STATUS)


class ListingSize:
    """Total of a directory's entries and bytes, with the limits `MAX_ENTRIES` and `MAX_BYTES`."""

    __slots__ = ("_bytes", "_entries")

    def __init__(self) -> None:
        self._entries = self._bytes = 0

    def add(self, page: Page) -> None:
        """Count a page.

        Args:
            page: The next page of the directory.

        Raises:
            InvalidListing: the directory exceeds a limit, so the listing does not end.
        """
        self._entries += page.count
        self._bytes += len(page.payload)
        if self._entries > MAX_ENTRIES or self._bytes > MAX_BYTES:
            raise InvalidListing(
                f"{page.path}: the listing does not end after {self._entries:,} entries and "
                f"{self._bytes:,} bytes; at most {MAX_ENTRIES:,} and {MAX_BYTES:,} are read"
            )


# Maps signed bytes to bytes of the same order.
_BY_SIGNED_BYTES = bytes(byte ^ 0x80 for byte in range(256))


def _follows(name: bytes, last: bytes) -> bool:
    """Return whether a name comes after the last name of the previous page.

    NameNodes sort names by their bytes as signed numbers (`SignedBytes`): letters outside of ASCII
    come first.
    """
    return name.translate(_BY_SIGNED_BYTES) > last.translate(_BY_SIGNED_BYTES)


@dataclass(frozen=True, slots=True)
class Page:
    """Page of a directory's listing, undecoded except for the position of the next page."""

    path: str
    payload: bytes
    count: int
    """The number of entries of the page."""
    remaining_entries: int
    """The number of entries after the page."""
    last_name: bytes
    """The name after which the next page begins."""

    @classmethod
    def decode(cls, path: str, start_after: bytes, payload: bytes) -> Page:
        """Return the page of a reply to `getListing`.

        Args:
            path: Path of the directory.
            start_after: Name after which the page was requested; empty for the first page.
            payload: A `GetListingResponseProto`.

        Returns:
            The page.

        Raises:
            FileNotFound: the path does not exist.
            InvalidListing: an entry has a name that no file can have.
            RemoteProtocolError: the page does not continue where the previous one ended.
        """
        try:
            if pick_field(_RESPONSE, payload, "dir_list") is None:
                raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
            remaining = pick_field(_RESPONSE, payload, "dir_list.remaining_entries")
            count, last, wrong = _ENTRIES.measure(payload, "path")
            name = b"" if last is None else pick_field("HdfsFileStatusProto", last, "path")
        except DecodeError as error:
            raise RemoteProtocolError(f"a page of {path}: {error}") from error
        if remaining is None or name is None or (remaining and not _follows(name, start_after)):
            raise RemoteProtocolError(f"a page of {path} does not go on after {start_after!r}")
        page = cls(path, payload, count, remaining, name)
        if wrong is not None and not (wrong == b"" and page.is_of_file()):
            raise InvalidListing(
                f"{path}: the server lists an entry {quote(decode_name(wrong))}, "
                f"which is not a name that a file in a directory can have"
            )
        return page

    def is_of_file(self) -> bool:
        """Return whether the page lists a file itself: its only entry has no name.

        Returns:
            True if the path is a file or symbolic link.
        """
        return self.count == 1 and not self.last_name and not self.directories()

    def directories(self) -> list[FileStatus]:
        """Return the directories on the page.

        Returns:
            The status of each directory, in order.
        """
        return _ENTRIES.records([(self.path, self.payload)], STATUS, of=_DIRECTORY)

    def entries(self) -> Iterator[FileStatus]:
        """Yield the entries of the page, decoded in chunks, since objects take much more memory.

        Yields:
            The status of each entry, in order.
        """
        return chain.from_iterable(self._parts())

    def _parts(self) -> Iterator[list[FileStatus]]:
        start: int | None = 0
        while start is not None:
            part, start = _ENTRIES.part(self.path, self.payload, STATUS, start, DECODE_CHUNK)
            yield part
