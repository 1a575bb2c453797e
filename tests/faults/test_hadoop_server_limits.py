"""jvmwire's server under overload, with idle clients, and when it stops."""

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path

import pytest

from jvmwire._core import HadoopReplyDecoder
from jvmwire.errors import ConnectFailed
from jvmwire.hadoop import HadoopError, HadoopOptions
from jvmwire.hadoop.errors import Retriable
from jvmwire.hadoop.rpc._interface import Interface, Method
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.server import Caller, RpcServer, RpcServerOptions
from jvmwire.options import NEVER
from jvmwire.transports import Recorder, Tcp
from kit import wire
from kit.hadoop_echo import Echo, EchoService, Ping, PingService
from kit.hadoop_protocols import Groups, GroupsService
from kit.polling import eventually
from kit.rows import decode_capture
from kit.user_mappings_pb2 import GetGroupsForUserRequestProto

PATIENCE = 60.0
OPENED = wire.connection_header() + wire.context("alice", "ping")
RETRIABLE = "org.apache.hadoop.ipc.RetriableException"


class Held:
    """Service whose calls last until they are released."""

    def __init__(self) -> None:
        self.begun = 0
        self._may_end = threading.Event()
        self._counting = threading.Lock()

    def ping(self) -> str:
        """Count, wait, and reply."""
        with self._counting:
            self.begun += 1
        assert self._may_end.wait(PATIENCE)
        return "pong"

    def let_go(self) -> None:
        """Release all calls."""
        self._may_end.set()


class Large(Interface, protocol="large", version=1):
    """Protocol with large results."""

    def fill(self) -> bytes:
        """Return a large result."""
        raise NotImplementedError


class Lengthy:
    """Service with large results."""

    async def fill(self) -> bytes:
        """Return a value of 900 KB on the wire: each byte follows its class."""
        return bytes(1 << 17)


class Conversation:
    """A client that sends plain bytes."""

    def __init__(self, port: int, opening: bytes = OPENED) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine="writable")
        self._socket.sendall(opening)

    def say(self, data: bytes) -> None:
        """Write bytes."""
        self._socket.sendall(data)

    def answers(self) -> Iterator[tuple[int, str]]:
        """Yield the id of each answered call, and its status, to the end of the connection."""
        while True:
            while (answer := self._decoder.next_response()) is not None:
                yield answer.call_id, answer.failure[0] or answer.kind
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionResetError:
                return
            if not data:
                # Each reply is complete.
                assert not self._decoder.buffered
                return
            self._decoder.feed(data)

    def answer(self) -> tuple[int, str]:
        """Return the next reply."""
        return next(self.answers())

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


@pytest.fixture
def ending() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def serve(ending: ExitStack, service: object, options: RpcServerOptions) -> RpcServer:
    server = ending.enter_context(RpcServer(options))
    server.add(Ping, service)
    server.add(Echo, EchoService())
    server.start()
    return server


def converse(ending: ExitStack, server: RpcServer, opening: bytes = OPENED) -> Conversation:
    conversation = Conversation(server.port, opening)
    ending.callback(conversation.close)
    return conversation


def hold(ending: ExitStack) -> Held:
    held = Held()
    # Even if the test fails: a server waits for the calls that it has accepted.
    ending.callback(held.let_go)
    return held


def test_who_calls_when_the_queue_is_full_is_told_to_come_again(ending: ExitStack) -> None:
    with RpcServer(RpcServerOptions(threads=1, call_queue=2)) as server:
        held = hold(ending)
        server.add(Ping, held)
        server.start()
        conversation = converse(ending, server)
        conversation.say(b"".join(map(wire.invocation, range(3))))
        assert conversation.answer() == (2, RETRIABLE)
        assert server.metrics.too_busy == 1
        alone = HadoopOptions(retry=NEVER)
        with connect(Ping, Tcp("127.0.0.1", server.port), alone) as ping:
            with pytest.raises(Retriable, match="Server too busy"):
                ping.ping()
            held.let_go()
            assert {conversation.answer(), conversation.answer()} == {
                (0, "success"),
                (1, "success"),
            }
            assert ping.ping() == "pong"
        assert server.method_metrics["ping.ping"].calls == 3


def test_who_connects_when_there_are_too_many_is_turned_away(ending: ExitStack) -> None:
    server = serve(ending, PingService(), RpcServerOptions(max_connections=2))
    first, second = (converse(ending, server) for _ in range(2))
    for conversation in (first, second):
        conversation.say(wire.invocation(0))
        assert conversation.answer() == (0, "success")
    turned_away = converse(ending, server, b"")
    assert list(turned_away.answers()) == []
    assert (server.metrics.rejected, server.metrics.connections) == (1, 2)
    first.close()
    eventually(lambda: server.metrics.connections == 1)
    third = converse(ending, server)
    for conversation in (second, third):
        conversation.say(wire.invocation(1))
        assert conversation.answer() == (1, "success")


def test_connections_without_calls_make_room_where_there_are_many(ending: ExitStack) -> None:
    held = hold(ending)
    server = serve(ending, held, RpcServerOptions(idle_timeout=0.1, idle_threshold=0))
    busy = converse(ending, server, OPENED + wire.invocation(5))
    idle = [converse(ending, server) for _ in range(3)]
    for conversation in idle:
        assert list(conversation.answers()) == []
    assert server.metrics.timeouts == len(idle)
    held.let_go()
    assert busy.answer() == (5, "success")


def test_idle_connections_stay_where_there_is_room(ending: ExitStack) -> None:
    server = serve(ending, PingService(), RpcServerOptions(idle_timeout=0.1, frame_timeout=0.1))
    idle, slow = converse(ending, server), converse(ending, server)
    slow.say(wire.invocation(0)[:9])
    # The check has examined all connections when this one is closed.
    assert list(slow.answers()) == []
    idle.say(wire.invocation(1))
    assert idle.answer() == (1, "success")
    assert server.metrics.timeouts == 1


def test_who_does_not_read_is_ended_and_others_are_served(ending: ExitStack) -> None:
    server = serve(ending, PingService(), RpcServerOptions(write_timeout=0.3))
    server.add(Large, Lengthy())
    deaf = converse(ending, server, wire.connection_header() + wire.context("eve", "large"))
    question = wire.invocation(0, "fill", protocol="large")
    with connect(Ping, Tcp("127.0.0.1", server.port)) as ping:
        try:
            while not server.metrics.timeouts:
                deaf.say(question)
                assert ping.ping() == "pong"
        except (BrokenPipeError, ConnectionResetError):
            pass
        eventually(lambda: server.metrics.timeouts == 1)
        assert ping.ping() == "pong"


def test_who_begins_more_than_there_is_room_for_is_cut_off_and_others_go_on(
    ending: ExitStack,
) -> None:
    server = serve(ending, PingService(), RpcServerOptions(buffer_limit=100_000))
    opening = wire.connection_header() + wire.context("alice", "test.Echo")
    text = wire.writable("java.lang.String", wire.utf8("x" * 60_000))
    large = wire.invocation(0, "ping", text, protocol="test.Echo", version=42)
    both = [converse(ending, server, opening + large[:-1]) for _ in range(2)]
    eventually(lambda: (server.metrics.accepted, server.metrics.connections) == (2, 1))
    # The order of the two is not known.
    answered = []
    for conversation in both:
        with suppress(ConnectionError):
            conversation.say(large[-1:])
        answered.append(list(islice(conversation.answers(), 1)))
    assert sorted(answered) == [[], [(0, "success")]]
    # The partial data of the other takes no room any more.
    third = converse(ending, server, opening + large)
    assert third.answer() == (0, "success")


def test_a_server_that_stops_answers_what_it_has_taken_on(ending: ExitStack) -> None:
    held = hold(ending)
    server = serve(ending, held, RpcServerOptions(threads=4))
    conversations = [converse(ending, server) for _ in range(4)]
    for conversation in conversations:
        conversation.say(b"".join(map(wire.invocation, range(64))))
    eventually(lambda: server.metrics.open_calls == 4 * 64 and held.begun == 4)
    stopping = threading.Thread(target=server.stop, kwargs={"grace": PATIENCE})
    stopping.start()
    stopping.join(0.5)
    # Whether or not the call has begun: the server does not end before the calls that it has
    # accepted.
    assert stopping.is_alive()
    held.let_go()
    answered = [Counter(conversation.answers()) for conversation in conversations]
    stopping.join()
    for answers in answered:
        assert answers == Counter({(call_id, "success"): 1 for call_id in range(64)})
    assert held.begun == 4 * 64
    with pytest.raises(ConnectFailed):
        connect(Ping, Tcp("127.0.0.1", server.port), HadoopOptions(retry=NEVER)).ping()


def test_a_server_that_stops_lets_who_reads_late_and_talks_on_read_to_the_end(
    ending: ExitStack,
) -> None:
    server = serve(ending, PingService(), RpcServerOptions())
    server.add(Large, Lengthy())
    opening = wire.connection_header() + wire.context("eve", "large")
    conversations = [converse(ending, server, opening) for _ in range(4)]
    for conversation in conversations:
        conversation.say(wire.invocation(0, "fill", protocol="large"))
    begun = len(conversations)
    eventually(lambda: sum(it.calls for it in server.method_metrics.values()) == begun)
    stopping = threading.Thread(target=server.stop, kwargs={"grace": PATIENCE})
    stopping.start()
    for conversation in conversations:
        for call_id in range(1, 64):
            with suppress(ConnectionError):  # a client with all its replies is not waited for
                conversation.say(wire.invocation(call_id, "fill", protocol="large"))
    answered = [dict(conversation.answers()) for conversation in conversations]
    for conversation in conversations:
        conversation.close()
    stopping.join()
    for answers in answered:
        assert answers[0] == "success"


def test_each_method_is_counted_and_each_call_is_in_the_audit_log(
    ending: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    def authorize(_: Caller, method: Method) -> None:
        if method.name == "not":
            raise PermissionError("not you")

    server = serve(ending, PingService(), RpcServerOptions(authorize=authorize))
    options = HadoopOptions(user="alice", caller_context="a job", retry=NEVER)
    with (
        caplog.at_level("INFO", "jvmwire.hadoop.audit"),
        connect(Echo, Tcp("127.0.0.1", server.port), options) as echo,
    ):
        assert [echo.add(1, 2), echo.add(3, 4)] == [3, 7]
        assert echo.slow(30) == "slept"
        with pytest.raises(HadoopError, match="nothing there"):
            echo.fail("nothing there")
        with pytest.raises(HadoopError, match="not you"):
            echo.not_(True)
    counted = server.method_metrics
    calls = {name: (found.calls, found.errors) for name, found in counted.items()}
    assert calls == {"Echo.add": (2, 0), "Echo.slow": (1, 0), "Echo.fail": (1, 1)}
    assert counted["Echo.slow"].longest_seconds >= 0.03
    assert counted["Echo.slow"].processing_seconds >= counted["Echo.slow"].longest_seconds
    audited = [message for message in caplog.messages if "call=test.Echo." in message]
    assert [message.partition(" id=")[0] for message in audited] == [
        f"user=alice real=None address=127.0.0.1:{port_of(audited[0])} call=test.Echo.{method}"
        for method in ("add", "add", "slow", "fail", "not")
    ]
    assert [message.partition("context=")[2] for message in audited] == [
        f'"a job" outcome={outcome}'
        for outcome in (
            "ok",
            "ok",
            "ok",
            "java.io.FileNotFoundException",
            "org.apache.hadoop.security.AccessControlException",
        )
    ]


def test_what_a_server_recorded_decodes_to_the_calls_of_its_audit_log(
    ending: ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    capture = tmp_path / "server.pcap"
    with (
        capture.open("wb") as file,
        Recorder(file) as recorder,
        RpcServer(RpcServerOptions(recorder=recorder)) as server,
    ):
        server.add(Echo, EchoService())
        server.add(Groups, GroupsService())
        endpoint = Tcp("127.0.0.1", server.start())
        options = HadoopOptions(user="alice", retry=NEVER)
        with (
            caplog.at_level("INFO", "jvmwire.hadoop.audit"),
            connect(Echo, endpoint, options) as echo,
            connect(Groups, endpoint, options) as groups,
        ):
            for number in range(20):
                assert echo.add(number, 1) == number + 1
                with pytest.raises(HadoopError, match="nothing there"):
                    echo.fail("nothing there")
                groups.get_groups_for_user(GetGroupsForUserRequestProto(user=f"u{number}"))
            assert echo.bytes(bytes(50_000)) == b"\x55" * 50_000
    found = decode_capture(capture.read_bytes())
    assert found.errors() == []
    recorded = [
        (call["client"], call["id"], call["user"], call["name"], call["error_class"] or "ok")
        for call in found.calls
    ]
    logged = []
    for message in caplog.messages:
        told = dict(word.split("=", 1) for word in message.split())
        name = ".".join(told["call"].rsplit(".", 2)[1:])
        logged.append((told["address"], told["id"], told["user"], name, told["outcome"]))
    assert sorted(recorded) == sorted(logged)
    assert len(logged) == 61


def port_of(message: str) -> str:
    return message.partition("127.0.0.1:")[2].partition(" ")[0]


def test_calls_are_carried_out_though_the_system_starts_no_more_threads(
    ending: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    server = serve(ending, PingService(), RpcServerOptions())
    conversation = converse(ending, server)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        conversation.say(b"".join(map(wire.invocation, range(20))))
        answered = dict(islice(conversation.answers(), 20))
        assert answered == dict.fromkeys(range(20), "success")
