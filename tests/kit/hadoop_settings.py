"""Settings of Hadoop's clients that jvmwire reads: the effect of each, in jvmwire and in Java."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jvmwire.hadoop import HadoopConfiguration, NameNode
from jvmwire.hadoop._config_mapping import LONGEST_FRAME, LONGEST_TIMEOUT

PAIR = {
    "dfs.ha.namenodes.ns": "a,b",
    "dfs.namenode.rpc-address.ns.a": "a:1",
    "dfs.namenode.rpc-address.ns.b": "b:1",
    "fs.defaultFS": "hdfs://ns",
}
OBSERVERS = {
    "dfs.client.failover.proxy.provider.ns": (
        "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider"
    )
}
KERBEROS = {
    "hadoop.security.authentication": "kerberos",
    "dfs.namenode.kerberos.principal": "nn/_HOST@EXAMPLE.ORG",
}
ONE = {"fs.defaultFS": "hdfs://127.0.0.1:1"}

INTEGERS = (
    "7", " 7 ", "0x10", "-0x10", "0X1F", "+5", "-1", "0", "007", "7s", "64m", "", "x", "1.5",
    "2147483647", "2147483648", "${seven}", "${seven}0", "${gone}", "\u0663", "1_0", "0x",
    "0xffffffff",
)  # fmt: skip
TIMES = (
    "7", "7s", "7S", "7 s", "7ms", "7999us", "7ns", "7m", "7h", "7d", "7w", "+7s", "-7s", "-1",
    "-1999us", "0x10", "1.5s", "", "s", " 7s ", "${seven}s", "9223372036854775807d",
    "9223372036854775808",
)  # fmt: skip
SIZES = (
    "7", "64m", "64M", "1k", "1g", "1t", "1p", "1e", "+1k", "0x10", "64mb", "64 m", "m", "",
    " 64m ", "1.5m", "9223372036854775807", "9223372036854775808", "8e", "${seven}k",
)  # fmt: skip
TRUTHS = ("true", "TRUE", " true ", "false", "FALSE", "yes", "no", "1", "0", "", "${seven}")
UMASKS = (
    "022", "0027", "27", "1777", "u=rwx,g=rx,o=", "a=rx", "go=", "u+w,g-w", "u=rwx,u-w", "=rx",
    "u=rwx, g=rx", "u=rwx,,g=r,", "u=r,u=w", "ao=x", "u=rwx g=rx", "u=rwxt", ",u=r", "", "-22",
    "+022", " 022 ",
)  # fmt: skip
HOMES = ("/home", "/a/b", "")
PROTECTIONS = ("privacy", "PRIVACY", " integrity , privacy", "authentication,privacy", "auth-conf")
METHODS = ("simple", "SIMPLE", "kerberos", "Kerberos", " kerberos ", "", "ldap")
FILE_SYSTEMS = ("hdfs://h", "h:1", "hdfs://h:1/", " hdfs://h ", "h", "local", "file:///", "")


class Refused(Exception):
    """Java reads the value, and refuses it on use."""


@dataclass(frozen=True)
class Setting:
    """A setting that jvmwire reads."""

    name: str
    value: str
    """A value that changes the effect."""
    read: Callable[[Any], Any]
    """Return the effective value of a client."""
    expected: Any
    texts: tuple[str, ...]
    """Texts of the setting's type, and others."""
    java: Callable[[dict[str, Any]], Any]
    """Return the same value from Java's output, or raise `Refused`."""
    more: Mapping[str, str] = field(default_factory=lambda: PAIR | OBSERVERS)
    """Other settings that are set as well."""

    def ours(self, settings: Mapping[str, str]) -> Any:
        """Return the effective value of a client that is made from the settings."""
        configuration = HadoopConfiguration({**self.more, "seven": "7", **settings})
        with NameNode.from_configuration(None, configuration, user="alice") as client:
            return self.read(client)


def seconds(name: str) -> Callable[[dict[str, Any]], float]:
    return lambda java: max(0, java[name]) / 1000


def refused_below_0(milliseconds: int) -> float:
    if milliseconds < 0:
        raise Refused
    return milliseconds / 1000


def nth(name: str, index: int) -> Callable[[dict[str, Any]], float]:
    return lambda java: max(0, java[name][index])


def option(name: str, inner: str = "") -> Callable[[Any], Any]:
    def read(client: Any) -> Any:
        found = getattr(client._options, name)
        return getattr(found, inner, None) if inner else found

    return read


def _qualities(client: Any) -> str:
    return ",".join(one.quality for one in client._options.authentication.protection)


FAILOVER, IPC = "dfs.client.failover", "ipc.client"
RETRIES, PAIRED = "connect", "connect in a pair"

READ = [
    Setting(
        f"{IPC}.connect.timeout", "3000", option("connect_timeout"), 3.0, INTEGERS,
        lambda java: refused_below_0(java["connect timeout"]) or LONGEST_TIMEOUT,
    ),
    Setting(
        f"{IPC}.connect.retry.interval", "50", option("connect_retries", "wait"), 0.05, INTEGERS,
        lambda java: java[PAIRED][2] / 1000,
    ),
    Setting(
        f"{IPC}.connect.max.retries", "3", option("connect_retries", "failures"), 3, INTEGERS,
        nth(RETRIES, 0), ONE,
    ),
    Setting(
        f"{IPC}.connect.max.retries.on.timeouts", "3", option("connect_retries", "timeouts"), 3,
        INTEGERS, nth(RETRIES, 1), ONE,
    ),
    Setting(
        f"{FAILOVER}.connection.retries", "5", option("connect_retries", "failures"), 5, INTEGERS,
        nth(PAIRED, 0),
    ),
    Setting(
        f"{FAILOVER}.connection.retries.on.timeouts", "6", option("connect_retries", "timeouts"),
        6, INTEGERS, nth(PAIRED, 1),
    ),
    Setting(
        f"{FAILOVER}.max.attempts", "7", option("retry", "attempts"), 7, INTEGERS,
        lambda java: max(1, java["failover attempts"]),
    ),
    Setting(
        f"{FAILOVER}.sleep.base.millis", "80", option("retry", "first_wait"), 0.08, INTEGERS,
        seconds("failover base"),
    ),
    Setting(
        f"{FAILOVER}.sleep.max.millis", "900", option("retry", "longest_wait"), 0.9, INTEGERS,
        seconds("failover max"),
    ),
    Setting(
        f"{IPC}.ping", "false", option("ping_interval"), None, TRUTHS,
        lambda java: java["ping"] / 1000 if java["pings"] else None,
    ),
    Setting(
        "ipc.ping.interval", "1500", option("ping_interval"), 1.5, INTEGERS,
        lambda java: refused_below_0(java["ping"]) or None,
    ),
    Setting(
        f"{IPC}.rpc-timeout.ms", "10", option("timeout"), 0.01, INTEGERS,
        lambda java: java["rpc timeout"] / 1000 or None,
    ),
    Setting(
        f"{IPC}.connection.maxidletime", "20", option("idle_timeout"), 0.02, INTEGERS,
        seconds("idle"),
    ),
    Setting(
        "ipc.maximum.response.length", "4096", option("reply_limit"), 4096, INTEGERS,
        lambda java: java["reply limit"] if java["reply limit"] > 0 else LONGEST_FRAME,
    ),
    Setting(
        "fs.permissions.umask-mode", "077", option("umask"), 0o077, UMASKS,
        lambda java: java["umask"],
    ),
    Setting(
        "dfs.user.home.dir.prefix", "/home", lambda client: client.home_directory, "/home/alice",
        HOMES, lambda java: java["home"],
    ),
    Setting(
        "dfs.replication", "2", lambda client: client._options.replication % (1 << 16), 2,
        INTEGERS, lambda java: java["replication"] % (1 << 16),
    ),
    Setting(
        "dfs.blocksize", "64m", option("block_size"), 64 << 20, SIZES,
        lambda java: java["block size"],
    ),
    Setting(
        f"{FAILOVER}.observer.auto-msync-period.ns", "500",
        option("observer_reads", "auto_msync_period"), 0.5, TIMES,
        lambda java: java["autoMsyncPeriodMs"] / 1000 if java["autoMsyncPeriodMs"] >= 0 else None,
    ),
    Setting(
        f"{FAILOVER}.observer.probe.retry.period", "1m",
        option("observer_reads", "probe_retry_period"), 60.0, TIMES,
        lambda java: max(0, java["observerProbeRetryPeriodMs"]) / 1000,  # a negative one is none
    ),
    Setting(
        "hadoop.security.authentication", "kerberos",
        lambda client: client._options.authentication is not None, True, METHODS,
        lambda java: java["authentication"] == "KERBEROS",
    ),
    Setting(
        "hadoop.rpc.protection", "privacy", _qualities, "auth-conf", PROTECTIONS,
        lambda java: java["protection"], ONE | KERBEROS,
    ),
    Setting(
        f"{IPC}.fallback-to-simple-auth-allowed", "true",
        option("authentication", "fallback_to_simple"), True, TRUTHS,
        lambda java: java["fallback"], ONE | KERBEROS,
    ),
]  # fmt: skip
_NAMENODES = "test_the_namenodes_of_a_name_service_are_those_of_java"
_ORDER = "test_the_order_of_a_name_service_is_random_where_it_is_in_java"
_LOGIN = "test_who_is_logged_in_and_by_which_tokens_is_what_java_says"
_MANAGERS = "test_the_resource_managers_are_those_of_java"
_PRINCIPAL = "test_a_server_has_the_principal_that_java_expects"
_PATTERN = "test_a_server_may_have_the_principals_that_java_lets_it_have"
READ_ELSEWHERE = {
    "dfs.client.failover.proxy.provider.ns": (
        "test_observers_are_asked_if_the_provider_of_java_asks_them"
    ),
    "dfs.client.failover.random.order": _ORDER,
    "dfs.client.failover.random.order.ns": _ORDER,
    "dfs.ha.namenodes.ns": _NAMENODES,
    "dfs.namenode.kerberos.principal": _PRINCIPAL,
    "dfs.namenode.kerberos.principal.pattern": _PATTERN,
    "dfs.namenode.rpc-address.ns": _NAMENODES,
    "dfs.namenode.rpc-address.ns.a": _NAMENODES,
    "dfs.namenode.rpc-address.ns.b": _NAMENODES,
    "dfs.nameservices": _NAMENODES,
    "fs.defaultFS": "test_the_default_file_system_is_that_of_java",
    "hadoop.token.files": _LOGIN,
    "hadoop.tokens": _LOGIN,
    "yarn.resourcemanager.address": _MANAGERS,
    "yarn.resourcemanager.address.a": _MANAGERS,
    "yarn.resourcemanager.address.b": _MANAGERS,
    "yarn.resourcemanager.ha.enabled": _MANAGERS,
    "yarn.resourcemanager.ha.rm-ids": _MANAGERS,
    "yarn.resourcemanager.hostname": _MANAGERS,
    "yarn.resourcemanager.hostname.b": _MANAGERS,
    "yarn.resourcemanager.principal": _PRINCIPAL,
    "yarn.resourcemanager.principal.pattern": _PATTERN,
}
"""Settings that name the servers and the users, with the tests of `test_hadoop_judge` of them."""

_RESOLVED = "applies where names are resolved, of which a warning is logged"
_SERVERS = "is of servers"
_DATA = "is of reads of files' content"
MEANINGLESS = {
    "dfs.client.failover.resolver.impl": _RESOLVED,
    "dfs.client.failover.resolver.useFQDN": _RESOLVED,
    "dfs.client.retry.interval-ms.get-last-block-length": _DATA,
    "dfs.client.retry.max.attempts": "failover attempts count all tries, of whichever server",
    "dfs.client.retry.policy.spec": "applies with a policy of which a warning is logged",
    "dfs.client.retry.times.get-last-block-length": _DATA,
    "dfs.client.retry.window.base": _DATA,
    "dfs.namenode.retrycache.expirytime.millis": _SERVERS,
    "dfs.namenode.retrycache.heap.percent": _SERVERS,
    "hadoop.proxyuser": _SERVERS,
    "hadoop.security.authorization": _SERVERS,
    "ipc.client.async.calls.max": "HadoopOptions.limits applies",
    "ipc.client.bind.wildcard.addr": "Tcp.source_address applies",
    "ipc.client.connect.max.retries.on.sasl": "no server takes a proof for a repeated one",
    "ipc.client.connection.idle-scan-interval.ms": _SERVERS,
    "ipc.client.idlethreshold": _SERVERS,
    "ipc.client.kill.max": _SERVERS,
    "ipc.client.low-latency": "it sets marks of packets, by which networks may choose a way",
    "ipc.client.tcpnodelay": "it always is so",
    "yarn.resourcemanager.ha.automatic-failover.embedded": _SERVERS,
    "yarn.resourcemanager.ha.automatic-failover.enabled": _SERVERS,
    "yarn.resourcemanager.ha.automatic-failover.zk-base-path": _SERVERS,
}
"""Settings that mean nothing to clients here, and why."""
