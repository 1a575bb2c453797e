"""Methods of clients as `help`, `inspect` and editors see them, in both styles."""

import asyncio
import inspect
import pydoc
from typing import Any, assert_type

import pytest

from jvmwire._runtime.client import AsyncCaller, AsyncClient, SyncCaller, SyncClient
from jvmwire.errors import StateError
from jvmwire.hadoop import AsyncNameNode, NameNode, rpc
from jvmwire.hadoop.namenode._paths import StrPath
from jvmwire.hadoop.rpc._proxy import _client_for
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient
from jvmwire.hazelcast._members import Member
from jvmwire.hazelcast._proxies.executor import AsyncExecutor, AsyncSubmittedTask
from jvmwire.hazelcast._proxies.map.map import AsyncMap, Map
from jvmwire.hazelcast.cp._lock import AsyncFencedLock, FencedLock
from jvmwire.hazelcast.near_cache import NearCacheConfig
from jvmwire.hazelcast.near_cache._map import AsyncNearCachedMap, NearCachedMap
from jvmwire.pravega import Appender, AsyncAppender, AsyncSegmentStore, SegmentStore
from jvmwire.pravega.early import AsyncEarlyClient, EarlyClient
from jvmwire.pravega.streams import (
    AsyncKeyValueTable,
    AsyncStreamClient,
    ByteReader,
    KeyValueTable,
    StreamClient,
)

PLAIN = pydoc.plaintext  # type: ignore[attr-defined] # the stubs lack it
BLOCKING = [NameNode, HazelcastClient, Map, SegmentStore, StreamClient, EarlyClient]
AWAITED = [
    AsyncNameNode,
    AsyncHazelcastClient,
    AsyncMap,
    AsyncSegmentStore,
    AsyncStreamClient,
    AsyncEarlyClient,
]
CLIENTS = [*BLOCKING, *AWAITED]


def operations(kind: type) -> list[tuple[str, Any, str]]:
    """Return the operations of a class: name, method and the return annotation of its body."""
    found = []
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if hasattr(method, "body"):
            found.append((name, method, str(method.body.__annotations__["return"])))
    assert found
    return found


@pytest.mark.parametrize("kind", BLOCKING)
def test_blocking_methods_show_what_they_take_and_return(kind: type):
    assert issubclass(kind, SyncCaller)
    for name, method, written in operations(kind):
        assert not inspect.iscoroutinefunction(method), name
        assert not inspect.isgeneratorfunction(inspect.unwrap(method)), name
        signature = inspect.signature(method)
        assert list(signature.parameters) == list(inspect.signature(method.body).parameters)
        expected = written.replace("OperationStream[", "Iterator[")
        if written.startswith("Operation["):
            expected = written.removeprefix("Operation[").removesuffix("]")
        if expected.startswith("Either["):
            expected = expected.removeprefix("Either[").partition(",")[0]
        assert signature.return_annotation == method.__annotations__["return"] == expected
        assert method.__doc__ == method.body.__doc__


@pytest.mark.parametrize("kind", AWAITED)
def test_awaited_methods_are_coroutine_functions(kind: type):
    assert issubclass(kind, AsyncCaller)
    for name, method, written in operations(kind):
        is_stream = written.startswith("OperationStream[")
        assert inspect.iscoroutinefunction(method) != is_stream, name
        assert not inspect.isgeneratorfunction(inspect.unwrap(method)), name
        returned = inspect.signature(method).return_annotation
        if is_stream:
            assert returned == written.replace("OperationStream[", "AsyncIterator[")
        elif written.startswith("Operation[Either["):
            assert returned == written.removesuffix("]]").rpartition(", ")[2]
        else:
            assert returned == written.removeprefix("Operation[").removesuffix("]")


def test_a_signature_reads_as_written():
    assert str(inspect.signature(NameNode.get_file_info)) == (
        "(self, path: 'StrPath') -> 'FileStatus | None'"
    )
    with NameNode("nn") as client:
        assert list(inspect.signature(client.get_listing).parameters) == ["path", "need_location"]
        assert str(inspect.signature(client.get_listing)).endswith("-> 'Iterator[FileStatus]'")


def test_a_factory_shows_and_makes_objects_of_the_style_of_its_client():
    assert str(inspect.signature(StreamClient.byte_reader)) == "(self, name: 'str') -> 'ByteReader'"
    awaited = inspect.signature(AsyncStreamClient.byte_reader)
    assert str(awaited) == "(self, name: 'str') -> 'AsyncByteReader'"
    assert not inspect.iscoroutinefunction(AsyncStreamClient.byte_reader)
    assert AsyncStreamClient.byte_reader.__doc__ == StreamClient.byte_reader.__doc__
    assert str(StreamClient.byte_reader.__doc__).startswith("Create a reader of the bytes")
    with StreamClient("controller") as client, SegmentStore("store") as store:
        reader = assert_type(client.byte_reader("scope/stream"), ByteReader)
        assert type(reader) is ByteReader
        appender = assert_type(store.appender("segment", max_events=2), Appender)
        assert type(appender) is Appender


def test_structures_are_of_the_style_of_their_client():
    near = {"near*": NearCacheConfig()}
    with HazelcastClient("member", near_caches=near) as client:
        found = assert_type(client.get_map("near"), Map)
        assert type(found) is NearCachedMap
        assert type(assert_type(client.cp.get_lock("lock"), FencedLock)) is FencedLock
        with pytest.raises(StateError):
            client.transaction().get_map("map").put("key", "value")

    async def use() -> None:
        async with AsyncHazelcastClient("member", near_caches=near) as awaited:
            found = assert_type(awaited.get_map("near"), AsyncMap)
            assert type(found) is AsyncNearCachedMap
            lock = assert_type(awaited.cp.get_lock("lock"), AsyncFencedLock)
            assert type(lock) is AsyncFencedLock
            with pytest.raises(StateError):
                await awaited.transaction().get_map("map").put("key", "value")

    asyncio.run(use())


def test_a_factory_of_an_asyncio_client_needs_no_await():
    async def use() -> None:
        async with AsyncSegmentStore("store") as store:
            appender = assert_type(store.appender("segment"), AsyncAppender)
            assert type(appender) is AsyncAppender

    asyncio.run(use())


def test_the_types_of_operations_that_make_objects_are_those_of_the_style():
    def sync(client: StreamClient) -> None:
        assert_type(client.key_value_table("scope/table"), KeyValueTable)

    async def awaited(client: AsyncStreamClient, executor: AsyncExecutor) -> None:
        assert_type(await client.key_value_table("scope/table"), AsyncKeyValueTable)
        submitted = await executor.submit_to_members(object())
        assert_type(submitted, dict[Member, AsyncSubmittedTask])

    del sync, awaited  # mypy checks them
    signature = inspect.signature(AsyncExecutor.submit_to_members)
    assert signature.return_annotation == "dict[Member, AsyncSubmittedTask]"
    signature = inspect.signature(StreamClient.key_value_table)
    assert signature.return_annotation == "KeyValueTable"
    assert inspect.iscoroutinefunction(AsyncStreamClient.key_value_table)
    signature = inspect.signature(AsyncStreamClient.key_value_table)
    assert signature.return_annotation == "AsyncKeyValueTable"


@pytest.mark.parametrize("kind", [each for each in CLIENTS if hasattr(each, "connect")])
def test_connect_is_a_class_method_that_takes_what_the_class_takes(kind: Any):
    signature = inspect.signature(kind.connect)
    taken = [name for name in inspect.signature(kind).parameters if name != "protocol"]
    assert list(signature.parameters) == taken
    assert signature.return_annotation == ("Self" if kind in BLOCKING else "Connecting[Self]")
    assert kind.connect.__self__ is kind
    assert kind.connect.__name__ == "connect"
    for section in ("Args:", "Returns:"):
        assert section in kind.connect.__doc__


def test_the_type_of_connect_is_that_of_the_class():
    def sync() -> None:
        assert_type(SegmentStore.connect("store"), SegmentStore)
        SegmentStore.connect("store", timeout="x")  # type: ignore[arg-type]

    async def awaited() -> None:
        assert_type(await AsyncSegmentStore.connect("store"), AsyncSegmentStore)
        async with AsyncSegmentStore.connect("store") as store:
            assert_type(store, AsyncSegmentStore)

    del sync, awaited  # mypy checks them


def test_help_shows_a_method_and_no_generator():
    blocking = pydoc.render_doc(NameNode.get_file_info, renderer=PLAIN)
    awaited = pydoc.render_doc(AsyncNameNode.get_file_info, renderer=PLAIN)
    assert "get_file_info(self, path: 'StrPath') -> 'FileStatus | None'" in blocking
    assert "async get_file_info(self, path: 'StrPath') -> 'FileStatus | None'" in awaited
    for text in (blocking, awaited):
        assert "Operation" not in text
        assert "ClientProtocol.getFileInfo" in text


def test_a_method_of_a_subclass_replaces_the_operation():
    class Own(NameNode):
        """A client with a method of its own."""

        def get_file_info(self, path: StrPath) -> None:
            """Return nothing."""
            del path

    with Own("nn") as client:
        client.get_file_info("/a")


class Ping(rpc.Interface, protocol="ping", version=1):
    """An interface."""

    @rpc.method(idempotent=True)
    def ping(self, message: str, other: str = "") -> str:
        """Return the message."""
        raise NotImplementedError


def check_ping(method: Any, *, awaited: bool) -> None:
    """Check what is shown of a method of `Ping`."""
    assert list(inspect.signature(method).parameters) == ["self", "message", "other"]
    assert inspect.signature(method).return_annotation == "str"
    assert method.__doc__ == "Return the message."
    assert inspect.iscoroutinefunction(method) == awaited


def test_methods_of_proxies_show_those_of_the_interface():
    async def use() -> None:
        async with _client_for(Ping, AsyncClient, "h:1", None, {}) as client:
            check_ping(type(client).ping, awaited=True)

    asyncio.run(use())
    with _client_for(Ping, SyncClient, "h:1", None, {}) as client:
        check_ping(type(client).ping, awaited=False)
