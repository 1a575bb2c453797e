"""Appends to a segment store and reads of it: jvmwire's client beside bare sockets."""

from __future__ import annotations

import itertools
import socket
import struct
import uuid
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from benches.duel import Target, Work, duel, here
from jvmwire._core import PravegaEvents
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.session import TODAY
from kit.pravega import SegmentStorePeer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

SIZES = {100: 100_000, 1_000: 20_000, 10_000: 2_000, 100_000: 200}
"""Events of a round, by their bytes."""
BLOCK = 256 << 10
HEADER = struct.Struct(">ii")
NEW_WRITER = -(1 << 63)

numbers = itertools.count()


@pytest.fixture
def peer(tmp_path: Any) -> Iterator[SegmentStorePeer]:
    """A store of its own for each benchmark: it keeps all in memory."""
    with SegmentStorePeer(tmp_path, heap="4g") as peer:
        yield peer


@pytest.fixture
def store(peer: SegmentStorePeer) -> Iterator[SegmentStore]:
    with SegmentStore(peer.endpoint) as store:
        yield store


def new_segment(store: SegmentStore) -> str:
    segment = f"bench/stream/{next(numbers)}"
    store.create_segment(segment)
    return segment


class Raw:
    """A bare socket to a segment store."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._file = self._socket.makefile("rb")
        self._socket.sendall(TODAY.encode("Hello", {"high_version": 16, "low_version": 5}))
        self.reply()

    def reply(self) -> tuple[int, bytes]:
        kind, length = HEADER.unpack(self._file.read(8))
        return kind, self._file.read(length)

    def set_up(self, segment: str, writer_id: uuid.UUID) -> None:
        fields = {"request_id": 1, "writer_id": writer_id, "segment": segment}
        self._socket.sendall(TODAY.encode("SetupAppend", fields | {"delegation_token": ""}))
        self.reply()

    def blast(self, wire: bytes, last: int) -> None:
        """Send what was encoded before, and wait for the last acknowledgement."""
        self._socket.settimeout(60.0)
        self._socket.sendall(wire)
        while struct.unpack_from(">q", self.reply()[1], 16)[0] < last:
            pass

    def discard(self, segment: str, end: int) -> int:
        """Read a segment to its end and throw it away."""
        at = 0
        while at < end:
            fields = {"segment": segment, "offset": at, "suggested_length": 1 << 20}
            self._socket.sendall(
                TODAY.encode("ReadSegment", fields | {"delegation_token": "", "request_id": 1})
            )
            _, payload = self.reply()
            at += len(payload) - 2 - len(segment) - 8 - 2 - 4 - 8
        return at

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@pytest.mark.parametrize("size", SIZES)
def test_appending_events(
    benchmark: BenchmarkFixture, peer: SegmentStorePeer, store: SegmentStore, size: int
) -> None:
    count = SIZES[size]

    def events(random: np.random.Generator) -> list[bytes]:
        block = random.bytes(size * count)
        return [block[at : at + size] for at in range(0, len(block), size)]

    def ended(segment: str) -> int:
        return store.get_segment_info(segment).write_offset

    def ours(given: list[bytes]) -> Work:
        segment = new_segment(store)
        appender = store.appender(segment)
        appender.flush()

        def append() -> None:
            appender.append_all(given)

        return here(append, count, result=lambda _: ended(segment))

    def ours_from_arrow(given: list[bytes]) -> Work:
        segment = new_segment(store)
        appender, column = store.appender(segment), pa.array(given, pa.binary())
        return here(lambda: appender.append_all(column), count, result=lambda _: ended(segment))

    def raw(given: list[bytes]) -> Work:
        segment, writer_id = new_segment(store), uuid.uuid4()
        waiting, wire, last = PravegaEvents(), bytearray(), 0
        waiting.push_all(given)
        while waiting:
            frame, taken = waiting.take_block(writer_id, last, 1, BLOCK)
            last += taken
            wire += frame
        raw = Raw(peer.port)
        raw.set_up(segment, writer_id)

        def done(_: object) -> int:
            raw.close()
            return ended(segment)

        return here(lambda: raw.blast(bytes(wire), last), count, result=done)

    duel(
        benchmark,
        {"jvmwire": ours, "jvmwire, Arrow": ours_from_arrow, "raw socket": raw},
        inputs=events,
        check=lambda given, end: end == len(given) * (8 + size),
        unit="event",
        work=f"appending events of {size} bytes to a segment store",
        targets=[Target("raw socket", times=0.85)],
    )


@pytest.mark.parametrize("size", SIZES)
def test_reading_events(
    benchmark: BenchmarkFixture, peer: SegmentStorePeer, store: SegmentStore, size: int
) -> None:
    count, segment = SIZES[size], new_segment(store)
    with store.appender(segment) as appender:
        appender.append_all([bytes(size)] * count)
    raw = Raw(peer.port)
    end = count * (8 + size)

    def into_arrow(_: None) -> Work:
        return here(lambda: sum(len(it.events) for it in store.read_batches(segment)), count)

    def into_lists(_: None) -> Work:
        return here(lambda: sum(map(len, store.read_events(segment))), count)

    def discarded(_: None) -> Work:
        return here(lambda: raw.discard(segment, end), count, result=lambda at: at // (8 + size))

    duel(
        benchmark,
        {"jvmwire, Arrow": into_arrow, "jvmwire": into_lists, "raw socket": discarded},
        inputs=lambda _: None,
        check=lambda _, found: found == count,
        unit="event",
        work=f"reading events of {size} bytes from a segment store",
        targets=[Target("raw socket", times=0.8)],
    )
    raw.close()
