"""What is in directories: a page at a time from the server, and all pages together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from jvmwire._core import HadoopList, pick_field
from jvmwire.errors import DecodeError, RemoteProtocolError
from jvmwire.hadoop.errors import FileNotFound
from jvmwire.hadoop.namenode.rows import Rows
from jvmwire.hadoop.status import STATUS, STATUS_COLUMNS, FileStatus, FileType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PART = 4096
"""Entries of a page that are decoded together. Ours: a NameNode's pages have 1,000, by its
`dfs.ls.limit`, so they are one part each."""

_RESPONSE = "GetListingResponseProto"
_ENTRIES = HadoopList(_RESPONSE, "dir_list.partial_listing")
_DIRECTORY = ("file_type", FileType.DIRECTORY)
_COLUMNS = [("path", "path", "child"), *STATUS_COLUMNS]


class Listing(Rows[FileStatus]):
    """What is in a directory, or in many."""

    def __init__(self, pages: Sequence[Page]) -> None:
        answers = [(page.path, page.payload) for page in pages]
        super().__init__(answers, _ENTRIES, _decode, _COLUMNS)


def _decode(answers: Sequence[tuple[str, bytes]]) -> list[FileStatus]:
    return _ENTRIES.records(answers, STATUS)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a directory, undecoded but for what says where the next one begins."""

    path: str
    payload: bytes
    remaining_entries: int
    """How many follow."""
    last_name: bytes
    """What the next page begins after."""

    @classmethod
    def decode(cls, path: str, start_after: bytes, payload: bytes) -> Page:
        """Take in an answer to `getListing`.

        Raises:
            FileNotFound: there is nothing at `path`.
            RemoteProtocolError: the page does not go on where the one before it ended.
        """
        try:
            if pick_field(_RESPONSE, payload, "dir_list") is None:
                raise FileNotFound(f"{path} does not exist", "java.io.FileNotFoundException")
            remaining = pick_field(_RESPONSE, payload, "dir_list.remaining_entries")
            _, last = _ENTRIES.measure(payload)
            name = b"" if last is None else pick_field("HdfsFileStatusProto", last, "path")
        except DecodeError as error:
            raise RemoteProtocolError(f"a page of {path}: {error}") from error
        if remaining is None or name is None or (remaining and name <= start_after):
            raise RemoteProtocolError(f"a page of {path} does not go on after {start_after!r}")
        return cls(path, payload, remaining, name)

    def directories(self) -> list[str]:
        """Return the paths of the directories on the page."""
        found = _ENTRIES.records([(self.path, self.payload)], STATUS, of=_DIRECTORY)
        return [entry.path for entry in found]

    def entries(self) -> Iterator[FileStatus]:
        """Yield what is on the page: an object takes many times the bytes that it is made of."""
        return chain.from_iterable(self._parts())

    def _parts(self) -> Iterator[list[FileStatus]]:
        start: int | None = 0
        while start is not None:
            part, start = _ENTRIES.part(self.path, self.payload, STATUS, start, PART)
            yield part
