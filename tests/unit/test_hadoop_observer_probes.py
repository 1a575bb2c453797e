"""The search for observers: once per period, even where a NameNode cannot be reached."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from jvmwire._runtime.engine import Engine
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop._observer_reads import ObserverReads
from jvmwire.transports import Tcp
from kit.hadoop_scripted import Answer, Fields, scripted, status

if TYPE_CHECKING:
    from collections.abc import Iterator

PERIOD = 600.0
START = 10_000.0


def namenode(state: str) -> Answer:
    answers: dict[str, Fields] = {
        "getHAServiceState": {"state": state},
        "getFileInfo": {"fs": status()},
    }

    def answer(method: str, _request: Fields) -> Fields:
        return answers.get(method, {})

    return answer


@contextmanager
def hanging_up() -> Iterator[tuple[Tcp, list[int]]]:
    """Listen as a NameNode that closes each connection, and count them."""
    listening = socket.create_server(("127.0.0.1", 0))
    seen: list[int] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            connection.close()
            seen.append(1)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield Tcp("127.0.0.1", listening.getsockname()[1]), seen
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [START]
    monkeypatch.setattr(Engine, "_read_time", lambda *_: now[0])
    return now


def options() -> HadoopOptions:
    return HadoopOptions(user="x", observer_reads=ObserverReads(probe_retry_period=PERIOD))


def test_observers_are_looked_for_again_after_the_period(clock: list[float]) -> None:
    with (
        scripted(namenode("ACTIVE")) as active,
        scripted(namenode("STANDBY")) as standby,
        NameNode([Tcp("127.0.0.1", one.port) for one in (active, standby)], options()) as client,
    ):
        for since, asked in [(0.0, 1), (PERIOD - 1, 1), (PERIOD, 2), (PERIOD + 1, 2)]:
            clock[0] = START + since
            for _ in range(3):
                assert client.get_file_info("/") is not None
            for one in (active, standby):
                assert len(one.called("getHAServiceState")) == asked
        assert len(active.called("getFileInfo")) == 12


def test_who_cannot_be_reached_is_tried_once_in_a_period(clock: list[float]) -> None:
    with (
        scripted(namenode("ACTIVE")) as active,
        hanging_up() as (gone, connections),
        NameNode([Tcp("127.0.0.1", active.port), gone], options()) as client,
    ):
        for since in (0.0, PERIOD):
            clock[0] = START + since
            connections.clear()
            for _ in range(5):
                assert client.get_file_info("/") is not None
            assert len(connections) == 1
        assert len(active.called("getHAServiceState")) == 2
