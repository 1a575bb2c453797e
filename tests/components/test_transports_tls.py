"""TLS: a driver sees all data, a cut is not an end, and a refusal has a reason."""

import asyncio
import datetime
import os
import pickle
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import uvloop
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

import kit
from jvmwire import ConfigError, ConnectFailed, ConnectionLost
from jvmwire.transports import Tcp, Tls
from kit.certificates import Authority
from kit.polling import eventually
from kit.servers import echo, listening, serving, unanswering
from kit.transport_adapters import SOON, Connect, EventRecorder

pytestmark = pytest.mark.usefixtures("no_leak")

MUCH = os.urandom(3_000_000)
SERVER = Path(kit.__path__[0]) / "KeyUpdatingServer.java"
PASSWORD = "correct horse battery staple"  # noqa: S105 # of a key that lives for a test
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)

Keys = Callable[[Callable[[], str] | None], Tls]


@pytest.fixture
def keys(ca: Authority, tmp_path: Path) -> Keys:
    """A certificate for the client, whose key has a password."""
    pem = ca.issue("alice.example").read_bytes()
    key = load_pem_private_key(pem, None)
    locked = tmp_path / "key.pem"
    lock = BestAvailableEncryption(PASSWORD.encode())
    locked.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))
    certificate = tmp_path / "certificate.pem"
    certificate.write_bytes(pem[pem.index(b"-----BEGIN CERTIFICATE") :])
    return lambda password: Tls(
        ca_file=ca.file, certificate=certificate, key=locked, key_password=password
    )


@pytest.fixture(params=[ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def version(request: pytest.FixtureRequest) -> ssl.TLSVersion:
    found: ssl.TLSVersion = request.param
    return found


def test_what_is_sent_arrives_and_comes_back(
    connect: Connect, ca: Authority, version: ssl.TLSVersion
):
    with serving(echo, tls=ca.server(newest=version)) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        line.send(MUCH)
        assert line.read(len(MUCH)) == MUCH
        for size in (1, 16_384, 16_385, 65_536, 70_000):
            line.send(MUCH[:size])
            assert line.read(size) == MUCH[:size]
        line.close()


def test_an_address_is_verified_too(connect: Connect, ca: Authority):
    with serving(echo, tls=ca.server("127.0.0.1")) as port:
        line = connect(Tcp("127.0.0.1", port, tls=Tls(ca_file=ca.file)))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


def test_a_stream_that_the_peer_ends_has_an_end(connect: Connect, ca: Authority):
    def serve(connection: socket.socket) -> None:
        connection.sendall(MUCH)
        assert isinstance(connection, ssl.SSLSocket)
        connection.unwrap()

    with serving(serve, tls=ca.server()) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        assert line.read_to_end() == MUCH


def test_a_stream_that_is_cut_off_is_lost_after_what_was_said(connect: Connect, ca: Authority):
    with serving(lambda connection: connection.sendall(MUCH), tls=ca.server()) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        assert line.read(len(MUCH)) == MUCH
        with pytest.raises(ConnectionLost, match="cut off before the peer's close_notify"):
            line.read_to_end()


def test_the_peer_sees_our_end_as_one(connect: Connect, ca: Authority):
    heard = []

    def serve(connection: socket.socket) -> None:
        heard.append(connection.recv(10))
        heard.append(connection.recv(10))  # otherwise ssl.SSLEOFError: suppress_ragged_eofs is off

    with serving(serve, tls=ca.server()) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        line.send(b"hello")
        line.close()
        line.close()
        eventually(lambda: len(heard) == 2)
    assert heard == [b"hello", b""]


def test_bytes_that_are_no_records_lose_the_connection(connect: Connect, ca: Authority):
    def serve(connection: socket.socket) -> None:
        connection.sendall(b"hello")
        assert isinstance(connection, ssl.SSLSocket)
        with socket.socket(fileno=os.dup(connection.fileno())) as below:
            below.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
            below.recv(1)

    with serving(serve, tls=ca.server()) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        assert line.read(5) == b"hello"
        with pytest.raises(ConnectionLost, match="the connection was lost: TLS: "):
            line.read_to_end()


def test_what_comes_with_the_end_of_the_handshake_is_read(connect: Connect, ca: Authority):
    def serve(connection: socket.socket) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        # The last message of this version's handshake is the server's.
        context = ca.server(newest=ssl.TLSVersion.TLSv1_2)
        tls = context.wrap_bio(incoming, outgoing, server_side=True)
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                connection.sendall(outgoing.read())
                incoming.write(connection.recv(1 << 16))
        tls.write(b"hello")
        connection.sendall(outgoing.read())
        connection.recv(1)

    with serving(serve) as port:
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        assert line.read(5) == b"hello"
        line.close()


def test_a_key_update_that_asks_for_ours_is_answered(connect: Connect, ca: Authority):
    with key_updating_server(ca) as (port, say, hear):
        line = connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))
        say(b"before\n")
        assert line.read(7) == b"before\n"
        say(b"K\n")  # its new keys, and a request for those of this side
        hear(b"Produced KeyUpdate post-handshake message")
        say(b"after\n")
        assert line.read(6) == b"after\n"
        line.send(b"still here\n")
        hear(b"Consuming KeyUpdate post-handshake message")
        hear(b"heard still here")
        line.close()


@contextmanager
def key_updating_server(
    ca: Authority,
) -> Iterator[tuple[int, Callable[[bytes], object], Callable[[bytes], bytes]]]:
    """Run Java's server, which executes the commands that it reads from its standard input."""
    password = "of-this-test"  # noqa: S105 - it guards a key that nobody needs
    command = ["java", "-Djavax.net.debug=ssl:handshake", str(SERVER)]
    command += [str(ca.key_store(password)), password]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
    ) as server:
        assert server.stdin is not None

        def hear(words: bytes) -> bytes:
            """Wait for a line that contains `words`."""
            assert server.stdout is not None
            return next(line for line in server.stdout if words in line)

        port = int(hear(b"port ").split()[-1])
        yield port, server.stdin.write, hear
        server.stdin.close()
        server.stdout.read()  # type: ignore[union-attr]  # it was given one


def test_a_connection_that_is_over_is_lost(ca: Authority):
    with serving(echo, tls=ca.server()) as port:
        transport = Tcp("localhost", port, tls=Tls(ca_file=ca.file)).connect(timeout=SOON)
        transport.close()
        with pytest.raises(ConnectionLost):
            transport.send(b"hello")
        with pytest.raises(ConnectionLost):
            transport.recv()


@pytest.mark.parametrize("name", [".example", "a..b"])
def test_a_name_that_no_certificate_can_have_is_refused(connect: Connect, name: str):
    with serving(echo) as port, pytest.raises(ConnectFailed, match=r"cannot connect to .*: TLS: "):
        connect(Tcp("localhost", port, tls=Tls(server_hostname=name)))


# Trust in servers.


def refused(connect: Connect, ca: Authority, server: ssl.SSLContext, tls: Tls | None = None) -> str:
    """Return the error about a server that is not trusted."""
    with serving(echo, tls=server) as port:
        with pytest.raises(ConnectFailed) as failure:
            connect(Tcp("localhost", port, tls=tls or Tls(ca_file=ca.file)))
        said = str(failure.value)
        start = f"cannot connect to localhost:{port}: TLS: the peer's certificate is refused: "
        assert said.startswith(start)
        return said.removeprefix(start)


def test_an_unknown_authority_is_refused(connect: Connect, ca: Authority, tmp_path: Path):
    stranger = Authority(tmp_path)
    said = "unknown CA (unable to get local issuer certificate)"
    assert refused(connect, ca, stranger.server()) == said


def test_without_a_file_the_systems_authorities_are_asked(connect: Connect, ca: Authority):
    assert refused(connect, ca, ca.server(), Tls()).startswith("unknown CA (")


def test_another_hosts_certificate_is_refused(connect: Connect, ca: Authority):
    said = "wrong host name (Hostname mismatch, certificate is not valid for 'localhost'.)"
    assert refused(connect, ca, ca.server("nn2.example")) == said


def test_an_expired_certificate_is_refused(connect: Connect, ca: Authority):
    said = "expired (certificate has expired)"
    assert refused(connect, ca, ca.server(expires=LONG_AGO)) == said


def test_the_name_to_expect_can_be_stated(connect: Connect, ca: Authority):
    with serving(echo, tls=ca.server("nn2.example")) as port:
        tls = Tls(ca_file=ca.file, server_hostname="nn2.example")
        line = connect(Tcp("localhost", port, tls=tls))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


def test_whoever_answers_is_believed_if_so_wished(connect: Connect, ca: Authority, tmp_path: Path):
    with serving(echo, tls=Authority(tmp_path).server("nn2.example", expires=LONG_AGO)) as port:
        line = connect(Tcp("localhost", port, tls=Tls(verify=False)))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


# Identity of the client.


def test_we_show_our_certificate(connect: Connect, ca: Authority):
    shown = []

    def serve(connection: socket.socket) -> None:
        assert isinstance(connection, ssl.SSLSocket)
        shown.append(connection.getpeercert())
        echo(connection)

    with serving(serve, tls=ca.server(asks=True)) as port:
        tls = Tls(ca_file=ca.file, certificate=ca.issue("alice.example"))
        line = connect(Tcp("localhost", port, tls=tls))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()
    assert shown[0] is not None
    assert shown[0]["subjectAltName"] == (("DNS", "alice.example"),)


def test_a_server_that_misses_our_certificate_says_so(
    connect: Connect, ca: Authority, version: ssl.TLSVersion
):
    def talk() -> None:
        connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file))).read_to_end()

    # With TLS 1.3 the client's part of the handshake is over when the server checks the client.
    with (
        serving(echo, tls=ca.server(asks=True, newest=version)) as port,
        pytest.raises((ConnectFailed, ConnectionLost), match="TLS: the peer broke it off: "),
    ):
        talk()


def test_a_key_may_have_a_password(connect: Connect, ca: Authority, keys: Keys):
    with serving(echo, tls=ca.server(asks=True)) as port:
        line = connect(Tcp("localhost", port, tls=keys(lambda: PASSWORD)))
        line.send(b"hello")
        assert line.read(5) == b"hello"
        line.close()


@pytest.mark.parametrize("password", [None, lambda: "wrong"], ids=["no", "the wrong"])
def test_a_key_cannot_be_read_with_another_password(
    connect: Connect, keys: Keys, password: Callable[[], str] | None
):
    tls = keys(password)
    with pytest.raises(ConfigError) as failure:
        connect(Tcp("localhost", 1, tls=tls))
    assert f"cannot use the certificate {tls.certificate} with the key {tls.key}: " in str(
        failure.value
    )


def test_a_password_is_shown_nowhere(keys: Keys):
    tls = keys(lambda: PASSWORD)
    shown = repr(Tcp("localhost", 1, tls=tls))
    assert str(tls.certificate) in shown
    assert "lambda" not in shown
    assert PASSWORD not in shown


def test_files_that_cannot_be_used_are_named(ca: Authority, tmp_path: Path):
    missing, empty = tmp_path / "missing.pem", tmp_path / "empty.pem"
    empty.touch()
    for path, why in ((missing, "No such file or directory"), (empty, "no certificate")):
        with pytest.raises(ConfigError, match=f"cannot use the CA file {path}: {why}"):
            Tls(ca_file=path).context()
        with pytest.raises(ConfigError, match=f"cannot use the certificate {path}: "):
            Tls(certificate=path).context()


def test_a_key_needs_its_certificate():
    with pytest.raises(ConfigError, match="only with its certificate"):
        Tls(key="key.pem")


@pytest.mark.parametrize("name", ["", "nn1\0"])
def test_the_name_to_expect_is_a_name(name: str):
    with pytest.raises(ConfigError, match="is not a valid host name"):
        Tls(server_hostname=name)


def test_an_endpoint_of_tls_is_a_value():
    endpoint = Tcp("nn1", 1, tls=Tls(ca_file="ca.pem", certificate="us.pem"))
    assert endpoint == Tcp("nn1", 1, tls=Tls(ca_file="ca.pem", certificate="us.pem"))
    assert hash(endpoint) == hash(pickle.loads(pickle.dumps(endpoint)))  # noqa: S301 # our own


# Handshakes that fail.


def test_a_peer_that_speaks_no_tls_is_told_apart(connect: Connect, ca: Authority):
    with (
        serving(lambda connection: connection.sendall(b"220 hello\r\n")) as port,
        pytest.raises(ConnectFailed, match="TLS: the peer does not speak TLS"),
    ):
        connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))


def test_a_peer_that_hangs_up_in_the_handshake_is_told_apart(connect: Connect, ca: Authority):
    def serve(connection: socket.socket) -> None:
        connection.recv(1 << 16)

    with (
        serving(serve) as port,
        pytest.raises(ConnectFailed, match="TLS: the peer closed the connection"),
    ):
        connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)))


def test_a_peer_that_is_silent_in_the_handshake_is_given_up(connect: Connect, ca: Authority):
    with listening() as listener:
        port = listener.getsockname()[1]
        with pytest.raises(ConnectFailed) as failure:
            connect(Tcp("localhost", port, tls=Tls(ca_file=ca.file)), timeout=1.0)
        assert str(failure.value) == (
            f"cannot connect to localhost:{port}: TLS: the handshake was not done; "
            "no connection within 1 s"
        )


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("silent", [listening, unanswering], ids=["TLS", "TCP"])
def test_who_is_cancelled_while_he_connects_leaves_nothing_open(
    factory: Callable[[], asyncio.AbstractEventLoop],
    silent: Callable[[], AbstractContextManager[socket.socket]],
    ca: Authority,
):
    ears = []

    async def scene(port: int) -> None:
        ears.append(EventRecorder())
        endpoint = Tcp("localhost", port, tls=Tls(ca_file=ca.file))
        connecting = asyncio.create_task(endpoint.connect_async(ears[-1], timeout=SOON))
        await asyncio.sleep(0.2)
        connecting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await connecting
        await asyncio.sleep(0.05)

    with silent() as listener, asyncio.Runner(loop_factory=factory) as runner:
        runner.run(scene(listener.getsockname()[1]))
    assert ears[0].calls == []
