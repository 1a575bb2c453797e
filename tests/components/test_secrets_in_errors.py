"""No error of a client, and no log of one, shows what the client authenticates with."""

import base64
import logging
import pickle
import socket
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from jvmwire.errors import AuthenticationError, ConfigError, JvmWireError
from jvmwire.hadoop import (
    HadoopClient,
    HadoopConfiguration,
    NameNode,
    find_namenodes,
)
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop.namenode._fsspec import HdfsMetadata
from jvmwire.hadoop.namenode._paths import absolute, split
from jvmwire.hadoop.rpc import Interface, connect
from jvmwire.hadoop.sasl import Authentication, Kerberos, Token
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.hazelcast import Address, HazelcastClient, HazelcastOptions
from jvmwire.options import NEVER
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega.early import EarlyClient
from jvmwire.pravega.server import CommandReceived, PravegaServerSession, SendReply
from jvmwire.pravega.streams import StreamClient, StreamOptions
from jvmwire.spark._option_parser import local_path
from jvmwire.transports import Tcp, Tls
from kit.certificates import Authority
from kit.fake_member import Asked, doubles
from kit.hadoop_scripted import scripted
from kit.hazelcast_transcript import refusal
from kit.kerberos import write_keytab
from kit.servers import saying, serving, unanswering

PLANTED = "Zq7PlantedSecret"
SECRET = PLANTED.encode()
TIMEOUT = 0.5


def _forms() -> Iterator[bytes]:
    yield SECRET
    yield SECRET.hex().encode()
    yield str(list(SECRET))[1:-1].encode()
    for before in range(3):
        # The first and the last four letters may contain bits of neighbours.
        yield base64.b64encode(bytes(before) + SECRET)[4:-4]


FORMS = list(_forms())


def told_by(error: BaseException) -> Iterator[str]:
    """Yield all that an error tells: its texts, its pickle, its attributes, and its causes."""
    yield from traceback.format_exception(error)
    chain: list[BaseException | None] = [error]
    seen: set[int] = set()
    while chain:
        each = chain.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield f"{each} {each!r} {each.args!r} {getattr(each, '__notes__', None)}"
        yield from _content(vars(each), set())
        if isinstance(each, JvmWireError):
            yield pickle.dumps(each).decode("latin-1")
        chain += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]


def _content(value: object, seen: set[int]) -> Iterator[str]:
    """Yield all texts and bytes that can be reached from a value by its attributes and items."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (str, bytes, bytearray)):
        yield value if isinstance(value, str) else bytes(value).decode("latin-1")
        return
    yield repr(value)
    inner: list[object] = list(getattr(value, "__dict__", {}).values())
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        inner += [
            getattr(value, name, None) for name in ([slots] if isinstance(slots, str) else slots)
        ]
    if isinstance(value, dict):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set)):
        inner += value
    for each in inner:
        yield from _content(each, seen)


def assert_nothing_shown(*said: str) -> None:
    text = "\n".join(said).encode()
    assert [form for form in FORMS if form in text] == []


Use = Callable[[Tcp], None]


def _token(endpoint: Tcp) -> Token:
    return Token(SECRET, SECRET, "HDFS_DELEGATION_TOKEN", str(endpoint))


def _hadoop(endpoint: Tcp) -> dict[str, Any]:
    authentication = Authentication(tokens=[_token(endpoint)])
    return {
        "authentication": authentication,
        "retry": NEVER,
        "timeout": TIMEOUT,
        "trace": True,
    }


class Tokens(Interface, protocol=CLIENT_PROTOCOL, version=1, engine="protobuf"):
    """A part of ClientProtocol."""

    def renew_delegation_token(self, request: bytes) -> bytes:
        """Return a RenewDelegationTokenResponseProto."""
        raise NotImplementedError


def use_namenode(endpoint: Tcp) -> None:
    with NameNode(endpoint, **_hadoop(endpoint)) as client:
        client.get_file_info("/")


def use_hadoop(endpoint: Tcp) -> None:
    token = {"identifier": SECRET, "password": SECRET, "kind": "k", "service": "s"}
    with HadoopClient(endpoint, **_hadoop(endpoint)) as client:
        client.call("renewDelegationToken", {"token": token})


def use_rpc(endpoint: Tcp) -> None:
    with connect(Tokens, endpoint, **_hadoop(endpoint)) as client:
        client.renew_delegation_token(SECRET)


def use_hazelcast(endpoint: Tcp) -> None:
    with HazelcastClient(
        endpoint, password=PLANTED, connect_retry=NEVER, timeout=TIMEOUT, trace=True
    ) as client:
        client.get_map("m").put("k", "v")


def use_hazelcast_with_credentials(endpoint: Tcp) -> None:
    with HazelcastClient(
        endpoint, credentials=lambda: PLANTED, connect_retry=NEVER, timeout=TIMEOUT, trace=True
    ) as client:
        client.get_map("m").put("k", "v")


def use_segments(endpoint: Tcp) -> None:
    with SegmentStore(
        endpoint, delegation_token=PLANTED, retry=NEVER, timeout=TIMEOUT, trace=True
    ) as client:
        client.create_segment("a/b/0.#epoch.0")


def use_appender(endpoint: Tcp) -> None:
    with SegmentStore(
        endpoint, delegation_token=lambda: PLANTED, retry=NEVER, timeout=TIMEOUT, trace=True
    ) as client:
        appender = client.appender("a/b/0.#epoch.0")
        appender.write(b"event")
        appender.flush()


def use_streams(endpoint: Tcp) -> None:
    with StreamClient(
        endpoint, user="u", password=PLANTED, retry=NEVER, timeout=TIMEOUT, trace=True
    ) as client:
        client.create_scope("scope")


def use_early(endpoint: Tcp) -> None:
    with EarlyClient(endpoint, retry=NEVER, timeout=TIMEOUT, trace=True) as client:
        client.read("s", 0)


CLIENTS: list[Use] = [
    use_namenode,
    use_hadoop,
    use_rpc,
    use_hazelcast,
    use_hazelcast_with_credentials,
    use_segments,
    use_appender,
    use_streams,
]


def failure_of(use: Use, endpoint: Tcp) -> Exception:
    with pytest.raises(Exception) as raised:  # noqa: PT011  # of any class: what it tells counts
        use(endpoint)
    assert isinstance(raised.value, JvmWireError)
    return raised.value


@contextmanager
def nobody() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    yield port


@contextmanager
def busy() -> Iterator[int]:
    with unanswering() as listener:
        yield listener.getsockname()[1]


def hang_up(connection: socket.socket) -> None:
    connection.recv(1 << 16)


def repeat(connection: socket.socket) -> None:
    """Send back what the client says, with its secret."""
    while data := connection.recv(1 << 16):
        connection.sendall(data)


SERVERS: dict[str, Callable[[], Any]] = {
    "nobody listens": nobody,
    "nobody accepts": busy,
    "hangs up": lambda: serving(hang_up),
    "says nothing": lambda: serving(saying(b"")),
    "speaks HTTP": lambda: serving(saying(b"HTTP/1.1 400 Bad Request\r\n\r\n")),
    "repeats": lambda: serving(repeat),
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("use", CLIENTS, ids=lambda use: use.__name__[4:])
def test_error_of_a_connection_shows_no_secret(
    use: Use, server: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with SERVERS[server]() as port:
        error = failure_of(use, Tcp("127.0.0.1", port))
    assert_nothing_shown(caplog.text, *told_by(error))


# --- Refused by servers


def hadoop_calls(endpoint: Tcp) -> None:
    """Call without authentication, with a token as the argument."""
    token = {"identifier": SECRET, "password": SECRET, "kind": "k", "service": "s"}
    with HadoopClient(endpoint, retry=NEVER, timeout=TIMEOUT, trace=True) as client:
        client.call("renewDelegationToken", {"token": token})


def cut(*_: object) -> Any:
    raise ConnectionResetError  # ends the conversation of the double


def silent(*_: object) -> Any:
    time.sleep(TIMEOUT * 1.5)
    raise ConnectionResetError


@pytest.mark.parametrize(
    "answer",
    [cut, silent, lambda *_: ("java.io.IOException", "no"), lambda *_: b"\xff", lambda *_: b""],
    ids=["cut", "silent", "refused", "malformed", "empty"],
)
def test_error_of_a_call_with_a_token_shows_no_secret(
    answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with scripted(answer) as namenode:
        error = failure_of(hadoop_calls, Tcp("127.0.0.1", namenode.port))
        assert namenode.calls[0][1]["token"]["password"] == SECRET
    assert_nothing_shown(caplog.text, *told_by(error))


@pytest.mark.parametrize("offered", [None, ("TOKEN", "DIGEST-MD5"), ("KERBEROS", "GSSAPI")])
@pytest.mark.parametrize("use", CLIENTS[:3], ids=lambda use: use.__name__[4:])
def test_refused_token_is_in_no_error(
    use: Use, offered: tuple[str, str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = ("org.apache.hadoop.security.token.SecretManager$InvalidToken", "not found")
    with scripted(lambda *_: b"", refusal=refused, offered=offered) as namenode:
        error = failure_of(use, Tcp("127.0.0.1", namenode.port))
    assert_nothing_shown(caplog.text, *told_by(error))


class OtherSecrets:
    """Lookup that knows another password of each token."""

    def password_of(self, identifier: bytes) -> bytes | None:
        assert identifier == SECRET
        return b"other"


@pytest.mark.parametrize("use", CLIENTS[:3], ids=lambda use: use.__name__[4:])
def test_wrong_password_of_a_token_is_in_no_error_of_either_side(
    use: Use, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with RpcServer(RpcServerOptions(secrets=OtherSecrets())) as server:
        error = failure_of(use, Tcp("127.0.0.1", server.start("127.0.0.1", 0)))
    assert isinstance(error, AuthenticationError)
    assert_nothing_shown(caplog.text, *told_by(error))


def test_key_of_a_keytab_is_in_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with nobody() as port:
        conf = tmp_path / "krb5.conf"
        conf.write_text(
            "[libdefaults]\ndefault_realm = R\ndns_lookup_kdc = false\n"
            f"[realms]\nR = {{\nkdc = 127.0.0.1:{port}\n}}\n"
        )
        monkeypatch.setenv("KRB5_CONFIG", str(conf))
        keytab = write_keytab(tmp_path / "keytab", "alice@R", SECRET)
        kerberos = Kerberos(server_principal="nn/_HOST@R", principal="alice@R", keytab=keytab)

        def use(endpoint: Tcp) -> None:
            authentication = Authentication(kerberos=kerberos)
            with NameNode(endpoint, authentication=authentication, retry=NEVER) as client:
                client.get_file_info("/")

        offered = ("KERBEROS", "GSSAPI")
        with scripted(lambda *_: b"", offered=offered) as namenode:
            error = failure_of(use, Tcp("127.0.0.1", namenode.port))
    assert "alice@R" in str(error)
    assert_nothing_shown(caplog.text, *told_by(error))


def put_secret(endpoint: Tcp) -> None:
    with HazelcastClient(endpoint, connect_retry=NEVER, timeout=TIMEOUT, trace=True) as client:
        client.get_map("m").put(PLANTED, PLANTED)


@pytest.mark.parametrize("use", [use_hazelcast, use_hazelcast_with_credentials, put_secret])
@pytest.mark.parametrize("how", ["status", "exception", "cut", "malformed"])
def test_refused_password_or_entry_of_hazelcast_is_in_no_error(
    use: Use, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with doubles() as [member]:

        def answer(asked: Asked) -> bytes:
            match how:
                case "status":
                    return member.let_in(asked, 1)
                case "exception":
                    return refusal(asked.call_id, 3, "java.lang.SecurityException")
                case "malformed":
                    return member.response(asked, "Boolean", True)
            raise ConnectionResetError

        names = ["Map.put"] if use is put_secret else list(member.answers)[:2]
        member.answers |= dict.fromkeys(names, answer)
        error = failure_of(use, Tcp("127.0.0.1", member.port))
    assert_nothing_shown(caplog.text, *told_by(error))


def refuse_token(connection: socket.socket) -> None:
    """Serve a store that refuses all tokens."""
    session = PravegaServerSession()
    while data := connection.recv(1 << 16):
        session.receive_data(data)
        for event in session.events():
            if isinstance(event, CommandReceived):
                assert PLANTED in str(event.delegation_token)
                fields = {"request_id": event.request_id, "server_stack_trace": "no"}
                session.send(SendReply("AuthTokenCheckFailed", fields | {"error_code": 1}))
        connection.sendall(session.data_to_send(0.0))


@pytest.mark.parametrize("use", [use_segments, use_appender])
def test_refused_delegation_token_is_in_no_error(
    use: Use, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(refuse_token) as port:
        error = failure_of(use, Tcp("127.0.0.1", port))
    assert isinstance(error, AuthenticationError)
    assert_nothing_shown(caplog.text, *told_by(error))


class Refusing(grpc.GenericRpcHandler):
    """Controller that refuses each call with one status, after it has looked at the password."""

    def __init__(self, code: grpc.StatusCode) -> None:
        self.code = code

    def service(self, details: Any) -> Any:
        """Return the handler of a method."""
        [secret] = [value for key, value in details.invocation_metadata if key == "authorization"]
        assert SECRET in base64.b64decode(secret.removeprefix("Basic "))
        return grpc.unary_unary_rpc_method_handler(
            lambda _, context: context.abort(self.code, "refused")
        )


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "INTERNAL", "UNAVAILABLE", "NOT_FOUND"])
def test_refused_password_of_a_controller_is_in_no_error(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    handler = Refusing(grpc.StatusCode[code])
    server = grpc.server(ThreadPoolExecutor(1), handlers=[handler])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        error = failure_of(use_streams, Tcp("127.0.0.1", port))
    finally:
        server.stop(None).wait()
    assert "refused" in str(error)
    assert_nothing_shown(caplog.text, *told_by(error))


# --- Refused before anything is sent


def test_password_of_a_tls_key_is_in_no_error(
    ca: Authority, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pem = ca.issue("alice.example").read_bytes()
    key, locked = load_pem_private_key(pem, None), tmp_path / "key.pem"
    lock = BestAvailableEncryption(b"other")
    locked.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock))
    tls = Tls(ca_file=ca.file, certificate=ca.issue(), key=locked, key_password=lambda: PLANTED)
    for use in (*CLIENTS, use_early):
        error = failure_of(use, Tcp("localhost", 1, tls=tls))
        assert_nothing_shown(caplog.text, *told_by(error))


def assert_hidden_by(make: Callable[[], Any]) -> None:
    try:
        made = make()
    except (ConfigError, TypeError, ValueError) as error:
        assert_nothing_shown(*told_by(error))
    else:  # where Hadoop ignores what is wrong
        assert_nothing_shown(repr(made))
        if hasattr(made, "close"):
            made.close()


WITH_PASSWORD = [
    f"{scheme}://user:{PLANTED}@host:1{path}"
    for scheme in ("tcp", "tls", "hdfs", "pravega", "hazelcast", "http")
    for path in ("", "/", "/path", ",other:x", ":x")
]
WITH_PASSWORD += [f"user:{PLANTED}@host:1", f"user:{PLANTED}@", f"//user:{PLANTED}@host"]
for scheme in ("tcp://", "hdfs://", ""):
    WITH_PASSWORD += [f"{scheme}user:{before}{PLANTED}@host" for before in ("a/", "://", "@")]
    WITH_PASSWORD += [f"{scheme}user:{PLANTED}{after}@host" for after in ("/a", "://", "@b")]


@pytest.mark.parametrize("address", WITH_PASSWORD)
def test_password_in_an_address_is_in_no_error(address: str) -> None:
    clients: list[Callable[[Any], Any]] = [NameNode, HadoopClient, HazelcastClient, SegmentStore]
    for client in (*clients, StreamClient, EarlyClient):
        for given in (address, [address], ["host:1", address]):
            assert_hidden_by(partial(client, given))


@pytest.mark.parametrize("address", WITH_PASSWORD)
def test_password_in_an_address_of_other_interfaces_is_in_no_error(address: str) -> None:
    configuration = HadoopConfiguration({"fs.defaultFS": address})
    parsers: list[Callable[[], object]] = [
        lambda: Tcp.parse(address),
        lambda: Tcp.parse(address, default_port=1),
        lambda: Tcp(address, 1),
        lambda: Address.parse(address),
        lambda: find_namenodes(configuration),
        lambda: find_namenodes(HadoopConfiguration({}), address),
        lambda: bool(split(address)),
        lambda: bool(absolute(address, "/")) if "://" in address else None,
        lambda: bool(local_path(address)),
        lambda: bool(HdfsMetadata._get_kwargs_from_urls(address)),
    ]
    for parse in parsers:
        assert_hidden_by(parse)


INVALID: list[Callable[[], object]] = [
    lambda: HazelcastOptions(password=f"{PLANTED}\ud800"),
    lambda: HazelcastOptions(password=SECRET),  # type: ignore[arg-type]
    lambda: StreamOptions(user="u", password=f"{PLANTED}\ud800"),
    lambda: StreamOptions(user="u", password=SECRET),  # type: ignore[arg-type]
    lambda: SegmentStoreOptions(delegation_token=f"{PLANTED}\ud800"),
    lambda: SegmentStoreOptions(delegation_token=SECRET),  # type: ignore[arg-type]
    lambda: SegmentStoreOptions(delegation_token=PLANTED * 5000),
    lambda: Token.from_url(PLANTED),
    lambda: Token.from_url(base64.urlsafe_b64encode(SECRET).decode()),
    lambda: Token(PLANTED, PLANTED, "k", "s"),  # type: ignore[arg-type]
    lambda: Authentication(tokens=[PLANTED]),  # type: ignore[list-item]
    lambda: Authentication(tokens=PLANTED),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("make", INVALID)
def test_invalid_secret_is_in_no_error(make: Callable[[], object]) -> None:
    assert_hidden_by(make)
