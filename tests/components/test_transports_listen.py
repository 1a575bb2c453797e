"""Servers of jvmwire: their port and their connections belong to them alone."""

import asyncio
import os
import signal
import socket
import time

import pytest

from jvmwire.errors import ConnectFailed
from jvmwire.hadoop.server import AsyncRpcServer
from jvmwire.pravega.early import EarlyServer
from kit.client_flavours import LOOPS, in_every_style
from kit.forked import forked, went_well
from kit.polling import LATEST, comes_true
from kit.processes import sockets

SERVERS = [AsyncRpcServer, EarlyServer]


def stay() -> bool:
    time.sleep(LATEST)
    return True


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("style", LOOPS[1:], ids=lambda style: style.name)
@in_every_style
async def test_a_server_ends_for_its_clients_though_a_forked_child_lives(style, server):
    async with server() as running:
        port = await running.start()
        before = len(sockets())
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await comes_true(lambda: len(sockets()) == before + 2)  # it is accepted
        child = forked(stay)
    try:
        assert not await reader.read()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        again = server()
        assert await again.start(port=port) == port  # the child no longer holds it
        await again.stop() if isinstance(again, AsyncRpcServer) else await again.close()
    finally:
        os.kill(child, signal.SIGKILL)
        assert not went_well(child)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("style", LOOPS[1:], ids=lambda style: style.name)
@in_every_style
async def test_a_port_that_is_taken_is_named(style, server):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with server() as other:
            with pytest.raises(ConnectFailed, match=f"^cannot listen on 127.0.0.1:{port}: "):
                await other.start(port=port)
