"""Reader of all segments of a stream at once, in order within each segment and routing key.

After a segment was split or merged, its successors are read once all segments that had their keys
before are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._runtime.operations import Emit, EndOfMessages, NewMailbox, Receive, Spawn
from jvmwire.errors import wrap_error
from jvmwire.pravega._commands import GetStreamSegmentInfo
from jvmwire.pravega._segment_reader import EventParser, read_chunks
from jvmwire.pravega.streams._names import segment_name
from jvmwire.pravega.streams._stream_cut import StreamCut
from jvmwire.pravega.streams._successors import readable_successors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream
    from jvmwire.pravega.streams._store_locator import Stores

T = TypeVar("T")

MAX_SEGMENTS = 1 << 20
"""Segments read concurrently, at most; each has one batch in flight (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True)
class StreamBatch(Generic[T]):
    """Consecutive events of one segment.

    Attributes:
        segment_id: The id of the segment.
        events: A list of `bytes`, or an `EventBatch`.
        cut: The position of the reader after these events, at which a later call can continue.
    """

    segment_id: int
    events: T
    cut: StreamCut


@dataclass(frozen=True, slots=True)
class _SegmentEvents:
    segment_id: int
    events: Any
    offset: int


@dataclass(frozen=True, slots=True)
class _SegmentEnd:
    segment_id: int


class StreamReader:
    """Reader of a stream from one cut to another.

    The end cut need not name segments that are read to the offset at which they were sealed.
    """

    def __init__(
        self,
        stores: Stores,
        start: Mapping[int, int],
        *,
        ends: Mapping[int, int],
        convert: Callable[[EventParser], Callable[[memoryview], Any]],
        successors: Callable[[int], Operation[dict[int, set[int]]]],
    ) -> None:
        self._stores = stores
        self._ends = ends
        self._convert = convert
        self._successors = successors
        self._positions = dict(start)
        """Offsets of segments being read, and of finished segments whose successors have not
        started.
        """
        self._finished: set[int] = set()
        """Segments that were read to their end, at which they were sealed."""
        self._after: dict[int, set[int]] = {}
        """The successors of finished segments, each with its predecessors."""
        self._reading: dict[int, Mailbox] = {}
        """Flow control: a task that reads a segment waits for a message before it reads on."""
        self._inbox: Mailbox

    def read(self) -> OperationStream[StreamBatch[Any]]:
        """Emit batches of all segments, in the order in which they arrive."""
        self._inbox = yield NewMailbox(capacity=MAX_SEGMENTS)
        try:
            for segment_id in list(self._positions):
                yield from self._start(segment_id)
            while self._reading:
                message: _SegmentEvents | _SegmentEnd = yield Receive(self._inbox)
                if isinstance(message, _SegmentEnd):
                    del self._reading[message.segment_id]
                    yield from self._start_successors(message.segment_id)
                    continue
                self._positions[message.segment_id] = message.offset
                cut = StreamCut(self._stores.stream, self._positions)
                yield Emit(StreamBatch(message.segment_id, message.events, cut))
                self._reading[message.segment_id].push(None)
        finally:
            self._inbox.end()
            for credit in self._reading.values():
                credit.end()

    def _start(self, segment_id: int) -> Operation[None]:
        credit = self._reading[segment_id] = yield NewMailbox()
        name = segment_name(self._stores.stream, segment_id)
        yield Spawn(self._read_segment(segment_id, name, credit), f"read {name}")

    def _read_segment(self, segment_id: int, name: str, credit: Mailbox) -> Operation[None]:
        offset = self._positions[segment_id]
        cutter = EventParser(name, offset, self._stores.options.max_event)
        convert = self._convert(cutter)

        def give(data: memoryview) -> OperationStream[object]:
            if credit.ended:
                raise EndOfMessages
            before = cutter.offset
            events = convert(data)
            if cutter.offset > before:
                self._inbox.push(_SegmentEvents(segment_id, events, cutter.offset))
                yield Receive(credit)
            cutter.check()

        end = self._ends.get(segment_id)
        link = self._stores.segment_channel(segment_id)
        try:
            if end is None and self._ends:
                # A segment before the end cut was sealed when the cut was taken; any other is after
                # the cut.
                info = yield from link.call(GetStreamSegmentInfo(name))
                end = info.write_offset if info.is_sealed else offset
            reading = read_chunks(link, name, offset, handler=give, end=end, follow=end is None)
            # The handler emits nothing.
            yield from reading  # type: ignore[misc]
        except EndOfMessages:
            return
        except (
            Exception
        ) as error:  # any other exception most likely comes from the function that returns a token
            self._inbox.push(wrap_error(error, f"read {name}"))
        else:
            self._inbox.push(_SegmentEnd(segment_id))

    def _start_successors(self, segment_id: int) -> Operation[None]:
        if segment_id in self._ends:
            return
        self._finished.add(segment_id)
        self._after |= yield from self._successors(segment_id)
        for each in readable_successors(self._after, self._finished):
            for before in self._after.pop(each):
                self._positions.pop(before, None)
            self._positions[each] = 0
            yield from self._start(each)
