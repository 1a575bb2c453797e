"""Mapping of Hadoop's configuration to the endpoints and options of clients."""

from __future__ import annotations

import functools
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger, hide_password, quote
from jvmwire.errors import ConfigError
from jvmwire.hadoop._observer_reads import PROBE_RETRY_PERIOD, ObserverReads
from jvmwire.hadoop._options import (
    BLOCK_SIZE,
    FAILOVER_RETRY,
    HOME_PREFIX,
    NAMENODE_PORT,
    REPLICATION,
    UMASK,
    HadoopOptions,
)
from jvmwire.hadoop._session import IDLE_TIMEOUT, PING_INTERVAL, REPLY_LIMIT
from jvmwire.hadoop.namenode._paths import SCHEMES, short_name, split_user
from jvmwire.hadoop.sasl._authentication import Authentication
from jvmwire.hadoop.sasl._kerberos import Kerberos
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST
from jvmwire.options import CONNECT_TIMEOUT, ConnectRetries, RetryPolicy
from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmwire.hadoop._configuration import HadoopConfiguration

_log = get_logger("jvmwire.hadoop")

RESOURCE_MANAGER_PORT = 8032
"""The default RPC port of a ResourceManager: `YarnConfiguration.DEFAULT_RM_PORT`."""
NAMENODE_PRINCIPAL = "dfs.namenode.kerberos.principal"
"""The setting for the Kerberos principal of a NameNode."""
RESOURCE_MANAGER_PRINCIPAL = "yarn.resourcemanager.principal"
"""The setting for the Kerberos principal of a ResourceManager."""
ANY_SERVER = "*"
"""The default of Hadoop for `dfs.namenode.kerberos.principal.pattern`. Java's client uses the
pattern even if the principal is set; here a server must have the principal if there is no
pattern."""
UMASK_SETTING = "fs.permissions.umask-mode"
RPC_TIMEOUT = "ipc.client.rpc-timeout.ms"
CONNECT_WAIT = "ipc.client.connect.retry.interval"
CONNECT_LIMIT = "ipc.client.connect.timeout"
LONGEST_FRAME = (1 << 31) - 1
"""The largest length in bytes that a frame can state."""
LONGEST_TIMEOUT = LONGEST_FRAME / 1000
"""The longest duration in seconds that `getInt` can express, 24 days, in place of no limit."""
_PROTOBUF = "PB"
"""The suffix of the names of Java's interfaces for the Protobuf engine."""
_PROTOBUF_ENGINES = (
    "org.apache.hadoop.ipc.ProtobufRpcEngine",
    "org.apache.hadoop.ipc.ProtobufRpcEngine2",
)
_WRITABLE_ENGINE = "org.apache.hadoop.ipc.WritableRpcEngine"


def find_namenodes(configuration: HadoopConfiguration, url: str | None = None) -> list[Tcp]:
    """Return the NameNodes of a file system.

    The NameNodes of a name service (`dfs.ha.namenodes.*`) form a group with failover.

    Args:
        configuration: The configuration.
        url: `hdfs://` with a host or a name service. Default: `fs.defaultFS`.

    Returns:
        The endpoints, in random order if `dfs.client.failover.random.order` is set.

    Raises:
        ConfigError: the configuration names no NameNode.
    """
    service = _name_service(configuration, url)
    # DFSUtilClient.getAddresses: a map by name, in which none is twice.
    members = list(dict.fromkeys(configuration.words(f"dfs.ha.namenodes.{service}")))
    if not members and service in configuration.words("dfs.nameservices"):
        return [_address(configuration, f"dfs.namenode.rpc-address.{service}", NAMENODE_PORT)]
    if not members:
        return [_endpoint(configuration, service, service, NAMENODE_PORT)]
    found = [
        _address(configuration, f"dfs.namenode.rpc-address.{service}.{member}", NAMENODE_PORT)
        for member in members
    ]
    order = "dfs.client.failover.random.order"
    # AbstractNNFailoverProxyProvider.getRandomOrder: the setting of the name service takes
    # precedence.
    for_all = configuration.boolean(order, default=False)
    if configuration.boolean(f"{order}.{service}", default=for_all):
        random.shuffle(found)
    return found


def find_user(configuration: HadoopConfiguration, url: str | None = None) -> str | None:
    """Return the user that the URL of a file system contains, such as `hdfs://alice@host:port`.

    Args:
        configuration: The configuration.
        url: URL of the file system. Default: `fs.defaultFS`.

    Returns:
        The user, or None if the URL contains none.

    Raises:
        ConfigError: the configuration names no file system.
    """
    return split_user(_authority(configuration, url))[0]


def with_user(given: dict[str, Any], user: str | None) -> dict[str, Any]:
    """Return options for a file system whose URL contains a user.

    Args:
        given: Fields of `HadoopOptions`.
        user: User of the URL, or None.

    Returns:
        The fields, with the user of the URL.

    Raises:
        ConfigError: the fields contain another user.
    """
    if user is None:
        return given
    if given.get("user", user) != user:
        raise ConfigError(
            f"the URL is of the user {quote(user)}, and the option user is {quote(given['user'])}"
        )
    return {**given, "user": user}


def _name_service(configuration: HadoopConfiguration, url: str | None) -> str:
    """Return the host or the name service of a URL."""
    return split_user(_authority(configuration, url))[1]


def _authority(configuration: HadoopConfiguration, url: str | None) -> str:
    """Return the authority of a URL, or of `fs.defaultFS` if the URL has none."""
    found = None if url is None else _read_authority(configuration, url)
    if found:
        return found
    default = configuration.text("fs.defaultFS", "")
    if not default:
        raise ConfigError(
            "no NameNode is configured: give an address, or set fs.defaultFS, or HADOOP_CONF_DIR "
            "to the directory of core-site.xml"
        )
    # FileSystem.fixName: the forms that Hadoop had before URLs.
    if default == "local":
        default = "file:///"
    default = default if "/" in default else f"hdfs://{default}"
    found = _read_authority(configuration, default)
    if not found:
        written = quote(hide_password(configuration.as_written(default)))
        raise ConfigError(f"fs.defaultFS is {written}: expected a host, as hdfs://host:port")
    return found


def _read_authority(configuration: HadoopConfiguration, url: str) -> str:
    scheme, colon, rest = url.partition(":")
    authority, _, _ = rest[2:].partition("/")
    host = split_user(authority)[1] if rest.startswith("//") else ""
    has_host = host.strip("[]:") and not any(letter in " ?#,@" for letter in host)
    if (
        scheme.lower() not in SCHEMES
        or not colon
        or not rest.startswith("/")
        or (authority and rest.startswith("//") and not has_host)
        # A password with a slash: what is before it would be taken for a port.
        or (host and hide_password(url) != url and not _ADDRESS.fullmatch(host))
    ):
        written = quote(hide_password(configuration.as_written(url)))
        raise ConfigError(
            f"{written} is not a file system of a NameNode: expected hdfs://host:port or "
            "hdfs://name-service"
        )
    return authority if rest.startswith("//") else ""


def find_resource_managers(configuration: HadoopConfiguration) -> list[Tcp]:
    """Return the ResourceManagers of YARN: one, or a group with failover.

    Args:
        configuration: The configuration.

    Returns:
        The endpoints.

    Raises:
        ConfigError: the configuration names no ResourceManager.
    """
    name = "yarn.resourcemanager"
    suffixes = [""]
    if configuration.boolean(f"{name}.ha.enabled", default=False):
        suffixes = [f".{member}" for member in configuration.words(f"{name}.ha.rm-ids")]
        if not suffixes:
            raise ConfigError(
                f"{name}.ha.enabled is true and {name}.ha.rm-ids is not set: no ResourceManager "
                "is configured"
            )
    found = []
    for suffix in suffixes:
        # HAUtil.checkAndSetRMRPCAddress: an empty address is a setting too, and is rejected.
        is_by_host = f"{name}.address{suffix}" not in configuration
        host = configuration.text(f"{name}.hostname{suffix}", "") if is_by_host else ""
        if host:
            address = f"{host}:{RESOURCE_MANAGER_PORT}"
            where = f"{name}.hostname{suffix} = {host}"
            found.append(_endpoint(configuration, where, address, RESOURCE_MANAGER_PORT))
        else:
            found.append(_address(configuration, f"{name}.address{suffix}", RESOURCE_MANAGER_PORT))
    return found


def _address(configuration: HadoopConfiguration, name: str, default_port: int) -> Tcp:
    value = configuration.text(name, "")
    if not value:
        written = configuration.as_written(name)
        raise ConfigError(f"{written} is not set: no server is configured")
    return _endpoint(configuration, f"{name} = {value}", value, default_port)


def _endpoint(
    configuration: HadoopConfiguration, where: str, address: str, default_port: int
) -> Tcp:
    """Parse an address, or the host and port of a URL, as `NetUtils.createSocketAddr` does."""
    scheme, _, rest = address.rpartition("://")
    host = split_user(rest.partition("/")[0] if scheme else rest)[1].removesuffix(":")
    shown = hide_password(address)
    said = f"{quote(shown)} is not an address: expected host:port"
    if _ADDRESS.fullmatch(host):
        try:
            return Tcp.parse(host, default_port=default_port)
        except ConfigError as error:
            said = str(error) if shown == address else said
    # No cause: it quotes the value of a variable.
    raise ConfigError(configuration.as_written(f"{where}: {said}"))


_ADDRESS = re.compile(r"(?:[^\s/:,;?#\[\]@{}]+|\[[0-9A-Fa-f:.%]+\])(?::\d*)?")


def options_from_configuration(
    configuration: HadoopConfiguration,
    *,
    servers: int = 1,
    principal: str = NAMENODE_PRINCIPAL,
    **given: Any,
) -> HadoopOptions:
    """Return the client options that the configuration describes.

    The settings are `ipc.client.connect.timeout`, `ipc.client.connect.max.retries` (also with the
    suffix `.on.timeouts`), `ipc.client.connect.retry.interval`, `ipc.client.ping`,
    `ipc.ping.interval`, `ipc.client.rpc-timeout.ms` (here the timeout of a whole call; 0 is no
    timeout), `ipc.client.connection.maxidletime`, `ipc.maximum.response.length`,
    `dfs.client.failover.*`, `fs.permissions.umask-mode`, `dfs.user.home.dir.prefix`,
    `dfs.replication` and `dfs.blocksize`. `rpc.engine.*` is only checked, since an interface
    declares its engine: the value must be an existing engine, and Protobuf's for an interface whose
    name ends with `PB`. For settings in `UNREAD` a warning is logged, once per process.

    If `hadoop.security.authentication` is `kerberos`, the client authenticates by Kerberos if it
    has no token for the server in `HADOOP_TOKEN_FILE_LOCATION`, `HADOOP_TOKEN`,
    `hadoop.token.files` or `hadoop.tokens`. The principal of servers is in the setting `principal`,
    or matches the setting `principal` with the suffix `.pattern` (`*` for a NameNode, if neither is
    set). `hadoop.rpc.protection` and `ipc.client.fallback-to-simple-auth-allowed` apply.

    Args:
        configuration: The configuration.
        servers: Number of servers that the client calls. Default: 1.
        principal: Name of the setting for the servers' Kerberos principal. Default: that of
            NameNodes.
        **given: Fields of `HadoopOptions`, which take precedence.

    Returns:
        The options.

    Raises:
        ConfigError: the value of a setting is invalid.
    """
    _check_engines(configuration)
    _warn_of_unread(configuration)
    found: dict[str, Any] = {
        "connect_timeout": _connect_timeout(configuration),
        "ping_interval": _ping_interval(configuration),
        "idle_timeout": max(
            0.0, configuration.milliseconds("ipc.client.connection.maxidletime", IDLE_TIMEOUT)
        ),
        "reply_limit": configuration.integer("ipc.maximum.response.length", REPLY_LIMIT),
        "umask": _umask(configuration),
        # As NameNodes read what Java's clients send: a short.
        "replication": configuration.integer("dfs.replication", REPLICATION) % (1 << 16),
        "block_size": configuration.size("dfs.blocksize", BLOCK_SIZE),
        "home_prefix": configuration.get("dfs.user.home.dir.prefix", HOME_PREFIX).strip(),
        "retry": _failover(configuration) if servers > 1 else None,
        "connect_retries": _connect_retries(configuration, servers),
    }
    if found["reply_limit"] <= 0:
        # Client.IpcStreams.readResponse checks no length then.
        found["reply_limit"] = LONGEST_FRAME
    if RPC_TIMEOUT in configuration:
        timeout = configuration.milliseconds(RPC_TIMEOUT, 0.0)
        found["timeout"] = timeout if timeout > 0 else None
    if "authentication" not in given:
        found["authentication"] = _authentication(configuration, principal)
    return HadoopOptions(**(found | given))


def _connect_timeout(configuration: HadoopConfiguration) -> float:
    """Return the timeout of `NetUtils.connect` in seconds; the setting 0 means no timeout."""
    timeout = _not_negative(configuration, CONNECT_LIMIT, CONNECT_TIMEOUT)
    return timeout or LONGEST_TIMEOUT


def _ping_interval(configuration: HadoopConfiguration) -> float | None:
    """Return the timeout of `Socket.setSoTimeout` in seconds; the setting 0 means no timeout."""
    if not configuration.boolean("ipc.client.ping", default=True):
        return None
    return _not_negative(configuration, "ipc.ping.interval", PING_INTERVAL) or None


def _not_negative(configuration: HadoopConfiguration, name: str, default: float) -> float:
    """Return a duration in seconds.

    Raises:
        ConfigError: it is negative, which Java rejects, at the latest when it waits.
    """
    found = configuration.milliseconds(name, default)
    if found < 0:
        raise ConfigError(f"{name} is {found * 1000:.0f} ms: expected 0 or more")
    return found


def _authentication(configuration: HadoopConfiguration, principal: str) -> Authentication | None:
    environment = Authentication.of_environment(
        configuration.words("hadoop.token.files"), configuration.words("hadoop.tokens")
    )
    # SecurityUtil.getAuthenticationMethod: case is ignored, surrounding space is not.
    method = configuration.get("hadoop.security.authentication", "simple")
    if method.lower() == "simple":
        return environment
    if method.lower() != "kerberos":
        written = quote(configuration.as_written(method))
        raise ConfigError(f"hadoop.security.authentication is {written}, not simple or kerberos")
    server = configuration.text(principal, "") or None
    pattern = configuration.text(f"{principal}.pattern", "") or None
    if server is None and pattern is None and principal == NAMENODE_PRINCIPAL:
        pattern = ANY_SERVER
    named = server is not None or pattern is not None
    if not named and environment is None:
        raise ConfigError(f"{principal} is not set: Kerberos needs the principal of the server")
    return Authentication(
        tokens=() if environment is None else environment.tokens,
        kerberos=Kerberos(server_principal=server, server_pattern=pattern) if named else None,
        protection=configuration.text("hadoop.rpc.protection", ",".join(STRONGEST_FIRST)),
        fallback_to_simple=configuration.boolean(
            "ipc.client.fallback-to-simple-auth-allowed", default=False
        ),
    )


def apply_name_service(
    options: HadoopOptions,
    configuration: HadoopConfiguration,
    url: str | None,
    servers: Sequence[Tcp],
) -> HadoopOptions:
    """Return options in which tokens of a name service are valid for its NameNodes.

    If `dfs.client.failover.proxy.provider.<name service>` is `ObserverReadProxyProvider`, observers
    serve reads, by `dfs.client.failover.observer.auto-msync-period.<name service>` and
    `dfs.client.failover.observer.probe.retry.period`.

    Args:
        options: Options of the client.
        configuration: The configuration.
        url: URL of the file system. Default: `fs.defaultFS`.
        servers: NameNodes of the file system.

    Returns:
        The options.

    Raises:
        ConfigError: the URL contains a user, and Kerberos authenticates another.
    """
    service = _name_service(configuration, url)
    if options.observer_reads is None:
        options = replace(options, observer_reads=_observer_reads(configuration, service))
    if options.authentication is None:
        return options
    _check_user(options, find_user(configuration, url))
    authentication = options.authentication.for_members(f"ha-hdfs:{service}", servers)
    return replace(options, authentication=authentication)


def _check_user(options: HadoopOptions, user: str | None) -> None:
    """Check that Kerberos, if it is used, authenticates the user of a URL.

    Raises:
        ConfigError: Kerberos authenticates another user.
    """
    kerberos = None if options.authentication is None else options.authentication.kerberos
    if user is None or kerberos is None or options.real_user is not None:
        return
    owner = kerberos.owner()
    if owner is not None and user not in (owner, short_name(owner)):
        raise ConfigError(
            f"the URL is of the user {quote(user)}, and Kerberos proves that calls are made by "
            f"{quote(owner)}"
        )


def _observer_reads(configuration: HadoopConfiguration, service: str) -> ObserverReads | None:
    provider = configuration.text(f"dfs.client.failover.proxy.provider.{service}", "")
    if provider.strip().rpartition(".")[2] != "ObserverReadProxyProvider":
        return None
    name = "dfs.client.failover.observer"
    period = configuration.seconds(f"{name}.auto-msync-period.{service}", -1.0)
    probe = configuration.seconds(f"{name}.probe.retry.period", PROBE_RETRY_PERIOD)
    return ObserverReads(
        auto_msync_period=period if period >= 0 else None, probe_retry_period=max(0.0, probe)
    )


def _failover(configuration: HadoopConfiguration) -> RetryPolicy:
    name, default = "dfs.client.failover", FAILOVER_RETRY
    attempts = configuration.integer(f"{name}.max.attempts", default.attempts)
    first = configuration.milliseconds(f"{name}.sleep.base.millis", default.first_wait)
    longest = configuration.milliseconds(f"{name}.sleep.max.millis", default.longest_wait)
    return RetryPolicy(
        attempts=max(1, attempts), first_wait=max(0.0, first), longest_wait=max(0.0, longest)
    )


def _connect_retries(configuration: HadoopConfiguration, servers: int) -> ConnectRetries | None:
    """Return the connect retries of `Client.ConnectionId`; None for one server without settings.

    For a group of servers, `AbstractNNFailoverProxyProvider` replaces these settings by its own.
    """
    if servers > 1:
        prefix, failures, timeouts = "dfs.client.failover.connection.retries", 0, 0
        names = prefix, f"{prefix}.on.timeouts"
    else:
        prefix, failures, timeouts = "ipc.client.connect.max.retries", 10, 45
        names = prefix, f"{prefix}.on.timeouts"
        if not {*names, CONNECT_WAIT} & configuration.keys():
            return None
    failures = configuration.integer(names[0], failures)
    if failures < 0:
        # RetryPolicies.RetryLimited rejects it.
        raise ConfigError(f"{names[0]} is {failures}: expected 0 or more")
    return ConnectRetries(
        failures=failures,
        timeouts=max(0, configuration.integer(names[1], timeouts)),
        wait=_not_negative(configuration, CONNECT_WAIT, 1.0),
    )


def _umask(configuration: HadoopConfiguration) -> int:
    """Return the umask as `UmaskParser` does: octal, or permitted bits as in u=rwx,g=rx,o=."""
    value = configuration.get(UMASK_SETTING, f"{UMASK:03o}").strip()
    if octal := re.fullmatch(r"0*([0-7]{3})", value):
        return int(octal[1], 8)
    permitted = dict.fromkeys("ugo", 0)
    at, separated = 0, True
    while (clause := _UMASK_CLAUSE.match(value, at)) and separated:
        classes, operators, letters, behind = clause.groups()
        # Java starts each clause without permissions: of several for one class, the last applies.
        bits = sum({"r": 4, "w": 2, "x": 1}[letter] for letter in set(letters))
        for each in classes.replace("a", "") or "ugo":
            permitted[each] = 0 if operators[-1] == "-" else bits
        at, separated = clause.end(), "," in behind
    if at == 0 or at < len(value):
        written = quote(configuration.as_written(value))
        raise ConfigError(
            f"{UMASK_SETTING} is {written}: expected three octal digits, or permissions such "
            "as u=rwx,g=rx,o="
        )
    return 0o777 & ~(permitted["u"] << 6 | permitted["g"] << 3 | permitted["o"])


_UMASK_CLAUSE = re.compile(r"\s*([ugoa]*)([+=-]+)([rwx]*)([,\s]*)")
"""The clauses of `UmaskParser`, which `PermissionParser` applies one after the other."""


UNREAD = {
    "dfs.client.failover.lazy.resolved": "false",
    "dfs.client.failover.namenode.ha-state.probe.timeout": "0",
    "dfs.client.failover.resolve-needed": "false",
    "dfs.client.retry.policy.enabled": "false",
    "hadoop.rpc.socket.factory.class.ClientProtocol": "",
    "hadoop.rpc.socket.factory.class.default": "org.apache.hadoop.net.StandardSocketFactory",
    "hadoop.security.auth_to_local": "DEFAULT",
    "hadoop.security.auth_to_local.mechanism": "hadoop",
    "hadoop.security.kerberos.ticket.cache.path": "",
    "hadoop.security.sasl.CustomizedCallbackHandler.class": "",
    "hadoop.security.sasl.mechanism": "DIGEST-MD5",
    "hadoop.security.saslproperties.resolver.class": "",
    "hadoop.socks.server": "",
    "yarn.client.failover-max-attempts": "-1",
    "yarn.client.failover-no-ha-proxy-provider": (
        "org.apache.hadoop.yarn.client.DefaultNoHARMFailoverProxyProvider"
    ),
    "yarn.client.failover-proxy-provider": (
        "org.apache.hadoop.yarn.client.ConfiguredRMFailoverProxyProvider"
    ),
    "yarn.client.failover-retries": "0",
    "yarn.client.failover-retries-on-socket-timeouts": "0",
    "yarn.client.failover-sleep-base-ms": "",
    "yarn.client.failover-sleep-max-ms": "",
    "yarn.federation.enabled": "false",
    "yarn.resourcemanager.connect.max-wait.ms": "900000",
    "yarn.resourcemanager.connect.retry-interval.ms": "30000",
}
"""Settings that jvmwire does not read although they change the behaviour of Java's client (alone or
with a suffix), with the values that change nothing."""
PROVIDERS = ("ConfiguredFailoverProxyProvider", "ObserverReadProxyProvider")
"""The supported values of `dfs.client.failover.proxy.provider.<name service>`."""


def _warn_of_unread(configuration: HadoopConfiguration) -> None:
    """Log a warning for each setting that affects Java's client and is not read here."""
    for name in configuration:
        provider = name.startswith("dfs.client.failover.proxy.provider.")
        start = name if name in UNREAD else None
        start = start or next((one for one in UNREAD if name.startswith(f"{one}.")), None)
        if start is None and not provider:
            continue
        try:
            value = configuration.text(name, "")
        except ConfigError:  # nothing needs the value
            continue
        if provider:
            if value and value.rpartition(".")[2] not in PROVIDERS:
                written = quote(configuration.as_written(value))
                _warn(f"{name} is {written}, which is read as {PROVIDERS[0]}")
        elif start is not None and value and value != UNREAD[start]:
            written = quote(configuration.as_written(value))
            _warn(f"{name} is {written}, which is not read and changes what Java's client does")


@functools.lru_cache(maxsize=256)
def _warn(sentence: str) -> None:
    """Log a warning once per process, since every client reads its options."""
    _log.warning("%s", sentence)


def _check_engines(configuration: HadoopConfiguration) -> None:
    for name in configuration:
        engine = configuration[name].strip() if name.startswith("rpc.engine.") else ""
        if not engine or engine in _PROTOBUF_ENGINES:
            continue
        written = configuration.as_written(engine)
        if engine != _WRITABLE_ENGINE:
            raise ConfigError(
                f"{name} is {quote(written)}: there are Protobuf's engine and the Writable"
            )
        if name.endswith(_PROTOBUF):
            raise ConfigError(f"{name} is {quote(written)}, and the interface is one of Protobuf's")
