"""Exit statuses: the same four kinds of failure end `hadoop`, `hazelcast` and `pravega` alike."""

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from jvmwire._cli import cli
from jvmwire._cli.exit_status import MEANINGS, OF_SERVER_COMMANDS, status_of
from jvmwire.errors import (
    CallTimeout,
    ConfigError,
    ConnectFailed,
    ConnectionLost,
    DecodeError,
    LimitExceeded,
    LocalProtocolError,
    MessagesLost,
    MissingExtra,
    OutcomeUnknown,
    RemoteProtocolError,
    ServerError,
)
from jvmwire.hadoop.errors import AccessDenied, AuthenticationRequired, InvalidPath, from_java
from jvmwire.hadoop.sasl.errors import NoCredentials
from jvmwire.hazelcast.errors import AuthenticationFailed, OperationTimeout
from jvmwire.pravega.errors import NoSuchSegment, TokenExpired
from jvmwire.pravega.streams.errors import NotAllowed
from kit.certificates import Authority
from kit.command import jvmwire
from kit.environment import ROOT
from kit.pravega import Security, StandalonePeer
from kit.wrong_arguments import commands

NOBODY = "127.0.0.1:1"
SYSTEMS = ("hadoop", "hazelcast", "pravega")
PATIENT = 60.0


@pytest.fixture(scope="module")
def secure_pravega(
    tmp_path_factory: pytest.TempPathFactory, ca: Authority
) -> Iterator[StandalonePeer]:
    with StandalonePeer(tmp_path_factory.mktemp("secure"), security=Security(ca)) as peer:
        yield peer


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_unreachable_server_ends_a_command_with_3(system: str) -> None:
    done = jvmwire(system, "ping", "--server", NOBODY, status=3)
    assert "Connection refused" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_wrong_credentials_end_a_command_with_3(
    system: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    match system:
        case "hadoop":
            # A NameNode with Kerberos, and a client that says no more than its name.
            peer: Any = request.getfixturevalue("secure_dfs")
            line = ["ping", "--server", f"localhost:{peer.port}", "--user", "alice"]
        case "hazelcast":
            member: Any = request.getfixturevalue("hazelcast_member")
            line = ["ping", "--server", member.address, "--cluster-name", "other"]
        case _:
            peer = request.getfixturevalue("secure_pravega")
            monkeypatch.setenv("JVMWIRE_PRAVEGA_PASSWORD", "wrong, and a secret")
            tls = ["--ca-file", str(peer.tls.ca_file), "--user", "admin"]
            line = ["scopes", *tls, "--server", peer.controller]
    done = jvmwire(system, *line, status=3)
    assert len(done.stderr.splitlines()) == 1
    assert "wrong, and a secret" not in done.stderr


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_refused_request_ends_a_command_with_4(
    system: str, request: pytest.FixtureRequest
) -> None:
    match system:
        case "hadoop":
            peer: Any = request.getfixturevalue("minidfs")
            where = "--server", f"127.0.0.1:{peer.port}"
            line = ["dfsadmin", "safemode", "enter", *where, "--user", "bob"]
        case "hazelcast":
            member: Any = request.getfixturevalue("hazelcast_member")
            where = "--server", member.address
            jvmwire(system, "put", *where, "statuses", "1", "2")
            line = ["scan", *where, "statuses", "--where", "no ( condition"]
        case _:
            peer = request.getfixturevalue("segment_store")
            where = "--server", f"127.0.0.1:{peer.port}"
            line = ["cat", *where, "no/such/segment"]
    done = jvmwire(system, *line, status=4)
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("wrong", [["--no-such-option"], ["--count", "none"]], ids=str)
def test_wrong_usage_ends_a_command_with_2(system: str, wrong: list[str]) -> None:
    jvmwire(system, "ping", "--server", NOBODY, *wrong, status=2)
    jvmwire(system, "no-such-command", status=2)


def test_what_does_not_exist_ends_a_command_of_several_items_with_1(segment_store: Any) -> None:
    where = "--server", f"127.0.0.1:{segment_store.port}"
    made = ["statuses/one", "statuses/two"]
    jvmwire("pravega", "create", *where, made[0])
    done = jvmwire("pravega", "create", *where, *made, status=1)
    assert done.stdout.decode().splitlines() == made[1:]
    assert done.stderr == "jvmwire: 'statuses/one' exists already\n"
    done = jvmwire("pravega", "segments", *where, "statuses/none", *made, status=1)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == "jvmwire: 'statuses/none' does not exist\n"


DENIED = ("org.apache.hadoop.security.AccessControlException", "no", None)


@pytest.mark.parametrize(
    ("status", "errors"),
    [
        (1, [MessagesLost("lost", 1)]),
        (
            2,
            [
                ConfigError("x"),
                DecodeError("x"),
                LimitExceeded("x"),
                LocalProtocolError("x"),
                MissingExtra("x"),
                InvalidPath("not sent"),
                PermissionError(13, "a file"),
                OSError(28, "no space"),
            ],
        ),
        (
            3,
            [
                ConnectFailed("x"),
                ConnectionLost("x"),
                CallTimeout("x"),
                OutcomeUnknown("x"),
                RemoteProtocolError("x"),
                AuthenticationRequired("x"),
                AuthenticationFailed("x", "java.lang.Class"),
                NoCredentials("x"),
                TokenExpired("x"),
                NotAllowed("x"),
                ConnectionRefusedError(111, "refused"),
                TimeoutError("x"),
            ],
        ),
        (
            4,
            [
                ServerError("x", "java.lang.Exception"),
                AccessDenied("x"),
                from_java(DENIED),
                InvalidPath("refused", "org.apache.hadoop.fs.InvalidPathException"),
                OperationTimeout("x", "com.hazelcast.core.OperationTimeoutException"),
                NoSuchSegment("x"),
            ],
        ),
    ],
)
def test_each_kind_of_error_has_one_status(status: int, errors: list[Exception]) -> None:
    assert {repr(error): status_of(error) for error in errors} == {
        repr(error): status for error in errors
    }


def test_the_help_and_the_documentation_list_the_statuses() -> None:
    shown = " ".join(CliRunner().invoke(cli, ["--help"]).output.split())
    page = (ROOT / "docs" / "command-line.md").read_text()
    for status, meaning in MEANINGS.items():
        assert f" {status} {meaning}" in shown
        assert f"| {status} | {meaning} |" in page


def test_the_help_of_each_command_that_calls_a_server_lists_its_statuses() -> None:
    for name, _ in commands(cli):
        if name.split()[0] in SYSTEMS:
            shown = " ".join(CliRunner().invoke(cli, [*name.split(), "--help"]).output.split())
            assert shown.endswith(OF_SERVER_COMMANDS), name
