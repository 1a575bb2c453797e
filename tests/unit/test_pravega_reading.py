"""Segments and streams are read as far as their reader wants, without a network."""

from collections.abc import Generator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jvmwire.errors import RemoteProtocolError
from jvmwire.mailbox import Mailbox
from jvmwire.operations import MakeMailbox, Receive, Spawn
from jvmwire.pravega.commands import ReadSegment
from jvmwire.pravega.reading import emitting, pieces
from jvmwire.pravega.results import SegmentPiece
from jvmwire.pravega.session import TODAY
from jvmwire.pravega.streams.reader import StreamReader

EVENT = TODAY.encode("Event", {"data": b"event"})


class Line:
    """Yields the commands themselves, for a test to answer."""

    def call(self, command: Any) -> Generator[Any, Any, Any]:
        return (yield command)


def tail(offset: int, data: bytes = b"") -> SegmentPiece:
    return SegmentPiece(offset, data, at_tail=True, end_of_segment=False)


def read(**until: Any) -> Any:
    """Read the segment "s" from its beginning."""
    return pieces(cast("Any", Line()), "s", 0, give=emitting(lambda data: data), **until)


def follow(stream: str = "scope/stream") -> tuple[Any, Any]:
    """Return a reader that waits for its one segment, and who reads that."""
    reader = StreamReader(
        cast("Any", SimpleNamespace(stream=stream, to_segment=lambda _: Line())),
        {0: 0},
        ends={},
        take=lambda cutter: cutter.events,
        successors=lambda _: iter(()),  # type: ignore[arg-type,return-value]
    ).read()
    answer, spawned = None, None
    while not isinstance(instruction := reader.send(answer), Receive):
        answer = None
        if isinstance(instruction, MakeMailbox):
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
