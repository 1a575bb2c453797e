"""Calls to a NameNode take effect once, despite lost replies, connections and NameNodes."""

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from jvmwire.errors import ConnectFailed, ConnectionLost, OutcomeUnknown
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AlreadyExists, FileNotFound, LeaseRefused
from jvmwire.options import NEVER, RetryPolicy
from jvmwire.transports import Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.consistency.history import History, Outcome, Swap
from kit.consistency.register_checker import check_registers
from kit.faults import Cut, on
from kit.hadoop import LoneNameNode
from kit.jvm import free_port
from kit.proxy import FaultProxy
from kit.scale import seeded, times

AT_ONCE = RetryPolicy(first_wait=0.001, longest_wait=0.001, jitter=0.001)
# As long as a NameNode takes to start.
PATIENT = RetryPolicy(attempts=10_000, first_wait=0.05, longest_wait=0.5)
IN_FLIGHT = 64
# A call that is cut right here was executed, and its reply lost.
UNANSWERED = Cut("server", 1)


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture
def home(style, request):
    return f"/once/{request.node.originalname}/{style.name}"


def connect(style, proxy, retry, **options):
    told = HadoopOptions(user="hdfs", retry=retry, **options)
    return style.connect(NameNode, AsyncNameNode, Tcp(*proxy.address), told)


@in_every_style
async def test_what_was_carried_out_and_not_answered_is_answered_when_asked_again(
    style, minidfs, home
):
    async def unanswered(call: str, *args: Any, **options: Any) -> Any:
        proxy.script = on(len(proxy.links), UNANSWERED)
        begun = len(proxy.links)
        async with connect(style, proxy, AT_ONCE) as client:
            answer = await getattr(client, call)(*args, **options)
        assert len(proxy.links) == begun + 2
        return answer

    with FaultProxy(("127.0.0.1", minidfs.port)) as proxy:
        made = await unanswered("create", f"{home}/file")
        async with connect(style, proxy, NEVER) as client:
            assert (await client.get_file_info(f"{home}/file")).file_id == made.file_id
        await unanswered("rename", f"{home}/file", f"{home}/renamed")
        assert await unanswered("move", f"{home}/renamed", f"{home}/moved")
        await unanswered("set_xattr", f"{home}/moved", "user.a", b"1", replace=False)
        await unanswered("remove_xattr", f"{home}/moved", "user.a")
        await unanswered("create_symlink", f"{home}/moved", f"{home}/link")
        await unanswered("allow_snapshot", home)
        assert await unanswered("create_snapshot", home, "s") == f"{home}/.snapshot/s"
        await unanswered("rename_snapshot", home, "s", "t")
        await unanswered("delete_snapshot", home, "t")
        assert await unanswered("delete", f"{home}/moved")
        async with connect(style, proxy, NEVER) as client:
            assert not await client.delete(f"{home}/moved")


@in_every_style
async def test_who_may_not_ask_again_knows_that_the_outcome_is_unknown(style, minidfs, home):
    with FaultProxy(("127.0.0.1", minidfs.port)) as proxy:
        async with connect(style, proxy, NEVER) as client:
            proxy.script = on(0, UNANSWERED)
            with pytest.raises(OutcomeUnknown, match="delete"):
                await client.delete(f"{home}/file")
            proxy.script = on(1, UNANSWERED)
            with pytest.raises(ConnectionLost):
                await client.mkdirs(home)


@in_every_style
async def test_an_outcome_stays_unknown_where_nobody_answers_any_more(style, minidfs, home):
    proxy = FaultProxy(("127.0.0.1", minidfs.port), on(0, UNANSWERED))
    with proxy:
        async with connect(style, proxy, RetryPolicy(attempts=3, first_wait=0.3)) as client:
            call = asyncio.ensure_future(client.delete(f"{home}/file"))
            await asyncio.to_thread(
                proxy.wait_until, lambda: bool(proxy.links) and proxy.links[0].ending is not None
            )
            proxy.refuse()
            with pytest.raises(OutcomeUnknown, match="delete") as unknown:
                await call
            assert isinstance(unknown.value.__cause__, (ConnectFailed, ConnectionLost))


@pytest.mark.timeout(600)
def test_calls_in_flight_are_each_done_once_though_the_namenode_is_killed(tmp_path):
    asyncio.run(namenode_killed(tmp_path))


async def namenode_killed(directory):
    port, history = free_port(), History()
    reports: list[Any] = []
    random = seeded(64)
    options = HadoopOptions(user="hdfs", retry=PATIENT, timeout=None, on_call=reports.append)
    done = asyncio.Event()

    async def contend(client: Any, number: int) -> None:
        """Create and delete a file that another task creates and deletes too."""
        path = f"/once/{number % (IN_FLIGHT // 2)}"
        while not done.is_set():
            if random.random() < 0.5:
                with history.call(number, Swap(path, old=False, new=True)) as call:
                    try:
                        await client.create(path)
                        call.result = True
                    except AlreadyExists:
                        call.result = False
                    except (LeaseRefused, FileNotFound) as refused:
                        # The other task's file is incomplete; or it deleted this one before that
                        # was complete.
                        call.result = "is already the current lease holder" not in str(refused)
            else:
                with history.call(number, Swap(path, old=True, new=False)) as call:
                    call.result = await client.delete(path)

    async def rename(client: Any, number: int) -> None:
        """Rename a private file to and fro: it always exists."""
        names = [f"/once/{number}-a", f"/once/{number}-b"]
        await client.create(names[0])
        while not done.is_set():
            with history.call(number, Swap(("own", number), *names)) as call:
                try:
                    await client.rename(*names)
                    call.result = True
                except (AlreadyExists, FileNotFound):
                    call.result = False
            names.reverse()

    with ExitStack() as stack:
        namenode = stack.enter_context(LoneNameNode(directory, port))
        client = AsyncNameNode(Tcp("127.0.0.1", port), options)
        try:
            await client.mkdirs("/once")
            async with asyncio.TaskGroup() as tasks:
                for number in range(IN_FLIGHT):
                    work = contend if number % 4 else rename
                    tasks.create_task(work(client, number))
                for _ in range(times(1)):
                    begun = len(reports)
                    while len(reports) < begun + 4 * IN_FLIGHT:
                        await asyncio.sleep(0.01)
                    await asyncio.to_thread(namenode.kill)
                    namenode = LoneNameNode(directory, port)
                    await asyncio.to_thread(stack.enter_context, namenode)
                begun = len(reports)
                while len(reports) < begun + 4 * IN_FLIGHT:
                    await asyncio.sleep(0.01)
                done.set()
            final: dict[Any, Any] = {}
            for call in history.calls:
                if isinstance(call.key, str):
                    final[call.key] = await client.get_file_info(call.key) is not None
            for number in range(0, IN_FLIGHT, 4):
                [name] = [
                    name
                    for name in (f"/once/{number}-a", f"/once/{number}-b")
                    if await client.get_file_info(name) is not None
                ]
                final["own", number] = name
        finally:
            await client.close()
    assert {call.outcome for call in history.calls} == {Outcome.DONE}
    assert any(report.commands > 2 for report in reports)
    own = [call for call in history.calls if not isinstance(call.key, str)]
    assert all(call.result for call in own)
    shared = [call for call in history.calls if isinstance(call.key, str)]
    check_registers(
        shared, {key: final[key] for key in final if isinstance(key, str)}, initial=False
    )
    for number in range(0, IN_FLIGHT, 4):
        last = [call for call in own if call.key == ("own", number)][-1]
        assert final["own", number] == last.operation.new
