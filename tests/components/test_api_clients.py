"""Connecting, state and `repr` of clients in both styles."""

import asyncio
from typing import Any

import pytest

from jvmwire.errors import ConfigError, ConnectFailed
from jvmwire.hadoop import AsyncNameNode, NameNode
from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient
from jvmwire.options import NEVER
from jvmwire.pravega import SegmentStore
from jvmwire.pravega.early import EarlyClient
from jvmwire.pravega.streams import StreamClient
from kit.fake_member import doubles
from kit.hadoop_scripted import scripted, status


def test_connect_of_an_async_client_is_awaited_or_a_context_manager():
    async def use(address: str) -> None:
        async with AsyncNameNode.connect(address, user="alice") as client:
            assert await client.get_file_info("/") is not None
        assert client.closed
        client = await AsyncNameNode.connect(address, user="alice")
        assert not client.closed
        await client.close()
        async with await AsyncNameNode.connect(address, user="alice") as client:
            assert repr(client) == f"<AsyncNameNode {address} user='alice' connected>"
        client = await asyncio.create_task(AsyncNameNode.connect(address))
        await client.close()
        [client] = await asyncio.gather(AsyncNameNode.connect(address))
        await client.close()

    with scripted(lambda *_: {"fs": status()}) as namenode:
        asyncio.run(use(f"127.0.0.1:{namenode.port}"))


def test_connect_of_an_async_hazelcast_client_is_a_context_manager():
    async def use(connecting: Any) -> None:
        async with connecting() as client:
            assert not client.closed
        assert client.closed

    with doubles() as [member]:
        asyncio.run(use(lambda: AsyncHazelcastClient.connect(f"127.0.0.1:{member.port}")))


def test_connect_that_fails_raises_where_it_is_awaited():
    async def use() -> None:
        with pytest.raises(ConnectFailed):
            async with AsyncNameNode.connect("127.0.0.1:1", retry=NEVER):
                pass
        with pytest.raises(ConfigError):
            await AsyncNameNode.connect("nn:http")

    asyncio.run(use())


def test_repr_shows_servers_user_and_state():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        address = f"127.0.0.1:{namenode.port}"
        client = NameNode(address, user="alice")
        assert repr(client) == f"<NameNode {address} user='alice' not connected>"
        assert not client.closed
        client.get_file_info("/")
        assert repr(client) == f"<NameNode {address} user='alice' connected>"
        assert "user='bob' by 'alice'" in repr(client.do_as("bob"))
        client.close()
        assert client.closed
        assert repr(client) == f"<NameNode {address} user='alice' closed>"


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (
            lambda: HazelcastClient("m1,m2:1", cluster_name="prod", password="secret"),  # noqa: S106
            "<HazelcastClient m1:5701,m2:1 cluster='prod' not connected>",
        ),
        (
            lambda: SegmentStore("store", delegation_token="secret"),  # noqa: S106
            "<SegmentStore store:12345 not connected>",
        ),
        (
            lambda: StreamClient("a,b", user="ann", password="secret"),  # noqa: S106
            "<StreamClient a:9090,b:9090 user='ann' not connected>",
        ),
        (lambda: EarlyClient("::1"), "<EarlyClient [::1]:12345 not connected>"),
    ],
)
def test_repr_shows_no_secret(make: Any, shown: str):
    with make() as client:
        assert repr(client) == shown
