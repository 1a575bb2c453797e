"""Times as arguments: seconds, `timedelta` and `datetime`, wherever a client takes one."""

import asyncio
import inspect
import math
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from jvmwire._times import to_epoch_millis, to_seconds
from jvmwire.errors import ConfigError
from jvmwire.hadoop import AsyncNameNode, NameNode, ObserverReads
from jvmwire.hadoop.rpc import AsyncProxy, Proxy
from jvmwire.hadoop.server import RpcServer, RpcServerOptions
from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast._proxies.map.map import AsyncMap, Map
from jvmwire.hazelcast._proxies.proxy import MAX_MILLIS, UNSET, milliseconds
from jvmwire.hazelcast.near_cache import NearCacheConfig
from jvmwire.pravega._arguments import check_milliseconds
from jvmwire.pravega.streams import ReaderGroupConfig, RetentionPolicy, StreamClient
from kit.fake_member import doubles
from kit.hadoop_scripted import scripted

HOUR = timedelta(hours=1)
KEEP = (1 << 64) - 1


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        (5, 5),
        (0, 0),
        (0.25, 0.25),
        (math.inf, math.inf),
        (HOUR, 3600.0),
        (timedelta(milliseconds=1), 0.001),
        (Decimal("1.5"), 1.5),
        (Fraction(1, 4), 0.25),
    ],
)
def test_a_duration_is_seconds_or_a_timedelta(given: Any, seconds: float):
    assert to_seconds("ttl", given) == seconds
    assert isinstance(to_seconds("ttl", given), int | float)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (-1, "ttl must be at least 0 seconds, got -1"),
        (-0.5, "ttl must be at least 0 seconds, got -0.5"),
        (timedelta(days=-1), "ttl must be at least 0 seconds, got -86400"),
        (math.nan, "ttl must be at least 0 seconds, got nan"),
        (Decimal("nan"), "ttl must be at least 0 seconds, got nan"),
        (10**400, "ttl must be a number of seconds below 1e308"),
    ],
)
def test_a_duration_out_of_range_is_refused_with_its_value(given: Any, said: str):
    with pytest.raises(ConfigError) as caught:
        to_seconds("ttl", given)
    assert str(caught.value) == said


@pytest.mark.parametrize("given", ["5", b"5", True, datetime(2024, 1, 1, tzinfo=UTC), [], 1j, None])
def test_a_duration_of_another_type_is_refused(given: Any):
    with pytest.raises(TypeError) as caught:
        to_seconds("ttl", given)
    kind = type(given).__name__
    assert str(caught.value) == f"ttl must be a number of seconds or a timedelta, got {kind}"
    assert isinstance(caught.value, ConfigError)


@pytest.mark.parametrize(
    ("given", "millis"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(2024, 2, 29, 12, 0, 0, 123_999, tzinfo=UTC), 1_709_208_000_123),
        (datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), 0),
        (datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), -1000),
        (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_799_999),
        (1_709_208_000_123, 1_709_208_000_123),
        (-(1 << 63), -(1 << 63)),
        (KEEP, KEEP),
    ],
)
def test_a_time_is_a_datetime_or_milliseconds(given: Any, millis: int):
    assert to_epoch_millis("modified", given) == millis


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            datetime(2024, 1, 1),  # noqa: DTZ001 - refused
            "modified must be a datetime with a time zone, as datetime.now(UTC), "
            "got 2024-01-01 00:00:00",
        ),
        (1.5, "modified must be a datetime or whole milliseconds since 1970, got float"),
        (True, "modified must be a datetime or whole milliseconds since 1970, got bool"),
        ("2024-01-01", "modified must be a datetime or whole milliseconds since 1970, got str"),
        (HOUR, "modified must be a datetime or whole milliseconds since 1970, got timedelta"),
        (1 << 64, f"modified must be -2^63 to 2^64 - 1 milliseconds, got {1 << 64}"),
    ],
)
def test_another_time_is_refused_before_anything_is_sent(given: Any, said: str):
    with scripted(lambda *_: {}) as namenode:
        with NameNode(f"127.0.0.1:{namenode.port}") as client:
            with pytest.raises(ConfigError) as caught:
                client.set_times("/a", modified=given)
            with pytest.raises(ConfigError, match="accessed "):
                client.set_times("/a", accessed=given)
        assert str(caught.value) == said
        assert not namenode.calls


def test_set_times_takes_what_a_status_has():
    when = datetime(2024, 2, 29, 12, 0, 0, 123_000, tzinfo=UTC)

    async def use(address: str) -> None:
        async with AsyncNameNode(address) as client:
            await client.set_times("/a", modified=when)

    with scripted(lambda *_: {}) as namenode:
        address = f"127.0.0.1:{namenode.port}"
        with NameNode(address) as client:
            client.set_times("/a", modified=when, accessed=1000)
            client.set_times("/a", accessed=when)
            client.set_times("/a", modified=-1000)
            with pytest.raises(ConfigError, match="to the NameNode it means that the time stays"):
                client.set_times("/a", modified=datetime.fromtimestamp(-0.001, UTC))
        asyncio.run(use(address))
        sent = [(request["mtime"], request["atime"]) for _, request in namenode.calls]
    millis = 1_709_208_000_123
    assert sent == [(millis, 1000), (KEEP, millis), ((1 << 64) - 1000, KEEP), (millis, KEEP)]


def test_durations_of_hazelcast_are_milliseconds_in_messages():
    assert milliseconds(HOUR, "ttl") == milliseconds(3600, "ttl") == 3_600_000
    assert milliseconds(timedelta(microseconds=1), "ttl") == 1  # 0 would be without limit
    assert milliseconds(timedelta(0), "ttl") == 0
    assert milliseconds(math.inf, "ttl") == milliseconds(1e300, "ttl") == MAX_MILLIS
    assert milliseconds(None, "ttl") == UNSET


def test_durations_of_pravega_are_a_millisecond_or_more():
    assert check_milliseconds("lease", HOUR) == 3_600_000
    for given in (timedelta(0), timedelta(microseconds=1), math.inf):
        with pytest.raises(ConfigError, match="lease must be a finite number of seconds"):
            check_milliseconds("lease", given)


def test_entries_of_a_map_take_a_timedelta():
    with doubles() as [member], HazelcastClient(f"127.0.0.1:{member.port}") as client:
        capitals = client.get_map("capitals")
        capitals.put("France", "Paris", ttl=HOUR)
        assert capitals.get("France") == "Paris"
        with pytest.raises(ConfigError, match="ttl must be at least 0 seconds"):
            capitals.put("France", "Paris", ttl=-HOUR)


DURATIONS = {"ttl", "max_idle", "lease", "timeout", "delay", "period", "linger", "seconds"}


@pytest.mark.parametrize("kind", [Map, AsyncMap, StreamClient, HazelcastClient, NameNode])
def test_every_duration_is_typed_as_seconds_or_a_timedelta(kind: type):
    seen = 0
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name.startswith("_"):
            continue
        for parameter in inspect.signature(method).parameters.values():
            if parameter.name in DURATIONS:
                seen += 1
                assert str(parameter.annotation).startswith("float | timedelta"), (name, parameter)
    assert seen


@pytest.mark.parametrize(
    "method", [Proxy.close, AsyncProxy.close, AsyncProxy.within], ids=lambda it: it.__qualname__
)
def test_proxies_type_durations_alike(method: Any):
    [_, parameter] = inspect.signature(method).parameters.values()
    assert str(parameter.annotation).startswith("float | timedelta")


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (NearCacheConfig, "time_to_live"),
        (NearCacheConfig, "max_idle"),
        (NearCacheConfig, "reconciliation_interval"),
        (RetentionPolicy, "min_seconds"),
        (lambda **given: ReaderGroupConfig({"a/b": None}, **given), "checkpoint_interval"),
        (lambda **given: ReaderGroupConfig({"a/b": None}, **given), "refresh"),
        (ObserverReads, "auto_msync_period"),
        (ObserverReads, "probe_retry_period"),
        (RpcServerOptions, "idle_timeout"),
        (RpcServerOptions, "remember_seconds"),
    ],
)
def test_option_objects_take_a_timedelta(make: Callable[..., Any], name: str):
    made = make(**{name: HOUR})
    assert made == make(**{name: 3600.0})
    assert getattr(made, name) == 3600.0
    for wrong in (-1, math.nan, -HOUR, "5"):
        with pytest.raises((ConfigError, ValueError, TypeError), match=name):
            make(**{name: wrong})


def test_options_of_a_server_are_checked():
    assert fields(RpcServerOptions)
    with pytest.raises(ConfigError, match="threads must be at least 0, got -1"):
        RpcServerOptions(threads=-1)
    with pytest.raises(ConfigError, match="beta must be True or False, got int"):
        RpcServerOptions(beta=1)  # type: ignore[arg-type]


def test_within_and_close_take_a_timedelta():
    client = NameNode("nn")
    assert client.within(HOUR)._timeout == 3600.0
    with pytest.raises(ConfigError, match="linger must be at least 0 seconds, got -1"):
        client.close(linger=-1)
    assert not client.closed
    client.close(linger=timedelta(milliseconds=1))
    assert client.closed


def test_servers_take_a_timedelta_to_stop():
    server = RpcServer()
    server.start()
    with pytest.raises(ConfigError, match="grace must be at least 0 seconds, got -1"):
        server.stop(grace=-1)
    server.stop(grace=timedelta(milliseconds=1))
