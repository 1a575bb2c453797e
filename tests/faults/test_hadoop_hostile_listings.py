"""Listings of a hostile NameNode: no name leads out of its directory, and every walk ends."""

import asyncio
import itertools
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.errors import JvmWireError
from jvmwire.hadoop import AsyncNameNode, HadoopError, HadoopOptions, NameNode
from jvmwire.hadoop.errors import InvalidListing
from jvmwire.hadoop.namenode import _listing
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from jvmwire.hadoop.namenode._traversal import MAX_DEPTH
from jvmwire.transports import Tcp
from kit.command import jvmwire
from kit.hadoop_listings import DIRECTORY, FILE, Entry, Lists, namenode

WRONG = ["..", ".", "/abs", "a/b", "../../etc/passwd", "a\0b", "\0", "", "x/.."]
OPTIONS = HadoopOptions(user="alice")

Ask = Callable[[NameNode], Any]
ASKS: dict[str, Ask] = {
    "list_directory": lambda client: list(client.list_directory("/top")),
    "get_listing": lambda client: list(client.get_listing("/top")),
    "list_recursively": lambda client: list(client.list_recursively("/top")),
    "walk": lambda client: list(client.walk("/top")),
    "find": lambda client: list(client.find("/top")),
    "du": lambda client: client.du("/top"),
    "glob": lambda client: client.glob("/top/*"),
    "arrow": lambda client: pa.record_batch(client.list_directory("/top")),
}


def one_page(*entries: Entry) -> Lists:
    return lambda _path, _after: (list(entries), 0)


def chain(levels: int) -> Lists:
    """Nest so many directories in each other."""

    def lists(path: str, _: bytes) -> tuple[list[Entry], int]:
        return ([("d", DIRECTORY)] if path.count("d") < levels else [("f", FILE)]), 0

    return lists


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("kind", [DIRECTORY, FILE])
def test_a_name_that_leads_elsewhere_is_an_error_that_names_directory_and_entry(
    ask: str, name: str, kind: str
) -> None:
    lists = one_page(("good", FILE), (name, kind), ("z", FILE))
    with namenode(lists) as port, NameNode(Tcp("127.0.0.1", port), OPTIONS) as client:
        with pytest.raises(InvalidListing) as raised:
            ASKS[ask](client)
        assert str(raised.value).startswith(f"/top: the server lists an entry {name!r},")


@pytest.mark.parametrize("name", WRONG)
def test_so_it_is_where_calls_are_awaited(name: str) -> None:
    async def ask(port: int) -> None:
        async with AsyncNameNode(Tcp("127.0.0.1", port), OPTIONS) as client:
            with pytest.raises(InvalidListing):
                await client.list_recursively("/top")
            with pytest.raises(InvalidListing):
                _ = [found async for found in client.find("/top")]

    with namenode(one_page(("good", FILE), (name, DIRECTORY))) as port:
        asyncio.run(ask(port))


def test_a_name_in_a_status_is_not_joined_to_the_path_that_was_asked_for() -> None:
    # `HdfsFileStatusProto.path` is the name in a directory, even for a requested path.
    from jvmwire.hadoop.namenode._status import FileStatus
    from kit.hadoop_listings import status

    for name in filter(None, WRONG):
        with pytest.raises(JvmWireError, match="name at offset"):
            FileStatus.from_fields("/top", status(name, FILE))


def test_a_walk_goes_on_with_other_directories_where_errors_are_told() -> None:
    pages: dict[str, list[Entry]] = {
        "/top": [("bad", DIRECTORY), ("good", DIRECTORY)],
        "/top/bad": [("..", DIRECTORY)],
        "/top/good": [("file", FILE)],
    }
    told: list[str] = []

    def on_error(path: str, _: HadoopError) -> None:
        told.append(path)

    with (
        namenode(lambda path, _: (pages[path], 0)) as port,
        NameNode(Tcp("127.0.0.1", port), OPTIONS) as client,
    ):
        found = [entry.path for entry in client.list_recursively("/top", on_error=on_error)]
        assert found == ["/top/bad", "/top/good", "/top/good/file"]
        walked = [content.path for content in client.walk("/top", on_error=on_error)]
        assert walked == ["/top", "/top/bad", "/top/good"]
        assert told == ["/top/bad"] * 2
        done = jvmwire("hadoop", "ls", "-R", "/top", "--server", f"127.0.0.1:{port}", status=1)
        assert b"/top/good/file" in done.stdout
        assert done.stderr.count("/top/bad: ") == 1


def test_a_listing_of_a_file_has_an_entry_without_a_name() -> None:
    lists = one_page(("", FILE))
    with namenode(lists) as port, NameNode(Tcp("127.0.0.1", port), OPTIONS) as client:
        assert [entry.path for entry in client.list_directory("/top")] == ["/top"]


@pytest.mark.parametrize("ask", ["list_recursively", "walk", "find"])
def test_a_tree_of_as_many_levels_as_hdfs_allows_is_walked(ask: str) -> None:
    with namenode(chain(1000)) as port, NameNode(Tcp("127.0.0.1", port), OPTIONS) as client:
        assert len(ASKS[ask](client)) >= 1000


ENDLESS: dict[str, Lists] = {
    "a directory that contains itself": one_page(("d", DIRECTORY)),
    "two of them": one_page(("a", DIRECTORY), ("b", DIRECTORY)),
    "long names": one_page(*((c * 200, DIRECTORY) for c in "abc")),
}


@pytest.mark.parametrize("ask", ["list_recursively", "walk", "find"])
@pytest.mark.parametrize("lists", ENDLESS)
def test_a_tree_without_an_end_is_one_error(ask: str, lists: str) -> None:
    with namenode(ENDLESS[lists]) as port, NameNode(Tcp("127.0.0.1", port), OPTIONS) as client:
        with pytest.raises(InvalidListing, match="does the directory contain itself"):
            ASKS[ask](client)
        # With or without a report: a walk that goes on after errors would never end.
        with pytest.raises(InvalidListing):
            client.list_recursively("/top", on_error=lambda _path, _error: None)


@pytest.mark.parametrize("ask", ASKS)
def test_pages_without_an_end_are_one_error(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_listing, "MAX_ENTRIES", 10_000)
    count = itertools.count(1_000_000)

    def lists(_path: str, _after: bytes) -> tuple[list[Entry], int]:
        return [(f"f{next(count)}", FILE) for _ in range(500)], 7

    with (
        namenode(lists) as port,
        NameNode(Tcp("127.0.0.1", port), OPTIONS) as client,
        pytest.raises(InvalidListing, match="does not end after 10,500 entries"),
    ):
        ASKS[ask](client)


@pytest.mark.parametrize(
    "page", [[("x", FILE)], [], [("b", FILE), ("a", FILE)]], ids=["same", "empty", "backwards"]
)
@pytest.mark.parametrize("ask", ASKS)
def test_a_page_that_does_not_go_on_is_one_error(ask: str, page: list[Entry]) -> None:
    def lists(_path: str, after: bytes) -> tuple[list[Entry], int]:
        return (page if after or len(page) < 2 else [("m", FILE)]), 1

    with (
        namenode(lists) as port,
        NameNode(Tcp("127.0.0.1", port), OPTIONS) as client,
        pytest.raises(JvmWireError, match="does not go on after"),
    ):
        ASKS[ask](client)


def files_of(port: int) -> HdfsMetadata:
    return HdfsMetadata(host="127.0.0.1", port=port, user="alice", skip_instance_cache=True)


def test_the_file_system_of_fsspec_walks_deep_trees_and_ends_on_endless_ones() -> None:
    with namenode(chain(1000)) as port:
        files = files_of(port)
        with closing(files._client):
            assert sum(1 for _ in files.walk("/top")) == 1001
            upwards = [path for path, _, _ in files.walk("/top", topdown=False)]
            assert upwards[-1] == "/top"
            assert len(files.find("/top", maxdepth=1500)) == 1
            assert len(list(files.walk("/top", maxdepth=3))) == 3
    with namenode(one_page(("d", DIRECTORY), ("e", DIRECTORY))) as port:
        files = files_of(port)
        with closing(files._client):
            for ask in (
                lambda: list(files.walk("/top")),
                lambda: files.find("/top", maxdepth=10 * MAX_DEPTH),
                lambda: files.find("/top"),
                lambda: files.glob("/top/**"),
            ):
                with pytest.raises(InvalidListing):
                    ask()


def test_the_commands_end_and_say_why() -> None:
    with namenode(one_page(("d", DIRECTORY))) as port:
        for verb in (["find"], ["tree"], ["ls", "-R"]):
            done = jvmwire("hadoop", *verb, "/top", "--server", f"127.0.0.1:{port}", status=1)
            [said] = done.stderr.splitlines()
            assert "does the directory contain itself?" in said
    with namenode(chain(1000)) as port:
        done = jvmwire("hadoop", "tree", "/top", "--server", f"127.0.0.1:{port}")
        assert len(done.stdout.splitlines()) == 1002


def test_no_escape_sequence_of_a_server_reaches_the_terminal() -> None:
    evil = "\x1b]0;owned\x07\u202e\u2028\x9b31m\nfake"
    with namenode(one_page((evil, FILE))) as port:
        for verb in (["find"], ["tree"], ["ls"], ["ls", "--json"], ["find", "--json"]):
            done = jvmwire("hadoop", *verb, "/top", "--server", f"127.0.0.1:{port}")
            for letter in "\x1b\x07\u202e\u2028\x9b":
                assert letter.encode() not in done.stdout
            assert b"\nfake" not in done.stdout
