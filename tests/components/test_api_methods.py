"""Methods of clients as `help`, `inspect` and editors see them, in both styles."""

import asyncio
import inspect
import pydoc
from typing import Any

import pytest

from jvmwire._runtime.client import AsyncCaller, AsyncClient, SyncCaller, SyncClient
from jvmwire.hadoop import AsyncNameNode, NameNode, rpc
from jvmwire.hadoop.namenode._paths import StrPath
from jvmwire.hadoop.rpc._proxy import _client_for
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient
from jvmwire.hazelcast._proxies.map.map import AsyncMap, Map
from jvmwire.pravega import AsyncSegmentStore, SegmentStore
from jvmwire.pravega.early import AsyncEarlyClient, EarlyClient
from jvmwire.pravega.streams import AsyncStreamClient, StreamClient

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
        else:
            assert returned == written.removeprefix("Operation[").removesuffix("]")


def test_a_signature_reads_as_written():
    assert str(inspect.signature(NameNode.get_file_info)) == (
        "(self, path: 'StrPath') -> 'FileStatus | None'"
    )
    with NameNode("nn") as client:
        assert list(inspect.signature(client.get_listing).parameters) == ["path", "need_location"]
        assert str(inspect.signature(client.get_listing)).endswith("-> 'Iterator[FileStatus]'")


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
