"""What a segment store answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """How a segment is."""

    name: str
    is_sealed: bool
    is_deleted: bool
    last_modified: int
    """Milliseconds since 1970, by the store's clock."""
    write_offset: int
    """Where the next append will stand."""
    start_offset: int
    """The first offset that can be read: what is before was truncated."""


@dataclass(frozen=True, slots=True)
class SegmentRead(Generic[T]):
    """Bytes of a segment: as `bytes`, or as a view of what was received."""

    offset: int
    data: T
    at_tail: bool
    """Whether there was nothing behind them when they were read."""
    end_of_segment: bool
    """Whether there never will be: the segment is sealed."""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """How a table segment is."""

    name: str
    start_offset: int
    length: int
    entry_count: int
    key_length: int
    """Bytes of each key; 0 if they may differ."""


@dataclass(frozen=True, slots=True)
class TableKey:
    """A key of a table, and which version of its entry is there."""

    key: bytes
    version: int


@dataclass(frozen=True, slots=True)
class TableEntry:
    """An entry of a table."""

    key: bytes
    version: int
    value: bytes


@dataclass(frozen=True, slots=True)
class TablePage(Generic[T]):
    """Some of a table."""

    items: Sequence[T]
    continuation_token: bytes
