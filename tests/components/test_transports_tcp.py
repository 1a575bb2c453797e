"""TCP: sent bytes arrive, and failures are reported."""

import asyncio
import os
import pickle
import re
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from typing import Any, Protocol

import pytest
import uvloop

from jvmwire import ConfigError, ConnectFailed, ConnectionLost
from jvmwire._escaping import quote
from jvmwire.transports import Tcp, _happy_eyeballs, _happy_eyeballs_async
from jvmwire.transports._deadline import Deadline
from jvmwire.transports._deadline_async import AsyncDeadline
from jvmwire.transports._happy_eyeballs import Candidate, ConnectAttempts
from jvmwire.transports._transport import never_cancelled
from kit.environment import PYTHONPATH
from kit.namespace import Doors
from kit.servers import echo, listening, serving, unanswering
from kit.transport_adapters import SOON, STYLES, Connect

pytestmark = pytest.mark.usefixtures("no_leak")

MUCH = os.urandom(5_000_000)
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds


def connected_socket(transport: Any) -> socket.socket:
    """Return a copy of the socket of a transport of either style."""
    if hasattr(transport, "read_fd"):
        return socket.socket(fileno=os.dup(transport.read_fd))
    return socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))


def v4(port: int) -> Candidate:
    return Candidate(socket.AF_INET, ("127.0.0.1", port))


class Racing(Protocol):
    def __call__(
        self,
        candidates: list[Candidate],
        *,
        timeout: float = SOON,
        sock: socket.socket | None = None,
    ) -> socket.socket: ...


@pytest.fixture(params=STYLES)
def racing(request: pytest.FixtureRequest) -> Racing:
    """The race, in each style."""

    def opened(candidate: Candidate) -> socket.socket:
        sock = socket.socket(candidate.family)
        sock.settimeout(0)
        return sock

    def run(
        candidates: list[Candidate],
        *,
        timeout: float = SOON,
        sock: socket.socket | None = None,
    ) -> socket.socket:
        entrants = ConnectAttempts(
            "here", deque(candidates), opened if sock is None else lambda _: sock
        )
        if request.param == "blocking":
            return _happy_eyeballs.run(entrants, Deadline("here", timeout, never_cancelled))
        factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop
        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(run_async(entrants, timeout))

    async def run_async(entrants: ConnectAttempts, timeout: float) -> socket.socket:
        return await _happy_eyeballs_async.run(entrants, AsyncDeadline("here", timeout))

    return run


def test_what_is_sent_arrives_and_comes_back(connect: Connect):
    with serving(echo) as port:
        line = connect(Tcp("127.0.0.1", port))
        line.send(MUCH)
        assert line.read(len(MUCH)) == MUCH
        line.close()


def test_a_name_is_resolved(connect: Connect):
    with serving(echo) as port:
        line = connect(Tcp("localhost", port))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


def test_an_address_of_ipv6_is_taken(connect: Connect):
    with serving(echo, host="::1") as port:
        line = connect(Tcp("::1", port))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


def test_the_end_of_the_stream_comes_after_what_was_said(connect: Connect):
    with serving(lambda connection: connection.sendall(MUCH)) as port:
        assert connect(Tcp("127.0.0.1", port)).read_to_end() == MUCH


def test_a_reset_connection_is_lost(connect: Connect):
    with listening() as listener:
        line = connect(Tcp("127.0.0.1", listener.getsockname()[1]))
        peer, _ = listener.accept()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        peer.close()
        with pytest.raises(
            ConnectionLost, match="the connection was lost: Connection reset by peer"
        ):
            line.read_to_end()


def test_small_writes_go_at_once_and_a_silent_peer_is_probed(connect: Connect):
    with listening() as listener:
        line = connect(Tcp("127.0.0.1", listener.getsockname()[1], keep_alive=20.0))
        with connected_socket(line.transport) as sock:
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 20
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 80_000


def test_a_peer_that_goes_dark_while_it_owes_an_acknowledgement_is_lost():
    alone = [*Doors(0).launcher(), sys.executable, "-m", "kit.blackhole_peer"]
    seeing = os.environ | {"PYTHONPATH": PYTHONPATH}
    told = subprocess.run(alone, capture_output=True, text=True, check=False, env=seeing)
    lost = "ConnectionLost('the connection was lost: Connection timed out')"
    assert (told.stdout, told.stderr) == (f"{lost}\n", "")


def test_a_silent_peer_is_left_alone_if_so_wished(connect: Connect):
    with listening() as listener:
        line = connect(Tcp("127.0.0.1", listener.getsockname()[1], keep_alive=None))
        with connected_socket(line.transport) as sock:
            assert not sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_the_source_address_is_ours_to_choose(connect: Connect):
    with listening() as listener:
        port = listener.getsockname()[1]
        connect(Tcp("127.0.0.1", port, source_address="127.0.0.2"))
        peer, (host, _) = listener.accept()
        peer.close()
        assert host == "127.0.0.2"


def test_a_refusal_names_the_address_and_the_reason(connect: Connect):
    with listening() as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ConnectFailed) as failure:
        connect(Tcp("127.0.0.1", port))
    said = f"cannot connect to 127.0.0.1:{port}: Connection refused"
    assert str(failure.value) == said


def test_a_source_address_of_another_family_is_refused(connect: Connect):
    with listening() as listener, pytest.raises(ConnectFailed, match=r"127\.0\.0\.1:\d+: Address"):
        connect(Tcp("127.0.0.1", listener.getsockname()[1], source_address="::1"))


@pytest.mark.parametrize("name", ["a..b", "x" * 70])
def test_a_name_that_cannot_be_one_is_refused(connect: Connect, name: str):
    with pytest.raises(ConnectFailed, match=r"cannot connect to .*: .*label"):
        connect(Tcp(name, 1))


def test_who_does_not_answer_in_time_is_named(connect: Connect):
    with unanswering() as listener:
        port = listener.getsockname()[1]
        with pytest.raises(ConnectFailed) as failure:
            connect(Tcp("127.0.0.1", port), timeout=1.0)
        assert str(failure.value) == (
            f"cannot connect to 127.0.0.1:{port}: no answer; no connection within 1 s"
        )


def test_who_no_longer_wants_to_connect_need_not_wait():
    wanted = threading.Event()
    wanted.set()
    with unanswering() as listener:
        port = listener.getsockname()[1]
        timer = threading.Timer(0.1, wanted.clear)
        timer.start()
        with pytest.raises(ConnectFailed, match="cancelled"):
            Tcp("127.0.0.1", port).connect(timeout=SOON * 10, cancelled=lambda: not wanted.is_set())
        timer.join()


def test_closing_ends_the_connection_though_another_process_holds_a_copy():
    with listening() as listener:
        transport = Tcp("127.0.0.1", listener.getsockname()[1]).connect(timeout=SOON)
        peer, _ = listener.accept()
        copy = os.dup(transport.read_fd)
        transport.close()
        transport.close()
        assert peer.recv(1) == b""
        os.close(copy)
        peer.close()


def test_a_closed_transport_is_lost():
    with listening() as listener:
        transport = Tcp("127.0.0.1", listener.getsockname()[1]).connect(timeout=SOON)
        assert transport.addresses is not None
        transport.close()
        assert transport.addresses is None
        with pytest.raises(ConnectionLost):
            transport.recv()
        with pytest.raises(ConnectionLost):
            transport.send(b"x")


def test_a_transport_never_blocks():
    with listening() as listener:
        transport = Tcp("127.0.0.1", listener.getsockname()[1]).connect(timeout=SOON)
        assert transport.recv() is None
        while transport.send(MUCH):
            pass
        transport.close()


# The race for the first address that answers.


def test_the_families_take_turns():
    six = [Candidate(socket.AF_INET6, ("::1", port, 0, 0)) for port in (1, 2, 3)]
    four = [Candidate(socket.AF_INET, ("127.0.0.1", port)) for port in (1, 2)]
    turns = _happy_eyeballs.interleave_families([*six, *four])
    assert list(turns) == [six[0], four[0], six[1], four[1], six[2]]


def test_an_address_that_does_not_answer_does_not_hold_up_the_next(racing: Racing):
    with unanswering() as silent, listening() as listener:
        candidates = [v4(silent.getsockname()[1]), v4(listener.getsockname()[1])]
        start = time.monotonic()
        with racing(candidates) as sock:
            assert sock.getpeername() == listener.getsockname()
        assert time.monotonic() - start >= _happy_eyeballs.ATTEMPT_DELAY


def test_after_a_refusal_the_next_address_is_tried_at_once(
    racing: Racing, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(_happy_eyeballs, "ATTEMPT_DELAY", SOON * 10)
    with listening() as gone:
        refused = gone.getsockname()[1]
    with listening() as listener, racing([v4(refused), v4(listener.getsockname()[1])]) as sock:
        assert sock.getpeername() == listener.getsockname()


def test_each_address_is_named_with_its_reason(racing: Racing, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_happy_eyeballs, "ATTEMPT_DELAY", SOON)
    with listening() as gone:
        refused = gone.getsockname()[1]
    with unanswering() as listener:
        silent = listener.getsockname()[1]
        with pytest.raises(ConnectFailed) as failure:
            racing([v4(refused), v4(silent), v4(silent)], timeout=1.0)
        assert str(failure.value) == (
            f"cannot connect to here: 127.0.0.1:{refused} (Connection refused), "
            f"127.0.0.1:{silent} (no answer), 127.0.0.1:{silent} (not tried); "
            "no connection within 1 s"
        )


def test_nobody_is_connected_to_himself(racing: Racing):
    with socket.socket() as mine:
        mine.bind(("127.0.0.1", 0))
        address = mine.getsockname()
        mine.setblocking(False)
        candidate = Candidate(socket.AF_INET, address)
        with pytest.raises(ConnectFailed, match="Connection refused"):
            racing([candidate], sock=mine)


# Endpoints as values.


def test_an_endpoint_is_a_value():
    endpoint = Tcp("nn1", 8020, keep_alive=5.0)
    assert endpoint == Tcp("nn1", 8020, keep_alive=5.0)
    assert endpoint != Tcp("nn1", 8020)
    assert len({endpoint, Tcp("nn1", 8020, keep_alive=5.0)}) == 1
    assert pickle.loads(pickle.dumps(endpoint)) == endpoint  # noqa: S301 # our own
    assert str(endpoint) == "nn1:8020"
    assert str(Tcp("::1", 8020)) == "[::1]:8020"


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_is_one_of_tcp(port: int):
    with pytest.raises(ConfigError, match=f"{port} is not a valid port: expected 1 to 65535"):
        Tcp("nn1", port)


@pytest.mark.parametrize("name", ["", "nn1\0"])
def test_a_host_has_a_name(name: str):
    with pytest.raises(ConfigError, match="is not a valid host name"):
        Tcp(name, 1)


@pytest.mark.parametrize("seconds", [0.0, 0.5, 40_000.0, float("nan")])
def test_keep_alive_is_what_the_kernel_can_count(seconds: float):
    with pytest.raises(ConfigError, match="keep_alive is"):
        Tcp("nn1", 1, keep_alive=seconds)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [("db:5701", "db", 5701), ("[::1]:80", "::1", 80), ("db", "db", 9), ("::1", "::1", 9)],
)
def test_an_endpoint_is_read_as_people_write_it(text, host, port):
    assert Tcp.parse(text, default_port=9) == Tcp(host, port)


@pytest.mark.parametrize(
    "text",
    ["", "db", ":80", "db:", "db:x", "::1:80", "[::1]", "db:0", "db:65536", "db:" + "9" * 5000],
)
def test_what_is_no_host_and_port_is_named(text):
    with pytest.raises(ConfigError, match=f"^{re.escape(quote(text))} is not host:port"):
        Tcp.parse(text)
