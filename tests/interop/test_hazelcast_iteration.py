"""Iteration over maps of real members returns every entry that exists throughout."""

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.hazelcast import HazelcastClient
from kit.hazelcast import CP_SETTINGS, Member
from kit.jvm import free_port
from kit.polling import eventually
from kit.scale import times

NAMES = (f"iteration {number}" for number in itertools.count())
STAYING = 20_000
PUT = 60_000
"""Entries added while the map is read: each partition's table grows several times."""
BATCH = 20


@pytest.fixture
def client(hazelcast_peer: Member) -> Iterator[HazelcastClient]:
    with HazelcastClient.connect([hazelcast_peer.address]) as client:
        yield client


def as_objects(there: Any) -> Iterator[int]:
    return (key for key, _ in there.entries(batch=BATCH))


def as_arrow(there: Any) -> Iterator[int]:
    for keys, _ in there.arrow_entries(batch=BATCH):
        yield from objects(keys)


def objects(column: Any) -> list[Any]:
    listed: list[Any] = pa.array(column).to_pylist()
    return listed


@pytest.mark.parametrize("read", [as_objects, as_arrow])
def test_iteration_returns_all_entries_while_tables_grow(
    client: HazelcastClient, read: Callable[[Any], Iterator[int]]
):
    for _ in range(times(1, full=10)):
        there = client.get_map(next(NAMES))
        there.put_all(dict.fromkeys(range(STAYING), 1))
        begun = threading.Event()

        def grow(there: Any = there, begun: threading.Event = begun) -> None:
            begun.wait()
            for start in range(STAYING, STAYING + PUT, 2_000):
                there.put_all(dict.fromkeys(range(start, start + 2_000), 2))

        putting = threading.Thread(target=grow)
        putting.start()
        found: Counter[int] = Counter()
        try:
            for key in read(there):
                begun.set()
                found[key] += 1
        finally:
            begun.set()
            putting.join()
        lost = [key for key in range(STAYING) if key not in found]
        assert not lost
        assert max(found.values()) == 1
        assert sorted(read(there)) == [*range(STAYING + PUT)]
        there.destroy()


def test_approximate_iteration_reads_an_unchanged_map_whole(client: HazelcastClient):
    there = client.get_map(next(NAMES))
    entries = {number: str(number) for number in range(5_000)}
    there.put_all(entries)
    assert dict(there.entries(batch=3, approximate=True)) == entries
    read = [
        dict(zip(objects(keys), objects(values), strict=True))
        for keys, values in there.arrow_entries(batch=3, approximate=True)
    ]
    assert sum(map(len, read)) == len(entries)
    assert dict(itertools.chain.from_iterable(part.items() for part in read)) == entries


def test_iteration_returns_all_entries_while_members_join_and_leave(
    hazelcast_three: list[Member], tmp_path: Path
):
    addresses = [member.address for member in hazelcast_three]
    with HazelcastClient.connect(addresses) as client:
        there = client.get_map(next(NAMES))
        there.put_all(dict.fromkeys(range(STAYING), 1))
        for number in range(times(1, full=5)):
            over = threading.Event()

            def join_and_leave(number: int = number, over: threading.Event = over) -> None:
                port = free_port()
                fourth = Member(
                    tmp_path / f"fourth {number}",
                    port=port,
                    ports=[port, *(member.port for member in hazelcast_three)],
                    settings=CP_SETTINGS,
                )
                try:
                    with fourth:
                        eventually(lambda: len(client.members) == 4)
                        time.sleep(1)  # partitions move
                    eventually(lambda: len(client.members) == 3)
                finally:
                    over.set()

            moving = threading.Thread(target=join_and_leave)
            moving.start()
            try:
                rounds = 0
                while not over.is_set() or not rounds:
                    assert Counter(as_objects(there)) == Counter(range(STAYING))
                    rounds += 1
            finally:
                moving.join()
        assert len(client.members) == 3
        there.destroy()
