"""DIGEST-MD5 between jvmwire's server side and Java's client side, with mutual authentication."""

import pytest

from jvmwire import RemoteProtocolError
from jvmwire.hadoop.sasl import DigestServer, Protection, SecurityLayer, Token
from jvmwire.hadoop.sasl._security_layer import CIPHERS
from jvmwire.hadoop.sasl.errors import AuthenticationFailed
from kit.hadoop import program
from kit.peer import Peer
from kit.scale import seeded, times

TOKEN = Token(b"\0\x05alice", b"a password\xff")
KNOWN = {TOKEN.username: TOKEN.secret}


class Java:
    """Java's client."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def begin(self, quality: str, ciphers: str, password: str = TOKEN.secret) -> None:
        """Discard the state, and set the identity."""
        words = (TOKEN.username.encode().hex(), password.encode().hex())
        self._peer.ask(f"begin {quality} {ciphers} {' '.join(words)}")

    def ask(self, command: str, data: bytes) -> bytes:
        """Return Java's result for some bytes."""
        return bytes.fromhex(self.said(f"{command} {data.hex()}"))

    def said(self, command: str) -> str:
        """Return Java's message."""
        answer = self._peer.ask(command)
        assert answer.startswith("= ")
        return answer[2:]


@pytest.fixture(scope="module")
def java(tmp_path_factory):
    with Peer(program("DigestPeer", directory=tmp_path_factory.mktemp("digest"))) as peer:
        yield Java(peer)


def agreed(java: Java, server: DigestServer) -> SecurityLayer | None:
    """Let Java authenticate to `server`, and the server to Java."""
    proof = server.evaluate(java.ask("evaluate", server.challenge()))
    assert java.ask("evaluate", proof) == b""
    assert server.username == TOKEN.username
    return server.seal


def assert_carries(java: Java, seal: SecurityLayer) -> None:
    random = seeded(11)
    for size in [0, 1, 6, 7, 8, 9, 14, 15, 16, *(random.randrange(9000) for _ in range(times(4)))]:
        data = random.randbytes(size)
        assert java.ask("unwrap", seal.wrap(data)) == data
        # Java sends nothing where no message is due.
        if data:
            assert seal.unwrap(java.ask("wrap", data)) == data


def test_java_proves_itself_where_nothing_is_sealed(java):
    java.begin("auth", "3des")
    server = DigestServer(KNOWN.get, protections=[Protection.AUTHENTICATION])
    assert agreed(java, server) is None
    assert java.said("agreed").split()[:2] == ["true", "auth"]


def test_java_reads_what_we_seal_and_we_what_it_seals(java):
    java.begin("auth-int", "3des")
    server = DigestServer(KNOWN.get)
    seal = agreed(java, server)
    assert seal is not None
    assert server.protection is Protection.INTEGRITY
    assert java.said("agreed") == f"true auth-int {seal.max_size}"
    assert_carries(java, seal)


@pytest.mark.parametrize("cipher", CIPHERS)
def test_java_reads_what_we_encipher_and_we_what_it_does(java, cipher):
    java.begin("auth-conf", cipher)
    server = DigestServer(KNOWN.get)
    seal = agreed(java, server)
    assert seal is not None
    assert server.protection is Protection.PRIVACY
    assert java.said("agreed") == f"true auth-conf {seal.max_size}"
    assert_carries(java, seal)


def test_java_with_another_password_is_not_believed(java):
    java.begin("auth", "3des", "another")
    server = DigestServer(KNOWN.get)
    with pytest.raises(AuthenticationFailed, match="not known, or not the password"):
        server.evaluate(java.ask("evaluate", server.challenge()))


def test_java_does_not_believe_a_server_that_does_not_know_the_password(java):
    java.begin("auth", "3des")
    server = DigestServer({TOKEN.username: TOKEN.secret}.get)
    server.evaluate(java.ask("evaluate", server.challenge()))
    answer = java.said(f"evaluate {b'rspauth=00000000000000000000000000000000'.hex()}")
    assert answer.startswith("refused Problem generating response value for verification")


def test_java_is_refused_what_our_server_does_not_offer(java):
    java.begin("auth", "3des")
    server = DigestServer(KNOWN.get, protections=[Protection.PRIVACY])
    answer = java.said(f"evaluate {server.challenge().hex()}")
    assert answer == "refused DIGEST-MD5: No common protection layer between client and server"


def test_a_wrap_of_java_that_was_touched_is_told(java):
    java.begin("auth-conf", "rc4")
    seal = agreed(java, DigestServer(KNOWN.get))
    assert seal is not None
    token = java.ask("wrap", b"some bytes")
    with pytest.raises(RemoteProtocolError, match="the seal of message 0 is broken"):
        seal.unwrap(bytes([token[0] ^ 1]) + token[1:])
