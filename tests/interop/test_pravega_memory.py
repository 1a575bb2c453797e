"""Reading takes memory for the read-ahead, independent of the size of the data."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from uuid import UUID

import pytest

from jvmwire.errors import LocalProtocolError
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.early import AsyncEarlyClient, EarlyServer, FileStore, Store
from jvmwire.transports import Tcp
from kit.memory import in_a_process_of_its_own
from kit.pravega import SegmentStorePeer
from kit.scale import times

SIZES = (times(4) * 1_000_000, times(40) * 1_000_000)
"""Bytes of a small segment and of a large one."""
EVENT = 10_000
ALLOWED = 16 << 20
PATIENT = 600.0

READ_EVENTS = """
from jvmwire.pravega import SegmentStore
from jvmwire.transports import Tcp

with SegmentStore(Tcp("127.0.0.1", {port})) as store:
    seen = sum(len(batch.events) for batch in store.read_batches("memory/stream/{size}"))
assert seen == {count}, seen
"""
PATTERN = bytes(range(256)) * 8192
ENDLESS = (times(4) * 1_000_000, times(40, full=10_000) * 1_000_000)
"""Bytes of segments that are generated, not stored: 10 GB at full depth."""
READ_EARLY = """
from jvmwire.pravega.early import EarlyClient
from jvmwire.transports import Tcp

with EarlyClient(Tcp("127.0.0.1", {port})) as client:
    seen = sum(map(len, client.read_bytes("{size}")))
assert seen == {size}, seen
"""
READ_PATTERN = """
from jvmwire.pravega.early import EarlyClient
from jvmwire.transports import Tcp

seen = 0
with EarlyClient(Tcp("127.0.0.1", {port})) as client:
    for piece in client.read_bytes("{size}"):
        assert (piece[0], piece[-1]) == (seen % 256, (seen + len(piece) - 1) % 256)
        seen += len(piece)
assert seen == {size}, seen
"""


class Endless(Store):
    """Store of segments as long as their names state, of repeating bytes: nothing is kept."""

    def transaction(self) -> AbstractContextManager[None]:
        return nullcontext()

    def acked_bytes(self, segment: str, connection_id: UUID) -> int:
        raise LocalProtocolError(f"an append of {connection_id} to {segment!r}")

    def append(self, segment: str, connection_id: UUID, offset: int, data: bytes) -> int:
        raise LocalProtocolError(f"{len(data)} bytes of {connection_id} at {offset} of {segment!r}")

    def count(self) -> int:
        return 0

    def length(self, segment: str) -> int | None:
        return int(segment)

    def read(self, segment: str, start: int, end: int) -> bytes:
        del segment
        first = start % 256
        return PATTERN[first : first + min(end - start, 1 << 20)]

    def is_sealed(self, segment: str) -> bool:
        del segment
        return True

    def seal(self, segment: str) -> None:
        raise LocalProtocolError(f"{segment!r} is sealed")

    def close(self) -> None:
        pass


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[SegmentStorePeer]:
    """A store with enough memory: it keeps all data there."""
    with SegmentStorePeer(tmp_path, heap="4g") as peer:
        yield peer


@pytest.mark.timeout(times(120))
def test_a_large_segment_takes_no_more_memory_to_read_than_a_small_one(peer):
    block = [bytes(EVENT)] * 100
    with SegmentStore(peer.endpoint) as store:
        for size in SIZES:
            segment = f"memory/stream/{size}"
            store.create_segment(segment)
            with store.appender(segment) as appender:
                for _ in range(size // EVENT // len(block)):
                    appender.write_all(block)
    small, large = (
        in_a_process_of_its_own(
            READ_EVENTS.format(port=peer.port, size=size, count=size // EVENT), timeout=PATIENT
        )
        for size in SIZES
    )
    assert large - small < ALLOWED


@pytest.mark.timeout(times(120))
def test_the_same_of_an_early_server_and_its_file(tmp_path):
    async def measure() -> list[int]:
        async with EarlyServer(store=FileStore(tmp_path / "segments")) as server:
            port = await server.start()
            async with AsyncEarlyClient(Tcp("127.0.0.1", port)) as client:
                for size in SIZES:
                    appender = client.appender(str(size))
                    for _ in range(size // 1_000_000):
                        await appender.append([bytes(1_000_000)])
            return [
                await asyncio.to_thread(
                    in_a_process_of_its_own,
                    READ_EARLY.format(port=port, size=size),
                    timeout=PATIENT,
                )
                for size in SIZES
            ]

    small, large = asyncio.run(measure())
    assert large - small < ALLOWED


@pytest.mark.timeout(times(120))
def test_a_segment_larger_than_any_memory_takes_no_more_to_read():
    async def measure() -> list[int]:
        async with EarlyServer(store=Endless()) as server:
            port = await server.start()
            return [
                await asyncio.to_thread(
                    in_a_process_of_its_own,
                    READ_PATTERN.format(port=port, size=size),
                    timeout=PATIENT,
                )
                for size in ENDLESS
            ]

    small, large = asyncio.run(measure())
    assert large - small < ALLOWED
