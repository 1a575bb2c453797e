"""The echo session and its server, build/echo, are compatible."""

import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from jvmwire._runtime.session import Closed, Event, Failed, Opened, Pushed, Refused, Replies, Reply
from jvmwire.errors import RemoteProtocolError, ServerError
from kit.echo_server import EchoServer
from kit.echo_session import Batch, Command, Echo, EchoSession, Kind, Subscribe, each, frame

NOW = 100.0


@pytest.fixture(scope="module")
def server() -> Iterator[EchoServer]:
    with EchoServer() as server:
        yield server


class Talk:
    """A session over a blocking socket."""

    def __init__(self, server: EchoServer, **options: Any) -> None:
        self.session = EchoSession(**options)
        self.socket = socket.create_connection(server.address, 30)
        self._events: list[Event] = []
        assert self.next(1) == [Opened()]

    def send(self, *commands: tuple[int, Command]) -> None:
        for call_id, command in commands:
            self.session.send(command, call_id)

    def next(self, count: int) -> list[Event]:
        """Write the outgoing bytes, and return the next events."""
        self.socket.sendall(self.session.data_to_send(NOW))
        while len(self._events) < count:
            self.session.receive_data(self.socket.recv(1 << 16))
            self._events += self.session.events()
        events, self._events = self._events[:count], self._events[count:]
        return events


@pytest.fixture
def talk(server: EchoServer) -> Iterator[Talk]:
    talk = Talk(server)
    with talk.socket:
        yield talk


def test_a_call_is_answered_with_its_payload(talk):
    talk.send((1, Echo(b"hello")), (2, Echo(b"")))
    assert talk.next(2) == [Reply(1, b"hello"), Reply(2, b"")]


def test_a_late_call_is_answered_after_the_next_one(talk):
    talk.send((1, Echo(b"one", Kind.LATE)), (2, Echo(b"two", Kind.LATE)), (3, Echo(b"three")))
    assert talk.next(3) == [Reply(3, b"three"), Reply(1, b"one"), Reply(2, b"two")]


def test_a_refusal_says_why(talk):
    talk.send((1, Echo(b"not today", Kind.REFUSE)))
    [refused] = talk.next(1)
    assert isinstance(refused, Refused)
    assert refused.call_id == 1
    assert isinstance(refused.error, ServerError)
    assert str(refused.error) == "not today"


def test_a_listener_is_pushed_what_it_subscribed_to(talk):
    talk.send((1, Subscribe(9, 3)))
    numbers = [n.to_bytes(8, "big") for n in range(3)]
    assert talk.next(4) == [Reply(1, b""), *(Pushed(9, number) for number in numbers)]


def test_a_goodbye_ends_the_conversation(talk):
    talk.send((1, Echo(b"too late", Kind.FAIL)))
    [failed] = talk.next(1)
    assert isinstance(failed, Failed)
    assert str(failed.error) == "too late"
    assert talk.session.next_event() == Closed()


def test_a_batch_is_answered_in_bulk(talk):
    payloads = np.arange(16_000).astype(np.uint8).reshape(2000, 8)
    talk.send((1, Batch(payloads[:1000])), (1001, Echo(b"x")), (1002, Batch(payloads[1000:])))
    heard: list[Event] = []
    rows: list[Any] = []
    while len(rows) < 2001:
        heard += talk.next(1)
        rows += each(heard[-1])
    replies = [event for event in heard if isinstance(event, Replies)]
    assert {reply.call_id for reply in replies} == {1, 1002}
    assert sum(reply.count for reply in replies) == 2000
    assert np.array_equal(np.concatenate([r.message for r in replies]), payloads)
    assert rows[1000] == Reply(1001, b"x")


def test_a_reply_to_a_batch_that_has_another_size_is_the_peers_fault(talk):
    for payload in (b"", b"seven b", b"nine byte"):
        session = EchoSession()
        session.receive_data(frame(Kind.HELLO, 0))
        assert list(session.events()) == [Opened()]
        session.send(Batch(np.zeros((2, 8), np.uint8)), 5)
        session.receive_data(frame(Kind.CALL, 5, payload))
        with pytest.raises(RemoteProtocolError, match="call 5"):
            session.next_event()


def test_a_heartbeat_is_due_when_nothing_was_written_for_the_interval(server):
    talk = Talk(server, heartbeat=5.0)
    with talk.socket:
        assert talk.session.next_timeout() == NOW + 5
        talk.session.handle_timeout(NOW + 4.9)
        assert not talk.session.data_to_send(NOW + 4.9)
        talk.session.handle_timeout(NOW + 5)
        assert bytes(talk.session.data_to_send(NOW + 5)) == frame(Kind.HEARTBEAT, 0)
        assert talk.session.next_timeout() == NOW + 10
        talk.socket.sendall(frame(Kind.HEARTBEAT, 0))
        assert talk.socket.recv(100) == frame(Kind.HEARTBEAT, 0)


def test_a_frame_of_an_impossible_length_is_the_peers_fault_and_ends_the_connection(server, talk):
    for length in (7, (1 << 24) + 1):
        wrong = length.to_bytes(4, "big") + bytes(8)
        session = EchoSession()
        session.receive_data(wrong)
        with pytest.raises(RemoteProtocolError, match=str(length)):
            session.next_event()
        with socket.create_connection(server.address, 30) as client:
            client.sendall(wrong)
            assert client.recv(1) == b""


def test_the_server_answers_all_of_a_client_that_writes_much_before_it_reads(talk):
    payload = bytes(1 << 16)
    count = 200
    for call_id in range(count):
        talk.send((call_id, Echo(payload)))
    data = memoryview(talk.session.data_to_send(NOW))
    talk.socket.setblocking(False)
    heard = 0
    while heard < count:
        try:
            data = data[talk.socket.send(data) :] if data else data
        except BlockingIOError:  # it has stopped reading: then this side must read
            talk.socket.setblocking(True)
        else:
            if data:
                continue
            talk.socket.setblocking(True)
        talk.session.receive_data(talk.socket.recv(1 << 20))
        heard += sum(1 for event in talk.session.events() if isinstance(event, Reply))
        talk.socket.setblocking(False)
    assert not data


def test_the_server_ends_with_who_started_it_and_its_connections_with_it():
    with EchoServer() as server:
        talk = Talk(server)
    with talk.socket:
        assert talk.next(1) == [Closed()]
    with EchoServer() as server:
        talk = Talk(server)
        server.kill()
    with talk.socket:
        assert talk.next(1) == [Closed()]
