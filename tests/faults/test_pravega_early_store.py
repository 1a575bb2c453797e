"""The first protocol's server with a file: acknowledged data survives any end of the server."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import UUID

import pytest

from jvmwire.errors import ConfigError, JvmWireError, LocalProtocolError
from jvmwire.options import RetryPolicy
from jvmwire.pravega.early import (
    AsyncEarlyClient,
    EarlyClient,
    EarlyOptions,
    EarlyServer,
    FileStore,
    MemoryStore,
    Store,
)
from jvmwire.transports import Tcp
from kit.jvm import free_port
from kit.pravega_early_transcript import EARLY, block, message
from kit.scale import seeded, times

ONE, OTHER = UUID(int=1), UUID(int=2)
DEADLINE = 60.0
STUBBORN = RetryPolicy(attempts=1000, first_wait=0.01, longest_wait=0.2)
SERVER = """
import asyncio, sys
from pathlib import Path
from jvmwire.pravega.early import EarlyServer, FileStore

async def serve():
    server = EarlyServer(store=FileStore(Path(sys.argv[1])))
    print(await server.start(port=int(sys.argv[2])), flush=True)
    await asyncio.Event().wait()

asyncio.run(serve())
"""


@pytest.fixture(params=[MemoryStore, FileStore], ids=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store: Store = (
        MemoryStore() if request.param is MemoryStore else FileStore(tmp_path / "segments")
    )
    yield store
    store.close()


def test_a_store_keeps_bytes_by_segment_and_levels_by_connection(store):
    data = seeded(1).randbytes(3_000_000)
    with store.transaction():
        assert [store.acked_bytes(segment, ONE) for segment in ("s", "\ud800")] == [0, 0]
        assert store.append("s", ONE, 0, data) == len(data)
        assert store.append("s", OTHER, 0, b"behind") == 6
        assert store.append("\ud800", ONE, 0, b"elsewhere") == 9
    assert (store.length("s"), store.length("\ud800"), store.length("t")) == (3_000_006, 9, None)
    whole = data + b"behind"
    at = 0
    while at < len(whole):
        piece = store.read("s", at, len(whole))
        assert 0 < len(piece) <= 1 << 20
        assert whole.startswith(piece, at)
        at += len(piece)
    assert store.read("s", 1_048_570, 1_048_580) == data[1_048_570:1_048_580]
    assert store.read("s", 2_999_998, 3_000_003) == whole[2_999_998:3_000_003]
    assert store.read("s", 5, 5) == b""
    with store.transaction(), pytest.raises(LocalProtocolError, match="where 6 are stored"):
        store.append("s", OTHER, 5, b"h")
    with store.transaction():
        store.seal("s")
    assert (store.is_sealed("s"), store.is_sealed("\ud800")) == (True, False)
    with store.transaction(), pytest.raises(LocalProtocolError, match="sealed"):
        store.append("s", OTHER, 6, b"more")


def test_what_was_not_kept_is_not_there(tmp_path):
    file = tmp_path / "segments"
    store = FileStore(file)
    with store.transaction():
        store.append("s", ONE, 0, b"kept")
    with suppress(KeyError), store.transaction():
        store.append("s", ONE, 4, b" and not")
        raise KeyError
    assert (store.length("s"), store.acked_bytes("s", ONE)) == (4, 4)
    with pytest.raises(ConfigError, match="locked"):
        FileStore(file)
    store.close()
    with pytest.raises(JvmWireError):
        store.transaction().__enter__()
    again = FileStore(file)
    assert again.read("s", 0, 100) == b"kept"
    again.close()
    (tmp_path / "other").write_bytes(bytes(range(256)) * 100)
    with pytest.raises(ConfigError, match="cannot be used"):
        FileStore(tmp_path / "other")


def stranger(kind: str, path: Path) -> None:
    """Make a file that is not a store."""
    if kind == "text":
        path.write_bytes(bytes(range(256)) * 100)
    elif kind == "short":
        path.write_bytes(b"SQLite format 3")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "version":
        FileStore(path).close()
        with closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA user_version = 2")
    else:
        with closing(sqlite3.connect(path)) as file:
            if kind == "wal":
                file.execute("PRAGMA journal_mode = WAL")
            file.executescript("CREATE TABLE bookmarks (url); CREATE TABLE levels (height)")
            file.execute("INSERT INTO bookmarks VALUES ('https://example')")
            file.commit()


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


@pytest.mark.parametrize("kind", ["text", "short", "database", "wal", "version", "fifo", "folder"])
def test_a_file_that_is_not_a_store_is_refused_and_stays_as_it_is(tmp_path, kind):
    path = tmp_path / "x\x1b[31m.db"
    stranger(kind, path)
    before = contents(tmp_path)
    with pytest.raises(ConfigError, match=r"x\\x1b\[31m.db cannot be used as a store: ") as refused:
        FileStore(path)
    assert contents(tmp_path) == before
    assert "\x1b" not in str(refused.value)


def test_an_empty_file_becomes_a_store_and_keeps_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real").touch()
    (tmp_path / "link").symlink_to("real")
    for name in ("link", ":memory:", "file:x?mode=memory"):
        for times_opened in (1, 2):
            store = FileStore(Path(name))
            with store.transaction():
                store.append("s", ONE, store.acked_bytes("s", ONE), b"kept ")
            assert store.length("s") == 5 * times_opened
            store.close()
    assert (tmp_path / "link").is_symlink()


def test_a_new_store_takes_no_changes_of_a_removed_one(tmp_path):
    file = tmp_path / "segments"
    with serving(file, free_port()) as process:
        process.send_signal(signal.SIGKILL)
    assert (tmp_path / "segments-wal").exists()
    file.unlink()
    before = contents(tmp_path)
    with pytest.raises(ConfigError, match="there is a file segments-wal that belongs to another"):
        FileStore(file)
    assert contents(tmp_path) == before


@contextmanager
def serving(file: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """Run a server in a separate process, which is killed in the end."""
    command = [sys.executable, "-c", SERVER, str(file), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{port}\n"
            yield process
        finally:
            process.kill()


def test_a_server_that_is_killed_again_and_again_has_each_byte_once(tmp_path):
    file, port, random = tmp_path / "segments", free_port(), seeded(3)
    blocks = [random.randbytes(random.choice([1, 100, 5000])) for _ in range(times(400))]
    stored = [0]

    def write(port: int) -> None:
        options = EarlyOptions(retry=STUBBORN, timeout=DEADLINE)
        with EarlyClient(Tcp("127.0.0.1", port), options) as client:
            appender = client.appender("s")
            for block in blocks:
                appender.append([block])
                stored[0] += 1

    with ThreadPoolExecutor(1) as pool:
        with serving(file, port):
            writing = pool.submit(write, port)
            await_count(stored, len(blocks) // 8)
        for part in range(2, 7):
            with serving(file, port) as process:
                await_count(stored, len(blocks) * part // 8)
                process.send_signal(signal.SIGKILL)
        with serving(file, port):
            writing.result(DEADLINE)
    kept = FileStore(file)
    assert b"".join(pieces_of(kept, "s")) == b"".join(blocks)
    kept.close()


def await_count(stored: list[int], count: int) -> None:
    """Wait until so many blocks are acknowledged."""

    async def wait() -> None:
        async with asyncio.timeout(DEADLINE):
            while stored[0] < count:
                await asyncio.sleep(0.001)

    asyncio.run(wait())


def pieces_of(store: Store, segment: str) -> Iterator[bytes]:
    at, end = 0, store.length(segment) or 0
    while at < end:
        piece = store.read(segment, at, end)
        yield piece
        at += len(piece)


async def converse(store: Store) -> bytes:
    async with EarlyServer(store=store) as server:
        port = await server.start()
        async with AsyncEarlyClient(Tcp("127.0.0.1", port)) as client:
            appender = client.appender("s")
            await appender.append([b"one ", b"and two"])
            return b"".join([piece async for piece in client.read_bytes("s")])


def test_a_server_serves_from_a_file_and_closes_it(tmp_path):
    file = tmp_path / "segments"
    assert asyncio.run(converse(FileStore(file))) == b"one and two"
    assert asyncio.run(converse(FileStore(file))) == b"one and twoone and two"


class FullStore(MemoryStore):
    """Store that keeps nothing more once it is full, and fails at the end of a transaction."""

    is_full = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        before = self.length("s")
        yield
        if self.is_full and self.length("s") != before:
            raise JvmWireError("the disk is full")


async def ask_of_a_full_store() -> list[int]:
    """Have a slow reader append after a large read; return the appends acknowledged to it."""
    size, store = 1 << 21, FullStore()
    async with EarlyServer(store=store) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", await server.start())
        writer.write(message("SetupAppend", connection_id=ONE, segment="s"))
        writer.write(block(0, bytes(size)))
        while store.length("s") != size:
            await asyncio.sleep(0.01)
        store.is_full = True
        # Little at a time, so that some data is still unsent when the server goes on.
        [connection] = server.connections
        sock = connection.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        asked = {"segment": "s", "offset": 0, "suggested_length": size}
        writer.write(message("ReadSegment", **asked) + block(size, b"lost"))
        await asyncio.sleep(0.2)  # until it waits for this client
        decoder = EARLY.decoder()
        decoder.feed(await reader.read())
        writer.close()
    told = iter(decoder.next_command, None)
    return [each["connection_offset_ack_level"] for _, name, each in told if name == "DataAppended"]


def test_what_a_full_store_does_not_keep_is_acknowledged_to_nobody_however_slow():
    assert asyncio.run(ask_of_a_full_store()) == [1 << 21]
