"""`jvmwire pravega`: look into a segment store, and append to its segments."""

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


@click.group()
def pravega() -> None:
    """Look into a segment store of Pravega, and append to its segments."""


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
def create(
    address: tuple[str, int], token: str, segments: tuple[str, ...], *, table: bool, tls: bool
) -> None:
    """Make segments."""
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
def append(
    address: tuple[str, int], token: str, segment: str, file: BinaryIO, *, tls: bool
) -> None:
    """Append each line of FILE, or of standard input, as an event; say how many are stored."""
    count = 0
    with _connect(address, token, tls=tls) as store, store.appender(segment) as appender:
        while lines := file.readlines(LINES):
            count = appender.write_all([line.removesuffix(b"\n") for line in lines])
        appender.flush()
    click.echo(f"{count} events")


@pravega.command()
@_store_argument
@click.argument("segment")
@click.option("--offset", default=0, show_default=True, help="Where an event begins.")
@click.option("--raw", is_flag=True, help="The bytes as they stand there, headers and all.")
def cat(
    address: tuple[str, int], token: str, segment: str, offset: int, *, raw: bool, tls: bool
) -> None:
    """Write the events of a segment, a line each."""
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
def tail(
    address: tuple[str, int], token: str, segment: str, offset: int | None, *, tls: bool
) -> None:
    """Write the events of a segment as they come, until it is sealed."""
    with _connect(address, token, tls=tls) as store:
        start = store.get_segment_info(segment).write_offset if offset is None else offset
        _write(store.within(None).read_events(segment, start, follow=True))


def _write(batches: Iterator[list[bytes]]) -> None:
    out = sys.stdout.buffer
    for events in batches:
        if events:
            out.write(b"\n".join(events) + b"\n")
            out.flush()
