"""`jvmwire hazelcast`: a look at a cluster, and its maps and topics by hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click
import orjson

from jvmwire.cli.tables import say, write_json, write_table
from jvmwire.hazelcast import HazelcastClient, HazelcastOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire.hazelcast.proxies.entries import EntryEvent

TIMEOUT = 20.0
"""Seconds that a command waits for the cluster, unless told otherwise."""

Decorated = Any


def _connected(command: Decorated) -> Decorated:
    """Give a command the options that say where the cluster is."""
    for option in (
        click.option(
            *("-a", "--address", "addresses"),
            multiple=True,
            default=["127.0.0.1"],
            show_default=True,
            help="A member, host or host:port; more than one may be given.",
        ),
        click.option("--cluster-name", default="dev", show_default=True, help="The group's name."),
        click.option(
            "--password",
            envvar="JVMWIRE_HAZELCAST_PASSWORD",
            default="dev-pass",
            help="The group's password; better in $JVMWIRE_HAZELCAST_PASSWORD.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            default=TIMEOUT,
            show_default=True,
            metavar="SECONDS",
            help="For each call.",
        ),
        click.option("--json", "as_json", is_flag=True, help="JSON lines, for programs."),
    ):
        command = option(command)
    return command


def _connect(
    addresses: tuple[str, ...], cluster_name: str, password: str, timeout: float
) -> HazelcastClient:
    options = HazelcastOptions(cluster_name=cluster_name, password=password, timeout=timeout)
    return HazelcastClient.connect(addresses, options)


def _value(text: str) -> Any:
    """Return what an argument means: JSON if it is JSON, else the text itself."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _key_and_value(key: Any, value: Any) -> dict[str, Any]:
    return {"key": _told(key), "value": _told(value)}


def _told(value: Any) -> Any:
    """Return a value as JSON can have it."""
    plain = isinstance(value, str | int | float | bool | bytes | None)
    return bytes(value) if isinstance(value, bytes) else value if plain else repr(value)


@click.group()
def hazelcast() -> None:
    """Read, write and listen to what is in a Hazelcast cluster.

    Keys and values are JSON if they can be read so (5, true, "5"), else text.
    """


@hazelcast.command()
@click.option(
    "-c", "--count", type=click.IntRange(min=1), default=1, show_default=True, help="How often."
)
@_connected
def ping(count: int, as_json: bool, **where: Any) -> None:  # noqa: FBT001  # click's
    """Ask a member for a sign of life, and say how long that took."""
    with _connect(**where) as client:
        for _ in range(count):
            begun = time.perf_counter()
            client.ping()
            milliseconds = (time.perf_counter() - begun) * 1000
            if as_json:
                write_json([{"milliseconds": milliseconds}])
            else:
                say(f"answered in {milliseconds:.2f} ms")


@hazelcast.command()
@_connected
def members(as_json: bool, **where: Any) -> None:  # noqa: FBT001  # click's
    """List the members of the cluster."""
    with _connect(**where) as client:
        rows: list[dict[str, Any]] = [
            {"uuid": member.uuid, "address": str(member.address), "lite": member.lite}
            for member in client.members
        ]
        if as_json:
            write_json(rows)
        else:
            write_table(
                {"ADDRESS": "left", "UUID": "left", "DATA": "left"},
                [(row["address"], row["uuid"], "no" if row["lite"] else "yes") for row in rows],
            )


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.argument("key")
@_connected
def get(map_name: str, key: str, as_json: bool, **where: Any) -> None:  # noqa: FBT001  # click's
    """Print what stands under KEY in MAP.

    Exit status: 0; 1 if nothing does.
    """
    with _connect(**where) as client:
        value = client.get_map(map_name).get(_value(key))
    if value is None:
        raise SystemExit(1)
    if as_json:
        write_json([_key_and_value(_value(key), value)])
    else:
        say(str(value))


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.argument("key")
@click.argument("value")
@click.option("--ttl", type=float, metavar="SECONDS", help="How long the entry lives.")
@_connected
def put(
    map_name: str,
    key: str,
    value: str,
    ttl: float | None,
    as_json: bool,  # noqa: FBT001  # click's
    **where: Any,
) -> None:
    """Put VALUE under KEY in MAP, and print what stood there."""
    with _connect(**where) as client:
        old = client.get_map(map_name).put(_value(key), _value(value), ttl=ttl)
    if as_json:
        write_json([_key_and_value(_value(key), old)])
    elif old is not None:
        say(str(old))


@hazelcast.command()
@click.argument("map_name", metavar="MAP")
@click.option("--where", "sql", metavar="SQL", help='Which entries, as "age > 30".')
@click.option("-n", "--limit", type=click.IntRange(min=0), help="No more entries than this.")
@_connected
def scan(
    map_name: str,
    sql: str | None,
    limit: int | None,
    as_json: bool,  # noqa: FBT001  # click's
    **where: Any,
) -> None:
    """Print the entries of MAP, or those that --where finds."""
    from jvmwire.hazelcast.predicates import Sql

    with _connect(**where) as client:
        found = client.get_map(map_name)
        entries: Iterator[tuple[Any, Any]]
        entries = found.entries() if sql is None else iter(found.entry_set(Sql(sql)))
        for number, (key, value) in enumerate(entries):
            if number == limit:
                break
            if as_json:
                write_json([_key_and_value(key, value)])
            else:
                say(f"{key}  {value}")


_SIZED: dict[str, Callable[[HazelcastClient, str], int]] = {
    "hz:impl:mapService": lambda client, name: client.get_map(name).size(),
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
def top(interval: float | None, as_json: bool, **where: Any) -> None:  # noqa: FBT001  # click's
    """List the structures of the cluster, the largest first."""
    with _connect(**where) as client:
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
                    {"SIZE": "right", "KIND": "left", "NAME": "left"},
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
def listen(map_name: str, limit: int | None, as_json: bool, **where: Any) -> None:  # noqa: FBT001  # click's
    """Print what becomes of the entries of MAP, until interrupted."""
    with _connect(**where) as client:
        waiting = client.within(None).get_map(map_name)
        for number, event in enumerate(waiting.entry_events(), 1):
            _print_event(event, as_json=as_json)
            if number == limit:
                return


def _print_event(event: EntryEvent, *, as_json: bool) -> None:
    if as_json:
        told = {"event": event.type.name, **_key_and_value(event.key, event.value)}
        write_json([told | {"old_value": _told(event.old_value), "count": event.count}])
    else:
        say(f"{event.type.name}  {event.key}  {event.value}")
