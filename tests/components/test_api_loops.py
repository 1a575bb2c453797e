"""Event loops of asyncio clients: a client belongs to the loop of its first call."""

import asyncio
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from jvmwire.errors import ClientClosed, WrongLoop
from jvmwire.hadoop import AsyncNameNode
from jvmwire.hadoop.rpc import Interface, connect_async, method
from jvmwire.hazelcast import AsyncHazelcastClient
from jvmwire.pravega import AsyncSegmentStore
from jvmwire.pravega.early import AsyncEarlyClient
from jvmwire.pravega.streams import AsyncStreamClient
from kit.fake_member import doubles
from kit.hadoop_scripted import scripted, status

JOIN_TIMEOUT = 20.0
REFUSAL = (
    "this client belongs to the event loop of its first call, which is not the running one: "
    "create a client per event loop"
)


async def use_and_close(client: AsyncNameNode) -> None:
    """Make a call and close the client."""
    assert await client.get_file_info("/") is not None
    await client.close()


def test_client_made_outside_a_loop_binds_to_the_loop_of_its_first_call():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        client = AsyncNameNode(f"127.0.0.1:{namenode.port}")
        assert "not connected" in repr(client)
        asyncio.run(use_and_close(client))
        assert client.closed


@pytest.mark.parametrize(
    "make",
    [AsyncNameNode, AsyncHazelcastClient, AsyncSegmentStore, AsyncStreamClient, AsyncEarlyClient],
)
def test_every_async_client_is_made_and_closed_without_a_call(make: Callable[[str], Any]):
    client = make("127.0.0.1")
    asyncio.run(client.close())
    assert client.closed


def test_client_in_a_second_loop_is_refused_in_one_sentence():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        client = AsyncNameNode(f"127.0.0.1:{namenode.port}")

        async def call() -> None:
            await client.get_file_info("/")

        async def iterate() -> None:
            async for _ in client.get_listing("/"):
                pass

        with asyncio.Runner() as first:
            first.run(call())
            for use in (call, iterate, client.close):
                with pytest.raises(WrongLoop) as caught:
                    asyncio.run(use())
                assert str(caught.value) == REFUSAL
            first.run(call())
            first.run(client.close())
        with pytest.raises(WrongLoop):
            asyncio.run(call())


def test_client_of_a_running_loop_is_refused_in_the_loop_of_another_thread():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        refused: list[WrongLoop] = []

        async def call(client: AsyncNameNode) -> None:
            try:
                await client.get_file_info("/")
            except WrongLoop as error:
                refused.append(error)

        async def use() -> None:
            async with AsyncNameNode.connect(f"127.0.0.1:{namenode.port}") as client:
                thread = threading.Thread(target=lambda: asyncio.run(call(client)))
                thread.start()
                await asyncio.to_thread(thread.join, JOIN_TIMEOUT)
                await client.get_file_info("/")

        asyncio.run(use())
        assert [str(error) for error in refused] == [REFUSAL]


def test_loop_that_moves_to_another_thread_keeps_its_client():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        client = AsyncNameNode(f"127.0.0.1:{namenode.port}")
        loop = asyncio.new_event_loop()

        async def call() -> None:
            assert await client.get_file_info("/") is not None

        loop.run_until_complete(call())
        thread = threading.Thread(target=lambda: loop.run_until_complete(call()))
        thread.start()
        thread.join(JOIN_TIMEOUT)
        loop.run_until_complete(use_and_close(client))
        loop.close()


def test_client_that_was_never_used_warns_when_it_is_forgotten():
    client = AsyncNameNode("nn")
    with pytest.warns(ResourceWarning, match="AsyncNameNode: the client was not closed"):
        del client


def test_locks_know_their_task_in_a_client_made_outside_a_loop():
    with doubles() as [member]:
        client = AsyncHazelcastClient(f"127.0.0.1:{member.port}")
        capitals = client.get_map("capitals")

        async def use() -> None:
            await capitals.put("France", "Paris")
            assert await capitals.get("France") == "Paris"
            await client.close()
            with pytest.raises(ClientClosed):
                await capitals.get("France")

        asyncio.run(use())


class Ping(Interface, protocol="ping", version=1):
    """An interface."""

    @method(idempotent=True)
    def ping(self, message: str) -> str:
        """Return the message."""
        raise NotImplementedError


def test_proxies_are_made_outside_a_loop():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        connecting = connect_async(Ping, "h:1")
        connecting.close()
