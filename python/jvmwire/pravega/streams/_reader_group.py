"""Reader groups: their configuration, state, checkpoints and resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta  # noqa: TC003 - of a dataclass
from types import NoneType
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from jvmwire._checks import check_range
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
)
from jvmwire._runtime.operations import Sleep
from jvmwire._times import to_seconds
from jvmwire.errors import StateError
from jvmwire.options import check_options, of_class
from jvmwire.pravega._arguments import MAX_INT, check_milliseconds, check_name, check_type
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._group_reader import GroupAccess, remove_reader, take_config
from jvmwire.pravega.streams._group_state import (
    Begin,
    ClearCheckpointsBefore,
    CreateCheckpoint,
    GroupConfig,
    GroupState,
    Positions,
    Update,
    UpdatingConfig,
)
from jvmwire.pravega.streams._names import segment_id_of, segment_name, stream_info
from jvmwire.pravega.streams._position import Position
from jvmwire.pravega.streams._stream_cut import StreamCut
from jvmwire.pravega.streams.errors import ControllerError, TooManyCheckpoints

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Operation
    from jvmwire.pravega.streams._synchronizer import Synchronizer

CHECKPOINT_LOOK = 0.5
"""Seconds between two polls of a checkpoint, as in `ReaderGroupImpl.waitForCheckpointComplete`."""
_RETENTION = ("none", "manual", "automatic")
"""Values of `ReaderGroupConfig.StreamDataRetention`, by number."""


def state_stream(group: str) -> str:
    """Return the stream that holds a group's state: `NameUtils.getStreamForReaderGroup`."""
    info = stream_info(group)
    return f"{info.scope}/_RG{info.stream}"


@dataclass(frozen=True, slots=True)
class ReaderGroupConfig:
    """Configuration of a reader group.

    Args:
        starts: The cut at which the group begins in each stream, by stream (`scope/stream`); None
            is the head of the stream.
        ends: The cut at which the group stops in each stream; streams without a cut are read on.
        checkpoint_interval: Seconds between two automatic checkpoints, which readers begin; None
            disables them. Segments move between readers at checkpoints only, and the successors of
            finished segments begin to be read at checkpoints: without automatic ones, that happens
            at the checkpoints requested with `checkpoint`.
        refresh: Seconds after which a reader fetches the group's state again.
        max_checkpoints: Checkpoints that may be in progress at once.
        retention: Whether the retention policies of the streams keep events until the group has
            read them: "none" (the default), "manual" (up to the cuts of `update_retention`), or
            "automatic" (up to the last checkpoint).

    Raises:
        ValueError: there is no stream, a cut is of another stream, or a value is out of range.

    Source: ReaderGroupConfig (Pravega 0.13).
    """

    starts: Mapping[str, StreamCut | None] = field(metadata=of_class(StreamCut, NoneType))
    """The cut at which the group begins in each stream, by `scope/stream`; None is the stream's
    head.
    """
    ends: Mapping[str, StreamCut | None] = field(
        default_factory=dict, metadata=of_class(StreamCut, NoneType)
    )
    checkpoint_interval: float | timedelta | None = 30.0
    refresh: float | timedelta = 3.0
    max_checkpoints: int = 3
    retention: Literal["none", "manual", "automatic"] = "none"
    """Whether the streams' retention policies keep events until the group has read them.

    With "manual" they are kept up to the cuts of `update_retention`, with "automatic" up to the
    last checkpoint.
    """

    def __post_init__(self) -> None:
        check_options(self)
        if not self.starts:
            raise ValueError("a reader group reads at least one stream")
        for name, cut in (*self.starts.items(), *self.ends.items()):
            stream_info(name)
            if cut is not None and cut.stream != name:
                raise ValueError(f"the cut is of {cut.stream!r}, not of {name!r}")
        if unknown := self.ends.keys() - self.starts.keys():
            raise ValueError(f"the group has ends, but no starts, of {sorted(unknown)}")
        if self.checkpoint_interval is not None:
            check_milliseconds("checkpoint_interval", self.checkpoint_interval)
        check_milliseconds("refresh", self.refresh)
        for name in ("checkpoint_interval", "refresh"):
            # As numbers, so that equal configurations are equal.
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, to_seconds(name, given))
        check_range("max_checkpoints", self.max_checkpoints, 1, MAX_INT)
        if self.retention not in _RETENTION:
            raise ValueError(f"retention must be one of {_RETENTION}, got {self.retention!r}")

    def of_group(self, group_id: UUID, generation: int = 0) -> GroupConfig:
        """Convert the configuration to the form in a group's state.

        Args:
            group_id: The UUID of the group.
            generation: The number of the configuration, counted by the controller.

        Returns:
            The configuration with times in milliseconds.
        """
        interval = self.checkpoint_interval
        return GroupConfig(
            checkpoint_interval=0
            if interval is None
            else check_milliseconds("checkpoint_interval", interval),
            refresh=check_milliseconds("refresh", self.refresh),
            starts={name: _offsets(cut) for name, cut in self.starts.items()},
            ends={name: _offsets(cut) for name, cut in self.ends.items()},
            max_checkpoints=self.max_checkpoints,
            retention=_RETENTION.index(self.retention),
            generation=generation,
            group_id=group_id,
        )


def _offsets(cut: StreamCut | None) -> dict[int, int]:
    return {} if cut is None else dict(cut.positions)


def config_to_proto(group: str, config: GroupConfig) -> messages.ReaderGroupConfiguration:
    """Convert a configuration to its protobuf message."""
    info = stream_info(group)
    return messages.ReaderGroupConfiguration(
        scope=info.scope,
        readerGroupName=info.stream,
        groupRefreshTimeMillis=config.refresh,
        automaticCheckpointIntervalMillis=config.checkpoint_interval,
        maxOutstandingCheckpointRequest=config.max_checkpoints,
        retentionType=config.retention,
        generation=config.generation,
        readerGroupId=str(config.group_id),
        startingStreamCuts=_cuts_to_proto(config.starts),
        endingStreamCuts=_cuts_to_proto(config.ends),
    )


def _cuts_to_proto(cuts: Mapping[str, Mapping[int, int]]) -> list[messages.StreamCut]:
    return [
        messages.StreamCut(streamInfo=stream_info(stream), cut=cut) for stream, cut in cuts.items()
    ]


def config_of(proto: messages.ReaderGroupConfiguration) -> GroupConfig:
    """Create a configuration from its protobuf message.

    Raises:
        ControllerError: the group id is not a UUID.
    """
    try:
        group_id = UUID(proto.readerGroupId)
    except ValueError as error:
        raise ControllerError(f"{proto.readerGroupId!r} is not the id of a reader group") from error
    return GroupConfig(
        checkpoint_interval=proto.automaticCheckpointIntervalMillis,
        refresh=proto.groupRefreshTimeMillis,
        starts=_cuts_of(proto.startingStreamCuts),
        ends=_cuts_of(proto.endingStreamCuts),
        max_checkpoints=proto.maxOutstandingCheckpointRequest,
        retention=proto.retentionType,
        generation=proto.generation,
        group_id=group_id,
    )


def _cuts_of(proto: Sequence[messages.StreamCut]) -> dict[str, dict[int, int]]:
    return {f"{each.streamInfo.scope}/{each.streamInfo.stream}": dict(each.cut) for each in proto}


def by_stream(positions: Positions) -> dict[str, dict[int, int]]:
    """Group offsets by stream, then by segment id."""
    found: dict[str, dict[int, int]] = {}
    for segment, offset in positions.items():
        stream = segment.rpartition("/")[0]
        found.setdefault(stream, {})[segment_id_of(segment)] = offset
    return found


@dataclass(frozen=True)
class Group:
    """A reader group, with the controller calls that it needs."""

    name: str
    sync: Synchronizer[GroupState, Update]
    access: GroupAccess
    change: Callable[[GroupConfig], Operation[int | None]]
    """Sends a configuration to the controller; returns its generation, None if it is outdated."""
    end_offset: Callable[[str], Operation[int]]
    """Returns the offset at which a sealed segment ends."""

    def cuts(self, positions: Positions) -> Operation[dict[str, StreamCut]]:
        """Convert offsets to cuts; the end of a sealed segment becomes its length."""
        found: dict[str, StreamCut] = {}
        for stream, offsets in by_stream(positions).items():
            for segment_id, offset in offsets.items():
                if offset < 0:
                    name = segment_name(stream, segment_id)
                    offsets[segment_id] = yield from self.end_offset(name)
            found[stream] = StreamCut(stream, offsets)
        return found

    def checkpoint(self, name: str) -> Operation[dict[str, StreamCut]]:
        """Begin a checkpoint, and return its cuts once all readers have reached it."""
        full = False

        def choose(state: GroupState) -> Sequence[Update]:
            nonlocal full
            full = len(state.checkpoints.outstanding()) >= state.config.max_checkpoints
            return [] if full else [CreateCheckpoint(name)]

        yield from self.sync.fetch()
        yield from self.sync.update(choose)
        if full:
            state = self.sync.known()
            waiting = {each: state.checkpoints.pending[each] for each in state.checkpoints.pending}
            raise TooManyCheckpoints(f"{self.name!r} waits for readers at checkpoints: {waiting}")
        while name in self.sync.known().checkpoints.pending:
            yield Sleep(CHECKPOINT_LOOK)
            yield from self.sync.fetch()
        positions = self.sync.known().checkpoints.positions.get(name)
        yield from self.sync.write([ClearCheckpointsBefore(name)])
        if positions is None:
            raise ControllerError(
                f"checkpoint {name!r} of {self.name!r} was cleared by a later one"
            )
        return (yield from self.cuts(positions))

    def reset(self, config: ReaderGroupConfig | None) -> Operation[None]:
        """Restart all readers with a new configuration, or at the last checkpoint."""
        yield from self.sync.fetch()
        while True:
            before = self.sync.known().config
            if config is None:
                last = self.sync.known().checkpoints.last
                wanted = replace(before, starts=by_stream(last)) if last else before
            else:
                wanted = config.of_group(before.group_id, before.generation)
            changed = False

            def choose(state: GroupState, before: GroupConfig = before) -> Sequence[Update]:
                nonlocal changed
                changed = state.config == before
                return [UpdatingConfig(is_updating=True)] if changed else []

            yield from self.sync.update(choose)
            if not changed:
                continue
            generation = yield from self.change(wanted)
            if generation is None:
                yield from take_config(self.sync, self.access)
                continue
            wanted = replace(wanted, generation=generation)
            begin = Begin.of(wanted, (yield from self.access.starts(wanted)))
            yield from self.sync.update(lambda _, begin=begin: [begin])  # type: ignore[misc]
            return


class _ReaderGroupMethods(Resource):
    def __init__(self, client: Caller, group: Group) -> None:
        super().__init__(client)
        self._group = group

    @property
    def name(self) -> str:
        """The name of the group, `scope/name`."""
        return self._group.name

    @operation
    def readers(self) -> Operation[dict[str, frozenset[str]]]:
        """Fetch the online readers and their segments.

        Returns:
            The names of the segments of each reader, by reader id.

        Source: ReaderGroup.getOnlineReaders, getReaderSegmentDistribution (Pravega 0.13).
        """
        yield from self._group.sync.fetch()
        assigned = self._group.sync.known().assigned
        return {reader: frozenset(segments) for reader, segments in assigned.items()}

    @operation
    def unassigned_segments(self) -> Operation[frozenset[str]]:
        """Fetch the segments that have no reader at present.

        Returns:
            The names of the segments.
        """
        yield from self._group.sync.fetch()
        return frozenset(self._group.sync.known().unassigned)

    @operation
    def reader_offline(self, reader: str, position: Position | None = None) -> Operation[bool]:
        """Declare a reader offline, so that other readers continue with its segments.

        Each event is processed exactly once if `position` is stored atomically with the results of
        the events before it. If the reader is still running, its next `read` raises
        `ReaderNotInGroup`.

        Args:
            reader: The reader's id.
            position: The position at which others continue; by default the reader's last
                checkpoint.

        Returns:
            Whether the reader was in the group.

        Source: ReaderGroup.readerOffline (Pravega 0.13).
        """
        check_name("reader", reader)
        if position is not None:
            check_type("position", position, Position)
        positions = {} if position is None else dict(position.segments)
        return (yield from remove_reader(self._group.sync, reader, positions))

    @operation
    def checkpoint(self, name: str) -> Operation[dict[str, StreamCut]]:
        """Begin a checkpoint, and return once all readers have reached it.

        Each reader reaches the checkpoint by two calls of `read`: the first returns the
        checkpoint's name, the second confirms that all events before it are processed.

        Args:
            name: The name of the checkpoint.

        Returns:
            The cuts of the checkpoint, by stream.

        Raises:
            TooManyCheckpoints: as many checkpoints are in progress as the configuration permits.
            ControllerError: a later checkpoint has replaced this one.

        Source: ReaderGroup.initiateCheckpoint (Pravega 0.13).
        """
        check_name("checkpoint", name)
        return self._group.checkpoint(name)

    @operation
    def last_checkpoint(self) -> Operation[dict[str, StreamCut] | None]:
        """Fetch the cuts of the last checkpoint that all readers reached.

        Returns:
            The cuts by stream, None if there is no such checkpoint.
        """
        yield from self._group.sync.fetch()
        last = self._group.sync.known().checkpoints.last
        return (yield from self._group.cuts(last)) if last else None

    @operation
    def reset(self, config: ReaderGroupConfig | None = None) -> Operation[None]:
        """Reset the group; its readers are rejected with `ReaderNotInGroup` and must join again.

        Args:
            config: The new configuration; by default the present one, with the last checkpoint as
                its start, or with its own start if there was no checkpoint.

        Source: ReaderGroup.resetReaderGroup (Pravega 0.13).
        """
        if config is not None:
            check_type("config", config, ReaderGroupConfig)
        return self._group.reset(config)

    @operation
    def update_retention(self, cuts: Sequence[StreamCut]) -> Operation[None]:
        """Declare that the group no longer needs the events before `cuts`.

        Args:
            cuts: Cuts of streams of the group.

        Raises:
            StateError: the group's retention is not "manual".

        Source: ReaderGroup.updateRetentionStreamCut (Pravega 0.13).
        """
        check_type("cuts", cuts, Sequence)
        for cut in cuts:
            check_type("each of the cuts", cut, StreamCut)
        yield from self._group.sync.fetch()
        config = self._group.sync.known().config
        if _RETENTION[config.retention] != "manual":
            raise StateError(f"the retention of {self._group.name!r} is not manual")
        for cut in cuts:
            positions = {
                segment_name(cut.stream, segment_id): offset
                for segment_id, offset in cut.positions.items()
            }
            yield from self._group.access.publish(config, positions)


class ReaderGroup(_ReaderGroupMethods, SyncResource):
    """A group of readers that share the segments of streams; thread-safe."""


class AsyncReaderGroup(_ReaderGroupMethods, AsyncResource):
    """Asyncio counterpart of `ReaderGroup`; tasks may share it."""
