"""Configuration files of Hazelcast's clients: accepted and refused settings."""

import random
import traceback
from pathlib import Path

import pytest

from jvmwire.errors import ConfigError
from jvmwire.hazelcast.configuration import read_configuration
from jvmwire.hazelcast.near_cache._config import EvictionPolicy, InMemoryFormat, NearCacheConfig
from jvmwire.options import RetryPolicy

YAML = """
hazelcast-client:
  group:
    name: ${cluster}
    password: hidden
  instance-name: nightly
  client-labels: [batch, nightly]
  properties:
    hazelcast.client.heartbeat.interval: 2500
    hazelcast.client.heartbeat.timeout: 30000
    hazelcast.client.invocation.timeout.seconds: 90
    hazelcast.client.invocation.retry.pause.millis: 500
    hazelcast.client.statistics.enabled: true
    hazelcast.client.statistics.period.seconds: 7
    hazelcast.invalidation.max.tolerated.miss.count: 3
  network:
    cluster-members: ["10.0.0.1:5801", "10.0.0.2, [::1]:5900"]
    smart-routing: false
    redo-operation: true
    connection-timeout: 4000
    connection-attempt-period: 250
    connection-attempt-limit: 0
    ssl: {enabled: false}
  load-balancer: {type: random}
  connection-strategy:
    connection-retry: {enabled: true, initial-backoff-millis: 100, max-backoff-millis: 900}
  near-cache:
    prices*:
      in-memory-format: OBJECT
      invalidate-on-change: false
      time-to-live-seconds: 60
      max-idle-seconds: 0
      eviction: {size: 500, eviction-policy: LFU, max-size-policy: ENTRY_COUNT}
  serialization: {portable-version: 3, byte-order: LITTLE_ENDIAN}
"""

XML = """<?xml version="1.0" encoding="UTF-8"?>
<hazelcast-client xmlns="http://www.hazelcast.com/schema/client-config">
  <!-- The same. -->
  <group><name>${cluster}</name><password>hidden</password></group>
  <instance-name>nightly</instance-name>
  <client-labels><label>batch</label><label>nightly</label></client-labels>
  <properties>
    <property name="hazelcast.client.heartbeat.interval">2500</property>
    <property name="hazelcast.client.heartbeat.timeout">30000</property>
    <property name="hazelcast.client.invocation.timeout.seconds">90</property>
    <property name="hazelcast.client.invocation.retry.pause.millis">500</property>
    <property name="hazelcast.client.statistics.enabled">true</property>
    <property name="hazelcast.client.statistics.period.seconds">7</property>
    <property name="hazelcast.invalidation.max.tolerated.miss.count">3</property>
  </properties>
  <network>
    <cluster-members>
      <address>10.0.0.1:5801</address>
      <address>10.0.0.2, [::1]:5900</address>
    </cluster-members>
    <smart-routing>false</smart-routing>
    <redo-operation>true</redo-operation>
    <connection-timeout>4000</connection-timeout>
    <connection-attempt-period>250</connection-attempt-period>
    <connection-attempt-limit>0</connection-attempt-limit>
    <ssl enabled="false"/>
  </network>
  <load-balancer type="random"/>
  <connection-strategy>
    <connection-retry enabled="true">
      <initial-backoff-millis>100</initial-backoff-millis>
      <max-backoff-millis>900</max-backoff-millis>
    </connection-retry>
  </connection-strategy>
  <near-cache name="prices*">
    <in-memory-format>OBJECT</in-memory-format>
    <invalidate-on-change>false</invalidate-on-change>
    <time-to-live-seconds>60</time-to-live-seconds>
    <max-idle-seconds>0</max-idle-seconds>
    <eviction size="500" eviction-policy="LFU" max-size-policy="ENTRY_COUNT"/>
  </near-cache>
  <serialization>
    <portable-version>3</portable-version>
    <byte-order>LITTLE_ENDIAN</byte-order>
  </serialization>
</hazelcast-client>
"""


@pytest.mark.parametrize(("name", "text"), [("client.yaml", YAML), ("client.xml", XML)])
def test_a_file_says_all_that_a_client_may_be_told(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    addresses, options = read_configuration(path, variables={"cluster": "prod"})
    assert addresses == [
        "10.0.0.1:5801",
        *(f"10.0.0.2:{port}" for port in (5701, 5702, 5703)),
        "[::1]:5900",
    ]
    assert (options.cluster_name, options.password) == ("prod", "hidden")
    assert (options.client_name, list(options.labels)) == ("nightly", ["batch", "nightly"])
    assert (options.heartbeat_interval, options.heartbeat_timeout) == (2.5, 30.0)
    assert (options.timeout, options.retry_pause, options.connect_timeout) == (90.0, 0.5, 4.0)
    assert (options.smart, options.redo, options.statistics_period) == (False, True, 7.0)
    assert options.connect_retry == RetryPolicy(
        attempts=1 << 30, first_wait=0.25, factor=1.0, jitter=0.0
    )
    assert options.reconnect_retry.first_wait == 0.1
    assert options.reconnect_retry.longest_wait == 0.9
    assert options.load_balancer is random.choice
    assert options.near_caches == {
        "prices*": NearCacheConfig(
            in_memory_format=InMemoryFormat.OBJECT,
            invalidate_on_change=False,
            time_to_live=60.0,
            eviction_policy=EvictionPolicy.LFU,
            max_entries=500,
            max_tolerated_miss_count=3,
        )
    }
    assert options.serialization.to_data(1).endswith(b"\x01\0\0\0")


@pytest.mark.parametrize(
    ("retry", "attempts"),
    [
        ("", 1 << 30),
        ("fail-on-max-backoff: false", 1 << 30),
        ("fail-on-max-backoff: true", 6),  # after waits of 1, 2, 4, 8, 16 s the next is 30 s
        ("fail-on-max-backoff: true, multiplier: 1", 1 << 30),
        ("fail-on-max-backoff: true, initial-backoff-millis: 30000", 1),
        ("fail-on-max-backoff: true, max-backoff-millis: 4000", 3),
    ],
)
def test_reconnecting_ends_where_java_ends_it(tmp_path: Path, retry: str, attempts: int) -> None:
    path = tmp_path / "client.yaml"
    path.write_text(
        "hazelcast-client: {connection-strategy: {async-start: false, reconnect-mode: ON, "
        f"connection-retry: {{enabled: true, {retry}}}}}}}"
    )
    _, options = read_configuration(path)
    assert options.reconnect_retry.attempts == attempts


def test_an_empty_file_is_javas_defaults(tmp_path: Path) -> None:
    for name, text in (
        ("client.yml", "hazelcast-client:\n"),
        ("client.xml", "<hazelcast-client/>"),
    ):
        path = tmp_path / name
        path.write_text(text)
        addresses, options = read_configuration(path)
        assert addresses == [f"127.0.0.1:{port}" for port in (5701, 5702, 5703)]
        assert (options.cluster_name, options.smart, options.redo) == ("dev", True, False)


def test_what_has_no_use_here_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "client.yaml"
    path.write_text(
        "hazelcast-client:\n  executor-pool-size: 4\n  properties: {hazelcast.logging.type: jdk}\n"
    )
    read_configuration(path)
    assert [record.getMessage().split(" of ")[0] for record in caplog.records] == [
        "executor-pool-size",
        "property hazelcast.logging.type",
    ]


@pytest.mark.parametrize(
    ("below", "said"),
    [
        ("netwrok: {}", "netwrok is not known"),
        ("network: {smart-routin: true}", "network.smart-routin is not known"),
        ("network: {smart-routing: maybe}", "smart-routing is 'maybe', and may be true or false"),
        ("network: {connection-timeout: soon}", "connection-timeout is 'soon'"),
        ("network: {connection-timeout: -1}", "expected 0 or more"),
        ("network: {cluster-members: a}", "cluster-members is a str, expected a list"),
        ("network: {cluster-members: ['a:b']}", "'a:b' is not host:port"),
        ("network: {ssl: {enabled: true}}", "HazelcastOptions.endpoint takes its place"),
        ("network: {aws: {enabled: true}}", "network.aws is not offered here"),
        ("network: {discovery-strategies: {}}", "network.discovery-strategies is not offered"),
        ("security: {credentials: a}", "HazelcastOptions.credentials takes its place"),
        ("import: [a]", "import is not offered"),
        ("load-balancer: {type: fair}", "may be random or round-robin"),
        ("near-cache: {a: {in-memory-format: NATIVE}}", "may be BINARY, OBJECT"),
        ("near-cache: {a: {eviction: {max-size-policy: USED_NATIVE_MEMORY_SIZE}}}", "not offered"),
        ("connection-strategy: {async-start: true}", "connecting in a thread or task of your own"),
        ("connection-strategy: {reconnect-mode: OFF}", "a lifecycle listener that closes"),
        ("connection-strategy: {reconnect-mode: 'off'}", "a lifecycle listener that closes"),
        ("connection-strategy: {reconnect-mode: ASYNC}", "ASYNC is not offered here: a short"),
        ("connection-strategy: {reconnect-mode: LATER}", "may be OFF, ON, ASYNC"),
        ("serialization: {byte-order: MIDDLE}", "may be BIG_ENDIAN or LITTLE_ENDIAN"),
        ("group: [a secret]", "group is a list, expected names and values"),
        ("instance-name: ${nobody}", "${nobody} is not defined"),
        ("group: {password: secret: {", "not valid YAML: line 2: "),
    ],
)
def test_what_cannot_be_meant_is_an_error_with_the_files_name(
    tmp_path: Path, below: str, said: str
) -> None:
    path = tmp_path / "client.yaml"
    path.write_text(f"hazelcast-client:\n  {below}\n")
    with pytest.raises(ConfigError) as refused:
        read_configuration(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.yaml", "hazelcast: {}", "begins with hazelcast-client alone"),
        ("a.xml", "<hazelcast/>", "begins with <hazelcast>"),
        ("a.xml", "<hazelcast-client>", "no XML"),
        ("a.xml", None, "No such file"),
    ],
)
def test_what_is_no_clients_file_is_an_error(
    tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_configuration(path)


HUSH = "Zq7hush"


@pytest.mark.parametrize(
    "text",
    [
        "hazelcast-client:\n  network:\n    connection-timeout: ${hush}\n",
        "hazelcast-client:\n  network:\n    smart-routing: ${hush}\n",
        "hazelcast-client:\n  ${hush}: 1\n",
        "hazelcast-client:\n  load-balancer:\n    type: ${hush}\n",
        "hazelcast-client:\n  network:\n    cluster-members: ['${hush}:x']\n",
        "hazelcast-client:\n  group: [${hush}\n",
    ],
)
def test_no_error_says_what_a_variable_stands_for(tmp_path: Path, text: str) -> None:
    path = tmp_path / "client.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read_configuration(path, variables={"hush": HUSH})
    assert HUSH not in "".join(traceback.format_exception(refused.value))
