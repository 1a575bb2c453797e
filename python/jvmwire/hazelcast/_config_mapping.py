"""Conversion of a Hazelcast client configuration to options.

The names are those of `hazelcast-client-config-3.12.xsd`, defaults those of Java's client.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmwire._checks import suggestion
from jvmwire._escaping import get_logger, quote, shorten
from jvmwire._runtime.retry import UNLIMITED_ATTEMPTS
from jvmwire.errors import ConfigError
from jvmwire.hazelcast._members import DEFAULT_PORT, Address
from jvmwire.hazelcast._options import HazelcastOptions
from jvmwire.hazelcast.near_cache._config import EvictionPolicy, InMemoryFormat, NearCacheConfig
from jvmwire.hazelcast.serialization import SerializationService
from jvmwire.options import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Reader = Callable[[str, Any], Any]
    """Makes of a part's name and value what an option is told."""

ROOT = "hazelcast-client"
PORTS_TRIED = 3
"""Ports of an address that names none: `AddressHelper.MAX_PORT_TRIES`."""
STATISTICS_PERIOD = 3.0
"""Seconds. `hazelcast.client.statistics.period.seconds`."""

_log = get_logger("jvmwire.hazelcast")
_MIGHT_BE_ON = (
    "ssl",
    "aws",
    "gcp",
    "azure",
    "kubernetes",
    "eureka",
    "hazelcast-cloud",
    "icmp-ping",
)
"""Elements below `network` that must not be ignored silently when they are enabled."""
_UNUSED = frozenset(
    {
        "backup-ack-to-client-enabled",
        "executor-pool-size",
        "flake-id-generator",
        "license-key",
        "listeners",
        "native-memory",
        "proxy-factories",
        "query-caches",
        "reliable-topic",
        "user-code-deployment",
    }
)
_UNUSED_OF_NETWORK = frozenset(
    {
        "auto-detection",
        "outbound-ports",
        "socket-options",
    }
)


class ClientConfiguration(NamedTuple):
    """Content of a configuration file: addresses of the cluster and options of the client."""

    addresses: list[str]
    options: HazelcastOptions


class Settings:
    """A configuration as nested names, whose parts each say something of the options."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        self._given: dict[str, Any] = {}
        self._addresses: list[str] = []
        self._reconciliation: dict[str, Any] = {}

    def read(self) -> ClientConfiguration:
        """Return the addresses and options of the configuration.

        Raises:
            ConfigError: a name is unknown, a value is invalid, or a feature is not supported.
        """
        parts: dict[str, Callable[[Any], None]] = {
            "group": self._group,
            "instance-name": lambda name: self._give("client_name", _text("instance-name", name)),
            "properties": self._properties,
            "client-labels": lambda labels: self._give("labels", _texts("client-labels", labels)),
            "network": self._network,
            "connection-strategy": self._connection_strategy,
            "load-balancer": self._load_balancer,
            "near-cache": self._near_caches,
            "serialization": self._serialization,
            "security": lambda _: _refuse("security", "HazelcastOptions.credentials"),
            "import": lambda _: _refuse("import"),
            "config-replacers": lambda _: _refuse("config-replacers", "variables"),
        }
        _each(self._tree, "", parts, _UNUSED)
        caches = self._given.get("near_caches")
        if caches and self._reconciliation:
            self._given["near_caches"] = {
                name: replace(cache, **self._reconciliation) for name, cache in caches.items()
            }
        addresses = self._addresses or _addresses("127.0.0.1")
        return ClientConfiguration(addresses, HazelcastOptions(**self._given))

    def _give(self, name: str, value: Any) -> None:
        self._given[name] = value

    def _group(self, group: Any) -> None:
        parts: dict[str, Callable[[Any], None]] = {
            "name": lambda name: self._give("cluster_name", _text("name", name)),
            "password": lambda secret: self._give("password", _text("password", secret)),
        }
        _each(group, "group.", parts)

    def _properties(self, properties: Any) -> None:
        values = _mapping("properties", properties)
        for name in values:
            if name not in _PROPERTIES:
                _unused(f"property {name}")
        known = {name: value for name, value in values.items() if name in _PROPERTIES}
        given = _given(known, "properties.", _PROPERTIES)
        period = given.pop("statistics_period", STATISTICS_PERIOD)
        if given.pop("statistics", False):
            given["statistics_period"] = period
        self._reconciliation = {name: given.pop(name) for name in _RECONCILIATION if name in given}
        self._given |= given

    def _network(self, network: Any) -> None:
        attempts: dict[str, Any] = {}
        parts: dict[str, Callable[[Any], None]] = {
            "cluster-members": self._members,
            "smart-routing": lambda on: self._give("smart", _truth("smart-routing", on)),
            "redo-operation": lambda on: self._give("redo", _truth("redo-operation", on)),
            "connection-timeout": lambda millis: self._give(
                "connect_timeout", _millis("connection-timeout", millis)
            ),
            "connection-attempt-period": lambda millis: attempts.update(
                first_wait=_millis("connection-attempt-period", millis)
            ),
            "connection-attempt-limit": lambda limit: attempts.update(
                # A configured 0 means no limit.
                attempts=int(_number("connection-attempt-limit", limit)) or UNLIMITED_ATTEMPTS
            ),
        }
        for name in _MIGHT_BE_ON:
            parts[name] = lambda part, name=name: _refuse_if_enabled(name, part)  # type: ignore[misc]
        parts["discovery-strategies"] = lambda _: _refuse("network.discovery-strategies")
        _each(network, "network.", parts, _UNUSED_OF_NETWORK)
        if attempts:
            # Java's attempts are at a steady pace.
            steady = {"factor": 1.0, "jitter": 0.0, "first_wait": 3.0, "attempts": 2} | attempts
            self._give("connect_retry", RetryPolicy(**steady))

    def _members(self, members: Any) -> None:
        for text in _texts("cluster-members", members):
            for one in text.split(","):
                self._addresses += _addresses(one.strip())

    def _connection_strategy(self, strategy: Any) -> None:
        parts: dict[str, Callable[[Any], None]] = {
            "connection-retry": self._connection_retry,
            "async-start": _refuse_async_start,
            "reconnect-mode": _refuse_other_reconnect_modes,
        }
        _each(strategy, "connection-strategy.", parts)

    def _connection_retry(self, retry: Any) -> None:
        defaults = {"first_wait": 1.0, "longest_wait": 30.0, "factor": 2.0, "jitter": 0.2}
        given = defaults | _given(retry, "connection-retry.", _CONNECTION_RETRY)
        ends = given.pop("ends", False)
        if given.pop("enabled", False):
            attempts = _attempts_until_longest(given) if ends else UNLIMITED_ATTEMPTS
            # Java's jitter is a part of the wait, ours is seconds.
            given["jitter"] *= given["first_wait"]
            self._give("reconnect_retry", RetryPolicy(attempts=attempts, **given))

    def _load_balancer(self, balancer: Any) -> None:
        kind = _mapping("load-balancer", balancer).get("type")
        if kind == "random":
            self._give("load_balancer", random.choice)
        elif kind != "round-robin":
            raise ConfigError(
                f"load-balancer.type is {quote(kind)}, and may be random or round-robin"
            )

    def _near_caches(self, caches: Any) -> None:
        named = _mapping("near-cache", caches)
        self._give(
            "near_caches", {name: _near_cache(name, element) for name, element in named.items()}
        )

    def _serialization(self, serialization: Any) -> None:
        given: dict[str, Any] = {}
        order = "byte-order"
        for name, value in _mapping("serialization", serialization).items():
            if name == "portable-version":
                given["portable_version"] = _whole(name, value)
            elif name == order:
                orders = {"BIG_ENDIAN": "big", "LITTLE_ENDIAN": "little"}
                if not isinstance(value, str) or value not in orders:
                    raise ConfigError(
                        f"{order} is {quote(value)}, and may be {' or '.join(orders)}"
                    )
                given["byte_order"] = orders[value]
            else:
                _unused(f"serialization.{name}")
        self._give("serialization", SerializationService(**given))


def _near_cache(name: str, element: Any) -> NearCacheConfig:
    given = _given(element, f"near-cache {name}.", _NEAR_CACHE, _UNUSED_OF_NEAR_CACHES)
    evicted = given.pop("eviction", {})
    return NearCacheConfig(**given | evicted)


def _eviction(_: str, element: Any) -> dict[str, Any]:
    unused = frozenset({"comparator-class-name"})
    given = _given(element, "eviction.", _EVICTION, unused)
    given.pop("counted", None)
    return given


def _addresses(text: str) -> list[str]:
    """Return an address, or those that are tried where it names no port."""
    found = Address.parse(text)
    named = text.rpartition(":")[2] == str(found.port) and not text.endswith("]")
    if named and (text.count(":") == 1 or text.startswith("[")):
        return [text]
    host = f"[{found.host}]" if ":" in found.host else found.host
    return [f"{host}:{DEFAULT_PORT + more}" for more in range(PORTS_TRIED)]


def _each(
    tree: Any,
    where: str,
    parts: Mapping[str, Callable[[Any], None]],
    unused: frozenset[str] = frozenset(),
) -> None:
    for name, value in _mapping(where.rstrip(".") or ROOT, tree).items():
        if name in parts:
            parts[name](value)
        elif name in unused:
            _unused(where + name)
        else:
            similar = suggestion(str(name), [*parts, *unused])
            raise ConfigError(f"{where}{shorten(str(name))} is not known{similar}")


def _given(
    tree: Any,
    where: str,
    known: Mapping[str, tuple[str, Reader]],
    unused: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Return options by their names here, of parts that are read alone."""
    given: dict[str, Any] = {}

    def give(name: str, value: Any) -> None:
        option, read = known[name]
        given[option] = read(name, value)

    _each(tree, where, {name: partial(give, name) for name in known}, unused)
    return given


def _refuse_if_enabled(name: str, part: Any) -> None:
    if _truth(f"network.{name}.enabled", _mapping(name, part).get("enabled", False)):
        _refuse(f"network.{name}", "HazelcastOptions.endpoint" if name == "ssl" else "")


def _refuse_async_start(value: Any) -> None:
    if _truth("connection-strategy.async-start", value):
        _refuse("connection-strategy.async-start", "connecting in a thread or task of your own")


def _refuse_other_reconnect_modes(value: Any) -> None:
    """Calls wait for a cluster that was lost, which is ON."""
    name = "connection-strategy.reconnect-mode"
    # YAML before 1.2 reads ON and OFF as truths.
    mode = {True: "ON", False: "OFF"}[value] if isinstance(value, bool) else str(value).upper()
    if mode == "OFF":
        _refuse(f"{name} OFF", "a lifecycle listener that closes the client when DISCONNECTED")
    if mode == "ASYNC":
        _refuse(f"{name} ASYNC", "a short timeout, by `within` or HazelcastOptions.timeout,")
    if mode != "ON":
        raise ConfigError(f"{name} is {quote(value)}, and may be OFF, ON, ASYNC")


def _attempts_until_longest(given: Mapping[str, float]) -> int:
    """Return after how many tries the wait is the longest: `fail-on-max-backoff` ends there.

    Source: ClusterConnectorServiceImpl.ExponentialWaitStrategy (Hazelcast 3.12).
    """
    first, longest, factor = given["first_wait"], given["longest_wait"], given["factor"]
    if first >= longest:
        return 1
    if not first or factor <= 1:  # it never is
        return UNLIMITED_ATTEMPTS
    return min(UNLIMITED_ATTEMPTS, 1 + math.ceil(math.log(longest / first) / math.log(factor)))


def _refuse(name: str, instead: str = "") -> None:
    raise ConfigError(f"{name} is not offered here{instead and f': {instead} takes its place'}")


def _unused(name: str) -> None:
    _log.warning("%s of the configuration is not used here", name)


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if value in (None, ""):
        return {}
    if not isinstance(value, dict):
        # Never the value: a password may be in it.
        raise ConfigError(f"{name} is a {type(value).__name__}, expected names and values")
    return value


def _texts(name: str, value: Any) -> Sequence[str]:
    if not isinstance(value, list):
        raise ConfigError(f"{name} is a {type(value).__name__}, expected a list")
    return [_text(name, one) for one in value]


def _text(name: str, value: Any) -> str:
    if not isinstance(value, (str, int, float)):
        raise ConfigError(f"{name} is a {type(value).__name__}, expected a string")
    return str(value)


def _truth(name: str, value: Any) -> bool:
    truths = {"true": True, "false": False}
    found = truths.get(str(value).lower()) if isinstance(value, str | bool) else None
    if found is None:
        raise ConfigError(f"{name} is {quote(value)}, and may be true or false")
    return found


def _number(name: str, value: Any) -> float:
    try:
        found = float(value)
    except (OverflowError, TypeError, ValueError):
        raise ConfigError(f"{name} is {quote(value)}, expected a number") from None
    if not 0 <= found < 1 << 53:
        raise ConfigError(f"{name} is {quote(value)}: expected 0 or more")
    return found


def _millis(name: str, value: Any) -> float:
    return _number(name, value) / 1000


def _one_of(name: str, value: Any, kinds: Any) -> Any:
    if not isinstance(value, str) or value not in kinds.__members__:
        similar = suggestion(str(value), kinds.__members__)
        raise ConfigError(
            f"{name} is {quote(value)}, and may be {', '.join(kinds.__members__)}{similar}"
        )
    return kinds[value]


def _whole(name: str, value: Any) -> int:
    return int(_number(name, value))


def _seconds_or_none(name: str, value: Any) -> float | None:
    return _number(name, value) or None


def _size_or_unbounded(name: str, value: Any) -> int:
    return _whole(name, value) or (1 << 31) - 1


def _entry_count(name: str, value: Any) -> None:
    if value != "ENTRY_COUNT":
        raise ConfigError(f"eviction.{name} {quote(value)} is not offered")


def _policy(name: str, value: Any) -> Any:
    return _one_of(name, value, EvictionPolicy)


def _format(name: str, value: Any) -> Any:
    return _one_of(name, value, InMemoryFormat)


_PROPERTIES: dict[str, tuple[str, Reader]] = {
    "hazelcast.client.heartbeat.interval": ("heartbeat_interval", _millis),
    "hazelcast.client.heartbeat.timeout": ("heartbeat_timeout", _millis),
    "hazelcast.client.invocation.timeout.seconds": ("timeout", _number),
    "hazelcast.client.invocation.retry.pause.millis": ("retry_pause", _millis),
    "hazelcast.client.event.queue.capacity": ("event_queue", _whole),
    "hazelcast.client.event.thread.count": ("event_threads", _whole),
    "hazelcast.client.statistics.enabled": ("statistics", _truth),
    "hazelcast.client.statistics.period.seconds": ("statistics_period", _number),
    "hazelcast.invalidation.reconciliation.interval.seconds": ("reconciliation_interval", _number),
    "hazelcast.invalidation.max.tolerated.miss.count": ("max_tolerated_miss_count", _whole),
}
_RECONCILIATION = ("reconciliation_interval", "max_tolerated_miss_count")
"""Properties that apply to every near cache."""
_CONNECTION_RETRY: dict[str, tuple[str, Reader]] = {
    "enabled": ("enabled", _truth),
    "initial-backoff-millis": ("first_wait", _millis),
    "max-backoff-millis": ("longest_wait", _millis),
    "multiplier": ("factor", _number),
    "fail-on-max-backoff": ("ends", _truth),
    "jitter": ("jitter", _number),
}
_NEAR_CACHE: dict[str, tuple[str, Reader]] = {
    "in-memory-format": ("in_memory_format", _format),
    "invalidate-on-change": ("invalidate_on_change", _truth),
    "time-to-live-seconds": ("time_to_live", _seconds_or_none),
    "max-idle-seconds": ("max_idle", _seconds_or_none),
    "eviction": ("eviction", _eviction),
    "max-size": ("max_entries", _size_or_unbounded),
    "eviction-policy": ("eviction_policy", _policy),
}
_UNUSED_OF_NEAR_CACHES = frozenset(
    {"serialize-keys", "cache-local-entries", "local-update-policy", "preloader"}
)
_EVICTION: dict[str, tuple[str, Reader]] = {
    "size": ("max_entries", _whole),
    "eviction-policy": ("eviction_policy", _policy),
    "max-size-policy": ("counted", _entry_count),
}
"""By name in the file, the option here and what reads it."""
