"""Pravega's appends and reads as bytes: no socket, no server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc

from benches import inputs
from benches.harness import PreparedRun, Target, compare, in_process
from jvmwire import codec
from jvmwire._core import PravegaEvents, PravegaEventSplitter
from jvmwire.pravega._session import CURRENT_DIALECT
from jvmwire.pravega._writer import BLOCK_BYTES, BYTES_AT_ONCE
from reference.cython import pravega as cython
from reference.plain import pravega as plain

if TYPE_CHECKING:
    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

    from jvmwire.codec._arrow import ArrowArray

SIZE = 100
COUNT = 50_000
PIECE = 10_000
"""Events of a read: about as many bytes as are requested at once."""
WRITER = UUID(int=7)
REQUEST_ID = 9
LIMIT = 1 << 20


def encoded(events: list[bytes] | ArrowArray) -> list[bytes | memoryview]:
    """Return appends of all `events`, as an appender encodes them."""
    waiting = PravegaEvents(BLOCK_BYTES, BYTES_AT_ONCE)
    waiting.push_all(events)
    made, last = [], 0
    while waiting.unsent:
        blocks, count = waiting.next_blocks(WRITER, last, REQUEST_ID)
        made.append(blocks)
        waiting.release(count)
        last += count
    return made


def by_hand(events: list[bytes]) -> list[bytes]:
    return plain.encode_blocks(events, WRITER.bytes, 0, REQUEST_ID, BLOCK_BYTES)


Appends = tuple[list[bytes], bytes]


def appends(random: np.random.Generator) -> Appends:
    events = inputs.payloads(random, SIZE, COUNT)
    return events, b"".join(by_hand(events))


def memcpy(given: Appends) -> PreparedRun:
    """Copy the bytes of the expected result, in pieces of the same size."""
    view = memoryview(given[1])
    starts = range(0, len(view), BYTES_AT_ONCE)
    return in_process(
        lambda: [bytearray(view[at : at + BYTES_AT_ONCE]) for at in starts],
        COUNT,
        result=b"".join,
    )


def test_appends_of_an_arrow_column(benchmark: BenchmarkFixture) -> None:
    def ours(given: Appends) -> PreparedRun:
        column = pa.array(given[0], pa.binary())
        return in_process(lambda: encoded(column), COUNT, result=b"".join)

    compare(
        benchmark,
        {"jvmwire, Arrow": ours, "memcpy": memcpy},
        inputs=appends,
        check=lambda given, wire: wire == given[1],
        unit="event",
        work=f"appends of {COUNT:,} events of {SIZE} bytes, encoded from an Arrow column",
        targets=[Target("memcpy", times=0.5)],
    )


def test_appends_of_a_list(benchmark: BenchmarkFixture) -> None:
    compare(
        benchmark,
        {
            "jvmwire, list": lambda given: in_process(
                lambda: encoded(given[0]), COUNT, result=b"".join
            ),
            "Cython, list": lambda given: in_process(
                lambda: cython.encode_blocks(given[0], WRITER.bytes, 0, REQUEST_ID, BLOCK_BYTES),
                COUNT,
                result=b"".join,
            ),
            "Python, list": lambda given: in_process(
                lambda: by_hand(given[0]), COUNT, result=b"".join
            ),
            "memcpy": memcpy,
        },
        inputs=appends,
        check=lambda given, wire: wire == given[1],
        unit="event",
        work=f"appends of {COUNT:,} events of {SIZE} bytes, encoded from a list",
        targets=[Target("Cython, list", times=5)],
    )


Reads = tuple[list[int], list[bytes], list[bytes]]


def reads(random: np.random.Generator) -> Reads:
    """Make the offsets of events, replies that hold them, and the same payloads as plain frames."""
    events = inputs.payloads(random, SIZE, COUNT)
    framing = codec.Framing.length(limit=LIMIT)
    offsets, replies, frames, at = [], [], [], 0
    for first in range(0, COUNT, PIECE):
        piece = events[first : first + PIECE]
        data = b"".join(len(event).to_bytes(8) + event for event in piece)
        fields = {"segment": "s/s/0", "offset": at, "at_tail": False, "end_of_segment": False}
        replies.append(
            CURRENT_DIALECT.encode("SegmentRead", fields | {"data": data, "request_id": 1})
        )
        frames.append(framing.encode_all(pa.array(piece, pa.binary())))
        for event in piece:
            offsets.append(at)
            at += 8 + len(event)
    return offsets, replies, frames


def test_offsets_of_events_that_were_read(benchmark: BenchmarkFixture) -> None:
    framing = codec.Framing.length(limit=LIMIT)

    def ours(given: Reads) -> PreparedRun:
        decoder, cutter = CURRENT_DIALECT.decoder(limit=16 << 20), PravegaEventSplitter()

        def read() -> list[codec.Array]:
            offsets = []
            for reply in given[1]:
                decoder.feed(reply)
                received = decoder.next_command()
                assert received is not None
                offsets.append(cutter.feed(received[2]["data"])[1])
            return offsets

        def told(made: Any) -> object:
            return pa.chunked_array([pa.array(each) for each in made]).to_pylist()

        return in_process(read, COUNT, result=told)

    def scanner(given: Reads) -> PreparedRun:
        def starts(made: Any) -> object:
            found, at = [], 0
            for firsts, ends, _ in made:
                lengths = pc.subtract(pa.array(ends), pa.array(firsts)).to_pylist()
                for length in lengths:
                    found.append(at)
                    at += 8 + length
            return found

        return in_process(lambda: [framing.scan(frame) for frame in given[2]], COUNT, result=starts)

    compare(
        benchmark,
        {"jvmwire, SegmentRead": ours, "frame scanner": scanner},
        inputs=reads,
        check=lambda given, offsets: offsets == given[0],
        unit="event",
        work=f"events of {SIZE} bytes found in SegmentReads, {PIECE:,} in each",
        targets=[Target("frame scanner", times=0.7)],
    )
