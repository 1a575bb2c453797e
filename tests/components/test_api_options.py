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
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
from jvmwire.hazelcast._options import HazelcastKeywords
from jvmwire.options import ClientKeywords, ClientOptions, ConnectRetries, merge_options
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega._client import SegmentStoreKeywords
from jvmwire.pravega.early import EarlyClient, EarlyOptions
from jvmwire.pravega.early._client import EarlyKeywords
from jvmwire.pravega.streams import StreamClient, StreamOptions
from jvmwire.pravega.streams._options import StreamKeywords
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
        (lambda: StreamOptions(max_event=0), "max_event must be 1 to"),
    ],
)
def test_option_objects_check_their_fields(make, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        make()


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
