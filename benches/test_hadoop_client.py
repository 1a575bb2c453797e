"""Calls of a real NameNode: jvmwire's client, and other clients in Rust, Java and Python.

hdfs-native has a core in Rust, as jvmwire does. Java's client and snakebite-py3, which is pure
Python, are in separate processes.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hdfs_native import AsyncClient, Client

from benches.hadoop_competitors import BareSocket, JavaClient, SnakebiteClient, exist
from benches.harness import PreparedRun, Target, compare, in_process
from benches.socket_baselines import in_flight
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.transports import Tcp
from kit import wire
from kit.hadoop import SUPERUSER, MiniDfs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from pytest_benchmark.fixture import BenchmarkFixture

    from benches.external_client import WarmClient

FILES = 1_000
ENTRIES = 10_000
DIRECTORIES = 200
FILES_EACH = 50
FEW = 16
IN_FLIGHT = 64
CALLS = 2_000
NATIVE = "hdfs-native"
JAVA = "Java's client"
SNAKEBITE = "snakebite-py3"
RAW = "bare socket"


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


@pytest.fixture
def awaited(minidfs: MiniDfs, runner: asyncio.Runner) -> Iterator[AsyncNameNode]:
    async def connected() -> AsyncNameNode:
        return AsyncNameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER))

    client = runner.run(connected())
    yield client
    runner.run(client.close())


def some_paths(random: np.random.Generator) -> list[str]:
    """Return paths, one in ten of which does not exist."""
    return [f"/bench/{number}" for number in random.integers(0, FILES * 10 // 9, CALLS)]


def are_told(paths: list[str], found: object) -> bool:
    return found == [int(path.rpartition("/")[2]) < FILES for path in paths]


def one_by_one(look: Callable[[str], bool], paths: list[str]) -> PreparedRun:
    return in_process(lambda: [look(path) for path in paths], len(paths))


def many_in_flight(
    runner: asyncio.Runner, look: Callable[[str], Any], count: int, paths: list[str]
) -> PreparedRun:
    return in_process(lambda: runner.run(in_flight(count, look, paths)), len(paths))


def from_threads(
    pool: ThreadPoolExecutor, look: Callable[[str], bool], count: int, paths: list[str]
) -> PreparedRun:
    def share(first: int) -> list[bool]:
        return [look(path) for path in paths[first::count]]

    def in_order(shares: list[list[bool]]) -> list[bool]:
        return [shares[place % count][place // count] for place in range(len(paths))]

    return in_process(lambda: list(pool.map(share, range(count))), len(paths), result=in_order)


def in_bytes(bare: BareSocket, count: int, paths: list[str]) -> PreparedRun:
    requests = [wire.stat(number, path) for number, path in enumerate(paths)]
    return in_process(lambda: bare.exchange(requests, count), len(paths), result=exist)


async def looks(client: AsyncNameNode, path: str) -> bool:
    return await client.get_file_info(path) is not None


def native_looks(client: Client, path: str) -> bool:
    try:
        client.get_file_info(path)
    except FileNotFoundError:
        return False
    return True


async def native_awaits(client: AsyncClient, path: str) -> bool:
    try:
        await client.get_file_info(path)
    except FileNotFoundError:
        return False
    return True


def by_another(other: WarmClient, paths: list[str]) -> PreparedRun:
    return other.work_on(
        "\n".join(paths).encode(), len(paths), lambda lines: [line == "yes" for line in lines]
    )


def listed_by_another(other: WarmClient, path: str) -> PreparedRun:
    return other.work_on(path.encode(), ENTRIES, lambda lines: lines)


def test_looking_at_paths_one_after_the_other(
    benchmark: BenchmarkFixture, minidfs: MiniDfs, tmp_path: Path
) -> None:
    other = Client(minidfs.url)
    with (
        NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)) as client,
        JavaClient(tmp_path, minidfs.port, "stat") as java,
        SnakebiteClient(tmp_path, minidfs.port, "stat") as snakebite,
    ):
        compare(
            benchmark,
            {
                "jvmwire": partial(one_by_one, lambda path: client.get_file_info(path) is not None),
                NATIVE: partial(one_by_one, partial(native_looks, other)),
                JAVA: partial(by_another, java),
                SNAKEBITE: partial(by_another, snakebite),
            },
            inputs=some_paths,
            check=are_told,
            unit="call",
            work="getFileInfo of a NameNode, one after the other",
            targets=[Target(NATIVE, times=1), Target(NATIVE, times=1, by="wall")],
        )


def test_looking_at_a_few_paths_at_once(
    benchmark: BenchmarkFixture,
    minidfs: MiniDfs,
    runner: asyncio.Runner,
    awaited: AsyncNameNode,
    tmp_path: Path,
) -> None:
    other = Client(minidfs.url)
    with (
        ThreadPoolExecutor(FEW) as pool,
        closing(BareSocket(minidfs.port)) as bare,
        JavaClient(tmp_path, minidfs.port, "stat", threads=FEW) as java,
        SnakebiteClient(tmp_path, minidfs.port, "stat", threads=FEW) as snakebite,
    ):
        compare(
            benchmark,
            {
                "jvmwire, 16 awaited": partial(
                    many_in_flight, runner, partial(looks, awaited), FEW
                ),
                f"{NATIVE}, 16 threads": partial(
                    from_threads, pool, partial(native_looks, other), FEW
                ),
                f"{JAVA}, 16 threads": partial(by_another, java),
                f"{SNAKEBITE}, 16 threads": partial(by_another, snakebite),
                f"{RAW}, 16 in flight": partial(in_bytes, bare, FEW),
            },
            inputs=some_paths,
            check=are_told,
            unit="call",
            work="getFileInfo of a NameNode, 16 in flight",
            targets=[
                Target(f"{NATIVE}, 16 threads", times=1),
                Target(f"{NATIVE}, 16 threads", times=1, by="wall"),
            ],
        )


def test_looking_at_many_paths_at_once(
    benchmark: BenchmarkFixture,
    minidfs: MiniDfs,
    runner: asyncio.Runner,
    awaited: AsyncNameNode,
    tmp_path: Path,
) -> None:
    other = AsyncClient(minidfs.url)
    with (
        NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)) as client,
        closing(BareSocket(minidfs.port)) as bare,
        JavaClient(tmp_path, minidfs.port, "stat", threads=IN_FLIGHT) as java,
        SnakebiteClient(tmp_path, minidfs.port, "stat", threads=IN_FLIGHT) as snakebite,
    ):

        def in_one_batch(paths: list[str]) -> PreparedRun:
            def result(found: Any) -> list[bool]:
                return [status is not None for status in found]

            return in_process(lambda: client.get_file_infos(paths), len(paths), result=result)

        compare(
            benchmark,
            {
                "jvmwire, one batch": in_one_batch,
                "jvmwire, 64 awaited": partial(
                    many_in_flight, runner, partial(looks, awaited), IN_FLIGHT
                ),
                f"{NATIVE}, 64 awaited": partial(
                    many_in_flight, runner, partial(native_awaits, other), IN_FLIGHT
                ),
                f"{JAVA}, 64 threads": partial(by_another, java),
                f"{SNAKEBITE}, 64 threads": partial(by_another, snakebite),
                RAW: partial(in_bytes, bare, CALLS),
            },
            inputs=some_paths,
            check=are_told,
            unit="call",
            work="getFileInfo of a NameNode, many in flight",
            targets=[
                Target(f"{NATIVE}, 64 awaited", times=1 / 0.5),
                Target(RAW, times=0.8, by="wall"),
            ],
        )


@pytest.fixture(scope="module")
def listed(minidfs: MiniDfs) -> str:
    """A directory of many entries."""
    endpoint, options = Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)
    with NameNode(endpoint, options) as client, ThreadPoolExecutor(IN_FLIGHT) as pool:
        deque(pool.map(client.mkdirs, (f"/listed/{n:05}" for n in range(ENTRIES))), 0)
    return "/listed"


@pytest.mark.parametrize(("form", "share"), [("Arrow", 0.4), ("objects", 1.0)])
def test_listing_a_directory(
    benchmark: BenchmarkFixture,
    minidfs: MiniDfs,
    listed: str,
    tmp_path: Path,
    form: str,
    share: float,
) -> None:
    other = Client(minidfs.url)
    endpoint, options = Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)

    def to_objects(listing: Callable[[str], Any], path: str) -> PreparedRun:
        return in_process(
            lambda: list(listing(path)),
            ENTRIES,
            result=lambda found: [status.path for status in found],
        )

    with (
        NameNode(endpoint, options) as client,
        JavaClient(tmp_path, minidfs.port, "list") as java,
        SnakebiteClient(tmp_path, minidfs.port, "list") as snakebite,
    ):

        def to_arrow(path: str) -> PreparedRun:
            def names(batch: Any) -> list[str]:
                found: list[str] = batch["path"].to_pylist()
                return found

            return in_process(
                lambda: pa.record_batch(client.list_directory(path)), ENTRIES, result=names
            )

        ours = to_arrow if form == "Arrow" else partial(to_objects, client.list_directory)
        compare(
            benchmark,
            {
                f"jvmwire, to {form}": ours,
                f"{NATIVE}, to objects": partial(to_objects, other.list_status),
                f"{JAVA}, to objects": partial(listed_by_another, java),
                f"{SNAKEBITE}, to dicts": partial(listed_by_another, snakebite),
            },
            inputs=lambda _: listed,
            check=lambda path, found: found == [f"{path}/{n:05}" for n in range(ENTRIES)],
            unit="entry",
            work=f"a directory of {ENTRIES:,} entries, listed to {form}",
            targets=[Target(f"{NATIVE}, to objects", times=1 / share)],
        )


@pytest.fixture(scope="module")
def tree(minidfs: MiniDfs) -> str:
    """Directories of a few files each."""
    endpoint, options = Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)
    with NameNode(endpoint, options) as client, ThreadPoolExecutor(IN_FLIGHT) as pool:
        deque(pool.map(client.create, below("/tree")[DIRECTORIES:]), 0)
    return "/tree"


def below(tree: str) -> list[str]:
    """Return all paths below, those of directories first."""
    directories = [f"{tree}/{n:03}" for n in range(DIRECTORIES)]
    return directories + [f"{path}/{n:02}" for path in directories for n in range(FILES_EACH)]


def test_listing_a_tree(benchmark: BenchmarkFixture, minidfs: MiniDfs, tree: str) -> None:
    other = Client(minidfs.url)
    entries = len(below(tree))

    def to_objects(listing: Callable[[str], Any], path: str) -> PreparedRun:
        return in_process(
            lambda: list(listing(path)),
            entries,
            result=lambda found: sorted(status.path for status in found),
        )

    with NameNode(Tcp("127.0.0.1", minidfs.port), HadoopOptions(user=SUPERUSER)) as client:
        listing = partial(client.list_recursively, concurrency=IN_FLIGHT)

        def to_arrow(path: str) -> PreparedRun:
            return in_process(
                lambda: pa.record_batch(listing(path)),
                entries,
                result=lambda batch: sorted(batch["path"].to_pylist()),
            )

        compare(
            benchmark,
            {
                "jvmwire, to Arrow": to_arrow,
                "jvmwire, to objects": partial(to_objects, listing),
                f"{NATIVE}, to objects": partial(
                    to_objects, partial(other.list_status, recursive=True)
                ),
            },
            inputs=lambda _: tree,
            check=lambda path, found: found == sorted(below(path)),
            unit="entry",
            work=f"a tree of {DIRECTORIES} directories of {FILES_EACH} files each, "
            f"listed {IN_FLIGHT} directories at a time",
            targets=[Target(f"{NATIVE}, to objects", times=1 / 0.5)],
        )
