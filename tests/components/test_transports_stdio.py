"""Standard input and output as a connection: only the conversation crosses them."""

import os
import signal
import subprocess
import sys

import pytest

from kit.transport_adapters import SOON, STYLES

ECHO = """
import asyncio, os, select, subprocess, sys
import uvloop
from jvmwire import ConnectFailed
from jvmwire.transports import Stdio

print("printed before, but not flushed")


def noise():
    print("printed by us")
    subprocess.run(["echo", "printed by a child"])
    assert sys.stdin.read() == ""


def blocking():
    transport = Stdio().connect(timeout=1)
    noise()
    while True:
        select.select([transport.read_fd], [], [])
        data = transport.recv()
        if data == b"":
            break
        while data:
            select.select([], [transport.write_fd], [])
            data = data[transport.send(data) :]
    transport.close()
    transport.close()


class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.lost = asyncio.get_running_loop().create_future()

    def data_received(self, data):
        self.transport.write(data)

    def connection_lost(self, exc):
        self.lost.set_result(exc)


async def looping():
    echo = Echo()
    await Stdio().connect_async(echo, timeout=1)
    noise()
    assert await echo.lost is None


style = sys.argv[1]
if style == "blocking":
    blocking()
else:
    factory = uvloop.new_event_loop if style == "uvloop" else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(looping())
"""

AGAIN = """
from jvmwire import ConnectFailed
from jvmwire.transports import Stdio

transport = Stdio().connect(timeout=1)
try:
    Stdio().connect(timeout=1)
except ConnectFailed as error:
    print(error)
transport.close()
"""

FORKING = """
import os, sys, time
from jvmwire.transports import Stdio

transport = Stdio().connect(timeout=1)
if not os.fork():
    sys.exit()
os.wait()
assert not os.get_blocking(transport.read_fd)
assert not os.get_blocking(transport.write_fd)
child = os.fork()
if not child:
    time.sleep(30)
    os._exit(0)
transport.send(b"%d" % child)
transport.close()
"""


def run(
    program: str, *arguments: str, stdin: bytes | None = b""
) -> "subprocess.CompletedProcess[bytes]":
    """Run a program; without `stdin` it has /dev/null."""
    # The environment of the tests may request unbuffered output.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *arguments],
        stdin=subprocess.DEVNULL if stdin is None else None,
        input=stdin,
        capture_output=True,
        timeout=SOON,
        check=False,
        env=env,
    )


@pytest.mark.parametrize("style", STYLES)
def test_only_the_conversation_crosses_them(style: str):
    said = bytes(range(256)) * 4000
    done = run(ECHO, style, stdin=said)
    assert done.stdout == said, done.stderr
    assert done.returncode == 0, done.stderr
    printed = ["printed before, but not flushed", "printed by us", "printed by a child"]
    assert sorted(done.stderr.decode().splitlines()) == sorted(printed)


@pytest.mark.parametrize("style", ["asyncio", "uvloop"])
def test_asyncio_does_not_wait_for_what_it_cannot_wait_for(style: str):
    done = run(ECHO, style, stdin=None)
    said = b"standard input is nothing that asyncio can wait for: Operation not permitted"
    assert said in done.stderr


def test_they_are_taken_once():
    done = run(AGAIN)
    assert done.stderr.decode().splitlines() == ["standard input and output are taken already"]


def test_a_forked_child_neither_changes_them_nor_keeps_them_open():
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", FORKING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as component:
        assert component.stdout is not None
        child = int(component.stdout.read())
        os.kill(child, signal.SIGKILL)  # it is still alive
        assert component.wait() == 0
