"""Several controllers, and those that a real controller names."""

from typing import Any

import grpc
import pytest

from jvmwire.errors import ConnectFailed
from jvmwire.options import RetryPolicy
from jvmwire.pravega.streams import (
    ControllerError,
    Controllers,
)
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.jvm import free_port
from kit.polling import eventually
from kit.pravega import StandalonePeer
from kit.proxied_controller import Detour
from kit.stream_clients import connect, opened

TAKEOVER = 150.0
SERVICE = "io.pravega.controller.stream.api.grpc.v1.ControllerService"


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@in_every_style
async def test_calls_go_on_at_the_next_controller_when_one_ends(style, pravega):
    store = (pravega.store.host, pravega.store.port)
    once = RetryPolicy(attempts=1)
    first = Detour(pravega.controller, store)
    with Detour(pravega.controller, store) as last:
        both = Controllers((Tcp(*first.address), Tcp(*last.address)))
        async with connect(style, both, retry=once) as client:
            with first:
                assert "kit" in [it async for it in style.each(client, client.scopes())]
            assert not await client.create_scope("kit")
            await client.tail("kit/ready")
    async with connect(style, both, retry=once) as client:
        with pytest.raises(ConnectFailed, match="any of"):
            await client.create_scope("kit")


def listed(controller):
    """Return the ports of the cluster's controllers, as one of them lists them."""
    with grpc.insecure_channel(f"{controller.host}:{controller.port}") as channel:
        method = f"/{SERVICE}/getControllerServerList"
        call: Any = channel.unary_unary(
            method, response_deserializer=messages.ServerResponse.FromString
        )
        try:
            return {node.port for node in call(b"", timeout=10.0).nodeURI}
        except grpc.RpcError:
            return set()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A Pravega of its own: work of controllers that were killed waits for others to take over."""
    with StandalonePeer(tmp_path_factory.mktemp("controllers")) as peer:
        yield peer


@in_every_style
async def test_clients_go_on_when_one_of_two_real_controllers_is_killed(style, cluster):
    name = f"two/{style.name}"
    with cluster.other_controllers() as both:
        first, second = both
        eventually(lambda: all(listed(each) == {first.port, second.port} for each in both))
        async with (
            connect(style, Controllers(tuple(both))) as client,
            connect(style, f"pravega://{first.host}:{first.port}") as discovering,
        ):
            await client.create_scope("two")
            await client.create_stream(name)
            await discovering.tail(name)
            # The other controller takes over the work of the killed one after 10 seconds or more.
            transaction = await opened(client.within(TAKEOVER), "begin_transaction", name)
            await transaction.write(b"one", "key")
            cluster.kill_controller(first.port)
            await transaction.write(b"two", "key")
            await transaction.commit()
            await discovering.seal_stream(name)
            batches = [it async for it in style.each(client, client.read_events(name))]
            assert [event for batch in batches for event in batch.events] == [b"one", b"two"]


@in_every_style
async def test_url_of_several_controllers_is_tried_to_its_end(style, pravega):
    alive = pravega.controller
    url = f"tcp://127.0.0.1:{free_port()},{alive.host}:{alive.port}"
    async with connect(style, url, retry=RetryPolicy(attempts=1)) as client:
        await client.tail("kit/ready")


@in_every_style
async def test_discovered_controllers_are_asked_instead_of_those_given(style, pravega):
    store = (pravega.store.host, pravega.store.port)
    with Detour(pravega.controller, store) as other:
        with Detour(pravega.controller, store, [other.address]) as known:
            url = f"pravega://127.0.0.1:{free_port()},127.0.0.1:{known.address[1]}"
            async with connect(style, url) as client:
                await client.tail("kit/ready")
                await client.tail("kit/ready")
            assert dict(known.passed_on) == {"getControllerServerList": 1}
        assert other.passed_on["getCurrentSegments"] == 2


@in_every_style
async def test_controller_without_a_cluster_refuses_discovery(style, pravega):
    url = f"pravega://{pravega.controller.host}:{pravega.controller.port}"
    async with connect(style, url) as client:
        with pytest.raises(ControllerError, match="cluster not initialized"):
            await client.tail("kit/ready")
