"""Commands `jvmwire hazelcast`, which inspect a cluster, its maps and its topics."""

from __future__ import annotations

import functools
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from jvmwire._cli.groups import ServerGroup
from jvmwire._cli.hazelcast_serve import serve
from jvmwire._cli.server_options import (
    DEFAULT_TIMEOUT,
    config_option,
    count_option,
    json_option,
    password_option,
    server_option,
    system_option,
    timeout_option,
)
from jvmwire._cli.tabular import echo_safe, warn, write_json, write_table
from jvmwire._cli.termination import tell_listening
from jvmwire._escaping import quote, shorten
from jvmwire.errors import JvmWireError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmwire.hazelcast import HazelcastClient
    from jvmwire.hazelcast._proxies.entries import EntryEvent

SYSTEM = "hazelcast"
LOCAL = "127.0.0.1"
"""The member that is called unless an option or a configuration file names one."""
MAP_SERVICE = "hz:impl:mapService"
"""The name of the map service in the protocol."""
NEAR = 5
"""The number of similar names that the error about a missing map lists."""
MAX_TTL = (1 << 63) // 1000 - 1
"""The largest number of seconds that a member can represent in milliseconds."""


@dataclass(frozen=True)
class _Cluster:
    """Cluster to call, with the credentials for it."""

    servers: tuple[str, ...]
    config: Path | None
    cluster_name: str | None
    password: str | None = field(repr=False)
    timeout: float | None

    def connect(self) -> HazelcastClient:
        """Return a connected client; options take precedence over the configuration file."""
        from jvmwire.hazelcast import HazelcastClient, HazelcastOptions
        from jvmwire.hazelcast.configuration import read_configuration

        addresses, options = [LOCAL], HazelcastOptions(timeout=DEFAULT_TIMEOUT)
        if self.config is not None:
            addresses, options = read_configuration(self.config)
        given: dict[str, Any] = {
            "cluster_name": self.cluster_name,
            "password": self.password,
            "timeout": self.timeout,
        }
        options = replace(
            options, **{name: value for name, value in given.items() if value is not None}
        )
        return HazelcastClient.connect(self.servers or addresses, options)


def _connected(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that select the cluster to a command, as an argument `cluster`."""

    @functools.wraps(command)
    def run(
        servers: tuple[str, ...],
        config: Path | None,
        cluster_name: str | None,
        password: str | None,
        timeout: float | None,
        **others: Any,
    ) -> None:
        command(cluster=_Cluster(servers, config, cluster_name, password, timeout), **others)

    for option in (
        json_option,
        timeout_option(SYSTEM),
        password_option(SYSTEM, of="the group"),
        system_option(
            SYSTEM, "--cluster-name", metavar="NAME", help="Name of the group (default: dev)."
        ),
        config_option(
            SYSTEM, help="Configuration file of Java's client: hazelcast-client.yaml or .xml."
        ),
        server_option(
            SYSTEM,
            help=f"Address or URL of a member (default port: 5701); default: {LOCAL}, or what the "
            "configuration says.",
        ),
    ):
        run = option(run)
    return run


def _look_up(client: HazelcastClient, map_name: str) -> None:
    """Exit with status 1 if the cluster has no such map, since reading it would create it."""
    names = sorted(
        name for service, name in client.get_distributed_objects() if service == MAP_SERVICE
    )
    if map_name in names:
        return
    import difflib  # only for the error

    near = difflib.get_close_matches(map_name, names, NEAR, 0.5) or names[:NEAR]
    more = f" and {len(names) - len(near):,} more" if len(names) > len(near) else ""
    known = ", ".join(quote(name) for name in near)
    known_maps = f"the cluster has {known}{more}" if names else "the cluster has no maps"
    warn(f"no map {quote(map_name)}: {known_maps}")
    raise SystemExit(1)


@contextmanager
def _arguments() -> Iterator[None]:
    """Raise errors of a structure about its arguments as usage errors."""
    try:
        yield
    except JvmWireError:
        raise
    except (OverflowError, TypeError, ValueError) as error:
        raise click.UsageError(f"it cannot be stored: {shorten(str(error), 200)}") from error


@click.group(cls=ServerGroup)
def hazelcast() -> None:
    """Read, write and listen to what is in a Hazelcast cluster.

    Keys and values are JSON if they can be read so (5, true, "5", {"a": 1}), else text. An object
    is stored as a JSON document, which SQL can query. Values are printed as JSON, and texts that do
    not read as JSON as they are.

    What only looks creates no map: a name that the cluster does not have is an error.
    """


@hazelcast.command()
@count_option
@_connected
def ping(count: int, *, cluster: _Cluster, as_json: bool) -> None:
    """Ask a member for a sign of life, and say how long that took."""
    with cluster.connect() as client:
        for _ in range(count):
            begun = time.perf_counter()
            client.ping()
            milliseconds = (time.perf_counter() - begun) * 1000
            if as_json:
                write_json([{"milliseconds": milliseconds}])
            else:
                echo_safe(f"answered in {milliseconds:.2f} ms")


@hazelcast.command()
@_connected
def members(*, cluster: _Cluster, as_json: bool) -> None:
    """List the members of the cluster."""
    with cluster.connect() as client:
        rows: list[dict[str, Any]] = [
            {"uuid": member.uuid, "address": str(member.address), "lite": member.lite}
            for member in client.members
        ]
        if as_json:
            write_json(rows)
        else:
            write_table(
                {"address": "left", "uuid": "left", "data": "left"},
                [(row["address"], row["uuid"], "no" if row["lite"] else "yes") for row in rows],
            )


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.argument("key")
@_connected
def get(map_name: str, key: str, *, cluster: _Cluster, as_json: bool) -> None:
    """Print what stands under KEY in MAP.

    Exit status: 0; 1 if nothing does, or there is no such map.
    """
    from jvmwire._cli.hazelcast_values import key_and_value, parse_value, print_json, shown_value

    asked = parse_value(key)
    with cluster.connect() as client:
        _look_up(client, map_name)
        with _arguments():
            value = client.get_map(map_name).get(asked)
    if value is None:
        raise SystemExit(1)
    if as_json:
        print_json(key_and_value(asked, value))
    else:
        echo_safe(shown_value(value))


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.argument("key")
@click.argument("value")
@click.option(
    "--ttl", type=click.FloatRange(0, MAX_TTL), metavar="SECONDS", help="How long the entry lives."
)
@_connected
def put(
    map_name: str,
    key: str,
    value: str,
    ttl: float | None,
    *,
    cluster: _Cluster,
    as_json: bool,
) -> None:
    """Put VALUE under KEY in MAP, and print what stood there."""
    from jvmwire._cli.hazelcast_values import key_and_value, parse_value, print_json, shown_value

    given = parse_value(key), parse_value(value)
    with cluster.connect() as client, _arguments():
        old = client.get_map(map_name).put(*given, ttl=ttl)
    if as_json:
        print_json(key_and_value(given[0], old))
    elif old is not None:
        echo_safe(shown_value(old))


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.option("--where", "sql", metavar="SQL", help='Which entries, as "age > 30".')
@click.option("-n", "--limit", type=click.IntRange(min=0), help="No more entries than this.")
@click.option(
    "--approximate",
    is_flag=True,
    help="Entries may be missed if others put meanwhile; the way to scan on members 3.7 and 3.8.",
)
@_connected
def scan(
    map_name: str,
    sql: str | None,
    limit: int | None,
    *,
    approximate: bool,
    cluster: _Cluster,
    as_json: bool,
) -> None:
    """Print the entries of MAP, or those that --where finds.

    Exit status: 0; 1 if there is no such map.
    """
    from jvmwire._cli.hazelcast_values import key_and_value, print_json, shown_value
    from jvmwire.hazelcast.predicates import Sql

    with cluster.connect() as client:
        _look_up(client, map_name)
        found = client.get_map(map_name)
        entries: Iterator[tuple[Any, Any]]
        if sql is None:
            entries = found.entries(approximate=approximate)
        else:
            entries = iter(found.entry_set(Sql(sql)))
        for number, (key, value) in enumerate(entries):
            if number == limit:
                break
            if as_json:
                print_json(key_and_value(key, value))
            else:
                echo_safe(f"{shown_value(key)}  {shown_value(value)}")


_SIZED: dict[str, Callable[[HazelcastClient, str], int]] = {
    MAP_SERVICE: lambda client, name: client.get_map(name).size(),
    "hz:impl:multiMapService": lambda client, name: client.get_multi_map(name).size(),
    "hz:impl:queueService": lambda client, name: client.get_queue(name).size(),
    "hz:impl:listService": lambda client, name: client.get_list(name).size(),
    "hz:impl:setService": lambda client, name: client.get_set(name).size(),
    "hz:impl:ringbufferService": lambda client, name: client.get_ringbuffer(name).size(),
    "hz:impl:atomicLongService": lambda client, name: client.get_atomic_long(name).get(),
}


@hazelcast.command()
@click.option(
    "-i",
    "--interval",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Again and again, so many seconds apart.",
)
@_connected
def top(interval: float | None, *, cluster: _Cluster, as_json: bool) -> None:
    """List the structures of the cluster, the largest first."""
    with cluster.connect() as client:
        while True:
            rows: list[dict[str, Any]] = []
            for service, name in client.get_distributed_objects():
                size = _SIZED[service](client, name) if service in _SIZED else None
                rows.append({"service": service, "name": name, "size": size})
            rows.sort(key=lambda row: (-(row["size"] or 0), row["service"], row["name"]))
            if as_json:
                write_json(rows)
            else:
                write_table(
                    {"size": "right", "kind": "left", "name": "left"},
                    [
                        (
                            "" if row["size"] is None else str(row["size"]),
                            row["service"].removeprefix("hz:impl:").removesuffix("Service"),
                            row["name"],
                        )
                        for row in rows
                    ],
                )
            if interval is None:
                return
            time.sleep(interval)


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.option("-n", "--limit", type=click.IntRange(min=1), help="End after so many events.")
@_connected
def listen(map_name: str, limit: int | None, *, cluster: _Cluster, as_json: bool) -> None:
    """Print what becomes of the entries of MAP, until interrupted.

    Exit status: 0; 1 if there is no such map.
    """
    with cluster.connect() as client:
        _look_up(client, map_name)
        registration = client.get_map(map_name)._open_entry_events()
        tell_listening(f"map {quote(map_name)}")
        waiting = client.within(None).get_map(map_name)
        for number, event in enumerate(waiting._entry_events_of(registration), 1):
            _print_event(event, as_json=as_json)
            if number == limit:
                return


def _print_event(event: EntryEvent, *, as_json: bool) -> None:
    from jvmwire._cli.hazelcast_values import key_and_value, plain_value, print_json, shown_value

    if as_json:
        shown = {"event": event.type.name, **key_and_value(event.key, event.value)}
        print_json(shown | {"old_value": plain_value(event.old_value), "count": event.count})
    else:
        echo_safe(f"{event.type.name}  {shown_value(event.key)}  {shown_value(event.value)}")


hazelcast.add_command(serve)
