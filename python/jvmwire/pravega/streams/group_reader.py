"""Readers of a reader group: they share its segments, and none reads what another has read.

What a reader tells the group it tells in `read`: by then what the call before returned is done
with. Segments change hands at checkpoints only, or when a reader is declared offline.
"""

from __future__ import annotations

import random
import uuid
from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime.client import AsyncCaller, AsyncResource, SyncCaller, SyncResource, operation
from jvmwire._runtime.operations import (
    EndOfMessages,
    NewMailbox,
    Receive,
    Sleep,
    Spawn,
)
from jvmwire.errors import JvmWireError, LocalProtocolError, wrap_error
from jvmwire.pravega.errors import NoSuchSegment, SegmentIsSealed, SegmentIsTruncated
from jvmwire.pravega.segment_reader import EventParser, read_chunks
from jvmwire.pravega.streams.errors import ReaderInGroup, ReaderNotInGroup
from jvmwire.pravega.streams.group_state import (
    SILENT,
    UNKNOWN_LAG,
    AcquireSegment,
    AddReader,
    Begin,
    CheckpointReader,
    ClearCheckpointsBefore,
    CreateCheckpoint,
    GroupConfig,
    GroupState,
    Positions,
    Range,
    ReleaseSegment,
    RemoveReader,
    SegmentCompleted,
    Update,
    UpdateCheckpointPublished,
    UpdateDistanceToTail,
)
from jvmwire.pravega.streams.position import AT_END, Position

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream
    from jvmwire.pravega.streams.store_locator import SegmentLine
    from jvmwire.pravega.streams.synchronizer import Synchronizer

UNIT = 1.0
"""Seconds between two attempts of a reader, times its rank: `ReaderGroupStateManager.TIME_UNIT`."""
UPDATE_WINDOW = 30.0
"""Seconds until an attempt is made again that did not end: `UPDATE_WINDOW`."""
CONFIG_WINDOW = 10.0
"""Seconds between two looks at the configuration: `UPDATE_CONFIG_WINDOW`."""
COMPACTION_BYTES = 512 << 10
"""Bytes of updates after which a reader may compact the state."""
COMPACTION_CHANCE = 0.05
WAIT = 1.0
"""Seconds that `read` waits for events at most, unless told otherwise."""
MAX_FEEDS = 1 << 20
"""Messages of segments that wait for a reader: each segment has one (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True)
class GroupBatch:
    """Events that a reader of a group read at once."""

    events: list[bytes]
    """In their order; none if there were none in time, and at a checkpoint."""
    position: Position
    """Position of the reader after these events: what to store with what became of them."""
    segment: str | None = None
    """Segment of the events."""
    checkpoint: str | None = None
    """Name of a checkpoint: it has what was returned before, and is reached by the next `read`."""
    is_end: bool = False
    """Whether there is nothing more to read, now and later."""


@dataclass(frozen=True, slots=True)
class GroupAccess:
    """What a reader asks of the controller and of the stores."""

    line: Callable[[str], SegmentLine]
    """Returns the way to a segment."""
    start_offset: Callable[[str], Operation[int]]
    """Returns where a segment begins."""
    successors: Callable[[str], Operation[tuple[dict[str, list[int]], dict[str, Range]]]]
    """Returns the segments after one, each with the ids of all before it, and their ranges."""
    config: Callable[[], Operation[GroupConfig]]
    """Returns the configuration of the group, as the controller has it."""
    starts: Callable[[GroupConfig], Operation[Positions]]
    """Returns the segments that a group begins with."""
    publish: Callable[[GroupConfig, Positions], Operation[None]]
    """Tells the controller of a checkpoint, for the retention of what is before it."""
    max_event: int


@dataclass(slots=True, eq=False)
class _Feed:
    """Reads one segment ahead."""

    segment: str
    offset: int
    """Where it began."""
    end: int | None
    permission: Mailbox
    """Where it is told to go on."""


@dataclass(frozen=True, slots=True)
class _Read:
    feed: _Feed
    events: list[bytes]
    offset: int


@dataclass(frozen=True, slots=True)
class _Finished:
    feed: _Feed
    is_sealed: bool


@dataclass(frozen=True, slots=True)
class _Failed:
    feed: _Feed
    error: JvmWireError


@dataclass(frozen=True, slots=True)
class _Due:
    """Says that a wait is over."""


@dataclass(slots=True)
class _Timers:
    """When a reader next does what it does from time to time."""

    fetch: float = 0.0
    acquire: float = 0.0
    release: float = 0.0
    checkpoint: float = 0.0
    lag: float = 0.0
    config: float = 0.0


@dataclass(eq=False)
class GroupMember:
    """One reader: its segments, and how it keeps to what the group's state says."""

    reader: str
    group: str
    sync: Synchronizer[GroupState, Update]
    access: GroupAccess
    clock: Callable[[], float] = monotonic
    offsets: Positions = field(default_factory=dict)
    """After the events that were returned, of each segment that the reader has."""
    is_open: bool = True
    _confirmed: Positions = field(default_factory=dict)
    """The offsets before the batch that was returned last."""
    _sealed: set[str] = field(default_factory=set)
    """Segments of the reader that it has read to their end."""
    _feeds: dict[str, _Feed] = field(default_factory=dict)
    _ready: deque[_Read] = field(default_factory=deque)
    _at_checkpoint: str | None = None
    _timers: _Timers = field(default_factory=_Timers)
    _inbox: Mailbox | None = None
    _wakes_at: float = 0.0
    """When the wait that was begun last is over."""
    _is_sure: bool = True
    """Whether the reader knows which segments it has: no call ended in the middle of a change."""

    @property
    def state(self) -> GroupState:
        """The state of the group, as it was read last."""
        return self.sync.known()

    def join(self) -> Operation[None]:
        """Add the reader to the group."""
        joined = False

        def choose(state: GroupState) -> Sequence[Update]:
            nonlocal joined
            joined = self.reader not in state.assigned
            return [AddReader(self.reader)] if joined else []

        yield from self.sync.fetch()
        yield from self.sync.update(choose)
        if not joined:
            raise ReaderInGroup(
                f"{self.group!r} has a reader {self.reader!r} already: if it is gone, call"
                " `reader_offline` first"
            )
        self._inbox = yield NewMailbox(capacity=MAX_FEEDS)
        now = self.clock()
        self._timers = _Timers(
            release=now + UNIT, checkpoint=now + UNIT, lag=now + UNIT, config=now + UNIT
        )

    def position(self) -> Position:
        """Return the position after what was returned."""
        ranges = self.state.ranges
        known = {segment: ranges.get(segment) for segment in self.offsets}
        return Position(dict(self.offsets), known)

    def read(self, wait: float) -> Operation[GroupBatch]:
        """Return the next events, or a checkpoint, or neither after `wait` seconds."""
        if not self.is_open:
            raise LocalProtocolError(f"reader {self.reader!r} of {self.group!r} is closed")
        self._confirmed = dict(self.offsets)
        until = self.clock() + wait
        while True:
            try:
                checkpoint = yield from self._tend()
            except ReaderNotInGroup:
                self.stop()
                raise
            if checkpoint is not None:
                return GroupBatch([], self.position(), checkpoint=checkpoint)
            if self._ready:
                read = self._ready.popleft()
                segment = read.feed.segment
                self.offsets[segment] = read.offset
                read.feed.permission.push(None)
                return GroupBatch(read.events, self.position(), segment=segment)
            if not self.offsets and self.state.is_at_end:
                return GroupBatch([], self.position(), is_end=True)
            left = until - self.clock()
            if left <= 0:
                return GroupBatch([], self.position())
            yield from self._await(min(left, UNIT))

    def leave(self, position: Position | None, *, undo: bool = False) -> Operation[None]:
        """Leave the group: others go on at `position`, or where this reader is.

        With `undo` they go on before the batch that was returned last.
        """
        if not self.is_open:
            return
        self.stop()
        offsets = self._confirmed if undo else self.offsets
        positions = dict(offsets if position is None else position.segments)
        yield from remove_reader(self.sync, self.reader, positions)

    def stop(self) -> None:
        """Read nothing more."""
        self.is_open = False
        for segment in list(self._feeds):
            self._stop_feed(segment)

    # What is read.

    def _await(self, seconds: float) -> Operation[None]:
        """Wait for something of a segment."""
        assert self._inbox is not None  # noqa: S101 - the reader has joined
        now = self.clock()
        if not now < self._wakes_at <= now + seconds:
            self._wakes_at = now + seconds
            yield Spawn(self._wake(seconds), f"wait in {self.group}")
        told = yield Receive(self._inbox)
        if isinstance(told, _Read) and self._feeds.get(told.feed.segment) is told.feed:
            self._ready.append(told)
        if isinstance(told, _Finished) and self._feeds.get(told.feed.segment) is told.feed:
            segment = told.feed.segment
            del self._feeds[segment]
            self._sealed.add(segment)
            if told.is_sealed:
                self.offsets[segment] = AT_END
        elif isinstance(told, _Failed) and self._feeds.get(told.feed.segment) is told.feed:
            yield from self._recover(told.feed.segment, told.error)
            raise told.error

    def _wake(self, seconds: float) -> Operation[None]:
        assert self._inbox is not None  # noqa: S101 - the reader has joined
        yield Sleep(seconds)
        self._inbox.push(_Due())

    def _recover(self, segment: str, error: JvmWireError) -> Operation[None]:
        """Have the next `read` go on with a segment: where it begins now, if it was truncated."""
        del self._feeds[segment]
        if isinstance(error, SegmentIsTruncated):
            start = yield from self.access.start_offset(segment)
            self.offsets[segment] = max(start, self.offsets[segment])
        yield from self._start_feed(segment)

    def _start_feed(self, segment: str) -> Operation[None]:
        end: int | None = self.state.ends.get(segment)
        if end == UNKNOWN_LAG:  # to the end of the segment
            end = None
        offset = self.offsets[segment]
        if offset in (AT_END, end):
            self._sealed.add(segment)
            return
        feed = _Feed(segment, offset, end, (yield NewMailbox()))
        self._feeds[segment] = feed
        yield Spawn(self._feed(feed), f"read {segment}")

    def _stop_feed(self, segment: str) -> None:
        if (feed := self._feeds.pop(segment, None)) is not None:
            feed.permission.end()
        # What was not returned yet is read by whoever has the segment next.
        self._ready = deque(each for each in self._ready if each.feed.segment != segment)

    def _feed(self, feed: _Feed) -> Operation[None]:
        inbox = self._inbox
        assert inbox is not None  # noqa: S101 - the reader has joined
        cutter = EventParser(feed.segment, feed.offset, self.access.max_event)

        def give(data: memoryview) -> OperationStream[object]:
            events = cutter.events(data)
            if events:
                inbox.push(_Read(feed, events, cutter.offset))
                yield Receive(feed.permission)
            cutter.check()

        line = self.access.line(feed.segment)
        end = feed.end
        try:
            reading = read_chunks(
                line, feed.segment, feed.offset, end=end, follow=end is None, handler=give
            )
            # It gives, and emits nothing.
            yield from reading  # type: ignore[misc]
        except EndOfMessages:
            return
        except (SegmentIsSealed, NoSuchSegment):
            inbox.push(_Finished(feed, is_sealed=True))
        except Exception as error:  # if not ours, of what returns a token, most likely
            inbox.push(_Failed(feed, wrap_error(error, f"read {feed.segment}")))
        else:
            inbox.push(_Finished(feed, is_sealed=end is None))

    # What the group is told, and tells.

    def _tend(self) -> Operation[str | None]:
        """Keep to the state of the group; return the name of a checkpoint that is reached."""
        if not self._is_sure:
            yield from self._reconcile()
        self._is_sure = False
        checkpoint = yield from self._keep()
        self._is_sure = True
        return checkpoint

    def _reconcile(self) -> Operation[None]:
        """Take the segments that the state says the reader has, and leave others.

        An update may be stored though the call that wrote it failed or was given up.
        """
        yield from self.sync.fetch()
        segments = self._check(self.state)
        for segment in self.offsets.keys() - segments.keys():
            self._stop_feed(segment)
            self._sealed.discard(segment)
            del self.offsets[segment]
        for segment, offset in list(segments.items()):
            if segment not in self.offsets:
                self.offsets[segment] = self._confirmed[segment] = offset
            if segment not in self._feeds and segment not in self._sealed:
                yield from self._start_feed(segment)

    def _keep(self) -> Operation[str | None]:
        yield from self._update_config()
        if (reached := self._at_checkpoint) is not None:
            yield from self._reach(reached)
            yield from self._release()
            yield from self._publish()
        checkpoint = yield from self._checkpoint_due()
        while checkpoint is not None:
            if SILENT not in checkpoint:
                self._at_checkpoint = checkpoint
                return checkpoint
            yield from self._reach(checkpoint)
            if self._at_checkpoint is not None:
                yield from self._release()  # the silent one may have been in the way
            checkpoint = yield from self._checkpoint_due()
        self._at_checkpoint = None
        yield from self._acquire()
        yield from self._tell_lag()
        return None

    def _fetch(self) -> Operation[None]:
        """Read the state, if it has been some time."""
        if self.clock() < self._timers.fetch:
            return
        yield from self.sync.fetch()
        self._timers.fetch = self.clock() + self.state.config.refresh / 1000
        # Chance keeps the readers of a group from doing so all at once.
        if self.sync.revision <= COMPACTION_BYTES or random.random() >= COMPACTION_CHANCE:  # noqa: S311
            return
        if (yield from self.sync.bytes_since_compaction()) > COMPACTION_BYTES:
            yield from self.sync.compact()

    def _check(self, state: GroupState) -> Positions:
        """Return the segments that the reader has, as the state says."""
        segments = state.assigned.get(self.reader)
        if segments is None:
            raise ReaderNotInGroup(
                f"reader {self.reader!r} is no longer in {self.group!r}: it was declared offline,"
                " or the group was reset"
            )
        return segments

    def _checkpoint_due(self) -> Operation[str | None]:
        """Return the checkpoint that the reader is to reach, if any; begin one at times."""
        yield from self._fetch()
        state = self.state
        self._check(state)
        interval = state.config.checkpoint_interval / 1000
        due = state.checkpoints.due(self.reader)
        if due is None:
            if interval <= 0 or self.clock() < self._timers.checkpoint or state.checkpoints.pending:
                return None
            name = str(uuid.uuid4())

            def choose(known: GroupState) -> Sequence[Update]:
                if known.checkpoints.pending:
                    return []
                return [CreateCheckpoint(name), ClearCheckpointsBefore(name)]

            yield from self.sync.update(choose)
            due = self.state.checkpoints.due(self.reader)
        self._timers.checkpoint = self.clock() + interval
        return due

    def _reach(self, checkpoint: str) -> Operation[None]:
        """Say where the reader is at a checkpoint."""

        def choose(state: GroupState) -> Sequence[Update]:
            self._check(state)
            if state.checkpoints.due(self.reader) != checkpoint:
                return []
            return [CheckpointReader(checkpoint, self.reader, dict(self.offsets))]

        yield from self.sync.update(choose)

    def _release(self) -> Operation[None]:
        """Release segments that are read, and one that another reader should have."""
        for segment in list(self._sealed):
            if not (yield from self._complete(segment)):
                break
        yield from self._fetch()
        if self.clock() < self._timers.release:
            return
        if (excess := self._excess(self.state)) is not None:
            yield from self._hand_over(excess)

    def _complete(self, segment: str) -> Operation[bool]:
        """Let the successors of a segment be read; return whether no checkpoint was in the way."""
        successors: dict[str, list[int]] = {}
        ranges: dict[str, Range] = {}
        if segment not in self.state.ends:
            successors, ranges = yield from self.access.successors(segment)
        is_done = False

        def choose(state: GroupState) -> Sequence[Update]:
            nonlocal is_done
            if segment not in self._check(state):
                raise ReaderNotInGroup(f"{segment!r} was taken from reader {self.reader!r}")
            is_done = state.checkpoints.due(self.reader) is None
            known = ranges | {segment: state.ranges.get(segment)}
            done = SegmentCompleted(self.reader, segment, successors, known)
            return [done] if is_done else []

        yield from self.sync.update(choose)
        if is_done:
            self._sealed.discard(segment)
            self.offsets.pop(segment, None)
            self._timers.acquire = 0.0
        return is_done

    def _excess(self, state: GroupState) -> str | None:
        """Return a segment that the reader has too much, if another has so much less."""
        segments = self._check(state)
        sizes = state.sizes()
        if len(segments) <= 1 or state.checkpoints.due(self.reader) is not None:
            return None
        if sizes[self.reader] <= min(sizes.values()) + max(1, len(state.unassigned)):
            return None
        return next((segment for segment in self._feeds if segment in segments), None)

    def _hand_over(self, segment: str) -> Operation[None]:
        offset = self.offsets[segment]
        lag = self._lag_update()

        def choose(state: GroupState) -> Sequence[Update]:
            if segment not in self._check(state) or self._excess(state) is None:
                return []
            return [ReleaseSegment(self.reader, segment, offset), lag]

        yield from self.sync.update(choose)
        self._note_attempt()
        if segment not in self._check(self.state):
            self._stop_feed(segment)
            self.offsets.pop(segment, None)

    def _acquire(self) -> Operation[None]:
        """Take segments that no reader has, if it is this reader's turn."""
        yield from self._fetch()
        state = self.state
        self._check(state)
        if self.clock() < self._timers.acquire or state.checkpoints.due(self.reader) is not None:
            return
        if not state.unassigned:
            self._timers.acquire = self.clock() + self._turn(state)
            return
        self._timers.acquire = self._timers.release = self.clock() + UPDATE_WINDOW
        taken: Positions = {}
        lag = self._lag_update()

        def choose(known: GroupState) -> Sequence[Update]:
            taken.clear()
            segments = self._check(known)
            if known.checkpoints.due(self.reader) is not None or not known.unassigned:
                return []
            waiting, readers = len(known.unassigned), len(known.assigned)
            fair = round(known.segment_count / readers) - len(segments)
            count = max(waiting // readers, min(waiting, fair), 1)
            taken.update(list(known.unassigned.items())[:count])
            return [*(AcquireSegment(self.reader, segment) for segment in taken), lag]

        yield from self.sync.update(choose)
        for segment, offset in taken.items():
            self.offsets[segment] = offset
            # Nothing of it was returned yet.
            self._confirmed[segment] = offset
        for segment in taken:
            yield from self._start_feed(segment)
        self._note_attempt()

    def _turn(self, state: GroupState) -> float:
        """Return the seconds until this reader's turn: those with less to read come first."""
        return UNIT * max(1, len(state.assigned) - state.rank(self.reader))

    def _note_attempt(self) -> None:
        state, now = self.state, self.clock()
        self._check(state)
        self._timers.release = now + UNIT * (1 + state.rank(self.reader))
        self._timers.acquire = now + self._turn(state)
        self._timers.lag = now + UNIT * (len(state.assigned) + 1)

    def _lag_update(self) -> UpdateDistanceToTail:
        """Return an update that says where the reader reads.

        Nobody knows how far that is behind the tail: Java's readers say how long ago 1970 is. Only
        the comparison to other readers counts, so this reader says what they say.
        """
        lags = [
            lag
            for reader, lag in self.state.distances.items()
            if reader != self.reader and lag != UNKNOWN_LAG
        ]
        ranges = self.state.ranges
        where = {(segment, ranges.get(segment)): at for segment, at in self.offsets.items()}
        return UpdateDistanceToTail(self.reader, max(lags, default=0), where)

    def _tell_lag(self) -> Operation[None]:
        if self.clock() < self._timers.lag:
            return
        self._timers.lag = self.clock() + UNIT * (len(self.state.assigned) + 1)
        yield from self.sync.write([self._lag_update()])
        yield from self.sync.fetch()
        self._check(self.state)

    def _update_config(self) -> Operation[None]:
        """Take the controller's configuration, if whoever changed it did not come to do so."""
        if self.clock() < self._timers.config:
            return
        yield from self._fetch()
        if self.state.is_updating:
            yield from take_config(self.sync, self.access)
        self._timers.config = self.clock() + CONFIG_WINDOW

    def _publish(self) -> Operation[None]:
        """Tell the controller of the last checkpoint, if it is to drop what is before."""
        state = self.state
        if state.config.retention == AT_CHECKPOINTS and not state.checkpoints.is_published:
            yield from self.access.publish(state.config, dict(state.checkpoints.last))
            yield from self.sync.write([UpdateCheckpointPublished(is_published=True)])


AT_CHECKPOINTS = 2
"""`StreamDataRetention.AUTOMATIC_RELEASE_AT_LAST_CHECKPOINT`."""


def remove_reader(
    sync: Synchronizer[GroupState, Update], reader: str, positions: Positions
) -> Operation[bool]:
    """Remove a reader from a group; return whether it was in there."""
    was = False

    def choose(state: GroupState) -> Sequence[Update]:
        nonlocal was
        was = reader in state.assigned
        return [RemoveReader(reader, positions)] if was else []

    yield from sync.fetch()
    yield from sync.update(choose)
    return was


def take_config(sync: Synchronizer[GroupState, Update], access: GroupAccess) -> Operation[None]:
    """Begin the group again by the controller's configuration, if that is a later one."""
    config = yield from access.config()
    segments = yield from access.starts(config)

    def choose(state: GroupState) -> Sequence[Update]:
        if state.config.generation >= config.generation:
            return []
        return [Begin.of(config, segments)]

    yield from sync.update(choose)


class _ReadsGroup:
    _member: GroupMember

    @property
    def reader_id(self) -> str:
        """By what the group knows this reader."""
        return self._member.reader

    @property
    def position(self) -> Position:
        """Position after the events that were returned."""
        return self._member.position()

    @operation
    def read(self, wait: float = WAIT) -> Operation[GroupBatch]:
        """Return the next events of one of the reader's segments, or a checkpoint.

        The call says, too, that what was returned before is done with: a checkpoint that was
        returned is reached, and segments may go to other readers. A call that is cancelled may
        have taken a batch that nobody sees: `close` the reader at the last position then.

        Args:
            wait: Seconds to wait for events.

        Returns:
            A batch, which has no events after `wait` seconds without any, at a checkpoint
            (`checkpoint` is its name) and after the last event (`is_end`).

        Raises:
            ReaderNotInGroup: the reader was declared offline, or the group was reset: what was
                returned last may be read by another reader. The reader is closed.
            SegmentIsTruncated: events were truncated that the reader had not read; the next call
                goes on after them.

        Source: EventStreamReader.readNextEvent (Pravega 0.13).
        """
        return self._member.read(wait)

    @operation
    def _leave(self, position: Position | None, *, undo: bool = False) -> Operation[None]:
        yield from self._member.leave(position, undo=undo)


class GroupReader(_ReadsGroup, SyncResource):
    """Reads the segments that a reader group gives it; one thread at a time.

    A context manager: where an exception leaves the block, other readers go on before the batch
    that was returned last. Iterating returns batches, until there is nothing more to read.
    """

    def __init__(self, client: SyncCaller, member: GroupMember) -> None:
        super().__init__(client)
        self._member = member

    def close(self, position: Position | None = None) -> None:
        """Leave the group; other readers go on at `position`, by default after what was returned.

        Source: EventStreamReader.close, closeAt (Pravega 0.13).
        """
        self._leave(position)

    def __iter__(self) -> Iterator[GroupBatch]:
        while not (batch := self.read()).is_end:
            if batch.events or batch.checkpoint is not None:
                yield batch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._leave(None, undo=exc[0] is not None)


class AsyncGroupReader(_ReadsGroup, AsyncResource):
    """The same, awaited; one task at a time."""

    def __init__(self, client: AsyncCaller, member: GroupMember) -> None:
        super().__init__(client)
        self._member = member

    async def close(self, position: Position | None = None) -> None:
        """Leave the group; other readers go on at `position`, by default after what was returned.

        Source: EventStreamReader.close, closeAt (Pravega 0.13).
        """
        await self._leave(position)

    async def __aiter__(self) -> AsyncIterator[GroupBatch]:
        while not (batch := await self.read()).is_end:
            if batch.events or batch.checkpoint is not None:
                yield batch

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._leave(None, undo=exc[0] is not None)
