"""Reader groups: how they are configured, watched, checkpointed and reset."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - of a dataclass
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from jvmwire._runtime.client import AsyncCaller, AsyncResource, SyncCaller, SyncResource, operation
from jvmwire._runtime.operations import Sleep
from jvmwire.errors import LocalProtocolError
from jvmwire.pravega.arguments import MAX_INT, check_milliseconds, check_name, check_range
from jvmwire.pravega.streams import controller_pb2 as messages
from jvmwire.pravega.streams.errors import ControllerError, TooManyCheckpoints
from jvmwire.pravega.streams.group_reader import GroupAccess, remove_reader, take_config
from jvmwire.pravega.streams.group_state import (
    Begin,
    ClearCheckpointsBefore,
    CreateCheckpoint,
    GroupConfig,
    GroupState,
    Positions,
    Update,
    UpdatingConfig,
)
from jvmwire.pravega.streams.names import segment_id_of, segment_name, stream_info
from jvmwire.pravega.streams.stream_cut import StreamCut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire._runtime.operations import Operation
    from jvmwire.pravega.streams.position import Position
    from jvmwire.pravega.streams.synchronizer import Synchronizer

CHECKPOINT_LOOK = 0.5
"""Seconds between two looks at a checkpoint: as `ReaderGroupImpl.waitForCheckpointComplete`."""
_RETENTION = ("none", "manual", "automatic")
"""`ReaderGroupConfig.StreamDataRetention`, by its numbers."""


def state_stream(group: str) -> str:
    """Return the stream that holds a group's state: `NameUtils.getStreamForReaderGroup`."""
    info = stream_info(group)
    return f"{info.scope}/_RG{info.stream}"


@dataclass(frozen=True, slots=True)
class ReaderGroupConfig:
    """What a reader group reads, and how its readers keep in step."""

    starts: Mapping[str, StreamCut | None]
    """The streams, `scope/stream` each, and where the group begins; None is its head."""
    ends: Mapping[str, StreamCut | None] = field(default_factory=dict)
    """Where it ends; a stream that is not here, or None, is read on."""
    checkpoint_interval: float | None = 30.0
    """Seconds between two checkpoints that readers begin; None is none.

    At checkpoints segments change hands, and the successors of segments that were read to their
    end begin to be read: without, that happens at the checkpoints that are asked for.
    """
    refresh: float = 3.0
    """Seconds after which a reader reads the group's state again."""
    max_checkpoints: int = 3
    """Checkpoints that may be under way at once."""
    retention: Literal["none", "manual", "automatic"] = "none"
    """Whether events are kept until the group has read them, by its streams' retention policies.

    They are up to the cuts of `update_retention`, or up to the last checkpoint.
    """

    def __post_init__(self) -> None:
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
        check_range("max_checkpoints", self.max_checkpoints, 1, MAX_INT)
        if self.retention not in _RETENTION:
            raise ValueError(f"retention must be one of {_RETENTION}, got {self.retention!r}")

    def of_group(self, group_id: UUID, generation: int = 0) -> GroupConfig:
        """Return it as the state of a group has it."""
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


def config_told(group: str, config: GroupConfig) -> messages.ReaderGroupConfiguration:
    """Return a configuration as a controller takes it."""
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
        startingStreamCuts=_cuts_told(config.starts),
        endingStreamCuts=_cuts_told(config.ends),
    )


def _cuts_told(cuts: Mapping[str, Mapping[int, int]]) -> list[messages.StreamCut]:
    return [
        messages.StreamCut(streamInfo=stream_info(stream), cut=cut) for stream, cut in cuts.items()
    ]


def config_of(told: messages.ReaderGroupConfiguration) -> GroupConfig:
    """Return the configuration that a controller tells of.

    Raises:
        ControllerError: its id is none.
    """
    try:
        group_id = UUID(told.readerGroupId)
    except ValueError as error:
        raise ControllerError(f"{told.readerGroupId!r} is no id of a reader group") from error
    return GroupConfig(
        checkpoint_interval=told.automaticCheckpointIntervalMillis,
        refresh=told.groupRefreshTimeMillis,
        starts=_cuts_of(told.startingStreamCuts),
        ends=_cuts_of(told.endingStreamCuts),
        max_checkpoints=told.maxOutstandingCheckpointRequest,
        retention=told.retentionType,
        generation=told.generation,
        group_id=group_id,
    )


def _cuts_of(told: Sequence[messages.StreamCut]) -> dict[str, dict[int, int]]:
    return {f"{each.streamInfo.scope}/{each.streamInfo.stream}": dict(each.cut) for each in told}


def by_stream(positions: Positions) -> dict[str, dict[int, int]]:
    """Return offsets by segment id, for each stream."""
    found: dict[str, dict[int, int]] = {}
    for segment, offset in positions.items():
        stream = segment.rpartition("/")[0]
        found.setdefault(stream, {})[segment_id_of(segment)] = offset
    return found


@dataclass(frozen=True)
class Group:
    """A reader group, with what is asked of its controller."""

    name: str
    sync: Synchronizer[GroupState, Update]
    access: GroupAccess
    change: Callable[[GroupConfig], Operation[int | None]]
    """Has the controller take a configuration; returns its generation, None if it is outdated."""
    end_offset: Callable[[str], Operation[int]]
    """Returns where a sealed segment ends."""

    def cuts(self, positions: Positions) -> Operation[dict[str, StreamCut]]:
        """Return offsets as cuts; the end of a sealed segment is its length."""
        found: dict[str, StreamCut] = {}
        for stream, offsets in by_stream(positions).items():
            for segment_id, offset in offsets.items():
                if offset < 0:
                    name = segment_name(stream, segment_id)
                    offsets[segment_id] = yield from self.end_offset(name)
            found[stream] = StreamCut(stream, offsets)
        return found

    def checkpoint(self, name: str) -> Operation[dict[str, StreamCut]]:
        """Begin a checkpoint, and return where it is once all readers have reached it."""
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
        """Have all readers begin again, by a new configuration or at the last checkpoint."""
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


class _Groups:
    _group: Group

    @property
    def name(self) -> str:
        """The group, `scope/name`."""
        return self._group.name

    @operation
    def readers(self) -> Operation[dict[str, frozenset[str]]]:
        """Return the readers that are online, each with the names of its segments.

        Source: ReaderGroup.getOnlineReaders, getReaderSegmentDistribution (Pravega 0.13).
        """
        yield from self._group.sync.fetch()
        assigned = self._group.sync.known().assigned
        return {reader: frozenset(segments) for reader, segments in assigned.items()}

    @operation
    def unassigned_segments(self) -> Operation[frozenset[str]]:
        """Return the names of the segments that wait for a reader."""
        yield from self._group.sync.fetch()
        return frozenset(self._group.sync.known().unassigned)

    @operation
    def reader_offline(self, reader: str, position: Position | None = None) -> Operation[bool]:
        """Declare a reader gone, so that others read its segments on.

        Each event is read exactly once if `position` is the one that was stored together with what
        became of the events before it. If the reader is not gone, its next `read` is refused.

        Args:
            reader: Its id.
            position: Where others go on; by default at the reader's last checkpoint.

        Returns:
            Whether the reader was in the group.

        Source: ReaderGroup.readerOffline (Pravega 0.13).
        """
        check_name("reader", reader)
        positions = {} if position is None else dict(position.segments)
        return (yield from remove_reader(self._group.sync, reader, positions))

    @operation
    def checkpoint(self, name: str) -> Operation[dict[str, StreamCut]]:
        """Begin a checkpoint, and return where it is, once all readers have reached it.

        Each reader reaches it by two calls of `read`: the first returns the checkpoint's name, the
        second says that all before is done with.

        Returns:
            Cuts of the group's streams.

        Raises:
            TooManyCheckpoints: as many are under way as the configuration allows.

        Source: ReaderGroup.initiateCheckpoint (Pravega 0.13).
        """
        check_name("checkpoint", name)
        return self._group.checkpoint(name)

    @operation
    def last_checkpoint(self) -> Operation[dict[str, StreamCut] | None]:
        """Return where the last checkpoint is that all readers reached; None if there is none."""
        yield from self._group.sync.fetch()
        last = self._group.sync.known().checkpoints.last
        return (yield from self._group.cuts(last)) if last else None

    @operation
    def reset(self, config: ReaderGroupConfig | None = None) -> Operation[None]:
        """Have the group begin again; its readers are refused, and join it again.

        Args:
            config: What it reads, and from where; by default, as before from the last checkpoint,
                or from its beginning if there is none.

        Source: ReaderGroup.resetReaderGroup (Pravega 0.13).
        """
        return self._group.reset(config)

    @operation
    def update_retention(self, cuts: Sequence[StreamCut]) -> Operation[None]:
        """Say that the group needs no events before `cuts`.

        Raises:
            LocalProtocolError: the group's retention is not "manual".

        Source: ReaderGroup.updateRetentionStreamCut (Pravega 0.13).
        """
        yield from self._group.sync.fetch()
        config = self._group.sync.known().config
        if _RETENTION[config.retention] != "manual":
            raise LocalProtocolError(f"the retention of {self._group.name!r} is not manual")
        for cut in cuts:
            positions = {
                segment_name(cut.stream, segment_id): offset
                for segment_id, offset in cut.positions.items()
            }
            yield from self._group.access.publish(config, positions)


class ReaderGroup(_Groups, SyncResource):
    """A group of readers that share the segments of streams; threads may share it."""

    def __init__(self, client: SyncCaller, group: Group) -> None:
        super().__init__(client)
        self._group = group


class AsyncReaderGroup(_Groups, AsyncResource):
    """The same, awaited; tasks may share it."""

    def __init__(self, client: AsyncCaller, group: Group) -> None:
        super().__init__(client)
        self._group = group
