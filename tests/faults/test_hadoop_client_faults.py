"""The NameNode's client on bad networks: the right result or one clear error, and soon."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hdfs_native import Client

from jvmwire.errors import CallTimeout, ConnectionLost, JvmWireError, OutcomeUnknown, TransportError
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.options import NEVER, RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, Style, in_every_style
from kit.faults import (
    NONE,
    Corrupt,
    Cut,
    Fault,
    HalfClose,
    Reset,
    Stall,
    Swallow,
    Trickle,
    always,
    on,
)
from kit.hadoop import MiniDfs
from kit.polling import eventually
from kit.proxy import FaultProxy
from kit.scale import times

HOME = "/faults"
DIRECT = HadoopOptions(user="hdfs")
AT_ONCE = RetryPolicy(first_wait=0.001, longest_wait=0.001, jitter=0.001)
# Seconds after which an operation hangs.
DEADLINE = 20.0
# Timeout of calls whose replies may never come.
TIMEOUT = 0.5
AT_A_TIME = 32
# The length of the frame and of the header, and the header up to its call id.
PING = b"\0\0\0\x1b\x1a\x08\x02\x10\0\x18\7"


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
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
    """Fetch one status, many at once, and a page."""
    async with asyncio.timeout(DEADLINE):
        infos = await client.get_file_infos([HOME, f"{HOME}/missing"])
        status = await client.get_file_info(HOME)
        listing = [entry async for entry in style.each(client, client.get_listing(HOME))]
    return [status, *infos, *listing]


async def spoken(style: Style, namenode: Any) -> tuple[list[Any], int, int]:
    """Return the right results, and the number of bytes that each side writes for them."""
    with FaultProxy(namenode) as proxy:
        async with connect(style, proxy, NEVER) as client:
            right = await answers(style, client)
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
    return right, link.client.read, link.server.read


def at_bytes(
    fault: Callable[..., Fault], written: int, answered: int, *, step: int, **told: Any
) -> Iterator[Fault]:
    """Yield a fault at every `step`-th byte of the client and the server."""
    for at in range(0, written, step):
        yield fault("client", at=at, **told)
    for at in range(0, answered, step):
        yield fault("server", at=at, **told)


@in_every_style
async def test_a_connection_cut_at_any_byte_is_made_again_and_the_answers_are_right(
    style, namenode
):
    right, written, answered = await spoken(style, namenode)
    with FaultProxy(namenode) as proxy:
        for cut in at_bytes(Cut, written, answered, step=1):
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
    with FaultProxy(namenode) as proxy:
        for cut in at_bytes(Cut, written, answered, step=times(3, full=1)):
            proxy.script = on(len(proxy.links), cut)
            async with connect(style, proxy, NEVER) as client:
                with pytest.raises(ConnectionLost):
                    await answers(style, client)
                assert await answers(style, client) == right, cut


@dataclass(frozen=True, slots=True)
class Trouble:
    """A further fault of a connection at any byte, and the permitted results of a call."""

    fault: Callable[..., Fault]
    errors: tuple[type[JvmWireError], ...]
    """All permitted errors; empty where the results are right each time."""
    step: int
    told: dict[str, Any]
    answers_change: bool = False

    def __str__(self) -> str:
        return f"{self.fault.__name__}{''.join(f' {value:g}' for value in self.told.values())}"

    @property
    def timeout(self) -> float:
        return TIMEOUT if issubclass(CallTimeout, self.errors) else DEADLINE


TROUBLES = [
    Trouble(Trickle, (), 61, {"size": 5, "seconds": 0.0001}),
    # A connection that is reset at once may not have been one for the client.
    Trouble(Reset, (TransportError,), 7, {}),
    Trouble(HalfClose, (ConnectionLost,), 7, {}),
    Trouble(Stall, (CallTimeout,), 23, {}),
    Trouble(Swallow, (CallTimeout,), 23, {}),
    # In a path, a name or a number another byte is as valid as the right one.
    Trouble(Corrupt, (JvmWireError,), 7, {"mask": 0x01}, answers_change=True),
    Trouble(Corrupt, (JvmWireError,), 7, {"mask": 0xFF}, answers_change=True),
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
@in_every_style
async def test_trouble_at_any_byte_is_the_right_answer_or_one_clear_error_in_time(
    style, namenode, trouble
):
    right, written, answered = await spoken(style, namenode)
    room = asyncio.Semaphore(AT_A_TIME)

    async def ask(fault: Fault) -> bool:
        """Return whether there were results; if not, another connection gives the right ones."""
        async with room:
            with FaultProxy(namenode, on(0, fault)) as proxy:
                async with connect(style, proxy, NEVER, timeout=trouble.timeout) as client:
                    try:
                        found = await answers(style, client)
                    except trouble.errors:
                        proxy.script = NONE
                        for link in proxy.links:
                            link.cut()
                        await asyncio.to_thread(
                            proxy.wait_until, lambda: all(link.ending for link in proxy.links)
                        )
                        await answers_again(client.within(DEADLINE))
                        return False
                    assert found == right or trouble.answers_change, fault
                    return True

    async def answers_again(client: Any) -> None:
        try:
            found = await answers(style, client)
        except ConnectionLost:  # the end of the first one was not detected yet
            found = await answers(style, client)
        assert found == right

    step = times(trouble.step, full=1)
    faults = at_bytes(trouble.fault, written, answered, step=step, **trouble.told)
    answering = await asyncio.gather(*map(ask, faults))
    if not trouble.errors:
        assert all(answering)
    elif not trouble.answers_change:
        assert not any(answering)


def renames(minidfs: MiniDfs) -> int:
    """Return how many renames the NameNode executed or refused."""
    return int(minidfs.metrics()["detailed"].get("Rename2NumOps", 0))


@pytest.mark.parametrize("retry", [NEVER, AT_ONCE], ids=["one try", "tried again"])
@in_every_style
async def test_a_write_cut_at_any_byte_is_done_once_or_its_outcome_is_told(
    style, minidfs, namenode, retry
):
    """Renames: a repeated one is refused, and the NameNode counts each attempt."""
    home = f"{HOME}/written/{style.name}/{retry.attempts}"
    names = ((f"{home}/{number}", f"{home}/{number}-renamed") for number in itertools.count())
    with FaultProxy(namenode) as proxy, NameNode(Tcp(*namenode), DIRECT) as direct:

        async def rename(cut: Fault) -> tuple[JvmWireError | None, str, str]:
            """Return the exception, and the file's names before and after."""
            old, new = next(names)
            direct.create(old)
            proxy.script = on(len(proxy.links), cut)
            async with connect(style, proxy, retry) as client, asyncio.timeout(DEADLINE):
                try:
                    await client.rename(old, new)
                except (ConnectionLost, OutcomeUnknown) as error:
                    return error, old, new
            return None, old, new

        before = renames(minidfs)
        await rename(Cut("client", at=1 << 20))
        [link] = proxy.links
        proxy.wait_until(lambda: link.ending is not None)
        sizes = link.client.read, link.server.read
        told = [await rename(cut) for cut in at_bytes(Cut, *sizes, step=times(7, full=1))]

        def renamed() -> list[bool]:
            found = direct.get_file_infos([path for _, *both in told for path in both])
            pairs = zip(found[::2], found[1::2], strict=True)
            return [there is not None for gone, there in pairs if (gone is None) != (there is None)]

        if retry is NEVER:
            # A call whose client is gone may still be on its way through the NameNode.
            eventually(lambda: renames(minidfs) - before == 1 + sum(renamed()))
        outcomes = list(zip([error for error, *_ in told], renamed(), strict=True))
    assert all(done for error, done in outcomes if error is None)
    # A call that is lost before it left is not executed.
    assert not any(done for error, done in outcomes if isinstance(error, ConnectionLost))
    unknown = [done for error, done in outcomes if isinstance(error, OutcomeUnknown)]
    assert set(unknown) == ({True, False} if retry is NEVER else set())
    assert (retry is AT_ONCE) == all(done for _, done in outcomes)


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
