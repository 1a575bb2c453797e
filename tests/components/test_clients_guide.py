"""The examples of docs/clients.md work as written."""

import re
import socket
import threading
from contextlib import suppress

from jvmwire.hadoop.testing import NameNodeDouble
from kit.certificates import Authority
from kit.command import jvmwire
from kit.environment import ROOT
from kit.guide import GUIDE, commands, run_python
from kit.servers import serving

PAGE = GUIDE / "clients.md"


def test_the_pages_examples_run(ca: Authority, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    # Otherwise the level that the page sets would stay.
    caplog.set_level("DEBUG", "jvmwire.wire")
    with NameNodeDouble() as double:
        port = int(double.url.rpartition(":")[2])

        def relay(outside: socket.socket) -> None:
            with socket.create_connection(("127.0.0.1", port)) as inside:
                back = threading.Thread(target=carry, args=(inside, outside))
                back.start()
                carry(outside, inside)
                back.join()

        with serving(relay, tls=ca.server()) as secured:
            replacing = {
                "localhost:8020": f"127.0.0.1:{port}",
                '"localhost", 8020': f'"127.0.0.1", {port}',
                '"localhost", 8443': f'"localhost", {secured}',
                '"ca.pem"': f'"{ca.file}"',
            }
            run_python("clients.md", tmp_path, replacing)
    sent = [record.getMessage() for record in caplog.records if record.name == "jvmwire.wire"]
    assert any("GetFileInfo" in line for line in sent)
    [shown] = commands("clients.md")
    done = jvmwire(*shown.words[1:])
    assert done.stdout.decode().splitlines() == list(shown.output)


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
    told = re.findall(r"^\| `(jvmwire[\w.]*)` \|", PAGE.read_text(), re.MULTILINE)
    assert sorted(told) == sorted(used)
