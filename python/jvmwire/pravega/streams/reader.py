"""A stream, read in all its segments at once: each in order, a key's events in order.

Where segments were split or merged, their successors are read once all that had their keys before
is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jvmwire._runtime.operations import Emit, EndOfMessages, NewMailbox, Receive, Spawn
from jvmwire.errors import wrap_error
from jvmwire.pravega.commands import GetStreamSegmentInfo
from jvmwire.pravega.segment_reader import EventParser, read_chunks
from jvmwire.pravega.streams.names import segment_name
from jvmwire.pravega.streams.stream_cut import StreamCut
from jvmwire.pravega.streams.successors import readable_successors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream
    from jvmwire.pravega.streams.store_locator import Stores

T = TypeVar("T")

MAX_SEGMENTS = 1 << 20
"""Segments that are read at once: each has one batch on its way. Ours."""


@dataclass(frozen=True, slots=True)
class StreamBatch(Generic[T]):
    """Events of one segment that stand one behind the other."""

    segment_id: int
    events: T
    """A list of `bytes`, or an `EventBatch`."""
    cut: StreamCut
    """Where the reader is behind them: to go on there, read from this cut."""


@dataclass(frozen=True, slots=True)
class _Read:
    segment_id: int
    events: Any
    offset: int


@dataclass(frozen=True, slots=True)
class _Finished:
    segment_id: int


class StreamReader:
    """Reads from a cut on to another, which need not name segments that are read to their seal."""

    def __init__(
        self,
        stores: Stores,
        start: Mapping[int, int],
        *,
        ends: Mapping[int, int],
        take: Callable[[EventParser], Callable[[memoryview], Any]],
        successors: Callable[[int], Operation[dict[int, set[int]]]],
    ) -> None:
        self._stores = stores
        self._ends = ends
        self._convert = take
        self._successors = successors
        self._positions = dict(start)
        """Of the segments that are read, and of those read whose successors are not yet."""
        self._finished: set[int] = set()
        """Those that are read to the end; they were sealed there."""
        self._after: dict[int, set[int]] = {}
        """Their successors, each with its predecessors."""
        self._reading: dict[int, Mailbox] = {}
        """Who may give more when it is told so."""
        self._inbox: Mailbox

    def read(self) -> OperationStream[StreamBatch[Any]]:
        """Emit batches, of whichever segment has one."""
        self._inbox = yield NewMailbox(capacity=MAX_SEGMENTS)
        try:
            for segment_id in list(self._positions):
                yield from self._start(segment_id)
            while self._reading:
                told: _Read | _Finished = yield Receive(self._inbox)
                if isinstance(told, _Finished):
                    del self._reading[told.segment_id]
                    yield from self._start_successors(told.segment_id)
                    continue
                self._positions[told.segment_id] = told.offset
                cut = StreamCut(self._stores.stream, self._positions)
                yield Emit(StreamBatch(told.segment_id, told.events, cut))
                self._reading[told.segment_id].push(None)
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
        take = self._convert(cutter)

        def give(data: memoryview) -> OperationStream[object]:
            if credit.ended:
                raise EndOfMessages
            before = cutter.offset
            events = take(data)
            if cutter.offset > before:
                self._inbox.push(_Read(segment_id, events, cutter.offset))
                yield Receive(credit)
            cutter.check()

        end = self._ends.get(segment_id)
        link = self._stores.segment_channel(segment_id)
        try:
            if end is None and self._ends:
                # What stands before the end was sealed when that was told; else it is behind it.
                info = yield from link.call(GetStreamSegmentInfo(name))
                end = info.write_offset if info.is_sealed else offset
            reading = read_chunks(link, name, offset, handler=give, end=end, follow=end is None)
            # It gives, and emits nothing.
            yield from reading  # type: ignore[misc]
        except EndOfMessages:
            return
        except Exception as error:  # if not ours, of what returns a token, most likely
            self._inbox.push(wrap_error(error, f"read {name}"))
        else:
            self._inbox.push(_Finished(segment_id))

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
