"""A forked child has no copy of its parent's connections, and does not disturb them."""

import subprocess
import sys

import pytest

from kit.transport_adapters import SOON

PROGRAM = """
import io, os, select, socket, ssl, sys
import threading
import trustme
from jvmwire.transports import Child, Recorder, Tap, Tcp, Tls


def descriptors():
    return {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in range(100) if is_open(fd)}


def is_open(fd):
    return os.path.lexists(f"/proc/self/fd/{fd}")


way = sys.argv[1]
capture = io.BytesIO()
if way == "child":
    endpoint = Child(["cat"], collect_stderr=True)
else:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    # The server is a process too: a fork and threads do not go together.
    if not os.fork():
        connection, _ = listener.accept()
        if way == "tls":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            trustme.CA().issue_cert("localhost").configure_cert(context)
            connection = context.wrap_socket(connection, server_side=True)
        while data := connection.recv(100):
            connection.sendall(data)
        os._exit(0)
    listener.close()
    endpoint = Tcp("127.0.0.1", port, tls=Tls(verify=False) if way == "tls" else None)
if way == "tap":
    endpoint = Tap(endpoint, Recorder(capture))

before = descriptors()
transport = endpoint.connect(timeout=30)


def ask(words):
    assert transport.send(words) == len(words)
    heard = b""
    while len(heard) < len(words):
        assert select.select([transport.read_fd], [], [], 30)[0]
        heard += transport.recv() or b""
    assert heard == words


ask(b"before")
recorded = capture.getvalue()
pid = os.fork()
if not pid:
    assert descriptors() == before
    del transport
    assert capture.getvalue() == recorded
    print("forked", flush=True)
    sys.exit(7)  # the interpreter ends as it does, and takes nothing down with it
assert os.waitpid(pid, 0) == (pid, 7 << 8)
ask(b"after")
transport.close()
print("closed")
"""


@pytest.mark.parametrize("way", ["tcp", "tls", "tap", "child"])
def test_a_forked_child_leaves_its_parents_connection_alone(way: str):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, way],
        capture_output=True,
        timeout=SOON,
        check=False,
    )
    assert done.stderr == b""
    assert done.stdout.decode().split() == ["forked", "closed"]
