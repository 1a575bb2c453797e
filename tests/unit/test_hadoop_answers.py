"""A client interprets a server's replies as Java's client does: refusals, tokens, listings."""

import base64
from contextlib import ExitStack

import pytest

from jvmwire.errors import JvmWireError
from jvmwire.hadoop import HadoopOptions, NameNode, ObserverReads
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop.errors import (
    AuthenticationRequired,
    InvalidToken,
    Retriable,
    Standby,
    from_java,
)
from jvmwire.hadoop.sasl import Authentication, Token
from jvmwire.hadoop.sasl._token import kinds_for, token_for
from jvmwire.options import NEVER, RetryPolicy
from jvmwire.transports import Tcp
from kit.hadoop_scripted import Fields, ScriptedNameNode, listing, scripted, status

IPC = "org.apache.hadoop.ipc."
STANDBY = f"{IPC}StandbyException", "Operation category READ is not supported in state standby"
STARTING = f"{IPC}RetriableException", "NameNode still not started"
UNKNOWN = "org.apache.hadoop.security.token.SecretManager$InvalidToken", "token can't be found"
DENIED = "org.apache.hadoop.security.AccessControlException", "SIMPLE authentication is not enabled"
QUICK = RetryPolicy(attempts=4, first_wait=0.01)
TOKEN_BY_DIGEST = "TOKEN", "DIGEST-MD5"


def found(_method: str, _request: Fields) -> Fields:
    return {"fs": status()}


def client(*namenodes: ScriptedNameNode, tokens: list[Token] | None = None) -> NameNode:
    endpoints = [Tcp("127.0.0.1", namenode.port) for namenode in namenodes]
    proof = Authentication(tokens=tokens or [Token(b"id", b"pw")], fallback_to_simple=True)
    return NameNode(endpoints, HadoopOptions(user="x", authentication=proof, retry=QUICK))


@pytest.mark.parametrize("offered", [None, TOKEN_BY_DIGEST], ids=["at once", "to the token"])
def test_a_standby_namenode_that_ends_the_negotiation_is_left_for_the_next(offered):
    with (
        scripted(found, refusal=STANDBY, offered=offered) as standby,
        scripted(found) as active,
        client(standby, active) as asking,
    ):
        assert asking.get_file_info("/") is not None
        assert (standby.connections, active.connections) == (1, 1)


def test_a_namenode_that_starts_is_asked_again():
    with scripted(found, refusal=STARTING) as starting, client(starting) as asking:
        with pytest.raises(Retriable):
            asking.get_file_info("/")
        assert starting.connections == QUICK.attempts


@pytest.mark.parametrize("refusal", [UNKNOWN, DENIED], ids=["token", "access"])
def test_a_token_that_is_not_believed_is_shown_once(refusal):
    with (
        scripted(found, refusal=refusal, offered=TOKEN_BY_DIGEST) as first,
        scripted(found) as second,
        client(first, second) as asking,
    ):
        with pytest.raises(AuthenticationRequired):
            asking.get_file_info("/")
        assert (len(first.proofs), second.connections) == (1, 0)


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (STANDBY, Standby),
        (STARTING, Retriable),
        (UNKNOWN, InvalidToken),
        (DENIED, AuthenticationRequired),
        (("java.io.IOException", "no"), AuthenticationRequired),
    ],
)
def test_what_ends_a_negotiation_goes_by_its_java_class(refusal, kind):
    assert type(from_java((*refusal, "FATAL_UNAUTHORIZED"))) is kind


@pytest.mark.parametrize("refusal", [STANDBY, None], ids=["in the negotiation", "of the call"])
def test_each_namenode_is_asked_once_before_anything_is_waited_for(refusal):
    def standby(_method: str, _request: Fields) -> tuple[str, str]:
        return STANDBY

    with ExitStack() as ending:
        namenodes = [ending.enter_context(scripted(standby, refusal=refusal)) for _ in range(3)] + [
            ending.enter_context(scripted(found))
        ]
        endpoints = [Tcp("127.0.0.1", namenode.port) for namenode in namenodes]
        proof = Authentication(tokens=[Token(b"id", b"pw")], fallback_to_simple=True)
        hours = RetryPolicy(attempts=2, first_wait=3600.0, longest_wait=3600.0)
        options = HadoopOptions(user="x", authentication=proof, retry=hours)
        asking = ending.enter_context(NameNode(endpoints, options))
        assert asking.get_file_info("/") is not None
        assert [namenode.connections for namenode in namenodes] == [1, 1, 1, 1]


def test_an_observer_read_passes_over_namenodes_that_refuse_the_token_for_their_state():
    def state(method: str, _request: Fields) -> Fields:
        answers: dict[str, Fields] = {"getHAServiceState": {"state": "OBSERVER"}, "msync": {}}
        return answers.get(method, found(method, {}))

    with (
        scripted(found, refusal=STANDBY) as standby,
        scripted(state) as observer,
    ):
        endpoints = [Tcp("127.0.0.1", one.port) for one in (standby, observer)]
        proof = Authentication(tokens=[Token(b"id", b"pw")], fallback_to_simple=True)
        options = HadoopOptions(
            user="x", authentication=proof, retry=QUICK, observer_reads=ObserverReads()
        )
        with NameNode(endpoints, options) as asking:
            assert asking.get_file_info("/") is not None
        assert observer.called("getFileInfo")


# Tokens.


def shown(tokens: list[Token], port_of: str = "127.0.0.1:{}") -> bytes:
    """Return the identifier of the token that a NameNode receives."""
    with scripted(found, refusal=UNKNOWN, offered=TOKEN_BY_DIGEST) as namenode:
        fitted = [
            token.for_service(token.service.replace("HERE", port_of.format(namenode.port)))
            for token in tokens
        ]
        with client(namenode, tokens=fitted) as asking, pytest.raises(JvmWireError):
            asking.get_file_info("/")
        [proof] = namenode.proofs
    return base64.b64decode(proof.partition(b'username="')[2].partition(b'"')[0])


OURS = Token(b"ours", b"pw", service="HERE")
OTHERS = [
    Token(b"amrm", b"pw", kind="YARN_AM_RM_TOKEN", service=""),
    Token(b"amrm here", b"pw", kind="YARN_AM_RM_TOKEN", service="HERE"),
    Token(b"kms", b"pw", kind="kms-dt", service="HERE"),
    Token(b"web", b"pw", kind="WEBHDFS delegation", service="HERE"),
    Token(b"elsewhere", b"pw", service="10.0.0.1:8020"),
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda token: token.identifier.decode())
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_of_tokens_the_one_of_the_protocols_kind_for_the_server_is_shown(other, first):
    assert shown([other, OURS] if first else [OURS, other]) == b"ours"


def test_a_token_for_the_server_comes_before_one_for_any():
    for_any = Token(b"any", b"pw")
    assert shown([for_any, OURS]) == shown([OURS, for_any]) == b"ours"
    assert shown([OTHERS[0], for_any]) == b"any"
    assert shown([OURS.for_service("localhost:8020"), for_any]) == b"any"


def test_a_token_read_later_replaces_one_of_the_same_kind_and_service():
    assert shown([OURS, Token(b"later", b"pw", service="HERE")]) == b"later"


def test_without_a_token_of_the_kind_the_error_names_those_that_are_there():
    proof = Authentication(tokens=OTHERS)
    options = HadoopOptions(user="x", authentication=proof, retry=NEVER)
    with (
        scripted(found) as namenode,
        NameNode(Tcp("127.0.0.1", namenode.port), options) as asking,
        pytest.raises(JvmWireError, match=r"HDFS_DELEGATION_TOKEN.*YARN_AM_RM_TOKEN for any"),
    ):
        asking.get_file_info("/")


def test_tokens_of_resource_managers_may_name_several_servers():
    both = Token(b"rm", b"pw", kind="RM_DELEGATION_TOKEN", service="rm1:8032,rm2:8032")
    kinds = kinds_for("org.apache.hadoop.yarn.api.ApplicationClientProtocolPB")
    assert token_for([both], ["rm2:8032"], kinds) is both
    assert token_for([both], ["m2:8032"], kinds) is None
    assert token_for([both], ["rm2:8032"], kinds_for(CLIENT_PROTOCOL)) is None


# Listings.


@pytest.mark.parametrize("ask", ["list_directory", "get_listing", "list_recursively", "find", "du"])
def test_a_listing_goes_on_in_the_order_of_signed_bytes(ask):
    names = ["日本", "é1", "é2", "🙂", "A", "a", "b", "z~"]
    names.sort(key=lambda name: [byte - 256 if byte > 127 else byte for byte in name.encode()])

    def answer(method: str, request: Fields) -> Fields:
        if method != "getListing":
            return {"summary": dict.fromkeys(SUMMARY, 0)}
        after = request["start_after"].decode()
        rest = names[names.index(after) + 1 :] if after else names
        entries = [status(name, "IS_FILE") for name in rest[:2]]
        return listing(*entries, remaining=len(rest[2:]))

    with scripted(answer) as namenode, client(namenode) as asking:
        listed = getattr(asking, ask)("/d")
        paths = [getattr(entry, "path", entry) for entry in listed]
    assert paths == [f"/d/{name}" for name in names]


SUMMARY = (
    "length",
    "file_count",
    "directory_count",
    "quota",
    "space_consumed",
    "space_quota",
)
