"""Segments and streams are read as far as their reader requests, without a network."""

from collections.abc import Generator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jvmwire._runtime.operations import Emit, Join, Mailbox, NewMailbox, Receive, Spawn
from jvmwire.errors import RemoteProtocolError
from jvmwire.pravega._commands import ReadSegment
from jvmwire.pravega._responses import SegmentRead
from jvmwire.pravega._segment_reader import emit_mapped, read_chunks
from jvmwire.pravega._session import CURRENT_DIALECT
from jvmwire.pravega.errors import SegmentIsSealed
from jvmwire.pravega.streams._options import StreamOptions
from jvmwire.pravega.streams._reader import StreamReader

EVENT = CURRENT_DIALECT.encode("Event", {"data": b"event"})


class Line:
    """Connection that yields the commands themselves, for a test to answer."""

    def call(self, command: Any) -> Generator[Any, Any, Any]:
        return (yield command)


def wait_for(reading: Any, instruction: Any) -> Any:
    """Answer each read that is spawned, ahead, by an empty tail; return the next request."""
    asked: list[Any] = []
    while isinstance(instruction, (Spawn, Join)):
        if isinstance(instruction, Spawn):
            asked.append(instruction.operation)
            instruction = reading.send(None)
            continue
        task = asked.pop(0)
        offset = next(task).offset
        with pytest.raises(StopIteration) as stop:
            task.send(tail(offset))
        instruction = reading.send(stop.value.value)
    return instruction


def tail(offset: int, data: bytes = b"") -> SegmentRead[bytes]:
    return SegmentRead(offset, data, at_tail=True, end_of_segment=False)


def read(**until: Any) -> Any:
    """Read the segment "s" from its beginning."""
    return read_chunks(cast("Any", Line()), "s", 0, handler=emit_mapped(lambda data: data), **until)


def follow(stream: str = "scope/stream") -> tuple[Any, Any]:
    """Return a reader that waits for its only segment, and the reader of that segment."""
    reader = StreamReader(
        cast(
            "Any",
            SimpleNamespace(
                options=StreamOptions(), stream=stream, segment_channel=lambda _: Line()
            ),
        ),
        {0: 0},
        ends={},
        convert=lambda cutter: cutter.events,
        successors=lambda _: iter(()),  # type: ignore[arg-type,return-value]
    ).read()
    answer, spawned = None, None
    while not isinstance(instruction := reader.send(answer), Receive):
        answer = None
        if isinstance(instruction, NewMailbox):
            answer = Mailbox(None, 100, lambda _: None)
        elif isinstance(instruction, Spawn):
            spawned = instruction.operation
    return reader, spawned


@pytest.mark.parametrize("data", [b"", EVENT[:3], EVENT])
def test_a_stream_whose_reader_was_closed_is_read_no_further(data):
    reader, segment = follow()
    segment.send(None)
    asked = segment.send(SimpleNamespace(write_offset=0))
    assert asked == ReadSegment("scope/stream/0.#epoch.0", 0, 1 << 20)
    assert segment.send(tail(0)) == asked
    reader.close()
    with pytest.raises(StopIteration):
        segment.send(tail(0, data))


def test_bytes_of_another_offset_are_the_stores_fault_at_the_tail_too():
    reading = read(follow=True)
    reading.send(None)
    assert reading.send(SimpleNamespace(write_offset=0)) == ReadSegment("s", 0, 1 << 20)
    with pytest.raises(RemoteProtocolError, match="3 bytes at offset 5 of 's', where 1048576 at 0"):
        reading.send(tail(5, b"abc"))


def test_bytes_that_are_not_there_yet_are_waited_for():
    reading = read(end=8)
    asked = wait_for(reading, reading.send(None))
    assert asked == ReadSegment("s", 0, 8)
    assert reading.send(tail(0)) == ReadSegment("s", 0, 8)
    assert reading.send(tail(0, b"abc")) == Emit(b"abc")
    assert reading.send(None) == ReadSegment("s", 3, 5)
    assert reading.send(tail(3, b"defghij")) == Emit(b"defgh")
    with pytest.raises(StopIteration):
        reading.send(None)


def test_a_segment_that_is_sealed_before_the_end_of_a_read_is_said_to_be():
    reading = read(end=3 << 20)
    assert wait_for(reading, reading.send(None)) == ReadSegment("s", 0, 1 << 20)
    reading.send(SegmentRead(0, b"abc", at_tail=True, end_of_segment=True))
    with pytest.raises(SegmentIsSealed, match="'s' is sealed at 3, before 3145728"):
        reading.send(None)
