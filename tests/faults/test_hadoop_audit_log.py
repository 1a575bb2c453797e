"""The audit log of a server: one line per call, for any bytes that the caller sends."""

import logging
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from kit import wire
from kit.hadoop_echo import Echo, EchoService
from kit.polling import eventually

FORGED = (
    "x real=None address=10.9.9.9:1 call=ping.ping id=1 retry=0 context=None outcome=ok\n"
    "user=admin\r real=None address=10.0.0.9:1 call=a.b id=0 retry=0 context=None outcome=ok"
    '\x1b[2J\x9b31m\u202e\u2028" \\" real=None'
)
VALUE = r'(None|[A-Za-z0-9_.:/@$<>\[\]%+-]+|"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\.)*"(?:\+\d+)?)'
LINE = re.compile(
    rf"user={VALUE} real={VALUE} address={VALUE} call={VALUE}\.{VALUE} id=(-?\d+) retry=(-?\d+) "
    rf"context={VALUE} outcome={VALUE}"
)


@pytest.fixture
def audit_log(tmp_path: Path) -> Iterator[Path]:
    """The file of a logger that writes only messages."""
    logger, path = logging.getLogger("jvmwire.hadoop.audit"), tmp_path / "audit.log"
    handler = logging.FileHandler(path, encoding="utf-8")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield path
    logger.setLevel(logging.NOTSET)
    logger.removeHandler(handler)
    handler.close()


def forged_context(protocol: str, user: str | bytes) -> bytes:
    """Encode a connection context with a real user."""
    who = wire.content(1, user) + wire.content(2, FORGED)
    head = wire.request_header(wire.CONTEXT_ID, retry=-1)
    return wire.frame(head, wire.delimited(wire.content(2, who) + wire.content(3, protocol)))


def conversation(user: str | bytes) -> list[bytes]:
    """Return calls that the server does not serve, with forged values in all fields."""
    context = wire.content(7, wire.content(1, FORGED) + wire.content(2, "a signature"))
    return [
        wire.connection_header() + forged_context(FORGED, user),
        wire.call(0, FORGED, protocol=FORGED, more=context),
        wire.call(1, FORGED, protocol="test.Echo", retry=7, more=context),
        wire.call(2, "echo", b"\xff" * 9, protocol=FORGED, more=context),
        wire.invocation(3, FORGED, protocol=FORGED),
        wire.invocation(4, "add\nuser=admin", protocol="test.Echo"),
    ]


@pytest.mark.parametrize("user", [FORGED, "al\nice", "alice"], ids=["line", "short", "plain"])
def test_a_forged_call_that_is_refused_is_one_line_of_the_audit_log(
    audit_log: Path, user: str
) -> None:
    sent = conversation(user)
    with RpcServer(RpcServerOptions(on_connect=lambda _caller: None)) as server:
        server.add(Echo, EchoService())
        with socket.create_connection(("127.0.0.1", server.start("127.0.0.1", 0))) as peer:
            peer.settimeout(30)
            port = peer.getsockname()[1]
            peer.sendall(b"".join(sent))
            for _ in sent[1:]:
                [length] = struct.unpack(">i", peer.recv(4, socket.MSG_WAITALL))
                peer.recv(length, socket.MSG_WAITALL)
        eventually(lambda: len(audit_log.read_text(encoding="utf-8").split("\n")) == len(sent))
    text = audit_log.read_text(encoding="utf-8")
    assert not re.search("(?!\n)[\x00-\x1f\x7f-\x9f\u2028\u202e]", text)
    found = [LINE.fullmatch(line) for line in text.splitlines()]
    assert len(found) == len(sent) - 1
    calls = sorted((match.groups() for match in found if match is not None), key=lambda f: f[5])
    assert [call[5] for call in calls] == ["0", "1", "2", "3", "4"]
    for call in calls:
        assert call[2] == f"127.0.0.1:{port}"
        assert (call[0] == "alice") == (user == "alice")
        assert call[8] not in {"ok", "None"}
    assert calls[1][6] == "7"
    assert "a signature" not in text
