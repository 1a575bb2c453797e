"""Commands to a segment store: one class per command, whose fields are those of the wire format."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

from jvmwire.pravega._responses import (
    SegmentInfo,
    SegmentRead,
    TableEntry,
    TableInfo,
    TableKey,
    TablePage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from jvmwire._runtime.session import Buffer

NO_VALUE = -(1 << 63)
"""An attribute without a value: `WireCommands.NULL_ATTRIBUTE_VALUE`."""


@dataclass(frozen=True, slots=True)
class PravegaCommand:
    """Base class of commands; its fields are those of the wire, without request id and token."""

    name: ClassVar[str]
    """The name of the command in Java."""
    answered_by: ClassVar[str]
    """The name of the reply that reports success."""
    idempotent: ClassVar[bool] = False
    expected_replies: ClassVar[int] = 1

    def fields(self) -> dict[str, Any]:
        """Return the fields to encode, by the names of the wire format."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def decode(self, reply: dict[str, Any]) -> Any:  # noqa: ARG002 - others look at it
        """Return the result of the call from the fields of the successful reply."""
        return None


@dataclass(frozen=True, slots=True)
class CreateSegment(PravegaCommand):
    """Creates a segment."""

    name = "CreateSegment"
    answered_by = "SegmentCreated"

    segment: str
    target_rate: int
    scale_type: int
    rollover_size_bytes: int


@dataclass(frozen=True, slots=True)
class SealSegment(PravegaCommand):
    """Seals a segment, so that it accepts no more appends."""

    name = "SealSegment"
    answered_by = "SegmentSealed"
    idempotent = True

    segment: str


@dataclass(frozen=True, slots=True)
class DeleteSegment(PravegaCommand):
    """Deletes a segment."""

    name = "DeleteSegment"
    answered_by = "SegmentDeleted"

    segment: str


@dataclass(frozen=True, slots=True)
class TruncateSegment(PravegaCommand):
    """Drops the bytes before an offset."""

    name = "TruncateSegment"
    answered_by = "SegmentTruncated"
    idempotent = True

    segment: str
    truncation_offset: int


@dataclass(frozen=True, slots=True)
class UpdateSegmentPolicy(PravegaCommand):
    """Sets the scaling policy of a segment."""

    name = "UpdateSegmentPolicy"
    answered_by = "SegmentPolicyUpdated"
    idempotent = True

    segment: str
    target_rate: int
    scale_type: int


@dataclass(frozen=True, slots=True)
class GetStreamSegmentInfo(PravegaCommand):
    """Requests the properties of a segment."""

    name = "GetStreamSegmentInfo"
    answered_by = "StreamSegmentInfo"
    idempotent = True

    segment_name: str

    def decode(self, reply: dict[str, Any]) -> SegmentInfo:
        return SegmentInfo(
            name=reply["segment_name"],
            is_sealed=reply["is_sealed"],
            is_deleted=reply["is_deleted"],
            last_modified=reply["last_modified"],
            write_offset=reply["write_offset"],
            start_offset=reply.get("start_offset", 0),
        )


@dataclass(frozen=True, slots=True)
class GetSegmentAttribute(PravegaCommand):
    """Requests the value of an attribute."""

    name = "GetSegmentAttribute"
    answered_by = "SegmentAttribute"
    idempotent = True

    segment_name: str
    attribute_id: UUID

    def decode(self, reply: dict[str, Any]) -> int | None:
        value: int = reply["value"]
        return None if value == NO_VALUE else value


@dataclass(frozen=True, slots=True)
class UpdateSegmentAttribute(PravegaCommand):
    """Sets an attribute if it has the expected value."""

    name = "UpdateSegmentAttribute"
    answered_by = "SegmentAttributeUpdated"

    segment_name: str
    attribute_id: UUID
    new_value: int
    expected_value: int

    def decode(self, reply: dict[str, Any]) -> bool:
        success: bool = reply["success"]
        return success


@dataclass(frozen=True, slots=True)
class CreateTransientSegment(PravegaCommand):
    """Creates a segment that the store deletes after the connection has ended."""

    name = "CreateTransientSegment"
    answered_by = "SegmentCreated"

    writer_id: UUID
    parent_segment: str

    def decode(self, reply: dict[str, Any]) -> str:
        segment: str = reply["segment"]
        return segment


@dataclass(frozen=True, slots=True)
class MergeSegments(PravegaCommand):
    """Appends a segment to another, and deletes it."""

    name = "MergeSegments"
    answered_by = "SegmentsMerged"

    target: str
    source: str
    attribute_updates: Sequence[Mapping[str, Any]]

    def decode(self, reply: dict[str, Any]) -> int:
        offset: int = reply.get("new_target_write_offset", -1)
        return offset


@dataclass(frozen=True, slots=True)
class MergeSegmentsBatch(PravegaCommand):
    """Appends segments to another, and deletes them."""

    name = "MergeSegmentsBatch"
    answered_by = "SegmentsBatchMerged"

    target_segment_id: str
    source_segment_ids: Sequence[str]

    def decode(self, reply: dict[str, Any]) -> list[int]:
        return [merged["new_target_write_offset"] for merged in reply["merged"]]


@dataclass(frozen=True, slots=True)
class ReadSegment(PravegaCommand):
    """Requests the bytes at an offset."""

    name = "ReadSegment"
    answered_by = "SegmentRead"
    idempotent = True

    segment: str
    offset: int
    suggested_length: int

    def decode(self, reply: dict[str, Any]) -> SegmentRead[memoryview]:
        return SegmentRead(
            offset=reply["offset"],
            data=reply["data"],
            at_tail=reply["at_tail"],
            end_of_segment=reply["end_of_segment"],
        )


@dataclass(frozen=True, slots=True)
class CreateTableSegment(PravegaCommand):
    """Creates a table."""

    name = "CreateTableSegment"
    answered_by = "SegmentCreated"

    segment: str
    key_length: int
    rollover_size_bytes: int

    def fields(self) -> dict[str, Any]:
        return {
            "segment": self.segment,
            "sorted_deprecated": False,
            "key_length": self.key_length,
            "rollover_size_bytes": self.rollover_size_bytes,
        }


@dataclass(frozen=True, slots=True)
class DeleteTableSegment(PravegaCommand):
    """Deletes a table."""

    name = "DeleteTableSegment"
    answered_by = "SegmentDeleted"

    segment: str
    must_be_empty: bool


@dataclass(frozen=True, slots=True)
class GetTableSegmentInfo(PravegaCommand):
    """Requests the properties of a table."""

    name = "GetTableSegmentInfo"
    answered_by = "TableSegmentInfo"
    idempotent = True

    segment_name: str

    def decode(self, reply: dict[str, Any]) -> TableInfo:
        return TableInfo(
            name=reply["segment_name"],
            start_offset=reply["start_offset"],
            length=reply["length"],
            entry_count=reply["entry_count"],
            key_length=reply["key_length"],
        )


@dataclass(frozen=True, slots=True)
class UpdateTableEntries(PravegaCommand):
    """Puts all entries into a table, or none."""

    name = "UpdateTableEntries"
    answered_by = "TableEntriesUpdated"

    segment: str
    # Excluded from the repr: it is the user's data, and may be long.
    table_entries: Sequence[Mapping[str, Any]] = field(repr=False)
    table_segment_offset: int

    def decode(self, reply: dict[str, Any]) -> list[int]:
        versions: list[int] = reply["updated_versions"]
        return versions


@dataclass(frozen=True, slots=True)
class RemoveTableKeys(PravegaCommand):
    """Removes all entries from a table, or none."""

    name = "RemoveTableKeys"
    answered_by = "TableKeysRemoved"

    segment: str
    keys: Sequence[Mapping[str, Any]] = field(repr=False)
    table_segment_offset: int


@dataclass(frozen=True, slots=True)
class ReadTable(PravegaCommand):
    """Requests entries of a table by key."""

    name = "ReadTable"
    answered_by = "TableRead"
    idempotent = True

    segment: str
    keys: Sequence[Mapping[str, Any]] = field(repr=False)

    def decode(self, reply: dict[str, Any]) -> list[TableEntry]:
        return [TableEntry(**entry) for entry in reply["entries"]]


@dataclass(frozen=True, slots=True)
class _IterateTable(PravegaCommand):
    idempotent = True

    segment: str
    suggested_count: int
    continuation_token: bytes
    from_key: bytes
    to_key: bytes

    def fields(self) -> dict[str, Any]:
        what = "key" if self.name == "ReadTableKeys" else "entry"
        return {
            "segment": self.segment,
            f"suggested_{what}_count": self.suggested_count,
            "continuation_token": self.continuation_token,
            # Superseded by the two fields after it.
            "prefix_filter": b"",
            "from_key": self.from_key,
            "to_key": self.to_key,
        }


@dataclass(frozen=True, slots=True)
class ReadTableKeys(_IterateTable):
    """Requests keys of a table, after a continuation token."""

    name = "ReadTableKeys"
    answered_by = "TableKeysRead"

    def decode(self, reply: dict[str, Any]) -> TablePage[TableKey]:
        keys = [TableKey(**key) for key in reply["keys"]]
        return TablePage(keys, reply["continuation_token"])


@dataclass(frozen=True, slots=True)
class ReadTableEntries(_IterateTable):
    """Requests entries of a table, after a continuation token."""

    name = "ReadTableEntries"
    answered_by = "TableEntriesRead"

    def decode(self, reply: dict[str, Any]) -> TablePage[TableEntry]:
        entries = [TableEntry(**entry) for entry in reply["entries"]]
        return TablePage(entries, reply["continuation_token"])


@dataclass(frozen=True, slots=True)
class SetupAppend(PravegaCommand):
    """Sets up a writer; the call's id becomes the request id of all its appends."""

    name = "SetupAppend"
    answered_by = "AppendSetup"
    idempotent = True

    writer_id: UUID
    segment: str

    def decode(self, reply: dict[str, Any]) -> int:
        number: int = reply["last_event_number"]
        return number


@dataclass(slots=True)  # not frozen: creating one would take twice as long
class Append:
    """Encoded appends; their acknowledgements and errors are pushed to their writer."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 0

    wire: Buffer
    """The encoded frames; the session takes ownership of a bytearray."""

    def __repr__(self) -> str:
        return f"Append({len(self.wire)} bytes)"


@dataclass(frozen=True, slots=True)
class EndAppends:
    """Ends a writer's appends on the connection; sends nothing."""

    idempotent: ClassVar[bool] = True
    expected_replies: ClassVar[int] = 0

    writer_id: UUID
    request_id: int
    """The request id of the writer's appends."""
