"""Authentication in Hadoop RPC: DIGEST-MD5 as in Java, negotiations, and forbidden messages."""

import logging
import os

import pytest

from jvmwire import LocalProtocolError, RemoteProtocolError
from jvmwire._core import HadoopReplyDecoder, encode_sasl
from jvmwire._runtime.session import Failed, Opened, State
from jvmwire.errors import ConfigError
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop._commands import CLIENT_PROTOCOL, GetFileInfo, GetFileInfos
from jvmwire.hadoop.errors import AuthenticationRequired
from jvmwire.hadoop.sasl import (
    Authentication,
    DigestClient,
    DigestServer,
    Protection,
    SaslAuth,
    SaslClient,
    SaslMessage,
    SaslServer,
    Token,
)
from jvmwire.hadoop.sasl._security_layer import CIPHERS
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, InsecureServer, ServerNotTrusted
from jvmwire.transports import Tcp
from kit.hadoop_security import (
    SECURE_CLIENT,
    TOKEN,
    digest_client,
    digest_server,
    frames,
    new_session,
    secured,
    wrap,
    wrapped_in,
)
from kit.jvm import free_port
from kit.scale import seeded, times
from kit.transcript import Hears, Sends, Writes
from kit.wire import FATAL, connection_header, content, failure, reply, sasl

PROTECTIONS = list(Protection)
SEALED = [Protection.INTEGRITY, Protection.PRIVACY]
PASSWORDS = {"alice": "secret", "näme": "pässword", "名": "秘密"}


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_the_client_answers_as_java_answered_and_believes_its_server(protection):
    recorded = secured(protection)
    client = digest_client(recorded)
    assert client.respond(recorded.challenge) == recorded.response
    assert not client.complete
    assert client.respond(recorded.proof) == b""
    assert client.complete


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_the_server_believes_java_and_proves_itself_as_java_did(protection):
    recorded = secured(protection)
    server = digest_server(recorded)
    assert server.challenge() == recorded.challenge
    assert server.evaluate(recorded.response) == recorded.proof
    assert (server.username, server.protection) == (TOKEN.username, protection)


def seals(recorded):
    """Return the seals of the recorded client and its server."""
    client, server = digest_client(recorded), digest_server(recorded)
    client.respond(recorded.challenge)
    server.evaluate(recorded.response)
    assert client.seal is not None
    assert server.seal is not None
    return client.seal, server.seal


@pytest.mark.parametrize("protection", SEALED)
def test_what_java_sealed_is_opened_and_sealed_again_to_the_same_bytes(protection):
    recorded = secured(protection)
    client, server = seals(recorded)
    asked = [server.unwrap(token) for token in recorded.client_wraps]
    assert [client.wrap(data) for data in asked] == recorded.client_wraps
    answered = [client.unwrap(token) for token in recorded.server_wraps]
    assert [server.wrap(data) for data in answered] == recorded.server_wraps
    assert b"getFileInfo" in asked[1]
    assert b"java.io.FileNotFoundException" in answered[-1]


def agreed(protection, cipher=None, username="alice"):
    server = DigestServer(PASSWORDS.get, protections=[protection])
    challenge = server.challenge()
    if cipher is not None:
        challenge = challenge.replace(",".join(CIPHERS).encode(), cipher.encode())
    client = DigestClient(username, PASSWORDS[username], protocol="", server_id="default")
    client.respond(server.evaluate(client.respond(challenge)))
    assert client.complete
    return client, server


@pytest.mark.parametrize("cipher", CIPHERS)
def test_every_cipher_carries_any_length_both_ways(cipher):
    client, server = agreed(Protection.PRIVACY, cipher)
    random = seeded(7)
    for size in [*range(20), *(random.randrange(client.seal.max_size) for _ in range(times(5)))]:
        data = random.randbytes(size)
        for ours, theirs in ((client.seal, server.seal), (server.seal, client.seal)):
            sealed = ours.wrap(data)
            assert len(sealed) <= 65_536
            assert theirs.unwrap(sealed) == data


@pytest.mark.parametrize("username", PASSWORDS)
def test_names_and_passwords_of_any_script_are_proved(username):
    _, server = agreed(Protection.INTEGRITY, username=username)
    assert server.username == username


@pytest.mark.parametrize("protection", SEALED)
@pytest.mark.parametrize("what", ["cut", "flip", "again", "later", "version"])
def test_a_broken_seal_is_told(protection, what):
    client, server = agreed(protection)
    token = client.seal.wrap(b"some data")
    match what:
        case "cut":
            for size in range(len(token)):
                with pytest.raises(RemoteProtocolError, match="DIGEST-MD5"):
                    agreed(protection)[1].seal.unwrap(token[:size])
            return
        case "flip":
            token = bytes([token[0] ^ 1]) + token[1:]
        case "again":
            server.seal.unwrap(token)
        case "later":
            token = client.seal.wrap(b"some data")
        case "version":
            token = token[:-5] + b"\2" + token[-4:]
    with pytest.raises(RemoteProtocolError, match="DIGEST-MD5"):
        server.seal.unwrap(token)


CHALLENGE = (
    b'realm="default",nonce="n",qop="auth,auth-int,auth-conf",charset=utf-8,'
    b'cipher="3des,rc4",algorithm=md5-sess'
)


@pytest.mark.parametrize(
    ("challenge", "why"),
    [
        (b"", "algorithm is missing"),
        (b"\xff", "no UTF-8 at byte 0"),
        (b"x" * 2049, "2049 bytes, and 2048 are allowed"),
        (b"nonsense", "no directive at character 0"),
        (CHALLENGE + b',nonce="n"', "nonce occurs 2 times"),
        (CHALLENGE.replace(b'nonce="n",', b""), "nonce is missing"),
        (CHALLENGE.replace(b'"n"', b'"n'), "no directive"),
        (CHALLENGE.replace(b"md5-sess", b"md5"), "algorithm is 'md5', not md5-sess"),
        (CHALLENGE.replace(b',cipher="3des,rc4"', b""), "cipher is missing"),
        (CHALLENGE + b",maxbuf=10", "maxbuf is '10'"),
        (CHALLENGE + b",maxbuf=99999999999", "maxbuf is '99999999999'"),
        (CHALLENGE + b",maxbuf=-1", "maxbuf is '-1'"),
    ],
)
def test_a_challenge_that_is_none_is_one_clear_error(challenge, why):
    client = DigestClient("a", "b", protocol="", server_id="default")
    with pytest.raises(RemoteProtocolError, match=why):
        client.respond(challenge)


@pytest.mark.parametrize(
    ("challenge", "why"),
    [
        (CHALLENGE.replace(b"auth,auth-int,auth-conf", b"auth-int"), "offers auth-int, wanted"),
        (CHALLENGE.replace(b"3des,rc4", b"aes"), "the server offers aes"),
    ],
)
def test_a_server_that_offers_too_little_is_told_so(challenge, why):
    client = DigestClient("a", "b", protocol="", server_id="x", protections=[Protection.PRIVACY])
    with pytest.raises(AuthenticationFailed, match=why):
        client.respond(challenge)


# colinmarc/hdfs 261: of several protections the first one was taken for granted.
@pytest.mark.parametrize("offered", Protection)
def test_of_several_protections_the_first_that_the_server_offers_is_taken(offered):
    wanted = Protection.in_order("authentication,privacy,integrity")
    client = DigestClient("a", "b", protocol="", server_id="x", protections=wanted)
    client.respond(CHALLENGE.replace(b"auth,auth-int,auth-conf", offered.quality.encode()))
    assert (client.seal is not None) is (offered is not Protection.AUTHENTICATION)
    both = DigestClient("a", "b", protocol="", server_id="x", protections=wanted)
    both.respond(CHALLENGE)
    assert both.seal is None


def test_a_server_that_does_not_know_the_password_is_not_trusted():
    recorded = secured(Protection.PRIVACY)
    client = digest_client(recorded)
    client.respond(recorded.challenge)
    with pytest.raises(ServerNotTrusted):
        client.respond(b"rspauth=" + b"0" * 32)


@pytest.mark.parametrize(
    ("find", "put", "error", "why"),
    [
        (b"response=", b"response=0", AuthenticationFailed, "not known, or not the password"),
        (b'username="alice"', b'username="bob"', AuthenticationFailed, "not known, or not the"),
        (b"nc=00000001", b"nc=00000002", RemoteProtocolError, "nc is '00000002'"),
        (b'nonce="', b'nonce="x', RemoteProtocolError, "nonce is 'x"),
        (b'"default"', b'"other"', RemoteProtocolError, "realm is 'other'"),
        (b'"/default"', b'"/other"', RemoteProtocolError, "digest-uri is '/other'"),
        (b"qop=auth-conf", b"qop=auth-what", RemoteProtocolError, "'auth-what' was not offered"),
        (b'cipher="3des"', b'cipher="aes"', RemoteProtocolError, "the cipher 'aes' was not"),
        (b"maxbuf=65536", b"maxbuf=x", RemoteProtocolError, "maxbuf is 'x'"),
    ],
)
def test_a_response_that_proves_nothing_is_one_clear_error(find, put, error, why):
    server = DigestServer(PASSWORDS.get)
    client = DigestClient("alice", "secret", protocol="", server_id="default")
    response = client.respond(server.challenge())
    assert find in response
    with pytest.raises(error, match=why):
        server.evaluate(response.replace(find, put, 1))
    assert server.seal is None


class Secrets:
    def password_of(self, identifier: bytes) -> bytes | None:
        return {b"alice's": b"\0\1\2"}.get(identifier)


def negotiated(client, server):
    """Let both sides negotiate; return the number of messages."""
    data, turns = client.begin(), 0
    while not client.done:
        turns += 1
        data = client.receive(said("server", server.receive(said("client", data))))
    return turns


def said(side, frame):
    """Decode a frame of a negotiation, by the decoder of replies."""
    if side == "client":  # there is no decoder of requests here: the body is the same
        body = frame[4 + 11 :]
        head = encode_sasl("server", "SUCCESS")[4:19]
        frame = (len(head) + len(body)).to_bytes(4) + head + body
    decoder = HadoopReplyDecoder(client_id=bytes(16))
    decoder.feed(frame)
    answer = decoder.next_response()
    assert answer is not None
    assert answer.sasl is not None
    state, token, auths = answer.sasl
    return SaslMessage(state, token, [SaslAuth(*auth) for auth in auths])


class Known:
    user = None

    def __init__(self, token):
        self.token = token

    def mechanism(self, auth):
        return DigestClient(
            self.token.username, self.token.secret, protocol="", server_id=auth.server_id
        )


def test_our_client_and_our_server_prove_themselves_in_two_turns():
    server = SaslServer(Secrets())
    client = SaslClient([Known(Token(b"alice's", b"\0\1\2"))])
    assert negotiated(client, server) == 2
    assert (server.identifier, client.secure) == (b"alice's", True)
    assert client.seal is not None
    assert server.seal is not None
    assert server.seal.unwrap(client.seal.wrap(b"x")) == b"x"


@pytest.mark.parametrize("token", [Token(b"bob's", b"\0\1\2"), Token(b"alice's", b"")])
def test_our_server_believes_no_token_that_it_did_not_give(token):
    server = SaslServer(Secrets())
    with pytest.raises(AuthenticationFailed):
        negotiated(SaslClient([Known(token)]), server)
    assert not server.done
    assert server.seal is None


@pytest.mark.parametrize(
    "message",
    [
        SaslMessage("INITIATE"),
        SaslMessage("SUCCESS"),
        SaslMessage("WRAP", b"x"),
        SaslMessage("RESPONSE", b"x"),
    ],
)
def test_our_server_takes_nothing_out_of_turn(message):
    with pytest.raises(RemoteProtocolError, match=f"the client says {message.state} while ASKED"):
        SaslServer(Secrets()).receive(message)


def test_our_server_takes_only_what_it_offered():
    server = SaslServer(Secrets())
    server.receive(SaslMessage("NEGOTIATE"))
    with pytest.raises(RemoteProtocolError, match="that was not offered"):
        server.receive(SaslMessage("INITIATE", b"", [SaslAuth("KERBEROS", "GSSAPI")]))


def asking():
    session = new_session(secured(Protection.PRIVACY))
    assert list(session.events()) == []
    assert session.data_to_send(0.0) == connection_header(auth=0xDF) + sasl("client", 1)
    return session


def heard(session, *data):
    session.receive_data(b"".join(data))
    return list(session.events())


def test_no_call_leaves_before_both_sides_are_known():
    session = asking()
    with pytest.raises(LocalProtocolError, match="while OPENING"):
        session.send(GetFileInfo("/a"), 1)
    recorded = secured(Protection.PRIVACY)
    assert heard(session, recorded.server[0]) == []
    assert session.state is State.OPENING
    assert session.data_to_send(0.0) == recorded.client[1]
    assert heard(session, recorded.server[1]) == [Opened()]


def test_a_server_that_asks_for_no_proof_is_refused():
    [failed] = heard(asking(), sasl("server", 0))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, InsecureServer)


def test_a_server_that_asks_for_no_proof_is_taken_where_that_is_allowed():
    session = asking()
    session.sasl = SaslClient(fallback_to_simple=True)
    assert heard(session, sasl("server", 0)) == [Opened()]
    assert b"nobody" in session.data_to_send(0.0)
    assert not session.sasl.secure


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (sasl("server", 3, content(3, b"")), "the server says CHALLENGE while NEGOTIATING"),
        (sasl("server", 5, content(3, b"")), "the server says WRAP while NEGOTIATING"),
        (sasl("server", 9), "a state of SASL"),
        (
            secured(Protection.PRIVACY).server[0] * 2,
            "the server says NEGOTIATE while AUTHENTICATING",
        ),
        (
            secured(Protection.PRIVACY).server[0] + sasl("server", 0),
            "before it authenticated itself",
        ),
        (sasl("server", 1, content(4, content(1, "TOKEN"))), "algorithm is missing"),
    ],
)
def test_a_server_that_speaks_out_of_turn_is_blamed(answer, why):
    with pytest.raises(RemoteProtocolError, match=why):
        heard(asking(), answer)


def test_a_server_that_offers_nothing_of_use_is_told_what_it_offered():
    offer = content(4, content(1, "KERBEROS") + content(2, "GSSAPI"))
    [failed] = heard(asking(), sasl("server", 1, offer))
    assert isinstance(failed.error, AuthenticationFailed)
    assert str(failed.error).endswith("the server offers: KERBEROS by GSSAPI")


def opened():
    session, recorded = asking(), secured(Protection.PRIVACY)
    heard(session, *recorded.server[:2])
    return session, recorded


def test_a_server_that_does_not_wrap_what_it_says_is_blamed():
    session, _ = opened()
    with pytest.raises(
        RemoteProtocolError, match="without the protection that was negotiated: success"
    ):
        heard(session, reply(0))


def test_a_wrap_of_something_else_is_blamed():
    session, _ = opened()
    with pytest.raises(RemoteProtocolError, match="DIGEST-MD5"):
        heard(session, wrap("server", b"something else"))


def test_a_server_that_negotiates_behind_the_negotiation_is_blamed():
    session, recorded = opened()
    with pytest.raises(RemoteProtocolError, match="says NEGOTIATE where it must wrap"):
        heard(session, recorded.server[0])


def test_a_server_that_gives_up_may_say_so_without_a_wrap():
    session, _ = opened()
    [failed] = heard(session, failure(-1, "a.B", "no", status=FATAL, code=15))
    assert isinstance(failed.error, AuthenticationRequired)


def test_a_long_batch_is_cut_into_wraps_that_the_server_can_hold():
    session, recorded = opened()
    _, server = seals(recorded)
    _response, *wraps = frames(bytes(session.data_to_send(0.0)))
    [context] = map(server.unwrap, wrapped_in(wraps))
    assert context.endswith(CLIENT_PROTOCOL.encode())
    session.send(GetFileInfos([f"/{'x' * 100}/{at}" for at in range(2000)]), 0)
    tokens = wrapped_in(frames(bytes(session.data_to_send(0.0))))
    assert all(len(token) <= 65_536 for token in tokens)
    calls = frames(b"".join(map(server.unwrap, tokens)))
    assert (len(calls), len(tokens)) == (
        2000,
        -(-sum(map(len, calls)) // session.sasl.seal.max_size),
    )


def test_a_token_is_read_from_its_url_form_and_written_as_it_was():
    assert (TOKEN.kind, TOKEN.service) == ("HDFS_DELEGATION_TOKEN", "127.0.0.1:45797")
    assert Token.from_url(TOKEN.to_url()) == TOKEN


def test_secrets_stand_in_no_repr_log_or_error(caplog):
    caplog.set_level(logging.DEBUG)
    secret = [TOKEN.secret, TOKEN.username, repr(TOKEN.password), repr(TOKEN.identifier)]
    authentication = Authentication(tokens=[TOKEN])
    options = HadoopOptions(authentication=authentication, trace=True, timeout=5.0)
    endpoint = Tcp("127.0.0.1", free_port())
    told = [repr(TOKEN), str(TOKEN), repr(authentication), repr(options), str(options)]
    with NameNode(endpoint, options) as client, pytest.raises(AuthenticationFailed) as failure:
        client.get_file_info("/")
    told += [str(failure.value), repr(failure.value), caplog.text]
    assert "127.0.0.1:45797" in str(failure.value)
    recorded = secured(Protection.PRIVACY)
    told += [repr(SaslMessage("INITIATE", recorded.response)), repr(digest_server(recorded))]
    session, _ = opened()
    told += [repr(session), repr(session.sasl)]
    assert [text for text in told if any(part in text for part in secret)] == []


def test_what_cannot_be_meant_is_refused_when_it_is_said(tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match="neither a token nor Kerberos"):
        Authentication()
    with pytest.raises(ConfigError, match="'secret' is not a valid Protection; there are auth"):
        Authentication(tokens=[TOKEN], protection="integrity,secret")
    for content_of_file, why in [
        (b"HDTS", "the format is b''"),
        (b"HDTX\0", "begins with b'HDTX'"),
        (b"HDTS\2", "the format is"),
        (b"HDTS\0\5", "token count says 5, and 0 bytes are left"),
        (b"HDTS\0\1\1a\x7f", "identifier says 127"),
        (b"HDTS\1\5\1", "message length says 5"),
    ]:
        (tmp_path / "tokens").write_bytes(content_of_file)
        monkeypatch.setenv("HADOOP_TOKEN_FILE_LOCATION", os.fspath(tmp_path / "tokens"))
        with pytest.raises(ConfigError, match=f"not a token file: .*{why}"):
            HadoopOptions()


def test_the_recorded_conversation_is_had_to_its_last_byte():
    session = SECURE_CLIENT.new_session()
    kinds = []
    for step in SECURE_CLIENT.steps:
        match step:
            case Sends(command, call_id):
                session.send(command, call_id)
            case Writes(data):
                assert session.data_to_send(0.0) == data
            case Hears(data):
                kinds += [type(event).__name__ for event in heard(session, data)]
    assert kinds == ["Opened", "Reply", "Reply", "Reply", "Refused"]
    assert session.next_timeout() is not None
