"""Reading takes memory for what is read ahead, not for what there is."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.pravega import SegmentStore
from jvmwire.pravega.early import AsyncEarlyClient, EarlyServer, FileStore
from jvmwire.transports import Tcp
from kit.depth import times
from kit.memory import in_a_process_of_its_own
from kit.pravega import SegmentStorePeer

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
READ_EARLY = """
from jvmwire.pravega.early import EarlyClient
from jvmwire.transports import Tcp

with EarlyClient(Tcp("127.0.0.1", {port})) as client:
    seen = sum(map(len, client.read_bytes("{size}")))
assert seen == {size}, seen
"""


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[SegmentStorePeer]:
    """A store that has room: it keeps all in memory."""
    with SegmentStorePeer(tmp_path, heap="4g") as peer:
        yield peer


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
