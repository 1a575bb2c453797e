"""Segments in memory, without I/O: bytes, attributes and reads that wait for more bytes.

The results are those of a segment store of Pravega 0.13: `PravegaRequestProcessor` and
`AppendProcessor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire.pravega._commands import NO_VALUE
from jvmwire.pravega.testing import _refusals as refuse
from jvmwire.pravega.testing._refusals import Hangup, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from jvmwire.pravega.testing._table import Table

MIN_READ = 8
"""Bytes that a read asks for, at least: `WireCommands.TYPE_PLUS_LENGTH_SIZE`."""
MAX_READ = 2 << 20
"""Bytes that a read returns, at most: `PravegaRequestProcessor.MAX_READ_SIZE`."""
NONE, REPLACE, REPLACE_IF_GREATER, ACCUMULATE, REPLACE_IF_EQUALS = range(5)
"""Values of `AttributeUpdateType`."""

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A read that waits for bytes at an offset."""

    offset: int
    length: int
    answer: Callable[[str, Fields], None]
    """Called once, with the name of the reply and its fields."""


@dataclass(slots=True)
class Segment:
    """A segment: its bytes from `start` on, and its attributes."""

    name: str
    modified: int
    start: int = 0
    data: bytearray = field(default_factory=bytearray)
    is_sealed: bool = False
    attributes: dict[UUID, int] = field(default_factory=dict)
    """Values by id; the number of the last event of a writer has the id of the writer."""
    waiting: dict[Waiting, None] = field(default_factory=dict)
    """Reads that wait for more bytes, in order."""
    table: Table | None = None

    @property
    def length(self) -> int:
        """The offset of the end."""
        return self.start + len(self.data) if self.table is None else self.table.length


class Segments:
    """All segments of a double.

    Args:
        max_bytes: Bytes that all segments and tables hold, at most.
        max_segments: Number of segments and tables, at most.
        max_waiting_reads: Reads that wait for bytes, at most; more are answered without bytes.
        now: Returns the time in milliseconds since 1970.
    """

    def __init__(
        self, max_bytes: int, max_segments: int, max_waiting_reads: int, now: Callable[[], int]
    ) -> None:
        self._max_bytes = max_bytes
        self._max_segments = max_segments
        self._max_waiting_reads = max_waiting_reads
        self._now = now
        self._segments: dict[str, Segment] = {}
        self._bytes = 0
        self._waiting = 0

    # Segments

    def get(self, name: str, offset: int = -1) -> Segment:
        """Return a segment, or refuse a name that has none."""
        segment = self._segments.get(name)
        if segment is None:
            raise refuse.no_such_segment(name, offset)
        return segment

    def open_segment(self, name: str, offset: int = -1) -> Segment:
        """Return a segment that is neither a table nor sealed."""
        segment = self.get(name, offset)
        if segment.table is not None:
            raise Hangup
        if segment.is_sealed:
            raise refuse.is_sealed(name, offset)
        return segment

    def table(self, name: str) -> Table:
        """Return a table; the connection is closed if the segment is none."""
        segment = self.get(name)
        if segment.table is None:
            raise Hangup
        return segment.table

    def create(self, name: str, table: Table | None = None) -> None:
        """Create an empty segment, or a table."""
        if not name:
            raise Hangup
        if name in self._segments:
            raise refuse.already_exists(name)
        if len(self._segments) >= self._max_segments:
            raise refuse.message(name, f"the double has {self._max_segments} segments at most")
        self._segments[name] = Segment(name, self._now(), table=table)

    def delete(self, name: str) -> None:
        """Delete a segment; waiting reads are answered without bytes."""
        segment = self.get(name)
        del self._segments[name]
        self._bytes -= len(segment.data) if segment.table is None else segment.table.held
        for read in self._take_waiting(segment):
            read.answer(*_no_bytes(name, read.offset))

    def seal(self, name: str) -> None:
        """Seal a segment; a sealed one is refused."""
        self._seal(self.get(name))

    def _seal(self, segment: Segment) -> None:
        if segment.is_sealed:
            raise refuse.is_sealed(segment.name)
        segment.is_sealed = True
        segment.modified = self._now()
        for read in self._take_waiting(segment):
            refusal = refuse.is_sealed(segment.name, read.offset)
            read.answer(refusal.name, refusal.fields)

    def truncate(self, name: str, offset: int) -> None:
        """Drop the bytes before an offset."""
        segment = self.get(name, offset)
        if offset < 0 or segment.table is not None:
            raise Hangup
        if not segment.start <= offset <= segment.length:
            raise refuse.is_truncated(name, segment.start, offset)
        dropped = offset - segment.start
        del segment.data[:dropped]
        segment.start = offset
        self._bytes -= dropped

    def check_policy(self, name: str) -> None:
        """Refuse a change of the scaling policy, which has no effect, where a store refuses it."""
        if self.get(name).is_sealed:
            raise refuse.is_sealed(name)

    def __contains__(self, name: str) -> bool:
        return name in self._segments

    # Appends

    def last_event(self, name: str, writer: UUID) -> int:
        """Return the number of a writer's last event, or `NO_VALUE`."""
        segment = self.get(name)
        if segment.table is not None:
            raise Hangup
        return segment.attributes.get(writer, NO_VALUE)

    def append(
        self, name: str, writer: UUID, before: int, number: int, data: bytes, expected: int | None
    ) -> int | None:
        """Append the events of a writer.

        Args:
            name: The segment.
            writer: The id of the writer.
            before: The number of the last event that the connection knows of.
            number: The number of the last event in `data`.
            data: The bytes.
            expected: The offset at which the segment must end; None is any.

        Returns:
            The offset of the end; None if it was not the expected one.
        """
        try:
            segment = self.open_segment(name)
        except Refusal as refusal:
            if refusal.name == "SegmentIsSealed":
                raise refuse.is_sealed(name, number) from None
            raise
        if segment.attributes.get(writer, NO_VALUE) != before:
            raise Refusal(
                "InvalidEventNumber", writer_id=writer, server_stack_trace="", event_number=number
            )
        if expected is not None and expected != segment.length:
            return None
        self._extend(segment, data)
        segment.attributes[writer] = number
        return segment.length

    def _extend(self, segment: Segment, data: bytes | bytearray) -> None:
        self._reserve(segment.name, len(data))
        segment.data += data
        segment.modified = self._now()
        if data and segment.waiting:
            self._serve_waiting(segment)

    def _reserve(self, name: str, count: int) -> None:
        """Count bytes that are about to be stored, or refuse them."""
        if self._bytes + count > self._max_bytes:
            raise refuse.message(name, f"the double holds {self._max_bytes} bytes at most")
        self._bytes += count

    # Reads

    def read(
        self, name: str, offset: int, length: int, answer: Callable[[str, Fields], None]
    ) -> tuple[Segment, Waiting] | None:
        """Read bytes; a read at the end of an open segment waits for more.

        Args:
            name: The segment.
            offset: The offset of the first byte.
            length: The suggested number of bytes.
            answer: Called once with the reply, now or later.

        Returns:
            The read that waits, with its segment, for `forget`; None if it was answered.
        """
        segment = self.get(name, offset)
        if segment.table is not None:
            raise refuse.unsupported("readSegment")
        if offset < 0 or (segment.is_sealed and offset > segment.length):
            raise Hangup
        if offset < segment.start:
            raise refuse.is_truncated(name, segment.start, offset)
        length = min(max(length, MIN_READ), MAX_READ)
        if segment.is_sealed or offset < segment.length:
            answer("SegmentRead", _read(segment, offset, length))
            return None
        if self._waiting >= self._max_waiting_reads:
            answer(*_no_bytes(name, offset))
            return None
        self._waiting += 1
        waiting = Waiting(offset, length, answer)
        segment.waiting[waiting] = None
        return segment, waiting

    def forget(self, segment: Segment, waiting: Waiting) -> None:
        """Forget a waiting read whose connection was closed."""
        if waiting in segment.waiting:
            del segment.waiting[waiting]
            self._waiting -= 1

    def _take_waiting(self, segment: Segment) -> list[Waiting]:
        taken = list(segment.waiting)
        segment.waiting.clear()
        self._waiting -= len(taken)
        return taken

    def _serve_waiting(self, segment: Segment) -> None:
        for read in self._take_waiting(segment):
            if read.offset < segment.length:
                found = _read(segment, read.offset, read.length)
                read.answer("SegmentRead", {**found, "at_tail": False})
            else:
                segment.waiting[read] = None
                self._waiting += 1

    # Attributes

    def attribute(self, name: str, attribute: UUID) -> int:
        """Return the value of an attribute, or `NO_VALUE`."""
        return self.get(name).attributes.get(attribute, NO_VALUE)

    def update_attribute(self, name: str, attribute: UUID, new: int, expected: int) -> bool:
        """Set an attribute if it has the expected value; return whether it had."""
        segment = self.get(name)
        if segment.is_sealed:
            raise refuse.is_sealed(name)
        if segment.attributes.get(attribute, NO_VALUE) != expected:
            return False
        segment.attributes[attribute] = new
        return True

    # Merges

    def merge(self, target: str, source: str, updates: Sequence[Fields]) -> int | None:
        """Seal a segment, append it to another, and delete it.

        Args:
            target: The segment that receives the bytes.
            source: The segment that is appended.
            updates: Updates of attributes of the target, all or none.

        Returns:
            The offset of the end of the target; None if an attribute has another value.
        """
        giver = self.get(source)
        taker = self._segments.get(target)
        if taker is None:
            raise refuse.no_such_segment(source)
        for each in (giver, taker):
            if each.table is not None:
                raise refuse.unsupported("mergeSegments")
        if any(update["attribute_update_type"] not in range(5) for update in updates):
            raise Hangup
        if not giver.is_sealed:
            self._seal(giver)
        if not taker.is_sealed:
            changed = _updated(taker, updates)
            if changed is None:
                return None
            taker.attributes |= changed
        if giver.start:  # a store does not merge what is truncated
            raise Hangup
        if taker.is_sealed:  # it is, too, if it is merged into itself
            raise refuse.is_sealed(source)
        self._move(giver, taker)
        return taker.length

    def merge_all(self, target: str, sources: Sequence[str]) -> list[int]:
        """Merge segments into another, in order; return the offset of its end after each.

        A source that does not exist counts as merged before. An empty one is deleted, even if the
        target is sealed.
        """
        taker = self.get(target)
        ends = []
        for source in sources:
            giver = self._segments.get(source, taker)
            for each in (giver, taker):
                if each.table is not None:
                    raise refuse.unsupported("mergeSegments")
            if source in self._segments:
                if not giver.is_sealed:
                    self._seal(giver)
                if giver.start:
                    raise Hangup
                if giver.data and taker.is_sealed:
                    raise refuse.is_sealed(target)
                self._move(giver, taker)
            ends.append(taker.length)
        return ends

    def _move(self, giver: Segment, taker: Segment) -> None:
        data = giver.data
        del self._segments[giver.name]
        self._bytes -= len(data)
        if data:
            self._extend(taker, data)

    # Tables

    def update_table(self, name: str, entries: Sequence[Fields], offset: int) -> list[int]:
        """Put entries into a table, all or none; return their versions."""
        versions: list[int] = self._change(
            name, offset, lambda table: table.update(name, entries, offset)
        )
        return versions

    def remove_keys(self, name: str, keys: Sequence[Fields], offset: int) -> None:
        """Remove keys from a table, all or none."""
        self._change(name, offset, lambda table: table.remove(name, keys, offset))

    def _change(self, name: str, offset: int, change: Callable[[Table], Any]) -> Any:
        segment = self.get(name, offset)
        table = self.table(name)
        if segment.is_sealed:
            raise refuse.is_sealed(name)
        before, table.room = table.held, self._max_bytes - self._bytes
        result = change(table)
        self._bytes += table.held - before
        segment.modified = self._now()
        return result

    def delete_table(self, name: str, *, must_be_empty: bool) -> None:
        """Delete a table."""
        table = self.table(name)
        if must_be_empty:
            if table.key_length:
                raise refuse.unsupported("deleteTableSegment")
            if len(table):
                raise refuse.wrong_key("TableSegmentNotEmpty", name)
        self.delete(name)


def _read(segment: Segment, offset: int, length: int) -> Fields:
    """Return the fields of a `SegmentRead`."""
    at = offset - segment.start
    with memoryview(segment.data) as view:
        data = bytes(view[at : at + length])
    is_short = len(data) < length  # the read reached the end, and had room for more
    return {
        "segment": segment.name,
        "offset": offset,
        "at_tail": is_short and not segment.is_sealed,
        "end_of_segment": is_short and segment.is_sealed,
        "data": data,
    }


def _no_bytes(name: str, offset: int) -> tuple[str, Fields]:
    """Return the reply to a read that does not wait any longer."""
    found = {"segment": name, "offset": offset, "data": b""}
    return "SegmentRead", {**found, "at_tail": True, "end_of_segment": False}


def _updated(segment: Segment, updates: Sequence[Fields]) -> dict[UUID, int] | None:
    """Return the attributes that updates change, or None if a condition does not hold."""
    changed: dict[UUID, int] = {}
    for update in updates:
        attribute, kind = update["attribute_id"], update["attribute_update_type"]
        new = update["new_value"]
        present = changed.get(attribute, segment.attributes.get(attribute, NO_VALUE))
        if kind == NONE and present != NO_VALUE:
            return None
        if kind == REPLACE_IF_GREATER and present != NO_VALUE and new <= present:
            return None
        if kind == REPLACE_IF_EQUALS and present != update["old_value"]:
            return None
        if kind == ACCUMULATE and present != NO_VALUE:
            new += present
        changed[attribute] = new
    return changed
