"""The first lines that users write, for each protocol, blocking and with asyncio."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pyarrow as pa
import pytest

import jvmwire
from jvmwire import hadoop, hazelcast, pravega
from jvmwire.errors import ConfigError, ConnectFailed, TransportError
from jvmwire.hadoop import rpc
from jvmwire.options import NEVER
from jvmwire.pravega.streams import _controller_pb2 as messages
from kit.fake_member import doubles
from kit.fake_store import store_double
from kit.hadoop_scripted import listing, scripted, status
from kit.scripted_controller import ScriptedController

CALL_TIMEOUT = 30.0


def namenode_answers(method: str, request: Mapping[str, Any]) -> Any:
    if method == "getListing":
        return listing(status("a", "IS_FILE", length=3), status("b", "IS_FILE", length=4))
    return {"fs": status(kind="IS_FILE", length=7)} if request["src"] != "/b" else {}


def test_hdfs_blocking():
    with scripted(namenode_answers) as double:
        with hadoop.connect(f"hdfs://127.0.0.1:{double.port}", user="alice") as hdfs:
            found = hdfs.get_file_info("/data/file")
            assert found is not None
            assert found.length == 7
            assert [entry.path for entry in hdfs.get_listing("/data")] == ["/data/a", "/data/b"]
            infos = hdfs.get_file_infos(["/a", "/b"])
            assert pa.record_batch(infos).num_rows == 2
        assert ("alice", None) in double.users


def test_hdfs_with_asyncio():
    async def use(url: str) -> None:
        async with hadoop.connect_async(url, user="alice") as hdfs:
            found = await hdfs.get_file_info("/data/file")
            assert found is not None
            assert found.length == 7
            assert [it.path async for it in hdfs.get_listing("/data")] == ["/data/a", "/data/b"]
            infos = await hdfs.get_file_infos(["/a", "/b"])
            assert pa.record_batch(infos).num_rows == 2

    with scripted(namenode_answers) as double:
        asyncio.run(use(f"hdfs://127.0.0.1:{double.port}"))


class Ping(rpc.Interface, protocol="ping", version=1):
    """An interface."""

    @rpc.method(idempotent=True)
    def ping(self, msg: str) -> str:
        """Return the message with a prefix."""
        raise NotImplementedError


class Pong:
    """Implementation in threads."""

    def ping(self, msg: str) -> str:
        """Return the message with a prefix."""
        return f"pong={msg}"


class AsyncPong:
    """Implementation on the loop."""

    async def ping(self, msg: str) -> str:
        """Return the message with a prefix."""
        return f"pong={msg}"


def test_own_interface_blocking():
    with rpc.serve({Ping: Pong()}) as server:
        with rpc.connect(Ping, f"127.0.0.1:{server.port}") as ping:
            assert ping.ping("X") == "pong=X"
        with pytest.raises(TransportError):
            rpc.serve({Ping: Pong()}, port=server.port)
    with pytest.raises(ConnectFailed):
        rpc.connect(Ping, f"127.0.0.1:{server.port}", retry=NEVER)


def test_own_interface_with_asyncio():
    async def use() -> None:
        async with (
            rpc.serve_async({Ping: AsyncPong()}) as server,
            rpc.connect_async(Ping, f"127.0.0.1:{server.port}") as ping,
        ):
            assert await ping.ping("X") == "pong=X"
        with pytest.raises(ConnectFailed):
            await rpc.connect_async(Ping, f"127.0.0.1:{server.port}", retry=NEVER)
        awaited = await rpc.serve_async({Ping: AsyncPong()})
        assert awaited.port
        await awaited.stop()

    asyncio.run(use())


@pytest.mark.parametrize("serve", [rpc.serve, rpc.serve_async])
def test_an_implementation_without_a_method_is_refused(serve: Any):
    async def start() -> None:
        started = serve({Ping: object()})
        await started

    with pytest.raises(ConfigError, match="ping"):
        asyncio.run(start())


def test_hazelcast_blocking():
    with doubles() as [member]:
        client = hazelcast.connect(f"127.0.0.1:{member.port}", cluster_name="dev", timeout=30.0)
        capitals = client.get_map("capitals")
        capitals.put("France", "Paris", ttl=timedelta(hours=1))
        assert capitals.get("France") == "Paris"
        client.close()
        assert client.closed


def test_hazelcast_with_asyncio():
    async def use(address: str) -> None:
        async with hazelcast.connect_async(address, cluster_name="dev", timeout=30.0) as client:
            capitals = client.get_map("capitals")
            await capitals.put("France", "Paris", ttl=timedelta(hours=1))
            assert await capitals.get("France") == "Paris"

    with doubles() as [member]:
        asyncio.run(use(f"127.0.0.1:{member.port}"))


def events_of(batch: Any) -> list[bytes]:
    """Return the events of a batch as bytes."""
    events: list[bytes] = pa.array(batch.events).to_pylist()
    return events


def append_and_read(address: str) -> list[bytes]:
    """Append events to a segment, and return them as they are read again."""
    name = "shop/orders/0"
    with pravega.connect_store(address) as store:
        store.create_segment(name)
        with store.appender(name) as appender:
            appender.append(b"one")
            appender.write(b"two")
            appender.flush()
        return [event for batch in store.read_batches(name) for event in events_of(batch)]


def test_segment_store_blocking():
    async def serve() -> list[bytes]:
        async with store_double() as double:
            calling = asyncio.to_thread(append_and_read, str(double.endpoint))
            return await asyncio.wait_for(calling, CALL_TIMEOUT)

    assert asyncio.run(serve()) == [b"one", b"two"]


def test_segment_store_with_asyncio():
    async def use() -> list[bytes]:
        name = "shop/orders/0"
        async with (
            store_double() as double,
            pravega.connect_store_async(str(double.endpoint)) as store,
        ):
            await store.create_segment(name)
            async with store.appender(name) as appender:
                await appender.append(b"one")
                await appender.write(b"two")
                await appender.flush()
            batches = [events_of(batch) async for batch in store.read_batches(name)]
        return [event for events in batches for event in events]

    assert asyncio.run(use()) == [b"one", b"two"]


def controller() -> ScriptedController:
    servers = messages.ServerResponse(nodeURI=[])
    return ScriptedController(
        {"getControllerServerList": servers, "createStream": messages.CreateStreamStatus()}
    )


def test_streams_blocking():
    with controller() as double:
        with pravega.connect(f"tcp://127.0.0.1:{double.port}", user="ann", password="p") as client:  # noqa: S106
            assert client.create_stream("shop/orders")
        assert double.asked == ["getControllerServerList", "createStream"]


def test_streams_with_asyncio():
    async def use(address: str) -> None:
        async with pravega.connect_async(address, user="ann", password="p") as client:  # noqa: S106
            assert await client.create_stream("shop/orders")

    with controller() as double:
        asyncio.run(use(f"tcp://127.0.0.1:{double.port}"))
        assert double.asked == ["getControllerServerList", "createStream"]


CONNECTS = [
    hadoop.connect,
    hadoop.connect_async,
    hazelcast.connect,
    hazelcast.connect_async,
    pravega.connect,
    pravega.connect_async,
    pravega.connect_store,
    pravega.connect_store_async,
]


@pytest.mark.parametrize("connect", CONNECTS, ids=lambda it: it.__self__.__name__)
def test_connect_shows_its_arguments_and_what_it_returns(connect: Any):
    signature = inspect.signature(connect)
    assert list(signature.parameters)[1:] == ["options", "keywords"]
    assert "onnect" in (connect.__doc__ or "") or "controller answers" in connect.__doc__
    assert connect == connect.__self__.connect


def test_import_jvmwire_is_enough():
    program = (
        "import sys, jvmwire\n"
        "assert 'jvmwire.hadoop' not in sys.modules\n"
        "assert jvmwire.hadoop.connect.__self__ is jvmwire.hadoop.NameNode\n"
        "assert 'jvmwire.pravega' not in sys.modules\n"
        "jvmwire.pravega.connect_store, jvmwire.hazelcast.connect\n"
        "assert 'grpc' not in sys.modules\n"
        "assert jvmwire.pravega.connect.__self__.__name__ == 'StreamClient'\n"
        "try:\n    jvmwire.nothing\n"
        "except AttributeError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "module 'jvmwire' has no attribute 'nothing'\n"
    assert jvmwire.hadoop.connect is not None


@pytest.mark.parametrize(
    "program",
    [
        "jvmwire.hadoop.NameNode('127.0.0.1:1').close()",
        "jvmwire.hazelcast.HazelcastClient('127.0.0.1:1').close()",
        "jvmwire.pravega.SegmentStore('127.0.0.1:1').close()",
    ],
)
def test_a_blocking_client_loads_no_asyncio(program):
    check = "import sys\nassert 'asyncio' not in sys.modules, 'asyncio is loaded'\n"
    done = subprocess.run(
        [sys.executable, "-c", f"import jvmwire\n{program}\n{check}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
