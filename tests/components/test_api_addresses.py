"""Addresses of servers as text, URLs, endpoint objects and lists, for every client."""

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from jvmwire.errors import ConfigError, ConnectFailed, JvmWireError
from jvmwire.hadoop import AsyncNameNode, HadoopClient, HadoopOptions, NameNode, rpc
from jvmwire.hadoop._client import NAMENODE, SERVICE
from jvmwire.hazelcast import Address, AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._addresses import MEMBER, seeds_of
from jvmwire.options import NEVER
from jvmwire.pravega import AsyncSegmentStore, SegmentStore
from jvmwire.pravega._addresses import STORE
from jvmwire.pravega.early import AsyncEarlyClient, EarlyClient, EarlyOptions
from jvmwire.pravega.streams import AsyncStreamClient, Controllers, StreamClient, StreamOptions
from jvmwire.transports import Tap, Tcp, Tls
from jvmwire.transports._addresses import AddressFormat
from kit.fake_member import doubles
from kit.hadoop_scripted import scripted, status
from kit.pravega_early_server import serving as serving_early


def in_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test in an event loop."""

    def run() -> None:
        asyncio.run(test())

    run.__name__ = test.__name__
    return run


class Ping(rpc.Interface, protocol="ping", version=1):
    """An interface."""

    @rpc.method(idempotent=True)
    def ping(self, message: str) -> str:
        """Return the message."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        (NAMENODE, "host", [Tcp("host", 8020)]),
        (NAMENODE, "host:9000", [Tcp("host", 9000)]),
        (NAMENODE, "127.0.0.1:8020", [Tcp("127.0.0.1", 8020)]),
        (NAMENODE, "[::1]:8021", [Tcp("::1", 8021)]),
        (NAMENODE, "::1", [Tcp("::1", 8020)]),
        (NAMENODE, "hdfs://nn", [Tcp("nn", 8020)]),
        (NAMENODE, "HDFS://nn:1/a/path", [Tcp("nn", 1)]),
        (NAMENODE, "hdfs://a,b:9", [Tcp("a", 8020), Tcp("b", 9)]),
        (NAMENODE, ["a:1", Tcp("b", 2), "hdfs://c"][:2], [Tcp("a", 1), Tcp("b", 2)]),
        (NAMENODE, iter(["a:1"]), [Tcp("a", 1)]),
        (NAMENODE, Tcp("a", 1), [Tcp("a", 1)]),
        (SERVICE, "h:9000", [Tcp("h", 9000)]),
        (SERVICE, "tls://h:9000", [Tcp("h", 9000, tls=Tls())]),
        (MEMBER, "localhost", [Tcp("localhost", 5701)]),
        (MEMBER, "hazelcast://m1:5702,m2", [Tcp("m1", 5702), Tcp("m2", 5701)]),
        (MEMBER, "hazelcast+tls://m1", [Tcp("m1", 5701, tls=Tls())]),
        (STORE, "store", [Tcp("store", 12345)]),
        (STORE, "pravega+tls://store:1", [Tcp("store", 1, tls=Tls())]),
    ],
)
def test_addresses_are_text_endpoints_or_lists(form: AddressFormat, text, expected):
    assert list(form.parse(text).endpoints) == expected


@pytest.mark.parametrize(
    ("form", "text", "said"),
    [
        (NAMENODE, "", 'a host is missing: expected "host:8020"'),
        (NAMENODE, [], "no NameNode given: expected at least one address"),
        (NAMENODE, "a,,b", "a host is missing"),
        (NAMENODE, "nn:http", "'nn:http' is not host:port"),
        (NAMENODE, "nn:0", "'nn:0' is not host:port: 0 is not a valid port"),
        (NAMENODE, "nn:99999", "99999 is not a valid port"),
        (NAMENODE, "http://nn", "the scheme must be one of tcp://, tls://, hdfs://, got 'http'"),
        (NAMENODE, "nn/path", "and no path"),
        (NAMENODE, ["hdfs://a", "b"], "the same scheme"),
        (NAMENODE, ["hdfs://x@a", "hdfs://y@b"], "the same user"),
        (SERVICE, "host", "'host' is not host:port; expected the address of a Hadoop service"),
        (MEMBER, "hdfs://nn", "tcp://, tls://, hazelcast://, hazelcast+tls://"),
        (MEMBER, "hazelcast://dev@m1", "must not contain a user: pass it as an option"),
        (STORE, "pravega://store/scope", "no path"),
    ],
)
def test_an_address_that_is_none_is_refused_in_one_sentence(form: AddressFormat, text, said):
    with pytest.raises(ConfigError, match=re.escape(said)) as refused:
        form.parse(text)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("url", ["hdfs://alice:secret@nn", "tcp://x:secret@nn/p", "a:secret@b"])
def test_a_password_in_an_address_is_refused_and_not_shown(url: str):
    for form in (NAMENODE, SERVICE, MEMBER, STORE):
        with pytest.raises(ConfigError, match="must not contain a password") as refused:
            form.parse(url)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("given", [8020, b"nn:8020", None, {"nn": 8020}, ["nn", 8020], ("nn", 1)])
def test_what_is_no_address_is_a_type_error_that_says_what_to_write(given: object):
    with pytest.raises(TypeError, match=r'must be a text such as "host:8020"'):
        NAMENODE.parse(given)


def test_a_port_is_a_number():
    with pytest.raises(TypeError, match="port must be a whole number, got str"):
        Tcp("h", "8020")  # type: ignore[arg-type]


def test_tls_is_given_once():
    ours = Tls(ca_file=Path("ca.pem"))
    assert NAMENODE.parse("a:1", tls=ours).endpoints == (Tcp("a", 1, tls=ours),)
    assert NAMENODE.parse("tls://a:1", tls=ours).endpoints == (Tcp("a", 1, tls=ours),)
    with pytest.raises(ConfigError, match=r"`tls` needs a scheme with TLS: tls://"):
        NAMENODE.parse("hdfs://a:1", tls=ours)
    with pytest.raises(ConfigError, match="has its own settings"):
        NAMENODE.parse(Tcp("a", 1), tls=ours)


def test_the_user_of_a_url_calls(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HADOOP_USER_NAME", "me")
    with NameNode("hdfs://alice@nn") as client:
        assert client._user == "alice"
    with NameNode("hdfs://alice@nn", HadoopOptions(user="alice")) as client:
        assert client._user == "alice"
    with pytest.raises(ConfigError, match="the URL is of the user 'alice', and the option user"):
        NameNode("hdfs://alice@nn", HadoopOptions(user="bob"))


def test_only_a_namenode_has_a_default_port():
    with pytest.raises(ConfigError, match="is not host:port"):
        HadoopClient("rm", protocol="org.apache.hadoop.yarn.api.ApplicationClientProtocolPB")


def test_a_store_is_one():
    with pytest.raises(ConfigError, match="the address of one segment store, got 2"):
        SegmentStore("a,b")


def test_addresses_of_members_may_ask_for_tls():
    seeds, options = seeds_of("hazelcast+tls://m1,m2:1", HazelcastOptions())
    assert seeds == ["m1:5701", "m2:1"]
    assert options.endpoint(Address("::1", 5703)) == Tcp("::1", 5703, tls=Tls())
    same = HazelcastOptions()
    assert seeds_of(["m1", Tcp("::1", 2)], same) == (["m1:5701", "[::1]:2"], same)
    with pytest.raises(ConfigError, match="the same `tls`"):
        seeds_of([Tcp("a", 1), Tcp("b", 1, tls=Tls())], same)
    with pytest.raises(TypeError, match="must be a text or a Tcp, got Tap"):
        seeds_of([Tap(Tcp("a", 1), None)], same)  # type: ignore[arg-type]


def test_controllers_take_every_form():
    a, b = Tcp("a", 9090), Tcp("b", 1)
    assert Controllers.of("a") == Controllers.of(a) == Controllers.of(["a"]) == Controllers((a,))
    assert Controllers.of(["a", b]) == Controllers.of("a,b:1") == Controllers((a, b))
    assert Controllers.of("pravega+tls://a") == Controllers((Tcp("a", 9090, tls=Tls()),), True)


def test_a_namenode_is_reached_by_text():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        for address in (
            f"127.0.0.1:{namenode.port}",
            f"hdfs://alice@127.0.0.1:{namenode.port}",
            [f"127.0.0.1:{namenode.port}"],
        ):
            with NameNode.connect(address) as client:
                assert client.get_file_info("/") is not None


@in_a_loop
async def test_an_async_namenode_is_reached_by_text():
    with scripted(lambda *_: {"fs": status()}) as namenode:
        async with await AsyncNameNode.connect(f"hdfs://127.0.0.1:{namenode.port}") as client:
            assert await client.get_file_info("/") is not None


def test_a_member_is_reached_by_text():
    with doubles() as [member]:
        with HazelcastClient.connect(f"127.0.0.1:{member.port}") as client:
            assert len(client.members) == 1
        with HazelcastClient.connect(f"hazelcast://127.0.0.1:{member.port}") as client:
            assert len(client.members) == 1


@in_a_loop
async def test_an_async_member_is_reached_by_text():
    with doubles() as [member]:
        async with await AsyncHazelcastClient.connect(f"127.0.0.1:{member.port}") as client:
            assert len(client.members) == 1


def test_an_early_server_is_reached_by_connect():
    with (
        serving_early() as (_, port),
        EarlyClient.connect(f"127.0.0.1:{port}") as client,
    ):
        assert client.appender("segment").append([b"one"]) == 3


@in_a_loop
async def test_an_early_server_is_reached_by_async_connect():
    with serving_early() as (_, port):
        async with await AsyncEarlyClient.connect(f"127.0.0.1:{port}") as client:
            assert await client.appender("segment").append([b"one"]) == 3


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def test_connect_of_every_client_reports_a_server_that_is_not_there():
    address = f"127.0.0.1:{unused_port()}"
    for connect in (
        lambda: SegmentStore.connect(address),
        lambda: EarlyClient.connect(address, EarlyOptions(retry=NEVER)),
        lambda: StreamClient.connect(address, StreamOptions(retry=NEVER)),
        lambda: rpc.connect(Ping, address, HadoopOptions(retry=NEVER)),
        lambda: NameNode.connect(address, HadoopOptions(retry=NEVER)),
    ):
        with pytest.raises(ConnectFailed, match=address):
            connect()
    assert threading.active_count() < 20


@in_a_loop
async def test_connect_of_every_async_client_reports_a_server_that_is_not_there():
    address = f"127.0.0.1:{unused_port()}"
    for connect in (
        lambda: AsyncSegmentStore.connect(address),
        lambda: AsyncStreamClient.connect(address, StreamOptions(retry=NEVER)),
    ):
        with pytest.raises(JvmWireError, match=address):
            await connect()


def test_connect_asks_the_next_server_if_the_first_is_not_reached():
    def answer(_method, _request):
        return {"result": True}

    with scripted(answer) as namenode:
        addresses = ["127.0.0.1:1", f"127.0.0.1:{namenode.port}"]
        with NameNode.connect(addresses) as client:
            assert client.delete("/x")

        async def run() -> None:
            async with AsyncNameNode.connect(addresses) as client:
                assert await client.delete("/x")

        asyncio.run(run())
    with pytest.raises(ConnectFailed, match=re.escape("127.0.0.1:2")):
        NameNode.connect(["127.0.0.1:1", "127.0.0.1:2"])
