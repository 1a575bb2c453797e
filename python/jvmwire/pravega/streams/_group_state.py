"""State of a reader group, and the updates that change it, in the formats of Java's readers.

Segments are identified by their names at segment stores. A reader has an offset in each of its
segments; -1 is the end of a sealed segment. The formats and the effects of updates are those of
`ReaderGroupState`, `CheckpointState` and `ReaderGroupConfig` (Pravega 0.13).
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - of dataclasses
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar
from uuid import UUID

from jvmwire.errors import DecodeError
from jvmwire.pravega.streams._names import segment_id_of, segment_name
from jvmwire.pravega.streams._synchronizer import StateKind
from jvmwire.pravega.streams._versioned import (
    BOOLEAN,
    BYTES,
    COMPACT_INT,
    COMPACT_LONG,
    INT,
    LONG,
    RANGE,
    SIGNED_COMPACT_LONG,
    UTF,
    UUIDS,
    Format,
    ListOf,
    MapOf,
    Nested,
    PairOf,
    RecordFormat,
    Source,
    take_format,
)

Positions = dict[str, int]
"""Offsets by segment name."""
Range = tuple[float, float] | None

NO_ID = UUID(int=0)
"""The id of a group that no controller created."""
ASSUMED_LAG = 30_000
"""Milliseconds assumed as a reader's minimum lag: `ReaderGroupState.ASSUMED_LAG_MILLIS`."""
UNKNOWN_LAG = (1 << 63) - 1
"""The lag of a reader that has not reported one yet."""
SILENT = "_SILENT_"
"""Part of the name of a checkpoint that is not reported to readers: `ReaderGroupImpl.SILENT`."""
SEGMENTS = MapOf(UTF, LONG)
RANGED = MapOf(PairOf(UTF, RANGE), LONG)

_OLD_CUT = ((("stream", UTF), ("positions", MapOf(COMPACT_LONG, COMPACT_LONG))),)
_CUT = RecordFormat(
    ((("stream", UTF), ("positions", MapOf(COMPACT_LONG, SIGNED_COMPACT_LONG))),),
    version=1,
    older={0: _OLD_CUT},
)


class _Cut:
    """A cut by its offsets; no offsets are `StreamCut.UNBOUNDED`, which is written as no bytes."""

    def write(self, out: bytearray, value: tuple[str, Mapping[int, int]]) -> None:
        stream, positions = value
        encoded = _CUT.encode({"stream": stream, "positions": positions}) if positions else b""
        BYTES.write(out, encoded)

    def read(self, source: Source) -> tuple[str, dict[int, int]]:
        data = BYTES.read(source)
        if not data:
            return "", {}
        found = _CUT.decode(data)
        return found["stream"], found["positions"]


_CUTS = MapOf(UTF, _Cut())
_CONFIG_0: tuple[tuple[str, Format], ...] = (
    ("checkpoint_interval", LONG),
    ("refresh", LONG),
    ("starts", _CUTS),
    ("ends", _CUTS),
)
_CONFIG = RecordFormat(
    (
        _CONFIG_0,
        (*_CONFIG_0, ("max_checkpoints", INT)),
        (("retention", COMPACT_INT), ("generation", LONG), ("group_id", UUIDS)),
    )
)


@dataclass(frozen=True, slots=True)
class GroupConfig:
    """Configuration of a reader group in its state; times are in milliseconds."""

    checkpoint_interval: int
    refresh: int
    starts: Mapping[str, Mapping[int, int]]
    """Offsets by segment id, by stream; no offsets mean the stream's beginning."""
    ends: Mapping[str, Mapping[int, int]]
    max_checkpoints: int = 3
    retention: int = 0
    """`ReaderGroupConfig.StreamDataRetention`: 0 none, 1 at the user's cuts, 2 at checkpoints."""
    generation: int = 0
    group_id: UUID = NO_ID

    def to_fields(self) -> dict[str, Any]:
        """Return the fields for encoding."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in ("starts", "ends"):
            known[name] = {stream: (stream, cut) for stream, cut in known[name].items()}
        return known

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> GroupConfig:
        """Create a configuration from decoded fields."""
        known = dict(found)
        for name in ("starts", "ends"):
            known[name] = {stream: cut for stream, (_, cut) in known[name].items()}
        return cls(**known)


_CHECKPOINTS = RecordFormat(
    (
        (
            ("names", ListOf(UTF)),
            ("pending", MapOf(UTF, ListOf(UTF))),
            ("positions", MapOf(UTF, SEGMENTS)),
            ("last", SEGMENTS),
        ),
        (("is_published", BOOLEAN),),
    )
)


@dataclass(slots=True)
class Checkpoints:
    """Checkpoints of a group: those in progress, and the positions of completed ones."""

    names: list[str] = field(default_factory=list)
    pending: dict[str, list[str]] = field(default_factory=dict)
    """The readers that have not reached a checkpoint yet, by checkpoint."""
    positions: dict[str, Positions] = field(default_factory=dict)
    last: Positions = field(default_factory=dict)
    """Positions of the last completed checkpoint that is not silent; empty before the first."""
    is_published: bool = True
    """Whether that checkpoint was published to the controller, for retention."""

    def begin(self, name: str, readers: list[str], positions: Positions) -> None:
        """Begin a checkpoint, unless one of that name exists."""
        if name not in self.positions:
            if readers:
                self.pending[name] = readers
            self.positions[name] = dict(positions)
            self.names.append(name)

    def due(self, reader: str) -> str | None:
        """Return the first checkpoint that a reader has not reached."""
        due = (name for name in self.names if reader in self.pending.get(name, ()))
        return next(due, None)

    def outstanding(self) -> list[str]:
        """Return the checkpoints in progress that are not silent."""
        return [name for name in self.names if name in self.pending and SILENT not in name]

    def reached(self, name: str, reader: str, positions: Positions) -> None:
        """Record a reader's positions at a checkpoint."""
        readers = self.pending.get(name)
        if readers is None or reader not in readers:
            return
        readers.remove(reader)
        self.positions[name].update(positions)
        if not readers:
            del self.pending[name]
            if SILENT not in name:
                self.last = self.positions[name]
                self.is_published = False

    def remove_reader(self, reader: str, positions: Positions) -> None:
        """Complete all checkpoints for a reader that is removed."""
        for name in [name for name, readers in self.pending.items() if reader in readers]:
            self.reached(name, reader, positions)

    def clear_before(self, name: str) -> None:
        """Remove the checkpoints before one."""
        if name not in self.positions:
            return
        index = self.names.index(name)
        for each in self.names[:index]:
            self.pending.pop(each, None)
            self.positions.pop(each, None)
        del self.names[:index]

    def remove_outstanding(self) -> None:
        """Remove the checkpoints in progress that are not silent."""
        for name in self.outstanding():
            del self.pending[name]
            self.positions.pop(name, None)


@dataclass(slots=True)
class GroupState:
    """Segments of a reader group, and their assignment to readers."""

    config: GroupConfig
    unassigned: Positions
    ends: Positions
    """The offsets at which reading ends, for segments that have one."""
    ranges: dict[str, Range] = field(default_factory=dict)
    """The key ranges of the segments, None where unknown."""
    last_read: Positions = field(default_factory=dict)
    assigned: dict[str, Positions] = field(default_factory=dict)
    """The segments and offsets of each reader."""
    distances: dict[str, int] = field(default_factory=dict)
    """The lag in milliseconds that each reader has reported."""
    future: dict[str, set[int]] = field(default_factory=dict)
    """Segments that become readable after their predecessors, with the ids of these."""
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    is_updating: bool = False
    """Whether a reader must fetch another configuration from the controller."""

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing more to read, now and later."""
        return not self.future and not self.unassigned and not any(self.assigned.values())

    @property
    def segment_count(self) -> int:
        """The number of segments that are assigned or unassigned."""
        return len(self.unassigned) + sum(map(len, self.assigned.values()))

    def sizes(self) -> dict[str, float]:
        """Return the relative amount that each reader has to read."""
        lags = [
            max(ASSUMED_LAG, lag) for each, lag in self.distances.items() if self.assigned.get(each)
        ]
        longest = max(lags, default=ASSUMED_LAG)
        return {
            reader: len(segments) * max(ASSUMED_LAG, self.distances.get(reader, 0)) / longest
            for reader, segments in self.assigned.items()
        }

    def rank(self, reader: str) -> int:
        """Return the number of readers that have more to read."""
        sizes = self.sizes()
        return sorted(sizes, key=lambda each: -sizes[each]).index(reader)

    def of(self, reader: str) -> Positions:
        """Return the segments of a reader.

        Raises:
            DecodeError: the reader is not in the group.
        """
        if reader not in self.assigned:
            raise DecodeError(f"an update of reader {reader!r}, which is not in the group")
        return self.assigned[reader]


class Update:
    """Base class of the updates: dataclasses whose fields are encoded."""

    kind: ClassVar[int]
    """The type number of the update: `ReaderGroupState.ReaderGroupUpdateSerializer`."""
    layout: ClassVar[RecordFormat]

    def encode(self) -> bytes:
        """Encode the update."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return self.layout.encode(known, self.kind)

    def apply(self, state: GroupState) -> GroupState:
        """Return the state after the update: the same object, except after an initial update."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Begin(Update):
    """Initial update of a group that was created or reset: all segments are unassigned."""

    kind = 0
    layout = RecordFormat(
        (
            (("config", Nested(_CONFIG)), ("unassigned", SEGMENTS), ("ends", SEGMENTS)),
            (("ranged", RANGED),),
            (("is_updating", BOOLEAN),),
        )
    )

    config: Mapping[str, Any]
    unassigned: Positions
    ends: Positions
    ranged: Mapping[tuple[str, Range], int] | None = None
    is_updating: bool = False

    @classmethod
    def of(cls, config: GroupConfig, segments: Positions) -> Begin:
        """Create the initial update of a group that reads `segments` from their offsets."""
        ends = {
            segment_name(stream, segment_id): (
                UNKNOWN_LAG if offset == -1 else offset  # a segment to its end
            )
            for stream, cut in config.ends.items()
            for segment_id, offset in cut.items()
        }
        ranged: dict[tuple[str, Range], int] = {
            (segment, None): offset for segment, offset in segments.items()
        }
        return cls(config.to_fields(), segments, ends, ranged)

    def state(self) -> GroupState:
        """Return the initial state."""
        return GroupState(
            GroupConfig.of(self.config),
            dict(self.unassigned),
            dict(self.ends),
            ranges=dict((self.ranged or {}).keys()),
            last_read=dict(self.unassigned),
            is_updating=self.is_updating,
        )

    def apply(self, state: GroupState) -> GroupState:  # noqa: ARG002 - it is replaced
        """Return the initial state, whatever the state was."""
        return self.state()


@dataclass(frozen=True, slots=True)
class Compacted(Update):
    """Initial update with a complete state, written by compaction."""

    kind = 1
    layout = RecordFormat(
        (
            (
                ("config", Nested(_CONFIG)),
                ("checkpoints", Nested(_CHECKPOINTS)),
                ("distances", SEGMENTS),
                ("future", MapOf(UTF, ListOf(LONG))),
                ("assigned", MapOf(UTF, SEGMENTS)),
                ("unassigned", SEGMENTS),
                ("ends", SEGMENTS),
            ),
            (("last_read", SEGMENTS), ("ranges", MapOf(UTF, RANGE))),
            (("is_updating", BOOLEAN),),
        )
    )

    config: Mapping[str, Any]
    checkpoints: Mapping[str, Any]
    distances: Mapping[str, int]
    future: Mapping[str, Any]
    assigned: Mapping[str, Positions]
    unassigned: Positions
    ends: Positions
    last_read: Positions = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    is_updating: bool = False

    @classmethod
    def of(cls, state: GroupState) -> Compacted:
        """Create the update from a state."""
        known = {each.name: getattr(state, each.name) for each in fields(cls)}
        known["config"] = state.config.to_fields()
        checkpoints = state.checkpoints
        known["checkpoints"] = {
            each.name: getattr(checkpoints, each.name) for each in fields(checkpoints)
        }
        named = {*state.future, *state.unassigned, *state.last_read}
        named.update(*state.assigned.values())
        known["ranges"] = {segment: state.ranges.get(segment) for segment in named}
        return cls(**known)

    def state(self) -> GroupState:
        """Return the complete state."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        known["config"] = GroupConfig.of(self.config)
        known["checkpoints"] = Checkpoints(**self.checkpoints)
        known["future"] = {segment: set(ids) for segment, ids in self.future.items()}
        return GroupState(**known)

    def apply(self, state: GroupState) -> GroupState:  # noqa: ARG002 - it is a whole one
        """Return the complete state, whatever the state was."""
        return self.state()


@dataclass(frozen=True, slots=True)
class AddReader(Update):
    """Update that adds a reader without segments."""

    kind = 2
    layout = RecordFormat(((("reader", UTF),),))

    reader: str

    def apply(self, state: GroupState) -> GroupState:
        """Add the reader."""
        if self.reader in state.assigned:
            raise DecodeError(f"reader {self.reader!r} is added, which is in the group")
        state.assigned[self.reader] = {}
        state.distances.setdefault(self.reader, UNKNOWN_LAG)
        return state


@dataclass(frozen=True, slots=True)
class RemoveReader(Update):
    """Update that removes a reader; others continue with its segments at the given positions."""

    kind = 3
    layout = RecordFormat(((("reader", UTF), ("positions", SEGMENTS)),))

    reader: str
    positions: Positions

    def apply(self, state: GroupState) -> GroupState:
        """Remove the reader; a segment without a position keeps that of the last checkpoint."""
        left = {
            segment: self.positions.get(segment, offset)
            for segment, offset in state.assigned.pop(self.reader, {}).items()
        }
        state.unassigned |= left
        state.distances.pop(self.reader, None)
        state.checkpoints.remove_reader(self.reader, left)
        return state


@dataclass(frozen=True, slots=True)
class ReleaseSegment(Update):
    """Update by which a reader releases a segment."""

    kind = 4
    layout = RecordFormat(((("reader", UTF), ("segment", UTF), ("offset", LONG)),))

    reader: str
    segment: str
    offset: int

    def apply(self, state: GroupState) -> GroupState:
        """Remove the segment from the reader."""
        if state.of(self.reader).pop(self.segment, None) is None:
            raise DecodeError(f"{self.segment!r} is released by {self.reader!r}, which has it not")
        state.unassigned[self.segment] = self.offset
        if self.segment in state.last_read:
            state.last_read[self.segment] = self.offset
        return state


@dataclass(frozen=True, slots=True)
class AcquireSegment(Update):
    """Update by which a reader acquires a segment."""

    kind = 5
    layout = RecordFormat(((("reader", UTF), ("segment", UTF)),))

    reader: str
    segment: str

    def apply(self, state: GroupState) -> GroupState:
        """Assign the segment to the reader."""
        segments = state.of(self.reader)
        if self.segment not in state.unassigned:
            raise DecodeError(f"{self.segment!r} is acquired, which a reader has")
        segments[self.segment] = state.unassigned.pop(self.segment)
        return state


@dataclass(frozen=True, slots=True)
class UpdateDistanceToTail(Update):
    """Update of a reader's lag and its offsets."""

    kind = 6
    layout = RecordFormat(((("reader", UTF), ("distance", LONG)), (("positions", RANGED),)))

    reader: str
    distance: int
    positions: Mapping[tuple[str, Range], int] = field(default_factory=dict)

    def apply(self, state: GroupState) -> GroupState:
        """Record the reader's lag and offsets; others still continue at its last checkpoint."""
        state.distances[self.reader] = max(ASSUMED_LAG, self.distance)
        for (segment, _), offset in self.positions.items():
            if segment in state.last_read:
                state.last_read[segment] = offset
        return state


@dataclass(frozen=True, slots=True)
class SegmentCompleted(Update):
    """Update that completes a segment, which was read to its end, and names its successors."""

    kind = 7
    layout = RecordFormat(
        (
            (("reader", UTF), ("segment", UTF), ("successors", MapOf(UTF, ListOf(LONG)))),
            (("ranges", MapOf(UTF, RANGE)),),
        )
    )

    reader: str
    segment: str
    successors: Mapping[str, list[int]]
    """The successors, each with the ids of all its predecessors."""
    ranges: Mapping[str, Range] = field(default_factory=dict)

    def apply(self, state: GroupState) -> GroupState:
        """Release the successors whose predecessors are all completed."""
        if state.of(self.reader).pop(self.segment, None) is None:
            raise DecodeError(f"{self.segment!r} is completed by {self.reader!r}, which has it not")
        state.last_read.pop(self.segment, None)
        state.ranges.pop(self.segment, None)
        for segment, before in self.successors.items():
            state.future.setdefault(segment, set(before))
            state.ranges[segment] = self.ranges.get(segment)
        segment_id = segment_id_of(self.segment)
        for segment, before_it in list(state.future.items()):
            before_it.discard(segment_id)
            if not before_it:
                del state.future[segment]
                state.unassigned[segment] = 0
                state.last_read.setdefault(segment, 0)
        return state


@dataclass(frozen=True, slots=True)
class CheckpointReader(Update):
    """Update with a reader's positions at a checkpoint."""

    kind = 8
    layout = RecordFormat(((("checkpoint", UTF), ("reader", UTF), ("positions", SEGMENTS)),))

    checkpoint: str
    reader: str
    positions: Positions

    def apply(self, state: GroupState) -> GroupState:
        """Record the positions; others continue there, unless the checkpoint is silent."""
        state.checkpoints.reached(self.checkpoint, self.reader, self.positions)
        if SILENT not in self.checkpoint:
            segments = state.of(self.reader)
            for segment in segments.keys() & self.positions.keys():
                segments[segment] = self.positions[segment]
        return state


@dataclass(frozen=True, slots=True)
class CreateCheckpoint(Update):
    """Update that begins a checkpoint, which all readers must reach."""

    kind = 9
    layout = RecordFormat(((("checkpoint", UTF),),))

    checkpoint: str

    def apply(self, state: GroupState) -> GroupState:
        """Begin the checkpoint."""
        state.checkpoints.begin(self.checkpoint, list(state.assigned), state.unassigned)
        return state


@dataclass(frozen=True, slots=True)
class ClearCheckpointsBefore(Update):
    """Update that removes the checkpoints before one."""

    kind = 10
    layout = RecordFormat(((("checkpoint", UTF),),))

    checkpoint: str

    def apply(self, state: GroupState) -> GroupState:
        """Remove the checkpoints."""
        state.checkpoints.clear_before(self.checkpoint)
        return state


@dataclass(frozen=True, slots=True)
class UpdateCheckpointPublished(Update):
    """Update that records whether the last checkpoint was published to the controller."""

    kind = 11
    layout = RecordFormat(((("is_published", BOOLEAN),),))

    is_published: bool

    def apply(self, state: GroupState) -> GroupState:
        """Record the flag."""
        state.checkpoints.is_published = self.is_published
        return state


@dataclass(frozen=True, slots=True)
class UpdatingConfig(Update):
    """Update that records whether the configuration is about to change."""

    kind = 12
    layout = RecordFormat(((("is_updating", BOOLEAN),),))

    is_updating: bool

    def apply(self, state: GroupState) -> GroupState:
        """Record the flag."""
        state.is_updating = self.is_updating
        return state


@dataclass(frozen=True, slots=True)
class RemoveOutstandingCheckpoints(Update):
    """Update that removes the checkpoints in progress."""

    kind = 13
    layout = RecordFormat(((),))

    def apply(self, state: GroupState) -> GroupState:
        """Remove the checkpoints."""
        state.checkpoints.remove_outstanding()
        return state


_UPDATES: dict[int, type[Update]] = {
    each.kind: each
    for each in (
        Begin,
        Compacted,
        AddReader,
        RemoveReader,
        ReleaseSegment,
        AcquireSegment,
        UpdateDistanceToTail,
        SegmentCompleted,
        CheckpointReader,
        CreateCheckpoint,
        ClearCheckpointsBefore,
        UpdateCheckpointPublished,
        UpdatingConfig,
        RemoveOutstandingCheckpoints,
    )
}


def decode_update(data: bytes) -> Update:
    """Decode an update.

    Raises:
        DecodeError: the bytes are not an update.
    """
    source = Source(data)
    take_format(source)
    kind = source.take(1)[0]
    if kind not in _UPDATES:
        raise DecodeError(f"an update of a reader group of the unknown type {kind}")
    found = _UPDATES[kind].layout.decode_contents(source)
    try:
        return _UPDATES[kind](**found)
    except TypeError as error:
        raise DecodeError(f"an update of the type {kind} has the fields {sorted(found)}") from error


def decode_state(data: bytes) -> GroupState:
    """Decode an initial update, and return its state.

    Raises:
        DecodeError: the bytes are not an initial update.
    """
    update = decode_update(data)
    if not isinstance(update, Begin | Compacted):
        raise DecodeError(f"a reader group begins with an update of the type {update.kind}")
    return update.state()


GROUP: StateKind[GroupState, Update] = StateKind(
    encode_state=lambda state: Compacted.of(state).encode(),
    decode_state=decode_state,
    encode_update=Update.encode,
    decode_update=decode_update,
    apply=lambda state, update: update.apply(state),
)
"""Serialisation of reader groups for state synchronizers."""
