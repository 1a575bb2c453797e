"""Options by keyword or as an object: the same fields, checked when they are given."""

import math
import re
from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from typing import Any

import pytest

import jvmwire
from jvmwire import ConfigError, Limits, RetryPolicy
from jvmwire.hadoop import HadoopOptions, NameNode, ObserverReads, rpc
from jvmwire.hadoop._options import HadoopKeywords
from jvmwire.hadoop.sasl import Authentication, Kerberos, Token
from jvmwire.hadoop.server import RpcServerOptions
from jvmwire.hama import BSPOptions
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._options import HazelcastKeywords
from jvmwire.hazelcast.near_cache._config import NearCacheConfig
from jvmwire.hazelcast.query_cache._config import QueryCacheConfig
from jvmwire.options import ClientKeywords, ClientOptions, ConnectRetries, merge_options
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega._client import SegmentStoreKeywords
from jvmwire.pravega.early import EarlyClient, EarlyLimits, EarlyOptions
from jvmwire.pravega.early._client import EarlyKeywords
from jvmwire.pravega.streams import (
    KeyValueTableConfig,
    ReaderGroupConfig,
    RetentionPolicy,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamCut,
    StreamOptions,
)
from jvmwire.pravega.streams._controllers import Controllers
from jvmwire.pravega.streams._options import StreamKeywords
from jvmwire.transports import Tcp, Tls
from kit.hadoop_scripted import scripted, status

KINDS: list[tuple[type[ClientOptions], Any, Callable[..., Any]]] = [
    (HadoopOptions, HadoopKeywords, NameNode),
    (HazelcastOptions, HazelcastKeywords, HazelcastClient),
    (SegmentStoreOptions, SegmentStoreKeywords, SegmentStore),
    (StreamOptions, StreamKeywords, StreamClient),
    (EarlyOptions, EarlyKeywords, EarlyClient),
]
each_kind = pytest.mark.parametrize(("kind", "keywords", "client"), KINDS)


@each_kind
def test_keywords_are_the_fields_of_the_option_object(kind, keywords, client):
    del client
    known = ClientKeywords.__annotations__ | keywords.__annotations__
    assert set(known) == {each.name for each in fields(kind)}
    for each in fields(kind):
        said = known[each.name]
        said = getattr(said, "__forward_arg__", said)
        assert said.replace("float | timedelta", "float") == each.type, each.name


@each_kind
def test_clients_take_options_by_keyword_as_an_object_or_both(kind, keywords, client):
    del keywords
    with client("host", timeout=5) as made:
        assert made._timeout == 5
    with client("host", kind(timeout=6.0)) as made:
        assert made._timeout == 6.0
    with client("host", kind(timeout=6.0, trace=True), timeout=timedelta(minutes=1)) as made:
        assert made._timeout == 60.0
    with client("host", options=kind(timeout=None)) as made:
        assert made._timeout is None


@each_kind
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"timeout": "5"}, "timeout must be a number of seconds or a timedelta, or None, got str"),
        ({"timeout": -1}, "timeout must be at least 0 seconds, got -1"),
        ({"timeout": timedelta(seconds=-1)}, "timeout must be at least 0 seconds, got -1"),
        ({"timeout": math.nan}, "timeout must be at least 0 seconds, got nan"),
        ({"timeout": True}, "timeout must be a number of seconds or a timedelta, or None"),
        ({"trace": 1}, "trace must be True or False, got int"),
        ({"limits": 5}, "limits must be a Limits, got int"),
        ({"on_call": 5}, "on_call must be a function, got int"),
        ({"connect_timeout": None}, "connect_timeout must be a number of seconds or a timedelta"),
    ],
)
def test_a_wrong_option_is_refused_when_it_is_given(kind, keywords, client, given, said):
    del keywords
    for make in (lambda: kind(**given), lambda: client("host", **given)):
        with pytest.raises(ConfigError, match=re.escape(said)):
            make()


@each_kind
def test_an_option_that_is_not_there_is_named_with_the_nearest_one(kind, keywords, client):
    del kind, keywords
    with pytest.raises(TypeError, match="there is no option 'timeot'; did you mean 'timeout'"):
        client("host", timeot=5)


def test_a_port_behind_the_host_is_said_where_to_write():
    with pytest.raises(TypeError, match=re.escape('written in the address, as "host:port"')):
        NameNode("127.0.0.1", 8020)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="options must be HadoopOptions or keyword arguments"):
        merge_options(HadoopOptions, HazelcastOptions(), {})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: RetryPolicy(attempts=0), "attempts must be at least 1, got 0"),
        (lambda: RetryPolicy(first_wait=-1), "first_wait must be at least 0 seconds, got -1"),
        (lambda: RetryPolicy(factor=0), "factor must be above 0, got 0"),
        (lambda: Limits(calls=0), "calls must be at least 1, got 0"),
        (lambda: Limits(calls=1.5), "calls must be a whole number, got float"),  # type: ignore[arg-type]
        (lambda: ConnectRetries(failures=-1, timeouts=0), "failures must be at least 0, got -1"),
        (lambda: HadoopOptions(user=5), "user must be a str, got int"),  # type: ignore[arg-type]
        (lambda: HadoopOptions(retry=3), "retry must be a RetryPolicy, got int"),  # type: ignore[arg-type]
        (lambda: HazelcastOptions(labels="ab"), "labels must be a list, got str"),
        (lambda: HazelcastOptions(password=7), "password must be a str, got int"),  # type: ignore[arg-type]
        (
            lambda: HadoopOptions(authentication="text"),  # type: ignore[arg-type]
            "authentication must be an Authentication, got str",
        ),
        (lambda: HadoopOptions(service_class=256), "service_class must be at most 255, got 256"),
        (lambda: HadoopOptions(umask=0o1000), "umask must be at most 511, got 512"),
        (lambda: HadoopOptions(replication=1 << 16), "replication must be at most 65535"),
        (lambda: HadoopOptions(user=""), "user is empty: expected the name of a user"),
        (lambda: HadoopOptions(observer_reads=True), "observer_reads must be an ObserverReads"),  # type: ignore[arg-type]
        (lambda: Authentication(tokens=["t"]), "each of tokens must be a Token, got str"),  # type: ignore[list-item]
        (lambda: HazelcastOptions(labels=[7]), "each of labels must be a str, got int"),  # type: ignore[list-item]
        (lambda: HazelcastOptions(near_caches=[7]), "near_caches must be a dict, got list"),  # type: ignore[arg-type]
        (lambda: StreamOptions(max_event=0), "max_event must be 1 to"),
    ],
)
def test_option_objects_check_their_fields(make, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        make()


NEEDED: dict[type, dict[str, Any]] = {
    ConnectRetries: {"failures": 1, "timeouts": 1},
    Controllers: {"endpoints": (Tcp("h", 1),)},
    Kerberos: {"server_principal": "nn/h"},
    ReaderGroupConfig: {"starts": {"scope/stream": None}},
    StreamCut: {"stream": "scope/stream"},
    Tcp: {"host": "h", "port": 1},
    Token: {"identifier": b"", "password": b""},
    Authentication: {"fallback_to_simple": True},
}
"""Fields that make an object, besides the one in question."""
OPTION_CLASSES = [
    *(kind for kind, _, _ in KINDS), *NEEDED, BSPOptions, EarlyLimits, KeyValueTableConfig, Limits,
    NearCacheConfig, ObserverReads, QueryCacheConfig, RetentionPolicy, RetryPolicy,
    RpcServerOptions, ScalingPolicy, StreamConfiguration, Tls,
]  # fmt: skip
ANY_OBJECT = {(QueryCacheConfig, "predicate")}


@pytest.mark.parametrize("kind", OPTION_CLASSES)
def test_a_field_of_a_wrong_type_is_refused_when_it_is_given(kind):
    for each in fields(kind):
        if each.name.startswith("_") or (kind, each.name) in ANY_OBJECT:
            continue
        for wrong in (object(), [object()]):
            with pytest.raises(
                (TypeError, ValueError), match=f"{each.name.split('_')[0]}.* must be "
            ):
                kind(**NEEDED.get(kind, {}) | {each.name: wrong})


@pytest.mark.parametrize("kind", OPTION_CLASSES)
def test_a_number_that_the_core_cannot_hold_is_refused_when_it_is_given(kind):
    for each in fields(kind):
        if each.type == "int" and not each.name.startswith("_"):
            with pytest.raises((ConfigError, ValueError), match=f"{each.name} must be"):
                kind(**NEEDED.get(kind, {}) | {each.name: 1 << 64})


@pytest.mark.parametrize("client", [client for _, _, client in KINDS])
def test_no_client_shows_what_it_refuses(client):
    for name in ("user", "authentication", "password", "delegation_token", "dialect"):
        with pytest.raises(TypeError) as raised:
            client("host", **{name: ["Zq7hush"]})
        assert "Zq7hush" not in str(raised.value)


def test_durations_are_seconds_or_timedeltas():
    assert RetryPolicy(first_wait=timedelta(milliseconds=50)) == RetryPolicy(first_wait=0.05)  # type: ignore[arg-type]
    with NameNode("nn", ping_interval=timedelta(minutes=2)) as client:
        assert client._options.ping_interval == 120.0
        assert client.within(timedelta(seconds=3))._timeout == 3.0


def test_policies_are_exported_by_the_package():
    assert jvmwire.RetryPolicy is RetryPolicy
    assert jvmwire.Limits is Limits
    assert jvmwire.ClientOptions is ClientOptions
    assert jvmwire.NEVER.attempts == 1
    assert ObserverReads() == ObserverReads()


def test_a_namenode_is_called_with_keywords():
    with (
        scripted(lambda *_: {"fs": status()}) as namenode,
        NameNode.connect(f"127.0.0.1:{namenode.port}", user="alice", timeout=5) as client,
    ):
        assert client.home_directory == "/user/alice"
        assert client.get_file_info("/") is not None


class Ping(rpc.Interface, protocol="ping", version=1):
    """An interface."""

    @rpc.method(idempotent=True)
    def ping(self, message: str) -> str:
        """Return the message."""
        raise NotImplementedError


def test_proxies_take_keywords():
    with pytest.raises(ConfigError, match="timeout must be at least 0"):
        rpc.connect(Ping, "h:9000", timeout=-1)
