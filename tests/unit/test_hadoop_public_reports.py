"""Faults that were reported for other HDFS clients do not exist in this one."""

import pytest

from jvmwire.hadoop import HadoopConfiguration, HadoopOptions, NameNode, find_namenodes
from jvmwire.hadoop._observer_reads import ObserverReads
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
