"""Results of calls to a segment store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """Properties of a segment.

    Attributes:
        name: The segment's name.
        is_sealed: Whether the segment accepts no more appends.
        is_deleted: Whether the segment was deleted.
        last_modified: Time of the last change in milliseconds since 1970, by the store's clock.
        write_offset: The offset in bytes at which the next append will be written.
        start_offset: The first offset that can be read; bytes before it were truncated.
    """

    name: str
    is_sealed: bool
    is_deleted: bool
    last_modified: int
    """Milliseconds since 1970, by the store's clock."""
    write_offset: int
    start_offset: int


@dataclass(frozen=True, slots=True)
class SegmentRead(Generic[T]):
    """Bytes read from a segment: as `bytes`, or as a view of the receive buffer.

    Attributes:
        offset: The offset of the first byte in the segment.
        data: The bytes.
        at_tail: Whether the segment had no bytes after these when they were read.
        end_of_segment: Whether the segment is sealed and these are its last bytes.
    """

    offset: int
    data: T
    at_tail: bool
    end_of_segment: bool


@dataclass(frozen=True, slots=True)
class TableInfo:
    """Properties of a table segment.

    Attributes:
        name: The table's name.
        start_offset: The first offset of the table's segment.
        length: The length of the table's segment in bytes.
        entry_count: The number of entries.
        key_length: Bytes of each key; 0 if keys differ in length.
    """

    name: str
    start_offset: int
    length: int
    entry_count: int
    key_length: int


@dataclass(frozen=True, slots=True)
class TableKey:
    """A key of a table and the version of its entry.

    Args:
        key: The key.
        version: The version of the entry.
    """

    key: bytes
    version: int


@dataclass(frozen=True, slots=True)
class TableEntry:
    """An entry of a table: key, version and value.

    Attributes:
        key: The key.
        version: The version of the entry.
        value: The value.
    """

    key: bytes
    version: int
    value: bytes


@dataclass(frozen=True, slots=True)
class TablePage(Generic[T]):
    """One page of a table's keys or entries, and the token that continues after it."""

    items: Sequence[T]
    continuation_token: bytes
