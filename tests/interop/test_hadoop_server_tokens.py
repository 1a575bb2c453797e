"""jvmwire's server, where only clients with a token are served."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jvmwire.errors import JvmWireError
from jvmwire.hadoop._options import HadoopOptions
from jvmwire.hadoop.errors import AuthenticationRequired
from jvmwire.hadoop.rpc._proxy import connect
from jvmwire.hadoop.sasl import Authentication, Protection, Token
from jvmwire.hadoop.server import RpcServer, RpcServerOptions, current_call
from jvmwire.transports import Recorder, Tcp
from kit import wire
from kit.hadoop import CLIENT_TIMEOUT, SecureDfs, program
from kit.hadoop_adversarial_inputs import ask, broken_off, interrupted
from kit.hadoop_protocols import Groups, GroupsService, OldPing
from kit.jvm import Program
from kit.peer import PeerError
from kit.rows import decode_capture

TOKEN = Token(b"alice", b"secret")
BOTH_SIDES = {"client", "server"}


class Secrets:
    """Store of one token."""

    def password_of(self, identifier: bytes) -> bytes | None:
        return TOKEN.password if identifier == TOKEN.identifier else None


class WhoAsks:
    """Service that returns the caller's name."""

    async def ping(self, message: str) -> str:
        return f"{current_call().caller.user} says {message}"


@pytest.fixture(params=list(Protection))
def server(request: pytest.FixtureRequest) -> Iterator[RpcServer]:
    options = RpcServerOptions(secrets=Secrets(), protections=[request.param])
    with RpcServer(options) as server:
        server.add(OldPing, WhoAsks())
        server.start()
        yield server


def having(token: Token, port: int) -> HadoopOptions:
    mine = token.for_service(f"127.0.0.1:{port}")
    return HadoopOptions(user="mallory", authentication=Authentication(tokens=[mine]))


def test_who_has_a_token_is_served_in_the_name_of_its_owner(server: RpcServer) -> None:
    endpoint = Tcp("127.0.0.1", server.port)
    with connect(OldPing, endpoint, having(TOKEN, server.port)) as ping:
        for size in (1, 100, 30_000):
            assert ping.ping("x" * size) == "alice says " + "x" * size


@pytest.mark.parametrize(
    "token", [Token(b"alice", b"guessed"), Token(b"bob", b"secret")], ids=["password", "owner"]
)
def test_who_has_another_is_not(server: RpcServer, token: Token) -> None:
    endpoint = Tcp("127.0.0.1", server.port)
    with pytest.raises(JvmWireError) as refused:
        connect(OldPing, endpoint, having(token, server.port))
    assert "secret" not in str(refused.value)
    assert server.metrics.protocol_errors == 1


def test_user_of_token_hook_overrides_owner() -> None:
    def user_of(identifier: bytes) -> str:
        return {TOKEN.identifier: "carol"}[identifier]

    options = RpcServerOptions(secrets=Secrets(), user_of_token=user_of)
    with RpcServer(options) as server:
        server.add(OldPing, WhoAsks())
        endpoint = Tcp("127.0.0.1", server.start())
        with connect(OldPing, endpoint, having(TOKEN, server.port)) as ping:
            assert ping.ping("hello") == "carol says hello"


@pytest.mark.parametrize("protection", Protection)
def test_javas_client_that_has_a_token_is_served_in_the_name_of_its_owner(
    protection: Protection, tmp_path: Path
) -> None:
    capture = tmp_path / "calls.pcap"
    with capture.open("wb") as file:
        options = RpcServerOptions(
            secrets=Secrets(), protections=[protection], recorder=Recorder(file)
        )
        with RpcServer(options) as server:
            server.add(OldPing, WhoAsks())
            server.start()
            asked = java_having(TOKEN, server.port, protection, tmp_path)
            assert asked.run(CLIENT_TIMEOUT) == "Server ping returned alice says X\n"
    content = capture.read_bytes()
    found = decode_capture(content)
    assert found.errors() == []
    wrapped = [row["side"] for row in found.messages if row["name"] == "Wrap"]
    assert set(wrapped) == (set() if protection is Protection.AUTHENTICATION else BOTH_SIDES)
    assert (b"alice says X" in content) is (protection is not Protection.PRIVACY)


def test_javas_client_that_has_another_token_is_not_served(tmp_path: Path) -> None:
    with RpcServer(RpcServerOptions(secrets=Secrets())) as server:
        server.add(OldPing, WhoAsks())
        server.start()
        guessed = Token(TOKEN.identifier, b"guessed")
        asked = java_having(guessed, server.port, Protection.PRIVACY, tmp_path)
        with pytest.raises(PeerError, match=r"javax\.security\.sasl\.SaslException"):
            asked.run(CLIENT_TIMEOUT)
        assert server.metrics.protocol_errors >= 1


def test_javas_client_that_will_not_have_what_we_demand_is_not_served(tmp_path: Path) -> None:
    options = RpcServerOptions(secrets=Secrets(), protections=[Protection.PRIVACY])
    with RpcServer(options) as server:
        server.add(OldPing, WhoAsks())
        server.start()
        asked = java_having(TOKEN, server.port, Protection.AUTHENTICATION, tmp_path)
        with pytest.raises(PeerError, match="No common protection layer"):
            asked.run(CLIENT_TIMEOUT)
        assert server.method_metrics == {}


def java_having(token: Token, port: int, protection: Protection, directory: Path) -> Program:
    url = token.for_service(f"127.0.0.1:{port}").to_url()
    settings = (f"token={url}", f"hadoop.rpc.protection={protection.value}")
    return program("Versions", "token", str(port), *settings, directory=directory)


class LostSecrets:
    """Store that cannot be read."""

    def password_of(self, identifier: bytes) -> bytes | None:
        raise OSError(f"no answer from db://root:geheim@{len(identifier)}")


def whose_it_was(identifier: bytes) -> str:
    raise KeyError(f"geheim {len(identifier)}")


@pytest.mark.parametrize(
    "options",
    [
        RpcServerOptions(secrets=LostSecrets()),
        RpcServerOptions(secrets=Secrets(), user_of_token=whose_it_was),
    ],
    ids=["secrets", "owners"],
)
def test_where_the_owner_of_a_token_cannot_be_found_out_nobody_hears_why(
    options: RpcServerOptions,
) -> None:
    with RpcServer(options) as server:
        server.add(OldPing, WhoAsks())
        endpoint = Tcp("127.0.0.1", server.start())
        with (
            pytest.raises(AuthenticationRequired, match="the client could not be authenticated"),
            connect(OldPing, endpoint, having(TOKEN, server.port)) as ping,
        ):
            ping.ping("X")
        assert server.metrics.rejected == 1


def test_client_without_token_is_rejected(server: RpcServer) -> None:
    options = HadoopOptions(user="alice", authentication=None)
    endpoint = Tcp("127.0.0.1", server.port)
    with connect(OldPing, endpoint, options) as ping, pytest.raises(JvmWireError) as refused:
        ping.ping("X")
    assert "not served" in str(refused.value)
    assert server.metrics.protocol_errors == 1


NEGOTIATE = wire.connection_header(auth=0xDF) + wire.sasl("client", 1)
TOKEN_BY = wire.content(1, "TOKEN") + wire.content(2, "DIGEST-MD5") + wire.content(3, "")
CHOSEN = wire.content(4, TOKEN_BY + wire.content(4, "default"))
CASES = {
    "nobody who is authenticated": wire.connection_header() + wire.context(),
    "a negotiation": NEGOTIATE,
    "a negotiation that nobody begins": NEGOTIATE[:7] + wire.context(),
    "a call amid a negotiation": NEGOTIATE[:7] + wire.call(0),
    "a wrap before its time": NEGOTIATE[:7] + wire.sasl("client", 5, wire.content(3, b"x" * 20)),
    "a challenge of the client's": NEGOTIATE[:7] + wire.sasl("client", 3),
    "a context amid a negotiation": NEGOTIATE + wire.context(),
    "a proof that is none": NEGOTIATE + wire.sasl("client", 2, wire.content(3, b"x"), CHOSEN),
    "a proof that is empty": NEGOTIATE + wire.sasl("client", 2, wire.content(3, b""), CHOSEN),
    "a realm that was not offered": NEGOTIATE
    + wire.sasl("client", 2, wire.content(4, TOKEN_BY + wire.content(4, "other"))),
    "a way that was not offered": NEGOTIATE
    + wire.sasl("client", 2, wire.content(4, wire.content(1, "PLAIN") + wire.content(2, "PLAIN"))),
}


@pytest.fixture(scope="module")
def secret() -> Iterator[int]:
    with RpcServer(RpcServerOptions(secrets=Secrets())) as server:
        server.add(Groups, GroupsService())
        yield server.start()


@pytest.mark.parametrize("case", CASES)
def test_who_proves_nothing_is_answered_as_by_java(
    case: str, secret: int, secure_dfs: SecureDfs
) -> None:
    answers = 1 if case in ("a negotiation", "nobody who is authenticated") else 2
    heard, javas = (
        ask(port, CASES[case], answers=answers, engine="protobuf")
        for port in (secret, secure_dfs.port)
    )
    assert heard == javas


def test_who_ends_amid_a_negotiation_is_told_what_java_tells(
    secret: int, secure_dfs: SecureDfs
) -> None:
    assert broken_off(secret, NEGOTIATE) == broken_off(secure_dfs.port, NEGOTIATE)


def test_who_pauses_amid_a_negotiation_is_answered_as_by_java(
    secret: int, secure_dfs: SecureDfs
) -> None:
    heard, javas = (interrupted(port, NEGOTIATE, answers=1) for port in (secret, secure_dfs.port))
    assert heard == javas
    assert heard[0].told[0].kind == "sasl"
