"""Readers of a reader group, which share its segments so that no event is read by two of them.

A call of `read` also confirms that the events returned by the call before are processed, and
updates the group's state. Segments move between readers at checkpoints only, or when a reader is
declared offline.
"""

from __future__ import annotations

import random
import uuid
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from jvmwire._runtime.cleanup import cleanup_after
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
)
from jvmwire._runtime.operations import (
    EndOfMessages,
    NewMailbox,
    Now,
    Receive,
    Sleep,
    Spawn,
)
from jvmwire._times import to_seconds
from jvmwire.errors import Finished, JvmWireError, wrap_error
from jvmwire.pravega._segment_reader import EventParser, read_chunks
from jvmwire.pravega.errors import NoSuchSegment, SegmentIsSealed, SegmentIsTruncated
from jvmwire.pravega.streams._group_state import (
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
from jvmwire.pravega.streams._names import segment_id_of, stream_info
from jvmwire.pravega.streams._position import AT_END, Position
from jvmwire.pravega.streams._watermarks import TimeTracker, TimeWindow
from jvmwire.pravega.streams.errors import ReaderInGroup, ReaderNotInGroup

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream
    from jvmwire.pravega.streams._revisioned import RevisionedSegment
    from jvmwire.pravega.streams._store_locator import SegmentLine
    from jvmwire.pravega.streams._synchronizer import Synchronizer

UNIT = 1.0
"""Seconds between two attempts of a reader, times its rank: `ReaderGroupStateManager.TIME_UNIT`."""
UPDATE_WINDOW = 30.0
"""Seconds until an attempt that did not complete is repeated: `UPDATE_WINDOW`."""
CONFIG_WINDOW = 10.0
"""Seconds between two checks of the configuration: `UPDATE_CONFIG_WINDOW`."""
COMPACTION_BYTES = 512 << 10
"""Bytes of updates after which a reader may compact the state."""
COMPACTION_CHANCE = 0.05
WAIT = 1.0
"""Seconds that `read` waits for events by default."""
MAX_FEEDS = 1 << 20
"""Queued messages of a reader's segments, at most; each segment has one (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True)
class GroupBatch:
    """The result of one `read` of a reader group.

    Attributes:
        events: The events in order; empty if none arrived in time, and at a checkpoint.
        position: The position of the reader after these events, to be stored with their results.
        segment: The name of the segment of the events.
        checkpoint: The name of a checkpoint, which covers everything returned before and is reached
            by the next `read`.
        is_end: Whether the group has reached the end of all its streams.
    """

    events: list[bytes]
    position: Position
    segment: str | None = None
    checkpoint: str | None = None
    """A checkpoint that covers everything returned before; the next `read` reaches it."""
    is_end: bool = False
    """Whether there is nothing more to read, now and later."""


@dataclass(frozen=True, slots=True)
class GroupAccess:
    """The calls to the controller and the stores that a reader needs."""

    line: Callable[[str], SegmentLine]
    """Returns the channel to a segment."""
    start_offset: Callable[[str], Operation[int]]
    """Returns the first offset of a segment."""
    successors: Callable[[str], Operation[tuple[dict[str, list[int]], dict[str, Range]]]]
    """Returns the successors of a segment with the ids of their predecessors, and their key
    ranges.
    """
    config: Callable[[], Operation[GroupConfig]]
    """Returns the group's configuration at the controller."""
    starts: Callable[[GroupConfig], Operation[Positions]]
    """Returns the segments at which a group begins to read, with their offsets."""
    publish: Callable[[GroupConfig, Positions], Operation[None]]
    """Sends the positions of a checkpoint to the controller, for retention."""
    marks: Callable[[str], Operation[RevisionedSegment]]
    """Returns the segment of a stream's watermarks."""
    max_event: int


@dataclass(slots=True, eq=False)
class _Feed:
    """Task that prefetches events of one segment."""

    segment: str
    offset: int
    """The offset at which the task began."""
    end: int | None
    permission: Mailbox
    """Flow control: the task waits for a message before it reads on."""


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
    """Message that a wait has timed out."""


@dataclass(slots=True)
class _Timers:
    """Times at which a reader's periodic operations are due."""

    fetch: float = 0.0
    acquire: float = 0.0
    release: float = 0.0
    checkpoint: float = 0.0
    lag: float = 0.0
    config: float = 0.0


@dataclass(eq=False)
class GroupMember:
    """One reader of a group: its segments, and the synchronisation with the group's state."""

    reader: str
    group: str
    sync: Synchronizer[GroupState, Update]
    access: GroupAccess
    offsets: Positions = field(default_factory=dict)
    """The offsets after the events that were returned, by assigned segment."""
    is_open: bool = True
    _confirmed: Positions = field(default_factory=dict)
    """The offsets before the batch that was returned last."""
    _unseen: GroupBatch | None = None
    """The batch that `read` returned last, until its caller has it."""
    _sealed: set[str] = field(default_factory=set)
    """Assigned segments that were read to their end."""
    _feeds: dict[str, _Feed] = field(default_factory=dict)
    _ready: deque[_Read] = field(default_factory=deque)
    _at_checkpoint: str | None = None
    _timers: _Timers = field(default_factory=_Timers)
    _inbox: Mailbox | None = None
    _wakes_at: float = 0.0
    """The time at which the wait that began last times out."""
    _trackers: dict[str, TimeTracker] = field(default_factory=dict)
    _is_sure: bool = True
    """Whether the assigned segments are known: no call was interrupted during an update."""

    @property
    def state(self) -> GroupState:
        """The state of the group, as of the last fetch."""
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
        now: float = yield Now()
        self._timers = _Timers(
            release=now + UNIT, checkpoint=now + UNIT, lag=now + UNIT, config=now + UNIT
        )

    def position(self) -> Position:
        """Return the position after the events that were returned."""
        ranges = self.state.ranges
        offsets = self.offsets if self._unseen is None else self._confirmed
        known = {segment: ranges.get(segment) for segment in offsets}
        return Position(dict(offsets), known)

    def read(self, wait: float) -> Operation[GroupBatch]:
        """Return the next events, or a checkpoint, or an empty batch after `wait` seconds.

        The batch is returned again until `hand_over` is called: the caller may be cancelled after
        this operation and before it sees the batch.
        """
        wait = to_seconds("wait", wait)
        if not self.is_open:
            raise Finished(f"reader {self.reader!r} of {self.group!r} is closed")
        if self._unseen is None:
            self._unseen = yield from self._next(wait)
        return self._unseen

    def hand_over(self) -> None:
        """Record that the caller has the batch that was returned."""
        self._unseen = None

    def _next(self, wait: float) -> Operation[GroupBatch]:
        self._confirmed = dict(self.offsets)
        until: float = (yield Now()) + wait
        while True:
            try:
                checkpoint = yield from self._synchronize()
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
            left = until - (yield Now())
            if left <= 0:
                return GroupBatch([], self.position())
            yield from self._await(min(left, UNIT))

    def time_window(self, stream: str) -> Operation[TimeWindow]:
        """Return the bounds of the times near the group's position in a stream."""
        stream_info(stream)
        state = self.state
        if stream not in state.config.starts:
            read = ", ".join(sorted(state.config.starts))
            raise ValueError(f"{self.group!r} does not read stream {stream!r}: it reads {read}")
        tracker = self._trackers.get(stream)
        if tracker is None:
            tracker = TimeTracker(stream, (yield from self.access.marks(stream)))
            tracker = self._trackers.setdefault(stream, tracker)
        # The group's offsets are those that its readers reported last.
        offsets = state.last_read | {
            segment: offset
            for segment, offset in self.offsets.items()
            if segment in state.last_read
        }
        return (
            yield from tracker.advance(
                [
                    (segment_id_of(segment), state.ranges.get(segment), offset)
                    for segment, offset in offsets.items()
                    if segment.rpartition("/")[0] == stream
                ]
            )
        )

    def leave(self, position: Position | None, *, undo: bool = False) -> Operation[None]:
        """Leave the group; other readers continue at `position`, or where this reader is.

        With `undo` they continue before the batch that was returned last.
        """
        if not self.is_open:
            return
        self.stop()
        offsets = self._confirmed if undo or self._unseen is not None else self.offsets
        positions = dict(offsets if position is None else position.segments)
        yield from remove_reader(self.sync, self.reader, positions)

    def stop(self) -> None:
        """Stop reading all segments."""
        self.is_open = False
        for segment in list(self._feeds):
            self._stop_feed(segment)

    # Reading of segments.

    def _await(self, seconds: float) -> Operation[None]:
        """Wait for a message from the tasks that read segments."""
        assert self._inbox is not None  # noqa: S101 - the reader has joined
        now: float = yield Now()
        if not now < self._wakes_at <= now + seconds:
            self._wakes_at = now + seconds
            yield Spawn(self._wake(seconds), f"wait in {self.group}")
        message = yield Receive(self._inbox)
        if isinstance(message, _Read) and self._feeds.get(message.feed.segment) is message.feed:
            self._ready.append(message)
        if isinstance(message, _Finished) and self._feeds.get(message.feed.segment) is message.feed:
            segment = message.feed.segment
            del self._feeds[segment]
            self._sealed.add(segment)
            if message.is_sealed:
                self.offsets[segment] = AT_END
        elif isinstance(message, _Failed) and self._feeds.get(message.feed.segment) is message.feed:
            yield from self._recover(message.feed.segment, message.error)
            raise message.error

    def _wake(self, seconds: float) -> Operation[None]:
        assert self._inbox is not None  # noqa: S101 - the reader has joined
        yield Sleep(seconds)
        self._inbox.push(_Due())

    def _recover(self, segment: str, error: JvmWireError) -> Operation[None]:
        """Restart reading of a segment: at its new beginning if it was truncated."""
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
        # Events that were not returned yet are read by the next reader of the segment.
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
            # The handler emits nothing.
            yield from reading  # type: ignore[misc]
        except EndOfMessages:
            return
        except (SegmentIsSealed, NoSuchSegment):
            inbox.push(_Finished(feed, is_sealed=True))
        except Exception as error:  # otherwise most likely from the function that returns a token
            inbox.push(_Failed(feed, wrap_error(error, f"read {feed.segment}")))
        else:
            inbox.push(_Finished(feed, is_sealed=end is None))

    # Synchronisation with the group's state.

    def _synchronize(self) -> Operation[str | None]:
        """Synchronise with the group's state; return the name of a checkpoint to reach, if any."""
        if not self._is_sure:
            yield from self._reconcile()
        self._is_sure = False
        checkpoint = yield from self._synchronize_state()
        self._is_sure = True
        return checkpoint

    def _reconcile(self) -> Operation[None]:
        """Adjust the assigned segments to the group's state.

        An update may be stored although the call that wrote it failed or was cancelled.
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

    def _synchronize_state(self) -> Operation[str | None]:
        yield from self._update_config()
        if (reached := self._at_checkpoint) is not None:
            yield from self._record_checkpoint(reached)
            yield from self._release()
            yield from self._publish()
        checkpoint = yield from self._checkpoint_due()
        while checkpoint is not None:
            if SILENT not in checkpoint:
                self._at_checkpoint = checkpoint
                return checkpoint
            yield from self._record_checkpoint(checkpoint)
            if self._at_checkpoint is not None:
                yield from self._release()  # the silent one may have been in the way
            checkpoint = yield from self._checkpoint_due()
        self._at_checkpoint = None
        yield from self._acquire()
        yield from self._tell_lag()
        return None

    def _fetch(self) -> Operation[None]:
        """Fetch the group's state if the refresh interval has passed."""
        if (yield Now()) < self._timers.fetch:
            return
        yield from self.sync.fetch()
        self._timers.fetch = (yield Now()) + self.state.config.refresh / 1000
        # The random choice keeps the readers of a group from compacting all at once.
        if self.sync.revision <= COMPACTION_BYTES or random.random() >= COMPACTION_CHANCE:  # noqa: S311
            return
        if (yield from self.sync.bytes_since_compaction()) > COMPACTION_BYTES:
            yield from self.sync.compact()

    def _check(self, state: GroupState) -> Positions:
        """Return the segments that the state assigns to the reader."""
        segments = state.assigned.get(self.reader)
        if segments is None:
            raise ReaderNotInGroup(
                f"reader {self.reader!r} is no longer in {self.group!r}: it was declared offline,"
                " or the group was reset"
            )
        return segments

    def _checkpoint_due(self) -> Operation[str | None]:
        """Return the checkpoint that the reader must reach, if any; begin one when it is due."""
        yield from self._fetch()
        state = self.state
        self._check(state)
        interval = state.config.checkpoint_interval / 1000
        due = state.checkpoints.due(self.reader)
        if due is None:
            if (
                interval <= 0
                or (yield Now()) < self._timers.checkpoint
                or state.checkpoints.pending
            ):
                return None
            name = str(uuid.uuid4())

            def choose(known: GroupState) -> Sequence[Update]:
                if known.checkpoints.pending:
                    return []
                return [CreateCheckpoint(name), ClearCheckpointsBefore(name)]

            yield from self.sync.update(choose)
            due = self.state.checkpoints.due(self.reader)
        self._timers.checkpoint = (yield Now()) + interval
        return due

    def _record_checkpoint(self, checkpoint: str) -> Operation[None]:
        """Record the reader's offsets at a checkpoint."""

        def choose(state: GroupState) -> Sequence[Update]:
            self._check(state)
            if state.checkpoints.due(self.reader) != checkpoint:
                return []
            return [CheckpointReader(checkpoint, self.reader, dict(self.offsets))]

        yield from self.sync.update(choose)

    def _release(self) -> Operation[None]:
        """Release finished segments, and one segment if the reader has too many."""
        for segment in list(self._sealed):
            if not (yield from self._complete(segment)):
                break
        yield from self._fetch()
        if (yield Now()) < self._timers.release:
            return
        if (excess := self._excess(self.state)) is not None:
            yield from self._hand_over(excess)

    def _complete(self, segment: str) -> Operation[bool]:
        """Release the successors of a segment; return False if a checkpoint prevents it."""
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
        """Return a segment to release if the reader has too many compared to the others."""
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
        yield from self._note_attempt()
        if segment not in self._check(self.state):
            self._stop_feed(segment)
            self.offsets.pop(segment, None)

    def _acquire(self) -> Operation[None]:
        """Acquire unassigned segments if it is this reader's turn."""
        yield from self._fetch()
        state = self.state
        self._check(state)
        now: float = yield Now()
        if now < self._timers.acquire or state.checkpoints.due(self.reader) is not None:
            return
        if not state.unassigned:
            self._timers.acquire = (yield Now()) + self._acquisition_delay(state)
            return
        self._timers.acquire = self._timers.release = (yield Now()) + UPDATE_WINDOW
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
            # None of its events was returned yet.
            self._confirmed[segment] = offset
        for segment in taken:
            yield from self._start_feed(segment)
        yield from self._note_attempt()

    def _acquisition_delay(self, state: GroupState) -> float:
        """Return the seconds until this reader's turn: readers with less to read are first."""
        return UNIT * max(1, len(state.assigned) - state.rank(self.reader))

    def _note_attempt(self) -> Operation[None]:
        state = self.state
        now: float = yield Now()
        self._check(state)
        self._timers.release = now + UNIT * (1 + state.rank(self.reader))
        self._timers.acquire = now + self._acquisition_delay(state)
        self._timers.lag = now + UNIT * (len(state.assigned) + 1)

    def _lag_update(self) -> UpdateDistanceToTail:
        """Return an update of the reader's distance to the tail and its offsets.

        The distance is not known: Java's readers report the time since 1970. Only the comparison to
        other readers counts, so this reader reports the largest distance of the others.
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
        if (yield Now()) < self._timers.lag:
            return
        self._timers.lag = (yield Now()) + UNIT * (len(self.state.assigned) + 1)
        yield from self.sync.write([self._lag_update()])
        yield from self.sync.fetch()
        self._check(self.state)

    def _update_config(self) -> Operation[None]:
        """Apply the controller's configuration if the client that changed it failed to do so."""
        if (yield Now()) < self._timers.config:
            return
        yield from self._fetch()
        if self.state.is_updating:
            yield from take_config(self.sync, self.access)
        self._timers.config = (yield Now()) + CONFIG_WINDOW

    def _publish(self) -> Operation[None]:
        """Publish the last checkpoint to the controller if retention depends on it."""
        state = self.state
        if state.config.retention == AT_CHECKPOINTS and not state.checkpoints.is_published:
            yield from self.access.publish(state.config, dict(state.checkpoints.last))
            yield from self.sync.write([UpdateCheckpointPublished(is_published=True)])


AT_CHECKPOINTS = 2
"""`StreamDataRetention.AUTOMATIC_RELEASE_AT_LAST_CHECKPOINT`."""


def remove_reader(
    sync: Synchronizer[GroupState, Update], reader: str, positions: Positions
) -> Operation[bool]:
    """Remove a reader from a group; return whether it was in the group."""
    was = False

    def choose(state: GroupState) -> Sequence[Update]:
        nonlocal was
        was = reader in state.assigned
        return [RemoveReader(reader, positions)] if was else []

    yield from sync.fetch()
    yield from sync.update(choose)
    return was


def take_config(sync: Synchronizer[GroupState, Update], access: GroupAccess) -> Operation[None]:
    """Reset the group to the controller's configuration if that has a later generation."""
    config = yield from access.config()
    segments = yield from access.starts(config)

    def choose(state: GroupState) -> Sequence[Update]:
        if state.config.generation >= config.generation:
            return []
        return [Begin.of(config, segments)]

    yield from sync.update(choose)


class _GroupReaderMethods(Resource):
    def __init__(self, client: Caller, member: GroupMember) -> None:
        super().__init__(client)
        self._member = member

    @property
    def reader_id(self) -> str:
        """The id by which the group identifies this reader."""
        return self._member.reader

    @property
    def position(self) -> Position:
        """The position after the events that were returned."""
        return self._member.position()

    @operation
    def time_window(self, stream: str) -> Operation[TimeWindow]:
        """Fetch the bounds of the times that writers noted near the group's position.

        The position is that of all readers of the group, as they reported it last.

        Args:
            stream: A stream that the group reads, `scope/stream`.

        Returns:
            The time window; a bound is None where no time is known.

        Raises:
            ValueError: the group does not read the stream.

        Source: EventStreamReader.getCurrentTimeWindow (Pravega 0.13).
        """
        return self._member.time_window(stream)

    @operation
    def _read(self, wait: float) -> Operation[GroupBatch]:
        return self._member.read(wait)

    @operation
    def close(self, position: Position | None = None) -> Operation[None]:
        """Leave the group.

        Args:
            position: The position at which other readers continue; by default after the events
                returned.

        Source: EventStreamReader.close, closeAt (Pravega 0.13).
        """
        yield from self._member.leave(position)

    @operation
    def _leave(self, position: Position | None, *, undo: bool = False) -> Operation[None]:
        yield from self._member.leave(position, undo=undo)


class GroupReader(_GroupReaderMethods, SyncResource):
    """Reader of the segments that a reader group assigns to it; for one thread at a time.

    As a context manager it leaves the group at the end of the block; after an exception other
    readers continue before the batch that was returned last. Iteration yields batches until there
    is nothing more to read.
    """

    def read(self, wait: float = WAIT) -> GroupBatch:
        """Read the next events of one of the reader's segments, or a checkpoint.

        The call also confirms that the events returned before are processed: a checkpoint that was
        returned is reached, and segments may move to other readers. A batch that an
        interrupted call had taken is returned by the next call, or left to other readers by
        `close`.

        Args:
            wait: Seconds to wait for events; default 1.

        Returns:
            A batch. It has no events if none arrived within `wait` seconds, at a checkpoint
            (`checkpoint` is its name) and after the last event (`is_end`).

        Raises:
            ReaderNotInGroup: the reader was declared offline, or the group was reset; another
                reader may read the events returned last again. The reader is closed.
            SegmentIsTruncated: events that the reader had not read were truncated; the next call
                continues after them.

        Source: EventStreamReader.readNextEvent (Pravega 0.13).
        """
        batch: GroupBatch = self._read(wait)
        self._member.hand_over()
        return batch

    def __iter__(self) -> Iterator[GroupBatch]:
        while not (batch := self.read()).is_end:
            if batch.events or batch.checkpoint is not None:
                yield batch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, "leaving the group"):
            self._leave(None, undo=error is not None)


class AsyncGroupReader(_GroupReaderMethods, AsyncResource):
    """Asyncio counterpart of `GroupReader`; for one task at a time.

    As an asynchronous context manager it leaves the group at the end of the block; after an
    exception other readers continue before the batch that was returned last. Iteration yields
    batches until there is nothing more to read.
    """

    async def read(self, wait: float = WAIT) -> GroupBatch:
        """Read the next events of one of the reader's segments, or a checkpoint.

        The call also confirms that the events returned before are processed: a checkpoint that was
        returned is reached, and segments may move to other readers. A batch that a cancelled call
        had taken is returned by the next call, or left to other readers by `close`.

        Args:
            wait: Seconds to wait for events; default 1.

        Returns:
            A batch. It has no events if none arrived within `wait` seconds, at a checkpoint
            (`checkpoint` is its name) and after the last event (`is_end`).

        Raises:
            ReaderNotInGroup: the reader was declared offline, or the group was reset; another
                reader may read the events returned last again. The reader is closed.
            SegmentIsTruncated: events that the reader had not read were truncated; the next call
                continues after them.

        Source: EventStreamReader.readNextEvent (Pravega 0.13).
        """
        batch: GroupBatch = await self._read(wait)
        self._member.hand_over()
        return batch

    async def __aiter__(self) -> AsyncIterator[GroupBatch]:
        while not (batch := await self.read()).is_end:
            if batch.events or batch.checkpoint is not None:
                yield batch

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, "leaving the group"):
            await self._leave(None, undo=error is not None)
