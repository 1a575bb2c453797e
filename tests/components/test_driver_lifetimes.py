"""Clients start, fork and end without leaks."""

import asyncio
import gc
import itertools
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import jvmwire
from jvmwire._runtime import connection, engine, poller
from jvmwire.errors import CallTimeout, ClientClosed, WrongProcess
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from jvmwire.transports import Child, Tcp, Tls
from kit.certificates import Authority
from kit.client_flavours import LOOPS, in_every_style
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Kind
from kit.environment import PYTHONPATH
from kit.faults import Stall, always
from kit.forked import forked, goes_well, went_well
from kit.polling import LATEST, comes_true, eventually
from kit.processes import sockets
from kit.proxy import FaultProxy
from kit.resources import steady
from kit.servers import echo, listening, serving, unanswering


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Tcp]:
    with EchoServer() as server:
        yield Tcp(*server.address)


@pytest.fixture(scope="module")
def tls_endpoint(ca: Authority) -> Iterator[Tcp]:
    """A server that echoes the greeting, and replies to a call with the same bytes."""
    with serving(echo, tls=ca.server()) as port:
        yield Tcp("localhost", port, tls=Tls(ca_file=ca.file))


def threads() -> set[threading.Thread]:
    return set(threading.enumerate())


def ours() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("jvmwire")]


def test_a_sync_client_leaves_no_thread_and_no_descriptor(endpoint):
    with steady():
        for _ in range(20):
            with EchoClient(endpoint) as client:
                client.echo(b"")
                client.listen(1, 3, lambda _message: None)
    assert ours() == []


def test_an_async_client_has_no_thread_behind_it(endpoint):
    before = threads()

    async def call() -> None:
        async with AsyncEchoClient(endpoint) as client:
            await client.echo(b"")
            await client.listen(1, 3, lambda _message: None)
            assert threads() == before

    with steady():
        for _ in range(20):
            asyncio.run(call())


def test_a_forked_child_may_not_use_its_parents_client_and_does_it_no_harm(endpoint):
    with EchoClient(endpoint) as client:
        client.echo(b"before")

        def use() -> bool:
            with pytest.raises(WrongProcess, match="belongs to the parent process"):
                client.echo(b"in the child")
            client.close()
            return True

        assert went_well(forked(use))
        assert client.echo(b"after") == b"after"


def is_refused(call: Awaitable[Any]) -> bool:
    """Begin a call outside of any loop; return whether it is refused as the parent process's."""
    try:
        call.__await__().__next__()
    except WrongProcess as error:
        return "belongs to the parent process" in str(error)
    return False


@pytest.mark.parametrize("style", LOOPS[1:], ids=lambda style: style.name)
@pytest.mark.parametrize("way", ["tcp", "tls", "child"])
@in_every_style
async def test_a_forked_child_may_not_use_its_parents_async_client_and_does_it_no_harm(
    style, way, tls_endpoint, endpoint
):
    # `cat` is a peer, too: a greeting and a call are answered by the same bytes.
    ways = {"tcp": endpoint, "tls": tls_endpoint, "child": Child(["cat"])}
    async with AsyncEchoClient(ways[way]) as client:
        await client.echo(b"before")
        tasks = asyncio.all_tasks()

        def use() -> bool:
            refused = is_refused(client.echo(b"in the child"))
            end_all(client, tasks)
            return refused

        assert await goes_well(forked(use))
        assert await client.echo(b"after") == b"after"


def end_all(client: Any, tasks: set[asyncio.Task[Any]]) -> None:
    """End all connections that asyncio has, as closing a loop does."""
    for link in client._driver._links.values():
        if link.transport is not None and hasattr(link.transport, "abort"):
            link.transport.abort()
    for task in tasks:
        coroutine: Any = task.get_coro()
        if not coroutine.cr_running:
            coroutine.close()
    gc.collect()


@pytest.mark.parametrize("style", LOOPS, ids=lambda style: style.name)
@pytest.mark.parametrize("silent", [listening, unanswering], ids=["TLS", "TCP"])
@in_every_style
async def test_a_forked_child_has_no_copy_of_a_connection_that_is_being_made(style, silent):
    with silent() as listener:
        endpoint = Tcp(*listener.getsockname(), tls=Tls(verify=False))
        async with style.connect(EchoClient, AsyncEchoClient, endpoint) as client:
            before = sockets()
            call = asyncio.ensure_future(client.echo(b""))
            await comes_true(lambda: sockets() - before)
            assert await goes_well(forked(lambda: not sockets() - before))
            await client.close(linger=0.0)
            with pytest.raises(ClientClosed, match="the client is closed"):
                await call


@pytest.mark.parametrize("style", LOOPS, ids=lambda style: style.name)
@in_every_style
async def test_a_forked_child_does_a_connection_that_is_being_made_no_harm(style, tls_endpoint):
    with FaultProxy((tls_endpoint.host, tls_endpoint.port), always(Stall("server", 0))) as proxy:
        endpoint = replace(tls_endpoint, port=proxy.port)
        async with style.connect(EchoClient, AsyncEchoClient, endpoint) as client:
            call = asyncio.ensure_future(client.echo(b"made"))
            await comes_true(lambda: proxy.links and proxy.links[0].server.stalled)
            tasks = asyncio.all_tasks()

            def end() -> bool:
                end_all(client.client if style.name == "sync" else client, tasks)
                return True

            assert await goes_well(forked(end))
            proxy.links[0].release()
            assert await call == b"made"


@pytest.mark.parametrize("style", LOOPS[1:], ids=lambda style: style.name)
@in_every_style
async def test_a_forked_child_may_not_go_on_with_what_its_parent_iterates(style, endpoint):
    async with AsyncEchoClient(endpoint) as client:
        pushed = client.pushed(1, 3)
        assert await anext(pushed) == bytes(8)
        assert await goes_well(forked(lambda: is_refused(anext(pushed))))
        assert [int.from_bytes(number) async for number in pushed] == [1, 2]


@pytest.mark.parametrize("style", LOOPS, ids=lambda style: style.name)
@in_every_style
async def test_a_connection_ends_with_its_client_though_a_forked_child_lives(style, endpoint):
    def stay() -> bool:
        time.sleep(LATEST)
        return True

    with FaultProxy((endpoint.host, endpoint.port)) as proxy:
        async with style.connect(EchoClient, AsyncEchoClient, Tcp(*proxy.address)) as client:
            await client.echo(b"")
            child = forked(stay)
        try:
            proxy.wait_until(lambda: proxy.links[0].client.ended)
        finally:
            os.kill(child, signal.SIGKILL)
            assert not went_well(child)


def test_a_child_that_was_forked_amid_calls_may_make_clients_of_its_own(endpoint):
    stop = threading.Event()

    def call(client: EchoClient) -> None:
        while not stop.is_set():
            client.echo(b"busy")

    def make() -> bool:
        with EchoClient(endpoint) as mine:
            return mine.echo(b"mine") == b"mine"

    with EchoClient(endpoint) as client:
        callers = [threading.Thread(target=call, args=(client,)) for _ in range(4)]
        for caller in callers:
            caller.start()
        try:
            for _ in range(10):
                assert went_well(forked(make))
        finally:
            stop.set()
            for caller in callers:
                caller.join()


@pytest.mark.parametrize("calls", [0, 1])
def test_a_client_that_was_forgotten_closes_itself_and_says_so(endpoint, calls):
    with steady():
        client = EchoClient(endpoint)
        for _ in range(calls):
            client.echo(b"")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del client
            gc.collect()
        assert [str(warning.message) for warning in caught] == [
            "EchoClient: the client was not closed"
        ]


@pytest.mark.parametrize("calls", [0, 1])
def test_an_async_client_that_was_forgotten_closes_itself_and_says_so(endpoint, calls):
    async def forget() -> None:
        client = AsyncEchoClient(endpoint)
        for _ in range(calls):
            await client.echo(b"")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del client
            gc.collect()
        assert [str(warning.message) for warning in caught] == [
            "AsyncEchoClient: the client was not closed"
        ]

    async def test() -> None:
        await forget()
        async with steady():
            await forget()

    asyncio.run(test())


def test_an_iterator_may_be_collected_by_whoever_has_the_lock(endpoint):
    def collects() -> bool:
        with EchoClient(endpoint) as client:
            messages = client.pushed(1, 9)
            next(messages)
            held = [messages]
            held.append(held)  # type: ignore[arg-type]
            [left] = client._driver._engine._tasks
            del messages, held
            with client._driver._lock:
                gc.collect()
            eventually(lambda: left.done)
            return client.echo(b"goes on") == b"goes on"

    # In a child process, so that a deadlock blocks no other test.
    assert went_well(forked(collects))


def test_a_file_system_may_be_collected_by_whoever_has_the_lock_of_its_client():
    def collects() -> bool:
        files = HdfsMetadata("localhost", 1, skip_instance_cache=True)
        driver = files._client._driver
        with driver._lock:
            del files
            gc.collect()
        return bool(eventually(lambda: driver._finished))

    assert went_well(forked(collects))


def test_a_copy_with_another_timeout_keeps_the_client_alive(endpoint):
    client = EchoClient(endpoint).within(5.0)
    gc.collect()
    assert client.echo(b"alive") == b"alive"
    client.close()


@pytest.fixture
def interruptible():
    # A process that is started in the background begins with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_the_call_and_not_the_client(endpoint):
    def interrupt() -> None:
        eventually(lambda: client._driver._engine.busy)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    with EchoClient(endpoint) as client:
        client.echo(b"connected")
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            client.echo(b"held", Kind.LATE)
        assert client.echo(b"the next") == b"the next"
        assert client.late_replies() == 1


def interrupted_at(line: int, call: Callable[[], object]) -> bool:
    """Raise `KeyboardInterrupt` at the nth line of the engine that a call reaches, if it does.

    A signal's handler may raise at any of them.
    """
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename not in INTERRUPTED:
            return None
        count += event == "line"
        if count == line:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


INTERRUPTED = {engine.__file__, connection.__file__, poller.__file__}


@pytest.mark.parametrize("kind", [Kind.CALL, Kind.LATE])
def test_client_interrupted_at_any_line_of_its_engine_is_usable_or_closed(endpoint, kind):
    def call() -> None:
        with suppress(CallTimeout):
            client.within(0.02 if kind is Kind.LATE else 30.0).echo(b"x", kind)

    before = set(threading.enumerate())
    outcomes: Counter[str] = Counter()
    for line in itertools.count(1):
        client = EchoClient(endpoint)
        client.echo(b"connected")
        was_interrupted = interrupted_at(line, call)
        driver = client._driver
        if driver._engine._closed:
            outcomes["closed"] += 1
            with pytest.raises(ClientClosed, match=r"^the client is closed$"):
                client.echo(b"the next")
        else:
            outcomes["usable"] += 1
            assert client.echo(b"the next") == b"the next"
        client.close()
        assert driver._finished
        assert not [*driver._links, *driver._engine._tasks, *driver._poller.watched]
        if not was_interrupted:
            break
    assert line > 50
    assert outcomes["usable"]
    assert outcomes["closed"]
    eventually(lambda: set(threading.enumerate()) <= before)


@pytest.mark.parametrize(
    "program",
    [
        "client = EchoClient(endpoint); client.echo(b'x')",
        "client = EchoClient(endpoint); client.listen(1, 1000, print)",
        """
        client = EchoClient(endpoint)
        def call():
            with suppress(ClientClosed):
                client.echo(b'x', Kind.LATE)
        threading.Thread(target=call, daemon=True).start()
        client.sleep(0.1)
        """,
        """
        async def main():
            global client
            client = AsyncEchoClient(endpoint)
            await client.listen(1, 1000, lambda _: None)
            await client.echo(b'x')
        asyncio.run(main())
        """,
        """
        async def main():
            client = AsyncEchoClient(endpoint)
            call = asyncio.create_task(client.echo(b'x', Kind.LATE))
            await client.sleep(0.1)
        asyncio.run(main())
        """,
        """
        loop = asyncio.new_event_loop()
        async def main():
            client = AsyncEchoClient(endpoint)
            await client.echo(b'x')
            return client
        client = loop.run_until_complete(main())
        """,
    ],
    ids=[
        "after a call",
        "with a listener",
        "amid a call",
        "after a loop",
        "after a loop, amid a call",
        "with a loop",
    ],
)
def test_the_interpreter_ends_with_a_client_open(endpoint, program):
    source = f"""
import asyncio
import threading
from contextlib import suppress
from kit.certificates import Authority
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_session import Kind
from jvmwire._runtime import connection, engine, poller
from jvmwire.errors import CallTimeout, ClientClosed
from jvmwire.transports import Tcp, Tls
endpoint = Tcp({endpoint.host!r}, {endpoint.port})
{textwrap.dedent(program)}
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::ResourceWarning", "-c", source],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")


BORROWS = re.compile(
    r"run_coroutine_threadsafe|run_in_executor|to_thread|\w+PoolExecutor|set_default_executor"
)
"""Calls that build one style of client on the other, or hide that something blocks."""

MAY_BORROW = {
    "transports/_tcp_async.py": "TLS's files are read, and a key's password may be asked for",
    "transports/_child.py": "a child's end is waited for",
    "_cli/sql.py": "a command: DuckDB, while it works, notices no Ctrl-C",
    "capture/_parallel.py": "parts of captures are decoded, as many at a time as there are cores",
    "hadoop/sasl/_authentication.py": "a KDC is asked",
    "hadoop/server/_dispatch.py": "a server's functions block if they like",
    "hadoop/server/_server.py": "who starts a server may be no coroutine",
    "hazelcast/testing/_double.py": "who controls a double may be no coroutine",
    "pravega/streams/_call_starter.py": "a signal must not interrupt gRPC's start of a call",
    "pravega/testing/_controller.py": "gRPC's server runs beside the double's loop",
    "pravega/testing/_double.py": "who controls a double may be no coroutine",
    "report/_findings/__init__.py": "a report's questions are answered side by side",
    "spark/_planning.py": "captures are indexed, as many at a time as there are cores",
}


def test_neither_style_of_client_is_made_of_the_other():
    package = Path(jvmwire.__path__[0])
    sources = {
        path.relative_to(package).as_posix(): path.read_text() for path in package.rglob("*.py")
    }
    borrowing = {path for path, source in sources.items() if BORROWS.search(source)}
    assert "_runtime/sync.py" in sources
    assert borrowing == set(MAY_BORROW)
