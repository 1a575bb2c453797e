"""The client's authentication to a real NameNode, and the failures where it cannot."""

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.hadoop.errors import AuthenticationRequired, InvalidToken
from jvmwire.hadoop.sasl import Authentication, Protection, SaslAuth, Token, read_tokens
from jvmwire.hadoop.sasl._kerberos import Kerberos, KerberosCredential
from jvmwire.hadoop.sasl.errors import (
    AuthenticationFailed,
    ClockSkew,
    InsecureServer,
    KdcUnreachable,
    KerberosError,
    NoCredentials,
    ServerNotTrusted,
    TicketExpired,
    UnknownPrincipal,
    WrongKeytab,
    WrongRealm,
)
from jvmwire.transports import Recorder, Tap, Tcp
from kit.client_flavours import STYLES, in_every_style
from kit.jvm import free_port
from kit.kerberos import Ccache, make_ccache, write_keytab
from kit.rows import decode_capture

PROTECTIONS = list(Protection)
HOME = "/user/alice"
ALICE = "alice@EXAMPLE.COM"
WEEK = 7 * 24 * 3600


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture
def realm(secure_dfs, monkeypatch):
    """The NameNode, and the key distribution centre where the library finds it."""
    monkeypatch.setenv("KRB5_CONFIG", os.fspath(secure_dfs.krb5_conf))
    monkeypatch.delenv("KRB5CCNAME", raising=False)
    return secure_dfs


def by_token(peer, **options):
    return Authentication(tokens=[Token.from_url(peer.token)], **options)


def by_keytab(peer, *, protection=PROTECTIONS, **options):
    told = {"principal": ALICE, "keytab": peer.keytab, "server_principal": "nn/_HOST@EXAMPLE.COM"}
    return Authentication(kerberos=Kerberos(**(told | options)), protection=protection)


def connect(style, endpoint, authentication, **options):
    told = HadoopOptions(authentication=authentication, **options)
    return style.connect(NameNode, AsyncNameNode, endpoint, told)


def owner_of_home(peer, authentication, **options):
    """Fetch one status; return the owner."""
    told = HadoopOptions(authentication=authentication, **options)
    with NameNode(Tcp("localhost", peer.port), told) as client:
        status = client.get_file_info(HOME)
        assert status is not None
        return status.owner


@pytest.mark.parametrize("protection", PROTECTIONS)
@pytest.mark.parametrize("proof", [by_token, by_keytab])
@in_every_style
async def test_a_secure_namenode_serves_who_proves_to_be_alice(style, realm, proof, protection):
    endpoint = Tcp("localhost", realm.port)
    authentication = proof(realm, protection=protection)
    async with connect(style, endpoint, authentication) as client:
        assert (await client.get_file_info(HOME)).owner == "alice"
        listed = [status.path async for status in style.each(client, client.get_listing("/user"))]
        assert listed == [HOME]
        infos = await client.get_file_infos([f"{HOME}/{'x' * 200}/{at}" for at in range(700)])
        assert (len(infos), infos.errors) == (700, {})


def test_what_is_private_is_in_no_packet_and_what_is_sealed_is_in_all(realm, tmp_path):
    seen = {}
    for protection in PROTECTIONS:
        capture = tmp_path / f"{protection}.pcap"
        with capture.open("wb") as file:
            endpoint = Tap(Tcp("127.0.0.1", realm.port), Recorder(file))
            options = HadoopOptions(authentication=by_token(realm, protection=protection))
            with NameNode(endpoint, options) as client:
                client.get_file_info(HOME)
        content = capture.read_bytes()
        decoded = decode_capture(content)
        assert decoded.errors() == []
        wraps = [row for row in decoded.messages if row["name"] == "Wrap"]
        seen[protection] = (HOME.encode() in content, len(wraps))
    assert seen == {
        Protection.AUTHENTICATION: (True, 0),
        Protection.INTEGRITY: (True, 3),
        Protection.PRIVACY: (False, 3),
    }


@pytest.mark.parametrize("name", ["tokens.writable", "tokens.protobuf"])
def test_tokens_are_read_from_the_files_that_java_writes(realm, name, monkeypatch):
    path = realm.directory / name
    assert read_tokens(path) == [Token.from_url(realm.token)]
    monkeypatch.setenv("HADOOP_TOKEN_FILE_LOCATION", os.fspath(path))
    options = HadoopOptions()
    with NameNode(Tcp("127.0.0.1", realm.port), options) as client:
        status = client.get_file_info(HOME)
        assert status is not None
        assert status.owner == "alice"


@pytest.mark.parametrize(
    ("expected", "pattern"),
    [(None, "*"), (None, "nn/*@EXAMPLE.COM"), ("hdfs/_HOST@OTHER", "*"), ("nn/_HOST", "{nn,x}/*")],
)
@in_every_style
async def test_a_namenode_may_have_any_principal_that_matches_the_pattern(
    style, realm, expected, pattern
):
    proof = by_keytab(realm, server_principal=expected, server_pattern=pattern)
    for _ in range(2):  # the second time its name is cached
        async with connect(style, Tcp("localhost", realm.port), proof) as client:
            assert (await client.get_file_info(HOME)).owner == "alice"


def test_a_namenode_whose_principal_does_not_match_the_pattern_is_not_called(realm):
    for pattern in ("hdfs/*", "nn/*@OTHER", "nn/localhost"):
        proof = by_keytab(realm, server_principal=None, server_pattern=pattern)
        with pytest.raises(ServerNotTrusted, match="says that it is nn/localhost@EXAMPLE"):
            owner_of_home(realm, proof)


def test_a_realm_of_a_host_is_that_of_the_configuration(tmp_path):
    text = "[libdefaults]\ndefault_realm = A\n[domain_realm]\n.example.org = B\n"
    (tmp_path / "krb5.conf").write_text(f"{text}[realms]\nA = {{}}\nB = {{}}\n")
    code = (
        "from jvmwire.hadoop.sasl._gssapi import realm_of as r; print(r('nn.example.org'), r('nn'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"KRB5_CONFIG": str(tmp_path / "krb5.conf")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() in (["B"], ["B", "A"])


def test_a_ticket_of_kinit_is_as_good_as_a_keytab(realm, tmp_path, monkeypatch):
    ccache = make_ccache(tmp_path / "ccache", ALICE, realm.keytab)
    known = {"principal": None, "keytab": None}
    by_file = by_keytab(realm, ccache=f"FILE:{ccache}", **known)
    assert owner_of_home(realm, by_file) == "alice"
    monkeypatch.setenv("KRB5CCNAME", f"FILE:{ccache}")
    assert owner_of_home(realm, by_keytab(realm, **known)) == "alice"


def test_who_may_act_for_another_does_so_by_their_own_ticket(realm):
    authentication = by_keytab(realm)
    assert owner_of_home(realm, authentication, user="bob", real_user="alice") == "alice"
    with pytest.raises(
        AuthenticationRequired, match=r"alice.* is not allowed to impersonate carol"
    ):
        owner_of_home(realm, authentication, user="carol", real_user="alice")


def test_a_token_the_namenode_does_not_know_is_named(realm):
    token = Token.from_url(realm.token)
    unknown = Token(token.identifier[:-1] + b"\x63", token.password)
    with pytest.raises(InvalidToken, match="can't be found in cache"):
        owner_of_home(realm, Authentication(tokens=[unknown]))
    wrong = Token(token.identifier, b"no password")
    with pytest.raises(AuthenticationRequired, match="Mismatched response") as refused:
        owner_of_home(realm, Authentication(tokens=[wrong]))
    assert refused.value.java_class == "javax.security.sasl.SaslException"


def test_a_token_for_another_server_is_not_shown_to_this_one(realm):
    token = Token.from_url(realm.token).for_service("127.0.0.1:1")
    with pytest.raises(
        AuthenticationFailed, match=r"there are HDFS_DELEGATION_TOKEN for 127\.0\.0\.1:1"
    ):
        owner_of_home(realm, Authentication(tokens=[token]))


def test_a_namenode_that_asks_for_no_proof_is_used_only_where_that_is_allowed(realm, minidfs):
    endpoint = Tcp("localhost", minidfs.port)
    secure = by_keytab(realm)
    options = HadoopOptions(authentication=secure)
    with NameNode(endpoint, options) as client, pytest.raises(InsecureServer):
        client.get_file_info("/")
    allowed = replace(secure, fallback_to_simple=True)
    with NameNode(endpoint, HadoopOptions(authentication=allowed, user="hdfs")) as client:
        client.get_file_info("/")


def wrong_key(peer, path):
    return {"keytab": write_keytab(path / "keytab", ALICE, bytes(16))}


def no_key(peer, path):
    return {"principal": "bob@EXAMPLE.COM"}


def unknown_client(peer, path):
    name = "bob@EXAMPLE.COM"
    return {"principal": name, "keytab": write_keytab(path / "keytab", name, bytes(16))}


def unknown_service(peer, path):
    return {"server_principal": "nobody/localhost@EXAMPLE.COM"}


def other_service(peer, path):
    return {"server_principal": "HTTP/_HOST@EXAMPLE.COM"}


def realm_of_the_client(peer, path):
    name = "alice@ELSEWHERE.COM"
    return {"principal": name, "keytab": write_keytab(path / "keytab", name, bytes(16))}


def realm_of_the_server(peer, path):
    return {"server_principal": "nn/localhost@ELSEWHERE.COM"}


def nothing(peer, path):
    return {"principal": None, "keytab": None, "ccache": f"FILE:{path / 'nothing'}"}


def expired(peer, path):
    ccache = make_ccache(path / "ccache", ALICE, peer.keytab)
    Ccache(ccache).expire(WEEK)
    return {"principal": None, "keytab": None, "ccache": f"FILE:{ccache}"}


def skewed(peer, path):
    ccache = make_ccache(path / "ccache", ALICE, peer.keytab)
    Ccache(ccache).put_clock_off(3600)
    return {"principal": None, "keytab": None, "ccache": f"FILE:{ccache}"}


@pytest.mark.parametrize(
    ("setting", "error", "why"),
    [
        (wrong_key, WrongKeytab, "Decrypt integrity check failed"),
        (no_key, WrongKeytab, "keytab has no key of bob@EXAMPLE.COM"),
        (unknown_client, UnknownPrincipal, "'bob@EXAMPLE.COM' not found"),
        (unknown_service, UnknownPrincipal, "nobody/localhost@EXAMPLE.COM not found"),
        (other_service, ServerNotTrusted, "it is nn/localhost, and should be HTTP/localhost"),
        (realm_of_the_client, WrongRealm, 'Cannot find KDC for realm "ELSEWHERE.COM"'),
        (realm_of_the_server, WrongRealm, "krbtgt/ELSEWHERE.COM"),
        (nothing, NoCredentials, "No credentials cache found"),
        (expired, TicketExpired, "Ticket expired"),
        (skewed, ClockSkew, "Clock skew too great"),
    ],
)
def test_what_is_wrong_with_kerberos_has_a_name(realm, tmp_path, setting, error, why):
    with pytest.raises(error, match=why):
        owner_of_home(realm, by_keytab(realm, **setting(realm, tmp_path)))


@pytest.mark.parametrize("challenge", [b"", b"garbage", b"\x60\x03\x06\x01\0", bytes(1000)])
def test_a_proof_of_the_server_that_is_none_is_one_clear_error(realm, challenge):
    kerberos = by_keytab(realm).kerberos
    assert kerberos is not None
    credential = KerberosCredential(kerberos, "localhost", PROTECTIONS)
    mechanism = credential.mechanism(SaslAuth("KERBEROS", "GSSAPI", "nn", "localhost"))
    assert mechanism is not None
    assert mechanism.respond(b"")
    with pytest.raises(
        KerberosError, match=r"the server's proof is not believed: Invalid token was"
    ):
        mechanism.respond(challenge)
    assert not mechanism.complete


def test_a_key_distribution_centre_that_does_not_answer_is_named(realm, tmp_path, monkeypatch):
    conf = tmp_path / "krb5.conf"
    conf.write_text(
        "[libdefaults]\n default_realm = EXAMPLE.COM\n udp_preference_limit = 1\n"
        f"[realms]\n EXAMPLE.COM = {{\n  kdc = localhost:{free_port()}\n }}\n"
    )
    monkeypatch.setenv("KRB5_CONFIG", os.fspath(conf))
    with pytest.raises(KdcUnreachable, match="Cannot contact any KDC"):
        owner_of_home(realm, by_keytab(realm))


@in_every_style
async def test_a_token_is_fetched_shown_renewed_and_ended(style, realm):
    endpoint = Tcp("localhost", realm.port)
    async with connect(style, endpoint, by_keytab(realm)) as client:
        token = await client.get_delegation_token("alice")
        assert (token.kind, token.service) == ("HDFS_DELEGATION_TOKEN", f"localhost:{realm.port}")
        shown = Authentication(tokens=[token])
        async with connect(style, endpoint, shown) as other:
            assert (await other.get_file_info(HOME)).owner == "alice"
        expires = await client.renew_delegation_token(token)
        assert expires.timestamp() > time.time()
        await client.cancel_delegation_token(token)
        with pytest.raises(InvalidToken):
            await client.renew_delegation_token(token)
        async with connect(style, endpoint, shown) as other:
            with pytest.raises(InvalidToken):
                await other.get_file_info(HOME)
