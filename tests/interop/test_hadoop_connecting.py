"""Attempts to reach an unreachable server: as many as the settings make Java's client try."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from jvmwire.errors import ConnectFailed, ConnectTimeout
from jvmwire.hadoop import (
    AsyncHadoopClient,
    AsyncNameNode,
    HadoopClient,
    HadoopConfiguration,
    HadoopOptions,
    NameNode,
    options_from_configuration,
)
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.server import RpcServer
from jvmwire.options import NEVER
from jvmwire.transports import AsyncTransport, Tcp, Transport
from kit.client_flavours import STYLES, in_every_style
from kit.hadoop import CLIENT_TIMEOUT, program
from kit.hadoop_protocols import Groups, GroupsService, OldPing
from kit.jvm import free_port
from kit.peer import PeerError
from kit.servers import unanswering

RETRIES = "ipc.client.connect.max.retries"
WAIT = "ipc.client.connect.retry.interval"
TIMEOUT = "ipc.client.connect.timeout"
FAILOVER = "dfs.client.failover"
ASKED = {"method": "getGroupsForUser", "fields": {"user": "ann"}, "protocol": Groups.protocol}
ANSWERED = {"groups": ["ann", "annann"]}


@dataclass
class Counted:
    """An endpoint that counts its connection attempts; `before` is called each time."""

    endpoint: Tcp
    before: Callable[[int], object] = lambda _: None
    tries: int = 0
    side = Tcp.side

    def connect(
        self, *, timeout: float, cancelled: Callable[[], bool] = lambda: False
    ) -> Transport:
        self._count()
        return self.endpoint.connect(timeout=timeout, cancelled=cancelled)

    async def connect_async(self, protocol: asyncio.Protocol, *, timeout: float) -> AsyncTransport:
        self._count()
        return await self.endpoint.connect_async(protocol, timeout=timeout)

    def _count(self) -> None:
        self.tries += 1
        self.before(self.tries)


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


def javas_tries(directory: Path, port: int, settings: dict[str, str]) -> int:
    """Return how often Java's client connected, as it logs."""
    log = directory / "log4j.properties"
    log.write_text(
        "log4j.rootLogger=INFO,E\nlog4j.appender.E=org.apache.log4j.ConsoleAppender\n"
        "log4j.appender.E.target=System.err\nlog4j.appender.E.layout=org.apache.log4j.SimpleLayout\n"
    )
    given = (f"{name}={value}" for name, value in settings.items())
    asked = program("Versions", "old", str(port), *given, directory=directory)
    asked = replace(asked, properties={"log4j.configuration": log.as_uri()})
    with pytest.raises(PeerError):
        asked.run(CLIENT_TIMEOUT)
    return 1 + (directory / "Versions.log").read_text().count("Retrying connect to server")


def _note(order: list[int], index: int, _: int) -> None:
    order.append(index)


def our_tries(port: int, settings: dict[str, str]) -> int:
    """Return how often jvmwire's client did."""
    endpoint = Counted(Tcp("127.0.0.1", port))
    with pytest.raises(ConnectFailed), connect(OldPing, endpoint, options_of(settings)) as ping:
        ping.ping("X")
    return endpoint.tries


def options_of(settings: dict[str, str], servers: int = 1) -> HadoopOptions:
    return options_from_configuration(HadoopConfiguration(settings), servers=servers, user="alice")


def test_who_is_refused_tries_again_as_often_as_java_does(tmp_path):
    settings = {RETRIES: "3", f"{RETRIES}.on.timeouts": "7", WAIT: "10"}
    port = free_port()
    assert our_tries(port, settings) == javas_tries(tmp_path, port, settings) == 4


def test_who_hears_nothing_in_time_tries_again_as_often_as_java_does(tmp_path):
    settings = {RETRIES: "7", f"{RETRIES}.on.timeouts": "2", TIMEOUT: "200"}
    with unanswering() as listener:
        port = listener.getsockname()[1]
        assert our_tries(port, settings) == javas_tries(tmp_path, port, settings) == 3


@in_every_style
async def test_a_server_that_comes_late_is_called(style):
    port = free_port()
    with RpcServer() as server:
        server.add(Groups, GroupsService())

        def start_at_the_third(tries: int) -> None:
            if tries == 3:
                server.start(port=port)

        endpoint = Counted(Tcp("127.0.0.1", port), start_at_the_third)
        options = options_of({RETRIES: "2", WAIT: "10"})
        async with style.connect(HadoopClient, AsyncHadoopClient, endpoint, options) as client:
            assert await client.call(**ASKED) == ANSWERED
        assert endpoint.tries == 3


@pytest.mark.parametrize(
    ("settings", "each"), [({}, 1), ({f"{FAILOVER}.connection.retries": "2"}, 3)]
)
@in_every_style
async def test_servers_that_stand_in_for_each_other_are_tried_so_often_each_before_the_next(
    style, settings, each
):
    order: list[int] = []
    pair = [
        Counted(Tcp("127.0.0.1", free_port()), partial(_note, order, index)) for index in range(2)
    ]
    more = {f"{FAILOVER}.max.attempts": "2", f"{FAILOVER}.sleep.base.millis": "10", WAIT: "10"}
    # The result for one server does not count for a server that has a standby.
    options = options_of(settings | more | {RETRIES: "9"}, servers=2)
    async with style.connect(NameNode, AsyncNameNode, pair, options) as client:
        with pytest.raises(ConnectFailed):
            await client.get_file_info("/")
    assert order == [0] * each + [1] * each + [0] * each


@in_every_style
async def test_one_that_hears_nothing_in_time_is_left_for_the_next(style):
    settings = {TIMEOUT: "200", f"{FAILOVER}.connection.retries.on.timeouts": "1"}
    with unanswering() as listener, RpcServer() as server:
        server.add(Groups, GroupsService())
        silent = Counted(Tcp("127.0.0.1", listener.getsockname()[1]))
        pair = [silent, Tcp("127.0.0.1", server.start())]
        options = options_of(settings, servers=2)
        async with style.connect(HadoopClient, AsyncHadoopClient, pair, options) as client:
            assert await client.call(**ASKED) == ANSWERED
        assert silent.tries == 2


def test_who_was_not_connected_to_in_time_is_told_so():
    with unanswering() as listener:
        endpoint = Tcp("127.0.0.1", listener.getsockname()[1])
        options = HadoopOptions(user="alice", retry=NEVER, connect_timeout=0.2)
        with pytest.raises(ConnectTimeout, match=r"in 0\.2 s"):
            connect(OldPing, endpoint, options)
