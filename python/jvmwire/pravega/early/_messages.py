"""Messages of Pravega's first protocol: one class per message, one for the three of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class SetupAppend:
    """Requests the number of bytes that a connection id has stored in a segment."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 1

    connection_id: UUID
    segment: str


@dataclass(frozen=True, slots=True)
class AppendBlock:
    """A block of one event; the reply follows once all of it is stored."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 1

    connection_id: UUID
    connection_offset: int
    """Bytes stored before over this connection."""
    data: bytes

    def __repr__(self) -> str:
        return (
            f"AppendBlock({self.connection_id}, {self.connection_offset}, {len(self.data)} bytes)"
        )


@dataclass(frozen=True, slots=True)
class ReadSegment:
    """Requests the bytes at an offset; the reply is a `SegmentRead`."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 1

    segment: str
    offset: int
    suggested_length: int


@dataclass(frozen=True, slots=True)
class AppendSetup:
    """Reply to `SetupAppend`."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    segment: str
    connection_id: UUID
    connection_offset_ack_level: int


@dataclass(frozen=True, slots=True)
class DataAppended:
    """Reply that all bytes before an offset of the connection are stored."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    connection_id: UUID
    connection_offset_ack_level: int


@dataclass(frozen=True, slots=True)
class SegmentRead:
    """Bytes read from a segment.

    Attributes:
        segment: The segment's name.
        offset: The offset of the first byte.
        at_tail: Whether the segment had no bytes after these when they were read.
        end_of_segment: Whether the segment is sealed and these are its last bytes.
        data: The bytes.
    """

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    segment: str
    offset: int
    at_tail: bool
    end_of_segment: bool
    data: bytes


Request = SetupAppend | AppendBlock | ReadSegment
Reply = AppendSetup | DataAppended | SegmentRead
