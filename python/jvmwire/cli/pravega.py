"""`jvmwire pravega`: look into segments and streams, and write to them."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, BinaryIO

import click
import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire.pravega import SegmentStore
    from jvmwire.pravega.streams import StreamClient

LINES = 1 << 20
"""Bytes of lines that are appended at once."""


def _address(context: click.Context, param: click.Parameter, value: str) -> tuple[str, int]:
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal():
        raise click.BadParameter(f"{value!r} is not HOST:PORT", context, param)
    return host.removeprefix("[").removesuffix("]"), int(port)


def _store_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the store it talks to, and how it is let in."""
    options = [
        click.argument("address", metavar="HOST:PORT", callback=_address),
        click.option("--tls", is_flag=True, help="Talk by TLS, with the system's authorities."),
        click.option(
            "--token",
            envvar="JVMWIRE_PRAVEGA_TOKEN",
            default="",
            help="The delegation token; better in the variable JVMWIRE_PRAVEGA_TOKEN.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _connect(address: tuple[str, int], token: str, *, tls: bool) -> SegmentStore:
    from jvmwire.pravega import SegmentStore, SegmentStoreOptions
    from jvmwire.transports import Tcp, Tls

    endpoint = Tcp(*address, tls=Tls() if tls else None)
    return SegmentStore.connect(endpoint, SegmentStoreOptions(delegation_token=token))


def _ask(address: tuple[str, int], *, tls: bool) -> StreamClient:
    from jvmwire.pravega.streams import StreamClient
    from jvmwire.transports import Tcp, Tls

    return StreamClient(Tcp(*address, tls=Tls() if tls else None))


_of_streams = click.option(
    "--stream", "of_streams", is_flag=True, help="Of a stream, scope/stream; ask its controller."
)


@click.group()
def pravega() -> None:
    """Look into Pravega's segments and streams, and write to them.

    HOST:PORT is a segment store's; with --stream, and of `scopes` and `streams`, a controller's.
    """


@pravega.command()
@_store_argument
@click.option("--count", default=4, show_default=True, help="How often.")
def ping(address: tuple[str, int], token: str, count: int, *, tls: bool) -> None:
    """Say how long the store takes to answer."""
    from jvmwire.pravega import NoSuchSegment

    with _connect(address, token, tls=tls) as store:
        for _ in range(count):
            start = time.perf_counter()
            with suppress(NoSuchSegment):  # an answer as good as any
                store.get_segment_info("jvmwire/ping/0")
            click.echo(f"{address[0]}:{address[1]}: {(time.perf_counter() - start) * 1e3:.2f} ms")


@pravega.command()
@_store_argument
@click.argument("segments", metavar="SEGMENT...", nargs=-1, required=True)
@click.option("--table", is_flag=True, help="Make tables.")
@_of_streams
def create(
    address: tuple[str, int],
    token: str,
    segments: tuple[str, ...],
    *,
    table: bool,
    of_streams: bool,
    tls: bool,
) -> None:
    """Make segments, or streams and the scopes that they are in."""
    if of_streams:
        with _ask(address, tls=tls) as client:
            for name in segments:
                client.create_scope(name.partition("/")[0])
                client.create_stream(name)
                click.echo(name)
        return
    with _connect(address, token, tls=tls) as store:
        for segment in segments:
            if table:
                store.create_table(segment)
            else:
                store.create_segment(segment)
            click.echo(segment)


@pravega.command()
@_store_argument
@click.argument("segments", metavar="SEGMENT...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="A line of JSON for each.")
def segments(
    address: tuple[str, int], token: str, segments: tuple[str, ...], *, as_json: bool, tls: bool
) -> None:
    """Say how segments are.

    A segment store does not tell which it has: they are asked for by their names.
    """
    with _connect(address, token, tls=tls) as store:
        for segment in segments:
            info = store.get_segment_info(segment)
            if as_json:
                click.echo(orjson.dumps(asdict(info)))
            else:
                state = "sealed" if info.is_sealed else "open"
                click.echo(f"{info.name}: {state}, {info.start_offset} to {info.write_offset}")


@pravega.command()
@_store_argument
@click.argument("segment")
@click.argument("file", type=click.File("rb"), default="-")
@_of_streams
@click.option("--key", help="The routing key of all of them; without it they are spread.")
def append(
    address: tuple[str, int],
    token: str,
    segment: str,
    file: BinaryIO,
    *,
    of_streams: bool,
    key: str | None,
    tls: bool,
) -> None:
    """Append each line of FILE, or of standard input, as an event; say how many are stored."""
    count = 0
    if of_streams:
        with _ask(address, tls=tls) as client, client.writer(segment) as writer:
            for events in _lines(file):
                writer.write_all(events, None if key is None else [key] * len(events))
                count += len(events)
    else:
        with _connect(address, token, tls=tls) as store, store.appender(segment) as appender:
            for events in _lines(file):
                count = appender.write_all(events)
    click.echo(f"{count} events")


def _lines(file: BinaryIO) -> Iterator[list[bytes]]:
    while lines := file.readlines(LINES):
        yield [line.removesuffix(b"\n") for line in lines]


@pravega.command()
@_store_argument
@click.argument("segment")
@click.option("--offset", default=0, show_default=True, help="Where an event begins.")
@click.option("--raw", is_flag=True, help="The bytes as they stand there, headers and all.")
@_of_streams
def cat(
    address: tuple[str, int],
    token: str,
    segment: str,
    offset: int,
    *,
    raw: bool,
    of_streams: bool,
    tls: bool,
) -> None:
    """Write the events of a segment or a stream, a line each."""
    if of_streams:
        with _ask(address, tls=tls) as client:
            _write(batch.events for batch in client.read_events(segment))
        return
    with _connect(address, token, tls=tls) as store:
        if raw:
            for data in store.read_bytes(segment, offset):
                sys.stdout.buffer.write(data)
        else:
            _write(store.read_events(segment, offset))


@pravega.command()
@_store_argument
@click.argument("segment")
@click.option("--offset", type=int, help="Where an event begins (default: behind the last).")
@_of_streams
def tail(
    address: tuple[str, int],
    token: str,
    segment: str,
    offset: int | None,
    *,
    of_streams: bool,
    tls: bool,
) -> None:
    """Write the events of a segment or a stream as they come, until it is sealed."""
    if of_streams:
        with _ask(address, tls=tls) as client:
            reading = client.within(None).read_events(
                segment, start=client.tail(segment), follow=True
            )
            _write(batch.events for batch in reading)
        return
    with _connect(address, token, tls=tls) as store:
        start = store.get_segment_info(segment).write_offset if offset is None else offset
        _write(store.within(None).read_events(segment, start, follow=True))


@pravega.command()
@click.argument("address", metavar="HOST:PORT", callback=_address)
def scopes(address: tuple[str, int]) -> None:
    """List the scopes that a controller has."""
    with _ask(address, tls=False) as client:
        for scope in client.scopes():
            click.echo(scope)


@pravega.command()
@click.argument("address", metavar="HOST:PORT", callback=_address)
@click.argument("scope")
@click.option("--tag", help="Only those that have it.")
@click.option("--json", "as_json", is_flag=True, help="A line of JSON for each.")
def streams(address: tuple[str, int], scope: str, tag: str | None, *, as_json: bool) -> None:
    """List the streams of a scope; in JSON with their tags and present segments."""
    with _ask(address, tls=False) as client:
        for name in client.streams(scope, tag=tag):
            if not as_json:
                click.echo(name)
                continue
            tags = sorted(client.get_configuration(name).tags)
            now = client.segments(name)
            told = {"name": name, "tags": tags, "segments": [segment.name for segment in now]}
            click.echo(orjson.dumps(told))


def _write(batches: Iterator[list[bytes]]) -> None:
    out = sys.stdout.buffer
    for events in batches:
        if events:
            out.write(b"\n".join(events) + b"\n")
            out.flush()
