"""What the sides of the first protocol say: a class a message, but for blocks, which are three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class SetupAppend:
    """Asks how far a connection's appends to a segment have come; answered by a number of bytes."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 1

    connection_id: UUID
    segment: str


@dataclass(frozen=True, slots=True)
class AppendBlock:
    """A block of one event; answered once all of it is stored."""

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
    """Asks for what stands at an offset; answered by a `SegmentRead`."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 1

    segment: str
    offset: int
    suggested_length: int


@dataclass(frozen=True, slots=True)
class AppendSetup:
    """Answers `SetupAppend`."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    segment: str
    connection_id: UUID
    connection_offset_ack_level: int


@dataclass(frozen=True, slots=True)
class DataAppended:
    """Says that all before an offset of the connection is stored."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    connection_id: UUID
    connection_offset_ack_level: int


@dataclass(frozen=True, slots=True)
class SegmentRead:
    """Bytes of a segment."""

    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 0

    segment: str
    offset: int
    at_tail: bool
    end_of_segment: bool
    data: bytes


Request = SetupAppend | AppendBlock | ReadSegment
Reply = AppendSetup | DataAppended | SegmentRead
