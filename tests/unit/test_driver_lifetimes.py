"""Clients begin, fork and end without leaving anything behind."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import jvmwire
from jvmwire.errors import LocalProtocolError
from jvmwire.transports import Tcp
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import Kind
from kit.resources import steady


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Tcp]:
    with EchoServer() as server:
        yield Tcp(*server.address)


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
    async def call() -> None:
        async with AsyncEchoClient(endpoint) as client:
            await client.echo(b"")
            await client.listen(1, 3, lambda _message: None)
            assert ours() == []

    with steady():
        for _ in range(20):
            asyncio.run(call())


def test_a_forked_child_may_not_use_its_parents_client_and_does_it_no_harm(endpoint):
    with EchoClient(endpoint) as client:
        client.echo(b"before")
        child = os.fork()
        if child == 0:
            try:
                client.echo(b"in the child")
            except LocalProtocolError as error:
                refused = "belongs to the parent process" in str(error)
                client.close()
                os._exit(0 if refused else 1)
            os._exit(2)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert client.echo(b"after") == b"after"


def test_a_child_that_was_forked_amid_calls_may_make_clients_of_its_own(endpoint):
    stop = threading.Event()

    def call(client: EchoClient) -> None:
        while not stop.is_set():
            client.echo(b"busy")

    with EchoClient(endpoint) as client:
        callers = [threading.Thread(target=call, args=(client,)) for _ in range(4)]
        for caller in callers:
            caller.start()
        try:
            for _ in range(10):
                child = os.fork()
                if child == 0:
                    with EchoClient(endpoint) as mine:
                        os._exit(0 if mine.echo(b"mine") == b"mine" else 1)
                _, status = os.waitpid(child, 0)
                assert os.waitstatus_to_exitcode(status) == 0
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


def test_a_copy_with_another_timeout_keeps_the_client_alive(endpoint):
    client = EchoClient(endpoint).within(5.0)
    gc.collect()
    assert client.echo(b"alive") == b"alive"
    client.close()


@pytest.fixture
def interruptible():
    # What is started in the background begins with interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_the_call_and_not_the_client(endpoint):
    def interrupt() -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    with EchoClient(endpoint) as client:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            client.echo(b"held", Kind.LATE)
        assert client.echo(b"the next") == b"the next"
        assert client.late_replies() == 1


@pytest.mark.parametrize(
    "program",
    [
        "client = EchoClient(endpoint); client.echo(b'x')",
        "client = EchoClient(endpoint); client.listen(1, 1000, print)",
        """
        client = EchoClient(endpoint)
        def call():
            with suppress(LocalProtocolError):
                client.echo(b'x', Kind.LATE)
        threading.Thread(target=call, daemon=True).start()
        client.sleep(0.1)
        """,
    ],
    ids=["after a call", "with a listener", "amid a call"],
)
def test_the_interpreter_ends_with_a_client_open(endpoint, program):
    source = f"""
import threading
from contextlib import suppress
from kit.echo_client import EchoClient
from kit.echo_session import Kind
from jvmwire.errors import LocalProtocolError
from jvmwire.transports import Tcp
endpoint = Tcp({endpoint.host!r}, {endpoint.port})
{textwrap.dedent(program)}
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::ResourceWarning", "-c", source],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_neither_driver_borrows_from_the_other():
    package = Path(jvmwire.__path__[0])
    # Others may: host names are looked up in a thread, a KDC is asked in one, servers run in one.
    sources = {path: path.read_text() for path in (package / "drivers").rglob("*.py")}
    assert package / "drivers" / "sync.py" in sources
    for forbidden in ("run_coroutine_threadsafe", "run_in_executor", "to_thread"):
        assert [path for path, source in sources.items() if forbidden in source] == []
