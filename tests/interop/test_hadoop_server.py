"""jvmwire's server, called by Java's clients."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.hadoop.server import RpcServer
from kit.hadoop import CLIENT_TIMEOUT, MODULES, SUPERUSER, program
from kit.hadoop_echo import ECHOED, Echo, EchoService, Ping, PingService


@pytest.fixture(scope="module")
def server() -> Iterator[RpcServer]:
    with RpcServer() as server:
        server.add(Ping, PingService())
        server.add(Echo, EchoService())
        server.start()
        yield server


@pytest.mark.parametrize("module", MODULES)
def test_the_seeds_client_is_answered_pong(server: RpcServer, tmp_path: Path, module: str) -> None:
    asked = program("WPing", "seed", str(server.port), directory=tmp_path, module=module)
    assert asked.run(CLIENT_TIMEOUT) == "ping -> pong\n"


@pytest.mark.parametrize("module", MODULES)
def test_every_type_comes_and_goes_as_java_has_it(tmp_path: Path, module: str) -> None:
    with RpcServer() as server:
        server.add(Echo, EchoService())
        server.start()
        asked = program("WPing", "client", str(server.port), directory=tmp_path, module=module)
        assert asked.run(CLIENT_TIMEOUT) == ECHOED
        counted = server.method_metrics
        assert counted["Echo.ping"].calls == 2
        assert (counted["Echo.fail"].calls, counted["Echo.fail"].errors) == (1, 1)


def test_the_audit_log_says_who_called_what(
    server: RpcServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "jvmwire.hadoop.audit"):
        program("WPing", "seed", str(server.port), directory=tmp_path).run(CLIENT_TIMEOUT)
    [said] = caplog.messages
    assert f"user={SUPERUSER} " in said
    assert "call=ping.ping " in said
    assert said.endswith("outcome=ok")
