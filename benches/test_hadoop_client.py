"""Calls of a real NameNode: jvmwire's client beside hdfs-native, whose core is Rust too."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hdfs_native import AsyncClient, Client

from benches.duel import Work, duel, here
from benches.raw_loops import in_flight
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.transports import Tcp
from kit.hadoop import SUPERUSER, MiniDfs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

FILES = 1_000
ENTRIES = 10_000
IN_FLIGHT = 64
CALLS = 2_000


@pytest.fixture(scope="module", autouse=True)
def superuser() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "HADOOP_USER_NAME", SUPERUSER)
        yield


@pytest.fixture(scope="module")
def minidfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniDfs]:
    with MiniDfs(tmp_path_factory.mktemp("minidfs")) as peer:
        client = Client(peer.url)
        for number in range(FILES):
            client.mkdirs(f"/bench/{number}", create_parent=True)
        yield peer


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def some_paths(random: np.random.Generator) -> list[str]:
    """Return paths of which one in ten does not exist."""
    return [f"/bench/{number}" for number in random.integers(0, FILES * 10 // 9, CALLS)]


def are_told(paths: list[str], found: object) -> bool:
    return found == [int(path.rpartition("/")[2]) < FILES for path in paths]


def one_by_one(look: Callable[[str], bool], paths: list[str]) -> Work:
    return here(lambda: [look(path) for path in paths], len(paths))


def many_in_flight(
    runner: asyncio.Runner, look: Callable[[str], Any], count: int, paths: list[str]
) -> Work:
    return here(lambda: runner.run(in_flight(count, look, paths)), len(paths))


def test_looking_at_paths_one_after_the_other(
    benchmark: BenchmarkFixture, minidfs: MiniDfs
) -> None:
    from hdfs_native import Client

    other = Client(minidfs.url)

    def looks(path: str) -> bool:
        try:
            other.get_file_info(path)
        except FileNotFoundError:
            return False
        return True

    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)) as client:
        duel(
            benchmark,
            {
                "jvmwire": partial(one_by_one, lambda path: client.get_file_info(path) is not None),
                "hdfs-native": partial(one_by_one, looks),
            },
            inputs=some_paths,
            check=are_told,
            unit="call",
            work="getFileInfo of a NameNode, one after the other",
        )


def test_looking_at_many_paths_at_once(
    benchmark: BenchmarkFixture, minidfs: MiniDfs, runner: asyncio.Runner
) -> None:
    endpoint, options = Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)
    other = AsyncClient(minidfs.url)

    async def connected() -> AsyncNameNode:
        return AsyncNameNode(endpoint, options)

    awaited = runner.run(connected())

    async def ours(path: str) -> bool:
        return await awaited.get_file_info(path) is not None

    async def theirs(path: str) -> bool:
        try:
            await other.get_file_info(path)
        except FileNotFoundError:
            return False
        return True

    with NameNode(endpoint, options) as client:

        def in_one_batch(paths: list[str]) -> Work:
            def result(found: Any) -> list[bool]:
                return [status is not None for status in found]

            return here(lambda: client.get_file_infos(paths), len(paths), result=result)

        duel(
            benchmark,
            {
                "jvmwire, one batch": in_one_batch,
                "jvmwire, 64 awaited": partial(many_in_flight, runner, ours, 64),
                "hdfs-native, 64 awaited": partial(many_in_flight, runner, theirs, 64),
            },
            inputs=some_paths,
            check=are_told,
            unit="call",
            work="getFileInfo of a NameNode, many in flight",
        )
    runner.run(awaited.close())


def test_listing_a_directory(benchmark: BenchmarkFixture, minidfs: MiniDfs) -> None:
    other = Client(minidfs.url)
    endpoint, options = Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)
    with NameNode(endpoint, options) as client:
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            deque(pool.map(client.mkdirs, (f"/listed/{n:05}" for n in range(ENTRIES))), 0)

        def to_arrow(path: str) -> Work:
            def names(batch: Any) -> list[str]:
                found: list[str] = batch["path"].to_pylist()
                return found

            return here(lambda: pa.record_batch(client.list_directory(path)), ENTRIES, result=names)

        def to_objects(listed: Callable[[str], Any], path: str) -> Work:
            return here(
                lambda: list(listed(path)),
                ENTRIES,
                result=lambda found: [status.path for status in found],
            )

        duel(
            benchmark,
            {
                "jvmwire, to Arrow": to_arrow,
                "jvmwire, to objects": partial(to_objects, client.list_directory),
                "hdfs-native, to objects": partial(to_objects, other.list_status),
            },
            inputs=lambda _: "/listed",
            check=lambda path, found: found == [f"{path}/{n:05}" for n in range(ENTRIES)],
            unit="entry",
            work=f"a directory of {ENTRIES:,} entries, listed",
        )
