"""The NameNode's client where a connection ends at any byte: the right answer or error."""

import asyncio
from typing import Any

import pytest
from hdfs_native import Client

from jvmwire.errors import ConnectionLost
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.retry import NEVER, RetryPolicy
from jvmwire.transports import Tcp
from kit.faults import Cut, Stall, always, on
from kit.proxy import FaultProxy
from kit.styles import STYLES, Style, in_every_style

HOME = "/faults"
AT_ONCE = RetryPolicy(first_wait=0.001, longest_wait=0.001, jitter=0.001)
# What takes this long hangs.
DEADLINE = 20.0
# The length of the frame and of the header, and the header up to its call id.
PING = b"\0\0\0\x1b\x1a\x08\x02\x10\0\x18\7"


@pytest.fixture(params=STYLES[:2], ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module")
def namenode(minidfs):
    """The address of a NameNode that has a directory to list."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HADOOP_USER_NAME", "hdfs")
        Client(minidfs.url).mkdirs(f"{HOME}/one", create_parent=True)
    return "127.0.0.1", minidfs.port


def connect(style: Style, proxy: FaultProxy, retry: RetryPolicy, **options: Any) -> Any:
    told = HadoopOptions(user="hdfs", retry=retry, **options)
    return style.connect(NameNode, AsyncNameNode, Tcp(*proxy.address), told)


async def answers(style: Style, client: Any) -> list[Any]:
    """Ask for one thing, for many at once, and for a page."""
    async with asyncio.timeout(DEADLINE):
        infos = await client.get_file_infos([HOME, f"{HOME}/missing"])
        status = await client.get_file_info(HOME)
        listing = [entry async for entry in style.each(client, client.get_listing(HOME))]
    return [status, *infos, *listing]


async def spoken(style: Style, namenode: Any) -> tuple[list[Any], int, int]:
    """Return the right answers, and how many bytes each side writes for them."""
    with FaultProxy(namenode) as proxy:
        async with connect(style, proxy, NEVER) as client:
            right = await answers(style, client)
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
    return right, link.client.read, link.server.read


@in_every_style
async def test_a_connection_cut_at_any_byte_is_made_again_and_the_answers_are_right(
    style, namenode
):
    right, written, answered = await spoken(style, namenode)
    cuts = [Cut("client", at) for at in range(written)] + [
        Cut("server", at) for at in range(answered)
    ]
    with FaultProxy(namenode) as proxy:
        for cut in cuts:
            begun = len(proxy.links)
            proxy.script = on(begun, cut)
            async with connect(style, proxy, AT_ONCE) as client:
                assert await answers(style, client) == right, cut
            assert len(proxy.links) <= begun + 2


@in_every_style
async def test_without_retries_a_cut_is_a_lost_connection_and_the_next_call_makes_another(
    style, namenode
):
    right, written, answered = await spoken(style, namenode)
    cuts = [Cut("client", at) for at in range(0, written, 7)] + [
        Cut("server", at) for at in range(0, answered, 7)
    ]
    with FaultProxy(namenode) as proxy:
        for cut in cuts:
            proxy.script = on(len(proxy.links), cut)
            async with connect(style, proxy, NEVER) as client:
                with pytest.raises(ConnectionLost):
                    await answers(style, client)
                assert await answers(style, client) == right, cut


@in_every_style
async def test_a_server_that_goes_on_without_a_word_is_pinged_until_it_speaks(style, namenode):
    with FaultProxy(namenode, always(Stall("server", 0)), recorded=True) as proxy:
        async with connect(style, proxy, NEVER, ping_interval=0.05) as client:
            waiting = asyncio.ensure_future(client.get_file_info("/"))
            async with asyncio.timeout(DEADLINE):
                while sum(link.client.transcript.count(PING) for link in proxy.links) < 2:
                    await asyncio.sleep(0.01)
            proxy.links[0].release()
            assert (await waiting).path == "/"
