"""Faults that were reported for other HDFS clients do not exist in this one."""

import pytest

from jvmwire.hadoop import HadoopConfiguration, HadoopOptions, NameNode, find_namenodes
from jvmwire.hadoop._observer_reads import ObserverReads
from jvmwire.hadoop.errors import InvalidToken, Standby
from jvmwire.hadoop.sasl import Authentication, Token
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, InsecureServer
from jvmwire.options import RetryPolicy
from jvmwire.transports import Tcp
from kit.hadoop_scripted import scripted, status

QUICK = RetryPolicy(attempts=4, first_wait=0.05)
BEHIND = ("org.apache.hadoop.ipc.RetriableException", "Observer Node is too far behind")
STANDBY = ("org.apache.hadoop.ipc.StandbyException", "Operation category READ is not supported")


def found(_method, _request):
    return {"fs": status()}


def server(namenode):
    return Tcp("127.0.0.1", namenode.port)


# Kimahriman/hdfs-native 321: "Connection refused" after a minute of failing over.
def test_without_a_proof_for_a_secured_pair_the_error_says_so_at_once():
    secured = {"offered": ("KERBEROS", "GSSAPI")}
    proof = Authentication(tokens=[Token(b"i", b"p", service="elsewhere:8020")])
    with scripted(found, **secured) as one, scripted(found, **secured) as two:
        options = HadoopOptions(user="x", retry=QUICK, authentication=proof)
        with (
            NameNode([server(one), server(two)], options) as client,
            pytest.raises(AuthenticationFailed, match="there are HDFS_DELEGATION_TOKEN for else"),
        ):
            client.get_file_info("/")
    assert one.connections + two.connections <= 2


# HADOOP-17975: the second of two clients of one process used the state of the first one.
def test_whether_a_client_falls_back_is_not_known_by_another_one():
    with scripted(found) as namenode:
        token = Token(b"i", b"p", service=f"127.0.0.1:{namenode.port}")
        lenient = Authentication(tokens=[token], fallback_to_simple=True)
        strict = Authentication(tokens=[token])
        with (
            NameNode(server(namenode), HadoopOptions(authentication=lenient)) as one,
            NameNode(server(namenode), HadoopOptions(authentication=strict)) as two,
        ):
            assert one.get_file_info("/") is not None
            with pytest.raises(InsecureServer):
                two.get_file_info("/")
            assert one.get_file_info("/") is not None


# HDFS-17769: an observer that lags too far was asked for as long as it lagged.
def test_the_active_namenode_answers_if_an_observer_is_too_far_behind():
    def observer(method, _request):
        if method == "getHAServiceState":
            return {"state": "OBSERVER"}
        return STANDBY if method == "msync" else BEHIND

    def active(method, request):
        if method == "getHAServiceState":
            return {"state": "ACTIVE"}
        return {} if method == "msync" else found(method, request)

    with scripted(observer) as one, scripted(active) as two:
        options = HadoopOptions(user="x", retry=QUICK, observer_reads=ObserverReads())
        with NameNode([server(one), server(two)], options) as client:
            assert client.get_file_info("/") is not None
    assert len(one.called("getFileInfo")) == len(two.called("getFileInfo")) == 1


# colinmarc/hdfs 127: the name service, without a scheme, was used as a host.
def test_a_default_file_system_without_a_scheme_may_be_a_name_service():
    pair = {
        "fs.defaultFS": "mycluster",
        "dfs.ha.namenodes.mycluster": "a,b",
        "dfs.namenode.rpc-address.mycluster.a": "one:1",
        "dfs.namenode.rpc-address.mycluster.b": "two:2",
    }
    assert find_namenodes(HadoopConfiguration(pair)) == [Tcp("one", 1), Tcp("two", 2)]


# Kimahriman/hdfs-native 317: reads paid a round trip to the standby NameNode each time.
def test_the_namenode_that_answered_a_read_is_called_first_the_next_time():
    with (
        scripted(lambda *_: STANDBY) as one,
        scripted(found) as two,
        NameNode([server(one), server(two)], HadoopOptions(user="x", retry=QUICK)) as client,
    ):
        for _ in range(5):
            assert client.get_file_info("/") is not None
    assert (len(one.calls), len(two.calls)) == (1, 5)


# Kimahriman/hdfs-native 317: while all NameNodes are standby, each was called once, then the
# error raised. Java's client goes round until its attempts are used up.
def test_a_pair_without_an_active_namenode_is_called_until_one_is_active():
    for attempts, is_answered in ((5, True), (4, False)):
        calls: list[str] = []

        def answer(method, request, calls=calls):
            calls.append(method)
            return STANDBY if len(calls) < 6 else found(method, request)

        retry = RetryPolicy(attempts=attempts, first_wait=0.01, longest_wait=0.01)
        with (
            scripted(answer) as one,
            scripted(answer) as two,
            NameNode([server(one), server(two)], HadoopOptions(user="x", retry=retry)) as client,
        ):
            if is_answered:
                assert client.get_file_info("/") is not None
            else:
                with pytest.raises(Standby):
                    client.get_file_info("/")
        # RetryPolicies.failoverOnNetworkException: so many after the first one.
        assert len(calls) == attempts + 1


# mtth/hdfs 86: a NameNode that starts up ended the call. Java's client calls the same one again,
# and the next one once it is standby (what it does after each class: test_hadoop_judge).
def test_a_namenode_in_startup_is_called_until_it_is_standby_then_the_next_one():
    starting = ("org.apache.hadoop.ipc.RetriableException", "NameNode still not started")
    replies = [starting, starting, STANDBY]
    with (
        scripted(lambda *_: replies.pop(0)) as one,
        scripted(found) as two,
        NameNode([server(one), server(two)], HadoopOptions(user="x", retry=QUICK)) as client,
    ):
        assert client.get_file_info("/") is not None
    assert (len(one.calls), len(two.calls), replies) == (3, 1, [])


# HDFS-16332: a token that expired was shown to each server again, and each called dead.
def test_an_expired_token_is_named_as_such_and_no_server_is_given_up_for_it():
    expired = ("org.apache.hadoop.security.token.SecretManager$InvalidToken", "token is expired")
    with scripted(found, refusal=expired) as one, scripted(found, refusal=expired) as two:
        proof = Authentication(tokens=[Token(b"i", b"p")])
        options = HadoopOptions(user="x", retry=QUICK, authentication=proof)
        with (
            NameNode([server(one), server(two)], options) as client,
            pytest.raises(InvalidToken, match="token is expired") as raised,
        ):
            client.get_file_info("/")
    assert not raised.value.retryable
    assert (one.connections, two.connections) == (1, 0)
