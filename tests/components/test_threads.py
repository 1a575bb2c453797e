"""Clients and servers when the system starts no more threads."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from jvmwire._components import ComponentChannel, OutputCapture, Watchdog
from jvmwire.errors import ConnectFailed
from jvmwire.hadoop.server import RpcServer
from jvmwire.transports import Child, Tcp, Transport, memory_pair
from kit.echo_client import EchoClient
from kit.echo_server import EchoServer
from kit.echo_session import EchoSession
from kit.polling import eventually

TOO_LARGE = 1 << 46
"""Bytes of stack that no address space has: no thread can be started with it."""


@contextmanager
def no_thread_left() -> Iterator[None]:
    threading.stack_size(TOO_LARGE)
    try:
        yield
    finally:
        threading.stack_size(0)


@pytest.fixture
def endpoint() -> Iterator[Tcp]:
    with EchoServer() as server:
        yield Tcp(*server.address)


def test_a_client_that_gets_no_thread_says_so_and_connects_once_it_does(endpoint):
    with EchoClient(endpoint) as client:
        with no_thread_left(), pytest.raises(ConnectFailed, match=f"^cannot connect to {endpoint}"):
            client.echo(b"early")
        assert client.echo(b"later") == b"later"


def test_a_connection_without_a_thread_to_tend_it_is_none(endpoint, monkeypatch):
    dial = Tcp.connect

    def connect(self: Tcp, **options: Any) -> Transport:
        threading.stack_size(TOO_LARGE)  # the connector runs already
        return dial(self, **options)

    with EchoClient(endpoint) as client:
        monkeypatch.setattr(Tcp, "connect", connect)
        try:
            with pytest.raises(ConnectFailed, match=f"^cannot connect to {endpoint}: can't start"):
                client.echo(b"early")
        finally:
            threading.stack_size(0)
        monkeypatch.undo()
        assert client.echo(b"later") == b"later"


def test_a_name_that_no_thread_can_look_up_is_not_connected_to():
    with no_thread_left(), pytest.raises(ConnectFailed, match=r"^cannot connect to localhost:9: "):
        Tcp("localhost", 9).connect(timeout=1)


def test_a_child_that_nobody_can_listen_to_is_not_left_behind():
    with no_thread_left(), pytest.raises(ConnectFailed, match=r"^cannot listen to a child: "):
        Child(["sleep", "1000"], collect_stderr=True).connect(timeout=1)


@pytest.mark.usefixtures("no_leak")
def test_what_nobody_can_listen_to_goes_where_it_went():
    before = os.fstat(1), os.fstat(2)
    with no_thread_left(), pytest.raises(ConnectFailed, match=r"^cannot tell what is printed: "):
        OutputCapture(lambda _: None)
    assert all(os.path.samestat(*both) for both in zip(before, map(os.fstat, (1, 2)), strict=True))


def test_a_component_that_nobody_can_watch_is_not_begun():
    ours, theirs = (end.connect(timeout=1) for end in memory_pair())
    line = ComponentChannel(EchoSession(), ours)
    with no_thread_left(), pytest.raises(ConnectFailed, match=r"^cannot watch the component: "):
        Watchdog(line, lambda: None, flush_pending=lambda: None).__enter__()
    ours.close()
    theirs.close()


def test_messages_wait_for_a_thread_and_are_delivered_in_order(endpoint, caplog):
    early: list[bytes] = []
    later: list[bytes] = []
    with EchoClient(endpoint) as client:
        client.echo(b"connected")
        with no_thread_left(), caplog.at_level(logging.ERROR, "jvmwire.callbacks"):
            client.listen(7, 10, early.append)
            eventually(lambda: len(caplog.records) == 1)
            assert not early
        client.listen(8, 1, later.append)
        eventually(lambda: later and len(early) == 10)
    assert [int.from_bytes(message) for message in early] == list(range(10))
    assert "cannot call back: can't start new thread" in caplog.text


def test_a_server_without_a_thread_says_so_and_may_be_started_later():
    server = RpcServer()
    with no_thread_left(), pytest.raises(ConnectFailed, match=r"^cannot serve: "):
        server.start()
    assert server.start()
    server.stop()
