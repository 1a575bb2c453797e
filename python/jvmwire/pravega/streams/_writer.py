"""Writer of events to a stream: each event goes to the segment whose key range has its routing key.

When a segment is split or merged, it is sealed: its events that are not stored go to its
successors, ahead of events that are written later, so that the events of a key keep their order.
"""

from __future__ import annotations

import copy
from array import array
from typing import TYPE_CHECKING, Any

from jvmwire._core import PRAVEGA_EVENT_LIMIT, pravega_split
from jvmwire._runtime.operations import Future, Join, Spawn
from jvmwire.errors import Finished, JvmWireError, RemoteProtocolError, wrap_error
from jvmwire.pravega._appender import check_sizes, is_large, runs
from jvmwire.pravega._arguments import check_events
from jvmwire.pravega.streams.errors import SEALED, StreamIsSealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire._core import PravegaEvents
    from jvmwire._runtime.operations import Operation, Task
    from jvmwire.pravega._writer import Writer
    from jvmwire.pravega.streams._names import StreamSegment


class SegmentQueue:
    """The queue of events for one segment."""

    def __init__(self, segment: StreamSegment, writer: Writer) -> None:
        self.segment = segment
        self.writer = writer
        self.successors: list[tuple[float, float, SegmentQueue]] | None = None
        """The successors with their key ranges; None while the segment is open."""
        self.handed_over: list[tuple[SegmentQueue, int]] = []
        """The queues that received this one's unstored events, and the number of the last one
        there.
        """
        self.left: list[
            tuple[list[bytes], list[float], list[tuple[float, float, SegmentQueue]]]
        ] = []
        """Events still to be handed over, with their positions and the candidate queues."""
        self.waiting: list[Future] = []
        """Callers that wait until the successors are known."""
        self._positions = array("d")
        """The positions of the last events, at least of all that are not acknowledged."""

    def enqueue(
        self, events: list[bytes], positions: list[float], *, wait_for_capacity: bool = True
    ) -> Operation[int]:
        """Enqueue a run of events, by default once there is room; return the number of the last."""

        def push(taken: PravegaEvents, events: list[bytes]) -> int:
            count = taken.push_all(events)
            self._positions.extend(positions)
            return count

        writer = self.writer
        if is_large(events[0]):
            number = yield from writer.take_large(
                events[0], lambda: self._positions.extend(positions)
            )
        else:
            number = yield from writer.enqueue(push, events, wait_for_capacity=wait_for_capacity)
        unknown = writer.accepted - writer.acknowledged
        if len(self._positions) > 2 * unknown + 1000:
            del self._positions[: len(self._positions) - unknown]
        return number

    def drain(self) -> tuple[list[bytes], list[float]]:
        """Close the queue, and return the events that are not stored, with their positions."""
        events = self.writer.unacknowledged()
        positions = self._positions.tolist()
        return events, positions[len(positions) - len(events) :]


class StreamWriter:
    """One writer's events for a stream, from when they are accepted until they are stored."""

    def __init__(
        self,
        stream: str,
        *,
        current: Callable[[], Operation[list[StreamSegment]]],
        successors: Callable[[StreamSegment], Operation[list[StreamSegment]]],
        new_writer: Callable[[StreamSegment], Writer],
        max_event: int,
        note_time: Callable[[dict[int, int], int], Operation[None]] | None = None,
    ) -> None:
        self._stream = stream
        self._note_time = note_time
        self._max_event = max_event
        self._current = current
        self._successors = successors
        self._new_writer = new_writer
        self._branches: dict[int, SegmentQueue] = {}
        """The queues whose events are not all stored or handed over."""
        self._ranges: list[tuple[float, float, SegmentQueue]] = []
        self._beginning: Task | None = None
        self._failure: JvmWireError | None = None

    # Calls of the public writers.

    def enqueue(
        self, events: list[bytes], positions: list[float]
    ) -> Operation[list[tuple[SegmentQueue, int]]]:
        """Enqueue events once there is room; return their places, for `wait_stored`.

        Raises:
            JvmWireError: the error that ended this writer; some of the events may have been
                accepted.
            ValueError: an event is longer than `max_event`; none was accepted.
        """
        check_sizes(events, self._max_event)
        if not self._ranges:  # before anything is sent; later the core refuses other types
            check_events(events)
        yield from self._begin()
        places: list[tuple[SegmentQueue, int]] = []
        left = [*_runs(events, positions)][::-1]
        while left:
            self._check()
            some, where = left.pop()
            self._resolve()
            ranges = self._ranges
            for index, part, part_positions in pravega_split(
                some, where, [high for _, high, _ in ranges]
            ):
                branch = ranges[index][2]
                try:
                    number = yield from branch.enqueue(part, part_positions)
                except SEALED:
                    yield from self._await_successors(branch)
                    left.append((part, part_positions))
                else:
                    places.append((branch, number))
        return places

    def wait_stored(self, tokens: list[tuple[SegmentQueue, int]]) -> Operation[None]:
        """Wait until all events in these places are stored."""
        left = list(tokens)
        while left:
            branch, number = left.pop()
            try:
                yield from branch.writer.await_acknowledgement(number)
            except SEALED:
                yield from self._await_successors(branch)
                left += branch.handed_over

    def flush(self) -> Operation[None]:
        """Wait until all events that were accepted so far are stored."""
        self._check()
        branches = list(self._branches.values())
        places = [(branch, branch.writer.accepted) for branch in branches]
        for branch in branches:
            if branch.left:
                yield from self._await_successors(branch)
                places += branch.handed_over
        yield from self.wait_stored(places)

    def note_time(self, timestamp: int) -> Operation[None]:
        """Note a time at the position after the events that were accepted so far."""
        assert self._note_time is not None  # noqa: S101 - byte streams have no times
        yield from self._begin()
        yield from self.flush()
        self._resolve()
        # A segment that this writer has not written to counts from its beginning.
        position = {
            branch.segment.segment_id: max(0, branch.writer.write_offset)
            for _, _, branch in self._ranges
        }
        yield from self._note_time(position, timestamp)

    def unacknowledged(self) -> list[bytes]:
        """Close the writer, and return the events not known to be stored, in order by key."""
        self.end(Finished("the writer was ended"))
        events: list[bytes] = []
        for branch in self._branches.values():
            for left, _, _ in reversed(branch.left):
                events += left
            events += branch.drain()[0]
        return events

    def end(self, failure: JvmWireError) -> None:
        """Stop accepting and sending events; pending calls raise `failure`."""
        if self._failure is None:
            self._failure = failure
        for branch in self._branches.values():
            branch.writer.end(self._failure)
            for future in branch.waiting:
                future.set_exception(copy.copy(self._failure))
            branch.waiting.clear()

    def _check(self) -> None:
        if self._failure is not None:
            raise copy.copy(self._failure)

    def _begin(self) -> Operation[None]:
        self._check()
        if not self._ranges:
            if self._beginning is None or self._beginning.done:
                self._beginning = yield Spawn(self._look_up(), f"segments of {self._stream}")
            yield Join(self._beginning)
            self._check()

    def _look_up(self) -> Operation[None]:
        segments = yield from self._current()
        if not segments:
            raise StreamIsSealed(f"{self._stream!r} is sealed")
        ranges = [(each.low, each.high, self._branch(each)) for each in segments]
        self._ranges = _covering(ranges, 0.0, 1.0, self._stream)
        for branch in list(self._branches.values()):
            yield Spawn(self._watch(branch), f"watch {branch.segment.name}")

    # Handling of sealed segments.

    def _branch(self, segment: StreamSegment) -> SegmentQueue:
        branch = self._branches.get(segment.segment_id)
        if branch is None:
            branch = SegmentQueue(segment, self._new_writer(segment))
            self._branches[segment.segment_id] = branch
        return branch

    def _watch(self, branch: SegmentQueue) -> Operation[None]:
        failure = yield from branch.writer.await_end()
        if self._failure is not None:
            return
        if not isinstance(failure, SEALED):
            self.end(failure)
            return
        try:
            yield from self._move_to_successors(branch)
        except Exception as error:  # otherwise most likely from the function that returns a token
            self.end(wrap_error(error, f"write to {self._stream}"))

    def _move_to_successors(self, branch: SegmentQueue) -> Operation[None]:
        """Hand the unstored events of a sealed segment to its successors, then its key ranges."""
        found = yield from self._successors(branch.segment)
        if not found:
            raise StreamIsSealed(f"{self._stream!r} is sealed")
        known = set(self._branches)
        ranges = [(each.low, each.high, self._branch(each)) for each in found]
        low, high = branch.segment.low, branch.segment.high
        successors = _covering(ranges, low, high, self._stream)
        for each in found:
            if each.segment_id not in known:
                successor = self._branches[each.segment_id]
                yield Spawn(self._watch(successor), f"watch {each.name}")
        handed = [*_runs(*branch.drain())][::-1]
        branch.left += [(events, positions, successors) for events, positions in handed]
        while branch.left:
            events, positions, among = branch.left.pop()
            ends = [end for _, end, _ in among]
            parts = pravega_split(events, positions, ends)
            branch.left += [(part, where, [among[at]]) for at, part, where in parts[1:]]
            if not parts:
                continue
            at, part, where = parts[0]
            successor = among[at][2]
            branch.left.append((part, where, [among[at]]))
            try:
                # The events were counted against the limits when they were accepted.
                number = yield from successor.enqueue(part, where, wait_for_capacity=False)
            except SEALED:
                yield from self._await_successors(successor)
                assert successor.successors is not None  # noqa: S101 - it was waited for
                branch.left[-1] = (part, where, successor.successors)
            else:
                del branch.left[-1]
                branch.handed_over.append((successor, number))
        branch.successors = successors
        del self._branches[branch.segment.segment_id]
        for future in branch.waiting:
            future.set_result()

    def _await_successors(self, branch: SegmentQueue) -> Operation[None]:
        while branch.successors is None:
            self._check()
            branch.waiting.append(future := Future())
            yield future

    def _resolve(self) -> None:
        """Replace sealed queues by their successors."""
        while any(branch.successors is not None for _, _, branch in self._ranges):
            resolved: list[tuple[float, float, SegmentQueue]] = []
            for low, high, branch in self._ranges:
                among = [(low, high, branch)] if branch.successors is None else branch.successors
                resolved += [
                    (max(low, first), min(high, end), successor)
                    for first, end, successor in among
                    if max(low, first) < min(high, end)
                ]
            self._ranges = resolved


def _runs(events: list[bytes], positions: list[float]) -> Iterator[tuple[list[bytes], list[float]]]:
    """Yield runs that are accepted as a whole: each large event alone, those between together."""
    if max(map(len, events), default=0) <= PRAVEGA_EVENT_LIMIT:
        yield events, positions
        return
    start = 0
    for run in runs(events):
        yield run, positions[start : start + len(run)]
        start += len(run)


def _covering(
    ranges: list[tuple[float, float, Any]], low: float, high: float, stream: str
) -> list[tuple[float, float, Any]]:
    """Clip ranges to `low` and `high`, which they must cover without gap or overlap."""
    cut = [(max(low, first), min(high, end), it) for first, end, it in ranges]
    cut = sorted((each for each in cut if each[0] < each[1]), key=lambda each: each[0])
    firsts = [first for first, _, _ in cut]
    ends = [end for _, end, _ in cut]
    if not cut or firsts != [low, *ends[:-1]] or ends[-1] != high:
        raise RemoteProtocolError(
            f"the key ranges of {stream!r} are {list(zip(firsts, ends, strict=True))}, "
            f"and should be all from {low} to {high}"
        )
    return cut
