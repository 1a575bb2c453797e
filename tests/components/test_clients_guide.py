"""The examples of docs/clients.md work as written."""

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from jvmwire.hadoop.server import RpcServer
from kit.certificates import Authority
from kit.command import jvmwire
from kit.environment import ROOT
from kit.guide import GUIDE, examples, run_python
from kit.hadoop_protocols import OldPing
from kit.servers import serving

PAGE = "clients.md"


class Pings:
    """Service that returns its argument after `pong=`; a long argument takes time."""

    async def ping(self, message: str) -> str:
        """Return the argument after `pong=`."""
        if "long" in message:
            await asyncio.sleep(1)
        return f"pong={message}"


@pytest.fixture
def port() -> Iterator[int]:
    with RpcServer() as server:
        server.add(OldPing, Pings())
        yield server.start("127.0.0.1", 0)


def test_the_pages_examples_run(port, ca: Authority, tmp_path, monkeypatch, caplog):
    def relay(outside: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", port)) as inside:
            back = threading.Thread(target=carry, args=(inside, outside))
            back.start()
            carry(outside, inside)
            back.join()

    monkeypatch.chdir(tmp_path)
    # Otherwise the level that the page sets would stay.
    caplog.set_level("DEBUG", "jvmwire.wire")
    with serving(relay, tls=ca.server()) as secured:
        replacing = {
            '"pings.example", 9000': f'"127.0.0.1", {port}',
            '"pings.example", 9443': f'"localhost", {secured}',
            '"ca.pem"': f'"{ca.file}"',
        }
        names = run_python(PAGE, replacing)
    assert names["seconds"]["ping"] > 0
    sent = [record.getMessage() for record in caplog.records if record.name == "jvmwire.wire"]
    assert any("call of ping.ping" in line for line in sent)
    [shown] = examples(PAGE, "console")
    command, *printed = shown.text.splitlines()
    done = jvmwire(*command.removeprefix("$ jvmwire ").split())
    assert done.stdout.decode().splitlines() == printed


def carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def test_the_page_names_all_loggers_of_ours():
    sources = (ROOT / "python" / "jvmwire").rglob("*.py")
    used = {
        name
        for source in sources
        for name in re.findall(r'get_?[lL]ogger\("(jvmwire[\w.]*)"\)', source.read_text())
    }
    told = re.findall(r"^\| `(jvmwire[\w.]*)` \|", (GUIDE / PAGE).read_text(), re.MULTILINE)
    assert sorted(told) == sorted(used)
