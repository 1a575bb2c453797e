"""The client of PyPI and jvmwire write to the same streams and read each other's events."""

import asyncio

import pravega_client
import pytest

from jvmwire.pravega.streams import StreamClient, StreamOptions
from kit.pravega import StandalonePeer

EVENTS = [b"\0", b"one", "zw\u00f6lf".encode(), bytes(range(256)), b"x" * 200_000]
PATIENT = 60.0


@pytest.fixture
def manager(pravega: StandalonePeer) -> pravega_client.StreamManager:
    return pravega_client.StreamManager(f"tcp://{pravega.controller}")


def test_it_reads_what_we_write(pravega, manager):
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope("pypi")
        client.create_stream("pypi/ours")
        with client.writer("pypi/ours") as writer:
            writer.write_all(EVENTS)
    group = manager.create_reader_group("readers", "pypi", "ours")
    reader = group.create_reader("reader")

    async def read() -> list[bytes]:
        found: list[bytes] = []
        while len(found) < len(EVENTS):
            piece = await reader.get_segment_slice_async()
            found += [event.data() for event in piece]
            reader.release_segment(piece)
        return found

    assert [bytes(event) for event in asyncio.run(read())] == EVENTS
    reader.reader_offline()


def test_we_read_what_it_writes(pravega, manager):
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope("pypi")
        client.create_stream("pypi/theirs")
        writer = manager.create_writer("pypi", "theirs")
        for event in EVENTS:
            writer.write_event_bytes(event)
        writer.flush()
        found = [event for batch in client.read_events("pypi/theirs") for event in batch.events]
    assert found == EVENTS
